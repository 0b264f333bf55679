/* toml_scan.h - the parts of the TOML reader: a place in a text, and what stands there.
 *
 * The text has gone through text_check(), so it holds no NUL, and '\0' can mean
 * the end. Only the files toml*.c include this. */
#ifndef DOCUMENT_TOML_SCAN_H
#define DOCUMENT_TOML_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

struct place {
    uint32_t line, column;
};

struct scan {
    struct arena *arena;
    struct str text;
    size_t at;
    size_t line_start;
    uint32_t line;
    struct error error; /* STATUS_OK until the first refusal */
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

static inline struct place scan_place(const struct scan *s)
{
    return (struct place){s->line, (uint32_t)(s->at - s->line_start) + 1};
}

static inline bool scan_refused(const struct scan *s)
{
    return s->error.status != STATUS_OK;
}

/* Takes the next bytes, which must be there. */
void scan_skip(struct scan *s, size_t count);
bool scan_accept(struct scan *s, char c);
void scan_blanks(struct scan *s); /* blanks and tabs */
bool scan_at_newline(const struct scan *s);
bool scan_newline(struct scan *s); /* takes one, if it stands here */

/* Stops reading, for good: from here the text is at its end, so each loop of the
 * reader ends by itself and no caller needs an error path. The first refusal
 * wins: it is the one the author can act on. */
__attribute__((format(printf, 4, 5))) void scan_refuse(struct scan *s, struct place place,
                                                       enum status status, const char *format, ...);

/* A string in quotes, of all four kinds; of the two that fit a key when `in_key`. The scan stands
 * at the quote. */
struct str toml_string(struct scan *s, bool in_key);

/* A boolean, number, date or time. Sets kind, boolean and text. */
void toml_scalar(struct scan *s, struct value *out);

/* Whether `word` is a date, a time or both, and valid; otherwise *why is a sentence. */
bool toml_time(struct str word, const char **why);

#endif
