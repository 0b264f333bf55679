/* call_builds.h - commands that build programs from the project's own packages, and programs that
 * the same call runs. */
#ifndef FACTS_CALL_BUILDS_H
#define FACTS_CALL_BUILDS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* What one command builds. */
struct build {
    struct str output; /* absolute, as written; with `any` a directory: every file directly in it */
    struct str
        tree; /* where the compiler keeps its files under other names too; empty if nowhere */
    bool any;
    bool sure; /* on success, only what it wrote is at `output`: packages that are not programs
                  write nothing */
    struct shell_word package; /* of Go, as `go run` takes it; empty for other builds */
};

/* A cheap test: most commands are not builds. */
static inline bool build_is_named(const struct shell_action *from)
{
    return from->words.count > 1 && str_is(from->words.items[1].text, "build");
}

/* go build, cargo build, with options that only say how. False for everything else, and if the
 * output's name is unknown. */
bool build_read(const struct facts *f, const struct shell_action *from, struct build *out);

/* The words of `go run` for the same package. */
struct shell_words build_as_run(const struct facts *f, const struct shell_action *from,
                                const struct build *build);

/* Does action `at` start what an earlier, successful one built? `go build -o x ./cmd/x && x a` is
 * `go run ./cmd/x a`; *out gets those words. False if anything else in the call could write that
 * file. */
bool call_builds_program(const struct facts *f, const struct shell_actions *all, size_t at,
                         struct shell_words *as);

#endif
