/* staged.h - secrets that git was given.
 *
 * Whatever git adds, commits or stashes it keeps, and prints later without the name of the file: in
 * the same call, or in any call after it, when the file may be ignored, renamed or gone. So the
 * session remembers that a call gave a secret to git (facts/session.h), and from then on every
 * command that prints what git keeps reads that secret. Which commands those are, and which take
 * the whole work tree, the rows of git say (columns `shows` and `takes`). */
#ifndef FACTS_STAGED_H
#define FACTS_STAGED_H

#include "facts/facts.h"

/* Fills `gives` of the facts, and gives every action that may print a secret which git has, or is
 * only just given, that secret as a path that it reads. All actions must be known. */
void staged_find(struct facts *f);

/* Does it print what git keeps? A subcommand that no row knows may do so. */
bool staged_prints(const struct action *a);

/* The work tree that it acts on: the workspace, or a linked one. */
struct str staged_work_tree(const struct facts *f, const struct action *a);

#endif
