/* outputs.h - files that builds, tests and linters make. Their names say so, and the disk says
 * whether anything would be lost. */
#ifndef FACTS_OUTPUTS_H
#define FACTS_OUTPUTS_H

#include "facts/facts.h"

/* Does deleting all of it lose no work? It has a name that only tools give what they make, or the
 * name of build output and git ignores it: nothing of it was written by hand, or nobody meant to
 * keep it. It must exist under this name, not behind a link. */
bool output_can_be_deleted(const struct facts *f, const struct subject_path *p);

/* What people read of a run: report.json, coverage.html. */
bool output_is_report(struct str name);

/* The options of project code name files to write (go build -o, pytest --junitxml). May it, without
 * a question? In acceptEdits that is an edit like any other. Otherwise the file must have the name
 * of build output, or lie in a directory of such, and must not exist yet; one that exists must be
 * ignored by git or a compiled program. What is absent may also be named like a source that the
 * same command reads (tsc x.ts). */
bool outputs_may_be_written(const struct facts *f, const struct action *a);

#endif
