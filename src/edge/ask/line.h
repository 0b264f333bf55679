/* line.h - a line that a person edits. */
#ifndef ASK_LINE_H
#define ASK_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "ask/keys.h"
#include "rule/rule.h"

struct line {
    char text[RULE_MAX_TEXT];
    size_t len, cursor; /* bytes; the cursor is between two characters */
};

/* False, and the line is empty, if the text does not fit. */
bool line_set(struct line *l, struct str text);
struct str line_text(const struct line *l);

/* True when the key changed the line or moved its cursor. */
bool line_key(struct line *l, enum key key, struct str text);

/* What fits into `width` columns around the cursor, and the cursor's column in it. */
struct str line_show(struct arena *a, const struct line *l, size_t width, bool ascii,
                     size_t *column);
/* What draws it again after a label, in a terminal of `width` columns, in the cursor's row. */
struct str line_draw(struct arena *a, const struct line *l, const char *label, size_t width,
                     bool ascii);

#endif
