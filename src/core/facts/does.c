#include "facts/does.h"

#include "base/path.h"
#include "facts/sensitive_paths.h"
#include "rule/effect.h"
#include "shell/shell.h"

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

/* ---- what only deny and ask rules count ---- */

/* Are there contents that the action puts others in the place of? */
static bool replaces(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    const unsigned access = ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE;
    enum file_kind kind;

    if ((p->access & access) != ACCESS_WRITE || p->below || p->folded || p->uncertain ||
        (a->effects & EFFECT_PROJECT) ||
        (a->row && !a->row->empties && (a->row->writes_no_text || a->row->on_itself)) ||
        path_is_inside(p->written, STR("/dev")))
        return false;
    if (p->pattern)
        return true;
    kind = f->world->kind(f->world->context, str_copy(f->arena, p->resolved).s);
    return kind != FILE_ABSENT && kind != FILE_DIRECTORY;
}

static bool replaces_any(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (replaces(f, a, &a->subject.paths.items[i]))
            return true;
    return false;
}

/* Does nothing come into the file that the action writes: truncate, : > x, > x? */
static bool empties(const struct facts *f, const struct action *a, const struct shell_action *from)
{
    const struct action *by;

    if (!a->redirect)
        return a->row && a->row->empties;
    by = from->parent < 0 ? NULL : &f->actions.items[from->parent];
    return !by || (by->row && by->row->prints == PRINTS_NOTHING);
}

/* What is deleted is lost, and what is lost is gone; packages come from a server. */
static unsigned widely(const struct facts *f, const struct action *a,
                       const struct shell_action *from)
{
    const unsigned gone = DOES_DELETE | DOES_LOSS;
    const unsigned fetched = a->effects & EFFECT_INSTALL ? DOES_NETWORK : 0u;

    if (a->subject.does & gone)
        return gone | fetched;
    if (!from || from->appends || !replaces_any(f, a))
        return fetched;
    return (empties(f, a, from) ? gone : DOES_LOSS) | fetched;
}

/* > "$x": at run time that may be a connection. */
static unsigned perhaps(const struct action *a, const struct shell_action *from)
{
    static const struct str connection = {"/dev/tcp/", 9};
    struct str begin;

    if (!from || !a->redirect || from->words.items[0].known)
        return 0;
    begin =
        str_slice(from->words.items[0].text, 0, str_index(from->words.items[0].text, WORD_UNKNOWN));
    return str_starts(connection, begin) ? DOES_NETWORK | DOES_SEND : 0u;
}

void does_find(struct facts *f)
{
    if (!rulebook_on_effects(f->book))
        return;
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        const struct shell_action *from = f->shell ? &f->shell->actions.items[i] : NULL;
        a->subject.does = action_does(f, a, &a->subject.does_unknown);
        a->subject.does_widely = widely(f, a, from);
        a->subject.does_perhaps = perhaps(a, from);
    }
}
