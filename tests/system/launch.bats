#!/usr/bin/env bats
# The `bash` by which two agents start the hook: it starts what a registration names, and blocks everything else.

load common

setup() {
    launch=$WARDER_BUILD/libexec/warder/bash
    own=$WARDER_BUILD/libexec/warder
    [ -x "$launch" ] || skip "it is not built here"
}

# starts TEXT SAYS: the words of the text, each in brackets.
starts() {
    expect 0 "$launch" -c "/usr/bin/printf '[%s]' $1"
    [ "$output" = "$2" ] || {
        echo "$1: $output instead of $2"
        return 1
    }
}

# blocked WHY ARGUMENTS...
blocked() {
    local why=$1
    shift
    expect 2 "$launch" "$@"
    [ "$stderr" = "Warder's hook was not started: $why; the call is blocked" ] && [ -z "$output" ] || {
        echo "$*: $output$stderr"
        return 1
    }
}

not_ours() { blocked 'the command in the agent'\''s settings is not one of `warder install`' -c "$1"; }

# environment VARIABLE...: what a program that is started sees of these.
environment() { output=$(env -i "$@" "$launch" -c /usr/bin/env); }

@test "plain words, and words in single quotes" {
    starts 'one two' '[one][two]'
    starts 'azAZ09_-./:@+,' '[azAZ09_-./:@+,]'
    starts "'one two' '' three" '[one two][][three]'
    starts "'it'\\''s' x" "[it's][x]"
    starts "a'b c'd" '[ab cd]'
    starts "'\$(x) \`x\` \"x\" \\ ; | & > < * ? ~ # = % { [ ('" '[$(x) `x` "x" \ ; | & > < * ? ~ # = % { [ (]'
    starts 'one  two ' '[one][][two]'
}

@test "a text that is more than words" {
    for text in '$HOME' '`x`' '"x"' 'a;b' 'a|b' 'a&b' 'a>b' 'a<b' '*' '?' '~' '#' 'A=b' '%' '{a' '[a' '(a' ')' '!' '^' 'a\b' '\' "\\\"" \
        "'open" "it's" $'a\tb' $'a\nb' $'a\x01' $'\xc3\xa4' ']' '}'; do
        not_ours "/usr/bin/printf x $text"
    done
    not_ours ''
    not_ours ' '
    not_ours 'printf x'
    not_ours "'' /usr/bin/printf"
}

@test "as many words as a registration may have" {
    starts '3 4 5 6 7 8 9 10 11 12 13 14 15 16' '[3][4][5][6][7][8][9][10][11][12][13][14][15][16]'
    not_ours "/usr/bin/printf '[%s]' 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"
}

@test "no other way to call it, and nothing that cannot be run" {
    local wrong='this program takes -c and a command, and is for hooks alone'
    blocked "$wrong"
    blocked "$wrong" -c
    blocked "$wrong" -c /usr/bin/true x
    blocked "$wrong" -x /usr/bin/true
    blocked 'its program cannot be run' -c /nonexistent/program
    blocked 'its program cannot be run' -c /etc/passwd
    expect 7 "$launch" -c "/usr/bin/bash -c 'exit 7'"
}

@test "what a loader reads is taken out of the environment, and nothing else" {
    environment LD_PRELOAD=/x A=b LD_TRACE_LOADED_OBJECTS=1 LDX=1 XLD_=2 LD=3 LD_=4
    [ "$output" = $'A=b\nLDX=1\nXLD_=2\nLD=3' ]
}

@test "our own directory is taken out of PATH where the registration put it" {
    local path
    ln -s "$own" "$BATS_TEST_TMPDIR/link"
    mkdir "$BATS_TEST_TMPDIR/other"
    cp /usr/bin/true "$BATS_TEST_TMPDIR/other/bash"
    environment "PATH=$own:/usr/bin:/bin" A=b
    [ "$output" = $'PATH=/usr/bin:/bin\nA=b' ]
    environment "PATH=$BATS_TEST_TMPDIR/link:/bin"
    [ "$output" = PATH=/bin ]
    for path in "$own" "$own:" "$own:\$PATH"; do
        environment "PATH=$path" A=b
        [ "$output" = A=b ]
    done
    for path in "/bin:$own" "$BATS_TEST_TMPDIR/other:/bin" "$BATS_TEST_TMPDIR:/bin" '' ":$own" /bin; do
        environment "PATH=$path"
        [ "$output" = "PATH=$path" ]
    done
    environment "PATH=$own:x" "PATHS=$own:y"
    [ "$output" = $'PATH=x\n'"PATHS=$own:y" ]
}

# As long as a path may be, and one byte longer.
@test "our own directory with a long name" {
    local padded
    padded=$own$(printf '/%.0s' $(seq $((4096 - 6 - ${#own}))))
    environment "PATH=$padded:/bin"
    [ "$output" = PATH=/bin ]
    environment "PATH=$padded/:/bin"
    [ "$output" = "PATH=$padded/:/bin" ]
    padded=$padded$(printf '/%.0s' {1..60000})
    environment "PATH=$padded:/bin"
    [ "$output" = "PATH=$padded:/bin" ]
}
