/* effects.h - what a program may do, besides reading and writing files: the only list of effects.
 *
 * X(NAME, value, word, sentence), in the order of the values. The word is how rows (^send), policy
 * files and JSON write the effect: it never changes. The sentence is what people read. */
#ifndef PROGRAMS_EFFECTS_H
#define PROGRAMS_EFFECTS_H

#include <stdbool.h>

#include "base/str.h"

/* CODE        its arguments, its input or a file that they name choose the code
 * NETWORK     its arguments choose the destination, or it may send data of the agent's choosing
 * FETCH, SEND the destination was configured before (git fetch, gh pr view; git push, npm publish)
 * PROCESS     signals, limits or traces processes
 * SYSTEM      packages, services, users, mounts, the clock
 * PROJECT     by design: tests, builds, linters, formatters
 * REPO        only the local one, and it can be undone: git add, git commit, git stash push
 * LOSS        git reset --hard, git clean, git checkout -- .
 * SECRETS     the environment, tokens, credentials
 * UNKNOWN     a word that the row does not explain
 * INSTALL     packages of others, which run code while they are installed
 * INNER       timeout, xargs, find -exec, sh -c: shell/ lists that command as an action of its own;
 *             where it did not, this is as bad as CODE
 * EDITOR      takes commands from the standard input: it is only as harmless as that is
 * MODULES     runs a text that was read and is harmless, but loads modules by their names, and a
 *             file in the working directory may take the place of one */
#define EFFECTS(X)                                                                                 \
    X(CODE, 1, "code", "runs code that Warder does not check")                                     \
    X(NETWORK, 2, "network", "talks to the network")                                               \
    X(FETCH, 4, "fetch", "reads from a server")                                                    \
    X(SEND, 8, "send", "sends to a server")                                                        \
    X(PRIVILEGE, 16, "privilege", "becomes another user")                                          \
    X(PROCESS, 32, "process", "acts on processes")                                                 \
    X(SYSTEM, 64, "system", "changes the machine")                                                 \
    X(PROJECT, 128, "project", "runs the project's code")                                          \
    X(REPO, 256, "repository", "changes the repository")                                           \
    X(LOSS, 512, "loss", "may lose work")                                                          \
    X(SECRETS, 1024, "secrets", "prints secrets")                                                  \
    X(UNKNOWN, 2048, "unknown", "has an argument that Warder does not know")                       \
    X(INSTALL, 4096, "install", "installs packages")                                               \
    X(INNER, 8192, "inner", "wraps another command")                                               \
    X(EDITOR, 16384, "editor", "opens an editor or a debugger")                                    \
    X(MODULES, 32768, "modules", "may load a file of its own directory as a module")

enum program_effect {
#define EFFECT_VALUE(name, value, word, sentence) EFFECT_##name = (value),
    EFFECTS(EFFECT_VALUE)
#undef EFFECT_VALUE
};

const char *program_effect_name(unsigned bit);  /* "network" */
unsigned program_effect_named(struct str word); /* and back; 0 when there is none */
struct str program_effects_text(struct arena *a, unsigned bits); /* "sends to a server, ..." */

/* Takes the word of an effect off the front of `text`, which follows "^" in a row, and adds its bit
 * to `effects`. False: there is no such effect, and EFFECT_UNKNOWN was added. */
bool effect_take(struct str *text, unsigned *effects);

#endif
