#!/usr/bin/env bash
# Compares our parser with bash on the tricky list: whatever it accepts, it must read as bash does.
set -eu
if ! command -v python3 >/dev/null; then
    echo "SKIPPED: no python3"
    exit 0
fi
exec tools/shell-diff --quick --show 3 --build "${WARDER_BUILD:-build/dev}" tests/cases/shell/bash.case
