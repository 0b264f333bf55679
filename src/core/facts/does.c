#include "facts/does.h"

#include "facts/sensitive_paths.h"
#include "rule/effect.h"

static const struct {
    unsigned effects, does;
} same[] = {
    {EFFECT_NETWORK | EFFECT_FETCH | EFFECT_SEND, DOES_NETWORK},
    {EFFECT_NETWORK | EFFECT_SEND, DOES_SEND},
    {EFFECT_PRIVILEGE, DOES_PRIVILEGE},
    {EFFECT_SECRETS, DOES_SECRETS},
    {EFFECT_INSTALL, DOES_INSTALL},
    {EFFECT_LOSS, DOES_LOSS},
    {EFFECT_CODE | EFFECT_EDITOR | EFFECT_MODULES, DOES_CODE},
    {EFFECT_PROJECT, DOES_PROJECT},
    {EFFECT_REPO, DOES_REPOSITORY},
    {EFFECT_SYSTEM, DOES_SYSTEM},
    {EFFECT_PROCESS, DOES_PROCESS},
};

static unsigned by_access(unsigned access)
{
    return (access & ACCESS_DELETE ? DOES_DELETE : 0u) | (access & ACCESS_WRITE ? DOES_WRITE : 0u) |
           (access & ACCESS_RUN ? DOES_CODE : 0u);
}

static unsigned by_path(const struct facts *f, const struct subject_path *p)
{
    unsigned does = by_access(p->access);

    if ((p->access & ACCESS_READ) && !p->below && path_secret(f, p))
        does |= DOES_SECRETS;
    return does;
}

/* Of a tool that is no shell: WebFetch and its like name their host. */
static unsigned by_tool(const struct facts *f, const struct action *a, bool *unknown)
{
    const struct call *c = f->call;

    *unknown = !c->row || c->kind == TOOL_MCP;
    return a->subject.hosts.count || c->kind == TOOL_FETCH ? DOES_NETWORK | DOES_SEND : 0u;
}

unsigned action_does(const struct facts *f, const struct action *a, bool *unknown)
{
    unsigned does = by_access(a->unknown);

    *unknown = false;
    if (!a->subject.shell)
        does |= by_tool(f, a, unknown);
    else if (!a->redirect && !a->assignment)
        *unknown = !a->program || (a->effects & EFFECT_UNKNOWN);
    for (size_t i = 0; i < COUNT(same); i++)
        if (a->effects & same[i].effects)
            does |= same[i].does;
    if (a->subject.hosts.count)
        does |= DOES_NETWORK;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!a->subject.paths.items[i].uncertain && !a->subject.paths.items[i].folded)
            does |= by_path(f, &a->subject.paths.items[i]);
    return does;
}

void does_find(struct facts *f)
{
    if (!rulebook_on_effects(f->book))
        return;
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        a->subject.does = action_does(f, a, &a->subject.does_unknown);
    }
}
