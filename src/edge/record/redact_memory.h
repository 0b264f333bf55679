/* redact_memory.h - texts that were looked at before, and held nothing to redact.
 *
 * What a text holds does not change, and the calls of one worker say the same again and again: who,
 * where, in which session, why. Only texts that come back as they were are remembered. One thread
 * at a time uses a memory. */
#ifndef RECORD_REDACT_MEMORY_H
#define RECORD_REDACT_MEMORY_H

#include "base/str.h"

#define REDACT_MEMORY_SLOTS 256u /* a power of two; two texts of one slot take turns */
#define REDACT_MEMORY_BYTES 256u /* a longer text is looked at each time */

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
