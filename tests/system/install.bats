#!/usr/bin/env bats
# Registering with agents that are not installed: their settings files are enough. And a new user's first five minutes.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home SHELL=/bin/bash
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CLAUDE_CONFIG_DIR CLAUDE_PROJECT_DIR CODEX_HOME COPILOT_HOME
    export PATH=/usr/bin:/bin
    mkdir -p "$HOME/project"
    cd "$HOME/project" || return
    umask 022
}

# Every client that there is.
clients() {
    "$warder" help install --json | jq -r '.operand_values[]'
}

@test "every client is in the manual, the README and docs/clients.md" {
    rows=$(sed -n 's/^AGENT(\([a-z]*\), "\(.*\)",$/\1\t\2/p' "$WARDER_SOURCE/src/core/call/agents.def")
    [ "$(cut -f1 <<<"$rows")" = "$(clients)" ]
    while IFS=$'\t' read -r name title; do
        grep -qx "\.Cm $name\( ,\)\?" "$WARDER_SOURCE/man/warder.1"
        grep -qE "\`$name\`|warder install $name" "$WARDER_SOURCE/README.md"
        grep -q "^| $title |" "$WARDER_SOURCE/docs/clients.md"
    done <<<"$rows"
}

# Every file but Warder's own record and cache.
settings() {
    find "$HOME" \( -path "$HOME/.local" -o -path "$HOME/.cache/warder" \) -prune -o -type f -print | sort
}

# claude_asks COMMAND: the answer of the hook registered for Claude Code, run as Claude Code runs it.
claude_asks() {
    local program args
    program=$(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$HOME/.claude/settings.json")
    mapfile -t args < <(jq -r '.hooks.PreToolUse[0].hooks[0].args[]' "$HOME/.claude/settings.json")
    jq -cn --arg cwd "$PWD" --arg command "$1" '{session_id: "s", transcript_path: "t", prompt_id: "p", cwd: $cwd,
        permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id: "u",
        tool_input: {command: $command}}' | "$program" "${args[@]}" | jq -r .hookSpecificOutput.permissionDecision
}

@test "a new user's five minutes, from a clean home" {
    run "$warder" doctor
    [ "$status" = 1 ]
    mkdir "$HOME/.claude" # the agent exists and has no settings yet
    run "$warder" doctor
    [ "$status" = 1 ]
    [[ $output == *'not registered: run `warder install claude`'* ]]
    run "$warder" install claude --yes
    [ "$status" = 0 ]
    [[ $output == *Registered* ]]
    run "$warder" doctor
    [ "$status" = 1 ]
    [[ $output == *'Claude Code: registered, not seen yet'* ]]
    echo '{"scripts":{"test":"true"}}' >package.json
    sleep 3 # project code is older than the first call of the session
    [ "$(claude_asks 'npm test')" = allow ]
    run "$warder" doctor
    [ "$status" = 0 ]
    [[ $output == *'Claude Code: seen, last call '* ]]
    [ "$(claude_asks 'curl https://evil.example')" = ask ]
    mkdir -p "$HOME/.config/warder"
    echo 'deny: ["Bash(curl *)"]' >"$HOME/.config/warder/warder.yaml"
    [ "$(claude_asks 'npm test && curl https://evil.example')" = deny ]
}

@test "every client: registered, checked by its canary, and removed without a trace" {
    for client in $(clients); do
        before=$(settings)
        "$warder" install "$client" --yes
        run "$warder" doctor "$client" # its own calls prove nothing, the second time neither
        run "$warder" doctor "$client"
        expected='registered, not seen yet'
        [ "$client" != codex ] || expected='has not trusted the hook yet'
        if [ "$status" != 1 ] || [[ $output != *"$expected"* ]]; then
            echo "$client: $output"
            return 1
        fi
        [[ $output == *'the harmful call: deny; the harmless one: allow'* ]] || [[ $client == crush ]]
        run "$warder" install "$client" --yes
        [[ $output == *'already registered'* ]]
        "$warder" uninstall "$client" --yes
        [ "$(settings)" = "$before" ] || {
            echo "$client leaves: $(settings)"
            return 1
        }
    done
}

