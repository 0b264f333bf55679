#!/usr/bin/env bats
# Contained calls, from the hook's answer to the token: what an agent is answered, and what it cannot do with it.

# shellcheck disable=SC2154,SC2016 # common.bash sets them; the commands expand their own variables
load common

setup() {
    warder=$WARDER_BUILD/warder
    program=$WARDER_BUILD/warder
    place=$(mktemp -d /var/tmp/warder-contained-XXXXXX) # not below /tmp, which can be written in every cell
    home=$place/home
    cells=$home/.local/state/warder/cells
    tier=$home/.cache/warder/cell
    export ASAN_OPTIONS=exitcode=99:detect_leaks=0 UBSAN_OPTIONS=exitcode=99
    [ -x "$WARDER_BUILD/warder-cell" ] || skip "there is no warder-cell here"
    bwrap --dev-bind / / true 2>/dev/null || skip "no bubblewrap here"
    mkdir -p "$home/project/sub" "$home/.config/warder"
    mkdir -p -m 700 "$home/.cache/warder"
    # Tokens are below the home of the user database.
    echo "someone:x:$(id -u):$(id -g)::$home:/bin/bash" >"$place/passwd"
    echo 'sandbox: {use: auto}' >"$home/.config/warder/warder.yaml"
    cd "$home/project" || return
    prove_tier namespaces
    # no hook starts a check of its own, which would write that file while a test does
    touch "$home/.cache/warder/cell-tried-$(cat /proc/sys/kernel/random/boot_id)-$(build_id)"
}

teardown() {
    rm -rf "$place"
}

build_id() { sed -n 's/.*0x\([0-9a-f]*\).*/\1/p' "$WARDER_BUILD/generated/image_build.h"; }

# As `warder sandbox check` writes it.
prove_tier() {
    printf '{"tier":"%s","boot":"%s","build":"%s"}\n' "$1" "${2:-$(cat /proc/sys/kernel/random/boot_id)}" \
        "${3:-$(build_id)}" >"$tier"
    chmod 600 "$tier"
}

# The hook is registered by the person: so acceptEdits, which Claude Code reports, is the person's mode.
prove_person() {
    mkdir -p "$home/.claude"
    echo '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "warder hook"}]}]}}' >"$home/.claude/settings.json"
}

inside() {
    bwrap --dev-bind / / --bind "$place/passwd" /etc/passwd -- \
        env -u XDG_STATE_HOME -u XDG_CONFIG_HOME -u WARDER_CONFIG -u CLAUDE_CONFIG_DIR HOME="$home" SHELL=/bin/bash "$@"
}

event_of() {
    json_text "$1"
    printf '{"session_id":"%s","transcript_path":"t","prompt_id":"p","cwd":"%s","permission_mode":"%s",' \
        "${session:-s}" "$home/project" "${mode:-acceptEdits}"
    printf '"hook_event_name":"%s","tool_name":"Bash","tool_input":{"command":%s,"description":"d"},"tool_use_id":"%s"}' \
        "${event:-PreToolUse}" "$json" "${use:-u1}"
}

# answer COMMAND: what Claude Code is answered.
answer() {
    status=0
    event_of "$1" | inside "$program" hook --client claude >"$place/out" 2>"$place/err" || status=$?
    output=$(<"$place/out")
    stderr=$(<"$place/err")
    no_faults
}

decision() {
    decided "$output"
    case $decided in
        allow | ask | deny) echo "$decided" ;;
        *) jq -r '.hookSpecificOutput.permissionDecision // "none"' <<<"$output" ;;
    esac
}
command_of() {
    case $output in
        *'"updatedInput"'*) jq -r '.hookSpecificOutput.updatedInput.command // "none"' <<<"$output" ;;
        ?*) echo none ;;
    esac
}
token_of() { command_of | grep -Eo '[0-9a-f]{32}$'; }

