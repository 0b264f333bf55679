/* tokens.h - passwords and tokens in the settings of git. */
#ifndef MACHINE_TOKENS_H
#define MACHINE_TOKENS_H

#include <stdbool.h>

/* True if a URL in the file has a user in front of its host, other than one of ssh alone, or a
 * setting is called like a secret (http.extraHeader, where build servers keep theirs); also if the
 * file cannot be read, or a line is too long. False if there is no such file. */
bool tokens_in_settings(const char *file);

#endif
