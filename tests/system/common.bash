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
