#!/usr/bin/env bash
# The reader of inline JavaScript against node itself: what it takes node parses, and when it runs, with a look at every
# value, it does nothing but read, compute and print. `make test-javascript` does it at length.
set -eu
if ! node --expose-internals -e 'require("internal/deps/acorn/acorn/dist/acorn")' 2>/dev/null; then
    echo "SKIPPED: no node that has acorn in it"
    exit 0
fi
exec node --expose-internals tests/judges/javascript/compare.js "${WARDER_BUILD:-build/dev}/tests/text_reader" 700 1 6
