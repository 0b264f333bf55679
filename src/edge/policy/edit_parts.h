/* edit_parts.h - shared by the files edit_*.c: a text with byte offsets. */
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

/* One possible insertion; reading the result shows which one is right. */
struct edit_try {
    size_t at;
    struct str insert;
};
struct edit_tries LIST_OF(struct edit_try);

/* What is to be added, and where. */
struct edit_item {
    struct str keys[3];        /* the list's path: permissions, allow */
    size_t depth;              /* how many of them there are */
    struct str text;           /* of the rule */
    bool row;                  /* as {tool, action} and not as a string */
    const struct value *entry; /* this object instead; NULL: the text */
    struct str action;
    const struct value *list;  /* NULL: it is missing */
    const struct value *above; /* goes before this one; NULL: after the last one */
};

/* ---- edit_plan.c: reading and proving ---- */

struct edit_reader {
    struct arena *arena;
    struct str path;
    enum format format; /* recognised if it is unknown */
    enum dialect dialect;
    struct regexes regexes; /* release them */
};

/* A text as its reader and its schema see it. */
struct edit_reading {
    struct value document;
    struct rulebook book;
};

/* Fails for a file with a fatal problem, too. Below an arena_try(). */
enum status edit_read(struct edit_reader *e, struct str text, struct edit_reading *out,
                      struct error *err);
struct edit_text edit_text_of(const struct edit_reader *r, struct str text,
                              const struct value *document);

/* The text with the insertion. */
struct edit edit_put_in(struct arena *a, struct str text, const struct edit_try *t);

/* Equal, except for `*extra` new items and members. More than one on the same level is refused at
 * once. */
bool edit_has_grown(const struct value *before, const struct value *after, size_t *extra);
/* Their other members are in the document, which is compared. */
bool edit_reads_alike(const struct rule *a, const struct rule *b);

/* ---- edit_text.c: places ---- */

void edit_find_lines(struct edit_text *e); /* before the others are called */
size_t edit_offset(const struct edit_text *e, uint32_t line,
                   uint32_t column); /* the end if there is no such place */
static inline size_t edit_offset_of(const struct edit_text *e, const struct value *v)
{
    return edit_offset(e, v->line, v->column);
}
size_t edit_line_start(struct str text, size_t at);
size_t edit_line_end(struct str text,
                     size_t at); /* before the line break, or the end of the text */
struct str edit_indent(struct str text, size_t at);  /* the indentation of the line of `at` */
bool edit_first_on_line(struct str text, size_t at); /* only blanks precede it */
struct str edit_newline(struct str text);

/* A value as an item of a list in brackets, on one line. */
struct str edit_inline(const struct edit_text *e, const struct edit_item *item);

/* Appends whole lines, each ended by `newline`; the text ends in a line break afterwards only if it
 * did before. */
struct edit_try edit_at_end(const struct edit_text *e, struct str lines);

/* ---- edit_list.c: lists and objects in brackets, in all three syntaxes ---- */

/* Inserts before *item->above, else after the last item. */
void edit_list(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);

/* The offset after the value that begins at `at`: a string, a bracketed value, or a word that fills
 * the rest of its line. */
size_t edit_value_end(const struct edit_text *e, size_t at);

/* Adds a missing member: its key, and below it item->keys from `depth` on. */
void edit_member(const struct edit_text *e, const struct edit_item *item,
                 const struct value *object, size_t depth, struct edit_tries *out);

/* A whole JSON document with only this. */
struct str edit_new_json(const struct edit_text *e, const struct edit_item *item);

/* ---- by lines ---- */

void edit_toml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);
void edit_yaml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out);

#endif
