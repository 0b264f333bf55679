/* toml_scan.h - internals of the TOML reader: the scanner and the readers of scalars.
 *
 * The text has passed text_check(), so it contains no NUL, and '\0' can mean the end. For toml*.c
 * only. */
#ifndef DOCUMENT_TOML_SCAN_H
#define DOCUMENT_TOML_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

struct position {
    uint32_t line, column;
};

struct scan {
    struct arena *arena;
    struct str text;
    size_t at;
    size_t line_start;
    uint32_t line;
    struct error error; /* STATUS_OK until the first error */
};

/* The byte `ahead` of the next one, '\0' past the end. */
static inline char scan_ahead(const struct scan *s, size_t ahead)
{
    return ahead < s->text.len - s->at ? s->text.s[s->at + ahead] : '\0';
}

static inline char scan_peek(const struct scan *s)
{
    return scan_ahead(s, 0);
}

static inline struct position scan_place(const struct scan *s)
{
    return (struct position){s->line, (uint32_t)(s->at - s->line_start) + 1};
}

static inline bool scan_refused(const struct scan *s)
{
    return s->error.status != STATUS_OK;
}

/* Skips the next bytes, which must exist. */
void scan_skip(struct scan *s, size_t count);
bool scan_accept(struct scan *s, char c);
void scan_blanks(struct scan *s); /* blanks and tabs */
bool scan_at_newline(const struct scan *s);
bool scan_newline(struct scan *s); /* skips one, if there is one here */

/* Reports an error and moves to the end of the text, so that every loop of the reader ends by
 * itself and no caller needs an error path. Only the first error is kept: it is the one the author
 * can act on. */
__attribute__((format(printf, 4, 5))) void scan_refuse(struct scan *s, struct position place,
                                                       enum status status, const char *format, ...);

/* A string of any of the four kinds, or with `in_key` of the two that a key allows. The scan is at
 * its quote. */
struct str toml_string(struct scan *s, bool in_key);

/* A boolean, number, date or time. Sets kind, boolean and text. */
void toml_scalar(struct scan *s, struct value *out);

/* Is `word` a valid date, time or both? If not, *why is the message. */
bool toml_time(struct str word, const char **why);

#endif
