#!/usr/bin/env bats
# `warder run --sandbox` and `warder sandbox`: contained, or not at all.

# shellcheck disable=SC2154,SC2016 # common.bash sets them; the command expands its own variables
load common

setup() {
    warder=$WARDER_BUILD/warder
    place=$(mktemp -d /var/tmp/warder-sandbox-XXXXXX) # not below /tmp, which can be written in every cell
    export HOME=$place/home
    export ASAN_OPTIONS=exitcode=99:detect_leaks=0 UBSAN_OPTIONS=exitcode=99
    mkdir -p "$HOME/project/.git/hooks" "$HOME/.ssh" "$HOME/.strange"
    echo key >"$HOME/.ssh/id"
    echo token >"$HOME/.strange/state"
    cd "$HOME/project" || return
    [ -x "$WARDER_BUILD/warder-cell" ] || skip "there is no warder-cell here"
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
}

teardown() {
    rm -rf "$place"
}

contained() {
    local wanted=$1
    shift
    expect "$wanted" "$warder" run --home "$HOME" --headless --auto-allow --sandbox "$@" </dev/null
}

@test "it works here, and says so" {
    expect 0 "$warder" sandbox check --home "$HOME"
    [[ $output == "sandbox: works"* ]]
    expect 0 "$warder" sandbox check --home "$HOME" --json
    [ "$(jq -r .tier <<<"$output")" = namespaces ]
}

@test "without user namespaces it is the other one, and why is said" {
    unshare -Ur true 2>/dev/null || skip "no user namespaces to take away"
    expect 0 unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"' sh "$warder" sandbox check --home "$HOME"
    [[ $output == *"works (landlock"*"not here namespaces: the kernel gives no namespaces"* ]]
    [ "$(jq -r .tier "$HOME/.cache/warder/cell")" = landlock ]
}

@test "a plan for the tier that is asked for" {
    expect 0 "$warder" sandbox plan --home "$HOME" --tier landlock -- /bin/true
    [ "$(jq -r .tier <<<"$output")" = landlock ]
    expect 65 "$warder" sandbox plan --home "$HOME" --tier none -- /bin/true
}

@test "what the check found is kept for hooks" {
    expect 0 "$warder" sandbox check --home "$HOME"
    [ "$(stat -c %a "$HOME/.cache/warder/cell")" = 600 ]
    [ "$(jq -r .tier "$HOME/.cache/warder/cell")" = namespaces ]
    [ "$(jq -r .boot "$HOME/.cache/warder/cell")" = "$(cat /proc/sys/kernel/random/boot_id)" ]
    [ "$(jq -r .build "$HOME/.cache/warder/cell")" = "$("$WARDER_BUILD/warder-cell" --check | jq -r .build)" ]
    [ "$(jq -r 'keys | join(" ")' "$HOME/.cache/warder/cell")" = "boot build tier" ]
}

@test "the project can be written, and nothing else" {
    contained 0 -c 'echo x > made'
    [ "$(cat made)" = x ]
    contained 1 -c "echo x > $HOME/other"
    [ ! -e "$HOME/other" ]
    [[ $stderr == *"write to $HOME/other"* ]]
}

@test "secrets by place, and places of programs that nobody knows, cannot be opened" {
    contained 1 -c 'cat ../.ssh/id'
    contained 1 -c 'cat ../.strange/state'
    [[ $output != *token* ]]
}

@test "a variable with a token is gone, others stay" {
    GITHUB_TOKEN=secret PLAIN=seen contained 0 -c 'echo "${GITHUB_TOKEN-none} $PLAIN $WARDER_SANDBOX"'
    [ "$output" = "none seen namespaces" ]
}

@test "a denied command does not run in a sandbox either" {
    contained 126 --deny 'Bash(touch:*)' -- touch made
    [ ! -e made ]
}

@test "a home is no project: nothing runs" {
    cd "$HOME"
    contained 125 -- touch made
    [ ! -e "$HOME/made" ]
    [[ $stderr == *"nothing was run"* ]]
}

@test "a plan that cannot be read, or built, runs nothing" {
    expect 125 "$WARDER_BUILD/warder-cell"
    expect 125 "$WARDER_BUILD/warder-cell" --plan 0 <<<'{}'
    plan=$("$warder" sandbox plan --home "$HOME" -- /usr/bin/touch made)
    for broken in '{}' '.version = 2' '.words = []' '.write = ["relative"]' '.directory = "/nonexistent"' \
        '.write = ["/nonexistent"]' '.protect = .write' '.program = "/nonexistent"' '.words = ["a\u0000b"]' '.write = ["/"]' '.hide = ["/"]' \
        '.refuse = [""]' '.refuse = ["a//b"]' '.refuse = ["../a"]' '.set = ["A"]' '.set = ["=b"]' '.background = 1' \
        '.tier = "none"' '.tier = 1' '.unknown = 1' '.sockets = ["relative"]' '.sockets = "/a"'; do
        jq -c "${broken/#\{\}/empty}" <<<"$plan" >"$place/plan"
        expect 125 "$WARDER_BUILD/warder-cell" --plan 7 7<"$place/plan"
        [ ! -e made ] || { echo "ran: $broken"; return 1; }
    done
    expect 0 "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan"
    [ -e made ]
}

@test "a standard stream that is a directory would lead out: nothing runs" {
    plan=$("$warder" sandbox plan --home "$HOME" -- /usr/bin/touch made)
    expect 125 "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan" <"$HOME"
    [ ! -e made ]
}

