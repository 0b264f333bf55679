/* left.h - the directory in which the command's shell has ended, for the client's shell, which
 * follows it there.
 *
 * Only the shell knows it, at its end. So it runs the text as a part of a text of ours, which then
 * opens a name that is never there for writing: such a call is told to the keeper, which can see
 * the directory of the caller. A program that opens that name leads the client's shell to another
 * directory, as it could by `cd` outside of a cell. */
#ifndef CELL_LEFT_H
#define CELL_LEFT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

/* The text for a bash that says where it ends. Below an arena_try(). */
struct str left_text(struct arena *a, struct str text);

bool left_is_mark(const char *path); /* the name that it opens */

/* Keeps the directory for a while, by the token; what cannot be kept is not known. */
void left_keep(const char *token, const char *directory);

/* Prints the directory, once, and "." if it is not known. */
int left_print(const char *token);

#endif
