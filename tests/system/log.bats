#!/usr/bin/env bats
# `warder log`: the records of hooks, without secrets, in a chain that reveals every change.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
    data=$HOME/.local/state/warder
    segment=$data/journal/00000000000000000001.jsonl
}

# hook COMMAND [SESSION]: the command goes through the hook of an agent.
hook() {
    json_text "$1"
    pre_tool_use "${2-s1}" default Bash "{\"command\":$json}"
    "$warder" hook --home "$HOME" --client claude <<<"$event"
}

log() {
    "$warder" log "$@"
}

@test "an answer of a hook is in the log before it leaves" {
    hook 'ls -la'
    hook 'rm -rf /'
    [ "$(log --json | jq -r '.decisions[].decision' | xargs)" = 'auto-deny auto-accept' ]
    [ "$(log --json | jq -r '.decisions[1] | [.tool, .command, .command_redacted, .session_id, .client] | join(" ")')" = \
        'Bash ls -la ls -la s1 claude' ]
    log | head -1 | grep -Eq '^[0-9-]+ [0-9:]+  [0-9a-f]{8}  denied +claude +Bash rm -rf /  \(.+\)$'
    log --json | jq -e '.next == null and (.decisions[0] | has("id") and has("timestamp") and has("response_time_ms"))'
}

@test "check and explain record nothing" {
    "$warder" check Bash ls
    "$warder" explain Bash ls
    [ ! -e "$data" ]
    [ "$(log)" = 'no decisions' ]
    [ "$(log --json | jq -c .)" = '{"decisions":[],"next":null}' ]
    [ ! -e "$data" ]
}

@test "filters, cursors and times" {
    hook 'ls one' s1
    hook 'ls two' s2
    hook 'rm -rf /' s1
    [ "$(log --decision auto-accept --json | jq '.decisions | length')" = 2 ]
    [ "$(log --session s2 --json | jq -r '.decisions[].command')" = 'ls two' ]
    [ "$(log --text ONE --json | jq -r '.decisions[].command')" = 'ls one' ]
    [ "$(log --project "$PWD" --json | jq '.decisions | length')" = 3 ]
    [ "$(log --project /elsewhere --json | jq '.decisions | length')" = 0 ]
    [ "$(log --tool Bash --since 24h --json | jq '.decisions | length')" = 3 ]
    [ "$(log --until 2001-01-01 --json | jq '.decisions | length')" = 0 ]
    [ "$(log --limit 2 --json | jq -r '.decisions[].command' | xargs)" = 'rm -rf / ls two' ]
    next=$(log --limit 2 --json | jq -r .next)
    [ "$(log --limit 2 --cursor "$next" --json | jq -r '.decisions[].command, .next' | xargs)" = 'ls one null' ]
    log export | jq -r .command | xargs | grep -qx 'ls one ls two rm -rf /'
    id=$(log --json | jq -r '.decisions[0].id')
    log show "$id" | grep -q '^decision  *auto-deny$'
    for part in "${id:2:8}" "${id:0:8}"; do
        [ "$(log show "$part" --json | jq -r .id)" = "$id" ]
    done
    run log show "${id:2:3}" # too short to be meant
    [ "$status" = 64 ]
    run log show d_zzzzzz
    [ "$status" = 64 ]
    [ "$(log show "$id" --json | jq -r .command)" = 'rm -rf /' ]
}