@test "what is left running stays contained, and the command's end does not wait for it" {
    contained 0 -c '(sleep 0.5; echo x > later; echo x > ../outside) > /dev/null 2>&1 & echo done'
    [ "$output" = "done" ]
    for _ in $(seq 100); do
        [ ! -e later ] || break
        sleep 0.1
    done
    [ -e later ]
    [ ! -e "$HOME/outside" ]
}

# A server outside on each of the sockets, which says its name.
serve() {
    python3 -c '
import os, socket, sys, threading
def serve(s, path):
    while True:
        c = s.accept()[0]
        c.sendall(path.encode())
        c.close()
for path in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen()
    threading.Thread(target=serve, args=(s, path)).start()
open("serving", "w").close()' "$@" 3>&- &
    server=$!
    for _ in $(seq 100); do
        [ ! -e serving ] || break
        sleep 0.1
    done
}

# What is said at a socket, by a program in a cell with the user's policy.
hear_in() {
    local tier=$1 plan
    shift
    plan=$("$warder" sandbox plan --home "$HOME" --tier "$tier" -- /usr/bin/python3 -c '
import socket, sys
for path in sys.argv[1:]:
    s = socket.socket(socket.AF_UNIX)
    try:
        s.connect(path)
        print(s.recv(100).decode())
    except OSError as e:
        print(e.strerror)' "$@")
    "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan" 2>/dev/null
}

@test "a socket that policy names is reached, and no other" {
    mkdir -p "$HOME/run" "$HOME/.config/warder" "$HOME/.gnupg"
    echo "sandbox: {sockets: [~/run/db, ~/.gnupg/agent, ~/run/link]}" >"$HOME/.config/warder/warder.yaml"
    ln -s other "$HOME/run/link"
    serve "$HOME/run/db" "$HOME/run/other" "$HOME/.gnupg/agent" "$HOME/.gnupg/more"
    ln -s "$HOME/run/db" to-db
    ln -s "$HOME/run/more" to-other
    for tier in namespaces landlock; do
        [ "$(hear_in $tier "$HOME/run/db")" = "$HOME/run/db" ]
        [ "$(hear_in $tier to-db)" = "$HOME/run/db" ]
        # what is hidden in the cell is reached by its own path
        [ "$(hear_in $tier "$HOME/.gnupg/agent")" = "$HOME/.gnupg/agent" ]
        [[ "$(hear_in $tier "$HOME/.gnupg/more" to-other)" != *"$HOME"* ]]
        # a link counts as what it leads to when the plan is made
        [ "$(hear_in $tier "$HOME/run/other")" = "$HOME/run/other" ]
    done
    echo "sandbox: {sockets: [~/run/db]}" >"$HOME/.config/warder/warder.yaml"
    [ "$(hear_in namespaces "$HOME/run/other")" = "Permission denied" ]
    [ "$(hear_in landlock "$HOME/run/other")" = "Permission denied" ]
    # a name that is exchanged for a link afterwards leads nowhere
    plan=$("$warder" sandbox plan --home "$HOME" -- /usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("'"$HOME/run/db"'")')
    mv "$HOME/run/db" "$HOME/run/was"
    ln -s other "$HOME/run/db"
    expect 1 "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan"
    kill $server
}

@test "a server of this machine that a program wants is told, and a port where nobody listens is not" {
    python3 -c '
import socket, time
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
n = socket.socket()
n.bind(("127.0.0.1", 0))
open("ports", "w").write("%d %d\n" % (s.getsockname()[1], n.getsockname()[1]))
time.sleep(60)' 3>&- &
    server=$!
    for _ in $(seq 100); do
        [ ! -s ports ] || break
        sleep 0.1
    done
    read -r open closed <ports
    plan=$("$warder" sandbox plan --home "$HOME" --tier namespaces -- /usr/bin/python3 -c "
import socket
for port in $open, $closed:
    try: socket.create_connection(('127.0.0.1', port), 5)
    except ConnectionRefusedError: pass
raise SystemExit(3)")
    expect 3 "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan"
    kill $server
    [[ $stderr == *"connect to 127.0.0.1:$open"* ]]
    [[ $stderr != *":$closed"* ]]
}

@test "a signal for the keeper reaches the command" {
    plan=$("$warder" sandbox plan --home "$HOME" -- /bin/bash -c 'trap "echo caught > caught; exit 9" TERM; echo > ready; while :; do sleep 0.1; done')
    "$WARDER_BUILD/warder-cell" --plan 7 7<<<"$plan" 3>&- &
    for _ in $(seq 100); do
        [ ! -e ready ] || break
        sleep 0.1
    done
    kill -TERM $!
    code=0
    wait $! || code=$?
    [ "$code" = 9 ]
    [ "$(cat caught)" = caught ]
}

@test "a shell in the sandbox: its words, its exit code, and no way out" {
    SHELL=/bin/bash expect 7 "$warder" sandbox shell --home "$HOME" <<<'echo "$WARDER_SANDBOX" > made; echo x > ../out; exit 7'
    [ "$(cat made)" = namespaces ]
    [ ! -e ../out ]
    SHELL=relative expect 0 "$warder" sandbox shell --home "$HOME" <<<'echo "$0"'
    [ "$output" = /bin/sh ]
    cd "$HOME"
    expect 125 "$warder" sandbox shell --home "$HOME" <<<'touch made'
    [ ! -e made ]
}
