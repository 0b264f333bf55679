/* place.h - a home of its own for programs that are measured: a project in it, rules, and nothing
 * of the user's.
 *
 * There is one at a time; it goes when the program ends. Whatever fails here ends the program. */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PLACE_COMMAND                                                                              \
    "git status && npm run test -- --watch=false src | head -20" /* of an agent; the rules allow   \
                                                                  * it                             \
                                                                  */

/* Below this directory; sets HOME and the variables that agents set, and forgets those that name
 * other places. */
void place_make(const char *below);

const char *place_home(void);
const char *place_project(void);
void place_path(char out[PATH_MAX], const char *below); /* of something in the home */
void place_write(const char *below, const char *text);  /* a file in the home */

/* The user's policy: so many rules as people write them. The ending of the file's name is yaml,
 * toml or json; those with another one go. */
void place_rules(const char *ending, size_t count);

/* What a client tells its hook of a command; the second one is the name of the file. */
void place_write_event(const char *command);
const char *place_event(void);
/* Has `warder hook` leave an image of the policy. */
void place_write_image(void);

/* A program with its input from this file and its output into that one, or to a descriptor. */
pid_t place_spawn(const char *const *argv, const char *in, const char *out, int out_fd);

double place_now(void); /* seconds that only grow */
_Noreturn void place_stop(const char *what);

#endif