is_contained() { [ "$(decision)" = allow ] && [[ $(command_of) =~ ^/[^\ ]*/warder-cell\ [0-9a-f]{32}$ ]]; }
asks() {
    [ "$(decision)" = ask ] && [ "$(command_of)" = none ] || {
        echo "$output"
        return 1
    }
}
records() { cat "$home"/.local/state/warder/journal/*.jsonl; }

@test "an unknown program is answered with a token, its input keeps the rest, and the plan holds the command" {
    answer 'frobnicate "a b"'
    is_contained
    [ "$(jq -r .hookSpecificOutput.updatedInput.description <<<"$output")" = d ]
    token=$(token_of)
    [ "$(stat -c '%a %U' "$cells")" = "700 $(id -un)" ]
    [ "$(stat -c '%a %U %h' "$cells/$token")" = "600 $(id -un) 1" ]
    plan=$(<"$cells/$token")
    [ "$(jq -c '[.version, .words, .directory]' <<<"$plan")" = "[1,[\"bash\",\"-c\",\"frobnicate \\\"a b\\\"\"],\"$home/project\"]" ]
    [ "$(jq -r .boot <<<"$plan")" = "$(cat /proc/sys/kernel/random/boot_id)" ]
    [ "$(jq -r .build <<<"$plan")" = "$(build_id)" ]
    until=$(jq -r .until <<<"$plan")
    ((until > $(date +%s) + 500 && until <= $(date +%s) + 600))
    [ "$(jq -c .write <<<"$plan")" = "[\"$home/project\",\"/tmp\"]" ]
    records | grep -q '"contained":{"tier":"namespaces"'
    # the record has the text that was judged
    records | grep -q 'frobnicate'
}

@test "project code is contained, what only reads is not" {
    answer 'npm test'
    is_contained
    answer 'ls'
    [ "$(decision)" = allow ]
    [ "$(command_of)" = none ]
}

@test "the plan of a token runs, and nothing it does leaves the project" {
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
    printf 'echo made > made\necho out > ../outside\npwd\n' >gen.sh
    answer 'bash gen.sh'
    is_contained
    inside bash -c "$(command_of)" >"$place/ran" 2>&1 || true
    [ "$(cat made)" = made ]
    [ ! -e ../outside ]
    grep -q "^$home/project$" "$place/ran"
    [ ! -e "$cells/$(token_of)" ]
    # ... once
    rm made
    status=0
    inside bash -c "$(command_of)" >"$place/ran" 2>&1 || status=$?
    [ "$status" = 125 ]
    [ ! -e made ]
}

@test "the client's shell is sent where the text would have left it" {
    answer 'cd sub && frobnicate'
    [ "$(decision)" = allow ]
    [[ $(command_of) =~ ^cd\ --\ $home/project/sub\;\ /[^\ ]*/warder-cell\ [0-9a-f]{32}$ ]]
    [ "$(jq -r .directory <"$cells/$(token_of)")" = "$home/project" ]
    # ... afterwards, if it is not there yet, with the exit code of what ran
    answer "cd $home/project/new; frobnicate; exit 3"
    [ "$(decision)" = allow ]
    [[ $(command_of) =~ ^/[^\ ]*/warder-cell\ [0-9a-f]{32}\;\ set\ --\ \$\?\;\ cd\ --\ $home/project/new\  ]]
    unshare -Urmn true 2>/dev/null || return 0
    [ "$(inside bash -c "$(command_of)"$'\n''echo "$?"; pwd' 2>/dev/null)" = "3"$'\n'"$home/project" ]
}

@test "... and where only the run can tell, warder-cell says it afterwards" {
    prove_person
    for text in 'd=$(mktemp -d) && cd "$d"; frobnicate 2>/dev/null; (exit 3)' 'mkdir -p "a b" && cd "a b"; frobnicate 2>/dev/null; (exit 3)'; do
        answer "$text"
        [ "$(decision)" = allow ]
        token=$(jq -r .hookSpecificOutput.updatedInput.command <<<"$output" | grep -Eo -m1 '[0-9a-f]{32}' | head -1)
        [ "$(command_of)" = "$WARDER_BUILD/warder-cell $token; set -- \$?; cd -- \"\$($WARDER_BUILD/warder-cell --left $token)\" 2>/dev/null; (exit \$1)" ]
        [ "$(jq -r .follow <"$cells/$token")" = true ]
        unshare -Urmn true 2>/dev/null || continue
        ended=$(inside bash -c "$(command_of)"$'\n''echo "$?"; pwd' 2>/dev/null)
        [[ $ended = 3$'\n'/tmp/tmp.* || $ended = 3$'\n'"$home/project/a b" ]]
        ! compgen -G "$cells/left-*"
    done
    # an agent whose commands have a shell each needs none of it
    jq -cn --arg cwd "$PWD" '{session_id: "s", cwd: $cwd, hook_event_name: "BeforeTool", timestamp: "t", tool_name: "run_shell_command", tool_input: {command: "cd \"$X\"; frobnicate"}}' |
        inside "$program" hook --client gemini >"$place/out"
    [[ $(jq -r .hookSpecificOutput.tool_input.command <"$place/out") =~ ^$WARDER_BUILD/warder-cell\ [0-9a-f]{32}$ ]]
}

@test "deny and ask rules count on the text that was asked about" {
    mkdir -p "$home/.claude"
    echo '{"permissions": {"deny": ["Bash(frobnicate:*)"], "ask": ["Bash(other:*)"]}}' >"$home/.claude/settings.json"
    answer 'frobnicate x'
    [ "$(decision)" = deny ]
    answer 'other x'
    asks
    answer 'third x'
    is_contained
}

@test "rules that cannot be read, because a variable moves them or files were named, contain nothing" {
    status=0
    output=$(event_of 'frobnicate' | inside env CLAUDE_CONFIG_DIR="$place/other" "$program" hook --client claude)
    asks
    [ ! -e "$cells" ]
}

@test "what was not proved, or not here, or by somebody else, is no sandbox" {
    prove_tier namespaces 11111111-1111-1111-1111-111111111111
    answer frobnicate
    asks
    prove_tier namespaces '' 0000000000000000
    answer frobnicate
    asks
    prove_tier none
    answer frobnicate
    asks
    prove_tier namespaces
    chmod 622 "$tier"
    answer frobnicate
    asks
    rm "$tier"
    answer frobnicate
    asks
    prove_tier namespaces
    mv "$tier" "$place/moved"
    ln -s "$place/moved" "$tier"
    answer frobnicate
    asks
}

