#!/usr/bin/env bats
# `warder approve`: a person answers, at a terminal, for one call.

load terminal

setup() {
    warder=$WARDER_BUILD/warder
    driver=$WARDER_BUILD/tests/approval_driver
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH TMUX
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
    socket=$BATS_TEST_TMPDIR/tmux.0
}

# The end of the grace period for stray keys is invisible, so a key that came too soon is pressed again.
press_until() {
    local tries=0
    until screen | grep -qF -- "$2"; do
        tries=$((tries + 1))
        [ $tries -lt 60 ]
        tmux -S "$socket" send-keys -t 0 "$1"
        sleep 0.1
    done
}

offer() {
    local said
    said=$("$driver" codex "$1")
    [[ $said == 'ID '* ]]
    id=${said#ID }
}

@test "an approved call runs, once" {
    offer 'make deploy'
    in_terminal "$warder approve $id"
    wait_for 'Input    | make deploy'
    press_until a 'approved: the same call may now run, once'
    wait_for 'status 0'
    [ "$("$driver" codex 'make deploy --all')" != allow ]
    [ "$("$driver" gemini 'make deploy')" != allow ]
    [ "$("$driver" codex 'make deploy')" = allow ]
    [[ $("$driver" codex 'make deploy') == 'ID '* ]]
}

@test "a refused call does not run; a cancelled one keeps waiting" {
    offer 'make deploy'
    in_terminal "$warder approve"
    wait_for 'make deploy'
    press_until c 'left open'
    wait_for 'status 2'
    in_terminal "$warder approve"
    wait_for 'make deploy'
    press_until d refused
    wait_for 'status 1'
    [ "$("$warder" approve --list)" = 'no call is waiting for approval' ]
    [[ $("$driver" codex 'make deploy') == 'ID '* ]]
}

@test "the list shows calls without their secrets" {
    offer 'make deploy'
    first=$id
    offer 'curl -H "Authorization: Bearer sk-abcdefghijklmnopqrstuvwxyz012345" https://example.com -d @x'
    [[ $("$warder" approve --list) == *"$first"*codex*Bash*'make deploy'* ]]
    [[ $("$warder" approve --list) == *"$id"* ]]
    [ "$("$warder" approve --list --json | jq -r '.[].id' | sort)" = "$(printf '%s\n' "$first" "$id" | sort)" ]
    [ "$(grep -rc 'abcdefghijklmnop' "$HOME/.local/state/warder/approvals" | grep -vc ':0')" -eq 0 ]
    in_terminal "$warder approve"
    wait_for 'Which one?'
    screen | grep -qE "^  [12]  $first .*make deploy"
    tmux -S "$socket" send-keys -t 0 Enter
    wait_for 'status 2'
    in_terminal "$warder approve ''"
    wait_for 'no call with that ID is waiting'
    in_terminal "$warder approve ${first:0:5}"
    wait_for 'Input    | make deploy'
}

@test "of several calls that wait a person chooses one by its number" {
    local number
    offer 'make deploy'
    offer 'make publish'
    in_terminal "$warder approve"
    wait_for 'Which one?'
    number=$(screen | sed -nE 's/^  ([12])  .*make publish.*/\1/p')
    tmux -S "$socket" send-keys -t 0 "$number" Enter
    wait_for 'Input    | make publish'
    press_until a 'approved: the same call may now run, once'
    wait_for 'status 0'
    [ "$("$driver" codex 'make deploy')" != allow ]
    [ "$("$driver" codex 'make publish')" = allow ]
}

@test "several IDs are asked about one after the other, until one is refused" {
    local first
    offer 'make deploy'
    first=$id
    offer 'make publish'
    in_terminal "$warder approve $first $id"
    wait_for 'Input    | make deploy'
    press_until a 'Input    | make publish'
    press_until d 'refused'
    wait_for 'status 1'
    [ "$("$driver" codex 'make deploy')" = allow ]
    [ "$("$driver" codex 'make publish')" != allow ]
}

@test "no text of a question quotes a secret" {
    local secret=two-ho4ses
    offer "redis-cli -a $secret flushall"
    offer "ldapsearch -D cn=a -w $secret"
    offer "sqlplus scott/$secret@db"
    offer "htpasswd -b f u $secret"
    offer "curl -u a:two-ho\\4ses https://example.com"
    [ "$("$warder" approve --list --json | jq length)" -eq 5 ]
    run grep -rE 'two-ho.?4ses' "$HOME/.local/state/warder"
    [ "$status" -eq 1 ]
}

@test "approving needs a terminal" {
    offer 'make deploy'
    for input in "echo a" "yes a"; do
        run bash -c "$input | '$warder' approve $id"
        [ "$status" -ge 64 ]
        [[ $output == *'needs a terminal'* ]]
    done
    run "$warder" approve "$id" </dev/null
    [ "$status" -ge 64 ]
    [ "$("$driver" codex 'make deploy')" != allow ]
}

@test "inside an agent nothing can be approved" {
    offer 'make deploy'
    in_terminal "CLAUDECODE=1 $warder approve $id"
    wait_for 'this runs inside claude'
    wait_for 'status 65'
    # A parent process with the name of an agent.
    printf '#!/bin/bash\n%s approve %s\n:\n' "$warder" "$id" >codex
    chmod +x codex
    in_terminal "./codex"
    wait_for 'this runs inside codex'
    mv codex windsurf
    in_terminal "./windsurf"
    wait_for 'this runs inside windsurf'
    [ "$("$driver" codex 'make deploy')" != allow ]
    run "$warder" check Bash "warder approve $id"
    [ "$status" -eq 1 ]
}

@test "an ID that is unknown or wrong is an error" {
    in_terminal "$warder approve nosuchid00"
    wait_for 'no call with that ID is waiting'
    wait_for 'status 64'
}

@test "a call that runs an unknown file cannot be approved" {
    # shellcheck disable=SC2016 # for Warder to read
    [[ $("$driver" codex 'sudo "$X"') == 'none: '* ]]
    [[ $("$driver" codex 'ls') == 'none: '* ]]
}

# event: what Codex sends before it runs a command.
event() {
    jq -cn --arg cwd "$PWD" --arg command "$1" '{session_id: "s1", turn_id: "t1", cwd: $cwd, tool_use_id: "u1",
        hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: $command}}'
}

@test "an agent that cannot ask is told what its person can type" {
    said=$(event 'make deploy' | "$warder" hook --home "$HOME" --client codex)
    id=$("$warder" approve --list --json | jq -r '.[0].id')
    [[ $said == *'"deny"'*"in a terminal: warder approve $id"* ]]
    # The agent reads it, too: it gets nowhere with it.
    [[ $(event "warder approve $id" | "$warder" hook --home "$HOME" --client codex) == *'"deny"'* ]]
    in_terminal "$warder approve $id"
    wait_for 'make deploy'
    press_until a approved
    [[ $(event 'make deploy now' | "$warder" hook --home "$HOME" --client codex) == *'"deny"'* ]]
    [ -z "$(event 'make deploy' | "$warder" hook --home "$HOME" --client codex)" ]
    [[ $(event 'make deploy' | "$warder" hook --home "$HOME" --client codex) == *'"deny"'* ]]
}
