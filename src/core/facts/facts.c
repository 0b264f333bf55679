#include "facts/facts.h"

#include "base/path.h"

bool facts_has(const struct facts *f, struct str directory, const char *name)
{
    struct str path = path_join(f->arena, directory, str_from(name));

    return f->world->kind(f->world->context, path.s) != FILE_ABSENT;
}
