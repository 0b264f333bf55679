#!/usr/bin/env bats
# `warder status`: what a person sees at a glance, and the line that agents and shells show.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8 SHELL=/bin/bash PATH=/usr/bin:/bin
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR
    mkdir -p "$HOME/project" "$HOME/.claude"
    cd "$HOME/project" || return
    umask 022
    state=$HOME/.local/state/warder
    "$warder" install claude --home "$HOME" --yes >/dev/null 2>&1
}

call() { # COMMAND: from Claude Code
    jq -nc --arg c "$1" --arg d "$PWD" '{session_id: "s", transcript_path: "t", prompt_id: "p",
        cwd: $d, permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: $c},
        tool_use_id: "u"}' | "$warder" hook --home "$HOME" --client claude >/dev/null
}

codex() { # COMMAND EVENT
    jq -nc --arg c "$1" --arg d "$PWD" --arg e "$2" '{session_id: "s", turn_id: "t", model: "m", cwd: $d,
        permission_mode: "default", hook_event_name: $e, tool_name: "Bash", tool_input: {command: $c}}' |
        "$warder" hook --home "$HOME" --client codex >/dev/null
}

line() {
    expect 0 "$warder" status --line --home "$HOME"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/out")" = 1 ]
    [[ $output =~ ^[\ -~]+$ ]] # printable ASCII
}

@test "a registered agent, and no call yet" {
    expect 0 "$warder" status --home "$HOME"
    says 'Claude Code    registered      no call yet'
    says 'today          no calls today'
    line
    [ "$output" = 'warder: no calls today' ]
}

@test "today's calls are counted once each, and doctor's not at all" {
    "$warder" doctor --home "$HOME" >/dev/null 2>&1 || true
    call 'git status'
    codex ls PreToolUse
    codex ls PermissionRequest
    call 'curl https://example.com'
    call 'rm -rf ~'
    line
    [ "$output" = 'warder: 2 allowed, 1 asked, 1 denied' ]
    expect 0 "$warder" status --home "$HOME"
    says 'Claude Code    registered      last call just now'
    says 'today          2 allowed, 1 asked, 1 denied'
    expect 0 "$warder" status --home "$HOME" --json
    [ "$(jq -c '[.ok, .attention, .today.calls, .today.asked, .agents[0].registered]' <<<"$output")" = '[true,[],4,1,true]' ]
    [[ $(jq -r '.agents[0].last_call' <<<"$output") == 20*Z ]]
}

@test "an input cannot hide its call" {
    jq -nc --arg d "$PWD" '{session_id: "s", transcript_path: "t", prompt_id: "p", cwd: $d, permission_mode: "default",
        hook_event_name: "PreToolUse", tool_name: "mcp__x__y", tool_input: {again: true, client: "codex", decision: "x"},
        tool_use_id: "u"}' | "$warder" hook --home "$HOME" --client claude >/dev/null
    line
    [ "$output" = 'warder: 0 allowed, 1 asked, 0 denied' ]
    expect 0 "$warder" status --home "$HOME" --json
    [ "$(jq -r '[.agents[].client] | join(" ")' <<<"$output")" = claude ]
}

@test "an agent that is not registered, and one that no longer is" {
    call ls
    rm "$HOME/.claude/settings.json"
    mkdir "$HOME/.gemini"
    expect 1 "$warder" status --home "$HOME"
    says 'Claude Code    NOT REGISTERED  last call just now'
    says 'Gemini CLI     NOT REGISTERED  no call yet'
    says 'warder install NAME'
    line
    [ "$output" = 'warder: 1 allowed, 0 asked, 0 denied | Claude Code NOT PROTECTED' ]
    rm -r "$HOME/.claude" "$HOME/.gemini"
    expect 0 "$warder" status --home "$HOME"
    says 'Claude Code    not here now    last call just now'
    expect 0 "$warder" status --home "$HOME" --json
    [ "$(jq -r '.agents[0] | [.registered, .protected] | join(" ")' <<<"$output")" = 'false false' ]
}

@test "a registration that does not hold is named" {
    jq '.disableAllHooks = true' "$HOME/.claude/settings.json" >"$HOME/x" && mv "$HOME/x" "$HOME/.claude/settings.json"
    expect 1 "$warder" status --home "$HOME"
    says 'Claude Code    NOT PROTECTED'
    says 'switches the hook off'
    line
    [[ $output == *'| Claude Code NOT PROTECTED' ]]
}

@test "a policy that cannot be read" {
    mkdir -p "$HOME/.config/warder" .warder
    printf 'dney: ["Bash"]\n' >"$HOME/.config/warder/warder.yaml"
    expect 1 "$warder" status --home "$HOME"
    says 'POLICY ERROR'
    says 'warder.yaml:1'
    line
    [[ $output == *'| POLICY ERROR: every call is denied'* ]]
    expect 1 "$warder" status --home "$HOME" --json
    [ "$(jq -c .attention <<<"$output")" = '["agents","policy"]' ]
}

@test "the mode that policy names" {
    mkdir -p "$HOME/.config/warder"
    echo 'mode: acceptEdits' >"$HOME/.config/warder/warder.yaml"
    expect 0 "$warder" status --home "$HOME"
    says 'mode           acceptEdits'
}

@test "questions that wait" {
    codex 'curl https://example.com' PreToolUse
    expect 1 "$warder" status --home "$HOME"
    says 'WAITING        1 approval: warder approve'
    line
    [[ $output == *'| 1 waiting for you' ]]
}

@test "a pause" {
    mkdir -p "$state"
    chmod 700 "$state"
    up=$(cut -d. -f1 /proc/uptime) now=$(date +%s)
    printf '{"user":%d,"since":%d,"until":%d,"up_since":%d,"up_until":%d,"boot":"%s","project":""}\n' "$(id -u)" "$now" \
        $((now + 600)) "$up" $((up + 600)) "$(cat /proc/sys/kernel/random/boot_id)" >"$state/pause.json"
    call 'curl https://example.com'
    expect 1 "$warder" status --home "$HOME"
    says 'PAUSED         until 20'
    says '1 of them in a pause'
    line
    [ "$output" = 'warder: PAUSED for 10 min | 1 allowed, 0 asked, 0 denied' ]
    expect 1 "$warder" status --home "$HOME" --json
    [ "$(jq -c '[.attention, .today.allowed_by_pause]' <<<"$output")" = '[["paused"],1]' ]
    expect 1 "$warder" doctor --home "$HOME"
    says 'PAUSED until 20'
}

@test "the line holds nothing that an agent or a project has chosen" {
    local evil=$'\e[31mevil'
    mkdir -p "$HOME/$evil" .warder
    cd "$HOME/$evil"
    mkdir -p .warder .claude
    printf 'deny: ["Bash(evil"]\nevil: 1\n' >.warder/warder.yaml
    printf '{"evil": ' >.claude/settings.json
    call "echo $evil" 2>/dev/null || true
    line
    [[ $output != *evil* ]]
}

@test "a record that cannot be read" {
    mkdir -p "$state"
    chmod 700 "$state"
    mkdir "$state/log.sqlite"
    expect 1 "$warder" status --home "$HOME"
    says 'RECORD ERROR'
    line
    [[ $output == *'| the record cannot be read' ]]
}
