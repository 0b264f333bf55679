#!/usr/bin/env bats
# A fault in the analysis of a call ends that decision, not the process (machine/guard.h). The programs here are the
# ordinary ones, linked with faults on demand (tests/faults/inject.c).

load common

setup() {
    faulty=$WARDER_BUILD/tests/faulty
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME/project"
    cd "$HOME/project" || return
    sanitized=$(sed -n 's/^WARDER_SANITIZE:STRING=//p' "$WARDER_BUILD/CMakeCache.txt")
    if [ -n "$sanitized" ] && [[ $BATS_TEST_DESCRIPTION != "under a sanitizer"* ]]; then
        skip "there is no guard under a sanitizer"
    fi
}

call() { printf '{"tool":"Bash","input":{"command":"%s"}}\n' "$1"; }

lines() { [ "$(printf '%s\n' "$output" | tr '\n' ' ')" = "$1 " ] || {
    echo "$output"
    false
}; }

@test "a stream of calls goes on after a fault in the middle" {
    {
        call 'echo one'
        call 'inject-segv'
        call 'echo two'
        call 'inject-stack'
        call 'echo three'
    } >calls
    expect 2 "$faulty/warder" check --jsonl --mode bypassPermissions <calls || true
    output=$(jq -r '.behavior + ":" + .layer' <<<"$output")
    lines "allow:bypass deny:fault allow:bypass deny:fault allow:bypass"
    complains "warder: internal fault (SIGSEGV) in the analysis of a call, which is denied"
    [ "$(grep -c 'internal fault' <<<"$stderr")" = 2 ]
}

@test "every kind of fault denies, in bypass mode too, and the next call is judged" {
    expect 0 "$faulty/host" all-kinds
    lines "deny fault deny fault deny fault deny fault deny fault allow bypass"
    [ "$(sed 's/^.*(\(.*\)).*$/\1/' <<<"$stderr" | tr '\n' ' ')" = "SIGSEGV SIGSEGV SIGFPE SIGILL SIGBUS " ]
}

@test "a decision that is used again forgets the fault" {
    expect 0 "$faulty/host" used-again
    lines "allow harmless plain deny fault marked allow harmless plain deny fault marked allow harmless plain"
}

@test "threads have their own faults" {
    expect 0 "$faulty/host" threads
    lines "right 800 wrong 0 faults 80"
}

@test "the host's handler gets what is the host's" {
    expect 0 "$faulty/host" host-before
    lines "host: caught deny fault host: caught allow harmless host: caught host: caught"
}

@test "a handler that the host installs later stays" {
    expect 0 "$faulty/host" host-later
    lines "host: caught"
}

@test "a fault outside of an analysis ends the process as before" {
    expect 139 "$faulty/host" host-none
    lines "deny fault"
}

@test "an engine without a guard ends the process, and so does a signal that was sent" {
    expect 139 "$faulty/host" off
    lines "allow harmless"
    expect 139 "$faulty/host" sent
    [ -z "$output$stderr" ]
}

@test "what the C library found damaged, or a fault in malloc, ends the process" {
    expect 134 "$faulty/host" abort
    expect 139 "$faulty/host" malloc
    [ -z "$output" ]
}

@test "faults are not survived without end" {
    expect 139 "$faulty/host" without-end
    [ "$(grep -c 'deny fault' <<<"$output")" = 1000 ]
}

event_of() {
    printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"bypassPermissions",' "$PWD"
    printf '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"u"}' "$1"
}

@test "a hook denies in its client's words, and records it" {
    event_of 'inject-segv' >event
    expect 0 "$faulty/warder" hook --home "$HOME" --client claude <event
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
    jq -r .hookSpecificOutput.permissionDecisionReason <<<"$output" | grep -q 'internal fault'
    expect 0 "$faulty/warder" log --json
    [ "$(jq -r '.decisions[0] | .behavior + " " + .layer + " " + .command' <<<"$output")" = "deny fault inject-segv" ]
}

@test "a call that also breaks its record is recorded without its command" {
    event_of 'inject-segv and-again' >event
    expect 0 "$faulty/warder" hook --home "$HOME" --client claude <event
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
    expect 0 "$faulty/warder" log --json
    [ "$(jq -r '.decisions[0] | .behavior + " " + .layer + " " + .command' <<<"$output")" = "deny fault " ]
    jq -r '.decisions[0].reason' <<<"$output" | grep -q 'internal fault'
    expect 0 "$faulty/warder" log verify
}

@test "an allowed call that breaks its record is denied" {
    event_of 'echo and-again' >event
    expect 0 "$faulty/warder" hook --home "$HOME" --client claude <event
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
    expect 0 "$faulty/warder" log --json
    [ "$(jq -r '.decisions[0] | .behavior + " " + .layer' <<<"$output")" = "deny fault" ]
}

@test "a hook that cannot be trusted any more blocks with exit 2" {
    event_of 'inject-abort' >event
    expect 2 "$faulty/warder" hook --home "$HOME" --client claude <event
    [ -z "$output" ]
    complains "the call is blocked"
    event_of 'inject-malloc' >event
    expect 2 "$faulty/warder" hook --home "$HOME" --client claude <event
    [ -z "$output" ]
}

@test "run does not run it" {
    expect 126 "$faulty/warder" run --home "$HOME" --headless --mode bypassPermissions -- sh -c 'touch ran; echo inject-segv'
    [ ! -e ran ]
    complains "internal fault"
}

@test "Python survives" {
    cat >host.py <<'END'
import warder
with warder.Engine(home="/", cwd="/", texts=[]) as engine:
    for command in ("echo fine", "inject-segv", "inject-stack", "echo fine"):
        print(engine.check_argument("Bash", command).behavior.name)
END
    PYTHONPATH=$WARDER_SOURCE/bindings/python LD_LIBRARY_PATH=$faulty PYTHONDONTWRITEBYTECODE=1 expect 0 /usr/bin/python3 host.py
    lines "ALLOW DENY DENY ALLOW"
}

@test "under a sanitizer the fault is reported and ends the process" {
    [ -n "$sanitized" ] || skip "there is none in this build"
    call inject-segv >calls
    status=0
    "$faulty/warder" check --jsonl <calls >out 2>err || status=$?
    [ "$status" -ge 64 ]
    grep -q 'Sanitizer' err
    ! grep -q 'internal fault' err
}
