#!/usr/bin/env bats
# Scripts of the project: those older than the session run as the project's code, others ask.

# The files are created once, and the tests wait once until they are old: their ctime cannot be set.
setup_file() {
    export FILES=$BATS_FILE_TMPDIR/project
    mkdir -p "$FILES/scripts" "$BATS_FILE_TMPDIR/outside"
    cd "$FILES" || return
    for name in plain touched edited renamed linked hard mode same copied; do
        printf '#!/bin/sh\necho %s\n' "$name" >"scripts/$name.sh"
        chmod +x "scripts/$name.sh"
    done
    ln -s scripts/plain.sh old-link.sh
    ln -s scripts old-directory
    cp scripts/plain.sh "$BATS_FILE_TMPDIR/outside/x.sh"
    made=$(date +%s)
    until [ "$(date +%s)" -ge $((made + 3)) ]; do
        sleep 0.1
    done
}

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR
    mkdir -p "$HOME"
    cd "$FILES" || return
    state=$HOME/.local/state/warder
}

event_of() {
    printf '{"session_id":"%s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"%s",' \
        "${session-s}" "$PWD" "${mode:-default}"
    printf '"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"%s"},"tool_use_id":"u"}' "$1"
}

# says COMMAND: the hook's answer; the small static one must agree.
# Each answer is a record of its own, and names it.
unnamed() {
    sed -E 's/(warder (allow|approve)) \w+/\1 ID/'
}

says() {
    local small=$WARDER_BUILD/warder-hook answer other
    answer=$(event_of "$1" | "$warder" hook --home "$HOME" --client "${client:-claude}" 2>&1)
    if [ -x "$small" ]; then
        other=$(event_of "$1" | "$small" --home "$HOME" --client "${client:-claude}" 2>&1)
        [ "$(unnamed <<<"$answer")" = "$(unnamed <<<"$other")" ] || echo "warder-hook says otherwise: $other"
    fi
    if [ -z "$answer" ]; then
        echo nothing
    else
        jq -r .hookSpecificOutput.permissionDecision <<<"$answer" 2>/dev/null || echo "$answer"
    fi
}

@test "an old script is allowed from the first call on" {
    [ "$(says ./scripts/plain.sh)" = allow ]
    [ "$(says 'bash scripts/plain.sh a b')" = allow ]
    [ "$(says ./old-link.sh)" = allow ]
    [ "$(says old-directory/plain.sh)" = allow ]
    [ "$(says "$FILES/scripts/plain.sh")" = allow ]
}

@test "a script that changed since the session began asks, however it changed" {
    [ "$(says ls)" = allow ] # starts the session
    [ "$(says ./scripts/same.sh)" = allow ]
    touch -d '2001-01-01' scripts/touched.sh
    echo 'echo more' >>scripts/edited.sh
    printf 'x\n' >new && chmod +x new && mv new scripts/renamed.sh
    ln -sf plain.sh scripts/linked.sh
    ln scripts/hard.sh other-name
    chmod u+x scripts/mode.sh
    cp -p scripts/plain.sh scripts/copied.sh
    echo x >scripts/created.sh
    ln -s scripts new-directory
    ln -s scripts/plain.sh new-link.sh
    for name in touched edited renamed linked hard mode copied created; do
        echo "$name"
        [ "$(says "./scripts/$name.sh")" = ask ]
        [ "$(says "bash scripts/$name.sh")" = ask ]
    done
    [ "$(says ./other-name)" = ask ]
    [ "$(says ./new-link.sh)" = ask ]
    [ "$(says new-directory/plain.sh)" = ask ]
    [ "$(says ./scripts/same.sh)" = allow ]
    rm -f new-directory new-link.sh other-name
}

@test "without a session, or with an unknown one, it asks" {
    session='' run says ./scripts/plain.sh
    [ "$output" = ask ]
    run "$warder" check Bash ./scripts/plain.sh
    [ "$status" = 2 ]
    run "$warder" check --session nobody --client claude Bash ./scripts/plain.sh
    [ "$status" = 2 ]
    [ ! -e "$state/sessions" ]
}

