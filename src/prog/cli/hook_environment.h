/* hook_environment.h - the variables that a hook believes.
 *
 * A project can put variables into the environment of an agent's hooks: by its settings (Claude
 * Code takes them before the project is trusted), by a .env file, or by what a person starts the
 * agent through. Everything of that reaches this process, and would reach the programs that it
 * starts: their loader, their interpreter, their C library. So only what Warder itself reads is
 * kept, and what says where policy and record are comes from elsewhere. */
#ifndef CLI_HOOK_ENVIRONMENT_H
#define CLI_HOOK_ENVIRONMENT_H

#include "base/error.h"

/* Replaces the environment of this process. `home`: the value of --home; NULL: the home that the
 * user database names. Fails if that is not known; then nothing is changed. */
enum status hook_environment(const char *home, struct error *err);

/* For a command that judges and then starts a program of its own: of the variables only those are
 * replaced that say where policy and record are. *given: all of them as they were, for that
 * program. */
enum status judging_environment(const char *home, char ***given, struct error *err);

#endif
