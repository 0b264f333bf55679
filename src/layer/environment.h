/* environment.h - variables that change what programs do. */
#ifndef LAYER_ENVIRONMENT_H
#define LAYER_ENVIRONMENT_H

#include <stdbool.h>

#include "base/str.h"

/* Setting it can make a program run code, read other files or talk to somebody else. */
bool environment_is_dangerous(struct str name);

#endif
