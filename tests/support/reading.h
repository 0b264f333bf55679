/* reading.h - the readers of policy texts under test: one document at a time, in memory of its own.
 */
#ifndef SUPPORT_READING_H
#define SUPPORT_READING_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

#define ARENA_MAX ((size_t)512 << 20)

/* Set by the test before anything is read. */
extern enum status (*reader)(struct arena *a, struct str text, struct value *out,
                             struct error *err);

/* What the last text became. */
extern struct arena arena;
extern struct value document;
extern struct error error;

enum status read_bytes(struct str text);

/* Each of these fails the test, and lets go of the memory. */
void assert_reads(struct str text, const char *want, bool places);
void assert_refused(struct str text, uint32_t line, uint32_t column, const char *says);
/* Of `head`, then `part` so many times, then `tail`. */
void assert_status(const char *head, const char *part, size_t times, const char *tail,
                   enum status want);
/* Reads it once for each allocation that it takes, and lets that one fail. */
void assert_no_value_without_memory(struct str whole, size_t least);

/* `head`, then `part` so many times, then `tail`; malloc'ed. */
char *repeat(const char *head, const char *part, size_t times, const char *tail);

#endif
