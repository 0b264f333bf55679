/* tree_json.h - the tree of a shell text as JSON.
 *
 *     NODE       kind at length | join name negated timed assigns words redirects clauses kids
 *     WORD       at length parts | assigns appends array elements
 *     PART       kind quoted | text parameter inner body
 *     parameter  name form | operator all subscript operand
 *     redirect   operator at length target | descriptor delimiter inert strips_tabs
 *     clause     patterns end body
 *
 * Members after the bar are present only if they have a value. */
#ifndef REPORT_TREE_JSON_H
#define REPORT_TREE_JSON_H

#include "base/json.h"
#include "shell/tree.h"

void tree_json(struct json_writer *w, const struct node *node); /* NULL writes null */

#endif
