/* world.h - the real machine, as the core may ask about it. */
#ifndef LIB_WORLD_H
#define LIB_WORLD_H

#include "base/world.h"

extern const struct world real_world;

#endif
