#!/usr/bin/env bats
# `warder lint` and `warder tidy`: mistakes in policy files, for people and build servers, and rules that do nothing.

setup() {
    load common
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    mkdir -p "$HOME/project"
    cd "$HOME/project" || return
    umask 022
}

# found RULES NAME: linting a policy with these allow rules finds something of this name for each of them.
found() {
    jq -nc --argjson rules "$1" '{permissions: {allow: $rules}}' >settings.json
    expect 1 "$warder" lint settings.json --json
    [ "$(jq -c '[.findings[] | select(.name == "'"$2"'") | .rule] | sort' <<<"$output")" = "$(jq -c sort <<<"$1")" ]
}

@test "rules that are wider than they look" {
    found '["Bash(git:*)", "Bash(tar:*)", "Bash(cat:*)", "Bash(head:*)", "Read(~/**)", "Edit(//**)"]' wider-than-it-looks
    jq -nc '{permissions: {allow: ["Bash(git status:*)", "Read(~/notes/**)", "Bash(true:*)", "Bash(cat README.md)"]}}' >settings.json
    expect 0 "$warder" lint settings.json
}

@test "rules that are a piece of a command" {
    found '["Bash(do echo:*)", "Bash(done)", "Bash(for f in x)", "Bash(then)", "Bash(EOF)", "Bash(echo __NEW_LINE__ ls)", "Bash(echo \"a)"]' mangled
    jq -nc '{permissions: {allow: ["Bash(echo done)", "Bash(fixture)", "Bash(echo \"a\")", "Bash(donut:*)", "Bash(printf \"a\\nb\")"]}}' >settings.json
    expect 0 "$warder" lint settings.json
}

@test "each finding is said once" {
    echo '{"permissions": {"deny": ["Bash(curl:*)"]}}' >settings.json
    expect 65 "$warder" rules lint --policy settings.json --profile mini
    # shellcheck disable=SC2154
    [ "$(grep -c 'does not mark a prefix' <<<"$output$stderr")" = 1 ]
    expect 65 "$warder" lint settings.json --profile mini
    [ "$(grep -c 'does not mark a prefix' <<<"$output$stderr")" = 1 ]
}

