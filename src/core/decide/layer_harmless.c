/* layer_harmless.c - allows what only reads paths that are not secret, prints or computes. */
#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/environment.h"
#include "facts/host.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

static bool reads_public(const struct facts *f, const struct action *a,
                         const struct subject_path *p, bool recursive)
{
    if (p->uncertain || (!p->pattern && p->resolved.len == 0) || path_shows_secret(f, p))
        return false;
    return !recursive || ((a->lists ? path_listable_below(f, p) : path_readable_below(f, p)) &&
                          !tree_doubt(f, a, p));
}

static bool paths_are_harmless(const struct facts *f, const struct action *a, bool recursive)
{
    if (a->unknown)
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->below || path_unlikely(f, p, recursive) || (p->fresh && f->mode != MODE_PLAN))
            continue; /* a listing of what is below a directory includes the directory itself */
        if (p->access != ACCESS_READ || !reads_public(f, a, p, recursive))
            return false;
    }
    return true;
}

/* Nothing leaves this machine: every host is the loopback. Ports of containers and debuggers are
 * excluded, since a request there is a command. */
static bool talks_to_loopback(const struct action *a)
{
    for (size_t i = 0; i < a->subject.hosts.count; i++)
        if (!host_is_loopback(a->subject.hosts.items[i]))
            return false;
    return a->subject.hosts.count > 0;
}

static bool command_is_harmless(const struct facts *f, const struct action *a)
{
    unsigned effects = a->effects & ~(unsigned)EFFECT_INNER;

    if (!a->program)
        return false;
    if ((effects & EFFECT_NETWORK) && talks_to_loopback(a))
        effects &= ~(unsigned)EFFECT_NETWORK;
    else if (a->subject.hosts.count)
        return false;
    if (f->mode != MODE_PLAN)
        effects &= ~(unsigned)EFFECT_FETCH;
    return !effects && paths_are_harmless(f, a, a->recursive) && project_is_genuine(f, a);
}

/* A variable that stays in the shell: lower case and not exported. */
static bool is_local(const struct facts *f, const struct action *a)
{
    return !environment_has_capital(a->subject.words.items[0]) && a->whole && !f->exports;
}

/* GIT_INDEX_FILE: an index of the session's own repository, for commands that only read. */
static bool names_own_index(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;
    char common[WORLD_PATH_MAX], real[WORLD_PATH_MAX];

    if (a->whole || a->set || a->effects || words->count < 2 ||
        !str_is(words->items[0], "GIT_INDEX_FILE") ||
        (f->effects & ~(unsigned)(EFFECT_FETCH | EFFECT_INNER)) ||
        !path_is_absolute(words->items[1]) || !str_is(path_base(words->items[1]), "index") ||
        str_has(words->items[1], WORD_UNKNOWN) || f->workspace.len == 0 || !f->world->repository)
        return false;
    return f->world->repository(f->world->context, f->workspace.s, common) &&
           f->world->resolve(f->world->context, str_copy(f->arena, words->items[1]).s, real) &&
           str_eq(words->items[1], str_from(real)) &&
           path_is_inside(str_from(real), str_from(common));
}

static bool assignment_is_harmless(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;

    if (((a->idle || a->as_option) && !a->effects) || names_own_index(f, a))
        return true;
    if (a->set) /* to an unknown value, which other programs see only if it was exported before */
        return !(a->effects & EFFECT_SECRETS) && !environment_is_dangerous(a, NULL) &&
               (!environment_reaches_programs(f, a) || environment_is_safe_for_all(f, a)) &&
               !(f->exports && (f->effects & (EFFECT_PROJECT | EFFECT_INSTALL | EFFECT_REPO)));
    if (words->count == 0 || a->effects ||
        environment_is_dangerous(a, words->count > 1 ? &words->items[1] : NULL))
        return false;
    if (environment_reaches_programs(f, a) && !environment_is_safe_for_all(f, a))
        return false;
    return is_local(f, a) || a->number ||
           !(f->effects & (EFFECT_PROJECT | EFFECT_INSTALL | EFFECT_REPO)) ||
           (words->count > 1 && environment_is_safe_for_code(a, words->items[1]));
}

static bool shell_is_harmless(const struct facts *f, const struct action *a)
{
    if (f->understood && !a->subject.understood)
        return true; /* only comments, tests and definitions: no action at all */
    if (a->assignment)
        return assignment_is_harmless(f, a);
    if (a->redirect)
        return a->subject.paths.count > 0 && paths_are_harmless(f, a, false);
    return command_is_harmless(f, a);
}

bool action_is_harmless(const struct facts *f, const struct action *a)
{
    switch (f->call->kind) {
    case TOOL_READ:
        return a->subject.paths.count > 0 && paths_are_harmless(f, a, false);
    case TOOL_SEARCH:
        return a->subject.paths.count > 0 && paths_are_harmless(f, a, true);
    case TOOL_NOTE:
    case TOOL_QUESTION:
    case TOOL_PLAN_ENTER:
        return true;
    case TOOL_SHELL:
        return shell_is_harmless(f, a);
    case TOOL_OTHER:
    case TOOL_STDIN:
    case TOOL_EDIT:
    case TOOL_PATCH:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT:
    case TOOL_PLAN_EXIT:
    case TOOL_MCP:
        break;
    }
    return false;
}

const struct said *layer_harmless(const struct facts *f, size_t action)
{
    if (!action_is_harmless(f, &f->actions.items[action]))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}
