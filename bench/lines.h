/* lines.h - machine-readable figures: one JSON line per measurement.
 *
 *     {"bench": "journal", "who": "append, synced", "n": 64, "unit": "s",
 *      "median": ..., "low": ..., "high": ...}
 *
 * `n` is the size of the measurement (rules, records of a batch, threads). bench/report.py makes
 * the table and the plot. */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "measure.h"

void lines_open(const char *path); /* NULL: only print the figures */
void lines_add(const char *bench, const char *who, size_t n, const char *unit, struct measured m);
void lines_close(void);

#endif
