#!/usr/bin/env bash
# The reader of inline Python against Python itself: whatever it takes, a second checker over the real ast takes, too, and
# under an audit hook it does nothing but read, compute and print. `make test-python` does it at length.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
    echo "SKIPPED: no python3 from 3.8 on"
    exit 0
fi
exec python3 -B tests/judges/python/compare.py "${WARDER_BUILD:-build/dev}/tests/text_reader" 1200
