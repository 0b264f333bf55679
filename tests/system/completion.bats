#!/usr/bin/env bats
# The completion for bash, which is made of what `warder help --json` prints.

setup() {
    warder=$WARDER_BUILD/warder
    PATH=$WARDER_BUILD:$PATH
    source "$WARDER_SOURCE/packaging/completions/warder.bash"
    cd "$BATS_TEST_TMPDIR" || return
}

# What is offered for the last of these words, sorted.
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    _warder
    printf '%s\n' "${COMPREPLY[@]}" | sort
}

@test "the options of every command are offered, and no others" {
    count=0
    while IFS=$'\t' read -r name options; do
        expected=$(tr ' ' '\n' <<<"$options" | sort)
        # shellcheck disable=SC2086
        [ "$(complete_words warder $name -)" = "$expected" ] || {
            echo "differs for: $name"
            diff <(complete_words warder $name -) <(echo "$expected")
            return 1
        }
        count=$((count + 1))
    done < <("$warder" help --json | jq -r '.[] | [.name, ([.options[].name] | join(" "))] | @tsv')
    [ "$count" -ge 12 ]
}

@test "every command is offered as a first word" {
    expected=$("$warder" help --json | jq -r '.[].name | split(" ")[0]' | sort -u)
    [ "$(complete_words warder '' | grep -v '^-')" = "$expected" ]
    [ "$(complete_words warder help '' | grep -v '^-')" = "$expected" ]
}

@test "the second words of command families are offered" {
    for family in rules policy; do
        expected=$("$warder" help --json | jq -r --arg f "$family" \
            '.[].name | split(" ") | select(.[0] == $f and .[1]) | .[1]' | sort)
        [ "$(complete_words warder $family '' | grep -v '^-')" = "$expected" ]
    done
    [ "$(complete_words warder trust s)" = status ]
}

@test "the values of options are offered, after a blank and after =" {
    count=0
    while IFS=$'\t' read -r option values; do
        expected=$(tr ' ' '\n' <<<"$values" | sort)
        [ "$(complete_words warder check "$option" '')" = "$expected" ]
        [ "$(complete_words warder check "$option" = '')" = "$expected" ]
        [ "$(complete_words warder check "$option" =)" = "$expected" ]
        count=$((count + 1))
    done < <("$warder" help check --json |
        jq -r '.options[] | select(.values != []) | [.name, (.values | join(" "))] | @tsv')
    [ "$count" = 5 ]
}

@test "files and directories are offered where they belong" {
    mkdir -p directory
    touch file
    [ "$(complete_words warder check --policy f)" = file ]
    [ "$(complete_words warder check --cwd '')" = directory ]
    [ "$(complete_words warder policy check f)" = file ]
    [ "$(complete_words warder trust d)" = directory ]
    [ "$(complete_words warder check --deny '')" = "" ]
}

@test "the names of clients are offered where one is an operand" {
    for command in install uninstall doctor import; do
        expected=$("$warder" help "$command" --json | jq -r '.operand_values[]' | sort)
        [ -n "$expected" ]
        [ "$(complete_words warder "$command" '' | grep -v '^-')" = "$expected" ]
    done
    [ "$(complete_words warder hook --client w)" = windsurf ]
}

@test "a program that is not the one in the PATH is not run" {
    printf '#!/bin/sh\ntouch %s/ran\n' "$BATS_TEST_TMPDIR" >warder
    chmod +x warder
    [ -n "$(complete_words ./warder '')" ]
    [ ! -e ran ]
}

@test "zsh and fish offer the same" {
    export PATH=$WARDER_BUILD:$PATH
    mkdir -p directory
    expected=$("$warder" complete -- check --mode '' | sort)
    [ "$(wc -l <<<"$expected")" -ge 7 ]
    if command -v fish >/dev/null; then
        cp "$WARDER_SOURCE/packaging/completions/warder.fish" .
        [ "$(fish -N -c 'source warder.fish; complete -C "warder check --mode "' | sort)" = "$expected" ]
        [ "$(fish -N -c 'source warder.fish; complete -C "warder check --mode=pl"')" = --mode=plan ]
        [ "$(fish -N -c 'source warder.fish; complete -C "warder trust d"')" = directory/ ]
    else
        echo "# no fish here" >&3
    fi
    if command -v zsh >/dev/null; then
        zsh_offers 'warder check --mode plan'
        zsh_offers 'warder rules lint'
    else
        echo "# no zsh here" >&3
    fi
}

# zsh_offers LINE: the line without its last letter, and a tab, is the line. zpty is a terminal for an inner zsh.
zsh_offers() {
    mkdir -p functions
    cp "$WARDER_SOURCE/packaging/completions/warder.zsh" functions/_warder
    # shellcheck disable=SC2016
    run timeout 60 zsh -fc '
        zmodload zsh/zpty
        zpty inner zsh -fi
        zpty -w inner "PS1=READY; fpath=($PWD/functions \$fpath); autoload -U compinit; compinit -u -D; print BEG\"\"IN"
        zpty -r inner out "*BEGIN*READY*"
        zpty -w -n inner "$1"$'\''\t'\''
        zpty -r inner out "*$2*"
        print -r -- "$out"' zsh "${1%?}" "$1"
    [ "$status" = 0 ]
    [[ $output == *"$1"* ]]
}

@test "tools are offered behind check, and IDs behind the commands that take one" {
    export HOME=$BATS_TEST_TMPDIR/home
    unset XDG_STATE_HOME XDG_CONFIG_HOME
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    complete_words warder check '' | grep -qx Bash
    [ "$(complete_words warder explain WebF)" = WebFetch ]
    [ "$(complete_words warder why d_ | wc -w)" -eq 0 ]
    jq -nc --arg d "$PWD" '{session_id: "s", turn_id: "t", model: "m", cwd: $d, permission_mode: "default", hook_event_name: "PreToolUse",
        tool_name: "Bash", tool_input: {command: "make deploy"}, tool_use_id: "1"}' | "$warder" hook --client codex --home "$HOME" || true
    id=$("$warder" log --json | jq -r '.decisions[0].id')
    for command in why allow deny 'log show'; do
        # shellcheck disable=SC2086 # two words
        complete_words warder $command '' | grep -qx "$id"
    done
    waiting=$("$warder" approve --list --json | jq -r '.[0].id')
    complete_words warder approve '' | grep -qx "$waiting"
    [ "$(complete_words warder approve "${waiting:0:4}")" = "$waiting" ]
}
