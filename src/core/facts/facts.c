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

const struct cell_facts *facts_cell(const struct facts *f)
{
    static const struct cell_facts none = {CELL_NONE, false, false};

    return f->cell ? f->cell(f->recall_context) : &none;
}
