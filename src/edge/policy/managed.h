/* managed.h - the policy that an administrator sets for every user of the machine.
 *
 * Where there is some, what the agent's own user could have made must not replace it: an image of
 * the policy, the word of a service. Code that an allowed call runs is that user's, too. */
#ifndef POLICY_MANAGED_H
#define POLICY_MANAGED_H

#include <stdbool.h>

/* Below /etc; PLACE(directory, name there, shape, format) as rows of gather.c. */
#define MANAGED_PLACES(PLACE)                                                                      \
    PLACE("warder", "warder", SHAPE_ENDINGS, FORMAT_WARDER)                                        \
    PLACE("warder", "authorization", SHAPE_ENDINGS, FORMAT_GUILD)                                  \
    PLACE("claude-code", "managed-settings.d", SHAPE_DIRECTORY, FORMAT_SETTINGS)                   \
    PLACE("claude-code", "managed-settings.json", SHAPE_FILE, FORMAT_SETTINGS)

/* What a name of a policy file may end with, where its shape is SHAPE_ENDINGS. */
#define MANAGED_ENDINGS ".yaml", ".yml", ".toml", ".json"

/* Is one of the places there, below `root`, "" but in tests? One that cannot be looked at counts.
 */
bool managed_is_there(const char *root);

#endif