@test "HOME and XDG_STATE_HOME lead no token elsewhere" {
    mkdir -p "$place/agent/.cache/warder" "$place/agent/.config/warder" "$place/agent/project"
    cp "$tier" "$place/agent/.cache/warder/cell"
    cp "$home/.config/warder/warder.yaml" "$place/agent/.config/warder/"
    status=0
    output=$(event_of frobnicate | inside env HOME="$place/agent" "$program" hook --client claude --home "$place/agent")
    asks
    output=$(event_of frobnicate | inside env HOME="$place/agent" XDG_STATE_HOME="$place/agent" "$program" hook --client claude)
    [ ! -e "$place/agent/.local/state/warder/cells" ]
    [ ! -e "$place/agent/warder/cells" ]
}

@test "a token that cannot be stored is a question" {
    mkdir -p "$home/.local/state/warder"
    echo file >"$cells"
    answer frobnicate
    asks
    rm "$cells"
    mkdir "$cells"
    chmod 777 "$cells"
    answer frobnicate
    asks
    [[ $output == *"it should run in the sandbox"* ]]
    records | tail -1 | grep -q '"behavior":"ask"'
    rm -rf "$cells"
    ln -s "$place" "$cells"
    answer frobnicate
    asks
}

@test "a program that builds cells, where what runs in one could replace it, builds none" {
    [ -x "$WARDER_BUILD/warder-hook" ] || skip "this build has no warder-hook (it needs musl-gcc)"
    event_of ls | inside "$program" hook --client claude --image >/dev/null
    sleep 0.2
    mkdir tools
    cp "$WARDER_BUILD/warder-hook" "$WARDER_BUILD/warder-cell" tools/
    output=$(event_of frobnicate | inside "$home/project/tools/warder-hook" --client claude 2>/dev/null) || true
    [[ $output != *'"allow"'* ]]
}

# contains CLIENT WORDS...: is it answered with a token, started by these words?
contains() {
    local client=$1
    shift
    output=$(other_event "$client" | inside "$@" "$program" hook --client "$client" 2>&1) || true
    rm -f "$cells"/????????????????????????????????
    [[ $output == *"warder-cell "* ]]
}

# As each of them spells it.
other_event() {
    local command='"command":"frobnicate"'
    case $1 in
        codex) printf '{"session_id":"s","turn_id":"t","model":"m","cwd":"%s","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{%s},"tool_use_id":"u"}' "$PWD" "$command" ;;
        gemini) printf '{"session_id":"s","cwd":"%s","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"run_shell_command","tool_input":{%s}}' "$PWD" "$command" ;;
        copilot) printf '{"sessionId":"s","timestamp":1,"cwd":"%s","toolName":"bash","toolArgs":{%s}}' "$PWD" "$command" ;;
        opencode) printf '{"client":"opencode","hook_event_name":"tool.execute.before","session_id":"s","cwd":"%s","tool_name":"bash","tool_input":{%s}}' "$PWD" "$command" ;;
        *) event_of frobnicate ;;
    esac
}

# PLACE TEXT: a file with a rule of the client; it is gone afterwards.
is_kept_by() {
    local client=$1 path=$2 text=$3
    mkdir -p "$(dirname "$path")"
    printf '%s\n' "$text" >"$path"
    contains "$client" env && {
        echo "$client is contained despite $path: $output"
        return 1
    }
    rm "$path"
    contains "$client" env || {
        echo "$client: $output"
        return 1
    }
}

@test "a client that runs its own text is asked about" {
    for client in qwen cursor; do
        ! contains "$client" env
    done
    echo 'sandbox: {use: always}' >"$home/.config/warder/warder.yaml"
    ! contains qwen env
}

@test "other clients are contained where they have no rules of their own, which would not see the old text" {
    for client in codex gemini copilot opencode; do
        contains "$client" env
    done
    is_kept_by codex "$home/.codex/rules/default.rules" 'prefix_rule(pattern=["x"], decision="forbidden")'
    is_kept_by codex "$home/project/.codex/rules/a.rules" 'prefix_rule(pattern=["x"], decision="prompt")'
    is_kept_by gemini "$home/.gemini/policies/mine.toml" 'decision = "deny"'
    is_kept_by gemini "$home/.gemini/settings.json" '{"tools": {"exclude": ["run_shell_command(x)"]}}'
    is_kept_by gemini "$home/project/.gemini/settings.json" '{"coreTools": ["run_shell_command(ls)"]}'
    is_kept_by copilot "$home/.copilot/config.json" '{"denied_tools": ["shell(x)"]}'
    is_kept_by opencode "$home/project/opencode.json" '{"permission": {"bash": {"x *": "deny"}}}'
    is_kept_by opencode "$home/.config/opencode/agents/mine.md" 'anything'
    # what they save when a person says always is no reason
    mkdir -p "$home/.codex/rules"
    echo 'prefix_rule(pattern=["ls"], decision="allow")' >"$home/.codex/rules/default.rules"
    contains codex env
    # what cannot be read may be a rule
    mkdir "$home/.codex/rules/odd.rules"
    ! contains codex env
    rmdir "$home/.codex/rules/odd.rules"
    # settings that are elsewhere, and rules that came by a variable or an option
    contains codex env CODEX_HOME="$home/.codex"
    ! contains codex env CODEX_HOME="$place/other"
    ! contains opencode env OPENCODE_PERMISSION='{"bash":"deny"}'
    ! contains copilot bash -c 'shift; "$@"; exit' bash --deny-tool=x
    contains copilot bash -c 'shift; "$@"; exit' bash --other
    ! contains copilot bash -c 'shift 2; "$@"; exit' bash --deny-tool x
    # ... unless the person wants it nevertheless
    echo 'sandbox: {use: always}' >"$home/.config/warder/warder.yaml"
    echo 'prefix_rule(pattern=["x"], decision="forbidden")' >"$home/.codex/rules/default.rules"
    contains codex env
}