@test "allow, deny and ask are groups; times are those of the person" {
    hook 'ls one'
    hook 'rm -rf /'
    hook 'curl x.example' >/dev/null
    for group in allow deny ask auto-allow auto-deny auto-accept; do
        [ "$(log --decision $group --json | jq '.decisions | length')" = 1 ]
    done
    [ "$(log --decision human-allow)" = 'no decisions' ]
    run log --decision dney
    [ "$status" = 64 ]
    [[ $output == *'allow, deny, ask'* ]]
    for since in today yesterday '2 hours ago' '1 day' 24h; do
        [ "$(log --since "$since" --json | jq '.decisions | length')" = 3 ]
        [ "$(log --until "$since" --json | jq '.decisions | length')" = 0 ]
    done
    run log --since 'some day'
    [ "$status" = 64 ]
    [[ $output == *'cannot read the time "some day"'* ]]
    at=$(log --json | jq -r '.decisions[0].timestamp')
    for zone in UTC Asia/Tokyo America/New_York; do
        [ "$(TZ=$zone log | head -1 | cut -c1-19)" = "$(TZ=$zone date -d "$at" '+%Y-%m-%d %H:%M:%S')" ]
    done
}

@test "another data directory" {
    hook 'ls' >/dev/null
    mv "$data" "$BATS_TEST_TMPDIR/other"
    for subcommand in '' list verify head rebuild repair export; do
        # shellcheck disable=SC2086
        log $subcommand --data "$BATS_TEST_TMPDIR/other"
    done
    [ "$(log --data "$BATS_TEST_TMPDIR/other" --json | jq '.decisions | length')" = 1 ]
    [ "$(log show 2 --data "$BATS_TEST_TMPDIR/other" --json | jq -r .command)" = ls ]
}

@test "no secret is on the disk or in the output" {
    s=kX3q
    secret=${s}9vLm2pQz
    count=0
    for command in "curl -u bob:$secret https://x.example" "mysql -p$secret -e x" "PGPASSWORD=$secret psql" \
        "curl -H 'Authorization: Bearer $secret' https://x.example" "bash -c 'tool --token $secret'" \
        "echo $secret | docker login --password-stdin" "psql postgres://u:$secret@h/x" "tool --pass'word' \"$secret\"" \
        "unknown-program --api-key=$secret" "if true; then mysql -p$secret 'x"; do
        hook "$command" >/dev/null
        count=$((count + 1))
    done
    log >"$BATS_TEST_TMPDIR/listed"
    log --json >>"$BATS_TEST_TMPDIR/listed"
    log export >>"$BATS_TEST_TMPDIR/listed"
    log show 2 >>"$BATS_TEST_TMPDIR/listed"
    [ "$(log --json | jq '.decisions | length')" = "$count" ]
    run grep -rla -e "$secret" "$data" "$BATS_TEST_TMPDIR/listed"
    echo "$output"
    [ "$status" = 1 ]
    grep -q 'REDACTED' "$BATS_TEST_TMPDIR/listed"
    # Equal commands are still found.
    hook "mysql -p$secret -e x" >/dev/null
    [ "$(log --json | jq -r '.decisions[] | select(.command | startswith("mysql -p")) | .command_hash' | sort -u | wc -l)" = 1 ]
}

@test "control characters are shown, never sent" {
    hook $'ls \e[31mred\a' >/dev/null
    log | grep -q '\\x1b\[31mred'
    run bash -c "'$warder' log; '$warder' log show 2"
    [[ $output != *$'\e'* ]]
}

@test "verify finds a change and names the record" {
    hook 'ls a' >/dev/null
    hook 'ls b' >/dev/null
    hook 'ls c' >/dev/null
    run log verify
    [ "$status" = 0 ]
    [ "$output" = '4 records (1 to 4): chain intact (no anchor to compare with)' ]
    log head --anchor "$BATS_TEST_TMPDIR/anchors"
    [ "$(log verify --anchor "$BATS_TEST_TMPDIR/anchors")" = '4 records (1 to 4): chain intact, as anchored up to record 4' ]

    cp "$segment" "$BATS_TEST_TMPDIR/whole"
    sed -i 's/"ls b"/"ls x"/' "$segment"
    run log verify
    [ "$status" = 1 ]
    [[ $output == *'record 3 (journal/00000000000000000001.jsonl:3)'*'CHAIN BROKEN'* ]]
    sed 3d "$BATS_TEST_TMPDIR/whole" >"$segment"
    run log verify --json
    [ "$status" = 1 ]
    jq -e '.consistent == false and .problems[0].record == 4' <<<"$output"

    # Only an anchor reveals records missing at the end.
    sed 4d "$BATS_TEST_TMPDIR/whole" >"$segment"
    run log verify
    [ "$status" = 0 ]
    [[ $output == *'no anchor to compare with)' ]]
    run log verify --anchor "$BATS_TEST_TMPDIR/anchors"
    [ "$status" = 1 ]
    [[ $output == *'record 4: it is missing at the end'* ]]
}

