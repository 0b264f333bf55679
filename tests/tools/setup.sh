#!/bin/bash
# tools/setup, run with fake versions of dpkg, apt-get and sudo.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"

# pretend NAME BODY: a program that logs how it was called.
pretend() {
    printf '#!/bin/sh\necho "%s $*" >>"%s/log"\n%s\n' "$1" "$tmp" "$2" >"$tmp/bin/$1"
    chmod +x "$tmp/bin/$1"
}

# The file `installed` lists what is installed; `dpkg-query -W -f FORMAT NAME...` reads it.
pretend dpkg-query 'shift 3; for p in "$@"; do while read -r i; do [ "$i" = "$p" ] && printf "ii %s " "$p"; done <"$INSTALLED"; done'
pretend id 'echo "$FAKE_UID"'
pretend env 'shift; "$@"'
pretend sudo 'while [ "${1#-}" != "$1" ]; do shift; done; shift; "$@"'
pretend apt-get 'exit "${APT_EXIT:-0}"'

failed=0
# expect NAME EXIT PATTERN-OF-OUTPUT PATTERN-OF-LOG -- GROUP...   An empty pattern expects nothing.
expect() {
    local name=$1 want=$2 output=$3 log=$4
    shift 5
    : >"$tmp/log"
    PATH=$tmp/bin INSTALLED=$tmp/installed /bin/sh tools/setup "$@" >"$tmp/out" 2>&1 </dev/null
    local got=$?
    # Queries (installed packages, the user) are not logged.
    sed -i '/^dpkg-query\|^id/d' "$tmp/log"
    if [ "$got" != "$want" ] || ! like "$tmp/out" "$output" || ! like "$tmp/log" "$log"; then
        echo "FAILED: $name: exit $got (want $want)"
        sed 's/^/    output: /' "$tmp/out"
        sed 's/^/    called: /' "$tmp/log"
        failed=1
    fi
}
like() {
    if [ -z "$2" ]; then [ ! -s "$1" ]; else tr '\n' '~' <"$1" | grep -qE -- "$2"; fi
}

all=$(grep -v '^#' tools/packages.txt | while read -r _ package _; do echo "$package"; done)
# have_all_but NAME...
have_all_but() {
    echo "$all" | grep -vxF "$(printf '%s\n' "$@")" >"$tmp/installed"
}

export FAKE_UID=0
have_all_but nothing
expect "silent when nothing is missing" 0 '' '' -- test fuzz lint

have_all_but cmake
expect "root installs" 0 'installing Debian packages: cmake~' \
    'apt-get -qq update~.*apt-get -qq install -y --no-install-recommends cmake~$' --

have_all_but bats git clang-14
expect "building does not ask for what tests need" 0 '' '' --
expect "a test asks for what tests need" 0 'packages: git bats~' 'recommends git bats~$' -- test
expect "a package of two groups is asked for once" 0 'packages: git~' 'recommends git~$' -- lint
expect "groups add up" 0 'packages: git bats clang-14~' 'recommends git bats clang-14~$' -- test lint fuzz

have_all_but npm
expect "the console asks for npm" 0 'packages: npm~' 'recommends npm~$' -- console
pretend npm ''
expect "npm from elsewhere is as good" 0 '' '' -- console
rm "$tmp/bin/npm"

have_all_but gcc
APT_EXIT=100 expect "a failed apt-get fails" 1 'apt-get failed.*apt-get install --no-install-recommends gcc~' 'install' --
WARDER_NO_INSTALL=1 expect "installing can be forbidden" 1 'apt-get update && apt-get install --no-install-recommends gcc~' '' --

export FAKE_UID=1000
expect "a user has sudo, which must not wait for a password" 0 'packages: gcc~' \
    'sudo -n DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends gcc~' --
rm "$tmp/bin/sudo"
expect "without sudo a person is told what to run" 1 'Please run, as root:~ *apt-get update && apt-get install --no-install-recommends gcc~' '' --
rm "$tmp/bin/dpkg-query"
expect "another system is left alone" 0 'not a Debian' '' --

exit $failed
