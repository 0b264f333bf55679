#!/usr/bin/env bats
# Examples in a policy: `tests`, `match` and `not`. A policy whose examples fail is not loaded; `warder test` shows them.

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

# judged POLICY STATUS TEXT: a policy as JSON, the exit code of `warder test`, and what it says.
judged() {
    echo "$1" >p.json
    expect "$2" "$warder" test p.json
    says "$3"
}

@test "tests of verdicts, with a directory, a mode and files" {
    judged '{"allow": ["Bash(frob:*)"], "tests": {"allow": ["frob x", "ls"], "ask": ["frob x > /etc/y"], "deny": ["rm -rf /"]}}' 0 '4 passed'
    judged '{"tests": {"deny": [{"call": "touch x", "mode": "plan"}], "ask": ["touch /x"]}}' 0 '2 passed'
    # the disk has these files and no others, also where the real one has more
    touch real.py
    judged '{"tests": {"allow": [{"call": "python3 a.py", "files": ["a.py"]}], "ask": ["python3 real.py"]}}' 0 '2 passed'
    judged '{"deny": ["Edit(/src/**)"], "tests": {"deny": [{"call": "touch x", "cwd": "src"}, "touch src/x"], "ask": [{"call": "touch x", "cwd": "/src"}]}}' 0 '3 passed'
    judged '{"deny": ["Read(~/.netrc)"], "tests": {"deny": ["Read(~/.netrc)", {"tool": "Read", "input": {"file_path": "/x/../'"${HOME#/}"'/.netrc"}}]}}' 0 '2 passed'
    judged '{"tests": {"allow": ["frob"]}}' 1 'it is asked about, and should be allowed'
    judged '{"tests": {"ask": ["ls"]}}' 1 'it is allowed, and should be asked about'
    judged '{"tests": {"deny": ["ls"]}}' 1 'it is allowed, and should be denied'
}

@test "match and not of a rule, by the rule alone" {
    judged '{"deny": [{"rule": "Bash(rm -rf:*)", "match": ["rm -fr x", "rm -r --force x"], "not": ["rm -r x", "rm -f x"]}]}' 0 '4 passed'
    judged '{"deny": [{"rule": "Bash(rm -rf:*)", "match": "rm -r x"}]}' 1 'does not decide it'
    judged '{"deny": [{"rule": "Bash(rm -rf:*)", "not": "rm -fr x"}]}' 1 'decides it, and should not'
    judged '{"allow": [{"rule": "Bash(git push:*)", "match": "git push origin main", "not": ["git push --force", "ls"]}]}' 0 '3 passed'
    judged '{"allow": [{"rule": "Bash(git push:*)", "match": "git push --force"}]}' 1 'does not decide it'
    judged '{"ask": [{"rule": "Bash(frob:*)", "match": "frob x"}], "deny": ["Bash(frob:*)"]}' 0 '1 passed'
    # a rule that counts for a time has examples that hold afterwards, too
    judged '{"deny": [{"rule": "Bash(frob:*)", "match": "frob", "when": {"until": "2001-01-01"}}]}' 0 '1 passed'
}

@test "a policy whose examples fail is not loaded, in all three syntaxes" {
    echo '{"tests": {"allow": ["frob"]}}' >p.json
    printf 'tests:\n  allow:\n    - frob\n' >p.yaml
    printf '[tests]\nallow = ["frob"]\n' >p.toml
    for file in p.json p.yaml p.toml; do
        expect 1 "$warder" check Bash ls --policy "$file"
        says 'deny   a policy file has errors'
        complains 'this test fails'
        complains "$file:"
        "$warder" check Bash ls --policy "$file" --json 2>/dev/null | jq -e --arg f "$file:" '.reason | startswith($f)'
    done
    mkdir -p "$HOME/.config/warder"
    cp p.yaml "$HOME/.config/warder/warder.yaml"
    expect 1 "$warder" check Bash ls
    complains 'warder.yaml:3:7: error: this test fails'
    # the same for the hook that maps an image
    echo '{"session_id":"s","transcript_path":"/x","cwd":"'"$PWD"'","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}' >event
    for _ in 1 2; do
        expect 2 "$WARDER_BUILD/warder-hook" --home "$HOME" --client claude <event
        complains 'this test fails'
    done
}

@test "each file is judged by its own rules" {
    mkdir -p "$HOME/.config/warder"
    echo '{"deny": ["Bash(frob:*)"]}' >"$HOME/.config/warder/warder.json"
    echo '{"allow": ["Bash(frob:*)"], "tests": {"allow": ["frob x"]}}' >p.json
    expect 0 "$warder" test p.json
    expect 0 "$warder" test "$HOME/.config/warder/warder.json" p.json
    # a project that is not trusted has no allow rules, and so its examples are not judged
    mkdir -p .warder
    echo '{"allow": ["Bash(frob:*)"], "tests": {"allow": ["frob x"]}}' >warder.json
    expect 0 "$warder" check Bash ls
}

@test "coverage, JUnit and JSON" {
    echo '{"allow": ["Bash(frob:*)", "Bash(other:*)"], "deny": [{"rule": "Bash(x:*)", "match": "x 1"}], "tests": {"allow": ["frob <&\""]}}' >p.json
    expect 1 "$warder" test p.json --coverage --junit out.xml --json
    jq -e '.rules == 3 and .matched == 1 and (.unmatched | map(.rule) | sort) == ["Bash(frob:*)", "Bash(other:*)"]' <<<"$output"
    jq -e '.passed == 1 and .failed == 1 and .problems == []' <<<"$output"
    python3 - <<'PY'
import xml.etree.ElementTree as tree
root = tree.parse("out.xml").getroot()
cases = root.findall(".//testcase")
assert len(cases) == 2 and len(root.findall(".//failure")) == 1, cases
assert any(c.get("name") == 'allow: frob <&"' for c in cases)
PY
    expect 73 "$warder" test p.json --junit /nowhere/out.xml
}

@test "mistakes in examples are mistakes of the file" {
    judged '{"tests": {"allow": [7]}}' 65 'expected a call'
    judged '{"tests": {"allow": [{"call": "ls", "tool": "Read", "input": {}}]}}' 65 'an example needs'
    judged '{"tests": {"allow": [{"call": "ls", "other": 1}]}}' 65 'unknown key "other"'
    judged '{"tests": {"allowed": []}}' 65 'unknown key "allowed"'
    judged '{"tests": {"allow": [{"call": "ls", "mode": "none"}]}}' 65 'unknown mode'
    judged '{"tests": {"allow": [""]}}' 65 'the call is empty'
    judged '{"deny": [{"rule": "Bash(x)", "unless": {"rule": "Bash(x y)", "match": "x y"}}]}' 65 'cannot have examples'
    python3 -c 'import json; print(json.dumps({"tests": {"allow": ["ls"] * 2001}}))' >p.json
    expect 65 "$warder" test p.json
    says 'more than 2000 examples'
    python3 -c 'import json; print(json.dumps({"tests": {"allow": ["ls"] * 2000}}))' >p.json
    expect 0 "$warder" test p.json
    expect 66 "$warder" test absent.json
    expect 0 "$warder" test
    says 'there are no tests'
}

@test "hostile examples do not reach the terminal" {
    printf '{"tests": {"deny": ["ls \\u001b[31m\\u202e"]}}' >p.json
    expect 1 "$warder" test p.json --junit out.xml
    [[ $output$(<out.xml) != *$'\e'* ]]
    python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("out.xml")'
}
