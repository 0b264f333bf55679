/* harmless.c - what only reads outside secret territory, prints or computes. */
#include "base/path.h"
#include "layer/layer.h"
#include "layer/territory.h"

/* A search at or above a home would walk through every secret below it. */
static bool reads_openly(const struct facts *f, const struct subject_path *p, bool recursive)
{
    if (p->uncertain || p->pattern || p->resolved.len == 0 || territory_secret(f, p))
        return false;
    return !recursive || (!territory_too_wide(p->written, f->home) && !territory_too_wide(p->resolved, f->home));
}

static bool reads_only(const struct facts *f, const struct action *a, bool recursive)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (p->access != ACCESS_READ || !reads_openly(f, p, recursive))
            return false;
    }
    return a->subject.paths.count > 0;
}

struct said layer_harmless(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    bool harmless = false;

    switch (f->call->kind) {
    case TOOL_READ:
        harmless = reads_only(f, a, false);
        break;
    case TOOL_SEARCH:
        harmless = reads_only(f, a, true);
        break;
    case TOOL_NOTE:
    case TOOL_QUESTION:
    case TOOL_PLAN_ENTER:
        harmless = true;
        break;
    case TOOL_SHELL:
        harmless = a->redirect && reads_only(f, a, false);
        break;
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
    return harmless ? say(SAY_ALLOW, (struct str){0}) : (struct said){0};
}
