#!/usr/bin/env bats
# programs: in a policy file, from outside: what a row allows, what it does not, and which policies may have rows.

bats_require_minimum_version 1.5.0

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home
    export ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99 # the sanitizers' own 1 would read as deny
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG CHIMERA_MINK_SETTINGS_PATH
    programs=$(mktemp -d "$WARDER_BUILD/tests/programs-XXXXXX") # a temporary place is none for programs
    mkdir -p "$HOME/project/.git" "$HOME/project/.warder" "$HOME/.config/warder"
    cd "$HOME/project" || return
    umask 022
    # a bare name counts if it is found outside of the project
    for name in tool lock run; do
        printf '#!/bin/sh\n' >"$programs/$name"
        chmod 755 "$programs/$name"
    done
    PATH=$programs:$PATH
}

teardown() {
    rm -r "$programs"
}

# verdicts: lines of VERDICT COMMAND on standard input
verdicts() {
    local wanted command got
    while read -r wanted command; do
        got=$("$warder" check --json Bash "$command" 2>/dev/null | jq -r .behavior)
        [ "$got" = "$wanted" ] || {
            echo "$got instead of $wanted: $command"
            "$warder" explain Bash "$command" || true
            return 1
        }
    done
}

rows() {
    cat <<'END'
programs:
  - name: tool
    options: mixed -v -e,--env= -o,--out=W --hook=X ^send--upload
    operands: R*
    subcommands:
      - {name: status, options: -v, operands: none}
      - {name: push, options: -v, operands: R+, effects: [send]}
      - {name: clean, operands: 'd*'}
  - {name: lock, options: -t=, operands: '. I', transparent: true}
  - {name: run, options: '-c=S -q', operands: '.*'}
END
}

@test "a program is unknown without a row, and does what its row says with one" {
    verdicts <<'END'
ask tool status
ask lock db ls
ask run -c ls
END
    rows >"$HOME/.config/warder/warder.yaml"
    verdicts <<'END'
allow tool status
allow tool status -v
ask tool status -x
ask tool status extra
allow tool -v notes.txt
allow tool notes.txt -e prod
ask tool notes.txt -o out.txt
ask tool --hook=evil notes.txt
ask tool --upload notes.txt
ask tool push notes.txt
ask tool clean src
ask ./tool status
ask tool clean ~
END
    [ "$("$warder" parse --json -c 'tool push a' | jq -c '.actions[0] | [.program_known, .effect_names]')" = '[true,["send"]]' ]
}

@test "the command inside a wrapper is judged" {
    rows >"$HOME/.config/warder/warder.yaml"
    verdicts <<'END'
allow lock db ls
allow lock -t 5 db ls
allow lock -t5 db git status
ask lock db touch x
ask lock db curl https://example.com
deny lock db rm -rf ~
deny lock -t 5 db sh -c 'rm -rf ~'
ask lock -z db ls
ask lock "$x" $y ls
ask ./lock db ls
allow run -c ls
allow run -q -c 'ls && git status'
ask run -c 'touch x'
deny run -c 'ls; rm -rf ~'
ask run -c "$x"
ask run -c ls -c 'touch x'
ask run -c 'ls "'
END
    expected='["lock -t 5 db touch x","touch x"]'
    [ "$("$warder" parse --json -c 'lock -t 5 db touch x' | jq -c '.actions[0].allow_forms')" = "$expected" ]
    "$warder" check Bash 'lock db touch x' --allow 'Bash(touch x)'
    run -1 "$warder" check Bash 'lock db touch x' --deny 'Bash(touch:*)'
}

@test "a rule for the inner command does not cover a wrapper with other effects" {
    printf 'programs: [{name: lock, operands: W I, transparent: true}]\n' >"$HOME/.config/warder/warder.yaml"
    run -2 "$warder" check Bash 'lock out touch x' --allow 'Bash(touch x)'
    "$warder" check Bash 'lock out touch x' --allow 'Bash(lock out touch x)'
}

