/* casefile.h - runs a case file through the engine: policy in, verdicts out, no C needed.
 *
 * docs/cases.md describes the format. */
#ifndef TESTS_SUPPORT_CASEFILE_H
#define TESTS_SUPPORT_CASEFILE_H

#include <stddef.h>

struct case_counts {
    size_t cases, failed;
};

/* Prints each failure with file and line. */
void casefile_run(const char *path, struct case_counts *counts);

/* Every *.case file of a directory below the project's root, in order of name. */
void casefile_run_all(const char *directory, struct case_counts *counts);

#endif
