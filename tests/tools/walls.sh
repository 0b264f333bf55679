#!/bin/bash
# The walls between the rooms hold, and the check that says so can fail.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tools/check-walls || exit 1

failed=0
# expect pass|fail FILE INCLUDE-LINE: the check of a tree with this one file in it.
expect() {
    rm -rf "$tmp/src"
    mkdir -p "$tmp/$(dirname "$2")"
    printf '/* a file */\n%s\n' "$3" >"$tmp/$2"
    local got=pass
    tools/check-walls "$tmp" >"$tmp/out" || got=fail
    if [ "$got" != "$1" ] || { [ "$got" = fail ] && ! grep -q "^$2:" "$tmp/out"; }; then
        echo "FAILED: $2 with $3: want $1, got $got"
        sed 's/^/    /' "$tmp/out"
        failed=1
    fi
}

expect pass src/base/a.c '#include "base/str.h"'
expect pass src/base/a.c '#include "neighbour.h"'
expect pass src/base/a.c '#include <sys/stat.h>'
expect fail src/base/a.c '#include "rule/rule.h"'
expect fail src/base/a.c '#include <rule/rule.h>'
expect fail src/base/a.c '  #  include "rule/rule.h"'
expect fail src/base/a.c '#include "../rule/rule.h"'
expect fail src/base/a.h '#include "warder.h"'
expect pass src/shell/a.c '#include "programs/table.h"'
expect fail src/programs/a.c '#include "shell/word.h"'
expect fail src/rule/a.c '#include "call/call.h"'
expect fail src/call/a.c '#include "shell/word.h"'
expect pass src/layer/a.c '#include "shell/word.h"'
expect fail src/layer/a.c '#include "decide/decide.h"'
expect fail src/decide/a.c '#include "policy/policy.h"'
expect pass src/policy/a.c '#include "rule/rule.h"'
expect fail src/policy/a.c '#include "call/call.h"'
expect pass src/lib/a.c '#include "decide/decide.h"'
expect pass src/cli/a.c '#include "warder_operator.h"'
expect fail src/cli/a.c '#include "rule/rule.h"'
expect fail src/cli/a.c '#include "lib/engine.h"'
expect fail src/attic/a.c '#include <stdio.h>'

exit $failed
