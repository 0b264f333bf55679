/* measure.h - ways to do one thing, compared in one run.
 *
 * They run in turns, so that a busy machine slows all alike; what is printed
 * are medians, ratios of medians, and how far the runs lay apart. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

struct contender {
    const char *name;
    void (*run)(
        void); /* does the thing once; long enough to be measured, some 10 microseconds at least */
};

/* Prints one line: both medians, and how many times faster `ours` is. Adds both to the figures
 * (lines.h). */
void measure_compare(const char *what, struct contender ours, struct contender theirs);

/* The processor time that one call takes, in seconds: what others do on the machine does not count.
 */
double measure_once(void (*run)(void *), void *arg);

/* The middle, and the borders of the inner eight tenths: the noise. Sorts the samples. */
struct measured {
    double median, low, high;
};
struct measured measure_samples(double *samples, size_t count);

#endif