@test "several agents at once, and all that are here" {
    run "$warder" install --all
    [ "$status" = 1 ]
    [[ $output == *'no agent was found on this machine'* ]]
    run "$warder" install --all claude
    [ "$status" = 64 ]
    mkdir "$HOME/.claude" "$HOME/.codex" "$HOME/.copilot"
    before=$(settings)
    run "$warder" install --all --dry-run
    [ "$status" = 0 ]
    [ "$(settings)" = "$before" ]
    [ "$("$warder" install --all --yes --json 2>/dev/null | jq -c 'map([.client, .changed])')" = \
        '[["claude",true],["codex",true],["copilot",true]]' ] # VS Code shares a directory with the last, and is not here
    run "$warder" install claude kimi --yes
    [ "$status" = 0 ]
    [[ $output == *'.claude/settings.json: already registered'*'Registered: Kimi Code asks Warder'* ]]
    # One that cannot be registered does not keep the others from it.
    run "$warder" install gemini cluade qwen --yes
    [ "$status" = 64 ]
    [[ $output == *'Registered: Gemini CLI'*'did you mean claude?'*'Registered: Qwen Code'* ]]
    rm -r "$HOME/.qwen" # an agent that is gone has nothing to remove
    run "$warder" uninstall --all --yes
    [ "$status" = 0 ]
    [[ $output == *'Claude Code no longer'*'Codex no longer'*'Gemini CLI no longer'*'Copilot CLI no longer'*'Kimi Code no longer'* ]]
    [ "$(settings)" = "$before" ] || {
        settings
        return 1
    }
    run "$warder" uninstall --all --managed
    [ "$status" = 0 ]
    [[ $output == 'No agent is registered there.' ]]
}

@test "doctor and install --all need a home" {
    for words in doctor 'install --all'; do
        # shellcheck disable=SC2086 # words
        run env -u HOME "$warder" $words
        [ "$status" = 64 ]
        [[ $output == 'warder: the home directory is not known: set HOME, or name it' ]]
    done
}

@test "the rest of the file is unchanged, and a backup is kept" {
    mkdir "$HOME/.claude"
    printf '{\n\t"model": "x",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n' >"$HOME/.claude/settings.json"
    cp "$HOME/.claude/settings.json" "$HOME/old"
    "$warder" install claude --yes
    [ "$(jq -r .model "$HOME/.claude/settings.json")" = x ]
    [ "$(jq -r '.hooks.PreToolUse[0].hooks[0].timeout' "$HOME/.claude/settings.json")" = 10 ]
    cmp "$HOME/old" "$HOME"/.claude/settings.json.warder-*.bak
    "$warder" uninstall claude --yes
    cmp "$HOME/old" "$HOME/.claude/settings.json"
}

@test "uninstall leaves no copy of the registration, and a file that was empty" {
    mkdir "$HOME/.claude"
    for text in '{}' '' '{ }'; do
        printf '%s' "$text" >"$HOME/.claude/settings.json"
        "$warder" install claude --yes
        sed -i 's/"timeout": 10/"timeout": 9/' "$HOME/.claude/settings.json" # the next one has something to mend
        "$warder" install claude --yes
        "$warder" uninstall claude --yes
        [ "$(cat "$HOME/.claude/settings.json")" = "$text" ]
        ! grep -rq warder-hook "$HOME/.claude"
        rm -r "$HOME/.claude"
        mkdir "$HOME/.claude"
    done
    # Without such a file there is none afterwards.
    "$warder" install claude --yes
    "$warder" uninstall claude --yes
    [ -z "$(ls -A "$HOME/.claude")" ]
}

