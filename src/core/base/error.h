/* error.h - how functions report failure.
 *
 * One idiom: a function returns its status and fills the caller's struct error, which is always
 * optional. fail() does both, so a failure is one line:
 *
 *     return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno)); */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

enum status {
    STATUS_OK = 0,
    STATUS_SYNTAX, /* malformed text; has a line and column */
    STATUS_LIMIT,  /* too large, too deep or too many */
    STATUS_IO,     /* a system call failed */
    STATUS_UNSAFE, /* a file that another user could have written */
    STATUS_NOMEM,
    STATUS_USAGE, /* the caller asked for something that does not exist */
};

struct error {
    enum status status;
    uint32_t line, column; /* 1-based, column in bytes; 0: not about a place in a text. A column
                              without a line is one of the message */
    char message[232];
};

__attribute__((cold, format(printf, 3, 4))) enum status fail(struct error *err, enum status status,
                                                             const char *format, ...);

/* As fail(), for an error at a place in a text. */
__attribute__((cold, format(printf, 5, 6))) enum status fail_at(struct error *err,
                                                                enum status status, uint32_t line,
                                                                uint32_t column, const char *format,
                                                                ...);

#endif