@test "a changed last record blocks until a person repairs it" {
    hook 'ls a' >/dev/null
    sed -i 's/"ls a"/"ls x"/' "$segment"
    run hook 'ls b'
    [ "$status" = 2 ]
    [[ $output == *'warder log repair'* ]]
    log repair | grep -q 'set aside'
    hook 'ls b' >/dev/null
    log verify | grep -q 'torn write was set aside'
    [ "$(log --json | jq -r '.decisions[].command')" = 'ls b' ]
}

@test "if nothing can be recorded everything is blocked, until that is fixed" {
    mkdir -p "$data"
    ln -s /tmp "$data/journal"
    run hook 'ls'
    [ "$status" = 2 ]
    [[ $output == *'blocked'* ]]
    rm "$data/journal"
    hook 'ls'
    chmod o+w "$data"
    run hook 'ls'
    [ "$status" = 2 ]
    chmod o-w "$data"
    hook 'ls'
    : >"$BATS_TEST_TMPDIR/file"
    run bash -c "echo '{}' | '$warder' hook --home '$HOME' --client claude --data '$BATS_TEST_TMPDIR/file/x'"
    [ "$status" = 2 ]
}

@test "a full disk blocks, until there is room" {
    hook 'ls' >/dev/null
    run bash -c "ulimit -f 0; $(declare -f hook); warder='$warder'; trap '' XFSZ; hook ls"
    [ "$status" = 2 ]
    hook 'ls' >/dev/null
    log verify
    [ "$(log --json | jq '.decisions | length')" = 2 ]
}

@test "the index can be deleted and is rebuilt" {
    hook 'ls a' >/dev/null
    hook 'ls b' >/dev/null
    [ "$(log --json | jq '.decisions | length')" = 2 ]
    rm "$data/log.sqlite"*
    [ "$(log --json | jq '.decisions | length')" = 2 ]
    head -c 8192 /dev/urandom >"$data/log.sqlite"
    run log
    [ "$status" = 0 ]
    [[ $output == *'the index was damaged'*'ls b'* ]]
    log rebuild | grep -q '^3 records'
}

@test "follow prints decisions as they come" {
    hook 'ls a' >/dev/null
    mkfifo "$BATS_TEST_TMPDIR/pipe"
    "$warder" log --follow --json >"$BATS_TEST_TMPDIR/pipe" 3>&- &
    follower=$!
    exec 5<"$BATS_TEST_TMPDIR/pipe"
    read -r first <&5
    [ "$(jq -r .command <<<"$first")" = 'ls a' ]
    hook 'ls b' >/dev/null
    read -r second <&5
    [ "$(jq -r .command <<<"$second")" = 'ls b' ]
    kill "$follower"
    exec 5<&-
    wait "$follower" || true
}

@test "queries for records that do not exist" {
    run log show d_0
    [ "$status" = 64 ]
    run log show
    [ "$status" = 64 ]
    run log --since someday
    [ "$status" = 64 ]
    run log --decision maybe
    [ "$status" = 64 ]
    run log --limit 0
    [ "$status" = 64 ]
    run log --cursor x
    [ "$status" = 64 ]
    run log --limit 10001
    [ "$status" = 64 ]
    run log head
    [ "$status" = 64 ]
    run log verify --anchor "$BATS_TEST_TMPDIR/none"
    [ "$status" = 66 ]
}

