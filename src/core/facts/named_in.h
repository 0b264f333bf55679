/* named_in.h - the files that a file of the project names as code to run or load: what `include` in
 * a Makefile names, scripts that package.json or a recipe runs, plugins and setup files of a test
 * runner, modules that such a file imports.
 *
 * No language is read as its program reads it: what matters is to miss no name that is written out.
 * A name counts by its ending (a shell script, a part of a build) wherever it is, and any other one
 * by the word before it (the name of an interpreter, include, require). */
#ifndef FACTS_NAMED_IN_H
#define FACTS_NAMED_IN_H

#include "facts/facts.h"

#define NAMED_IN_TEXT ((size_t)256 * 1024) /* bytes of such a file; a larger one is not read */
#define NAMED_IN_MAX  512u                 /* names that are tried */

/* Tells each file in the workspace that exists and that the one at `path` names. Where a name is
 * made at run time, files of that kind beside it count. False: not all of them are known. */
typedef void named_file(void *to, struct str path);
bool named_in(const struct facts *f, struct str path, named_file *each, void *to);

/* What is in a file. False: it cannot be read, or is too large. */
bool named_in_read(const struct facts *f, const char *path, struct str *out);

#endif