@test "a second question of the client is not answered with an uncontained allow" {
    event=PermissionRequest
    answer 'npm test'
    [ -z "$output" ]
    answer frobnicate
    [ -z "$output" ]
    [ ! -e "$cells" ]
}

@test "a token that was left although its call ran: recorded, and nothing is contained until it is checked again" {
    answer frobnicate
    is_contained
    token=$(token_of)
    [ -e "$cells/$token" ]
    event_of frobnicate | sed s/PreToolUse/PostToolUse/ | inside "$program" hook --client claude --ran
    [ ! -e "$cells/$token" ]
    records | grep -q '"kind":"sandbox-ignored","client":"claude"'
    answer frobnicate
    asks
    session=other
    answer frobnicate
    asks
    sleep 0.1
    prove_tier namespaces
    answer frobnicate
    is_contained
}

@test "a token that was used is no alarm, nor is that of another call" {
    answer frobnicate
    use=u2
    answer other
    token=$(token_of)
    rm "$cells/$token" # as warder-cell does
    event_of other | sed s/PreToolUse/PostToolUse/ | inside "$program" hook --client claude --ran
    use=u3
    answer third
    is_contained
    ! records | grep -q sandbox-ignored
    ! ls "$cells" | grep -q "^$token"
}

@test "the next call of a session finds an old token, and what has expired is swept" {
    answer frobnicate
    token=$(token_of)
    touch -d '2 minutes ago' "$cells/$token"
    session=other
    answer ls
    [ -e "$cells/$token" ]
    session=s
    answer ls
    [ ! -e "$cells/$token" ]
    records | grep -q sandbox-ignored
    prove_tier namespaces
    touch -d '1 minute' "$tier"
    answer frobnicate
    token=$(token_of)
    touch -d '1 hour ago' "$cells/$token"
    session=other
    answer ls
    [ ! -e "$cells/$token" ]
    ! ls "$cells" | grep -q "^$token"
}

@test "a project cannot widen a plan" {
    mkdir -p .warder "$home/secret" "$home/other"
    echo x >"$home/secret/x"
    cat >.warder/warder.yaml <<END
sandbox: {write: ["$home/other"], reveal: [~/.ssh], hide: ["$home/secret"], protect: [sub], env: {keep: [SECRET_TOKEN], hide: [PLAIN]}, outside: ["frobnicate*"], sockets: [/run/docker.sock]}
END
    echo "sandbox: {write: [$home/local], sockets: [$home/socket]}" >.warder/warder.local.yaml
    mkdir -p "$home/.ssh" "$home/local"
    touch "$home/socket"
    inside "$warder" trust --yes >/dev/null
    SECRET_TOKEN=x answer frobnicate
    is_contained
    plan=$(<"$cells/$(token_of)")
    # a trusted local file may say where can be written, and not which programs outside are reached
    [ "$(jq -c .write <<<"$plan")" = "[\"$home/project\",\"$home/local\",\"/tmp\"]" ]
    jq -e 'has("sockets") | not' <<<"$plan"
    jq -e --arg p "$home/.ssh" '.hide | index($p)' <<<"$plan"
    jq -e --arg p "$home/secret" '.hide | index($p)' <<<"$plan"
    jq -e --arg p "$home/project/sub" '.protect | index($p)' <<<"$plan"
    jq -e '.remove | index("PLAIN")' <<<"$plan"
    jq -e '[.set[] | select(startswith("SECRET_TOKEN"))] == []' <<<"$plan"
}

@test "the user's own words, and deny rules on paths, are in the plan" {
    mkdir -p "$home/other" "$home/.ssh" "$home/private" docs
    touch "$home/socket"
    cat >"$home/.config/warder/warder.yaml" <<END
sandbox: {use: auto, write: ["$home/other"], reveal: ["$home/.ssh"], sockets: ["$home/socket"], background: end}
deny: ["Read(~/private)", "Edit(docs)"]
END
    answer frobnicate
    is_contained
    plan=$(<"$cells/$(token_of)")
    [ "$(jq -c .write <<<"$plan")" = "[\"$home/project\",\"$home/other\",\"/tmp\"]" ]
    jq -e --arg p "$home/.ssh" '.hide | index($p) == null' <<<"$plan"
    jq -e --arg p "$home/private" '.hide | index($p)' <<<"$plan"
    jq -e --arg p "$home/project/docs" '.protect | index($p)' <<<"$plan"
    [ "$(jq -c .sockets <<<"$plan")" = "[\"$home/socket\"]" ]
    [ "$(jq .background <<<"$plan")" = false ]
}

