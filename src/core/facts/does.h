/* does.h - the effects of an action, for rules on effects (rule/effect.h). */
#ifndef FACTS_DOES_H
#define FACTS_DOES_H

#include "facts/facts.h"

/* Fills `does` and `does_unknown` of all subjects, if a rule is about effects. */
void does_find(struct facts *f);

/* DOES_ bits of one action. *unknown: it may do anything else. */
unsigned action_does(const struct facts *f, const struct action *a, bool *unknown);

#endif
