/* field.h - one word as it is made out of its parts.
 *
 * A field is known only as far as somebody has proved it: by field_add(), field_add_unquoted() or
 * field_add_nothing(), each for bytes that bash surely makes. A part for which none of them was
 * called is anything, and so is a value that nobody has proved to be one word. Whoever forgets a
 * case makes a word unknown, never known. */
#ifndef SHELL_FIELD_H
#define SHELL_FIELD_H

#include "shell/walk.h"

/* A field that is being made out of the parts of one word, and the list to which it is added. */
struct field {
    struct walk *w;
    struct shell_words *out;
    const struct word *word;
    struct buf text;
    bool open;     /* there is a field, if only an empty one */
    bool whole;    /* one value: no splitting, no globbing */
    size_t proved; /* bytes of it that are exactly what bash makes */
    bool said;     /* the part at hand has been added, or proved to be nothing */
    bool doubted;  /* they may not be, for a reason that is not in the bytes */
    bool glob, split, dash;
    bool empty_list; /* "$@" without arguments is in it: without any text there is no field */
    bool opens;      /* an unquoted [ is in it: with a ] that follows, it is a pattern */
    enum { CLASS_NONE = 0, CLASS_PERHAPS, CLASS_QUOTED, CLASS_OTHER } class;
    bool translated; /* part of it depends on the locale */
    bool home;       /* the field begins with the home directory, which may have been changed */
    struct shell_value lead; /* the value that the field begins with, if it is not known but
                                something about it is */
    size_t unknowns;         /* how many values in the field are not known */
    unsigned shape;          /* the shape that all of them have */
    bool vanish;             /* all of them may be empty, and then there is no field */
};

/* What is proved: bytes that are not special, bytes of an unquoted text or value, no bytes. */
void field_add(struct field *f, struct str text);
void field_add_unquoted(struct field *f, struct str text);
static inline void field_add_nothing(struct field *f)
{
    f->said = true;
}

/* What is not: any text in any number of words, each of which may be a pattern, an option or a
 * path. */
void field_add_anything(struct field *f);
/* Any text that stays in one word. */
void field_add_unknown(struct field *f);
/* What stands there is not, or not only, what these bytes say. */
void field_doubt(struct field *f);

void field_add_value(struct field *f, struct shell_value v, bool quoted);
void field_begin_part(struct field *f);
void field_end_part(struct field *f);
void field_close(struct field *f); /* the word ends here, and another one may begin */

bool ifs_is_usual(const struct walk *w);
/* Does a value without quotes become something else than one word with its text? */
bool text_is_split(const struct walk *w, struct str text);

#endif
