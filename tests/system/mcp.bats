#!/usr/bin/env bats
# warder mcp and warder mcp proxy, with a small server and handwritten messages.

setup() {
    warder=$WARDER_BUILD/warder
    server=$WARDER_SOURCE/tests/system/mcp/server
    export HOME=$BATS_TEST_TMPDIR/home XDG_STATE_HOME=$BATS_TEST_TMPDIR/state
    mkdir -p "$HOME" "$BATS_TEST_TMPDIR/project"
    cd "$BATS_TEST_TMPDIR/project" || return 1
    seen=$BATS_TEST_TMPDIR/seen
    : >"$seen"
    unset XDG_CONFIG_HOME
}

# proxy LINES [OPTION...]: what the client gets.
proxy() {
    local messages=$1
    shift
    printf '%s\n' "$messages" | setsid "$warder" mcp proxy --home "$HOME" --name files "$@" -- "$server" "$seen"
}

call() {
    printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":{"path":"x"}}}' "$1" "$2"
}

@test "proxy: an allowed call reaches the server, its answer comes back" {
    run proxy "$(call 1 look)" --allow mcp__files__look
    [ "$status" -eq 0 ]
    [ "$(jq -r '.result.content[0].text' <<<"$output")" = ran ]
    [ "$(jq -r '.params.name' "$seen")" = look ]
}

@test "proxy: a denied call does not reach the server, and the client is told why" {
    run proxy "$(call 5 wipe)" --deny mcp__files__wipe
    [ "$(jq -r '.id' <<<"$output")" = 5 ]
    [ "$(jq -r '.result.isError' <<<"$output")" = true ]
    [[ "$(jq -r '.result.content[0].text' <<<"$output")" == *mcp__files__wipe* ]]
    [ ! -s "$seen" ]
}

@test "proxy: an ask is denied if no one can answer" {
    run proxy "$(call 1 wipe)"
    [ "$(jq -r '.result.isError' <<<"$output")" = true ]
    [ ! -s "$seen" ]
}

@test "proxy: other methods pass, and so do the server's answers" {
    run proxy '{"jsonrpc":"2.0","id":"a","method":"resources/list"}'
    [ "$(jq -r '.result.seen' <<<"$output")" = true ]
    [ "$(jq -r '.method' "$seen")" = resources/list ]
}

@test "proxy: only one JSON object per line is passed on" {
    for line in 'nonsense' '[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]' '{"method":"x","method":"tools/call"}' \
        '{"jsonrpc":"2.0","id":1,"method":7}' '{"jsonrpc":"2.0","id":{},"method":"x"}'; do
        run proxy "$line"
        [ "$(jq -r '.error.code < -32000' <<<"$output")" = true ]
        [ ! -s "$seen" ]
    done
}

@test "proxy: a call without a name, or with malformed arguments, is not passed on" {
    for params in '{}' '{"name":7}' '{"name":"look","arguments":[1]}' '"look"'; do
        run proxy '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'"$params"'}' --allow mcp__files
        [ "$(jq -r '.error.code' <<<"$output")" = -32602 ]
        [ ! -s "$seen" ]
    done
}

@test "proxy: a notification is judged too" {
    run proxy '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"wipe"}}' --deny mcp__files__wipe
    [ -z "$output" ]
    [ ! -s "$seen" ]
}

@test "proxy: a carriage return cannot hide a second message" {
    run proxy "$(printf '{"jsonrpc":"2.0","id":1,"method":"ping","x":\r{"method":"tools/call","params":{"name":"wipe"}}\r}')" --deny mcp__files__wipe
    run grep -c "$(printf '\r')" "$seen"
    [ "$output" = 0 ]
    [ "$(wc -l <"$seen")" -eq 1 ]
}

@test "proxy: keys in another case, and objects that are no message, are refused" {
    for line in '{"jsonrpc":"2.0","id":1,"Method":"tools/call","params":{"name":"wipe"}}' \
        '{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","method":"ping"}' '{"jsonrpc":"2.0","id":1,"method":"ping","Params":{}}' \
        '{"jsonrpc":"2.0","id":1}' '{"jsonrpc":"2.0","id":1,"method":"","params":{}}' \
        '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}' '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}' \
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","Name":"wipe"}}' \
        '{"jsonrpc":"2.0","id":1,"method":"TOOLS/CALL","params":{"name":"wipe"}}' \
        '{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":{"name":"wipe"}}' \
        '{"jsonrpc":"2.0","id":1,"method":"files/wipe","params":{}}'; do
        run proxy "$line" --allow mcp__files
        [ "$(jq -r '.error.code < -32000' <<<"$output")" = true ]
        [ ! -s "$seen" ]
    done
    run proxy '{"jsonrpc":"2.0","id":1,"result":{}}'
    [ "$(jq -c .result "$seen")" = '{}' ]
}

