#!/usr/bin/env bats
# `warder allow`, `deny` and `why`: a decision on record becomes a rule, by a person at a terminal.

load terminal
load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH TMUX
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
    socket=$BATS_TEST_TMPDIR/tmux.0
    policy=$HOME/.config/warder/warder.yaml
}

answer() {
    tmux -S "$socket" send-keys -t 0 -- "$1" Enter
}

# call COMMAND [SESSION]: what the agent is answered: allow, ask or deny.
call() {
    json_text "$1"
    pre_tool_use "${2:-s}" default Bash "{\"command\":$json}"
    decided "$("$warder" hook --client claude --home "$HOME" <<<"$event")"
    echo "$decided"
}

id_of() {
    "$warder" log --home "$HOME" --text "$1" --json | jq -r '.decisions[0].id'
}

@test "the last call that was asked about is allowed from then on, and others are not" {
    [ "$(call 'curl -s https://example.com/api')" = ask ]
    in_terminal "$warder allow --last --home $HOME"
    wait_for 'Which one?'
    screen | grep -F '1  command  Bash(curl -s https://example.com/api)'
    screen | grep -F '2  program  Bash(curl:*)  only to example.com'
    screen | grep -F 'ask    curl https://elsewhere.example/x'
    [ ! -e "$policy" ]
    answer 2
    wait_for 'status 0'
    grep -F '"hosts":["example.com"]' "$policy"
    [ "$(call 'curl -s https://example.com/other')" = allow ]
    [ "$(call 'curl -s https://elsewhere.example/other')" = ask ]
    [ "$(call 'curl -d @secret https://example.com/other')" = ask ]
}

# said COMMAND [MODE]: the text of the answer.
said() {
    jq -cn --arg c "$1" --arg d "$PWD" --arg m "${2:-default}" '{session_id: "s", cwd: $d, permission_mode: $m,
        hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: $c}}' |
        "$warder" hook --client claude --home "$HOME" | jq -r .hookSpecificOutput.permissionDecisionReason
}

@test "the question says what to type, and that works" {
    text=$(said 'curl -s https://example.com/api')
    [[ $text == 'Warder: sends a request to example.com. Always allow it: warder allow '* ]]
    in_terminal "$warder ${text##*: warder } --as program --yes --home $HOME"
    wait_for 'status 0'
    [ "$(call 'curl -s https://example.com/other')" = allow ]
    text=$(said 'curl -s https://example.org/api' dontAsk)
    [[ $text == *'which mode dontAsk does not allow. Always allow it, in a terminal: warder allow '* ]]
    in_terminal "$warder ${text##*: warder } --as program --yes --home $HOME"
    wait_for 'status 0'
    [ "$(call 'curl -s https://example.org/other')" = allow ]
}

@test "below an agent a terminal of its own does not help" {
    text=$(said 'git push origin main')
    allow="$warder ${text##*: warder } --as program --yes --home $HOME"
    printf '#!/bin/bash\nscript -qec "env -u CLAUDECODE %s" /dev/null\n:\n' "$allow" >claude
    # node runs this one under a name that ends in .js; its shells say whose they are
    printf '#!/bin/bash\nGEMINI_CLI=1 bash -c '"'script -qec \"env -u GEMINI_CLI %s\" /dev/null; :'"'\n:\n' "$allow" >agent
    cp claude gemini.js
    chmod +x claude gemini.js agent
    run ./claude
    [[ $output == *'this runs inside claude'* ]]
    run ./gemini.js
    [[ $output == *'this runs inside gemini'* ]]
    run ./agent
    [[ $output == *'this runs inside gemini'* ]]
    [ ! -e "$policy" ]
    for tool in "$allow" "script -qec '$allow' /dev/null" "bash -c '$allow'" "setsid -f script -qec '$allow' /dev/null"; do
        for mode in default acceptEdits bypassPermissions; do
            [[ $(said "$tool" $mode) == 'Warder: '* ]] # asked about, or denied
        done
    done
}

@test "exactly this command, and only in the project" {
    [ "$(call 'git push origin main')" = ask ]
    id=$(id_of 'git push')
    in_terminal "$warder allow ${id:2:8} --as command --project --home $HOME"
    wait_for 'Write this?'
    answer y
    wait_for 'status 0'
    [ ! -e "$policy" ]
    grep -F 'Bash(git push origin main)' .warder/warder.local.yaml
    [ "$(call 'git push origin main')" = allow ]
    [ "$(call 'git push origin topic')" = ask ]
    mkdir -p "$HOME/other/.git"
    cd "$HOME/other"
    [ "$(call 'git push origin main')" = ask ]
}