@test "check and explain judge as in a session that is kept" {
    [ "$(says ls)" = allow ]
    run "$warder" check --session s --client claude Bash ./scripts/plain.sh
    [ "$status" = 0 ]
    [[ $output == *'scripts/plain.sh is a script of this project, unchanged since the session began'* ]]
    run "$warder" check --session s --client codex Bash ./scripts/plain.sh
    [ "$status" = 2 ]
    run "$warder" explain --session s --client claude Bash 'bash scripts/plain.sh'
    [ "$status" = 0 ]
    [[ $output == *project-code* ]]
    call='{"tool":"Bash","input":{"command":"./scripts/plain.sh"},"session":"s","client":"claude"}'
    run "$warder" check --jsonl <<<"$call"
    [ "$(jq -r .behavior <<<"$output")" = allow ]
}

# began TIME: changes the start of the session, as only Warder itself can.
began() {
    local file
    file=$(echo "$state"/sessions/*.json)
    jq -c ".began = $1" "$file" >"$file.new"
    chmod 600 "$file.new"
    mv "$file.new" "$file"
}

@test "a session that began before the script, or at an unknown time, asks" {
    [ "$(says ./scripts/plain.sh)" = allow ]
    began 1000
    [ "$(says ./scripts/plain.sh)" = ask ]
    began 0
    [ "$(says ./scripts/plain.sh)" = ask ]
    began null
    [[ $(says ./scripts/plain.sh) == *damaged* ]]
    began $(($(date +%s) + 1000)) # the clock was set back since
    [ "$(says ./scripts/plain.sh)" = ask ]
    began "$(date +%s)"
    [ "$(says ./scripts/plain.sh)" = allow ]
}

@test "the start of a session does not change" {
    [ "$(says ls)" = allow ]
    first=$(jq .began "$state"/sessions/*.json)
    [ "$first" -gt 0 ]
    began $((first - 1))
    [ "$(says ls)" = allow ]
    [ "$(says 'git push')" = ask ]
    [ "$(says 'rm -rf /')" = deny ]
    [ "$(jq .began "$state"/sessions/*.json)" = $((first - 1)) ]
}

@test "an older version's file has no start" {
    [ "$(says ls)" = allow ]
    file=$(echo "$state"/sessions/*.json)
    jq -c 'del(.began)' "$file" >"$file.new" && chmod 600 "$file.new" && mv "$file.new" "$file"
    [ "$(says ./scripts/plain.sh)" = ask ]
    [ "$(says ./scripts/plain.sh)" = ask ]
}

@test "another session has another start" {
    [ "$(says ls)" = allow ]
    began 1000
    [ "$(says ./scripts/plain.sh)" = ask ]
    session=other
    [ "$(says ./scripts/plain.sh)" = allow ]
}

@test "outside the workspace it asks" {
    [ "$(says "$BATS_FILE_TMPDIR/outside/x.sh")" = ask ]
    [ "$(says "bash $BATS_FILE_TMPDIR/outside/x.sh")" = ask ]
}

@test "if the session cannot be stored, nothing runs" {
    mkdir -p "$state"
    touch "$state/sessions"
    run says ./scripts/plain.sh
    [[ $output == *session* ]]
    [[ $output != allow ]]
}

@test "a command that only the client's mode clears is left to the client" {
    mode=acceptEdits
    [ "$(says './scripts/plain.sh > out.txt')" = nothing ]
    [ "$(says ./scripts/plain.sh)" = allow ]
}

@test "not in plan mode" {
    mode=plan
    [ "$(says ./scripts/plain.sh)" = deny ]
}

@test "one line turns it off" {
    mkdir -p "$HOME/.config/warder"
    echo 'scripts: false' >"$HOME/.config/warder/warder.yaml"
    [ "$(says ./scripts/plain.sh)" = ask ]
    [ "$(says make)" = allow ]
}
