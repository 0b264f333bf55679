/* lock_texts.h - the calls whose judgements are locked. */
#ifndef TESTS_SUPPORT_LOCK_TEXTS_H
#define TESTS_SUPPORT_LOCK_TEXTS_H

#include <stdint.h>

#include "base/list.h"
#include "base/str.h"

struct lock_text {
    struct str tool, text; /* JSON if it begins with { */
    uint64_t hash;         /* of both */
};
struct lock_texts LIST_OF(struct lock_text);

/* What is done with a text depends on its hash and not on its place, so that a new one changes few
 * others. */
uint64_t lock_hash(struct str text);
struct lock_text lock_text_of(struct str tool, struct str text);

/* By hash, and no text twice. */
void lock_texts_sort(struct lock_texts *t);

/* The first text with this hash or more, or the first one. */
const struct lock_text *lock_texts_near(const struct lock_texts *t, uint64_t hash);

/* All of these append, and sort. */
void lock_texts_of_cases(struct arena *a, struct lock_texts *out);  /* Bash alone */
void lock_texts_of_tools(struct arena *a, struct lock_texts *out);  /* all other tools */
void lock_texts_of_rows(struct arena *a, struct lock_texts *out);   /* what programs/rows say */
void lock_texts_of_places(struct arena *a, struct lock_texts *out); /* paths that need care */
void lock_texts_of_pieces(struct arena *a,
                          struct lock_texts *out); /* what stands in a word of a shell */
void lock_texts_of_codes(struct arena *a, struct lock_texts *out);   /* in other languages */
void lock_texts_of_corpora(struct arena *a, struct lock_texts *out); /* of the fuzz targets */

/* Commands of the case files with other words in the place of one, from the line of
 * tests/lock/words.txt that it is in; parts and beginnings of them, and without one of
 * their words. */
void lock_texts_of_words(struct arena *a, struct lock_texts *out);
void lock_texts_of_parts(struct arena *a, struct lock_texts *out);

/* A value from somewhere, what a shell does with it, and a command that gets it: all substitutions
 * of the case files and all pieces, each in some of tests/lock/flows.txt and sinks.txt. */
void lock_texts_of_flows(struct arena *a, struct lock_texts *out);
/* What rules are about (denied.txt), as it could be hidden (carriers.txt). */
void lock_texts_of_carriers(struct arena *a, struct lock_texts *out);
/* Commands of the case files in another spelling (support/respell.h). */
void lock_texts_of_spellings(struct arena *a, struct lock_texts *out);

/* The text with one or two changes: words and parts of the others, and what a shell puts around a
 * command. Each `time` another. Empty: it has become too long. */
struct str lock_text_changed(struct arena *a, const struct lock_text *t,
                             const struct lock_texts *others, uint64_t time);

#endif
