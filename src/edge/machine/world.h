/* world.h - the real machine, as the core may ask about it. */
#ifndef MACHINE_WORLD_H
#define MACHINE_WORLD_H

#include "base/world.h"
#include "machine/disk.h"

extern const struct world real_world;     /* looks at the disk whenever it is asked */
struct world world_of(struct disk *disk); /* looks once, see disk.h */

#endif
