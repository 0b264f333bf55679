#!/usr/bin/env bats
# Nothing that an agent may do takes policy or registration away: the project's deny and ask rules hold until the session
# ends, and what makes the agent ask is compared as a whole.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR
    mkdir -p "$HOME/project/.warder"
    cd "$HOME/project" || return
    echo 'deny: ["Bash(npm test:*)"]' >.warder/warder.yaml
}

# verdict COMMAND [SESSION [PROGRAM...]]
verdict() {
    local session=${2:-s} out
    out=$(printf '{"session_id":"%s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"default",%s"tool_input":{"command":"%s"},"tool_use_id":"u"}' \
        "$session" "$PWD" '"hook_event_name":"PreToolUse","tool_name":"Bash",' "$1" |
        "${@:3}" "${hook[@]:-$warder}" --home "$HOME" --client claude 2>"$BATS_TEST_TMPDIR/err") || return
    jq -r '.hookSpecificOutput | .permissionDecision + " " + .permissionDecisionReason' <<<"$out"
}

both() {
    hook=("$warder" hook)
    "$1"
    rm -rf "$HOME/.local"
    echo 'deny: ["Bash(npm test:*)"]' >.warder/warder.yaml
    [ ! -x "$WARDER_BUILD/warder-hook" ] || {
        hook=("$WARDER_BUILD/warder-hook")
        "$1"
    }
}

files_removed() {
    [[ $(verdict 'npm test') = deny* ]]
    rm -r .warder
    [[ $(verdict 'npm test') = "deny "*"kept from the start of the session"* ]]
    [[ $(verdict 'npm test' other) = allow* ]]
    [[ $(verdict 'ls') = allow* ]]
    mkdir .warder
}

@test "rules of files that are gone hold until the session ends" {
    both files_removed
}

rules_changed() {
    [[ $(verdict 'ls') = allow* ]]
    echo 'deny: ["Bash(make:*)"]' >.warder/warder.yaml
    [[ $(verdict 'npm test') = deny* ]]
    [[ $(verdict 'make') = deny* ]]
    "$warder" trust --yes
    [[ $(verdict 'npm test') = allow* ]]
    [[ $(verdict 'make') = deny* ]]
    rm .warder/warder.yaml
    [[ $(verdict 'make') = deny* ]]
}

@test "new rules count beside the old ones, until a person trusts them" {
    both rules_changed
}

@test "a directory or a link in the place of a file, and settings of the agent" {
    hook=("$warder" hook)
    mkdir .claude
    echo '{"permissions": {"ask": ["Bash(ls:*)"]}}' >.claude/settings.json
    [[ $(verdict 'ls') = ask* ]]
    rm .claude/settings.json .warder/warder.yaml
    mkdir .claude/settings.json .warder/warder.yaml
    [[ $(verdict 'ls') != allow* ]]
    [[ $(verdict 'npm test') = deny* || $(verdict 'npm test') = "" ]]
    rmdir .claude/settings.json .warder/warder.yaml
    ln -s /dev/null .claude/settings.json
    [[ $(verdict 'ls') != allow* ]]
    rm .claude/settings.json
    [[ $(verdict 'ls') = ask* ]]
}

@test "a session that only gained rules names its files anew" {
    hook=("$warder" hook)
    [[ $(verdict 'ls') = allow* ]]
    first=$(jq -r .policy "$HOME"/.local/state/warder/sessions/*.json)
    printf 'deny: ["Bash(npm test:*)", "Bash(make:*)"]\n' >.warder/warder.yaml
    [[ $(verdict 'ls') = allow* ]]
    second=$(jq -r .policy "$HOME"/.local/state/warder/sessions/*.json)
    [ "$first" != "$second" ]
    [ -e "$HOME/.local/state/warder/policies/$second" ]
    echo 'deny: ["Bash(npm test:*)"]' >.warder/warder.yaml
    [[ $(verdict 'make') = deny* ]]
}

@test "what was kept and is gone denies" {
    hook=("$warder" hook)
    [[ $(verdict 'ls') = allow* ]]
    rm -r "$HOME/.local/state/warder/policies" .warder
    run verdict 'ls'
    [[ $output != allow* ]]
    grep -q 'begin a new session' "$BATS_TEST_TMPDIR/err" || [[ $output = *'begin a new session'* ]]
}

# ---- what makes the agent ask ----

# settings EXIT PART: what doctor says after a call, and ConfigChange.
settings() {
    local code=0 out
    printf '{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}' \
        "$PWD" | "$warder" hook --home "$HOME" --client claude >/dev/null
    out=$("$warder" doctor --home "$HOME" claude 2>&1) || code=$?
    [ "$code" = "$1" ] && [[ $out = *"$2"* ]] || {
        echo "$code: $out"
        return 1
    }
    out=$(printf '{"session_id":"s","transcript_path":"t","cwd":"%s","hook_event_name":"ConfigChange","source":"user_settings"}' \
        "$PWD" | "$warder" hook --home "$HOME" --client claude)
    if [ "$1" = 0 ]; then [ -z "$out" ]; else [[ $out = *block* ]]; fi || {
        echo "ConfigChange: $out"
        return 1
    }
}

@test "local settings, and our entry as a whole, are looked at" {
    [ -x "$WARDER_BUILD/warder-hook" ] || skip "no warder-hook"
    rm -r .warder
    file=$HOME/.claude/settings.json
    "$warder" install --home "$HOME" --yes claude
    settings 0 seen
    mkdir .claude
    for local in .claude "$HOME/.claude"; do
        echo '{"disableAllHooks": true}' >"$local/settings.local.json"
        settings 1 'settings.local.json'
        echo '{"disableAllHooks": false, "model": "x"}' >"$local/settings.local.json"
        settings 0 seen
    done
    cp "$file" "$HOME/good"
    for edit in 's/"timeout"/"async": true, "timeout"/' 's/"timeout"/"if": "Bash(x)", "timeout"/' \
        's/"args": \[/"args": ["--mode", "bypassPermissions", /' 's/"args": \[/"args": ["--allow", "Bash", /' \
        's/"args": \[/"args": ["--policy", "\/tmp\/x.yaml", /' '0,/{/s/{/{"env": {"HOME": "\/tmp"},/' \
        '0,/{/s/{/{"env": {"LD_PRELOAD": "x.so"},/'; do
        sed "$edit" "$HOME/good" >"$file"
        ! cmp -s "$HOME/good" "$file"
        settings 1 PROBLEM
    done
    sed '0,/{/s/{/{"env": {"EDITOR": "vi"}, "model": "x",/; s/"timeout": 10/"timeout": 60/' "$HOME/good" >"$file"
    settings 0 seen
    "$warder" doctor --home "$HOME" claude | grep -q 'cannot change these settings'
    sed "s|$WARDER_BUILD/warder-hook|/nonexistent/warder-hook|" "$HOME/good" >"$file"
    run "$warder" doctor --home "$HOME" claude
    [ "$status" != 0 ]
    [[ $output != *'cannot change these settings'* ]]
}
