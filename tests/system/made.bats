#!/usr/bin/env bats
# Programs that a session built from the project: a later call runs them as the project's code, as long as they are what
# the build left. /bin/true plays the compiler's output.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME" "$BATS_TEST_TMPDIR/project/cmd/x"
    cd "$BATS_TEST_TMPDIR/project" || return
    state=$HOME/.local/state/warder
}

# answer TOOL INPUT: the hook's decision; the small static one goes second and must agree. (Not in its reason: what
# is asked about may be forgotten by then.)
answer() {
    local small=$WARDER_BUILD/warder-hook said
    pre_tool_use "${session-s}" "${mode:-default}" "$1" "$2"
    decided "$("$warder" hook --home "$HOME" --client "${client:-claude}" 2>&1 <<<"$event")"
    said=$decided
    if [ -x "$small" ] && [ -z "${once-}" ]; then
        decided "$("$small" --home "$HOME" --client "${client:-claude}" 2>&1 <<<"$event")"
        [ "$said" = "$decided" ] || echo "warder-hook says otherwise: $decided"
    fi
    echo "$said"
}

says() {
    json_text "$1"
    answer Bash "{\"command\":$json}"
}

# build FILE: the call, and the file it leaves
build() {
    [ "$(says "go build -o $1 ./cmd/x")" = "${2:-allow}" ]
    rm -f "$1"
    cp /bin/true "$1"
}

