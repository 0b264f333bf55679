#!/usr/bin/env bats
# Each preset of `warder init` does what its text says.

setup() {
    warder=$WARDER_BUILD/warder
    export HOME=$BATS_TEST_TMPDIR/home LC_ALL=C.UTF-8
    unset XDG_CONFIG_HOME XDG_STATE_HOME WARDER_CONFIG
    mkdir -p "$HOME/project/.git"
    cd "$HOME/project" || return
    printf 'test:\n\techo x\n' >Makefile
    echo 'print(1)' >tool.py
    echo x >README.md
}

# verdict TOOL ARGUMENT
verdict() {
    "$warder" check "$@" 2>/dev/null | sed -n '1s/ .*//p'
}

# judges VERDICT COMMAND...: of Bash
judges() {
    local want=$1 command
    shift
    for command; do
        [ "$(verdict Bash "$command")" = "$want" ] || {
            echo "$(verdict Bash "$command") instead of $want: $command"
            return 1
        }
    done
}

network=('curl https://example.com/x' 'wget https://example.com/x')
installs=('npm install lodash' 'pip install requests')

@test "relaxed: edits in the project run without a question, and nothing else does" {
    "$warder" init --preset relaxed
    [ "$(verdict Write "$PWD/new.txt")" = allow ]
    [ "$(verdict Edit "$PWD/README.md")" = allow ]
    judges allow 'git status' 'make test' 'touch a.txt' 'sed -i s/a/b/ README.md'
    [ "$(verdict Write /srv/other.txt)" = ask ]
    judges ask "${network[@]}" "${installs[@]}" 'sudo ls'
    judges deny 'rm -rf ~'
}

@test "standard: what is harmless runs; edits, installs and the network ask" {
    "$warder" init
    judges allow 'git status' 'ls' 'make test' 'python3 -c "print(1)"'
    [ "$(verdict Write "$PWD/new.txt")" = ask ]
    [ "$(verdict Edit "$PWD/README.md")" = ask ]
    judges ask "${network[0]}" "${installs[@]}" 'touch a.txt' 'sudo ls'
    judges deny 'rm -rf ~'
}

@test "strict: scripts, builds and inline code ask, too, and nothing becomes another user" {
    "$warder" init --preset strict
    judges allow 'git status' 'ls' 'cat README.md'
    judges ask 'make test' 'python3 tool.py' 'python3 -c "print(1)"' 'node -e "console.log(1)"' "${network[@]}" "${installs[@]}"
    judges deny 'sudo ls' 'doas ls' 'su -c ls' 'rm -rf ~'
    [ "$(verdict Write "$PWD/new.txt")" = ask ]
}

@test "the examples in every one of them count" {
    local preset
    for preset in relaxed standard strict; do
        rm -rf "$HOME/.config"
        "$warder" init --preset $preset
        [ "$(verdict WebFetch https://docs.python.org/3/)" = allow ] || [ $preset = strict ]
        judges ask 'git push --force origin main'
        [ "$(verdict Read "$PWD/secrets/key")" = deny ]
    done
}
