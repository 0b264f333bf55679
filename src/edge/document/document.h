/* document.h - the text of a policy file as one document, whatever its syntax. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

enum syntax { SYNTAX_UNKNOWN = 0, SYNTAX_JSON, SYNTAX_TOML, SYNTAX_YAML };

enum syntax document_syntax(struct str path); /* by the name's end */

/* *out is an object. SYNTAX_UNKNOWN: text that begins with a brace is JSON; other text is TOML if
 * it can be, else YAML. JSON may hold comments, as settings files do. Needs no arena_try() around
 * it. */
enum status document_read(struct arena *a, enum syntax syntax, struct str text, struct value *out,
                          struct error *err);

#endif
