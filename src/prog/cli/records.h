/* records.h - the records of a log, one after the other: from a file, standard input, or the log of
 * this machine. */
#ifndef CLI_RECORDS_H
#define CLI_RECORDS_H

#include "cli/command.h"
#include "warder_admin.h"

/* Returns 0 to go on, or an exit code after a complaint. */
typedef int record_visit(void *context, struct str line);

struct records_from {
    const char *file; /* "-": standard input; NULL: the log, with this filter */
    warder_log_filter filter;
};

/* 0, or the exit code after a complaint. */
int records_each(struct cli *cli, const struct records_from *from, record_visit *visit,
                 void *context);

/* For records_each(): into a comparison. */
int record_compare(void *comparison, struct str line);

/* Prints the report about a comparison and frees it; returns the exit code. */
int comparison_finish(struct cli *cli, warder_comparison *comparison);
#define COMPARISON_EXITS "0 no difference, 1 nothing wider, 2 wider"

#endif
