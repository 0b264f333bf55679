/* told.h - what a person was told before, so that it is not repeated before each question. */
#ifndef CLI_TOLD_H
#define CLI_TOLD_H

#include <stdbool.h>

#include "base/str.h"

/* Whether this text was told in this session before: `session`, or without one the terminal's. If
 * it was not, or if that cannot be known: false, and from now on it was. `data`, `home`: as for
 * `warder log`; NULL: the default. */
bool told_before(const char *data, const char *home, const char *session, struct str text);

#endif
