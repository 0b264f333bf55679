#!/bin/bash
# The walls between the rooms hold, and the check that says so can fail.
set -u

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tools/check-walls || exit 1

failed=0
# expect pass|fail FILE INCLUDE-LINE: checks a tree with only this file in it.
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

expect pass src/core/base/a.c '#include "base/str.h"'
expect pass src/core/base/a.c '#include "neighbour.h"'
expect pass src/core/base/a.c '#include <sys/stat.h>'
expect fail src/core/base/a.c '#include "rule/rule.h"'
expect fail src/core/base/a.c '#include <rule/rule.h>'
expect fail src/core/base/a.c '  #  include "rule/rule.h"'
expect fail src/core/base/a.c '#include "../rule/rule.h"'
expect fail src/core/base/a.h '#include "warder.h"'
expect pass src/core/shell/a.c '#include "programs/table.h"'
expect fail src/core/programs/a.c '#include "shell/word.h"'
expect fail src/core/rule/a.c '#include "call/call.h"'
expect fail src/core/call/a.c '#include "shell/word.h"'
expect pass src/core/facts/a.c '#include "shell/word.h"'
expect fail src/core/facts/a.c '#include "decide/decide.h"'
expect fail src/core/decide/a.c '#include "policy/policy.h"'
expect pass src/edge/policy/a.c '#include "rule/rule.h"'
expect fail src/edge/policy/a.c '#include "call/call.h"'
expect pass src/edge/engine/a.c '#include "decide/decide.h"'
expect pass src/prog/cli/a.c '#include "warder_operator.h"'
expect fail src/prog/cli/a.c '#include "rule/rule.h"'
expect fail src/prog/cli/a.c '#include "engine/engine.h"'
expect pass src/core/programs/rows/a.c '#include "base/str.h"'
expect fail src/core/programs/rows/a.c '#include "shell/word.h"'
expect fail src/edge/machine/a.c '#include "decide/decide.h"'
expect fail src/core/attic/a.c '#include <stdio.h>'

exit $failed
