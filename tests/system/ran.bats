#!/usr/bin/env bats
# What an agent tells after a tool has run: a person has said yes to the question before.

load terminal

setup() {
    warder=$WARDER_BUILD/warder
    hook=$WARDER_BUILD/warder-hook
    [ -x "$hook" ] || skip 'there is no warder-hook'
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8 CLAUDE_CODE_SESSION_ATTENDED=1
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH TMUX
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
    socket=$BATS_TEST_TMPDIR/tmux.0
    files=$BATS_TEST_TMPDIR # not in the project, whose files a call may be bound to
}

# event NAME COMMAND USE [MODE] [SESSION]: to a file.
event() {
    jq -cn --arg n "$1" --arg c "$2" --arg u "$3" --arg m "${4:-default}" --arg s "${5:-s}" --arg d "$PWD" \
        '{session_id: $s, transcript_path: "t", prompt_id: "p", cwd: $d, permission_mode: $m, hook_event_name: $n,
          tool_name: "Bash", tool_input: {command: $c, description: $u}, tool_use_id: $u, tool_response: {}}' >"$files/event"
}

# The hooks of one agent have one parent: no subshell here. What is answered is in `said`.
before() {
    event PreToolUse "$@"
    "$hook" --client claude --home "$HOME" <"$files/event" >"$files/out"
    said=$(jq -r .hookSpecificOutput.permissionDecision <"$files/out")
}

ran() {
    event "${name:-PostToolUse}" "$@"
    "$hook" --ran --client claude --home "$HOME" <"$files/event" >"$files/out" 2>"$files/err"
    [ ! -s "$files/out" ] && [ ! -s "$files/err" ]
}

answers() {
    "$warder" log --home "$HOME" --json | jq '[.decisions[] | select(.decision == "human-accept")] | length'
}

@test "a yes in the agent is on record, and the very same call is not asked about again" {
    before 'curl -s https://example.com/api' u1
    [ "$said" = ask ]
    asked=$("$warder" log --home "$HOME" --json | jq -r '.decisions[0].id')
    ran 'curl -s https://example.com/api' u1
    "$warder" log --home "$HOME" --json >"$files/log.json"
    jq -e --arg id "$asked" '.decisions | length == 1 and .[0].decision == "human-accept" and .[0].answers == $id and
        .[0].command == "curl -s https://example.com/api" and .[0].tool_use_id == "u1" and .[0].client == "claude"' "$files/log.json"
    [ "$("$warder" stats --json --home "$HOME" | jq -c '.all | [.calls, .asked]')" = '[1,1]' ]
    before 'curl -s https://example.com/api' u2 # another description
    [ "$said" = allow ]
    before 'curl -s https://example.com/api2' u3
    [ "$said" = ask ]
    before 'curl -s https://example.com/api' u4 default other
    [ "$said" = ask ]
    "$warder" log verify --home "$HOME"
    "$warder" grants --home "$HOME" | grep -F "session-${asked:2:8}  allow  Bash curl -s https://example.com/api" |
        grep -F "in the agent's own prompt"
    in_terminal "$warder grants revoke session-${asked:2:8} --home $HOME"
    wait_for 'is asked about again'
    before 'curl -s https://example.com/api' u5
    [ "$said" = ask ]
}

@test "a command that failed was allowed, too" {
    before 'make deploy' u1
    [ "$said" = ask ]
    name=PostToolUseFailure ran 'make deploy' u1
    [ "$(answers)" = 1 ]
    before 'make deploy' u2
    [ "$said" = allow ]
    echo 'all:' >Makefile # it is bound to the files around it
    before 'make deploy' u3
    [ "$said" = ask ]
}

@test "nothing else is an answer" {
    before 'curl -s https://example.com/api' u1
    ran 'curl -s https://example.com/api' u2              # another call
    ran 'curl -s https://example.com/other' u1            # another input
    ran 'curl -s https://example.com/api' u1 bypassPermissions
    ran 'curl -s https://example.com/api' u1 default other
    CLAUDE_CODE_SESSION_ATTENDED=0 ran 'curl -s https://example.com/api' u1
    unset CLAUDE_CODE_SESSION_ATTENDED
    ran 'curl -s https://example.com/api' u1
    export CLAUDE_CODE_SESSION_ATTENDED=1
    event PostToolUse 'curl -s https://example.com/api' u1
    (
        "$hook" --ran --client claude --home "$HOME" <"$files/event" # from another process than the one that asked
        :
    )
    setsid -f "$hook" --ran --client claude --home "$HOME" <"$files/event"
    sleep 0.3
    "$hook" --ran --client qwen --home "$HOME" <"$files/event"
    [ "$(answers)" = 0 ]
    before 'curl -s https://example.com/api' u9
    [ "$said" = ask ]
    ran 'curl -s https://example.com/api' u1
    [ "$(answers)" = 1 ]
    ran 'curl -s https://example.com/api' u1 # once
    [ "$(answers)" = 1 ]
}

