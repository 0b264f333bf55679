/* built.h - programs that the same call has just built. */
#ifndef DECIDE_BUILT_H
#define DECIDE_BUILT_H

#include "layer/facts.h"
#include "shell/shell.h"

/* Does action `at` start what an earlier one, which has succeeded, built out of a package? `go build -o x ./cmd/x && x
 * a` is `go run ./cmd/x a`, and those words come out. Not when anything else in the call could write that file. */
bool built_here(const struct facts *f, const struct shell_actions *all, size_t at, struct shell_words *as);

#endif
