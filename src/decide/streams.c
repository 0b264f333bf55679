#include "decide/streams.h"

#include "base/path.h"

static bool is_stream(struct str path)
{
    return str_starts(path, STR("/dev/std")) || str_starts(path, STR("/dev/fd"));
}

/* A pattern elsewhere may find one. */
static bool may_be_stream(const struct facts *f, const struct subject_path *p)
{
    return is_stream(p->written) || is_stream(p->resolved) || (p->pattern && !path_is_inside(p->written, f->workspace));
}

static bool uses_stream(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct subject_paths *paths = &f->actions.items[i].subject.paths;
        for (size_t n = 0; n < paths->count; n++)
            if (may_be_stream(f, &paths->items[n]))
                return true;
    }
    return false;
}

static bool opens_directory(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        enum file_kind kind = p->pattern ? FILE_UNKNOWN : f->world->kind(f->world->context, p->written.s);
        if ((p->access & ACCESS_READ) && (kind == FILE_DIRECTORY || kind == FILE_UNKNOWN))
            return true;
    }
    return false;
}

void streams_doubt(struct facts *f)
{
    if (!uses_stream(f))
        return;
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].redirect && opens_directory(f, &f->actions.items[i]))
            f->actions.items[i].unknown |= ACCESS_READ;
}
