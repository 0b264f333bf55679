#!/usr/bin/env bats
# `warder doctor --live`: the agent itself is started, here a script in its place.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR CLAUDECODE
    export PATH=$HOME/bin:/usr/bin:/bin
    mkdir -p "$HOME/project" "$HOME/bin"
    cd "$HOME/project" || return
    "$warder" install claude --yes
}

# agent: what `claude` does, from standard input; $1 is -p, $2 the question
agent() {
    {
        printf '#!/bin/bash\ntouch "$HOME/started"\n'
        cat
    } >"$HOME/bin/claude"
    chmod 755 "$HOME/bin/claude"
}

# A call of Claude Code's from the directory in $where, through the registered hook.
asks='program=$(jq -r ".hooks.PreToolUse[0].hooks[0].command" "$HOME/.claude/settings.json")
mapfile -t args < <(jq -r ".hooks.PreToolUse[0].hooks[0].args[]" "$HOME/.claude/settings.json")
jq -cn --arg cwd "${where:-$PWD}" "{session_id: \"s\", transcript_path: \"t\", prompt_id: \"p\", cwd: \$cwd,
    permission_mode: \"default\", hook_event_name: \"PreToolUse\", tool_name: \"Bash\", tool_use_id: \"u\",
    tool_input: {command: \"ls\"}}" | "$program" "${args[@]}" >/dev/null'

live() {
    run "$warder" doctor claude --live --yes "$@"
}

@test "an agent that asks is seen, with the question as one word and nothing of a project around it" {
    agent <<<"printf '%s\n' \"\$#\" \"\$1\" \"\$2\" \"\$PWD\" \"\$(ls -A)\" >\"\$HOME/given\"; $asks"
    live
    [ "$status" = 0 ]
    [[ $output == *'Claude Code: seen, last call just now'*'it was started, and asked Warder'* ]]
    mapfile -t given <"$HOME/given"
    [ "${given[0]} ${given[1]}" = '2 -p' ]
    [[ ${given[2]} == 'Use one tool, once: '* ]]
    [[ ${given[3]} == /tmp/warder-live-* && -z ${given[4]} ]]
    [ ! -e "${given[3]}" ]
    [ "$("$warder" doctor claude --live --yes --json 2>/dev/null | jq -r '.clients[0] | .state, .live')" = "$(printf 'seen\nasked')" ]
}

@test "an agent that asks and then fails was seen all the same" {
    agent <<<"$asks; exit 1"
    live
    [ "$status" = 0 ]
}

@test "an agent that asks nothing is not seen, whatever came before" {
    agent <<<"$asks"
    live
    [ "$status" = 0 ]
    agent <<<"echo 'There are no files.'"
    live
    [ "$status" = 1 ]
    [[ $output == *'registered, not seen when it was started'*'used no tool, or it does not run the hook'*'There are no files.'* ]]
    [[ $output == *'start it as usual'* ]]
}

@test "a call from elsewhere is not this run's" {
    agent <<<"where=\$HOME; $asks"
    live
    [ "$status" = 1 ]
    [[ $output == *'not seen when it was started'* ]]
}

@test "an agent that fails is quoted, and one that hangs is ended" {
    agent <<<"echo progress; echo 'Please log in' >&2; exit 3"
    live
    [ "$status" = 1 ]
    [[ $output == *'it failed before it asked Warder'*'its last line: Please log in'* ]]
    agent <<<"sleep 100 & echo \$! >\"\$HOME/pid\"; wait"
    live --timeout 1
    [ "$status" = 1 ]
    [[ $output == *'did not ask Warder within 1 s, and was ended'* ]]
    [ "$(ps -o stat= -p "$(cat "$HOME/pid")" | cut -c1)" != S ]
    rm "$HOME/bin/claude"
    live
    [ "$status" = 1 ]
    [[ $output == *'could not be started'*'claude: cannot be started: No such file'* ]]
}

@test "nothing is started without a yes, by an agent, or where something is wrong already" {
    agent <<<"$asks"
    run "$warder" doctor claude --live </dev/null
    [ "$status" = 64 ]
    [[ $output == *'This starts Claude Code with your account'*"claude -p 'Use one tool"*'not a terminal'* ]]
    CLAUDECODE=1 live
    [ "$status" = 65 ]
    [[ $output == *'this runs inside claude'* ]]
    sed -i 's/"timeout": 10/"timeout": 2/' "$HOME/.claude/settings.json"
    live
    [ "$status" = 1 ]
    [[ $output == *'NOT PROTECTED'*'waits 2 s for the hook'* ]]
    [ ! -e "$HOME/started" ]
}

@test "what cannot be started in this way is said" {
    run "$warder" doctor --live cursor --yes
    [ "$status" = 1 ]
    [[ $output == *'Cursor cannot be started with a question'* ]]
    run "$warder" doctor --live --yes
    [ "$status" = 64 ]
    run "$warder" doctor --live claud --yes
    [ "$status" = 64 ]
    [[ $output == *'did you mean claude?'* ]]
    live --home "$HOME"
    [ "$status" = 64 ]
    live --timeout 601
    [ "$status" = 64 ]
}