@test "a fetch is allowed by its host" {
    fetch() {
        jq -cn --arg u "$1" --arg d "$PWD" '{session_id: "s", cwd: $d, permission_mode: "default",
            hook_event_name: "PreToolUse", tool_name: "WebFetch", tool_input: {url: $u, prompt: "x"}}' |
            "$warder" hook --client claude --home "$HOME" | jq -r .hookSpecificOutput.permissionDecision
    }
    [ "$(fetch https://example.com/a)" = ask ]
    in_terminal "$warder allow --as host --home $HOME"
    wait_for '1  host     WebFetch(domain:example.com)'
    wait_for 'Write this?'
    answer y
    wait_for 'status 0'
    [ "$(fetch https://example.com/b)" = allow ]
    [ "$(fetch https://example.org/b)" = ask ]
}

@test "no number, another number or a no writes nothing" {
    [ "$(call 'git push origin main')" = ask ]
    for key in '' 0 9 x 1x -1; do
        in_terminal "$warder allow --home $HOME"
        wait_for 'Which one?'
        answer "$key"
        wait_for 'status'
        [[ $(screen) != *"status 0"* ]]
    done
    in_terminal "$warder allow --as program --home $HOME"
    wait_for 'Write this?'
    answer n
    wait_for 'status 1'
    [ ! -e "$policy" ]
    [ "$(call 'git push origin main')" = ask ]
}

@test "an agent, a script without a terminal and --yes without an ID are refused" {
    [ "$(call 'git push origin main')" = ask ]
    id=$(id_of 'git push')
    run "$warder" allow "$id" --as program --yes --home "$HOME" </dev/null
    [ "$status" -ne 0 ]
    [[ $output == *'needs a terminal'* ]]
    in_terminal "CLAUDECODE=1 $warder allow $id --as program --yes --home $HOME"
    wait_for 'this runs inside claude'
    in_terminal "$warder allow --last --as program --yes --home $HOME"
    wait_for '--yes needs an ID'
    [ ! -e "$policy" ]
    [ "$(call "warder allow $id --as program --yes")" != allow ]
    in_terminal "$warder allow $id --as program --yes --home $HOME"
    wait_for 'status 0'
    [ "$(call 'git push origin topic')" = allow ]
}

@test "what is denied stays denied" {
    mkdir -p "${policy%/*}"
    echo 'deny: ["Bash(git push:*)"]' >"$policy"
    cp "$policy" before.yaml
    [ "$(call 'git push origin main')" = deny ]
    in_terminal "$warder allow --home $HOME"
    wait_for 'a deny rule forbids it: Bash(git push:*)'
    [ "$(call 'rm -rf ~')" = deny ]
    in_terminal "$warder allow --home $HOME"
    wait_for 'no rule can allow it: '
    wait_for status
    cmp "$policy" before.yaml
    [ "$(call 'git push origin main')" = deny ]
}

@test "a denied kind is denied, and an allow does not lift it" {
    [ "$(call 'git push origin main')" = ask ]
    in_terminal "$warder deny --as program --home $HOME"
    wait_for 'Write this?'
    answer y
    wait_for 'status 0'
    [ "$(call 'git push origin topic')" = deny ]
    in_terminal "$warder allow --home $HOME"
    wait_for 'a deny rule forbids it'
    in_terminal "$warder deny --home $HOME"
    wait_for 'it is denied already'
}

@test "a rule ends" {
    [ "$(call 'git push origin main')" = ask ]
    id=$(id_of 'git push')
    in_terminal "$warder allow $id --as program --yes --for 3s --home $HOME"
    wait_for 'status 0'
    grep -F '"until"' "$policy"
    sleep 3.2
    [ "$(call 'git push origin main')" = ask ]
    in_terminal "$warder allow $id --as program --yes --for 2h --home $HOME"
    wait_for 'status 0'
    [ "$(call 'git push origin main')" = allow ]
    in_terminal "$warder allow $id --for tomorrow --home $HOME"
    wait_for '--for needs a time'
}

@test "what was written is listed, and taken back by a person" {
    [[ $("$warder" grants --home "$HOME") == 'no rules'* ]]
    [ "$(call 'git push origin main')" = ask ]
    id=$(id_of 'git push')
    mkdir -p "${policy%/*}"
    printf '# mine\nallow:\n  - Bash(make x)  # kept\n' >"$policy"
    cp "$policy" before.yaml
    in_terminal "$warder allow $id --as program --yes --for 2h --home $HOME"
    wait_for 'status 0'
    run "$warder" grants --home "$HOME"
    [[ $output == allowed-????????'  allow  Bash(git push:*)'*until*"($policy:4:"* ]]
    grant=${output%% *}
    run "$warder" grants revoke "$grant" --home "$HOME" </dev/null
    [[ $status -ne 0 && $output == *'needs a terminal'* ]]
    in_terminal "GEMINI_CLI=1 $warder grants revoke $grant --home $HOME"
    wait_for 'this runs inside gemini'
    in_terminal "$warder grants revoke allowed-00000000 --home $HOME"
    wait_for 'has the id "allowed-00000000"'
    [ "$(call 'git push origin main')" = allow ]
    in_terminal "$warder grants revoke ${grant#allowed-} --home $HOME"
    wait_for 'status 0'
    cmp "$policy" before.yaml
    [ "$(call 'git push origin main')" = ask ]
}

