/* when.h - times as a person at this machine says and reads them: in the local time zone. The
 * record itself is in UTC (machine/stamp.h). */
#ifndef REPORT_WHEN_H
#define REPORT_WHEN_H

#include "base/str.h"
#include "machine/stamp.h"

/* now, today, yesterday, "2 hours ago", 24h, a date (its first moment), or RFC 3339. */
bool when_read(struct str text, int64_t now, int64_t *ms);

/* "2026-01-31 12:34:56" of a stamp; a text that is no stamp is printed as it is. */
void when_print(struct buf *b, struct str stamp);

#endif
