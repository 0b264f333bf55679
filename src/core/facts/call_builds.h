/* call_builds.h - commands that build programs out of the project's own packages, and what is run
 * of it in the same call. */
#ifndef FACTS_CALL_BUILDS_H
#define FACTS_CALL_BUILDS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* What one command builds. */
struct build {
    struct str output; /* absolute, as it is written; with `any` a directory: whatever is put right
                          into it */
    struct str tree; /* where the compiler keeps its files under other names, too; empty: nowhere */
    bool any;
    bool sure; /* when it succeeds, nothing but what it wrote is at `output`: other packages than
                * programs write nothing
                */
    struct shell_word package; /* of Go, as `go run` takes it; without a text of others */
};

/* Can it be a build at all? Most commands are none. */
static inline bool build_is_named(const struct shell_action *from)
{
    return from->words.count > 1 && str_is(from->words.items[1].text, "build");
}

/* go build, cargo build, with options that only say how. False for everything else, also where the
 * name of what comes out is not known. */
bool build_read(const struct facts *f, const struct shell_action *from, struct build *out);

/* The words of `go run` for the same package. */
struct shell_words build_as_run(const struct facts *f, const struct shell_action *from,
                                const struct build *build);

/* Does action `at` start what an earlier one, which has succeeded, built out of a package? `go
 * build -o x ./cmd/x && x a` is `go run ./cmd/x a`, and those words come out. Not when anything
 * else in the call could write that file. */
bool call_builds_program(const struct facts *f, const struct shell_actions *all, size_t at,
                         struct shell_words *as);

#endif
