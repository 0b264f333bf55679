/* world.h - struct world for the real machine. */
#ifndef MACHINE_WORLD_H
#define MACHINE_WORLD_H

#include "base/world.h"
#include "machine/disk.h"

/* Asks the disk every time. It matches no regular expressions: the answer is REGEX_LIMIT. */
extern const struct world real_world;

/* With the cache of disk.h. `match` is regex_match(), or what a program without PCRE2 uses
 * instead. */
struct world world_of(struct disk *disk, enum regex_answer (*match)(const void *, struct str));

#endif
