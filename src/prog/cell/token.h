/* token.h - a plan that was stored under a token, for one run.
 *
 * The agent's client runs `warder-cell TOKEN`; `warder` wrote the plan to a file of that name in
 * the state directory of the user. Whoever can write there can do more than a cell could, so the
 * checks are about accidents and leftovers, and about a token that is used twice. */
#ifndef CELL_TOKEN_H
#define CELL_TOKEN_H

#include "base/error.h"
#include "cell/plan.h"

#define TOKEN_LENGTH 32 /* lower-case hexadecimal digits */

/* The stored plan, open for reading, and no longer there for anyone else to run. -1: err says why.
 */
int token_take(const char *token, struct error *err);

/* A file for where the command of a token has ended (left.h), to be written; and to be read, once.
 * -1: there is none. */
int token_left_make(const char *token);
int token_left_take(const char *token);

/* Was the plan made since the machine was started, by this build, and is its time not over? A plan
 * from a descriptor need not say so; what it says counts. */
enum status token_check(const struct plan *plan, bool stored, struct error *err);

#endif
