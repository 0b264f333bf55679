/* own.h - what Warder keeps in the user's home, and what tells one start of the machine and one
 * build of Warder from another. */
#ifndef CELL_OWN_H
#define CELL_OWN_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

#define OWN_PATH_MAX  PATH_MAX
#define OWN_BOOT_ROOM 64

/* A path below the home that the user database names; $HOME may be the agent's. */
enum status own_path(const char *below, char out[OWN_PATH_MAX], struct error *err);

bool own_boot(char out[OWN_BOOT_ROOM]); /* as /proc/sys/kernel/random/boot_id has it */
const char *own_build(void);            /* 16 hexadecimal digits, the same for all programs */

/* A cell could not be built: what `warder sandbox check` found is not so any more. */
void own_forget_tier(void);

#endif
