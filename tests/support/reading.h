/* reading.h - helpers for tests of the document readers: one document at a time, in its own
 * memory. */
#ifndef SUPPORT_READING_H
#define SUPPORT_READING_H

#include "base/arena.h"
#include "base/error.h"
#include "base/value.h"

#define ARENA_MAX ((size_t)512 << 20)

/* Set by the test before it reads anything. */
extern enum status (*reader)(struct arena *a, struct str text, struct value *out,
                             struct error *err);

/* The result of the last text. */
extern struct arena arena;
extern struct value document;
extern struct error error;

enum status read_bytes(struct str text);

/* Each of these may fail the test, and frees the memory. */
void assert_reads(struct str text, const char *want, bool places);
void assert_refused(struct str text, uint32_t line, uint32_t column, const char *says);
/* Reads `head`, then `part` `times` times, then `tail`. */
void assert_status(const char *head, const char *part, size_t times, const char *tail,
                   enum status want);
/* Reads the text once per allocation and makes that allocation fail. */
void assert_no_value_without_memory(struct str whole, size_t least);

/* `head`, then `part` `times` times, then `tail`; malloc'ed. */
char *repeat(const char *head, const char *part, size_t times, const char *tail);

#endif
