# common.bash - runs a program and checks its output: `load common`.
# shellcheck shell=bash disable=SC2034 # what it sets is for the tests

# A crash that the guard caught is still a crash (machine/guard.h), except where faults are asked for.
no_faults() {
    if [ -z "${faulty:-}" ] && [[ $output$stderr == *"internal fault"* ]]; then
        echo "$stderr"
        return 1
    fi
}

# expect STATUS COMMAND...: runs it and checks the exit code. Output is in $output, standard error in $stderr.
expect() {
    local wanted=$1
    shift
    status=0
    "$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
    output=$(<"$BATS_TEST_TMPDIR/out")
    stderr=$(<"$BATS_TEST_TMPDIR/err")
    no_faults || return 1
    if [ "$status" != "$wanted" ]; then
        echo "exit $status instead of $wanted: $*"
        echo "$output"
        echo "$stderr"
        return 1
    fi
}

# Both mean: somewhere in it, literally.
says() {
    [[ $output == *"$1"* ]] || {
        echo "no '$1' in: $output"
        return 1
    }
}
complains() {
    [[ $stderr == *"$1"* ]] || {
        echo "no '$1' in: $stderr"
        return 1
    }
}

# json_text TEXT: as a JSON string, in $json. (jq takes ten times as long as the hook.)
json_text() {
    json=${1//\\/\\\\}
    json=${json//\"/\\\"}
    json=${json//$'\n'/\\n}
    json=${json//$'\e'/\\u001b}
    json=${json//$'\a'/\\u0007}
    json="\"${json//$'\t'/\\t}\""
}

# An event of Claude Code before a tool runs, in $event: pre_tool_use SESSION MODE TOOL INPUT, which is JSON.
pre_tool_use() {
    local json cwd
    json_text "$PWD"
    cwd=$json
    json_text "$1"
    event="{\"session_id\":$json,\"transcript_path\":\"t\",\"prompt_id\":\"p\",\"cwd\":$cwd,\"permission_mode\":\"$2\","
    event+="\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"$3\",\"tool_input\":$4,\"tool_use_id\":\"u\"}"
}

# decided ANSWER: what a hook's answer to such an event decides, in $decided, and why, in $why. Another text is an answer of its own.
decided() {
    local pattern='^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"([a-z]+)"(,"permissionDecisionReason":"(([^"\\]|\\.)*)")?.*\}\}$'
    decided=$1 why=
    [ -n "$1" ] || decided=nothing
    if [[ $1 =~ $pattern ]]; then
        decided=${BASH_REMATCH[1]} why=${BASH_REMATCH[3]}
        why=${why//\\\"/\"}
        why=${why//\\\\/\\}
    fi
}
