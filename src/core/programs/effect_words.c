/* effect_words.c - effects in words. */
#include "programs/programs.h"

static const struct {
    unsigned bit;
    const char *name, *says;
} effects[] = {
    {EFFECT_CODE, "code", "runs code of its arguments"},
    {EFFECT_NETWORK, "network", "talks to the network"},
    {EFFECT_FETCH, "fetch", "reads from a server"},
    {EFFECT_SEND, "send", "sends to a server"}, /* which one, the hosts and words say */
    {EFFECT_PRIVILEGE, "privilege", "becomes another user"},
    {EFFECT_PROCESS, "process", "acts on processes"},
    {EFFECT_SYSTEM, "system", "changes the machine"},
    {EFFECT_PROJECT, "project", "runs the project's code"},
    {EFFECT_REPO, "repository", "changes the repository"},
    {EFFECT_LOSS, "loss", "may lose work"},
    {EFFECT_SECRETS, "secrets", "prints secrets"},
    {EFFECT_UNKNOWN, "unknown", "has a word that nobody explains"},
    {EFFECT_INSTALL, "install", "installs packages"},
    {EFFECT_INNER, "inner", "wraps another command"},
    {EFFECT_EDITOR, "editor", "opens an editor or a debugger"},
    {EFFECT_MODULES, "modules", "loads modules whose place a file of its directory may take"},
};

const char *program_effect_name(unsigned bit)
{
    for (size_t i = 0; i < COUNT(effects); i++)
        if (effects[i].bit == bit)
            return effects[i].name;
    return "unknown";
}

unsigned program_effect_named(struct str name)
{
    for (size_t i = 0; i < COUNT(effects); i++)
        if (str_is(name, effects[i].name))
            return effects[i].bit;
    return 0;
}

struct str program_effects_text(struct arena *a, unsigned bits)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < COUNT(effects); i++)
        if (bits & effects[i].bit)
            buf_format(&b, "%s%s", b.len ? ", " : "", effects[i].says);
    return buf_str(&b);
}
