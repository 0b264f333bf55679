#include "decide/session_builds.h"

#include "decide/layer.h"
#include "facts/session_builds_parts.h"

/* Every action was cleared without asking: neither by a person nor by a mode that clears
 * everything. */
static bool is_cleared(const struct verdict *v)
{
    bool clears = false;

    for (size_t i = 0; i < LAYER_COUNT; i++)
        clears |= layers[i].clear && v->layer == layers[i].name;
    for (size_t i = 0; clears && i < v->facts->actions.count; i++)
        clears = v->cleared_by[i] != NULL;
    return clears && v->behavior == BEHAVIOR_ALLOW;
}

const struct session_programs *session_builds_of(const struct verdict *v)
{
    static const struct session_programs none;

    return v->facts && is_cleared(v) ? &v->facts->builds : &none;
}

static void forget(struct session_programs *list, const struct facts *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        if (!session_build_touched(f, &list->items[i], NO_ACTION))
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static void put(struct arena *a, struct session_programs *list, struct session_program p)
{
    if (list->count == SESSION_PROGRAMS_MAX) {
        list->count--;
        memmove(list->items, list->items + 1, list->count * sizeof(*list->items));
    }
    p.path = str_copy(a, p.path);
    p.tree = str_copy(a, p.tree);
    LIST_PUSH(a, list, p);
}

/* The program was run: from now on it must be this very file. */
static void see(struct arena *a, struct session_programs *list, const struct session_build *made)
{
    const struct session_program *known = session_build_known(list, made->path);
    size_t i = session_build_index(list, made->path);

    if (!known)
        return; /* another call has removed it meanwhile */
    if (i == list->count)
        put(a, list, (struct session_program){.path = made->path, .tree = known->tree});
    struct session_program *p = &list->items[session_build_index(list, made->path)];
    p->seen = made->mark;
    if (made->mark.changed / NANOSECONDS >= p->built)
        p->built = 0;
}

/* A build into a directory may have rebuilt every file in it. */
static void add(struct arena *a, struct session_programs *list, const struct session_program *build,
                int64_t now)
{
    size_t at = session_build_index(list, build->path);

    if (at == list->count) {
        put(a, list, *build);
        at = list->count - 1;
    }
    list->items[at].built = now;
    for (size_t i = 0; i < list->count; i++)
        if (session_build_is_right_in(list->items[i].path, build->path))
            list->items[i].built = now;
}

void session_builds_keep(struct arena *a, struct session *s, const struct verdict *v, int64_t now)
{
    if (!v->facts || v->behavior == BEHAVIOR_DENY)
        return;
    forget(&s->programs, v->facts);
    for (size_t i = 0; is_cleared(v) && i < v->facts->actions.count; i++)
        if (v->facts->actions.items[i].session_build.state == BUILT_HERE)
            see(a, &s->programs, &v->facts->actions.items[i].session_build);
    for (size_t i = 0; i < session_builds_of(v)->count; i++)
        add(a, &s->programs, &session_builds_of(v)->items[i], now);
}

/* Is it still as it was last seen? */
static bool is_seen(const struct session_programs *list, const struct session_build *made)
{
    size_t i = session_build_index(list, made->path);

    return i < list->count && session_build_is_same(&list->items[i].seen, &made->mark) &&
           !list->items[i].built;
}

bool session_builds_change(const struct session *s, const struct verdict *v)
{
    const struct facts *f = v->facts;

    if (!f || v->behavior == BEHAVIOR_DENY)
        return false;
    for (size_t i = 0; i < s->programs.count; i++)
        if (session_build_touched(f, &s->programs.items[i], NO_ACTION))
            return true;
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].session_build.state == BUILT_HERE &&
            !is_seen(&s->programs, &f->actions.items[i].session_build))
            return true;
    return session_builds_of(v)->count > 0;
}

bool session_builds_same(const struct session *s, const struct session *other)
{
    if (s->programs.count != other->programs.count)
        return false;
    for (size_t i = 0; i < s->programs.count; i++) {
        const struct session_program *p = &s->programs.items[i], *q = &other->programs.items[i];
        if (!str_eq(p->path, q->path) || !str_eq(p->tree, q->tree) || p->built != q->built ||
            p->seen.changed != q->seen.changed || p->seen.inode != q->seen.inode ||
            p->seen.device != q->seen.device)
            return false;
    }
    return true;
}