@test "a yes to what takes something away, or to what a rule wants to ask, counts once" {
    mkdir -p "$HOME/.config/warder"
    echo 'ask: ["Bash(git tag *)"]' >"$HOME/.config/warder/warder.yaml"
    for command in 'rm -rf ../elsewhere' 'git push --force' 'sudo ls' 'git tag x' 'echo x > ~/.claude/settings.json'; do
        before "$command" "$command"
        [ "$said" = ask ]
        ran "$command" "$command"
        before "$command" again
        [ "$said" = ask ]
    done
    [ "$(answers)" = 5 ]
    [[ $("$warder" grants --home "$HOME") == 'no rules'* ]]
}

@test "it blocks nothing, whatever comes" {
    before 'curl -s https://example.com/api' u1
    for text in '' '{' '[]' '{}' '{"hook_event_name":"PreToolUse"}' "$(cat "$files/event")"; do
        printf '%s' "$text" >"$files/odd"
        for command in "$hook --ran" "$hook --ran --client claude --home /nonexistent" "$hook --ran --client claude --wrong" \
            "$hook --ran --client nobody" "$hook --ran --client claude --timeout x" "$warder hook --ran --client claude"; do
            run bash -c "$command <'$files/odd'"
            [ "$status" = 0 ] && [ -z "$output" ]
        done
    done
    head -c 40000000 /dev/zero | tr '\0' a >"$files/odd"
    run bash -c "$hook --ran --client claude --home $HOME <'$files/odd'"
    [ "$status" = 0 ] && [ -z "$output" ]
    [ "$(answers)" = 0 ]
    # without --ran it is an event that is not answered, and so a block
    event PostToolUse 'ls' u1
    run "$hook" --client claude --home "$HOME" <"$files/event"
    [ "$status" = 2 ]
}

@test "where calls have no ID, another verdict about the same call ends the wait" {
    gemini() {
        jq -cn --arg n "$1" --arg c "$2" --arg d "$PWD" '{session_id: "g", cwd: $d, hook_event_name: $n, timestamp: "x",
            tool_name: "run_shell_command", tool_input: {command: $c, description: "d"}}' >"$files/event"
        "$hook" $3 --client gemini --home "$HOME" <"$files/event" >"$files/out"
        said=$(jq -r .decision <"$files/out")
    }
    gemini BeforeTool 'make deploy' # and the person says no
    [ "$said" = ask ]
    mkdir -p "$HOME/.config/warder"
    echo 'allow: ["Bash(make deploy)"]' >"$HOME/.config/warder/warder.yaml"
    gemini BeforeTool 'make deploy'
    [ "$said" = allow ]
    gemini AfterTool 'make deploy' --ran
    [ "$(answers)" = 0 ]
    rm "$HOME/.config/warder/warder.yaml"
    gemini BeforeTool 'make deploy'
    [ "$said" = ask ]
    gemini AfterTool 'make deploy' --ran
    [ "$(answers)" = 1 ]
    gemini BeforeTool 'make deploy'
    [ "$said" = allow ]
}

@test "after a pull, tests that a person has agreed to are not asked about again" {
    rm -r .git
    git init -q . && git config user.email a@b && git config user.name n
    printf '{"name":"p","version":"1.0.0","scripts":{"test":"node --version"}}' >package.json
    git add package.json && git commit -qm init
    sleep 2.1 # older than the session
    mkdir -p "$HOME/.config/warder"
    echo 'allow: ["Bash(git pull *)"]' >"$HOME/.config/warder/warder.yaml"
    before 'git status' u0
    before 'git pull origin main' u1
    [ "$said" = allow ]
    before 'npm test' u2
    [ "$said" = ask ]
    ran 'npm test' u2
    before 'npm test' u3
    [ "$said" = allow ]
    before 'npm test -- --watch' u4 # what was brought is agreed to
    [ "$said" = allow ]
    before 'git pull origin main' u5
    before 'npm test' u6
    [ "$said" = ask ]
}
