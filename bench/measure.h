/* measure.h - two ways to do one thing, compared in one run.
 *
 * The two run in turns, so that a busy machine slows both alike; what is printed
 * is the median of each and the ratio of the medians. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

struct contender {
    const char *name;
    void (*run)(void); /* does the thing once; long enough to be measured, some 10 microseconds at least */
};

/* Prints one line: both medians, and how many times faster `ours` is. */
void measure_compare(const char *what, struct contender ours, struct contender theirs);

#endif