@test "for the rest of its session, and in no other" {
    [ "$(call 'git push origin main')" = ask ]
    [ "$(call 'git push origin main' other)" = ask ]
    id=$("$warder" log --home "$HOME" --session s --json | jq -r '.decisions[0].id')
    in_terminal "$warder allow $id --session --home $HOME"
    wait_for 'Allow exactly this call'
    answer n
    wait_for 'status 1'
    [ "$(call 'git push origin main')" = ask ]
    in_terminal "$warder allow $id --session --yes --home $HOME"
    wait_for 'status 0'
    [ ! -e "$policy" ]
    [ "$(call 'git push origin main')" = allow ]
    [ "$(call 'git push origin topic')" = ask ]
    [ "$(call 'git push origin main' other)" = ask ]
    rm -r "$HOME"/.local/state/warder/sessions
    in_terminal "$warder allow $id --session --yes --home $HOME"
    wait_for 'its session is over'
    [ "$(call 'git push origin main')" = ask ]
    in_terminal "$warder allow $id --session --for 2h --home $HOME"
    wait_for 'without --as and --for'
}

@test "what was approved for a session is listed, and taken back" {
    [ "$(call 'git push origin main')" = ask ]
    [ "$(call 'make release')" = ask ]
    id=$("$warder" log --home "$HOME" --text 'git push' --json | jq -r '.decisions[0].id')
    other=$("$warder" log --home "$HOME" --text 'make release' --json | jq -r '.decisions[0].id')
    in_terminal "$warder allow $id --home $HOME"
    wait_for '3  session  exactly this call'
    answer 3
    wait_for 'status 0'
    in_terminal "$warder allow $other --session --yes --home $HOME"
    wait_for 'status 0'
    [ "$(call 'git push origin main')" = allow ]
    [ "$(call 'make release')" = allow ]
    run "$warder" grants --home "$HOME"
    [[ $output == *"session-${id:2:8}  allow  Bash git push origin main  (until session s of claude ends; by warder allow, "* ]]
    [ "$("$warder" grants --home "$HOME" --json | jq -r '.[0] | .how, .client, .session, .command' | xargs)" = \
        'allow claude s git push origin main' ]
    cd /
    [[ $("$warder" grants --home "$HOME") == 'no rules'* ]]
    cd "$HOME/project"
    run "$warder" grants revoke "session-${id:2:8}" --home "$HOME" </dev/null
    [[ $status -ne 0 && $output == *'needs a terminal'* ]]
    in_terminal "$warder grants revoke session-00000000 --home $HOME"
    wait_for 'has the id "session-00000000"'
    [ "$(call 'git push origin main')" = allow ]
    in_terminal "$warder grants revoke session-${id:2:8} --home $HOME"
    wait_for 'is asked about again'
    wait_for 'status 0'
    [ "$(call 'git push origin main')" = ask ]
    [ "$(call 'make release')" = allow ]
    [[ $("$warder" grants --home "$HOME") != *"session-${id:2:8}"* ]]
}

@test "a record without its secret is no example" {
    [ "$(call 'curl -H "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345" https://example.com')" = ask ]
    in_terminal "$warder allow --home $HOME"
    wait_for 'its secrets are not in the record'
    [ ! -e "$policy" ]
}

@test "why says what was decided, and what would be now" {
    [ "$(call 'git push origin main')" = ask ]
    id=$(id_of 'git push')
    run "$warder" why "${id:2:8}" --home "$HOME"
    [ "$status" -eq 0 ]
    [[ $output == *'agent     claude'*'call      git push origin main'*'decided   ask'*'verdict   ask'* ]]
    [[ $output == *"always allow it: warder allow ${id:2:8}"* ]]
    mkdir -p "${policy%/*}"
    echo 'deny: ["Bash(git push:*)"]' >"$policy"
    run "$warder" why "$id" --home "$HOME"
    [[ $output == *'decided   ask'*'verdict   deny'*"at        $policy:1:"* ]]
    [ "$("$warder" why "$id" --home "$HOME" --json | jq -r .now.behavior)" = deny ]
    run "$warder" why nothing --home "$HOME"
    [ "$status" -ne 0 ]
}
