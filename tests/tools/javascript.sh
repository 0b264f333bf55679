#!/usr/bin/env bash
# Compares the reader of inline JavaScript with node: what it accepts parses and, run with a check of every
# value, only reads, computes and prints. `make test-javascript` runs many more.
set -eu
if ! node --expose-internals -e 'require("internal/deps/acorn/acorn/dist/acorn")' 2>/dev/null; then
    echo "SKIPPED: no node that has acorn in it"
    exit 0
fi
exec node --expose-internals tests/judges/javascript/compare.js "${WARDER_BUILD:-build/dev}/tests/text_reader" 700 1 6
