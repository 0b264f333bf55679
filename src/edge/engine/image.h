/* image.h - the policy image of an engine's own project. */
#ifndef ENGINE_IMAGE_H
#define ENGINE_IMAGE_H

#include "engine/engine.h"

/* Writes it unless a fresh one is there. STATUS_USAGE where the engine's options or updates decided
 * what the policy is: a hook that finds the image has no options. */
enum status engine_keep_image(warder_engine *e, struct error *err);

#endif
