/* stamp.h - times as the record writes them: UTC with milliseconds, of one length, so that the
 * order of the bytes is the order of the times. */
#ifndef MACHINE_STAMP_H
#define MACHINE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define STAMP_LENGTH 24                 /* 2026-01-31T12:34:56.789Z */
#define STAMP_SIZE   (STAMP_LENGTH + 1) /* with the NUL */

int64_t stamp_now(void); /* milliseconds since 1970 */

/* Years 0 to 9999; others are clamped. */
void stamp_print(int64_t ms, char out[STAMP_SIZE]);

/* RFC 3339, with any offset, with or without a fraction. */
bool stamp_parse(struct str text, int64_t *ms);

/* RFC 3339, a date, or a time before `now`: 90s, 15m, 24h, 7d, 2w. */
bool stamp_parse_since(struct str text, int64_t now, int64_t *ms);

/* Is it exactly what stamp_print() writes? */
bool stamp_is(struct str text);

#endif
