/* says.c - effects in words. */
#include "programs/programs.h"

struct str program_effects_text(struct arena *a, unsigned effects)
{
    static const struct {
        unsigned bit;
        const char *says;
    } names[] = {
        {EFFECT_CODE, "runs code of its arguments"},
        {EFFECT_NETWORK, "talks to the network"},
        {EFFECT_FETCH, "reads from a server"},
        {EFFECT_SEND, "sends to a server"}, /* which one, the hosts and words say */
        {EFFECT_PRIVILEGE, "becomes another user"},
        {EFFECT_PROCESS, "acts on processes"},
        {EFFECT_SYSTEM, "changes the machine"},
        {EFFECT_PROJECT, "runs the project's code"},
        {EFFECT_REPO, "changes the repository"},
        {EFFECT_LOSS, "may lose work"},
        {EFFECT_SECRETS, "prints secrets"},
        {EFFECT_UNKNOWN, "has a word that nobody explains"},
        {EFFECT_INSTALL, "installs packages"},
        {EFFECT_INNER, "wraps another command"},
    };
    struct buf b = buf_in(a);

    for (size_t i = 0; i < COUNT(names); i++)
        if (effects & names[i].bit)
            buf_format(&b, "%s%s", b.len ? ", " : "", names[i].says);
    return buf_str(&b);
}
