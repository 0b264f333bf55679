/* actions.h - from a call to the list of things it would do. */
#ifndef DECIDE_ACTIONS_H
#define DECIDE_ACTIONS_H

#include "layer/facts.h"

/* Fills actions, findings, understood, why and malformed. The rest of the facts must be there. */
void actions_find(struct facts *f);

#endif
