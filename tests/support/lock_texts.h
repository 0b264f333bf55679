/* lock_texts.h - the calls whose judgements are locked. */
#ifndef TESTS_SUPPORT_LOCK_TEXTS_H
#define TESTS_SUPPORT_LOCK_TEXTS_H

#include "base/list.h"
#include "base/str.h"
#include "support/dice.h"

struct lock_text {
    struct str tool, text; /* JSON if it begins with { */
};
struct lock_texts LIST_OF(struct lock_text);

/* All of these append, in an order that depends on nothing, and no text twice. */
void lock_texts_of_cases(struct arena *a, struct lock_texts *out); /* Bash alone */
void lock_texts_of_tools(struct arena *a, struct lock_texts *out); /* all other tools */
void lock_texts_of_rows(struct arena *a, struct lock_texts *out);  /* what programs/rows say */
void lock_texts_of_places(struct arena *a,
                          struct lock_texts *out); /* what is done with paths that need care */
void lock_texts_of_corpora(struct arena *a, struct lock_texts *out); /* of the fuzz targets */

/* Commands of the case files with other words in the place of one, from the line of
 * tests/lock/words.txt that it is in; parts of them; and without one of their words. */
void lock_texts_of_words(struct arena *a, struct lock_texts *out);
void lock_texts_of_parts(struct arena *a, struct lock_texts *out);

/* Some of these texts, each with a few changes: words and parts of other texts, and what a shell
 * puts around a command. */
void lock_texts_changed(struct arena *a, const struct lock_texts *from, size_t count,
                        struct dice *d, struct lock_texts *out);

#endif
