#!/usr/bin/env bats
# Programs that a session built from the project: a later call runs them as the project's code, as long as they are what
# the build left. /bin/true stands for what the compiler writes.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME" "$BATS_TEST_TMPDIR/project/cmd/x"
    cd "$BATS_TEST_TMPDIR/project" || return
    state=$HOME/.local/state/warder
}

event_of() {
    jq -cn --arg session "${session-s}" --arg cwd "$PWD" --arg mode "${mode:-default}" --arg tool "$1" --argjson input "$2" \
        '{session_id: $session, transcript_path: "t", prompt_id: "p", cwd: $cwd, permission_mode: $mode,
          hook_event_name: "PreToolUse", tool_name: $tool, tool_input: $input, tool_use_id: "u"}'
}

decision_of() {
    if [ -z "$1" ]; then
        echo nothing
    else
        jq -r .hookSpecificOutput.permissionDecision <<<"$1" 2>/dev/null || echo "$1"
    fi
}

# answer TOOL INPUT: what the hook decides; the small static one goes second and must agree. (Not in its reason: what
# is asked about may be forgotten by then.)
answer() {
    local small=$WARDER_BUILD/warder-hook said other
    said=$(decision_of "$(event_of "$1" "$2" | "$warder" hook --client "${client:-claude}" 2>&1)")
    if [ -x "$small" ] && [ -z "${once-}" ]; then
        other=$(decision_of "$(event_of "$1" "$2" | "$small" --client "${client:-claude}" 2>&1)")
        [ "$said" = "$other" ] || echo "warder-hook says otherwise: $other"
    fi
    echo "$said"
}

says() {
    answer Bash "$(jq -cn --arg command "$1" '{command: $command}')"
}

# build FILE: the call, and what it leaves
build() {
    [ "$(says "go build -o $1 ./cmd/x")" = "${2:-allow}" ]
    rm -f "$1"
    cp /bin/true "$1"
}

programs() {
    jq -c '[.programs // [] | .[].path]' "$state"/sessions/*.json
}

@test "first the build, then the run, each in a process of its own" {
    [ "$(says './x help')" = ask ]
    build ./x
    [ "$(programs)" = "[\"$PWD/x\"]" ]
    [ "$(says './x help')" = allow ]
    [ "$(says './x help')" = allow ]
    [ "$(says 'cd cmd && ../x list')" = allow ]
    [ "$(says './x ~/.ssh/id_rsa')" = ask ]
    [ "$(says './y help')" = ask ]
}

@test "explain says who cleared it, and what a call builds" {
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

@test "it is the session's own" {
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

@test "asking about a program that nobody knows forgets what it may have written over" {
    build ./x
    [ "$(says './x help')" = allow ]
    [ "$(says './y')" = ask ]
    [ "$(says './x help')" = ask ]
}

@test "what was there before the build is not what it made" {
    cp /bin/true x
    sleep 0.05
    [ "$(says 'go build -o ./x ./cmd/x')" = allow ] # and it fails
    [ "$(says './x help')" = ask ]
}

@test "from its first run on it stays the same file, however it is changed" {
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

@test "what judged calls may write is forgotten before they are answered" {
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

@test "no script and nothing that cannot be run" {
    build ./x
    printf '#!/bin/sh\necho x\n' >x
    [ "$(says './x help')" = ask ]
    build ./x
    chmod -x x
    [ "$(says './x help')" = ask ]
    build ./x
    : >x
    [ "$(says './x help')" = ask ]
}

@test "another user's file is nobody's build" {
    [ "$(id -u)" = 0 ] || skip "only root gives files away"
    build ./x
    chown 12345 x
    [ "$(says './x help')" = ask ]
}

@test "in a temporary place where edits are accepted" {
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

@test "only so many are kept" {
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

# path_of LENGTH: one that is so long as an absolute one
path_of() {
    local rest=$(($1 - ${#PWD} - 1)) name
    name=$(printf 'a%.0s' {1..199})
    while [ "$rest" -gt 200 ]; do
        printf '%s/' "$name"
        rest=$((rest - 200))
    done
    printf '%s' "${name:0:rest}"
}

@test "the path of one may be so long and no longer" {
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

@test "a list that is damaged denies" {
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

@test "a file that an older version kept has none, and another clock believes none" {
    build ./x
    change 'del(.programs)'
    [ "$(says './x help')" = ask ]
    build ./x
    change '.began = 4000000000'
    [ "$(says './x help')" = ask ]
}

@test "one line switches it off" {
    build ./x
    mkdir -p "$HOME/.config/warder"
    echo 'runners: false' >"$HOME/.config/warder/warder.yaml"
    [ "$(says './x help')" = ask ]
}