@test "proxy: a resource that is a file is read like a file" {
    for uri in file:///etc/shadow FILE:///etc/shadow file:/etc/shadow file://localhost/etc/shadow file:///etc/%73hadow /etc/shadow \
        file:///etc/../etc/shadow; do
        run proxy '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"'"$uri"'"}}' --deny 'Read(//etc/**)'
        [[ $(jq -r .error.message <<<"$output") == *'Read(//etc/**)'* ]]
        [ ! -s "$seen" ]
    done
    for uri in file://host/etc/x 'file:///a?b' file:///a%2500 file:///a%252fb file:///a%zz 'file:///a b' '' file:a; do
        run proxy '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"'"$uri"'"}}'
        [ "$(jq -r .error.code <<<"$output")" = -32602 ]
        [ ! -s "$seen" ]
    done
    run proxy '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"https://example.com/x"}}' --deny WebFetch
    [ "$(jq -r .error.code <<<"$output")" = -32600 ]
    [ ! -s "$seen" ]
    run proxy '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file://'"$PWD"'/a.txt"}}'
    [ "$(jq -r .method "$seen")" = resources/read ]
    rm -f "$seen"
    run proxy '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"notes://1"}}' --deny Read
    [ "$(jq -r .method "$seen")" = resources/read ]
}

@test "proxy: an escaped method is the method" {
    run proxy '{"jsonrpc":"2.0","id":1,"method":"tools\/c\u0061ll","params":{"name":"wipe"}}' --deny mcp__files__wipe
    [ "$(jq -r '.result.isError' <<<"$output")" = true ]
    [ ! -s "$seen" ]
}

@test "proxy: annotations count if the policy trusts the server" {
    printf 'readOnlyServers: [files]\n' >"$HOME/w.yaml"
    mkfifo in
    "$warder" mcp proxy --home "$HOME" --name files --policy "$HOME/w.yaml" -- "$server" "$seen" <in >out &
    exec 7>in
    echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' >&7
    until [ -s out ]; do read -rt 0.05 <>/dev/null || :; done
    call 2 look >&7
    echo >&7
    exec 7>&-
    wait
    grep -q '"name":"look"' "$seen"
}

@test "proxy: ends with the server's exit code" {
    run proxy '{"jsonrpc":"2.0","method":"notifications/cancelled"}'
    [ "$status" -eq 7 ]
}

@test "proxy: a server that cannot start, and a name that no rule can contain, are errors" {
    run "$warder" mcp proxy --home "$HOME" -- ./not-there
    [ "$status" -eq 69 ]
    run "$warder" mcp proxy --home "$HOME" --name 'a__b' -- true
    [ "$status" -eq 64 ]
    run "$warder" mcp proxy
    [ "$status" -eq 64 ]
}

# mcp LINES [OPTION...]: what the client gets.
mcp() {
    local messages=$1
    shift
    printf '%s\n' "$messages" | setsid "$warder" mcp --home "$HOME" "$@"
}

approve() {
    printf '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"approve","arguments":%s}}' "$1"
}

@test "mcp: says what it is, and lists its tool" {
    run mcp '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}'
    [ "$(jq -r '.result.protocolVersion' <<<"$output")" = 2025-03-26 ]
    run mcp '{"jsonrpc":"2.0","id":0,"method":"tools/list"}'
    [ "$(jq -r '.result.tools[0].name' <<<"$output")" = approve ]
}

@test "mcp: an allow returns the input, a deny says why" {
    run mcp "$(approve '{"tool_name":"Bash","input":{"command":"git status"},"tool_use_id":"t1"}')"
    [ "$(jq -r '.result.content[0].text | fromjson | .behavior' <<<"$output")" = allow ]
    [ "$(jq -r '.result.content[0].text | fromjson | .updatedInput.command' <<<"$output")" = "git status" ]
    run mcp "$(approve '{"tool_name":"Bash","input":{"command":"rm -rf /"}}')"
    [ "$(jq -r '.result.content[0].text | fromjson | .behavior' <<<"$output")" = deny ]
    [ -n "$(jq -r '.result.content[0].text | fromjson | .message' <<<"$output")" ]
}

@test "mcp: without a tool or an input nothing is allowed" {
    for arguments in '{}' '{"tool_name":"Bash"}' '{"input":{}}' '{"tool_name":"Bash","input":"x"}' 'null'; do
        run mcp "$(approve "$arguments")"
        [ "$(jq -r '.error.code' <<<"$output")" = -32602 ]
    done
}

@test "mcp: unknown methods and nonsense are errors, notifications are not answered" {
    run mcp '{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage"}'
    [ "$(jq -r '.error.code' <<<"$output")" = -32601 ]
    run mcp 'x'
    [ "$(jq -r '.error.code' <<<"$output")" = -32700 ]
    run mcp '{"jsonrpc":"2.0","method":"notifications/initialized"}'
    [ -z "$output" ]
}
