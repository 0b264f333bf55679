#!/bin/bash
# What does not belong in a tracked file: a path of a developer's machine, a trailing blank, a tab in C.
set -u

path='(?<![\w.~/])/(wor[k]|roo[t])/'
blank='[ \t]+$'
tab='\t'
# Test inputs are exempt.
data=(':!tests/fuzz/corpus' ':!tests/data' ':!tests/cases' ':!tests/conformance')
failed=0

# refuse WHAT PATTERN FILES...: no tracked text file may contain the pattern.
refuse() {
    local what=$1 pattern=$2
    shift 2
    if git grep -InP "$pattern" -- "$@" "${data[@]}"; then
        echo "FAILED: $what"
        failed=1
    fi
}

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo "SKIPPED: this is no git checkout"
    exit 77
fi
refuse "a path of somebody's machine" "$path" .
refuse "a blank at the end of a line" "$blank" .
refuse "a tab in C" "$tab" '*.c' '*.h'

# Each pattern must be able to match, or this test could never fail.
match() {
    if ! printf '%b\n' "$3" | grep -qP "$2"; then
        echo "FAILED: the pattern for $1 matches nothing"
        failed=1
    fi
}
match path "$path" 'see /wor\x6b/x'
match blank "$blank" 'a blank '
match tab "$tab" '\tint n;'
exit $failed
