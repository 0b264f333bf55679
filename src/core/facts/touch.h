/* touch.h - what a call touches, as rules and layers see it: paths with their targets, patterns
 * with their matches, hosts. */
#ifndef FACTS_TOUCH_H
#define FACTS_TOUCH_H

#include "base/rare.h"
#include "facts/facts.h"
#include "shell/shell.h"

/* Each path is looked up on the disk and compared with every rule on paths: with more of them, one
 * call would hold up the calls of others. True if the next one is too many: then the call is not
 * judged, but denied. */
#define TOUCH_PATHS_MAX      4096
#define TOUCH_PATHS_MAX_TEXT "4096"
bool touch_is_full(struct facts *f);

/* A path as the call wrote it, relative to this directory. One that cannot be resolved (~user, a
 * relative one while the directory is unknown) could be anything. */
void touch_path(struct facts *f, struct subject *s, struct str cwd, struct str text,
                unsigned access);

/* What a text names if it is a path at all. */
struct touched_name {
    struct str cwd, text;
    bool plain;               /* see touch_is_plain(); the rest may not be set then */
    struct subject_path path; /* without access: who asks knows that */
    bool respelled;           /* it has another spelling, which touch_path() adds */
};

/* Remembered for the decision, since several look at the same words: the text and the directory
 * must stay where they are. NULL if it cannot be said. The next call may change what was returned.
 */
const struct touched_name *touch_named(const struct facts *f, struct str cwd, struct str text);

/* A word that may be a path, for all that is known: mostly it is only a word, and others will look
 * at it. */
void touch_word(struct facts *f, struct subject *s, struct str cwd, struct str text,
                unsigned access);

/* The same for a bare name, of which nearly always this is all there is to say: below this
 * directory it is no link, nor is the way to it, and it has no other spelling. False: perhaps not,
 * touch_named() says what is known. */
bool touch_is_plain(const struct facts *f, struct str cwd, struct str name);

/* Letters, digits, underscores and dashes: neither a path nor a pattern, nor a list of them. */
bool touch_is_bare(struct str name);

/* What is at such a name in this directory, which is absolute. */
enum file_kind touch_kind(const struct facts *f, struct str cwd, struct str name);

/* An absolute, clean path; `raw` is the same before ".." was resolved: after a link it leads
 * elsewhere than the text says. */
void touch_clean(const struct facts *f, struct subject *s, struct str written, struct str raw,
                 unsigned access, bool uncertain);

/* A shell word with wildcards counts as every path that it could match. */
RARE void touch_pattern(struct facts *f, struct subject *s, struct str cwd, struct str text,
                        unsigned access, bool uncertain);

/* What the pattern matches now; NULL if unknown. `text`: as written. */
const struct subject_paths *touch_files(struct facts *f, struct str text, struct str pattern);

/* For rules: an action on a whole tree touches everything in it. */
void touch_tree(const struct facts *f, struct subject *s, struct subject_path directory,
                unsigned access, bool contents);

/* A path that is only partly known. False if that is not enough. */
RARE bool touch_likely(struct facts *f, struct subject *s, struct str cwd,
                       const struct shell_word *w, unsigned access);

RARE void touch_host(struct facts *f, struct subject *s, struct str url);
void touch_hosts(struct facts *f, struct subject *s, struct str text); /* of every URL in it */

#endif