@test "tokens are created, listed and revoked, and none is stored" {
    "$warder" token create --role operator --name me >"$BATS_TEST_TMPDIR/token"
    grep -qE '^wdr_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$' "$BATS_TEST_TMPDIR/token"
    secret=$(cut -c22- "$BATS_TEST_TMPDIR/token")
    id=$(cut -c5-20 "$BATS_TEST_TMPDIR/token")
    run grep -rla -e "$secret" "$data"
    [ "$status" = 1 ]
    [ "$("$warder" token list --json | jq -r '.[] | [.id, .role, .name, .revoked_at] | join(" ")')" = "$id operator me " ]
    "$warder" token revoke "$id"
    "$warder" token list | grep -q 'revoked$'
    run "$warder" token revoke "$id"
    [ "$status" = 64 ]
    run "$warder" token create --role king
    [ "$status" = 64 ]
    run "$warder" token create
    [ "$status" = 64 ]
    log verify
    grep -c '"kind":"token"' "$segment" | grep -qx 2
}

@test "stats are the log in figures" {
    [ "$("$warder" stats)" = 'no decisions' ]
    hook 'ls one'
    hook 'ls two'
    hook 'rm -rf /'
    hook 'git push' >/dev/null
    hook 'curl x.example' >/dev/null
    hook 'curl y.example' >/dev/null
    figures=$("$warder" stats --json)
    jq -e '.all | [.calls, .allowed, .asked, .denied, .without_question_percent] == [6, 2, 3, 1, 50]' <<<"$figures"
    jq -e '[.asked[] | [.what, .calls]] == [["curl", 2], ["git push", 1]]' <<<"$figures"
    jq -e '[.agents[] | [.agent, .calls]] == [["claude", 6]]' <<<"$figures"
    jq -e '[.sessions[] | .calls] | add == 6' <<<"$figures"
    jq -e --arg day "$(date +%F)" --arg before "$(date -d '1 minute ago' +%F)" '.days[-1].day | . == $day or . == $before' <<<"$figures"
    [ "$("$warder" stats --json | jq -c .all)" = "$(log export | jq -sc '{calls: length,
        allowed: map(select(.decision == "auto-accept")) | length, asked: map(select(.decision == "ask")) | length,
        denied: map(select(.decision == "auto-deny")) | length, without_question_percent: 50}')" ]
    "$warder" stats --svg plot.svg | grep -q '^6 calls: 2 allowed, 1 denied, 3 asked; 50 % without a question$'
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("plot.svg")'
    [ "$("$warder" stats --since 2001-01-01 --until 2001-01-02)" = 'no decisions' ]
    run "$warder" stats --svg /nonexistent/x
    [ "$status" = 74 ]
}

@test "what an agent asks twice about one call is one call" {
    event='{"session_id":"s","transcript_path":"t","cwd":"/tmp","timestamp":"x","permission_mode":"default",
        "tool_name":"run_shell_command","tool_input":{"command":"ls one","description":"d","is_background":false}}'
    jq -c '.hook_event_name = "PermissionRequest"' <<<"$event" | "$warder" hook --client qwen --home "$HOME"
    jq -c '.hook_event_name = "PreToolUse" | .tool_use_id = "u"' <<<"$event" | "$warder" hook --client qwen --home "$HOME"
    [ "$(grep -c '"kind":"decision"' "$segment")" = 2 ]
    [ "$("$warder" stats --json | jq -c '.all | [.calls, .allowed]')" = '[1,1]' ]
    [ "$(log export | wc -l)" = 1 ]
    [ "$(log list --json | jq '.decisions | length')" = 1 ]
    # an index of an older version is made again
    log rebuild
    sqlite3 "$data/log.sqlite" 'DROP TABLE answered; UPDATE records SET kind = "decision"; PRAGMA user_version = 1' ||
        skip 'sqlite3 is not installed'
    [ "$(log export | wc -l)" = 1 ]
}
