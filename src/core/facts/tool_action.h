/* tool_action.h - what a tool other than the shell does: one action, from the table of tools and
 * the call's fields. */
#ifndef FACTS_TOOL_ACTION_H
#define FACTS_TOOL_ACTION_H

#include "facts/facts.h"

void tool_share(struct facts *f); /* what every subject of the call has */
void tool_action(struct facts *f);

#endif
