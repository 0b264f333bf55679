/* edits.h - calls that change files. */
#ifndef LAYER_EDITS_H
#define LAYER_EDITS_H

#include "layer/facts.h"

bool edits_by_tool(const struct call *c); /* by a file tool, not by a command */
bool edits_plan_file(const struct facts *f, const struct action *a);

#endif
