#!/usr/bin/env bash
# Work in cells, plainly, and in another sandbox if that is installed; see `make test-work` in CONTRIBUTING.md.
# usage: tests/cell/work.sh WARDER
set -uo pipefail
here=$(dirname "$0")
programs=$HOME/.cache/warder-work/node_modules/.bin
peer=()
if [[ -x $programs/srt ]]; then
    peer=(--peer "$programs/srt")
else
    echo "skipped, no srt: the comparison with @anthropic-ai/sandbox-runtime"
fi
failed=0
for test in "$here/jobs.py" "$here/work.py"; do
    python3 -B "$test" "$1" "${peer[@]}" || [[ $? -eq 77 ]] || failed=1
done
exit $failed
