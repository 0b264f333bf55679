/* pattern.h - the part behind a tool name: escapes resolved, wildcards marked, made into a reading.
 */
#ifndef RULE_PATTERN_H
#define RULE_PATTERN_H

#include "rule/dialect.h"

/* A text that remembers which of its bytes are wildcards and which only look like one. */
struct marked {
    char *s;
    bool *magic;
    size_t len;
};

struct marked marked_from(struct arena *a, struct str text, const char *escapes, const char *magic);
struct str marked_text(const struct marked *m);
bool marked_has_magic(const struct marked *m);

/* In the form of glob.h. */
struct str marked_glob(struct arena *a, const struct marked *m);

/* Reads it as the dialect says. */
enum status pattern_read(struct arena *a, const struct marked *m, const struct dialect_row *row,
                         struct rule_reading *out, struct error *err);

/* Takes quotes away and makes runs of blanks one, as the normal form of an action is made from its
 * text. False when that changes nothing, or when the text is not one simple command's worth of
 * closed quotes. */
bool pattern_unquote(struct arena *a, const struct marked *m, struct marked *out);

#endif
