/* danger.h - mini's danger patterns, one by one, for tests. */
#ifndef LAYER_DANGER_H
#define LAYER_DANGER_H

#include "layer/layer.h"

size_t danger_pattern_count(void);
bool danger_pattern_matches(size_t pattern, struct str command);

#endif
