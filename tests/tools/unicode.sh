#!/usr/bin/env bash
# The tables of utf8_fold() equal the output of tools/unicode-tables, if Python has the same version of Unicode.
set -eu
if ! command -v python3 >/dev/null; then
    echo "SKIPPED: no python3"
    exit 0
fi
version=$(python3 -c 'import unicodedata; print(unicodedata.unidata_version)')
if ! head -1 src/core/base/utf8_tables.c | grep -qF "Unicode $version;"; then
    echo "SKIPPED: python3 knows Unicode $version"
    exit 0
fi
tools/unicode-tables 2>/dev/null | cmp - src/core/base/utf8_tables.c
