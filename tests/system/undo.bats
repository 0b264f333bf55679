#!/usr/bin/env bats
# `warder undo`: what a call deleted or overwrote comes back, by a person at a terminal.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH TMUX
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project/src" "$HOME/.config/warder"
    printf 'undo: {use: on}\nallow: [Bash, Write, Edit]\n' >"$HOME/.config/warder/warder.yaml"
    cd "$HOME/project" || return
    printf 'one\ntwo\n' >src/a
    echo b >src/b
    ln src/b hard
}

# event NAME TOOL INPUT ID
event() {
    local json
    json_text "$PWD"
    printf '{"session_id":"%s","cwd":%s,"permission_mode":"default","hook_event_name":"%s","tool_name":"%s","tool_input":%s,"tool_use_id":"%s"}' \
        "${session:-s}" "$json" "$1" "$2" "$3" "$4"
}

# runs COMMAND: the agent asks, runs it if it may, and tells that it ran.
runs() {
    local input json
    json_text "$1"
    input="{\"command\":$json}"
    event PreToolUse Bash "$input" "${2:-u1}" | "$warder" hook --client claude --home "$HOME" | grep -q '"allow"'
    bash -c "$1"
    event PostToolUse Bash "$input" "${2:-u1}" | "$warder" hook --client claude --home "$HOME" --ran
}

# undo ARGUMENTS: as a person.
undo() {
    status=0
    output=$(script -qec "$warder undo $*" /dev/null </dev/null) || status=$?
}

tree() {
    find . -printf '%P %y %m %l\n' -type f -exec sha256sum {} + | sort
}

@test "the newest call is undone, and the undo of that is redo" {
    before=$(tree)
    runs 'rm -rf src && mkdir -p new/x && echo z > new/x/y && echo c > hard'
    after=$(tree)
    undo
    [ "$status" = 0 ]
    [ "$(tree)" = "$before" ]
    [ src/b -ef hard ]
    redo=$(grep -o 'warder undo [0-9a-f]*' <<<"$output")
    undo "${redo##* }"
    [ "$(tree)" = "$after" ]
}

@test "nothing is changed while something is in the way" {
    runs 'echo x > src/a; rm src/b'
    echo mine >src/a
    undo
    [ "$status" = 1 ]
    [[ $output == *"conflict: src/a: it was changed since"* ]]
    [ "$(cat src/a)" = mine ]
    [ ! -e src/b ]
    undo --keep-theirs
    [ "$status" = 0 ]
    [ "$(cat src/a)" = mine ]
    [ -e src/b ]
}

@test "--force undoes what was changed since, and that can be redone" {
    runs 'echo x > src/a'
    echo mine >src/a
    undo --force
    [ "$(head -1 src/a)" = one ]
    redo=$(grep -o 'warder undo [0-9a-f]*' <<<"$output")
    undo "${redo##* }"
    [ "$(cat src/a)" = mine ]
}

@test "a link that has replaced a directory is named, and --force puts it aside" {
    local before after
    mkdir -p src/deep
    echo d >src/deep/d
    chmod 750 src/deep
    before=$(tree)
    runs 'rm src/a src/b src/deep/d'
    mv src moved
    ln -s moved src
    after=$(tree)
    undo
    [ "$status" = 1 ]
    [[ $output == *"conflict: src/a: src is a link to moved now"* ]]
    [[ $output == *"conflict: src/deep/d: src is a link to moved now"* ]]
    [ "$(tree)" = "$after" ]
    undo --keep-theirs
    [ "$(tree)" = "$after" ]
    undo --force
    [ "$status" = 0 ]
    [ ! -L src ]
    [ "$(head -1 src/a)" = one ]
    [ src/b -ef hard ]
    [ "$(cat src/deep/d)" = d ]
    [ -z "$(ls -A moved/deep)" ] # nothing went through the link
    redo=$(grep -o 'warder undo [0-9a-f]*' <<<"$output")
    undo "${redo##* }"
    [ "$status" = 0 ]
    [ "$(tree)" = "$after" ]
    rm src
    mv moved src
    undo
    [ "$(tree)" = "$before" ]
}

@test "a link in the place of a directory that the call has deleted" {
    runs 'rm -rf src'
    mkdir elsewhere
    ln -s elsewhere src
    after=$(tree)
    undo
    [ "$status" = 1 ]
    [[ $output == *"conflict: src/a: src is a link to elsewhere now"* ]]
    undo --force
    [ "$status" = 0 ]
    [ "$(head -1 src/a)" = one ]
    [ -z "$(ls -A elsewhere)" ]
    redo=$(grep -o 'warder undo [0-9a-f]*' <<<"$output")
    undo "${redo##* }"
    [ "$(tree)" = "$after" ]
}

