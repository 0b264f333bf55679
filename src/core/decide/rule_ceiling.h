/* rule_ceiling.h - what the star of an allow rule does not stand for, whatever it matches.
 *
 * Code, secrets, other hosts and the loss of work are covered only if the rule names them: in its
 * text, read as a command of its own, or in its long form (`within`). */
#ifndef DECIDE_RULE_CEILING_H
#define DECIDE_RULE_CEILING_H

#include "facts/facts.h"

/* What of the action the rule does not cover, as the end of "covers X, but not ..."; NULL:
 * nothing. */
const char *rule_ceiling(const struct facts *f, const struct rule *r, const struct action *a);

/* Is the path, or the option of these names ("-o,--output"), one that the rule's text or its long
 * form names? */
bool rule_names_place(const struct facts *f, const struct rule *r, const struct action *a,
                      const struct subject_path *p);
bool rule_names_option(const struct rule *r, struct str names);

/* Takes the next word off the front of the rule's text; the mark of a prefix rule is none of it. */
bool rule_next_word(struct str *text, struct str *word);

#endif
