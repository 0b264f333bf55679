/* parse.h - shared by the two files that parse rule text. */
#ifndef RULE_PARSE_H
#define RULE_PARSE_H

#include "rule/rule.h"

/* For callers inside an arena_try(); rule_path_parse() has its own. */
enum status rule_path_read(struct arena *a, struct arena *scratch, struct str text,
                           struct rule_path *out, struct error *err);

#endif
