/* toml.h - reads TOML 1.0 into the document model.
 *
 * A document is an object. Numbers are normalised: an integer is plain decimal (0xFF is "255",
 * 1_000 is "1000", +7 is "7"), a float is as written without underscores, a date or time is as
 * written.
 *
 * The place of a value is its first byte. The place of a table is the bracket of its header or, if
 * it has none, the first key that names it. A byte order mark is not counted. */
#ifndef DOCUMENT_TOML_H
#define DOCUMENT_TOML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* Needs no arena_try() around it. An error always has a line and column, and *out is then null.
 * STATUS_SYNTAX: not TOML 1.0. STATUS_LIMIT: over a limit of document/text.h. STATUS_NOMEM: the
 * arena is full.
 *
 * Nothing in *out points into `text`. A string or key may contain NUL (written \u0000): trust its
 * length. */
enum status toml_read(struct arena *a, struct str text, struct value *out, struct error *err);

#endif
