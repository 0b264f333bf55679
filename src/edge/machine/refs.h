/* refs.h - the refs of a repository and their logs, read as git keeps them in files. */
#ifndef MACHINE_REFS_H
#define MACHINE_REFS_H

#include "base/world.h"

#define REFS_PACKED_MAX  ((size_t)16 * 1024 * 1024) /* bytes of packed-refs that are searched */
#define REFS_LOGS_MAX    1000u                      /* logs of branches that are searched, */
#define REFS_LOG_BYTES   ((size_t)32 * 1024 * 1024) /* and how much of them together */
#define REFS_ID_MIN      7                          /* digits of an id that is looked for */
#define REFS_FOLLOWS_MAX 5                          /* symbolic refs in a row */

/* world.ref and world.logged */
enum ref_state refs_find(const struct world *w, const char *directory, const char *name,
                         int64_t since);
bool refs_logged(const struct world *w, const char *directory, struct str id);

#endif
