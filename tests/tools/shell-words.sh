#!/usr/bin/env bash
# Compares the words that the analysis foretells with those of the commands that bash executes: a few texts of
# `make test-words`, always the same, and those of our case files.
set -eu
if ! command -v python3 >/dev/null; then
    echo "SKIPPED: no python3"
    exit 77
fi
exec tools/shell-words --count 3000 --seed 1 --jobs 1 --show 3 --build "${WARDER_BUILD:-build/dev}" \
    tests/cases/shell/actions.case tests/cases/shell/expansions.case
