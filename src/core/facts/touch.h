/* touch.h - what a call touches, as rules and layers see it: paths with where they lead, patterns
 * with what they find, hosts. */
#ifndef FACTS_TOUCH_H
#define FACTS_TOUCH_H

#include "base/rare.h"
#include "facts/facts.h"
#include "shell/shell.h"

/* A path as the call wrote it, seen from this directory. One that cannot be placed (~user, a
 * relative one while the directory is unknown) could be anything. */
void touch_path(struct facts *f, struct subject *s, struct str cwd, struct str text,
                unsigned access);

/* One that is absolute and clean; `raw` is the same before ".." was taken away: behind a link that
 * leads elsewhere than the text says. */
void touch_clean(struct facts *f, struct subject *s, struct str written, struct str raw,
                 unsigned access, bool uncertain);

/* A shell word with wildcards stands for every path that it could match. */
RARE void touch_pattern(struct facts *f, struct subject *s, struct str cwd, struct str text,
                        unsigned access, bool uncertain);

/* What the pattern matches now; NULL: that cannot be told. `text`: as it was written. */
const struct subject_paths *touch_files(struct facts *f, struct str text, struct str pattern);

/* For rules: who touches a directory with all that is in it touches what a rule says of its
 * contents. */
void touch_tree(struct facts *f, struct subject *s, struct str directory, unsigned access,
                bool contents);

/* A path that is not known, but something is said of it. False: that is not enough. */
RARE bool touch_likely(struct facts *f, struct subject *s, struct str cwd,
                       const struct shell_word *w, unsigned access);

RARE void touch_host(struct facts *f, struct subject *s, struct str url);
void touch_hosts(struct facts *f, struct subject *s, struct str text); /* of every URL in it */

#endif
