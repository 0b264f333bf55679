/* other_names.h - commands that have more than one name.
 *
 * npm i is npm install, and python3.11 is python. A row says so in its columns `also`, `bare` and
 * `kinds`; that a row is read like another one ("=NAME") does not. */
#ifndef PROGRAMS_OTHER_NAMES_H
#define PROGRAMS_OTHER_NAMES_H

#include "base/word_lists.h"
#include "programs/programs.h"

/* Our own row of the command that has this name, its own or one of `also`; NULL: there is none. */
const struct program_row *program_same_command(struct str name);

/* The names of that command, one by one; *at starts at 0. False after the last. */
bool program_next_name(const struct program_row *row, size_t *at, struct str *name);

/* How many words in front are this name: python3.11 is python3, gsed is sed. 0: it is another one.
 */
size_t program_words_named(const struct shell_word *words, size_t count, struct str name);

/* The programs under whose names a rule may speak of the command; its own is the first. */
struct strs program_rule_names(struct arena *a, const struct shell_word *words, size_t count);

/* The names that those of any command of this program may be, without looking at the command: which
 * of these lists. Its own is the first in it. The first list is empty, and that of most programs.
 */
extern const struct word_lists program_name_lists;
size_t program_other_names(struct str program);
#define NAMES_ANY SIZE_MAX /* any names */

/* Is it never NAMES_ANY, whichever program it is? */
bool program_is_spelled_plainly(struct str program);

/* Do both words name the same kind of thing: ns, namespaces, Namespace.v1? `kinds` is the column of
 * a row. */
bool program_same_kind(const char *kinds, struct str word, struct str other);

#endif
