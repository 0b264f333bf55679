/* compiled.h - is a file a program that a compiler wrote? */
#ifndef MACHINE_COMPILED_H
#define MACHINE_COMPILED_H

#include <stdbool.h>

#include "base/world.h"

/* A regular file of this user, on a disk of this machine, that begins as programs of this machine
 * do: nothing that an interpreter reads. The path must have no links but perhaps at its end, where
 * one is refused. False when it cannot be told. */
bool compiled_look(const char *path, struct file_mark *out);

#endif
