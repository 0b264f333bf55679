/* effect.h - what an action does, as rules say it: {effect: delete}.
 *
 * A rule on a program names one way to do something; an effect is what people mean. The words that
 * programs/effects.h has too mean the same there. */
#ifndef RULE_EFFECT_H
#define RULE_EFFECT_H

#include <stdbool.h>

#include "base/str.h"

/* X(NAME, value, word, sentence), in the order of the values. */
#define RULE_EFFECTS(X)                                                                            \
    X(DELETE, 1, "delete", "deletes files")                                                        \
    X(WRITE, 2, "write", "writes files")                                                           \
    X(NETWORK, 4, "network", "talks to the network")                                               \
    X(SEND, 8, "send", "sends to a server")                                                        \
    X(PRIVILEGE, 16, "privilege", "becomes another user")                                          \
    X(SECRETS, 32, "secrets", "reads or prints secrets")                                           \
    X(INSTALL, 64, "install", "installs packages")                                                 \
    X(LOSS, 128, "loss", "may lose work")                                                          \
    X(CODE, 256, "code", "runs code that Warder does not check")                                   \
    X(PROJECT, 512, "project", "runs the project's code")                                          \
    X(REPOSITORY, 1024, "repository", "changes the repository")                                    \
    X(SYSTEM, 2048, "system", "changes the machine")                                               \
    X(PROCESS, 4096, "process", "acts on processes")

enum rule_effect {
#define RULE_EFFECT_VALUE(name, value, word, sentence) DOES_##name = (value),
    RULE_EFFECTS(RULE_EFFECT_VALUE)
#undef RULE_EFFECT_VALUE
};

unsigned rule_effect_named(struct str word);                       /* 0: there is none */
struct str rule_effects_print(struct arena *a, unsigned effects);  /* "delete, send" */
struct str rule_effects_phrase(struct arena *a, unsigned effects); /* "deletes files, ..." */

#endif
