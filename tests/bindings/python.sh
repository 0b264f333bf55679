#!/bin/bash
# The Python package and its example, against an installed prefix.
# shellcheck disable=SC2154 # prefix.sh sets prefix and tmp
set -eu
# shellcheck source=tests/bindings/prefix.sh
. "${WARDER_SOURCE:?}/tests/bindings/prefix.sh"

python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3) || skip "there is no python3 here"
make_prefix

export PYTHONPATH=$prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
WARDER_INCLUDE=$prefix/include sanitized "$python" -W error::ResourceWarning bindings/python/tests/test_warder.py

mkdir "$tmp/home" "$tmp/work"
cp examples/agent.py "$tmp/work"
cd "$tmp/work"
echo y | HOME=$tmp/home sanitized "$python" agent.py >"$tmp/out"
# The question is asked once, for the one call that neither a rule nor the analysis decides.
[ "$(grep -c '? \[y/N\]' "$tmp/out")" = 1 ]
[ "$(sed 's/^.*\[y\/N\] //' "$tmp/out" | awk '{ print $1 }' | tr '\n' ' ')" = "allow deny allow deny " ] || {
    cat "$tmp/out"
    exit 1
}