@test "what was moved out of a directory comes back where a link is now" {
    runs 'mv src/a a'
    mv src moved
    ln -s moved src
    undo
    [ "$status" = 1 ]
    [[ $output == *"conflict: src/a: src is a link to moved now"* ]]
    undo --force
    [ "$status" = 0 ]
    [ "$(head -1 src/a)" = one ]
    [ ! -e a ]
    [ ! -L src ]
}

@test "where such a link leads is shown as it is written, whatever it is" {
    runs 'rm src/a'
    mv src moved
    ln -s $'x\e[2J' src
    undo
    [ "$status" = 1 ]
    [[ $output != *$'\e[2J'* ]]
}

@test "a whole session, and single paths" {
    before=$(tree)
    runs 'echo x > src/a; echo y > src/b' u1
    runs 'rm src/a' u2
    session=other runs 'echo other > new' u3
    undo -- src/b # of the newest call that has changed it
    [ "$(cat src/b)" = b ]
    [ ! -e src/a ]
    undo --session s
    [ "$status" = 0 ]
    [ "$(cat new)" = other ]
    undo
    [ "$(tree)" = "$before" ]
    undo
    [[ $output == *"is left to undo"* ]]
}

@test "files that tools write are saved, too" {
    event PreToolUse Write "$(jq -cn --arg p "$PWD/src/a" '{file_path: $p, content: "new"}')" w1 |
        "$warder" hook --client claude --home "$HOME" >/dev/null
    echo new >src/a
    undo --dry-run
    [[ $output == *"~ src/a"* && $output == *"+ one"* ]]
    [ "$(cat src/a)" = new ]
    undo --json
    [ "$(head -1 src/a)" = one ]
    jq -e '.done and .calls[0].changes[0].path == "src/a"' <<<"$output"
}

@test "list, show, drop and prune" {
    runs 'rm src/a'
    run "$warder" undo list --home "$HOME" --json
    [ "$(jq -r '.[0] | "\(.deleted) \(.text) \(.session)"' <<<"$output")" = "1 rm src/a s" ]
    id=$(jq -r '.[0].id' <<<"$output")
    undo show "$id"
    [[ $output == *"+ src/a"* ]]
    [ ! -e src/a ]
    undo drop "$id"
    [ "$status" = 0 ]
    undo prune
    [ "$status" = 0 ]
    [ "$("$warder" undo list --home "$HOME" --json)" = '[]' ]
    undo "$id"
    [ "$status" != 0 ]
}

@test "only a person may undo" {
    runs 'rm src/a'
    run "$warder" undo --home "$HOME" </dev/null
    [ "$status" -ge 64 ]
    [ ! -e src/a ]
    [ "$("$warder" check --home "$HOME" Bash 'warder undo')" != allow ]
}

@test "nothing is saved where policy switches it off, nor for calls that lose nothing" {
    runs 'cat src/a'
    [ ! -e "$HOME/.local/state/warder/undo" ]
    printf 'undo: {use: off}\nallow: [Bash]\n' >"$HOME/.config/warder/warder.yaml"
    runs 'rm src/a'
    [ ! -e "$HOME/.local/state/warder/undo" ]
}

@test "without any policy, what a call deletes asks nobody, and comes back" {
    rm -r "$HOME/.config/warder"
    before=$(tree)
    answer=$(event PreToolUse Bash '{"command": "rm -rf src && rm hard"}' u1 | "$warder" hook --client claude --home "$HOME")
    id=$("$warder" undo list --home "$HOME" --json | jq -r '.[0].id')
    [ "$(jq -r '.hookSpecificOutput.permissionDecisionReason' <<<"$answer")" = \
        "Warder: rm: deletes hard: saved first. Take it back, in a terminal: warder undo $id" ]
    rm -rf src hard
    "$warder" status --home "$HOME" | grep -Eq '^undo +1 call, [0-9]+ KB saved in this project: warder undo list$'
    [ "$("$warder" status --home "$HOME" --json | jq .undo.calls)" = 1 ]
    place=$("$warder" undo list --home "$HOME" | tail -1)
    [[ $place == "1 call, "*" KB in $HOME/.local/state/warder/undo/"* ]]
    [ -d "${place#* in }" ]
    undo "$id"
    [ "$status" = 0 ]
    [ "$(tree)" = "$before" ]
}

