#!/usr/bin/env bats
# `warder pause`: a person is not asked for a while; what is denied or protected stays so, and nothing else makes a pause.

load terminal
load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8 SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH CLAUDE_PROJECT_DIR TMUX
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project" "$HOME/other"
    cd "$HOME/project" || return
    umask 022
    # shellcheck disable=SC2034 # terminal.bash has it
    socket=$BATS_TEST_TMPDIR/tmux.0
    home=$HOME
    state=$HOME/.local/state/warder
    file=$state/pause.json
    # Where there is one, the small program answers as agents register it.
    hook=("$warder" hook)
    [ ! -x "$WARDER_BUILD/warder-hook" ] || hook=("$WARDER_BUILD/warder-hook")
}

# ask COMMAND [MODE]: what the hook answers to Claude Code, into $said and $why.
ask() {
    json_text "$1"
    pre_tool_use s "${2:-default}" Bash "{\"command\":$json}"
    decided "$("${hook[@]}" --home "$home" --client claude <<<"$event")"
    said=$decided
}

answers() { # VERDICT COMMAND [MODE]
    ask "$2" "${3:-}"
    [ "$said" = "$1" ] || {
        echo "$2: $said instead of $1: $why"
        return 1
    }
}

pause() { # ARGUMENTS...: by a person
    in_terminal "$warder pause --home $HOME $*"
    wait_for 'status 0'
}

# forge JQ: a file that is right but for one thing.
forge() {
    local up
    mkdir -p "$state"
    chmod 700 "$state"
    up=$(cut -d. -f1 /proc/uptime)
    jq -cn --argjson now "$(date +%s)" --argjson up "$up" --argjson user "$(id -u)" \
        --arg boot "$(cat /proc/sys/kernel/random/boot_id)" "{user: \$user, since: (\$now - 5), until: (\$now + 595),
        up_since: (\$up - 5), up_until: (\$up + 595), boot: \$boot, project: \"\"} | $1" >"$file"
}