@test "settings behind a link into a temporary place are said to be there" {
    [[ $HOME != /tmp/* ]] || skip "the home itself is temporary"
    there=$(mktemp -d /tmp/settings-XXXXXX)
    ln -s "$there" "$HOME/.claude"
    run "$warder" install claude --yes
    rm -r "$there"
    [[ $output == *"leads to $there, a place for temporary files"* ]]
}

@test "timeouts are in the client's own unit" {
    "$warder" install gemini --yes
    [ "$(jq '.hooks.BeforeTool[0].hooks[0].timeout' "$HOME/.gemini/settings.json")" = 10000 ]
    "$warder" install qwen --yes
    [ "$(jq '.hooks.PreToolUse[0].hooks[0].timeout' "$HOME/.qwen/settings.json")" = 10000 ]
    "$warder" install codex --yes
    [ "$(jq '.hooks.PreToolUse[0].hooks[0].timeout' "$HOME/.codex/hooks.json")" = 10 ]
    "$warder" install copilot --yes
    [ "$(jq '.hooks.preToolUse[0].timeoutSec' "$HOME/.copilot/hooks/warder.json")" = 10 ]
}

@test "nothing is written by --dry-run, without a yes, or to an unreadable file" {
    "$warder" install claude --dry-run
    run "$warder" install claude </dev/null
    [ "$status" = 64 ]
    [ ! -e "$HOME/.claude" ]
    mkdir "$HOME/.claude"
    echo '{"hooks": 1}' >"$HOME/.claude/settings.json"
    run "$warder" install claude --yes
    [ "$status" = 65 ]
    [ "$(cat "$HOME/.claude/settings.json")" = '{"hooks": 1}' ]
    echo '{}' >"$HOME/.claude/settings.json"
    chmod 666 "$HOME/.claude/settings.json"
    run "$warder" install claude --yes
    [ "$status" = 65 ]
    run "$warder" install nobody --yes
    [ "$status" = 64 ]
    run "$warder" install opencode --managed --yes
    [ "$status" = 64 ]
    run "$warder" install claude --user --project --yes
    [ "$status" = 64 ]
}

# The entry of a project names no home, and doctor's canary would then be recorded in that of whoever runs the tests.
give_own_home() {
    jq '(.hooks[][].hooks[].args) |= .[:-2] + ["--home", env.HOME] + .[-2:]' .claude/settings.json >"$HOME/own.json"
    mv "$HOME/own.json" .claude/settings.json
}

@test "doctor explains what is wrong" {
    "$warder" install claude --yes
    settings=$HOME/.claude/settings.json
    cp "$settings" "$HOME/good.json"

    # doctor_says PART
    doctor_says() {
        run "$warder" doctor claude
        [ "$status" = 1 ] && [[ $output == *"$1"* ]] || {
            echo "no '$1' in: $output"
            return 1
        }
        cp "$HOME/good.json" "$settings"
    }
    sed -i 's/"timeout": 10/"timeout": 2/' "$settings"
    doctor_says 'waits 2 s for the hook'
    sed -i 's/"matcher": "\*"/"matcher": "Edit"/' "$settings"
    doctor_says 'leaves tools out'
    jq '.disableAllHooks = true' "$HOME/good.json" >"$settings"
    doctor_says 'switches the hook off'
    jq 'del(.hooks.PreToolUse)' "$HOME/good.json" >"$settings"
    doctor_says '2 of 3 events'
    sed -i "s#$WARDER_BUILD/warder#$WARDER_BUILD/not-warder#" "$settings"
    doctor_says 'was not stopped'
    echo '{' >"$settings"
    doctor_says 'settings.json'
    chmod 666 "$settings"
    doctor_says 'settings.json'
    chmod 644 "$settings"
    "$warder" uninstall claude --yes
    "$warder" install claude --project --yes
    give_own_home
    doctor_says 'in the project only'
}

@test "doctor notices that a project switches the hook off" {
    mkdir -p sub .git
    while read -r agent file setting; do
        "$warder" install "$agent" --yes >/dev/null
        mkdir -p "$(dirname "$file")"
        printf '%b\n' "$setting" >"$file"
        run "$warder" doctor "$agent"
        [[ $output == *"$PWD/$file switches the hook off"* ]] || {
            echo "not noticed: $agent $file: $setting"
            echo "$output"
            return 1
        }
        rm "$file"
    done <<'END'
claude .claude/settings.json {"disableAllHooks": true}
qwen .qwen/settings.json {"disableAllHooks": true}
qwen .env A=b\nexport QWEN_CODE_SAFE_MODE = "1"
qwen .qwen/.env QWEN_CODE_SIMPLE=true
gemini .gemini/settings.json {"hooksConfig": {"enabled": false}}
gemini .gemini/settings.json {"hooksConfig": {"disabled": ["warder"]}}
codex .codex/config.toml model = "x"\n[features]\nhooks = false
codex .codex/config.toml features.codex_hooks = false
copilot .github/copilot/settings.json {"disableAllHooks": true}
copilot .github/copilot/settings.local.json {"disableAllHooks": true}
copilot .claude/settings.json {"disableAllHooks": true}
END
    while read -r agent file setting; do
        mkdir -p "$(dirname "$file")"
        printf '%b\n' "$setting" >"$file"
        run "$warder" doctor "$agent"
        [[ $output != *'switches the hook off'* ]] || {
            echo "not switched off: $agent $file: $setting"
            return 1
        }
        rm "$file"
    done <<'END'
gemini .gemini/settings.json {"hooksConfig": {"enabled": true, "disabled": ["other"]}}
qwen .env QWEN_CODE_SAFE_MODE=0
qwen .env #QWEN_CODE_SAFE_MODE=1\nMY_QWEN_CODE_SIMPLE=1
codex .codex/config.toml [features]\nhooks = true
codex .codex/config.toml [mcp_servers.hooks]\nenabled = false
copilot .github/copilot/settings.json {"disableAllHooks": false}
END
}

@test "what switches hooks off is looked for where the agent looks" {
    for agent in codex copilot qwen; do
        "$warder" install "$agent" --yes >/dev/null
    done
    mkdir -p deep/below .git .codex .github/copilot
    printf '[features]\nhooks = false\n' >.codex/config.toml
    echo '{"disableAllHooks": true}' >.github/copilot/settings.json
    echo QWEN_CODE_SAFE_MODE=1 >.env
    cd deep/below
    for agent in codex copilot qwen; do
        run "$warder" doctor "$agent"
        [[ $output == *'switches the hook off'* ]]
    done
    # The nearest file of variables is the only one, and settings count up to the root of the repository.
    echo A=b >../.env
    run "$warder" doctor qwen
    [[ $output != *'switches the hook off'* ]]
    mkdir ../.git
    run "$warder" doctor codex
    [[ $output != *'switches the hook off'* ]]
    run "$warder" doctor copilot
    [[ $output != *'switches the hook off'* ]]
}

@test "doctor notices what a person, and a variable, switches off" {
    "$warder" install codex --yes >/dev/null
    printf '[features]\nhooks = false\n' >"$HOME/.codex/config.toml"
    run "$warder" doctor codex
    [[ $output == *"$HOME/.codex/config.toml switches the hook off (features.hooks)"* ]]
    while read -r agent name; do
        "$warder" install "$agent" --yes >/dev/null
        run env "$name=1" "$warder" doctor "$agent"
        [[ $output == *"$name is set here"* ]]
        run env "$name=0" "$warder" doctor "$agent"
        [[ $output != *"$name is set here"* ]]
    done <<'END'
claude CLAUDE_CODE_SAFE_MODE
claude CLAUDE_CODE_SIMPLE
qwen QWEN_CODE_SAFE_MODE
opencode OPENCODE_PURE
END
    "$warder" install qwen --yes >/dev/null
    mkdir -p .qwen
    echo '{"env": {"QWEN_CODE_SIMPLE": "1"}}' >.qwen/settings.json
    run "$warder" doctor qwen
    [[ $output == *'.qwen/settings.json sets QWEN_CODE_SIMPLE'* ]]
}

@test "Codex for the whole machine: what is required of it stands between two comments" {
    run "$warder" install codex --managed --dry-run
    [[ $output == /etc/codex/requirements.toml$'\n'* ]]
    [[ $output == *'+ hooks = true'* ]]
    [[ $output == *'+ PreToolUse = [{matcher = "*", hooks = [{type = "command", command = "'* ]]
    [[ $output != *'until you trust it'* ]]
}

@test "a broken hook program is noticed by the canary" {
    "$warder" install claude --yes
    for broken in 'exit 0' 'exit 1' 'kill -SEGV $$' 'echo garbage' 'exit 2'; do
        printf '#!/bin/sh\n%s\n' "$broken" >"$HOME/warder-hook"
        chmod 755 "$HOME/warder-hook"
        sed "s#\"command\": \"[^\"]*\"#\"command\": \"$HOME/warder-hook\"#" "$HOME/.claude/settings.json" >"$HOME/x"
        mv "$HOME/x" "$HOME/.claude/settings.json"
        run "$warder" doctor claude
        [ "$status" = 1 ]
        [[ $output == *'was not stopped'* ]]
    done
}

@test "only warder-hook is registered, and an older registration of warder is not enough" {
    mkdir "$HOME/bin"
    cp "$warder" "$HOME/bin/warder"
    for client in claude opencode kimi codex; do
        rm -f "$HOME/bin/warder-hook"
        run "$HOME/bin/warder" install "$client" --yes
        [ "$status" != 0 ]
        [[ $output == *'no warder-hook is beside'* ]]
        cp "$WARDER_BUILD/warder-hook" "$HOME/bin/"
        "$HOME/bin/warder" install "$client" --yes >/dev/null
        run "$HOME/bin/warder" doctor "$client"
        [[ $output != *'needs libraries'* ]] || {
            echo "$client: $output"
            return 1
        }
        # As older versions registered it.
        grep -rlZ "bin/warder-hook" "$HOME"/.[ck]* | xargs -0 sed -i \
            -e 's#warder-hook", *"args": \[#warder", "args": ["hook", #' -e 's#warder-hook --#warder hook --#' \
            -e 's#program = "\(.*\)/warder-hook"#program = "\1/warder"#' -e 's#program, \[#program, ["hook", #'
        run "$HOME/bin/warder" doctor "$client"
        [ "$status" = 1 ] && [[ $output == *'registers a program that needs libraries'* ]] || {
            echo "$client, older: $output"
            return 1
        }
        "$HOME/bin/warder" install "$client" --yes >/dev/null
        run "$HOME/bin/warder" doctor "$client"
        [[ $output != *'needs libraries'* ]] || {
            echo "$client, again: $output"
            return 1
        }
        "$HOME/bin/warder" uninstall "$client" --yes >/dev/null
        find "$HOME" -name '*.bak' -delete
    done
}

@test "the home is registered where the user database names another one" {
    "$warder" install claude --yes
    [ "$(jq -c '.hooks.PreToolUse[0].hooks[0].args' "$HOME/.claude/settings.json")" = "[\"--home\",\"$HOME\",\"--client\",\"claude\"]" ]
    "$warder" install codex --yes
    [[ $(jq -r '.hooks.PreToolUse[0].hooks[0].command' "$HOME/.codex/hooks.json") == *"/warder-hook --home $HOME --client codex" ]]
    "$warder" install claude --project --yes
    [ "$(jq -c '.hooks.PreToolUse[0].hooks[0].args' .claude/settings.json)" = '["--client","claude"]' ]
    own=$(getent passwd "$(id -u)" | cut -d: -f6)
    [[ $("$warder" install claude --home "$own" --dry-run 2>&1) != *--home* ]]
}

@test "settings that would silence Warder in a running session are refused" {
    change='{"session_id":"s","transcript_path":"t","prompt_id":"p","cwd":"/","hook_event_name":"ConfigChange",'
    change+='"source":"user_settings","file_path":"x"}'
    "$warder" install claude --yes
    run "$warder" hook --home "$HOME" --client claude <<<"$change"
    [ "$status" = 0 ]
    [ -z "$output" ]
    cp "$HOME/.claude/settings.json" "$HOME/good.json"
    jq '.disableAllHooks = true' "$HOME/good.json" >"$HOME/.claude/settings.json"
    run "$warder" hook --home "$HOME" --client claude <<<"$change"
    [ "$(jq -r .decision <<<"$output")" = block ]
    echo '{}' >"$HOME/.claude/settings.json"
    run "$warder" hook --home "$HOME" --client claude <<<"$change"
    [ "$(jq -r .decision <<<"$output")" = block ]
    echo '{' >"$HOME/.claude/settings.json"
    run "$warder" hook --home "$HOME" --client claude <<<"$change"
    [ "$(jq -r .decision <<<"$output")" = block ]
}

@test "--json says the same" {
    mkdir "$HOME/.claude"
    run "$warder" doctor --json
    [ "$status" = 1 ]
    [ "$(jq -r '.clients[0].client' <<<"$output")" = claude ]
    [ "$(jq -r '.clients[0].ok' <<<"$output")" = false ]
    "$warder" install claude --yes --json 2>/dev/null >"$HOME/answer"
    [ "$(jq -r .changed "$HOME/answer")" = true ]
    run "$warder" doctor --json
    [ "$(jq -r '.clients[0].canary.harmful' <<<"$output")" = deny ]
}

@test "a file that the agent would drop is not registered in, and doctor says why" {
    mkdir "$HOME/.claude"
    echo '{"permissions": {"allow": "Bash"}}' >"$HOME/.claude/settings.json"
    run "$warder" install claude --yes
    [ "$status" = 65 ]
    [[ $output == *'line 1, column 27'*'Claude Code would ignore this file'* ]]
    echo '{}' >"$HOME/.claude/settings.json"
    "$warder" install claude --yes
    sed -i '1s/{/{ \/\/ mine/' "$HOME/.claude/settings.json"
    run "$warder" doctor claude
    [ "$status" = 1 ]
    [[ $output == *'NOT PROTECTED'*'settings.json:1:3: Claude Code would ignore this file'*'found a comment'* ]]
    "$warder" uninstall claude --yes # that is still possible
    grep -q mine "$HOME/.claude/settings.json"
}

@test "a call proves only the settings that it came by" {
    "$warder" install claude --yes
    claude_asks 'ls' >/dev/null
    "$warder" doctor claude
    sleep 0.1
    touch "$HOME/.claude/settings.json"
    run "$warder" doctor claude
    [ "$status" = 1 ]
    [[ $output == *'registered, not seen since its settings were changed'* ]]
    [ "$("$warder" doctor claude --json | jq -r '.clients[0].state')" = registered ]
    claude_asks 'ls' >/dev/null
    [ "$("$warder" doctor claude --json | jq -r '.clients[0] | .state, .ok')" = "$(printf 'seen\ntrue')" ]
}

@test "Codex: a hook that nobody trusted does not run, and doctor knows it" {
    "$warder" install codex --yes
    run "$warder" doctor codex
    [[ $output == *'NOT PROTECTED'*'has not trusted the hook yet'* ]]
    file=$HOME/.codex/hooks.json
    for event in PreToolUse:pre_tool_use PermissionRequest:permission_request; do
        hash=$(jq -cSj --arg event "${event#*:}" ".hooks.${event%:*}[0] | {event_name: \$event, matcher,
            hooks: [.hooks[0] + {async: false}]}" "$file" | sha256sum | cut -d' ' -f1)
        printf '[hooks.state."%s:%s:0:0"]\ntrusted_hash = "sha256:%s"\n' "$file" "${event#*:}" "$hash" >>"$HOME/.codex/config.toml"
    done
    run "$warder" doctor codex
    [[ $output == *'registered, not seen yet'* ]]
    [[ $output != *trust* ]]
    sed -i 's/"timeout": 10/"timeout": 20/' "$file"
    run "$warder" doctor codex
    [[ $output == *'trusts an earlier form of the hook'* ]]
    sed -i 's/"timeout": 20/"timeout": 10/' "$file"
    sed -i 's/^trusted_hash/enabled = false\n&/' "$HOME/.codex/config.toml"
    run "$warder" doctor codex
    [[ $output == *'the hook is switched off in Codex'* ]]
}

@test "doctor: a policy that cannot be read, a name with a typo, an editor that is not here" {
    mkdir -p "$HOME/.copilot" "$HOME/.config/warder"
    run "$warder" doctor
    [[ $output == *'Copilot CLI: NOT PROTECTED'* && $output != *'VS Code'* ]]
    run "$warder" doctor claud
    [ "$status" = 64 ]
    [[ $output == *'unknown agent "claud"; did you mean claude?'* ]]
    run "$warder" install cluade
    [ "$status" = 64 ]
    [[ $output == *'did you mean claude?'* ]]
    run "$warder" install nothing-like-it
    [[ $output == *'; the known ones are claude codex '*' vscode' ]]
    "$warder" install claude --yes
    claude_asks 'ls' >/dev/null
    "$warder" doctor claude
    echo 'deny: [' >"$HOME/.config/warder/warder.yaml"
    run "$warder" doctor claude
    [ "$status" = 1 ]
    [[ $output == *'NOT PROTECTED'*'PROBLEM'*'the policy cannot be read'*'warder.yaml'* ]]
}

@test "an agent that cannot ask may edit once a person has said so" {
    policy=$HOME/.config/warder/warder.yaml
    "$warder" install opencode --yes --edits no
    [ ! -e "$policy" ]
    run "$warder" install opencode --edits maybe
    [ "$status" = 64 ]
    "$warder" install opencode --dry-run --edits yes
    [ ! -e "$policy" ]
    "$warder" install opencode --yes
    [ "$(cat "$policy")" = 'edits: [opencode]' ]
    "$warder" install gemini --yes
    "$warder" install claude --yes # tells its mode, and asks
    [ "$(cat "$policy")" = 'edits: [gemini, opencode]' ]
    "$warder" uninstall opencode --yes
    [ "$(cat "$policy")" = 'edits: [gemini]' ]
    "$warder" uninstall gemini --yes
    [ ! -e "$policy" ]
}

@test "edits is written into the policy that is there, and nothing else of it changes" {
    mkdir -p "$HOME/.config/warder"
    cd "$HOME/.config/warder" || return
    put() { # NAME TEXT EXPECTED: by install, and back by uninstall
        rm -f warder.*
        printf '%s' "$2" >"$1"
        "$warder" install kimi --yes >/dev/null
        [ "$(cat "$1")" = "$3" ] || {
            cat "$1"
            return 1
        }
        "$warder" policy check "$1" >/dev/null
        "$warder" uninstall kimi --yes >/dev/null
        grep -q kimi "$1" && cat "$1" && return 1
        return 0
    }
    put warder.yaml $'# mine\ndeny: ["Bash(x *)"]\n' $'# mine\ndeny: ["Bash(x *)"]\nedits: [kimi]'
    put warder.yaml $'edits: [codex] # said\n' $'edits: [kimi, codex] # said'
    put warder.toml $'deny = ["Bash(x *)"]\n' $'edits = ["kimi"]\ndeny = ["Bash(x *)"]'
    put warder.json '{"deny": ["Bash(x *)"]}' '{"edits": ["kimi"], "deny": ["Bash(x *)"]}'
    rm -f warder.*
    printf 'edits:\n  - codex\n' >warder.yaml
    "$warder" install kimi --yes >/dev/null
    [ "$(cat warder.yaml)" = $'edits:\n  - kimi\n  - codex' ]
    echo 'deny: [' >warder.yaml
    run "$warder" install windsurf --yes
    [ "$status" = 65 ]
    [ "$(cat warder.yaml)" = 'deny: [' ]
}

@test "doctor names hooks of others that run before the same tools, and no others" {
    others() {
        "$warder" doctor "$1" --json | jq -r '.clients[0].other_hooks[] | [.file, .event, .matcher, .runs] | join(" ")' |
            sed "s|$HOME|~|"
    }
    mkdir -p .claude .codex .github/hooks "$HOME/.config/opencode/plugins" "$HOME/.copilot"
    for client in claude codex gemini copilot qwen opencode vscode; do
        "$warder" install "$client" --yes >/dev/null
        [ -z "$(others "$client")" ]
    done
    run "$warder" doctor claude
    [[ $output != *'other hook'* ]]
    # Not those of other events, nor our own in the project's settings.
    "$warder" install claude --project --yes
    give_own_home
    jq '.hooks.PreToolUse += [{matcher: "Bash", hooks: [{type: "command", command: "rtk", args: ["hook", "a b"]}]}]
        | .hooks.Stop = [{hooks: [{type: "command", command: "bell"}]}]' .claude/settings.json >x.json
    mv x.json .claude/settings.json
    echo '{"hooks": {"PermissionRequest": [{"hooks": [{"type": "http", "url": "http://localhost:1/"}]}]}}' >.claude/settings.local.json
    here="~/project/.claude/settings.json PreToolUse Bash rtk hook 'a b'
~/project/.claude/settings.local.json PermissionRequest  http://localhost:1/"
    [ "$(others claude)" = "$here" ]
    run "$warder" doctor claude
    [[ $output == *"other hook  "*".claude/settings.json, PreToolUse: rtk hook 'a b'"*'can change a call that Warder has judged'* ]]
    # Copilot CLI reads these, too.
    echo '{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "./mine.sh"}]}}' >.github/hooks/x.json
    [ "$(others copilot)" = "~/project/.github/hooks/x.json preToolUse  ./mine.sh
$here" ]
    # One that has our name is not ours for that.
    jq '.hooks.BeforeTool += [{hooks: [{type: "command", command: "/opt/x/warder-hook --client gemini"}]}]' "$HOME/.gemini/settings.json" >x.json
    mv x.json "$HOME/.gemini/settings.json"
    [ "$(others gemini)" = "~/.gemini/settings.json BeforeTool  /opt/x/warder-hook --client gemini" ]
    printf '[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "mine"\n' >.codex/config.toml
    [ "$(others codex)" = '~/project/.codex/config.toml PreToolUse  mine' ]
    touch "$HOME/.config/opencode/plugins/other.ts"
    [ "$(others opencode)" = '~/.config/opencode/plugins/other.ts   ' ]
    # A home that was moved.
    mkdir "$HOME/moved"
    echo '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "m"}]}]}}' >"$HOME/moved/settings.json"
    [[ $(CLAUDE_CONFIG_DIR=$HOME/moved others claude) == '~/moved/settings.json PreToolUse  m'* ]]
}
