/* world.h - the real machine, as the core may ask about it. */
#ifndef MACHINE_WORLD_H
#define MACHINE_WORLD_H

#include "base/world.h"
#include "machine/disk.h"

/* Reads the disk at every question. It matches no regular expressions: to these the answer is
 * REGEX_LIMIT. */
extern const struct world real_world;

/* Reads each thing once, see disk.h. `match` is regex_match(), or what a program without PCRE2 has
 * in its place. */
struct world world_of(struct disk *disk, enum regex_answer (*match)(const void *, struct str));

#endif
