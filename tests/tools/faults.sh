#!/bin/bash
# What is installed has no faults on demand: those are for programs of the tests alone (tests/faults/inject.c).
set -eu
cd "${WARDER_BUILD:?}"

found=0
for file in warder warder-serve warder-hook libwarder.so.*.*.* libwarder.a; do
    [ -e "$file" ] || continue
    if grep -aq 'inject-segv' "$file" || nm "$file" 2>/dev/null | grep -q '__wrap_'; then
        echo "$file has faults on demand"
        found=1
    fi
done
# The same question, where the answer is known.
grep -aq 'inject-segv' tests/faulty/warder || {
    echo "tests/faulty/warder has none: this test sees nothing"
    found=1
}
exit $found
