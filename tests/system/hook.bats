#!/usr/bin/env bats
# The hook as a process: every failure ends in exit 2 with one line on standard error.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME/project"
    cd "$HOME/project" || return
    event=$(event_of 'echo hi')
}

event_of() {
    printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"default",' "$PWD"
    printf '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"u"}' "$1"
}

# answer EVENT ARGUMENTS...: runs the hook; output, stderr and status are set.
answer() {
    local event=$1
    shift
    status=0
    printf '%s' "$event" | "$warder" hook --home "$HOME" "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
}

# blocked WHY: exit 2, nothing on standard output, one line that names the reason.
blocked() {
    if [ "$status" != 2 ] || [ -n "$output" ] || [ "$(wc -l <"$BATS_TEST_TMPDIR/err")" != 1 ] || [[ $stderr != *"$1"* ]]; then
        echo "exit $status, out: $output, err: $stderr"
        return 1
    fi
}

# waits PID: until it has its signal handlers and sleeps in its read; without a fixed delay.
waits() {
    until grep -q '^State:.S' "/proc/$1/status" && grep -q '^SigCgt:.*[1-9a-f]' "/proc/$1/status"; do
        :
    done
}

@test "an answer is exit 0 and JSON on standard output" {
    answer "$event" --client claude
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = allow ]
}

@test "rules and policies on the command line count, as for check" {
    answer "$event" --client claude --deny 'Bash(echo *)'
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
    echo 'ask: ["Bash(echo *)"]' >"$HOME/p.yaml"
    answer "$event" --client claude --policy "$HOME/p.yaml"
    [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = ask ]
    answer "$event" --client claude --profile guild
    [ "$status" = 0 ]
}

@test "bad input blocks" {
    answer '' --client claude
    blocked 'empty'
    answer '{"a":' --client claude
    blocked 'line 1, column 6'
    answer 'no json' --client auto
    blocked 'the call is blocked'
    answer '{"a":1}' --client auto
    blocked 'cannot be recognised'
    answer "$(printf '\xff\xfe')" --client claude
    blocked 'the call is blocked'
}

