/* lines.h - figures for machines: one JSON line for each thing that was measured.
 *
 *     {"bench": "journal", "who": "append, synced", "n": 64, "unit": "s", "median": ..., "low":
 * ..., "high": ...}
 *
 * `n` is what the thing was measured with (rules, records of a batch, threads). bench/report.py
 * makes the table and the plot of them. */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "measure.h"

void lines_open(const char *path); /* NULL: figures are only printed */
void lines_add(const char *bench, const char *who, size_t n, const char *unit, struct measured m);
void lines_close(void);

#endif
