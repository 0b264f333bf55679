#include "engine/bounds.h"

#include "base/path.h"

#define SHOWN_MAX 80 /* bytes of a name that a refusal quotes */

static bool refuse(struct arena *a, const char *what, struct str claimed, struct str *why)
{
    if (claimed.len)
        *why = str_format(a, "this token may not act for %s \"%.*s\"", what,
                          (int)(claimed.len < SHOWN_MAX ? claimed.len : SHOWN_MAX), claimed.s);
    else
        *why = str_format(a, "this token acts for several: the call must name its %s", what);
    return false;
}

static bool has(const struct strs *list, struct str name)
{
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i], name))
            return true;
    return false;
}

/* A name that is left out is the only one there is: leaving it out must not evade the deny rules of
 * a project. */
static bool keep_name(struct arena *a, const struct strs *list, const char *what, struct str *name,
                      struct str *why)
{
    if (!list->count)
        return true;
    if (!name->len && list->count == 1)
        *name = list->items[0];
    return has(list, *name) || refuse(a, what, *name, why);
}

static bool keep_directory(struct arena *a, const struct caller_bounds *b, struct call *c,
                           struct str *why)
{
    c->project_unproved = !b->directories.count;
    for (size_t i = 0; i < b->directories.count; i++)
        if (path_is_inside(c->project, b->directories.items[i]))
            return true;
    return c->project_unproved || refuse(a, "the directory", c->project, why);
}

/* A mode that does not exist stays, and denies. */
static bool keep_mode(struct arena *a, const struct caller_bounds *b, struct call *c,
                      struct str *why)
{
    enum mode named;

    if (!b->modes)
        return true;
    if (!c->mode_given) {
        c->mode = str_from(mode_name(b->first));
        c->mode_given = true;
    }
    return !mode_parse(c->mode, &named) || b->modes & 1u << named ||
           refuse(a, "mode", c->mode, why);
}

bool bounds_keep(struct arena *a, const struct caller_bounds *b, struct call *c, struct str *why)
{
    c->name_unproved = !b->ids.count;
    c->worker_unproved = !b->workers.count;
    c->client_unproved = true; /* no token is bound to a program */
    return keep_name(a, &b->ids, "project", &c->project_id, why) &&
           keep_name(a, &b->workers, "worker", &c->worker_id, why) &&
           keep_directory(a, b, c, why) && keep_mode(a, b, c, why);
}
