/* index_program.h - deny and ask rules on commands, by the program that they name.
 *
 * A command may be mentioned anywhere in a call, so nearly every word of it is looked up, and
 * nearly none is the name that a rule begins with. For rule/index*.c and command.c only. */
#ifndef RULE_INDEX_PROGRAM_H
#define RULE_INDEX_PROGRAM_H

#include "rule/index_parts.h"

/* A rule on commands, while the index is built. */
struct named_rule {
    struct str program; /* empty: it names none */
    uint32_t rule;
};
struct named_rules LIST_OF(struct named_rule);

/* All of them, sorted by program and rule: those that name none are first. */
struct named_rules index_named_rules(struct arena *draft, const struct rules *rules);

/* Fills x->by_program and x->program_slots, for which there is room. */
void index_programs_fill(struct rule_index *x, const struct named_rules *sorted);

/* Fills x->named_lists, when the names of the rules are in their slots. */
void index_lists_fill(struct rule_index *x, const struct rules *rules,
                      const struct word_lists *lists);

/* May a rule name a program that begins with this byte, or none? */
static inline bool index_may_name(const struct rule_index *x, char first)
{
    return x->unnamed || x->program_initials[(unsigned char)first];
}

/* The same of a list whose first name begins with this byte: may a rule name another one in it? */
static inline bool index_may_name_other(const struct rule_index *x, char first)
{
    return x->unnamed || !x->list_count || x->listed_initials[(unsigned char)first];
}

/* May a rule name a program of this list, but for its first one, or none? */
static inline bool index_may_name_one(const struct rule_index *x, size_t list)
{
    return x->unnamed || list >= x->list_count || (x->named_lists[list / 64] >> (list % 64) & 1);
}

/* The rules that name this program, and those that name none; ascending. */
struct rule_places index_on_program(struct arena *a, const struct rule_index *x,
                                    const struct rules *rules, struct str program);

#endif
