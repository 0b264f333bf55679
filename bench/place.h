/* place.h - a temporary home for measured programs: with a project and rules, without the user's
 * files.
 *
 * There is one at a time; it is removed when the program ends. Any error here ends the program. */
#ifndef BENCH_PLACE_H
#define BENCH_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A typical command of an agent; the rules allow it. */
#define PLACE_COMMAND "git status && npm run test -- --watch=false src | head -20"

/* Creates it below this directory. Sets HOME and the variables that agents set, and unsets those
 * that name other directories. */
void place_make(const char *below);

const char *place_home(void);
const char *place_project(void);
void place_path(char out[PATH_MAX], const char *below); /* of a file in the home */
void place_write(const char *below, const char *text);  /* a file in the home */

/* Writes the user's policy with this many typical rules, and removes those in other syntaxes.
 * `ending` is yaml, toml or json. */
void place_rules(const char *ending, size_t count);

/* Writes the event that a client sends to its hook for this command. */
void place_write_event(const char *command);
const char *place_event(void);
/* Makes `warder hook` write an image of the policy. */
void place_write_image(void);

/* Makes the home the one of the user database, for this process and its children, and says there
 * that a sandbox was proved. False: that is not possible here. */
bool place_prove_sandbox(void);
/* As if the agent had used the tokens that it was answered: warder-cell renames them. A file system
 * that has just lost many files takes several times as long to make one. */
void place_use_tokens(void);

/* Starts a program with its input from a file and its output to a file or descriptor. */
pid_t place_spawn(const char *const *argv, const char *in, const char *out, int out_fd);

double place_now(void); /* monotonic seconds */
_Noreturn void place_stop(const char *what);

#endif
