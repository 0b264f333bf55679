#!/usr/bin/env bats
# The manual and the README cannot lie: each of their examples is run.

setup() {
    cd "$WARDER_SOURCE" || return
}

examples() {
    tests/support/examples "$WARDER_BUILD/warder" "$1"
}

@test "the examples of warder(1)" {
    examples man/warder.1
}

@test "the examples of warder-rules(5)" {
    examples man/warder-rules.5
}

@test "the examples of warder.conf(5)" {
    examples man/warder.conf.5
}

@test "the examples of the README" {
    examples README.md
}

@test "mandoc has no warnings" {
    run mandoc -T lint -W warning man/*.[135]
    [ "$status" = 0 ]
    [ -z "$output" ]
}

@test "a wrong example is found, and --update fixes it" {
    page=$BATS_TEST_TMPDIR/page.1
    printf '%s\n' '.Bd -literal' '$ warder check Bash ls' 'deny  something else' '.Ed' >"$page"
    run examples "$page"
    [ "$status" = 1 ]
    tests/support/examples --update "$WARDER_BUILD/warder" "$page"
    run examples "$page"
    [ "$status" = 0 ]
    printf '%s\n' '.Bd -literal' 'no command here' '.Ed' >"$page"
    run examples "$page"
    [ "$status" = 1 ]
}
