/* layer_edits.h - calls that change files. */
#ifndef DECIDE_LAYER_EDITS_H
#define DECIDE_LAYER_EDITS_H

#include "facts/facts.h"

bool edits_by_tool(const struct call *c); /* by a file tool, not by a command */
bool edits_plan_file(const struct facts *f, const struct action *a);

#endif
