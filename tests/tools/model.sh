#!/bin/bash
# Short runs of the model of the five documents against check --jsonl, and against sessions and updates; the long ones are
# make test-model.
set -eu
cd "${WARDER_SOURCE:-$(dirname "$0")/../..}"
export WARDER_BUILD=${WARDER_BUILD:-build/dev}
if ! node -e 'process.exit(process.versions.node.split(".")[0] < 18 ? 1 : 0)' 2>/dev/null; then
    echo "SKIPPED: there is no node here, or it is older than 18"
    exit 77
fi
node tests/model/run.js "$WARDER_BUILD/warder" --decisions 20000 --per 100 --seed 1
(
    # shellcheck source=tests/bindings/prefix.sh
    . tests/bindings/prefix.sh
    sanitized node tests/model/live.js "$WARDER_BUILD" --steps 2000
) || [ $? = 77 ]
