/* diff.h - the changes of a text, line by line, for people. */
#ifndef REPORT_DIFF_H
#define REPORT_DIFF_H

#include "base/str.h"

/* "-" and "+" before the lines that are removed and added, with a few lines around them; empty if
 * nothing changes. */
struct str diff_lines(struct arena *a, struct str before, struct str after);

#endif
