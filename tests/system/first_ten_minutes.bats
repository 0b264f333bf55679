#!/usr/bin/env bats
# A newcomer's first ten minutes, in a real terminal (tmux). What the terminal shows is docs/first-ten-minutes.md:
# this test fails when that is no longer true. WRITE_FIRST_TEN_MINUTES=1 writes the page anew.
# shellcheck disable=SC2016 # the backquotes are those of a page

page=$WARDER_SOURCE/docs/first-ten-minutes.md

setup() {
    command -v tmux >/dev/null || skip "tmux is not installed"
    # of one length everywhere: long lines are cut
    HOME=$(mktemp -d /tmp/wXXXX)
    export HOME LC_ALL=C.UTF-8
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG TMUX NO_COLOR
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/bin" "$HOME/.claude"
    umask 022
    ln -s "$WARDER_BUILD/warder" "$HOME/bin/warder"
    agent >"$HOME/bin/agent"
    chmod 755 "$HOME/bin/agent"
    socket=$BATS_TEST_TMPDIR/tmux.0
    made=$BATS_TEST_TMPDIR/page.md
}

teardown() {
    local shell
    shell=$(tmux -S "$socket" display-message -p -t 0 '#{pane_pid}' 2>/dev/null) || true
    tmux -S "$socket" kill-server 2>/dev/null || true
    # it may still write into its home
    [ -z "$shell" ] || timeout 10 tail --pid="$shell" -f /dev/null || true
    case $HOME in /tmp/w????) rm -rf "$HOME" ;; esac
}

# Stands for Claude Code: it tells Warder what it is about to run, and what it heard.
agent() {
    cat <<'END'
#!/bin/bash
jq -nc --arg c "$1" --arg d "$PWD" '{session_id: "3f0c", cwd: $d, permission_mode: "default", hook_event_name: "PreToolUse",
    tool_name: "Bash", tool_input: {command: $c}, tool_use_id: ("t" + (now | tostring))}' |
    warder hook --client claude --home "$HOME" |
    jq -r '.hookSpecificOutput | .permissionDecision + (if .permissionDecisionReason then ": " + .permissionDecisionReason else "" end)'
END
}

pane() {
    tmux -S "$socket" "$@"
}

shown() {
    pane capture-pane -p -J -S -2000 -t 0 | sed -e 's/ *$//' -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# What differs from one machine and day to the next.
normalised() {
    sed -E -e "s#$HOME#/home/you#g" -e "s#$(realpath "$WARDER_BUILD")#/usr/local/bin#g" -e "s#$WARDER_BUILD#/usr/local/bin#g" \
        -e 's#[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+Z?#2026-11-18 09:30:00#g' -e 's#[0-9]{4}-[0-9]{2}-[0-9]{2}#2026-11-18#g' \
        -e 's#\b[0-9]{2}:[0-9]{2}(:[0-9]{2})?\b#09:30#g' \
        -e 's#\bd_[0-9a-f]{4,32}\b#d_5a1f#g' -e 's#\bd_?[0-9a-f]{8}\b#d_5a1f#g' -e 's#(warder (why|allow|deny|approve|log show)) [a-z0-9_]+#\1 5a1f#g' \
        -e 's#(allowed|denied)-[0-9a-f]{8}#\1-5a1f#g' -e 's#\b[0-9]+ (ms|s|sec|min)\b( ago)?#1 min\2#g' -e 's#just now|[0-9]+ seconds? ago#1 min ago#g' \
        -e 's#settings\.json\.warder-[0-9A-Za-z.-]+#settings.json.warder-backup#g' -e 's#  [0-9a-f]{8}  #  5a1f9c02  #g'
}

# wait_until TEST...: of what the terminal shows
wait_until() {
    local tries=0
    until "$@"; do
        tries=$((tries + 1))
        if [ $tries -gt 300 ]; then
            echo "never: $*"
            shown
            return 1
        fi
        sleep 0.05
    done
}

is_done() {
    [ "$(shown | tail -1)" = '$' ]
}

is_typed() {
    shown | grep -qxF -- "$ $1"
}

is_asked() {
    shown | tail -1 | grep -qF -- "$1"
}

is_empty() {
    pane clear-history -t 0
    [ "$(shown)" = '$' ]
}

say() {
    printf '%s\n\n' "$1" >>"$made"
}

# types COMMAND [QUESTION ANSWER]: into the page go the command and all that the terminal shows.
types() {
    pane send-keys -t 0 C-l
    wait_until is_empty
    pane send-keys -t 0 -l -- "$1"
    wait_until is_typed "$1"
    pane send-keys -t 0 Enter
    if [ $# -gt 1 ]; then
        wait_until is_asked "$2"
        pane send-keys -t 0 -l -- "$3"
        pane send-keys -t 0 Enter
    fi
    wait_until is_done
    printf '```console\n%s\n```\n\n' "$(shown | sed '$d' | normalised)" >>"$made"
}

walk() {
    say '# The first ten minutes'
    say 'What a terminal shows when you begin with Warder. A test types these commands and compares (`tests/system/first_ten_minutes.bats`), so that
the page stays true; times, IDs and your own paths will be others.'
    say '## A policy to begin with'
    say 'Make a project, or go to one. `warder init` writes a commented policy file for you; without one Warder works as well.'
    types 'mkdir -p project && cd project && git init -q -b main && echo hello >README.md'
    types 'warder init'
    types 'warder check -- git status'
    types 'warder check -- curl https://example.com/status'
    types 'warder check -- rm -rf ~'
    say '## Connect an agent'
    say '`warder install` shows what it would change in the settings of the agent, and asks.'
    types 'warder install claude' '[y/N]' y
    types 'warder doctor claude'
    say '## A working day'
    say 'In the following `agent` stands for Claude Code: a small script that tells Warder what is about to run, as Claude Code does, and prints
what it heard. What is harmless runs.'
    types "agent 'git status'"
    say 'Other things are asked about. In Claude Code you would see this sentence above its own question.'
    types "agent 'curl -s https://example.com/status'"
    types 'warder status'
    say 'You may want to be asked no more. `warder allow` takes the last call, and offers rules: for this command, for its program, for its
host.'
    types 'warder allow --last' 'Which one?' 3
    types "agent 'curl -s https://example.com/status'"
    say 'Some things never run.'
    types "agent 'rm -rf ~'"
    types 'warder why'
    types 'warder log'
    types 'warder doctor claude'
    say '## And back'
    types 'warder uninstall claude' '[y/N]' y
}

@test "the page about the first ten minutes is true" {
    cd "$HOME" || return
    pane -f /dev/null -u new-session -d -x 118 -y 60 "env HISTFILE= PATH=$HOME/bin:$PATH PS1='\$ ' TERM=screen bash --norc --noprofile -i"
    wait_until is_done
    walk
    sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$made"
    if [ -n "${WRITE_FIRST_TEN_MINUTES:-}" ]; then
        cp "$made" "$page"
    fi
    diff -u "$page" "$made"
}