@test "warder-hook answers the same by itself" {
    [ -x "$WARDER_BUILD/warder-hook" ] || skip "this build has no warder-hook (it needs musl-gcc)"
    event_of ls | inside "$program" hook --client claude --image >/dev/null
    sleep 0.2
    mkdir "$place/alone"
    cp "$WARDER_BUILD/warder-hook" "$WARDER_BUILD/warder-cell" "$place/alone/"
    output=$(event_of frobnicate | inside "$place/alone/warder-hook" --client claude)
    [ "$(decision)" = allow ]
    [[ $(command_of) =~ ^$place/alone/warder-cell\ [0-9a-f]{32}$ ]]
    [ "$(jq -c .words <"$cells/$(token_of)")" = '["bash","-c","frobnicate"]' ]
}

@test "check and explain say it of any machine and client" {
    cd "$home/project"
    expect 0 "$warder" check --home "$home" --tier namespaces --client claude --json Bash frobnicate
    [ "$(jq -c '[.behavior, .contained.tier, .contained.plan.directory]' <<<"$output")" = "[\"allow\",\"namespaces\",\"$home/project\"]" ]
    expect 2 "$warder" check --home "$home" --tier none --client claude --json Bash frobnicate
    [ "$(jq -r '.contained // "no"' <<<"$output")" = no ]
    expect 2 "$warder" check --home "$home" --tier namespaces --json Bash frobnicate
    expect 2 "$warder" check --home "$home" --tier namespaces --client qwen --json Bash frobnicate
    expect 64 "$warder" check --home "$home" --tier frob --client claude --json Bash frobnicate
    call='{"tool":"Bash","input":{"command":"frobnicate"},"client":"claude","tier":"namespaces"}'
    output=$("$warder" check --home "$home" --jsonl <<<"$call")
    [ "$(jq -r .contained.tier <<<"$output")" = namespaces ]
    output=$("$warder" explain --home "$home" --tier namespaces --client claude Bash frobnicate)
    says "sandbox"
    says "$home/project"
    [ ! -e "$cells" ]
}

# both COMMAND: what check says of the call as the hook gets it.
both() { jq -cn --arg text "$1" '{tool: "Bash", input: {command: $text}, client: "claude", mode: "acceptEdits"}' | inside "$program" check --home "$home" --jsonl; }

@test "a part that only the mode allows which the agent reports: contained where the mode is a person's, by hook and check alike" {
    answer 'touch made; frobnicate'
    asks
    says "only the mode that the agent reports"
    output=$(both 'touch made; frobnicate')
    [ "$(jq -r .behavior <<<"$output")" = ask ]
    says "only the mode that the agent reports"
    answer 'frobnicate'
    is_contained
    prove_person
    answer 'touch made; frobnicate'
    is_contained
    [ "$(jq -c '[.behavior, .contained.tier]' <<<"$(both 'touch made; frobnicate')")" = '["allow","namespaces"]' ]
    # ... and the project names a mode
    mkdir -p .claude
    echo '{"permissions": {"defaultMode": "acceptEdits"}}' >.claude/settings.json
    answer 'touch made; frobnicate'
    asks
    [ "$(jq -r .behavior <<<"$(both 'touch made; frobnicate')")" = ask ]
}

hidden() { jq -e --arg place "$1" '.hide | index($place)' <"$cells/$(token_of)" >/dev/null; }

@test "what is hidden is remembered, and found again when anything has changed" {
    mkdir -p "$home/.ssh" "$home/.elsewhere" "$home/other"
    answer 'frobnicate'
    is_contained
    hidden "$home/.ssh"
    [ "$(stat -c '%a %U %h' "$cells/hidden")" = "600 $(id -un) 1" ]
    # something new
    mkdir -p "$home/.config/newtool"
    use=u2 answer 'frobnicate'
    hidden "$home/.config/newtool"
    # a link leads elsewhere than before
    ln -s "$home/other" "$home/.aws"
    use=u3 answer 'frobnicate'
    hidden "$home/other"
    mkdir "$home/others"
    ln -sfn "$home/others" "$home/.aws"
    use=u4 answer 'frobnicate'
    hidden "$home/others"
    # what is gone is not in the plan: nothing could be built for it
    rm -r "$home/.ssh"
    use=u5 answer 'frobnicate'
    ! hidden "$home/.ssh"
}

