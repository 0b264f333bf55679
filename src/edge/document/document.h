/* document.h - reads a policy file in any of its syntaxes as one document. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

enum syntax { SYNTAX_UNKNOWN = 0, SYNTAX_JSON, SYNTAX_TOML, SYNTAX_YAML };

enum syntax document_syntax(struct str path); /* by the file name's suffix */

/* *out is an object. SYNTAX_UNKNOWN: text that starts with a brace is JSON; other text is TOML if
 * it parses as such, otherwise YAML. JSON may contain comments, as settings files do. Needs no
 * arena_try() around it. */
enum status document_read(struct arena *a, enum syntax syntax, struct str text, struct value *out,
                          struct error *err);

#endif
