#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lines.h"

#define ROUNDS  401
#define WARM_UP 20

double measure_once(void (*run)(void *), void *arg)
{
    struct timespec from, to;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    run(arg);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct measured measure_samples(double *samples, size_t count)
{
    qsort(samples, count, sizeof(*samples), by_size);
    return (struct measured){samples[count / 2], samples[count / 10],
                             samples[count - 1 - count / 10]};
}

static void call(void *arg)
{
    ((struct contender *)arg)->run();
}

void measure_compare(const char *what, struct contender ours, struct contender theirs)
{
    static double our_samples[ROUNDS], their_samples[ROUNDS];

    for (int i = 0; i < WARM_UP; i++) {
        ours.run();
        theirs.run();
    }
    for (int i = 0; i < ROUNDS; i++) {
        our_samples[i] = measure_once(call, &ours);
        their_samples[i] = measure_once(call, &theirs);
    }
    struct measured mine = measure_samples(our_samples, ROUNDS),
                    other = measure_samples(their_samples, ROUNDS);
    printf("%-36s %s %8.1f us   %s %8.1f us   %.2f times faster\n", what, ours.name,
           mine.median * 1e6, theirs.name, other.median * 1e6, other.median / mine.median);
    lines_add(what, ours.name, 1, "s", mine);
    lines_add(what, theirs.name, 1, "s", other);
}
