/* show.h - prints a document on one line, for test tables.
 *
 * As JSON, except that types JSON does not have are marked: floats as f:1.5, times as t:07:32:00.
 * With places, @line:column follows every key and value. */
#ifndef TESTS_SUPPORT_SHOW_H
#define TESTS_SUPPORT_SHOW_H

#include <stdbool.h>

#include "base/str.h"
#include "base/value.h"

/* Must be called inside an arena_try(). */
void show_value(struct buf *out, const struct value *v, bool places);

/* The same outside one; malloc'ed. */
char *show_text(const struct value *v, bool places);

#endif
