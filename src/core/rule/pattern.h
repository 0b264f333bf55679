/* pattern.h - parses the content of a rule, the part after the tool name: resolves escapes, marks
 * wildcards, makes a reading. */
#ifndef RULE_PATTERN_H
#define RULE_PATTERN_H

#include "rule/dialect.h"

/* A text that knows which of its bytes are wildcards and which only look like one. */
struct marked {
    char *s;
    bool *magic;
    size_t len;
};

struct marked marked_from(struct arena *a, struct str text, const char *escapes, const char *magic);
struct str marked_text(const struct marked *m);
bool marked_has_magic(const struct marked *m);

/* In the syntax of glob.h. */
struct str marked_glob(struct arena *a, const struct marked *m);

/* Interprets it as the dialect says. */
enum status pattern_read(struct arena *a, const struct marked *m, const struct dialect_row *row,
                         struct rule_reading *out, struct error *err);

/* Removes quotes and merges runs of blanks, as for the normal form of an action. False if that
 * changes nothing, a quote is not closed, or there is a line break. */
bool pattern_unquote(struct arena *a, const struct marked *m, struct marked *out);

#endif