@test "while it lasts, a question is an allow, and the record names the pause" {
    answers ask 'curl https://example.com'
    pause 10m
    wait_for 'paused until'
    answers allow 'curl https://example.com'
    answers allow 'curl https://example.com' acceptEdits
    answers allow 'curl https://example.com' auto
    expect 0 "$warder" log --json --limit 1
    [ "$(jq -r '.decisions[0] | .decision + " " + .answered_by' <<<"$output")" = 'auto-accept pause' ]
    [[ $(jq -r '.decisions[0].reason' <<<"$output") =~ ^'Warder is paused until '[0-9T:-]+'Z (' ]]
    grep -q '"kind":"pause","action":"began","until":"' "$state"/journal/*
    expect 0 "$warder" resume --home "$HOME"
    says 'the pause is over'
    grep -q '"kind":"pause","action":"ended"' "$state"/journal/*
    answers ask 'curl https://example.com'
    expect 0 "$warder" resume --home "$HOME"
    says 'there was no pause'
    expect 0 "$warder" log verify
}

@test "what is harmless is not said to be paused" {
    pause 10m
    answers allow 'git status'
    expect 0 "$warder" log --json --limit 1
    [ "$(jq -r '.decisions[0].answered_by' <<<"$output")" = null ]
}

@test "denied and protected stay so, and so do ask rules" {
    mkdir -p "$HOME/.config/warder"
    printf 'deny: ["Bash(touch:*)"]\nask: ["Bash(make:*)"]\n' >"$HOME/.config/warder/warder.yaml"
    pause 10m
    answers allow 'curl https://example.com'
    for mode in default acceptEdits auto bypassPermissions; do
        answers deny 'touch x' $mode
        answers deny 'rm -rf ~' $mode
        answers ask 'make x' $mode
        answers ask "echo x > $HOME/.config/warder/warder.yaml" $mode
        answers ask "echo x > $HOME/.local/state/warder/pause.json" $mode
        answers ask "echo x > $HOME/.claude/settings.json" $mode
        answers deny 'warder pause 8h' $mode
    done
    answers deny 'curl https://example.com' dontAsk
    answers deny 'touch y && curl https://example.com'
}

@test "policy can forbid it, also while it lasts" {
    pause 10m
    answers allow 'curl https://example.com'
    mkdir -p "$HOME/.config/warder"
    for key in 'pause: off' 'pause: "off"' 'pause: false' 'disableBypassPermissionsMode: disable'; do
        echo "$key" >"$HOME/.config/warder/warder.yaml"
        answers ask 'curl https://example.com'
        in_terminal "$warder pause 10m --home $HOME"
        wait_for 'policy forbids a pause'
        wait_for 'status 65'
    done
    echo 'pause: on' >"$HOME/.config/warder/warder.yaml"
    answers allow 'curl https://example.com'
    echo 'pause: sometimes' >"$HOME/.config/warder/warder.yaml"
    expect 65 "$warder" policy check "$HOME/.config/warder/warder.yaml"
    says 'pause must be "on" or "off"'
}

@test "a project can forbid it, but not allow it" {
    pause 10m
    mkdir .warder
    echo 'pause: off' >.warder/warder.yaml
    answers ask 'curl https://example.com'
    echo 'pause: on' >.warder/warder.yaml
    mkdir -p "$HOME/.config/warder"
    echo 'pause: off' >"$HOME/.config/warder/warder.yaml"
    answers ask 'curl https://example.com'
}

@test "one project only" {
    pause 10m --project
    wait_for "$HOME/project"
    answers allow 'curl https://example.com'
    mkdir deep
    cd deep
    answers allow 'curl https://example.com'
    cd "$HOME/other"
    answers ask 'curl https://example.com'
    cd "$HOME"
    answers ask 'curl https://example.com'
    mkdir "$HOME/project-b"
    cd "$HOME/project-b"
    answers ask 'curl https://example.com'
}

@test "it ends by itself" {
    pause 2s
    answers allow 'curl https://example.com'
    sleep 2.1
    answers ask 'curl https://example.com'
}

@test "only a person at a terminal begins one" {
    for input in 'echo y' 'yes y'; do
        run bash -c "$input | '$warder' pause 10m --home '$HOME'"
        [ "$status" = 65 ]
        [[ $output == *'needs a terminal'* ]]
    done
    in_terminal "CLAUDECODE=1 $warder pause 10m --home $HOME"
    wait_for 'this runs inside claude'
    wait_for 'status 65'
    printf '#!/bin/bash\n%s pause 10m --home %s\n:\n' "$warder" "$HOME" >codex
    chmod +x codex
    in_terminal ./codex
    wait_for 'this runs inside codex'
    [ ! -e "$file" ]
}

@test "the time must be one, and at most eight hours" {
    for time in '' 0m 10 9h 8h1m 481m 1d 1w -5m 99999999h soon '5 m'; do
        in_terminal "$warder pause --home $HOME '$time'"
        wait_for 'status 64'
        [ ! -e "$file" ]
    done
    pause 8h
    [ -e "$file" ]
}

@test "what cannot be recorded does not begin" {
    mkdir -p "$state"
    chmod 700 "$state"
    touch "$state/journal"
    in_terminal "$warder pause 10m --home $HOME"
    wait_for 'warder: '
    screen | grep -q 'status 0' && return 1
    [ ! -e "$file" ]
}

@test "a file that is not exactly right is no pause" {
    forge '.'
    answers allow 'curl https://example.com'
    local wrong=(
        '.since += 60' '.up_since += 60'                                           # from the future
        '.until -= 596' '.up_until -= 596'                                         # over, by one of the clocks
        '.until += 40000' '.up_until += 40000' '(.until, .up_until) += 40000'      # too long
        '.until += 1' '.up_until -= 1'                                             # the clocks disagree
        '.since = -1' '.up_since = -1' '.since = "1"' '.until = 1e12' '.until = null'
        '.until = 9223372036854775807' '.up_until = 9223372036854775807'
        '(.until, .up_until) = 9223372036854775807' '.since = -9223372036854775808'
        '.boot = ""' '.boot |= ascii_upcase' '.boot = "00000000-0000-4000-8000-000000000000"' 'del(.boot)'
        '.user = 4711' 'del(.user)' '.user |= tostring'
        '.project = "/nowhere"' '.project = null' 'del(.project)' '.more = 1'
        'del(.since)' '[.]' 'tostring' '{}' 'to_entries | reverse | from_entries'
    )
    for change in "${wrong[@]}"; do
        forge "$change"
        answers ask 'curl https://example.com' || {
            echo "a pause by $change"
            return 1
        }
    done
    : >"$file"
    answers ask 'curl https://example.com'
    forge '.'
    printf ' ' >>"$file"
    answers ask 'curl https://example.com'
    forge '.'
    head -c 40000 /dev/zero | tr '\0' ' ' >>"$file"
    answers ask 'curl https://example.com'
}

@test "a file that others could have written is no pause" {
    forge '.'
    answers allow 'curl https://example.com'
    for mode in 602 620 666; do
        chmod $mode "$file"
        answers ask 'curl https://example.com'
    done
    chmod 600 "$file"
    mv "$file" "$HOME/elsewhere.json"
    ln -s "$HOME/elsewhere.json" "$file"
    answers ask 'curl https://example.com'
    rm "$file"
    mkfifo "$file"
    answers ask 'curl https://example.com'
    rm "$file"
    mkdir "$file"
    answers ask 'curl https://example.com'
    rmdir "$file"
    mv "$HOME/elsewhere.json" "$file"
    answers allow 'curl https://example.com'
    [ "$(id -u)" = 0 ] || return 0
    chown 4711 "$file"
    answers ask 'curl https://example.com'
}

@test "neither variables nor a project's files make one" {
    mkdir -p here/warder
    forge '.'
    mv "$file" here/warder/pause.json
    XDG_STATE_HOME=$PWD/here answers ask 'curl https://example.com'
    mkdir -p .local/state/warder
    cp here/warder/pause.json .local/state/warder/
    HOME=$PWD answers ask 'curl https://example.com'
    WARDER_PAUSE=1 answers ask 'curl https://example.com'
    cp here/warder/pause.json .
    answers ask 'curl https://example.com'
}

@test "check and explain say what policy says" {
    pause 10m
    expect 2 "$warder" check -- curl https://example.com
    expect 2 "$warder" explain -- curl https://example.com
}

@test "warder run is paused, too" {
    pause 10m
    mkdir bin
    printf '#!/bin/sh\ntouch ran\n' >bin/unknown-tool
    chmod +x bin/unknown-tool
    expect 0 env PATH="$PWD/bin:$PATH" "$warder" run --home "$HOME" -- unknown-tool </dev/null
    [ -e ran ]
}

@test "agents that cannot ask are paused, too" {
    pause 10m
    event=$(jq -nc --arg d "$PWD" '{session_id: "s", turn_id: "t", model: "m", cwd: $d, permission_mode: "default",
        hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: "curl https://example.com"}}')
    expect 0 "${hook[@]}" --home "$HOME" --client codex <<<"$event"
    [ -z "$output" ]
    expect 0 "$warder" resume --home "$HOME"
    expect 0 "${hook[@]}" --home "$HOME" --client codex <<<"$event"
    says '"permissionDecision":"deny"'
    says 'warder approve'
}
