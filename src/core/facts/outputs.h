/* outputs.h - files that builds, tests and linters make. Their names say so, and the disk says
 * whether anything would be lost. */
#ifndef FACTS_OUTPUTS_H
#define FACTS_OUTPUTS_H

#include "facts/facts.h"

/* A directory or file of this name holds only what a build makes again. */
bool output_is_made_again(struct str name);

/* What people read of a run: report.json, coverage.html. */
bool output_is_report(struct str name);

/* The options of project code name files to write (go build -o, pytest --junitxml). May it, without
 * a question? In acceptEdits that is an edit like any other. Otherwise the file must have the name
 * of build output, or lie in a directory of such, and must not exist yet; one that exists must be
 * ignored by git or a compiled program. What is absent may also be named like a source that the
 * same command reads (tsc x.ts). */
bool outputs_may_be_written(const struct facts *f, const struct action *a);

#endif
