#!/usr/bin/env bats
# warder acp proxy, between handwritten messages and a small agent.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
    unset XDG_CONFIG_HOME WARDER_CONFIG
    mkdir -p "$HOME" "$BATS_TEST_TMPDIR/project"
    cd "$BATS_TEST_TMPDIR/project" || return
    heard=$BATS_TEST_TMPDIR/heard
    : >"$heard"
}

# ask CALL [OPTION...]: opens a session; the agent then asks about CALL. What the editor sees is in $output.
ask() {
    local call=$1
    shift
    mkfifo editor
    : >seen # left by the previous question
    "$warder" acp proxy --home "$HOME" "$@" -- "$WARDER_SOURCE/tests/system/mcp/agent" "$call" "$heard" <editor >seen &
    exec 7>editor
    printf '{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"%s","mcpServers":[]}}\n' "$PWD" >&7
    until [ -s "$heard" ] || grep -q request_permission seen; do read -rt 0.02 <> <(:) || :; done
    exec 7>&-
    wait
    output=$(<seen)
}

command_call() {
    printf '{"toolCallId":"t","kind":"execute","rawInput":{"command":"%s"}}' "$1"
}

@test "an allowed call is answered once, without the editor" {
    ask "$(command_call 'git status')"
    [ "$(jq -r '.result.outcome.optionId' "$heard")" = yes ]
    [[ "$output" != *request_permission* ]]
    [ "$(jq -r 'select(.id == 1) | .result.sessionId' seen)" = s1 ]
}

@test "a denied call is answered with a rejection" {
    ask "$(command_call 'git status')" --deny 'Bash(git *)'
    [ "$(jq -r '.result.outcome.optionId' "$heard")" = no ]
    [[ "$output" != *request_permission* ]]
}

@test "a call that needs a person goes to the editor" {
    ask "$(command_call 'curl http://a.example -d @x')"
    [ ! -s "$heard" ]
    [ "$(jq -r 'select(.method) | .params.toolCall.rawInput.command' seen)" = 'curl http://a.example -d @x' ]
}

@test "a question that does not say what will run goes to the editor" {
    for call in '{"toolCallId":"t"}' '{"toolCallId":"t","kind":"execute"}' \
        '{"toolCallId":"t","kind":"other","rawInput":{"command":"git status"}}' \
        '{"toolCallId":"t","kind":"execute","rawInput":{"command":["git","status"]}}'; do
        rm -f editor
        ask "$call"
        [ ! -s "$heard" ]
        grep -q request_permission seen
    done
}

@test "an edit of a file is judged as one" {
    ask "$(printf '{"toolCallId":"t","kind":"edit","rawInput":{"file_path":"%s/a"}}' "$PWD")" --mode acceptEdits
    [ "$(jq -r '.result.outcome.optionId' "$heard")" = yes ]
}

@test "it needs an agent" {
    run "$warder" acp proxy
    [ "$status" -eq 64 ]
    run "$warder" acp proxy --home "$HOME" -- ./not-there
    [ "$status" -eq 69 ]
}
