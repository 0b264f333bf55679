/* shared.h - test data that is not part of the project.
 *
 * Public suites and corpora may be in ../shared next to the project. A test that reads them prints
 * a line and skips if they are absent. */
#ifndef TESTS_SUPPORT_SHARED_H
#define TESTS_SUPPORT_SHARED_H

#include <stddef.h>

/* The path of `name` below ../shared, in a static buffer; prints "SKIPPED" and returns NULL if it
 * is absent. */
const char *shared_path(const char *name);

/* The path of `name` below the project's root, in a static buffer. */
const char *source_path(const char *name);

/* The whole file, NUL-terminated, malloc'ed; fails the test when it cannot be read. */
char *read_whole_file(const char *path, size_t *len);

#endif
