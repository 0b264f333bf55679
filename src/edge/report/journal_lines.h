/* journal_lines.h - the record, line by line, from its oldest. */
#ifndef REPORT_JOURNAL_LINES_H
#define REPORT_JOURNAL_LINES_H

#include "base/error.h"
#include "base/str.h"

/* Who looks at them; false: there is no memory for that. */
struct journal_visitor {
    bool (*visit)(void *context, struct str line);
    void *context;
};

enum status journal_lines(const char *state_dir, const struct journal_visitor *visitor,
                          struct error *err);

#endif
