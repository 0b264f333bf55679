#!/bin/bash
# The Node package and its example, against an installed prefix.
# shellcheck disable=SC2154 # prefix.sh sets prefix and tmp
set -eu
# shellcheck source=tests/bindings/prefix.sh
. "${WARDER_SOURCE:?}/tests/bindings/prefix.sh"

command -v node >/dev/null || skip "there is no node here"
[ -e "$WARDER_BUILD/warder.node" ] || skip "node_api.h was not found (libnode-dev), so the package was not built"
make_prefix
package=$prefix/lib/node_modules/warder

WARDER_PACKAGE=$package sanitized node --test bindings/node/test/ >"$tmp/out" 2>&1 || {
    cat "$tmp/out"
    exit 1
}
grep '^# \(tests\|pass\|fail\)' "$tmp/out"

mkdir -p "$tmp/home" "$tmp/work/node_modules"
ln -s "$package" "$tmp/work/node_modules/warder"
cp examples/agent.mjs "$tmp/work"
cd "$tmp/work"
echo y | HOME=$tmp/home sanitized node --preserve-symlinks agent.mjs >"$tmp/out"
# The question is asked once, for the one call that neither a rule nor the analysis decides.
[ "$(grep -c '? \[y/N\]' "$tmp/out")" = 1 ]
[ "$(sed 's/^.*\[y\/N\] //' "$tmp/out" | awk '{ print $1 }' | tr '\n' ' ')" = "allow deny allow deny " ] || {
    cat "$tmp/out"
    exit 1
}
