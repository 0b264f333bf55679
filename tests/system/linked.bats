#!/usr/bin/env bats
# Rules of the main checkout hold in its linked work trees.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/main"
    umask 022
    git -C "$HOME/main" init -q -b main
    git -C "$HOME/main" -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m x
    git -C "$HOME/main" worktree add -q "$HOME/side" -b side
    mkdir -p "$HOME/main/.claude" "$HOME/main/.warder"
}

# verdict DIRECTORY COMMAND
verdict() {
    (cd "$1" && "$warder" check Bash "$2" 2>/dev/null | sed -n '1s/ .*//p')
}

@test "deny and ask rules hold, trusted or not" {
    echo '{"permissions": {"deny": ["Bash(make deploy)"]}}' >"$HOME/main/.claude/settings.local.json"
    echo 'ask: ["Bash(git status)"]' >"$HOME/main/.warder/warder.yaml"
    [ "$(verdict "$HOME/side" 'make deploy')" = deny ]
    [ "$(verdict "$HOME/side" 'git status')" = ask ]
}

@test "allow rules hold where a person trusted the main checkout, and only as it was then" {
    echo '{"permissions": {"allow": ["Bash(make deploy)"]}}' >"$HOME/main/.claude/settings.local.json"
    [ "$(verdict "$HOME/side" 'make deploy')" = ask ]
    (cd "$HOME/main" && "$warder" trust --yes)
    [ "$(verdict "$HOME/main" 'make deploy')" = allow ]
    [ "$(verdict "$HOME/side" 'make deploy')" = allow ]
    [ "$(verdict "$HOME/side" 'make publish')" = ask ]
    echo '{"permissions": {"allow": ["Bash(make deploy)", "Bash(make publish)"]}}' >"$HOME/main/.claude/settings.local.json"
    [ "$(verdict "$HOME/side" 'make deploy')" = ask ]
    [ "$(verdict "$HOME/side" 'make publish')" = ask ]
}

@test "the work tree's own files count as before, beside them" {
    mkdir -p "$HOME/side/.claude"
    echo '{"permissions": {"deny": ["Bash(make deploy)"]}}' >"$HOME/main/.claude/settings.local.json"
    echo '{"permissions": {"deny": ["Bash(make publish)"], "allow": ["Bash(make release)"]}}' >"$HOME/side/.claude/settings.local.json"
    (cd "$HOME/main" && "$warder" trust --yes)
    [ "$(verdict "$HOME/side" 'make deploy')" = deny ]
    [ "$(verdict "$HOME/side" 'make publish')" = deny ]
    [ "$(verdict "$HOME/side" 'make release')" = ask ]
    [ "$(verdict "$HOME/main" 'make publish')" = ask ]
}

@test "relative paths are those of the work tree" {
    echo '{"permissions": {"deny": ["Read(./notes.txt)"]}}' >"$HOME/main/.claude/settings.local.json"
    touch "$HOME/side/notes.txt"
    [ "$(verdict "$HOME/side" 'cat notes.txt')" = deny ]
}

@test "a main file that cannot be read denies in the work tree, too" {
    echo '{"permissions": {"deny": [' >"$HOME/main/.claude/settings.local.json"
    [ "$(verdict "$HOME/side" 'git status')" = deny ]
}

@test "a file that is the same in both is read once" {
    echo 'deny: ["Bash(make deploy)"]' >"$HOME/main/.warder/warder.yaml"
    mkdir -p "$HOME/side/.warder"
    cp "$HOME/main/.warder/warder.yaml" "$HOME/side/.warder/warder.yaml"
    [ "$(cd "$HOME/side" && "$warder" policy show | grep -c 'warder.yaml')" -eq 1 ]
    [ "$(verdict "$HOME/side" 'make deploy')" = deny ]
}

@test "a .git file that names a stranger's repository brings none of its rules" {
    echo '{"permissions": {"allow": ["Bash(make deploy)"]}}' >"$HOME/main/.claude/settings.local.json"
    (cd "$HOME/main" && "$warder" trust --yes)
    mkdir "$HOME/fake"
    cp "$HOME/side/.git" "$HOME/fake/.git"
    [ "$(verdict "$HOME/fake" 'make deploy')" = ask ]
}

@test "the agent of a work tree may not write the main checkout's policy" {
    echo '{"permissions": {"deny": ["Bash(make deploy)"]}}' >"$HOME/main/.claude/settings.local.json"
    run sh -c "cd '$HOME/side' && '$warder' check --mode acceptEdits Bash 'rm ../main/.claude/settings.local.json'"
    [ "$status" -ne 0 ]
    run sh -c "cd '$HOME/side' && '$warder' check --mode acceptEdits Write '$HOME/main/.claude/settings.local.json'"
    [ "$status" -ne 0 ]
}

@test "the hook sees a change of the main checkout at once" {
    cd "$HOME/side" || return
    ask_hook() {
        printf '{"session_id":"s","cwd":"%s","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git status"},"tool_use_id":"t"}' "$HOME/side" |
            "$WARDER_BUILD/warder-hook" --home "$HOME" --client claude 2>&1 || true
    }
    [[ $(ask_hook) == *'"allow"'* ]]
    [[ $(ask_hook) == *'"allow"'* ]]
    echo '{"permissions": {"deny": ["Bash(git status)"]}}' >"$HOME/main/.claude/settings.local.json"
    [[ $(ask_hook) == *deny* ]]
}