programs() {
    jq -c '[.programs // [] | .[].path]' "$state"/sessions/*.json
}

@test "first the build, then the run, each in its own process" {
    [ "$(says './x help')" = ask ]
    build ./x
    [ "$(programs)" = "[\"$PWD/x\"]" ]
    [ "$(says './x help')" = allow ]
    [ "$(says './x help')" = allow ]
    [ "$(says 'cd cmd && ../x list')" = allow ]
    [ "$(says './x ~/.ssh/id_rsa')" = ask ]
    [ "$(says './y help')" = ask ]
}

@test "explain names the layer that cleared it, and what a call builds" {
    build ./x
    run "$warder" explain --session s --client claude Bash './x help'
    [ "$status" = 0 ]
    [[ $output == *'cleared by project-code'*'/x was built from this project by an earlier call of the session'* ]]
    run "$warder" explain --json Bash 'go build -o ./x ./cmd/x'
    [ "$(jq -c .builds <<<"$output")" = "[\"$PWD/x\"]" ]
    run "$warder" explain --json Bash 'go vet ./cmd/x'
    [ "$(jq -c .builds <<<"$output")" = '[]' ]
    run "$warder" check --session s --client claude Bash './x help'
    [ "$status" = 0 ]
}

@test "a build belongs to its session" {
    build ./x
    session=other
    [ "$(says './x help')" = ask ]
    session=''
    [ "$(says './x help')" = ask ]
    session=s client=gemini
    [[ $(says './x help') != allow ]]
    client=claude
    [ "$(says './x help')" = allow ]
}

@test "asking about an unknown program forgets what it may have overwritten" {
    build ./x
    [ "$(says './x help')" = allow ]
    [ "$(says './y')" = ask ]
    [ "$(says './x help')" = ask ]
}

@test "a file older than the build is not its output" {
    cp /bin/true x
    sleep 0.05
    [ "$(says 'go build -o ./x ./cmd/x')" = allow ] # and it fails
    [ "$(says './x help')" = ask ]
}

@test "after its first run it must stay the same file" {
    for how in 'cp /bin/false x' 'cp /bin/true y && mv y x' 'touch x' 'chmod u+w x' 'ln x z' 'ln -sf /bin/true x'; do
        build ./x
        [ "$(says './x help')" = allow ]
        sleep 0.02
        eval "$how"
        echo "$how"
        [ "$(says './x help')" = ask ]
        rm -f x y z
    done
}

@test "builds that a call may overwrite are forgotten before it is answered" {
    mode=acceptEdits
    for how in 'cp y x' 'mv y x' 'rm -f x' 'chmod +x x' 'ln -s y x' 'echo a > x' "mv $PWD ../other" 'python3 z.py'; do
        build ./x
        says "$how" >"$BATS_TEST_TMPDIR/said"
        echo "$how: $(cat "$BATS_TEST_TMPDIR/said"), $(programs)"
        [ "$(programs)" = '[]' ]
        [ "$(says './x help')" = ask ]
    done
    build ./x
    [ "$(answer Write "{\"file_path\":\"$PWD/other\",\"content\":\"a\"}")" != deny ]
    [ "$(says './x help')" = allow ]
    [ "$(answer Write "{\"file_path\":\"$PWD/x\",\"content\":\"a\"}")" != deny ]
    [ "$(says './x help')" = ask ]
}

@test "neither a script nor a file that cannot be run" {
    build ./x
    printf '#!/bin/sh\necho x\n' >x
    [ "$(says './x help')" = ask ]
    [ "$(says 'go build -o ./x ./cmd/x')" = ask ] # a script, which the build would overwrite
    rm x
    build ./x
    chmod -x x
    [ "$(says './x help')" = ask ]
    rm x
    build ./x
    : >x
    [ "$(says './x help')" = ask ]
}

@test "another user's file is not a build" {
    [ "$(id -u)" = 0 ] || skip "only root gives files away"
    build ./x
    chown 12345 x
    [ "$(says './x help')" = ask ]
}

@test "in a temporary directory where edits are accepted" {
    there=$(mktemp -d "${TMPDIR:-/tmp}/made.XXXXXX")
    mode=acceptEdits
    build "$there/x" nothing # the client accepts edits, too
    [ "$(says "$there/x help")" = allow ]
    mkdir .git
    [ "$(says 'git checkout main')" = allow ] # which writes in its own tree
    [ "$(says "$there/x help")" = allow ]
    [ "$(says "cp /bin/false $there/x")" = nothing ]
    [ "$(says "$there/x help")" = ask ]
    rm -r "$there"
}

@test "cargo build leaves programs in target/debug" {
    [ "$(says 'cargo build')" = allow ]
    mkdir -p target/debug/deps
    cp /bin/true target/debug/app
    ln target/debug/app target/debug/deps/app-1
    [ "$(says './target/debug/app help')" = allow ]
    [ "$(says './target/debug/app help')" = allow ]
    [ "$(says './target/debug/deps/app-1')" = ask ]
}

@test "the number of builds is limited" {
    once=1
    for i in $(seq 17); do
        [ "$(says "go build -o ./x$i ./cmd/x")" = allow ]
        cp /bin/true "x$i"
    done
    [ "$(jq '.programs | length' "$state"/sessions/*.json)" = 16 ]
    [ "$(says './x2')" = allow ]
    [ "$(says './x17')" = allow ]
    [ "$(says './x1')" = ask ]
}

# path_of LENGTH: a path whose absolute form has this length
path_of() {
    local rest=$(($1 - ${#PWD} - 1)) name
    name=$(printf 'a%.0s' {1..199})
    while [ "$rest" -gt 200 ]; do
        printf '%s/' "$name"
        rest=$((rest - 200))
    done
    printf '%s' "${name:0:rest}"
}

@test "the length of a path is limited" {
    [ "$(says "go build -o $(path_of 1025) ./cmd/x")" = allow ]
    [ "$(programs)" = '[]' ]
    [ "$(says "go build -o $(path_of 1024) ./cmd/x")" = allow ]
    [ "$(programs)" = "[\"$PWD/$(path_of 1024)\"]" ]
}

@test "calls at the same time lose nothing" {
    once=1
    [ "$(says ls)" = allow ]
    for i in 1 2 3 4 5 6 7 8; do
        says "go build -o ./x$i ./cmd/x" >/dev/null &
    done
    wait
    [ "$(jq '.programs | length' "$state"/sessions/*.json)" = 8 ]
}

# change FILTER: the session's file, as only Warder itself can
change() {
    local file
    file=$(echo "$state"/sessions/*.json)
    jq -c "$1" "$file" >"$file.new"
    chmod 600 "$file.new"
    mv "$file.new" "$file"
}

@test "a damaged list denies" {
    for damage in '.programs = 1' '.programs[0] = "/x"' '.programs[0].path = "x"' '.programs[0].built = -1' \
        '.programs[0].seen = [1, 2]' '.programs[0].seen = [1, 2, 0]' 'del(.programs[0].seen)' 'del(.programs[0].tree)' \
        '.programs[0].tree = "x"' \
        '.programs = [limit(17; repeat(.programs[0]))]'; do
        build ./x
        change "$damage"
        echo "$damage"
        [[ $(says './x help') == *damaged* ]]
        rm -r "$state/sessions"
    done
}

@test "an older version's file has none, and after a clock change none is trusted" {
    build ./x
    change 'del(.programs)'
    [ "$(says './x help')" = ask ]
    build ./x
    change '.began = 4000000000'
    [ "$(says './x help')" = ask ]
}

@test "one line turns it off" {
    build ./x
    mkdir -p "$HOME/.config/warder"
    echo 'runners: false' >"$HOME/.config/warder/warder.yaml"
    [ "$(says './x help')" = ask ]
}
