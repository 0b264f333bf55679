#!/usr/bin/env bats
# `warder diff` and `warder replay`: what another policy would judge otherwise, and what cannot be said.

setup() {
    load common
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    umask 022
}

# policy NAME: standard input as a policy file.
policy() {
    cat >"$HOME/$1"
}

# hook COMMAND [DIRECTORY]: the command goes through the hook of an agent, and into the log.
hook() {
    jq -nc --arg c "$1" --arg d "${2-$PWD}" '{session_id: "s1", transcript_path: "/x", cwd: $d,
        permission_mode: "default", hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {command: $c},
        tool_use_id: "t1"}' | "$warder" hook --home "$HOME" --client claude >/dev/null
}

@test "diff finds what is wider, groups it by rule, and exits with 2" {
    policy old.yaml <<<'deny: ["Bash(rm -rf:*)"]'
    policy new.yaml <<<'allow: ["Bash(frob:*)"]'
    expect 2 "$warder" diff "$HOME/old.yaml" "$HOME/new.yaml" --json
    jq -e '.outcome == "wider" and .proved == false and (.counts.wider > 5)' <<<"$output"
    jq -e '[.newly_allowed[] | select(.rule == "Bash(frob:*)" and .before == "ask")] | length > 0' <<<"$output"
    jq -e '[.newly_allowed[], .newly_asked[] | select(.rule == "Bash(rm -rf:*)" and .rule_is_old)] | length > 0' <<<"$output"
    expect 2 "$warder" diff "$HOME/old.yaml" "$HOME/new.yaml"
    says 'the new policy is wider'
}

@test "diff proves that a policy is not wider" {
    policy old.yaml <<<'{"deny": ["Bash(rm -rf:*)"], "allow": ["Bash(frob:*)", "Bash(npm test)"]}'
    policy new.yaml <<<'{"deny": ["Bash(rm:*)", "Bash(curl:*)"], "allow": ["Bash(npm test)"]}'
    expect 1 "$warder" diff "$HOME/old.yaml" "$HOME/new.yaml" --json
    jq -e '.proved and .outcome == "not wider" and .counts.wider == 0 and .counts.newly_denied > 0' <<<"$output"
    jq -e '.rules[] | select(.rule == "Bash(rm -rf:*)") | .covered_by == "Bash(rm:*)"' <<<"$output"
    expect 0 "$warder" diff "$HOME/old.yaml" "$HOME/old.yaml"
    says 'not wider: proved'
    # a narrower pattern is not a narrower rule: its text names what the star of the other one leaves out
    policy old.yaml <<<'{"allow": ["Bash(git push:*)"]}'
    policy new.yaml <<<'{"allow": ["Bash(git push --force:*)"]}'
    expect 2 "$warder" diff "$HOME/old.yaml" "$HOME/new.yaml" --json
    jq -e '.proved == false' <<<"$output"
}

@test "diff says where neither a proof nor a call is known, and which settings differ" {
    policy old.yaml <<<'{"mode": "default"}'
    policy new.yaml <<<'{"mode": "plan", "allow": [{"rule": "Bash(frob *)", "regex": "^frob [0-9]{4}$"}]}'
    expect 1 "$warder" diff "$HOME/old.yaml" "$HOME/new.yaml" --json
    jq -e '.settings == ["mode"] and (.cannot_say[0].why | contains("no call was found"))' <<<"$output"
    expect 64 "$warder" diff "$HOME/old.yaml"
    # what cannot be read denies everything: there is nothing to compare
    policy broken.yaml <<<'deny: ["Bash(x"]'
    expect 65 "$warder" diff "$HOME/broken.yaml" "$HOME/broken.yaml"
    expect 65 "$warder" diff "$HOME/old.yaml" "$HOME/broken.yaml"
    expect 65 "$warder" replay /dev/null --policy "$HOME/broken.yaml"
    expect 66 "$warder" diff "$HOME/old.yaml" "$HOME/absent.yaml"
}

