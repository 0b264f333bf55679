/* yaml_scalar.h - what a plain scalar means: the core schema of YAML 1.2, chapter 10.3. */
#ifndef DOCUMENT_YAML_SCALAR_H
#define DOCUMENT_YAML_SCALAR_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/value.h"

/* Sets kind, boolean and text of *out. False if it is an integer that does not fit in 64 bits. */
bool yaml_resolve(struct arena *a, struct str plain, struct value *out);

#endif
