/* toml.h - reads TOML 1.0 into the document model.
 *
 * A document is an object. Numbers arrive in one spelling: an integer is plain
 * decimal (0xFF is "255", 1_000 is "1000", +7 is "7"), a float is as written
 * without its underscores, a date or time is as written.
 *
 * A value's place is its first byte; that of a table which a header opened is
 * the header's bracket, that of a table which only a longer or a dotted key
 * calls for is the key that first named it. A byte order mark is not counted. */
#ifndef DOCUMENT_TOML_H
#define DOCUMENT_TOML_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* Needs no arena_try() around it. A failure always has a place, and *out is then null.
 * STATUS_SYNTAX: not TOML 1.0. STATUS_LIMIT: over a limit of document/text.h. STATUS_NOMEM: the
 * arena is full.
 *
 * Nothing in *out points into `text`. A string or key may hold NUL (written \u0000): go by its
 * length. */
enum status toml_read(struct arena *a, struct str text, struct value *out, struct error *err);

#endif
