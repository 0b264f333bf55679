/* redact_memory.h - texts that were scanned before and had nothing to redact.
 *
 * The calls of one worker repeat the same texts: worker, directory, session, reason. Only texts
 * that needed no redaction are remembered. A memory is used by one thread at a time. */
#ifndef RECORD_REDACT_MEMORY_H
#define RECORD_REDACT_MEMORY_H

#include "base/str.h"

#define REDACT_MEMORY_SLOTS 256u /* a power of two; two texts of one slot replace each other */
#define REDACT_MEMORY_BYTES 256u /* a longer text is scanned each time */

struct redact_memory;

struct redact_memory *redact_memory_new(void); /* NULL: no memory */
void redact_memory_free(struct redact_memory *m);

/* redact_text(), redact_command() and redact_quoting(). m NULL: there is none. */
struct str redact_text_again(struct redact_memory *m, struct arena *a, struct str text);
struct str redact_command_again(struct redact_memory *m, struct arena *a, struct str command,
                                struct strs *found);
struct str redact_quoting_again(struct redact_memory *m, struct arena *a, struct str text,
                                const struct strs *found);

#endif
