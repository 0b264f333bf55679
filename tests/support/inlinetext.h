/* inlinetext.h - for tests of the inline code readers: is a text accepted, and up to which length
 * or depth? */
#ifndef TESTS_SUPPORT_INLINETEXT_H
#define TESTS_SUPPORT_INLINETEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* The program and the option before the text: {"python3", "-c"}. */
struct inline_reader {
    const char *program, *option;
};

/* Is loading modules its only effect? */
bool inline_takes(const struct inline_reader *reader, struct str text);
/* `before` n times, `middle`, `after` n times. */
bool inline_takes_repeated(const struct inline_reader *reader, const char *before,
                           const char *middle, const char *after, size_t n);
/* One line for each number below n, written between the two texts. */
bool inline_takes_numbered(const struct inline_reader *reader, const char *before,
                           const char *after, size_t n);
/* The largest n for which the repeated text is accepted. Fails the test unless 1 is accepted and
 * `most` is not. */
size_t inline_edge(const struct inline_reader *reader, const char *before, const char *middle,
                   const char *after, size_t most);

/* A file of texts between lines of "%%", each with an argument "first" behind it: all are accepted,
 * or none. Prints the others, and returns how many there are. */
size_t inline_wrong_in(const struct inline_reader *reader, const char *file, bool taken);

#endif
