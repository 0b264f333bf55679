/* text.h - what holds for the text of every policy file, whatever its language.
 *
 * One pass looks at each character before a parser does. After it a parser may
 * rely on: UTF-8 without surrogates, no NUL and no other control character than
 * tab and line feed, a carriage return only in front of a line feed. */
#ifndef DOCUMENT_TEXT_H
#define DOCUMENT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* Limits of one file; STATUS_LIMIT beyond them. */
#define POLICY_TEXT_MAX  ((size_t)4 * 1024 * 1024) /* bytes */
#define POLICY_DEPTH_MAX 64 /* tables and lists inside each other, the document itself counted */
#define POLICY_NODES_MAX ((size_t)800000) /* values of every kind, the document itself counted */

/* Without the byte order mark that some editors put in front. */
struct str text_without_mark(struct str text);

/* `refused` names further characters that the language does not want; it may be NULL. */
enum status text_check(struct str text, bool (*refused)(uint32_t c), struct error *err);

#endif
