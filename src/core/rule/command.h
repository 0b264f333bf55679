/* command.h - deny and ask rules on commands, word by word.
 *
 * rule_matches() compares a rule with texts. Whoever looks for other spellings of what a rule
 * forbids needs to know which words it is about. */
#ifndef RULE_COMMAND_H
#define RULE_COMMAND_H

#include "rule/book.h"
#include "rule/index.h"

/* A word of the pattern: escapes are resolved, and a wildcard is written as in the rule. */
struct rule_word {
    struct str text;
    bool wild; /* has wildcards */
};
struct rule_words LIST_OF(struct rule_word);

/* Is it a deny or ask rule that some commands match and others do not? */
bool rule_is_on_commands(const struct rule *r);

/* The program that the rule names; empty if its first word has wildcards or escapes, or it has no
 * pattern. */
struct str rule_program(const struct rule *r);

struct rule_words rule_words(struct arena *a, const struct rule *r);

/* The first deny or ask rule on commands, or NULL. */
const struct rule *rulebook_first_on_commands(const struct rulebook *b);

/* May one of them name a program that begins with this byte, or none? */
bool rulebook_may_name(const struct rulebook *b, char first);

/* ... or a program of this list, of those that rulebook_index() was given, that is not its first?
 */
bool rulebook_may_name_one(const struct rulebook *b, size_t list);
/* Can that be so of any list whose first program begins with this byte? */
bool rulebook_may_name_other(const struct rulebook *b, char first);

/* Those that name this program, and those that name none: indexes into the rules of the book. */
struct rule_places rulebook_on_program(struct arena *a, const struct rulebook *b,
                                       struct str program);

#endif