# An event of exactly SIZE bytes.
event_of_size() {
    local frame
    frame=$(event_of 'echo hi')
    printf '{"pad":"'
    head -c $(($1 - ${#frame} - 9)) /dev/zero | tr '\0' a
    printf '",%s' "${frame:1}"
}

@test "an event over the limit blocks, one at the limit is read" {
    [ "$(event_of_size 10000000 | wc -c)" = 10000000 ]
    answer "$(event_of_size 10000000)" --client claude
    [ "$status" = 0 ]
    answer "$(event_of_size 10000001)" --client claude
    blocked 'too large'
}

@test "no client, no such client, no such option: blocked" {
    answer "$event" --client nobody
    blocked 'unknown agent "nobody"'
    answer "$event" --clint claude
    blocked '--clint'
    answer "$event" --client
    blocked '--client'
    answer "$event" --client claude surplus
    blocked 'surplus'
    answer "$event" --client claude --profile nope
    blocked 'nope'
    answer "$event" --client claude --timeout soon
    blocked '--timeout'
}

@test "a policy that is missing, broken or writable by others blocks" {
    answer "$event" --client claude --policy "$HOME/none.yaml"
    blocked 'none.yaml'
    echo 'deny: [' >"$HOME/bad.yaml"
    answer "$event" --client claude --policy "$HOME/bad.yaml"
    blocked 'bad.yaml'
    mkdir -p "$HOME/.config/warder"
    echo 'deny: ["Bash("]' >"$HOME/.config/warder/warder.yaml"
    answer "$event" --client claude
    blocked 'warder.yaml'
    echo 'deny: []' >"$HOME/.config/warder/warder.yaml"
    chmod 666 "$HOME/.config/warder/warder.yaml"
    answer "$event" --client claude
    blocked 'warder.yaml'
}

@test "a client that stops sending is not waited for" {
    status=0
    mkfifo "$BATS_TEST_TMPDIR/fifo"
    "$warder" hook --home "$HOME" --client claude --timeout 1 <>"$BATS_TEST_TMPDIR/fifo" >"$BATS_TEST_TMPDIR/out" \
        2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
    blocked 'in time'
}

@test "every signal that could end it blocks" {
    mkfifo "$BATS_TEST_TMPDIR/fifo"
    for signal in SEGV BUS ILL FPE ABRT SYS TRAP TERM INT HUP QUIT USR1 USR2 XCPU XFSZ; do
        "$warder" hook --home "$HOME" --client claude <>"$BATS_TEST_TMPDIR/fifo" >"$BATS_TEST_TMPDIR/out" \
            2>"$BATS_TEST_TMPDIR/err" &
        pid=$!
        waits $pid
        kill -$signal $pid
        status=0
        wait $pid || status=$?
        output=$(<"$BATS_TEST_TMPDIR/out")
        stderr=$(<"$BATS_TEST_TMPDIR/err")
        blocked 'signal' || {
            echo "SIG$signal"
            return 1
        }
    done
}

@test "an answer that does not arrive blocks" {
    status=0
    printf '%s' "$event" | "$warder" hook --home "$HOME" --client claude >/dev/full 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" = 2 ]
    grep -q 'cannot write the answer' "$BATS_TEST_TMPDIR/err"
    status=0
    printf '%s' "$event" | "$warder" hook --home "$HOME" --client claude >&- 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" = 2 ]
    grep -q 'cannot write the answer' "$BATS_TEST_TMPDIR/err"
    status=0
    "$warder" hook --home "$HOME" --client claude <&- >/dev/null 2>"$BATS_TEST_TMPDIR/err" || status=$?
    [ "$status" = 2 ]
    grep -q 'cannot read the event' "$BATS_TEST_TMPDIR/err"
}

@test "no memory blocks" {
    nm "$warder" | grep -q __asan && skip "the sanitizer needs its address space"
    status=0
    # 500,000 values take more memory than 60 MB, and far less text than the limit.
    many=$(yes 1, | head -n 500000 | tr -d '\n')
    (
        ulimit -v 60000
        printf '{"x":[%s1],%s' "$many" "${event:1}" | "$warder" hook --home "$HOME" --client claude
    ) >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
    blocked 'memory'
}

@test "signals that the client blocked still end it" {
    mkfifo "$BATS_TEST_TMPDIR/fifo"
    status=0
    perl -e 'use POSIX; sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV' \
        "$warder" hook --home "$HOME" --client claude --timeout 1 <>"$BATS_TEST_TMPDIR/fifo" >"$BATS_TEST_TMPDIR/out" \
        2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
    blocked 'in time'
}

@test "the environment, which a project can set, does not choose the policy" {
    mkdir -p "$HOME/.config/warder" "$HOME/evil/warder"
    echo 'deny: ["Bash(echo *)"]' >"$HOME/.config/warder/warder.yaml"
    echo 'allow: ["Bash"]' >"$HOME/evil/warder/warder.yaml"
    for variable in XDG_CONFIG_HOME=$HOME/evil WARDER_CONFIG=$HOME/evil/warder/warder.yaml XDG_STATE_HOME=$HOME/evil; do
        output=$(printf '%s' "$event" | env "$variable" "$warder" hook --home "$HOME" --client claude)
        [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
    done
    [ ! -e "$HOME/evil/warder/journal" ]
}

@test "what cannot be recorded is denied" {
    mkdir -p "$HOME/.local/state"
    touch "$HOME/.local/state/warder" # where the record's directory should be
    answer "$event" --client claude
    [ "$status" = 2 ] || [ "$(jq -r .hookSpecificOutput.permissionDecision <<<"$output")" = deny ]
}

# ---- acceptEdits ----

# says MODE TOOL INPUT [MORE]: what Claude Code is answered; "" is no answer. MORE: members of the event, with a comma.
says() {
    local input=$3
    answer "$(
        printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"%s",%s' "$PWD" "$1" "${4:-}"
        printf '"hook_event_name":"PreToolUse","tool_name":"%s","tool_input":%s,"tool_use_id":"u"}' "$2" "$input"
    )" --client claude
    [ "$status" = 0 ] || {
        echo "$stderr" >&2
        return 1
    }
    [ -z "$output" ] || jq -r .hookSpecificOutput.permissionDecision <<<"$output"
}

@test "acceptEdits of a person is answered, of a project it is left to the client" {
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}')" = "" ] # nobody has registered us
    mkdir -p .claude
    registration='{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"warder-hook --client claude"}]}]}'
    echo "$registration}" >.claude/settings.json
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}')" = "" ] # only the project has
    "$warder" install claude --yes >/dev/null
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}')" = allow ]
    [ "$(says acceptEdits Bash '{"command":"curl https://a.example"}')" = ask ]
    [ "$(says default Bash '{"command":"mkdir -p a"}')" = ask ]
    [ "$(says bypassPermissions Bash '{"command":"curl https://a.example"}')" = "" ]
    for name in settings.json settings.local.json; do # a mode that the project may have chosen
        rm -f .claude/*
        echo '{"permissions":{"defaultMode":"acceptEdits"}}' >".claude/$name"
        [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}')" = "" ]
    done
    rm -r .claude
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}')" = allow ]
}

@test "the log says what was answered, once for each call" {
    "$warder" install claude --yes >/dev/null
    says bypassPermissions Bash '{"command":"curl https://a.example"}'
    says default Bash '{"command":"curl https://b.example"}'
    request='{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"'$PWD'","permission_mode":"default",'
    answer "$request"'"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"curl https://b.example"}}' --client claude
    [ -z "$output$stderr" ]
    answer "$request"'"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}' --client claude
    [ -z "$output$stderr" ] # Claude Code has a rule of its own that asks
    [ "$("$warder" log --json --home "$HOME" | jq -r '.decisions[] | "\(.decision) \(.command)"')" = "ask curl https://b.example
left-to-client curl https://a.example" ]
    [ "$("$warder" log --json --home "$HOME" --decision left-to-client | jq '.decisions | length')" = 1 ]
    # Codex: nothing can be said at PreToolUse, so its own question is answered, too; that is one call.
    codex='{"session_id":"c","turn_id":"t","model":"m","cwd":"'$PWD'","permission_mode":"default","tool_name":"Bash","tool_input":{"command":"ls"},'
    answer "$codex"'"hook_event_name":"PreToolUse","tool_use_id":"1"}' --client codex
    answer "$codex"'"hook_event_name":"PermissionRequest"}' --client codex
    [[ $output = *allow* ]]
    [ "$("$warder" log --json --home "$HOME" --session c | jq '.decisions | length')" = 1 ]
}

@test "a sub-agent is judged in no milder mode than the agent that started it" {
    "$warder" install claude --yes >/dev/null
    agent='"agent_id":"a1","agent_type":"Explore",'
    # A project's file says permissionMode: acceptEdits; the person's session is in default.
    [ "$(says default Bash '{"command":"ls"}')" = allow ]
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}' "$agent")" = ask ]
    [ "$(says bypassPermissions Bash '{"command":"curl https://a.example"}' "$agent")" = ask ]
    [ "$(says acceptEdits Bash '{"command":"ls"}')" = allow ]
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}' "$agent")" = allow ]
    [ "$(says plan Bash '{"command":"ls"}')" = allow ]
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}' "$agent")" = deny ]
}

@test "a sub-agent of which nothing else is known is in default" {
    [ "$(says acceptEdits Bash '{"command":"mkdir -p a"}' '"agent_type":"Explore",')" = ask ]
}

@test "rules may name the sub-agent" {
    mkdir -p "$HOME/.config/warder"
    echo 'deny: [{rule: "Bash(git *)", when: {agent: Explore}}]' >"$HOME/.config/warder/warder.yaml"
    [ "$(says default Bash '{"command":"git status"}')" = allow ]
    [ "$(says default Bash '{"command":"git status"}' '"agent_id":"a1","agent_type":"Plan",')" = allow ]
    [ "$(says default Bash '{"command":"git status"}' '"agent_id":"a1","agent_type":"Explore",')" = deny ]
}