@test "a memory of what is hidden that is cut off, of another start, or not ours alone does not count" {
    mkdir -p "$home/.ssh"
    answer 'frobnicate'
    hidden "$home/.ssh"
    memory=$(<"$cells/hidden")
    forge() { # with nothing hidden
        chmod 600 "$cells/hidden"
        printf '%s\n' "$memory" | grep -v '^h' | "${@:-cat}" >"$cells/forged"
        cat "$cells/forged" >"$cells/hidden"
    }
    forge
    chmod 666 "$cells/hidden"
    use=u2 answer 'frobnicate'
    hidden "$home/.ssh"
    forge head -n -1
    use=u3 answer 'frobnicate'
    hidden "$home/.ssh"
    forge sed "1s/$(cat /proc/sys/kernel/random/boot_id)/00000000-0000-4000-8000-000000000000/"
    use=u4 answer 'frobnicate'
    hidden "$home/.ssh"
    forge sed "1s/$(build_id)/0123456789abcdef/"
    use=u5 answer 'frobnicate'
    hidden "$home/.ssh"
    mv "$cells/hidden" "$home/elsewhere"
    forge 2>/dev/null || true
    mv "$cells/hidden" "$home/forged" 2>/dev/null || true
    ln -sf "$home/forged" "$cells/hidden"
    use=u6 answer 'frobnicate'
    hidden "$home/.ssh"
    # every directory that it depends on was looked at
    printf '%s\n' "$memory" | grep -q "^d.* $home$"
    printf '%s\n' "$memory" | grep -q "^d.* $home/.config$"
}

@test "how a cell ended is in the record, and the agent is told what was refused and whom to ask" {
    printf 'echo x > "$HOME/evil"\nexit 3\n' >gen.sh
    answer 'bash gen.sh'
    is_contained
    token=$(token_of)
    run inside bash -c "$(command_of)"
    [ "$status" -eq 3 ]
    [[ $output == *"write to $home/evil"*"warder outside $token (a person is asked)"* ]]
    [ ! -e "$home/evil" ]
    [ -e "$cells/$token.end" ]
    use=u2 answer 'ls'
    [ ! -e "$cells/$token.end" ]
    records | jq -se --arg token "$token" --arg what "$home/evil" \
        'map(select(.kind == "cell-end")) | length == 1 and .[0].token == $token and .[0].code == 3 and
         any(.[0].refused[]; .kind == "write" and .what == $what)'
}

@test "a server that one call of a session leaves is reached by the next, and by no other session" {
    printf 'python3 -m http.server 7654 --bind 127.0.0.1 >/dev/null 2>&1 &\nsleep 1\n' >serve.sh
    answer 'bash serve.sh'
    is_contained
    run inside bash -c "$(command_of)"
    [ "$status" -eq 0 ]
    use=u2 answer 'frobnicate; curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:7654/'
    run inside bash -c "$(command_of) 2>/dev/null"
    [ "$output" = 200 ]
    session=other use=u3 answer 'frobnicate; curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:7654/'
    run inside bash -c "$(command_of) 2>/dev/null"
    [ "$output" = 000 ]
    kill "$(pgrep -f -- '-m http.server 7654 --bind')"
}

# id_of: what names the last contained call for `warder outside`.
id_of() { records | sed -n 's/.*"outside":"\([0-9a-f]*\)".*/\1/p' | tail -1; }

at_terminal() { # KEY WORDS...: presses the key after the time in which keys are ignored
    local key=$1
    shift
    (for _ in $(seq 12); do
        sleep 0.5
        printf '%s' "$key" 2>/dev/null || break
    done) | inside env -u CLAUDECODE TERM=xterm script -qec "$*" /dev/null >"$place/screen" 2>&1
}

@test "a person lets a call run outside, once, and only the very same one" {
    printf 'echo one\n' >gen.sh
    answer 'bash gen.sh'
    is_contained
    id=$(id_of)
    [ "${#id}" = 32 ]
    ! inside "$warder" outside "$id" </dev/null
    ! inside env CLAUDECODE=1 "$warder" outside "$id"
    ! inside "$warder" outside 00000000000000000000000000000000
    [ ! -e "$cells/outside-$id" ]
    at_terminal c "$warder outside $(token_of)" || [ "$?" = 2 ] # by what it was answered with, too
    grep -q 'bash gen.sh' "$place/screen"
    at_terminal a "$warder outside $id" || {
        cat "$place/screen"
        return 1
    }
    grep -q 'bash gen.sh' "$place/screen"
    records | grep -q "\"kind\":\"outside\",\"id\":\"$id\",\"answer\":\"once\""
    [ -e "$cells/outside-$id" ]
    # another session, command or content is another call
    session=t use=u2 answer 'bash gen.sh'
    is_contained
    use=u3 answer 'bash ./gen.sh'
    is_contained
    printf 'echo two\n' >gen.sh
    use=u4 answer 'bash gen.sh'
    is_contained
    printf 'echo one\n' >gen.sh
    use=u5 answer 'bash gen.sh'
    [ "$(decision)" = allow ]
    [ "$(command_of)" = none ]
    records | tail -1 | grep -q 'outside the sandbox, once'
    use=u6 answer 'bash gen.sh'
    is_contained
}

