/* error.h - how every function that can fail says so.
 *
 * One idiom: the function returns its status, and fills the caller's struct,
 * which is optional everywhere. fail() does both, so that a failure is one line:
 *
 *     return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdint.h>

enum status {
    STATUS_OK = 0,
    STATUS_SYNTAX, /* a text that is not what it should be; has a place */
    STATUS_LIMIT,  /* larger, deeper or more than we are willing to read */
    STATUS_IO,     /* the world said no */
    STATUS_UNSAFE, /* a file that somebody else could have written */
    STATUS_NOMEM,
    STATUS_USAGE, /* the caller asked for something that does not exist */
};

struct error {
    enum status status;
    uint32_t line, column; /* 1-based, column in bytes; 0 when the failure has no place in a text */
    char message[232];
};

__attribute__((cold, format(printf, 3, 4))) enum status fail(struct error *err, enum status status,
                                                             const char *format, ...);

/* The same, for a failure that has a place. */
__attribute__((cold, format(printf, 5, 6))) enum status fail_at(struct error *err,
                                                                enum status status, uint32_t line,
                                                                uint32_t column, const char *format,
                                                                ...);

#endif
