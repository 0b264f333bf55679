/* copies_in.h - commands that bring things from elsewhere into a directory: links, copies, what an
 * archive holds, what a repository has tracked. What they bring is not on the disk when the call is
 * judged. */
#ifndef FACTS_COPIES_IN_H
#define FACTS_COPIES_IN_H

#include "facts/facts.h"

/* What the program brings, by its name. */
enum program_brings copies_in_of(const struct action *a);

/* Does anything in the call bring something? For who asks when all actions are known. */
bool copies_in_any(const struct facts *f);

/* git writes files that are tracked: another commit, a stash, a patch. It never tracks a .git. But
 * HEAD, objects/, refs/ and a config that runs programs are files like others, and make a bare
 * repository of their directory. */
bool copies_in_tracked(const struct action *a);

/* Could this directory be such a repository by the time git runs in it? Not where a .git lies: git
 * looks for that first. `a` is the action that runs git there. */
bool copies_in_exposes(const struct facts *f, const struct action *a, struct str directory);

#endif