@test "a yes that is too old, a refusal and retry: deny let nothing out" {
    answer 'frobnicate'
    is_contained
    id=$(id_of)
    touch -d '11 minutes ago' "$cells/outside-$id"
    use=u2 answer 'frobnicate'
    is_contained
    [ ! -e "$cells/outside-$id" ]
    ! at_terminal d "$warder outside $id"
    records | grep -q '"kind":"outside".*"answer":"refused"'
    [ ! -e "$cells/outside-$id" ]
    echo 'sandbox: {use: auto, retry: deny}' >"$home/.config/warder/warder.yaml"
    use=u3 answer 'frobnicate'
    is_contained
    ! records | tail -1 | grep -q '"outside"'
}

@test "what has changed since the call ran is not let outside, and its plan is kept no longer than it must" {
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
    printf 'echo one\n' >gen.sh
    answer 'bash gen.sh'
    token=$(token_of)
    inside bash -c "$(command_of)" >/dev/null
    kept=$(cd "$cells" && echo ran-*-"$token")
    [ "$(stat -c '%a %U %h' "$cells/$kept")" = "600 $(id -un) 1" ]
    jq -e --arg p "$home/project/gen.sh" '.bound | map(select(.[0] == $p)) | length == 1' <"$cells/$kept"
    # a plan that is kept is no token
    run inside "$WARDER_BUILD/warder-cell" "$kept"
    [ "$status" -eq 125 ]
    printf 'echo two\n' >gen.sh
    ! at_terminal a "$warder outside $token"
    grep -q "gen.sh has changed since the call ran in the sandbox" "$place/screen"
    [ ! -e "$cells/outside-$(id_of)" ]
    # what was changed runs in the sandbox, and can be let outside then
    use=u2 answer 'bash gen.sh'
    is_contained
    token=$(token_of)
    inside bash -c "$(command_of)" >/dev/null
    at_terminal a "$warder outside $token"
    use=u3 answer 'bash gen.sh'
    [ "$(command_of)" = none ]
    # nothing is let outside of which nothing is kept, and what is too old goes with the next event
    use=u4 answer 'bash gen.sh'
    token=$(token_of)
    inside bash -c "$(command_of)" >/dev/null
    mv "$cells"/ran-*-"$token" "$cells/ran-000000000001-$token"
    ! at_terminal a "$warder outside $token"
    grep -q 'nothing is kept of that call any more' "$place/screen"
    session=other answer ls
    [ ! -e "$cells/ran-000000000001-$token" ]
    ls "$cells" | grep -q '^ran-'
}

# fails: a contained call that meets walls and fails; its end is on record afterwards.
fails() {
    use=$1 answer "$2"
    is_contained
    if inside bash -c "$(command_of)" >/dev/null 2>&1; then return 1; fi
    use=$1-next answer ls
}

make_failing() {
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
    mkdir -p "$home/.tool" "$home/.config/frobnicate"
    cat >gen.py <<END
import socket, sys
for path in "$home/.tool/state", "$home/.bashrc", "$home/new", "/etc/warder-test", "$home/.ssh/config":
    try: open(path, "w")
    except OSError: pass
for address in ("192.0.2.7", 5432), ("127.0.0.1", 9):
    try: socket.create_connection(address, 1)
    except OSError: pass
s = socket.socket(socket.AF_UNIX)
try: s.connect("$home/server")
except OSError: pass
sys.exit(int(sys.argv[1]))
END
    python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$home/server"
}

@test "what calls failed without is suggested with its evidence, and nothing that is protected" {
    make_failing
    inside "$warder" sandbox suggest >"$place/none"
    grep -q "no call that failed" "$place/none"
    # one that could do without is none
    answer 'python3 gen.py 0'
    is_contained
    inside bash -c "$(command_of)" >/dev/null 2>&1
    use=u2 answer ls
    inside "$warder" sandbox suggest --json | jq -e '.suggestions == []'
    fails u3 'python3 gen.py 1'
    fails u4 'python3 gen.py 2'
    fails u5 'frobnicate --now'
    inside "$warder" sandbox suggest --json >"$place/said"
    [ "$(jq -c '[.suggestions[] | [.key, .value, .calls]] | sort' "$place/said")" = \
        "[[\"network.hosts\",\"192.0.2.7:5432\",2],[\"reveal\",\"$home/.config/frobnicate\",1],[\"sockets\",\"$home/server\",2],[\"write\",\"$home/.tool\",2]]" ]

    jq -e '.suggestions[0] | .command == "python3 gen.py 2" and .client == "claude" and .last' "$place/said"
    jq -e --arg h "$home" '[.others[].what] | (index($h + "/.bashrc") and index($h + "/new") and index("/etc/warder-test"))' "$place/said"
    # as a policy it is what it says
    jq '{sandbox: (.sandbox + {use: "auto"})}' "$place/said" >"$home/.config/warder/warder.json"
    rm "$home/.config/warder/warder.yaml"
    use=u6 answer 'python3 gen.py 3'
    is_contained
    plan=$(<"$cells/$(token_of)")
    jq -e --arg h "$home" '(.write | index($h + "/.tool")) and .hosts == ["192.0.2.7:5432"] and .sockets == [$h + "/server"] and (.hide | index($h + "/.config/frobnicate") | not)' <<<"$plan"
    # the text says the same, and what has another time is left out
    inside "$warder" sandbox suggest | grep -q "python3 gen.py"
    inside "$warder" sandbox suggest --since 2999-01-01 --json | jq -e '.suggestions == []'
    expect 64 inside "$warder" sandbox suggest --since someday
}

