/* copies_in.h - commands that copy things from elsewhere into a directory: links, copies, the
 * contents of an archive, tracked files of a repository. These are not on the disk when the call is
 * judged. */
#ifndef FACTS_COPIES_IN_H
#define FACTS_COPIES_IN_H

#include "facts/facts.h"

/* What the program copies in, by its name. */
enum program_brings copies_in_of(const struct action *a);

/* Does anything in the call copy something in? All actions must be known. */
bool copies_in_any(const struct facts *f);

/* git writes tracked files: another commit, a stash, a patch. It never tracks a .git. But HEAD,
 * objects/, refs/ and a config that runs programs are ordinary files, and turn their directory into
 * a bare repository. */
bool copies_in_tracked(const struct action *a);

/* ... and in the whole work tree: not only the paths that it names. */
bool copies_in_rewrites(const struct action *a);

/* Could this directory be such a repository by the time git runs in it? Not if it has a .git: git
 * searches for that first. `a` is the action that runs git there. */
bool copies_in_exposes(const struct facts *f, const struct action *a, struct str directory);

#endif
