#!/usr/bin/env bash
# Compares the reader of inline Python with Python: what it accepts, a second checker over the real ast accepts too, and
# under an audit hook it only reads, computes and prints. `make test-python` runs many more.
set -eu
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null; then
    echo "SKIPPED: no python3 from 3.8 on"
    exit 0
fi
exec python3 -B tests/judges/python/compare.py "${WARDER_BUILD:-build/dev}/tests/text_reader" 1200
