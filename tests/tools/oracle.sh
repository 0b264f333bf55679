#!/bin/bash
# Compares our verdicts with Claude Code's on the same rules and commands (recorded in tests/judges/clients/oracle.json).
set -u

command -v python3 >/dev/null || {
    echo "SKIPPED: python3 is not here"
    exit 77
}
"$WARDER_SOURCE/tests/judges/clients/oracle.py" "$WARDER_BUILD/warder"
