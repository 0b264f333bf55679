/* compiled.h - is a file a compiled program? */
#ifndef MACHINE_COMPILED_H
#define MACHINE_COMPILED_H

#include <stdbool.h>

#include "base/world.h"

/* Is it a regular, executable ELF file of this user on a local disk, so not a script? The path must
 * not contain links, except at its end, where one is refused. False when not known. */
bool compiled_look(const char *path, struct file_mark *out);

#endif