@test "a row of a policy does not hide that the program unpacks" {
    touch a.archive "$programs"/{cpio,ditto,gtar,pax,unpack}
    chmod 755 "$programs"/*
    for name in cpio gtar pax tar ditto; do
        printf 'programs: [{name: %s, options: -D=w, operands: R*}]\n' "$name" >"$HOME/.config/warder/warder.yaml"
        "$warder" check --mode acceptEdits Bash "mkdir t && $name -D t a.archive && ls t"
        [ "$name" = ditto ] || run -2 "$warder" check --mode acceptEdits Bash "mkdir t && $name -D t a.archive && cat t/x"
    done
    printf 'programs: [{name: unpack, options: =tar}]\n' >"$HOME/.config/warder/warder.yaml"
    "$warder" check --mode acceptEdits Bash "mkdir t && unpack -xf a.archive -C t && ls t"
    run -2 "$warder" check --mode acceptEdits Bash "mkdir t && unpack -xf a.archive -C t && cat t/x"
}

@test "an untrusted project adds no rows, a trusted one only new ones" {
    rows >.warder/warder.yaml
    printf '  - {name: curl, operands: ".*"}\n  - {name: git push, operands: ".*"}\n' >>.warder/warder.yaml
    verdicts <<'END'
ask tool status
ask lock db ls
END
    "$warder" trust --yes >out 2>&1
    grep -E 'program +tool status' out
    verdicts <<'END'
allow tool status
allow lock db ls
ask curl https://example.com
ask git push
END
    echo '# changed' >>.warder/warder.yaml
    verdicts <<<'ask tool status'
}

@test "user policy may redefine a known program" {
    printf 'programs: [{name: cat, operands: X*}, {name: docker ps, operands: none, effects: [send]}]\n' \
        >"$HOME/.config/warder/warder.yaml"
    verdicts <<'END'
ask cat notes.txt
ask docker ps
allow head notes.txt
END
}

@test "three syntaxes, one meaning" {
    printf '[[programs]]\nname = "tool"\noperands = "R*"\n' >"$HOME/.config/warder/warder.toml"
    verdicts <<<'allow tool notes.txt'
    rm "$HOME/.config/warder/warder.toml"
    echo '{"programs": [{"name": "tool", "operands": "R*"}]}' >"$HOME/.config/warder/warder.json"
    verdicts <<<'allow tool notes.txt'
}

@test "a row that cannot be read names its place and denies" {
    printf 'programs:\n  - name: tool\n    options: -v --env=Q\n' >"$HOME/.config/warder/warder.yaml"
    verdicts <<<'deny ls'
    "$warder" check Bash ls 2>&1 | grep 'warder.yaml:3:14: error: the row of "tool" has a role that does not exist'
    run -65 "$warder" policy check "$HOME/.config/warder/warder.yaml"
}

@test "limits: 1000 rows, 16 KiB in one" {
    {
        echo programs:
        for i in {1..1000}; do echo "  - {name: p$i}"; done
    } >"$HOME/.config/warder/warder.yaml"
    verdicts <<<'allow ls'
    echo '  - {name: more}' >>"$HOME/.config/warder/warder.yaml"
    verdicts <<<'deny ls'
    options=$(printf -- '--option-%05d ' {1..1100})
    printf 'programs:\n  - {name: tool, options: "%s"}\n' "${options:0:16384}" >"$HOME/.config/warder/warder.yaml"
    verdicts <<<'allow tool --option-00001'
    printf 'programs:\n  - {name: tool, options: "%s"}\n' "${options:0:16385}" >"$HOME/.config/warder/warder.yaml"
    verdicts <<<'deny ls'
}

@test "a program that PATH finds in a temporary place or just anywhere in the home is not the one of the table" {
    for place in "$BATS_TEST_TMPDIR/bin" "$HOME/somewhere/bin"; do
        mkdir -p "$place"
        printf '#!/bin/sh\n' >"$place/ls"
        chmod 755 "$place/ls"
        [ "$("$warder" check --json Bash 'ls' | jq -r .behavior)" = allow ]
        [ "$(PATH=$place:$PATH "$warder" check --json Bash 'ls' | jq -r .behavior)" = ask ]
    done
    for place in "$programs" "$HOME/.local/bin" "$HOME/bin" "$HOME/miniconda3/bin"; do
        mkdir -p "$place"
        printf '#!/bin/sh\n' >"$place/ls"
        chmod 755 "$place/ls"
        [ "$(PATH=$place:$PATH "$warder" check --home "$HOME" --json Bash 'ls' | jq -r .behavior)" = allow ]
    done
}
