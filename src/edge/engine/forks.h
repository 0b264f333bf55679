/* forks.h - engines that survive a fork() in the child, whatever other threads were doing. */
#ifndef ENGINE_FORKS_H
#define ENGINE_FORKS_H

#include "engine/engine.h"

void forks_join(warder_engine *e);
void forks_leave(warder_engine *e);

#endif
