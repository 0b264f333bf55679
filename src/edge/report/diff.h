/* diff.h - what changes in a text, line by line, for people. */
#ifndef REPORT_DIFF_H
#define REPORT_DIFF_H

#include "base/str.h"

/* "-" and "+" before the lines that go and come, a few others around them; empty when nothing
 * changes. */
struct str diff_lines(struct arena *a, struct str before, struct str after);

#endif
