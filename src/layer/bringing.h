/* bringing.h - commands that bring things from elsewhere into a directory: links, copies, what an archive holds, what a
 * repository has tracked. What they bring is not on the disk when the call is judged. */
#ifndef LAYER_BRINGING_H
#define LAYER_BRINGING_H

#include "layer/facts.h"

/* What the program brings, by its name. */
enum bringing bringing_of(const struct action *a);

/* Does anything in the call bring something? For who asks when all actions are known. */
bool bringing_any(const struct facts *f);

/* git writes files that are tracked: another commit, a stash, a patch. It never tracks a .git. But HEAD, objects/,
 * refs/ and a config that runs programs are files like others, and make a bare repository of their directory. */
bool bringing_tracked(const struct action *a);

/* Could this directory be such a repository by the time git runs in it? Not where a .git lies: git looks for that
 * first. `a` is the action that runs git there. */
bool bringing_exposes(const struct facts *f, const struct action *a, struct str directory);

#endif
