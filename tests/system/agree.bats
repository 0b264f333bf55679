#!/usr/bin/env bats
# What counts as a yes at a terminal: y and yes, and nothing else; least of all the end of the input.

load common

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    unset CLAUDECODE CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED GEMINI_CLI QWEN_CODE COPILOT_CLI CODEX_THREAD_ID OPENCODE CURSOR_AGENT CLINE_ACTIVE
    mkdir -p "$HOME/project/.warder"
    cd "$HOME/project" || return
    umask 022
    echo 'allow: ["Bash(./deploy:*)"]' >.warder/warder.yaml
}

# typed TEXT COMMAND: at a terminal; after the text the input ends.
typed() {
    status=0
    output=$(printf '%b' "$1" | script -qec "$2" /dev/null) || status=$?
}

@test "a question is answered with yes by y and yes alone" {
    local text
    for text in 'y\n' 'Y\n' 'yes\n' 'YES\n' 'Yes\n'; do
        typed "$text" "$warder trust"
        [ "$status" = 0 ]
        expect 0 "$warder" trust status
        expect 0 "$warder" untrust
    done
    for text in '' '\n' 'n\n' 'no\n' 'yess\n' 'ye\n' 'y \n' ' y\n' 'yy\n' '1\n' 'true\n' 'n\ny\n' '\ny\n' 'yesyesyesyesyesyes\n'; do
        typed "$text" "$warder trust"
        [ "$status" = 1 ] || {
            echo "$text: $status $output"
            false
        }
        expect 1 "$warder" trust status
    done
    expect 64 "$warder" trust <<<yes
    complains 'not a terminal'
    expect 1 "$warder" trust status
}

@test "a choice is a number of the list" {
    local text
    mkdir -p "$HOME/.config/warder"
    json_text 'curl -s https://example.com/api'
    pre_tool_use s default Bash "{\"command\":$json}"
    decided "$("$warder" hook --client claude --home "$HOME" <<<"$event")"
    [ "$decided" = ask ]
    for text in '' '\n' '0\n' '5\n' '9\n' '-1\n' '+1\n' ' 1\n' '1 \n' '1x\n' 'x\n' '01\n' 'y\n' '10\n' '4294967297\n' '18446744073709551617\n'; do
        typed "$text" "$warder allow --last --home $HOME"
        [ "$status" != 0 ] || {
            echo "$text: $status $output"
            false
        }
        [ ! -e "$HOME/.config/warder/warder.yaml" ]
    done
    typed '1\n' "$warder allow --last --home $HOME"
    [ "$status" = 0 ]
    grep -F 'Bash(curl -s https://example.com/api)' "$HOME/.config/warder/warder.yaml"
}

# The second question of an installation takes Enter for a yes, but not the end of the input.
@test "what Enter agrees to, the end of the input does not" {
    local text
    for text in 'y\n\n' 'y\ny\n' 'y\nYES\n'; do
        rm -rf "$HOME/.config/warder" "$HOME/.codex"
        mkdir "$HOME/.codex"
        typed "$text" "$warder install codex --home $HOME"
        [ -e "$HOME/.config/warder/warder.yaml" ] || {
            echo "$text: $status $output"
            false
        }
    done
    for text in 'y\n' 'y\nn\n' 'y\nyess\n' 'y\nx\n' 'y\n \n'; do
        rm -rf "$HOME/.config/warder" "$HOME/.codex"
        mkdir "$HOME/.codex"
        typed "$text" "$warder install codex --home $HOME"
        [ ! -e "$HOME/.config/warder/warder.yaml" ] || {
            echo "$text: $status $output"
            false
        }
    done
}