# always KEY NUMBER WORDS...: answers the panel with the key, then takes that place and says yes.
always() {
    local key=$1 number=$2
    shift 2
    : >"$place/screen"
    (for _ in $(seq 60); do
        grep -q 'Which one' "$place/screen" && break
        printf '%s' "$key" 2>/dev/null
        sleep 0.3
    done
    printf '\025%s\n' "$number" 2>/dev/null # after what was typed too much
    for _ in $(seq 60); do
        grep -q 'Write this\|nothing to write\|warder: ' "$place/screen" && break
        sleep 0.2
    done
    printf 'y\n' 2>/dev/null
    sleep 1) | inside env -u CLAUDECODE TERM=xterm script -qefc "$*" /dev/null >"$place/screen" 2>&1
}

@test "a person lets it do that inside, always: the lines are shown and written" {
    make_failing
    fails u1 'python3 gen.py 1'
    id=$(id_of)
    # an agent has no way to it
    code=0
    inside env CLAUDECODE=1 "$warder" outside "$id" <<<'y' || code=$?
    [ "$code" != 0 ]
    [ "$(<"$home/.config/warder/warder.yaml")" = 'sandbox: {use: auto}' ]
    code=0
    always d 1 "$warder outside $id" || code=$?
    [ "$code" = 1 ] # this one call was refused
    grep -q "$home/.config/warder/warder.yaml" "$place/screen"
    [ "$(<"$home/.config/warder/warder.yaml")" = "sandbox: {use: auto, \"write\": [\"$home/.tool\"], \"network\": {\"hosts\": [\"192.0.2.7:5432\"]}, \"sockets\": [\"$home/server\"]}" ] || {
        cat "$home/.config/warder/warder.yaml" "$place/screen"
        return 1
    }
    records | grep -q '"kind":"outside".*"answer":"refused"'
    records | grep -q '"kind":"outside".*"answer":"always"'
    use=u2 answer 'python3 gen.py 0'
    is_contained
    [ "$(jq -c .hosts "$cells/$(token_of)")" = '["192.0.2.7:5432"]' ]
    [ ! -e "$cells/outside-$id" ]
}

@test "lines for one project go to its local file, without what only a person's own may say" {
    make_failing
    fails u1 'python3 gen.py 1'
    code=0
    always d 2 "$warder outside $(id_of)" || code=$?
    [ "$code" = 1 ]
    grep -q '192.0.2.7:5432' .warder/warder.local.yaml
    [ "$(grep -c sockets .warder/warder.local.yaml)" = 0 ]
    [ "$(<"$home/.config/warder/warder.yaml")" = 'sandbox: {use: auto}' ]
    use=u2 answer 'python3 gen.py 0'
    is_contained
    [ "$(jq -c .hosts "$cells/$(token_of)")" = '["192.0.2.7:5432"]' ]
}

@test "what a call deletes there the keeper saves, or nothing is run" {
    unshare -Urmn true 2>/dev/null || skip "no user namespaces here"
    echo 'undo: {use: on}' >"$home/.config/warder/warder.yaml"
    mkdir src
    printf 'all:\n\techo ran >>ran\n' >Makefile
    sleep 1.1 # it is older than the session
    echo kept >src/a
    answer 'rm src/a && make'
    is_contained
    [ "$(jq -r .undo.needed "$cells/$(token_of)")" = true ]
    inside bash -c "$(command_of)"
    [ ! -e src/a ]
    [ "$(cat ran)" = ran ]
    inside script -qec "$warder undo" /dev/null <<<y >"$place/undone" 2>&1 || true
    cat "$place/undone"
    [ "$(cat src/a)" = kept ]
    # ... also what nobody knew before
    mkdir -p src/empty/deep
    answer 'find src -depth -type d -empty -exec rmdir {} +'
    is_contained
    inside bash -c "$(command_of)"
    [ ! -e src/empty/deep ]
    inside script -qec "$warder undo" /dev/null <<<y >"$place/undone" 2>&1 || true
    [ -d src/empty/deep ]
    # the entry is gone before it runs
    answer 'rm src/a && make'
    is_contained
    rm -rf "$home"/.local/state/warder/undo/*/"$(jq -r .undo.entry "$cells/$(token_of)")" ran
    status=0
    inside bash -c "$(command_of)" >"$place/said" 2>&1 || status=$?
    [ "$status" = 125 ]
    grep -q 'what it deletes cannot be saved' "$place/said"
    [ "$(cat src/a)" = kept ]
    [ ! -e ran ]
    # ... and what does not need it runs all the same
    answer 'make'
    is_contained
    [ "$(jq -r .undo.needed "$cells/$(token_of)")" = null ]
    # nothing can be saved at all
    rm -rf "$home/.local/state/warder/undo"
    echo none >"$home/.local/state/warder/undo"
    answer 'rm src/a && make'
    asks
}