@test "other profiles save where policy says so, and lift no question" {
    for profile in caliban mini mink guild waterfall; do
        echo "profile: $profile" >"$HOME/.config/warder/warder.yaml"
        event PreToolUse Bash '{"command": "rm src/a"}' u1 | "$warder" hook --client claude --home "$HOME" >/dev/null
        [ ! -e "$HOME/.local/state/warder/undo" ]
    done
    printf 'profile: mini\nallow: ["Bash(rm *)"]\nundo: {use: on}\n' >"$HOME/.config/warder/warder.yaml"
    runs 'rm src/a'
    undo
    [ "$(head -1 src/a)" = one ]
}

# repository: what git has committed, changed, staged, ignored and never seen.
repository() {
    git init -q . && git config user.email a@b && git config user.name n
    echo ignored >.gitignore
    git add -A && git commit -qm one
    echo 3 >>src/a && git commit -qam two
    echo changed >>src/a
    echo staged >staged && git add staged
    mkdir -p ignored new/deep && echo i >ignored/i && echo n >new/deep/n
    git branch old HEAD~1
    echo '{}' >"$HOME/.config/warder/warder.yaml" # no rule allows anything
}

# with_git: the tree, and what git keeps beside objects.
with_git() {
    find . -path ./.git/objects -prune -o -printf '%P %y %m %l\n' -type f -exec sha256sum {} + | sort
}

@test "what git loses asks nobody, and comes back" {
    repository
    before=$(with_git)
    for command in 'git reset --hard' 'git reset -q --hard HEAD~1' 'git clean -fdxq' 'git checkout -- .' 'git restore src/a' \
        'git stash -q && git stash drop' 'git branch -D old' 'git rm -rfq src' 'rm -rf src && git checkout -- . && git clean -fdxq'; do
        runs "$command"
        [ "$(with_git)" != "$before" ]
        undo
        [ "$status" = 0 ]
        diff <(echo "$before") <(with_git)
    done
}

# many DIRECTORY: more files than are linked one by one.
many() {
    mkdir -p "$1"
    (cd "$1" && seq 5001 | xargs touch)
}

# moved COMMAND: the agent may run it, and does not; the directory is in the trash, and a link to it at its place.
moved() {
    event PreToolUse Bash "$(jq -cn --arg c "$1" '{command: $c}')" u1 | "$warder" hook --client claude --home "$HOME" | grep -q '"allow"'
    [ -L src ] && [ -f src/a ]
}

@test "a directory that was moved away for a call that did not run comes back with the next call" {
    repository
    many src/many
    before=$(tree)
    moved 'rm -rf src'
    event PreToolUse Bash '{"command": "rm hard"}' u2 | "$warder" hook --client claude --home "$HOME" | grep -q '"allow"'
    diff <(echo "$before") <(tree)
    rm -rf src # it ran after all
    undo list
    undo "$(grep -o '^[0-9a-f]*  .*rm -rf src' <<<"$output" | cut -c1-8)"
    undo --force "$(grep -o '^[0-9a-f]*  .*rm -rf src' <<<"$output" | cut -c1-8)"
    [ -f src/a ] && [ src/b -ef hard ]
}

@test "a directory that was moved away for a call that did not run comes back by itself" {
    repository
    many src/many
    before=$(tree)
    moved 'rm -rf src'
    for _ in $(seq 300); do [ ! -L src ] || sleep 0.2; done
    diff <(echo "$before") <(tree)
    rm -rf src # it ran after all
    undo
    [ "$status" = 0 ]
    diff <(echo "$before") <(tree)
}

@test "a directory whose name leads through it, or where the shell is, is not moved away" {
    repository
    many src/in
    for command in 'rm -rf src/' 'rm -rf src/../src' 'rm -rf ./src/.' 'cd src && rm -rf ../src'; do
        event PreToolUse Bash "$(jq -cn --arg c "$command" '{command: $c}')" u1 | "$warder" hook --client claude --home "$HOME" >/dev/null
        [ ! -L src ]
    done
    cd src/in
    event PreToolUse Bash "$(jq -cn --arg c "rm -rf $HOME/project/src" '{command: $c}')" u1 |
        "$warder" hook --client claude --home "$HOME" >/dev/null
    [ ! -L ../../src ]
}

@test "a small directory is not moved away" {
    repository
    event PreToolUse Bash '{"command": "rm -rf src"}' u1 | "$warder" hook --client claude --home "$HOME" | grep -q '"allow"'
    [ ! -L src ] && [ -f src/a ]
}

@test "directories inside each other are moved away, deleted and given back" {
    repository
    many src/in/deep
    before=$(tree)
    for command in 'rm -rf src/in src' 'rm -rf src src/in' 'rm -rf src/in src/in/deep'; do
        runs "$command"
        [ ! -e src/in ]
        undo
        [ "$status" = 0 ]
        diff <(echo "$before") <(tree)
    done
}

