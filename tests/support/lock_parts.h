/* lock_parts.h - what the files that make the locked texts share. */
#ifndef TESTS_SUPPORT_LOCK_PARTS_H
#define TESTS_SUPPORT_LOCK_PARTS_H

#include "support/dice.h"
#include "support/lock_texts.h"

struct dice lock_dice(uint64_t hash, uint64_t time);

void lock_add_command(struct arena *a, struct lock_texts *out, struct str text);

/* The lines of a file below the project's root, with \n, \t, \\ and \xff read. */
void lock_lines_read(struct arena *a, const char *path, struct strs *out);
/* tests/lock/pieces.txt: what stands in a word of a shell. Read once. */
const struct strs *lock_pieces(void);

/* The text with a part in the place of `gone` bytes. */
struct str lock_put(struct arena *a, struct str text, size_t at, size_t gone, struct str part);
/* A word between blanks, chosen by chance; empty in a text of blanks. */
struct str lock_word(struct str text, struct dice *d);
/* The form with the part for each mark. */
struct str lock_filled(struct arena *a, struct str form, char mark, struct str part);
/* The text with another word of tests/lock/words.txt in the place of one; or as it is. */
struct str lock_with_sibling(struct arena *a, struct str text, uint64_t time);
/* Between single quotes. */
struct str lock_quoted(struct arena *a, struct str text);

#endif