@test "SARIF for code scanning" {
    printf '{"permissions": {"allow": ["Bash(git:*)", "Bash(x"],\n "deny": ["Bash(y"]}}' >'a b.json'
    expect 65 "$warder" lint 'a b.json' --sarif
    echo "$output" >out.sarif
    python3 - <<'PY'
import json
log = json.load(open("out.sarif"))
assert log["version"] == "2.1.0" and log["$schema"].startswith("https://")
run, = log["runs"]
driver = run["tool"]["driver"]
ids = [r["id"] for r in driver["rules"]]
assert driver["name"] == "warder" and len(ids) == len(set(ids))
levels = []
for r in run["results"]:
    assert r["ruleId"] in ids and r["message"]["text"] and r["level"] in ("error", "warning")
    place, = r["locations"]
    place = place["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.json"
    assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1
    levels.append((r["level"], place["region"]["startLine"]))
assert ("error", 2) in levels and ("warning", 1) in levels, levels
PY
    # every name that lint has is described
    ("$warder" lint 'a b.json' --sarif || true) | jq -e '[.runs[0].tool.driver.rules[].id] | index("mangled") and index("unused")'
}

@test "the example for a build server names what there is" {
    for option in --sarif --coverage --junit; do
        grep -q -- "$option" "$WARDER_SOURCE/examples/github-action.yml"
        {
            "$warder" lint --help
            "$warder" test --help
        } | grep -q -- "$option"
    done
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$WARDER_SOURCE/examples/github-action.yml" 2>/dev/null ||
        python3 -c 'import yaml' 2>/dev/null || skip "no YAML for Python"
}

@test "rules that a log shows to be unused" {
    echo '{"allow": ["Bash(frob:*)", "Bash(other x)"]}' >p.json
    echo '{"session_id":"s","transcript_path":"/x","cwd":"'"$PWD"'","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"frob x"},"tool_use_id":"t"}' >event
    mkdir -p "$HOME/.config/warder"
    cp p.json "$HOME/.config/warder/warder.json"
    "$warder" hook --home "$HOME" --client claude <event
    # the log is of today: it says nothing about the last 90 days
    expect 0 "$warder" lint "$HOME/.config/warder/warder.json" --unused --home "$HOME"
    says 'the log is younger than 90 days'
    expect 0 "$warder" tidy "$HOME/.config/warder/warder.json" --unused --home "$HOME"
    expect 64 "$warder" lint p.json --unused --days none
    expect 64 "$warder" lint p.json --unused --days 0
}

# tidied FILE TEXT WANTED: what tidy makes of a file; and undo gives it back.
tidied() {
    printf '%s' "$2" >"$1"
    expect 1 "$warder" tidy "$1"
    [ "$(<"$1")" = "${2%$'\n'}" ]
    expect 0 "$warder" tidy "$1" --write
    [ "$(<"$1")" = "$3" ] || {
        cat "$1"
        return 1
    }
    expect 0 "$warder" tidy "$1"
    says 'nothing to remove'
    expect 0 "$warder" tidy "$1" --undo
    [ "$(<"$1")" = "${2%$'\n'}" ]
    expect 64 "$warder" tidy "$1" --undo
    [ "$(ls -A)" = "$1" ]
    rm "$1"
}

@test "tidy removes what does nothing, and only that" {
    tidied a.yaml $'deny:\n  - Bash(x:*) # why\nallow:\n  # builds\n  - Bash(y)\n  - Bash(y)\n  - rule: Bash(x:*)\n    comment: c\nask: [ Bash(z), Bash(z) ]\n' \
        $'deny:\n  - Bash(x:*) # why\nallow:\n  # builds\n  - Bash(y)\nask: [ Bash(z) ]'
    tidied a.yaml $'allow:\n  - Bash(then)\n' 'allow: []'
    tidied settings.json $'{\n  "permissions": {\n    "allow": [\n      "Bash(a)",\n      "Bash(a)",\n      "Bash(then)"\n    ]\n  },\n  "model": "m"\n}\n' \
        $'{\n  "permissions": {\n    "allow": [\n      "Bash(a)"\n    ]\n  },\n  "model": "m"\n}'
    tidied a.toml $'allow = ["Bash(a)", "Bash(a)"] # c\n[[rules]]\nrule = "Bash(b)"\naction = "deny"\n[[rules]]\nrule = "Bash(b)"\naction = "allow"\n# d\n[[rules]]\nrule = "Bash(c)"\naction = "ask"\n' \
        $'allow = ["Bash(a)"] # c\n[[rules]]\nrule = "Bash(b)"\naction = "deny"\n# d\n[[rules]]\nrule = "Bash(c)"\naction = "ask"'
}

@test "tidy keeps deny and ask rules that match nothing, and files with mistakes" {
    printf 'deny:\n  - Bash(then)\n' >a.yaml
    expect 0 "$warder" tidy a.yaml
    # lint suspects it, but it is a path of the project
    printf 'allow:\n  - Edit(/tmp/x/**)\n' >a.yaml
    expect 1 "$warder" lint a.yaml
    expect 0 "$warder" tidy a.yaml
    printf 'deny:\n  - Bash(then\n' >a.yaml
    expect 65 "$warder" tidy a.yaml
    complains 'has a mistake'
    expect 64 "$warder" tidy
    expect 66 "$warder" tidy absent.yaml
    printf 'allow: [Bash(then)]\n' >a.yaml
    chmod o+w a.yaml
    expect 65 "$warder" tidy a.yaml --write
}

@test "what a hostile file says does not reach the terminal" {
    printf '{"allow": ["Bash(a\\u001b[31m)", "Bash(a\\u001b[31m)", "Bash(then \\u202e)"]}' >p.json
    expect 1 "$warder" lint p.json
    [[ $output != *[$'\e\u202e']* ]]
    expect 1 "$warder" tidy p.json
    [[ $output != *[$'\e\u202e']* ]]
    expect 1 "$warder" lint p.json --sarif
    [[ $output != *$'\e'* ]]
}
