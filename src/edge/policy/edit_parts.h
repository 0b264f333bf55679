/* edit_parts.h - what the files edit_*.c share: a text that is looked at by byte offsets. */
#ifndef POLICY_EDIT_PARTS_H
#define POLICY_EDIT_PARTS_H

#include "base/list.h"
#include "policy/edit.h"

struct edit_text {
    struct arena *arena;
    enum syntax syntax;
    struct str text;    /* without a byte order mark */
    struct str newline; /* "\n" or "\r\n", as the file has it */
    struct str unit;    /* of indentation */
    struct line_starts LIST_OF(size_t) lines;
    const struct value *document;
};

/* One way to do it; which one is right is found out by reading the result. */
struct edit_try {
    size_t at;
    struct str insert;
};
struct edit_tries LIST_OF(struct edit_try);

/* What is to be added, and where. */
struct edit_item {
    struct str keys[2]; /* the list's path: permissions, allow */
    size_t depth;       /* how many of them there are */
    struct str text;    /* of the rule */
    bool row;           /* as {tool, action} and not as a string */
    struct str action;
    const struct value *list;  /* NULL: it is missing */
    const struct value *above; /* stands before this one; NULL: behind the last one */
};

/* ---- edit_text.c: places ---- */

void edit_find_lines(struct edit_text *e); /* before the others are called */
size_t edit_offset(const struct edit_text *e, uint32_t line,
                   uint32_t column); /* the end when there is no such place */
static inline size_t edit_offset_of(const struct edit_text *e, const struct value *v)
{
    return edit_offset(e, v->line, v->column);
}
size_t edit_line_start(struct str text, size_t at);
size_t edit_line_end(struct str text,
                     size_t at); /* in front of the line break, or the end of the text */
struct str edit_indent(struct str text,
                       size_t at); /* the blanks that the line of `at` begins with */
bool edit_first_on_line(struct str text, size_t at); /* only blanks stand before it */
struct str edit_newline(struct str text);

/* A value as it stands in a list in brackets, on one line. */
struct str edit_inline(const struct edit_text *e, const struct edit_item *item);

/* Whole lines, each ended by `newline`, that are to follow the end of the text: keeps whether it
 * ends in a line break.
 */
struct edit_try edit_at_end(const struct edit_text *e, struct str lines);

/* ---- edit_list.c: lists and objects in brackets, in all three syntaxes ---- */

/* Inserts before *item->above, else behind the last item. */
void edit_list(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);

/* Behind the value that begins at `at`: a string, what stands in brackets, or a word that fills the
 * rest of its line.
 */
size_t edit_value_end(const struct edit_text *e, size_t at);

/* A member that is missing: its key, and below it what item->keys say from `depth` on. */
void edit_member(const struct edit_text *e, const struct edit_item *item,
                 const struct value *object, size_t depth, struct edit_tries *out);

/* A whole JSON document that holds only this. */
struct str edit_new_json(const struct edit_text *e, const struct edit_item *item);

/* ---- by lines ---- */

void edit_toml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);
void edit_yaml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);

#endif
