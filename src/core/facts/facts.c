#include "facts/facts.h"

#include "base/path.h"

const struct session *facts_past(const struct facts *f)
{
    return f->recall ? f->recall(f->recall_context) : f->session;
}

bool facts_has(const struct facts *f, struct str directory, const char *name)
{
    struct str path = path_join(f->arena, directory, str_from(name));

    return f->world->kind(f->world->context, path.s) != FILE_ABSENT;
}

struct str facts_resolve(const struct facts *f, struct str path, char room[WORLD_PATH_MAX])
{
    if (f->world->as_written && f->world->as_written(f->world->context, path))
        return path;
    if (!f->world->resolve(f->world->context, str_copy(f->arena, path).s, room))
        return (struct str){0};
    return str_from(room);
}

const struct cell_facts *facts_cell(const struct facts *f)
{
    static const struct cell_facts none = {CELL_NONE, false, false};

    return f->cell ? f->cell(f->recall_context) : &none;
}
