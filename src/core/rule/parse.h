/* parse.h - what the two files that read rule text share. */
#ifndef RULE_PARSE_H
#define RULE_PARSE_H

#include "rule/rule.h"

/* Without a door of its own: for code that is below one already. */
enum status rule_path_read(struct arena *a, struct arena *scratch, struct str text,
                           struct rule_path *out, struct error *err);

#endif
