/* inlinetext.h - texts of inline code, for the tests of their readers: is one taken, and up to
 * which length or depth?
 */
#ifndef TESTS_SUPPORT_INLINETEXT_H
#define TESTS_SUPPORT_INLINETEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* The program and the option in front of a text: {"python3", "-c"}. */
struct inline_reader {
    const char *program, *option;
};

/* Has it no effect but that it loads modules? */
bool inline_takes(const struct inline_reader *reader, struct str text);
/* `before` n times, `middle`, `after` n times. */
bool inline_takes_repeated(const struct inline_reader *reader, const char *before,
                           const char *middle, const char *after, size_t n);
/* One line for each number below n, which stands between the two texts. */
bool inline_takes_numbered(const struct inline_reader *reader, const char *before,
                           const char *after, size_t n);
/* The largest n for which a repeated text is taken; it fails unless 1 is, and `most` is not. */
size_t inline_edge(const struct inline_reader *reader, const char *before, const char *middle,
                   const char *after, size_t most);

#endif
