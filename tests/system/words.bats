#!/usr/bin/env bats
# What a newcomer types, and what he reads: each line of words.told is a command, its exit code and what must be in
# its answer. Run in a terminal's stead, where lines are as long as they are.

load common

setup() {
    export PATH=$WARDER_BUILD:$PATH
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH NO_COLOR
    umask 022
}

# A home of its own for each part of the file, with a project in it.
new_home() {
    export HOME=$BATS_TEST_TMPDIR/home.$((++homes))
    mkdir -p "$HOME/project/.git" "$HOME/.config/warder"
    cd "$HOME/project" || return
}

# The block that was read: command, exit code, lines that must be there, lines that must not.
check_block() {
    [ -n "$command" ] || return 0
    checked=$((checked + 1))
    local code=0 line
    answer=$(bash -c "$command" 2>&1 </dev/null) || code=$?
    answer=${answer//"$HOME"/\~}
    for line in "${wanted[@]}"; do
        [[ $answer == *"$line"* ]] || wrong "not said: $line"
    done
    for line in "${unwanted[@]}"; do
        [[ $answer != *"$line"* ]] || wrong "said: $line"
    done
    [ "$code" = "$exit_code" ] || wrong "exit $code instead of $exit_code"
    command=''
}

wrong() {
    failed=$((failed + 1))
    printf '%s\n  %s\n%s\n\n' "$ $command" "$1" "$answer"
}

check_file() {
    local line homes=0
    checked=0 failed=0 command=''
    new_home
    while IFS= read -r line; do
        case $line in
        '== '*)
            check_block
            new_home
            ;;
        '$ '*)
            check_block
            command=${line#??} exit_code=0 wanted=() unwanted=()
            ;;
        '= '*) exit_code=${line#??} ;;
        '- '*) unwanted+=("${line#??}") ;;
        '  '*) wanted+=("${line#??}") ;;
        '' | '#'*) ;;
        *) wrong "cannot be read: $line" ;;
        esac
    done <"$1"
    check_block
    [ "$failed" = 0 ]
}

@test "what a newcomer types is answered in words that he can use" {
    check_file "$BATS_TEST_DIRNAME/words.told"
    [ "$checked" = "$(grep -c "^\$ " "$BATS_TEST_DIRNAME/words.told")" ]
}

@test "a wrong answer, a word that should not be there and a wrong code are found" {
    printf '$ echo a\n  b\n$ echo a\n- a\n$ false\n$ echo a\n  a\n' >"$BATS_TEST_TMPDIR/three.told"
    run check_file "$BATS_TEST_TMPDIR/three.told"
    [ "$status" = 1 ]
    [ "$(grep -c '^\$ ' <<<"$output")" = 3 ]
}