@test "a directory with another mount below it asks, whether it would be linked or moved away" {
    unshare --mount true 2>/dev/null || skip "mounts cannot be made here"
    repository
    mkdir "src/a mount" "$HOME/out"
    echo other >"$HOME/out/f"
    for size in small large; do
        [ "$size" = small ] || many src/many
        for command in 'rm -rf src' 'git clean -fdx'; do
            output=$(event PreToolUse Bash "$(jq -cn --arg c "$command" '{command: $c}')" u1 | unshare --mount --propagation private \
                bash -c 'mount --bind "$HOME/out" "src/a mount" && exec "$0" hook --client claude --home "$HOME"' "$warder")
            jq -e '.hookSpecificOutput | .permissionDecision == "ask" and (.permissionDecisionReason | test("another mount"))' <<<"$output"
            [ ! -L src ] && [ -f src/a ] && [ -f "$HOME/out/f" ]
        done
    done
}

@test "an entry that is dropped gives back what is only in its trash" {
    repository
    many src/many
    before=$(tree)
    moved 'rm -rf src'
    undo drop "$("$warder" undo list --home "$HOME" --json | jq -r '.[0].id')"
    [ "$status" = 0 ]
    diff <(echo "$before") <(tree)
}

@test "a trash that another process holds makes the call ask, and does not block it" {
    repository
    runs 'rm -rf ignored'
    lock=$(find "$HOME/.local/state/warder/undo" -name lock)
    exec {held}>>"$lock"
    flock "$held"
    output=$(event PreToolUse Bash '{"command": "rm hard"}' u2 | "$warder" hook --client claude --home "$HOME")
    jq -e '.hookSpecificOutput | .permissionDecision == "ask" and (.permissionDecisionReason | test("another process holds"))' <<<"$output"
    [ -e hard ]
}

@test "check says what a hook would where it knows the client, and else what it says everywhere" {
    repository
    [ "$("$warder" check --client claude --home "$HOME" --json Bash 'rm hard' | jq -r .layer)" = reversible ]
    [ "$("$warder" check --home "$HOME" --json Bash 'rm hard' | jq -r .behavior)" = ask ]
    call=$(jq -cn --arg d "$PWD" '{tool: "Bash", input: {command: "rm hard"}, cwd: $d}')
    [ "$("$warder" check --jsonl --home "$HOME" <<<"$call" | jq -r .behavior)" = ask ]
    [ "$("$warder" check --jsonl --home "$HOME" <<<"$(jq -c '.client = "claude"' <<<"$call")" | jq -r .layer)" = reversible ]
}

@test "the record says until when a call is reversible" {
    repository
    runs 'rm -rf src'
    id=$("$warder" log --home "$HOME" --json --limit 1 | jq -r '.. | .id? // empty' | head -1)
    "$warder" log show "$id" --home "$HOME" | grep -Eq '^reversible +until [0-9-]+ .*: warder undo [0-9a-f]{8}$'
    "$warder" why "$id" --home "$HOME" | grep -q '^undo .*until'
    "$warder" log show "$id" --home "$HOME" --json | jq -e '.reversible | .needed and .left == 0 and (.entry | length) == 22'
    "$warder" check --client claude --home "$HOME" --json Bash 'rm hard' | jq -e '.reversible.needed'
    "$warder" check --home "$HOME" --json Bash 'rm hard' | jq -e '.behavior == "ask" and .reversible == null'
}

@test "a trash that one call fills asks for the next" {
    repository
    printf 'undo: {use: on, keep: {size: 64K}}\n' >"$HOME/.config/warder/warder.yaml"
    head -c 200000 /dev/urandom >src/large
    runs 'rm -rf src'
    "$warder" check --client claude --home "$HOME" --json Bash 'rm hard' | jq -e '.behavior == "ask" and (.reason | test("full"))'
    undo
    [ -f src/large ]
}

@test "what is saved is the person's alone, and protected" {
    runs 'rm src/a'
    [ -z "$(find "$HOME/.local/state/warder/undo" -type d ! -perm 700)" ]
    [ -z "$(find "$HOME/.local/state/warder/undo" -name journal ! -perm 600)" ]
    journal=$(find "$HOME/.local/state/warder/undo" -name journal)
    echo 'undo: {use: on}' >"$HOME/.config/warder/warder.yaml" # an allow rule of a person lets secrets be read
    for command in "cat $journal" "echo x >> $journal" 'rm -rf .git/warder-undo' 'cat .git/warder-undo/x/0'; do
        run "$warder" check --home "$HOME" Bash "$command"
        [ "$status" != 0 ]
    done
}