@test "replay compares with what was recorded" {
    hook 'frob one'
    hook 'ls'
    hook 'rm -rf /'
    policy new.yaml <<<'{"allow": ["Bash(frob:*)"], "deny": ["Bash(ls)"]}'
    expect 2 "$warder" replay --home "$HOME" --policy "$HOME/new.yaml" --json
    jq -e '.records == 3 and .same == 1 and .counts.newly_allowed == 1 and .counts.newly_denied == 1' <<<"$output"
    jq -e '.newly_allowed[0].examples[0] | .argument == "frob one" and (.record | startswith("d_"))' <<<"$output"
    # the same from a file, and from standard input
    "$warder" log export --home "$HOME" >"$HOME/log.jsonl"
    expect 2 "$warder" replay "$HOME/log.jsonl" --home "$HOME" --policy "$HOME/new.yaml" --json
    jq -e '.counts.newly_allowed == 1' <<<"$output"
    expect 2 "$warder" replay - --home "$HOME" --policy "$HOME/new.yaml" --json <"$HOME/log.jsonl"
    policy empty.yaml <<<'{}'
    expect 2 "$warder" diff --log "$HOME/log.jsonl" "$HOME/empty.yaml" "$HOME/new.yaml" --json
    jq -e '[.newly_allowed[] | select(.records == 1)] | length == 1' <<<"$output"
    expect 66 "$warder" replay "$HOME/absent.jsonl" --policy "$HOME/new.yaml"
}

@test "what a record cannot say is not guessed" {
    mkdir "$HOME/gone"
    hook 'curl -H "Authorization: Bearer ghp_0123456789abcdefghijklmnopqrstuvwxyz" https://example.com'
    hook 'frob' "$HOME/gone"
    rmdir "$HOME/gone"
    policy new.yaml <<<'allow: ["Bash(frob:*)", "Bash(curl:*)"]'
    expect 1 "$warder" replay --home "$HOME" --policy "$HOME/new.yaml" --json
    jq -e '.records == 2 and .counts == {newly_allowed: 0, newly_asked: 0, newly_denied: 0, cannot_say: 2, wider: 0}' <<<"$output"
    jq -e '[.cannot_say[].why] | sort == ["its directory is gone", "its secrets are not in the record"]' <<<"$output"
    # a text that was cut, an input that was not kept, a line that is no record
    printf '%s\n' '{"tool":"Write","command":"/x","input":{"file_path":"/x","content":"ab... (9000 bytes)"},"decision":"ask"}' \
        '{"tool":"Write","command":"/x","input":"(90000 bytes)","decision":"ask"}' 'no JSON' '{"kind":"head"}' '{}' >"$HOME/log.jsonl"
    expect 1 "$warder" replay "$HOME/log.jsonl" --policy "$HOME/new.yaml" --json
    jq -e '.records == 3 and .other_lines == 2 and .counts.cannot_say == 3' <<<"$output"
}

@test "a change of the disk is not taken for one of the policy" {
    mkdir -p "$HOME/.config/warder"
    echo 'deny: ["Bash(nothing:*)"]' >"$HOME/.config/warder/warder.yaml"
    touch here
    hook 'cat link'
    ln -s "$HOME/.ssh/id_rsa" link
    policy new.yaml <<<'deny: ["Bash(other:*)"]'
    expect 1 "$warder" replay --home "$HOME" --policy "$HOME/new.yaml" --json
    jq -e '.cannot_say[0].why | contains("the same policy judges it differently today")' <<<"$output"
}

@test "hostile records do not reach the terminal" {
    jq -nc --arg c $'frob \e[31m\u202e\x07' --arg d "$PWD" '{tool: "Bash", command: $c, cwd: $d, decision: "ask"}' >"$HOME/log.jsonl"
    printf '{"tool":"Bash","command":"frob \xff","decision":"ask"}\n\0\n' >>"$HOME/log.jsonl"
    policy new.yaml <<<'deny: ["Bash(frob:*)"]'
    expect 1 "$warder" replay "$HOME/log.jsonl" --policy "$HOME/new.yaml"
    says 'ask to deny by Bash(frob:*)'
    [[ $output != *[$'\e\x07']* ]]
    [[ $output != *$'\u202e'* ]]
    expect 1 "$warder" replay "$HOME/log.jsonl" --policy "$HOME/new.yaml" --json
    [[ $output != *[$'\e\x07']* ]]
}
