/* text.h - checks that apply to every policy file, whatever its syntax.
 *
 * One pass over all characters before the parser runs. After it a parser can rely on valid UTF-8
 * without surrogates, no NUL and no control characters except tab and line feed, and a carriage
 * return only before a line feed. */
#ifndef DOCUMENT_TEXT_H
#define DOCUMENT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* Limits of one file; STATUS_LIMIT beyond them. */
#define POLICY_TEXT_MAX  ((size_t)4 * 1024 * 1024) /* bytes */
#define POLICY_DEPTH_MAX 64 /* nested tables and lists, including the document itself */
#define POLICY_NODES_MAX                                                                           \
    ((size_t)800000) /* values of every kind, including the document itself                        \
                      */

/* Without the byte order mark that some editors add. */
struct str text_without_mark(struct str text);

/* `refused` returns true for further characters that the syntax does not allow; may be NULL. */
enum status text_check(struct str text, bool (*refused)(uint32_t c), struct error *err);

#endif
