/* measure.h - compares several ways to do one thing in one run.
 *
 * They are interleaved, so that a busy machine slows all of them equally. Prints medians, ratios of
 * medians, and the spread. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

struct contender {
    const char *name;
    void (*run)(void); /* does the thing once; must take at least some 10 microseconds */
};

/* Prints one line: both medians and how many times faster `ours` is. Adds both to the figures
 * (lines.h). */
void measure_compare(const char *what, struct contender ours, struct contender theirs);

/* Processor time of one call, in seconds, so that other processes do not count. */
double measure_once(void (*run)(void *), void *arg);

/* The median, and the 10th and 90th percentile as the noise. Sorts the samples. */
struct measured {
    double median, low, high;
};
struct measured measure_samples(double *samples, size_t count);

#endif
