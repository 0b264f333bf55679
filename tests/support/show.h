/* show.h - a document in one line, for tables of tests.
 *
 * As JSON, except that what JSON cannot tell apart is marked: floats as f:1.5,
 * times as t:07:32:00. With places, every key and value is followed by
 * @line:column. */
#ifndef TESTS_SUPPORT_SHOW_H
#define TESTS_SUPPORT_SHOW_H

#include <stdbool.h>

#include "base/str.h"
#include "base/value.h"

/* Must be called below an arena_try(). */
void show_value(struct buf *out, const struct value *v, bool places);

/* The same without a door; malloc'ed. */
char *show_text(const struct value *v, bool places);

#endif
