#include "facts/streams.h"

#include "base/path.h"
#include "shell/shell.h"

static bool is_stream(struct str path)
{
    return str_starts(path, STR("/dev/std")) || str_starts(path, STR("/dev/fd"));
}

/* A pattern may also match one. */
static bool may_be_stream(const struct facts *f, const struct subject_path *p)
{
    return is_stream(p->written) || is_stream(p->resolved) ||
           (p->pattern && !path_is_inside(p->written, f->workspace));
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
        enum file_kind kind =
            p->pattern ? FILE_UNKNOWN : f->world->kind(f->world->context, p->written.s);
        if ((p->access & ACCESS_READ) && (kind == FILE_DIRECTORY || kind == FILE_UNKNOWN))
            return true;
    }
    return false;
}

/* A device that keeps nothing. After `2<file`, /dev/stderr is that file, so a text that may contain
 * a < proves nothing. */
static bool keeps_nothing(const struct facts *f, struct str path)
{
    static const char *const outputs[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"};
    struct str text = f->shared.first;

    if (str_is(path, "/dev/null"))
        return true;
    for (size_t i = 0; i < COUNT(outputs); i++)
        if (str_is(path, outputs[i]))
            return !shell_may_open(text);
    return false;
}

/* tee /dev/stderr prints; other programs may do more than write to it. */
static void find_prints(const struct facts *f, struct action *a)
{
    if (!a->program || a->by_path || !str_is(a->name, "tee"))
        return;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        struct subject_path *p = &a->subject.paths.items[i];
        if (p->access == ACCESS_WRITE && !p->pattern && keeps_nothing(f, p->written))
            p->fresh = true;
    }
}

void streams_doubt(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        find_prints(f, &f->actions.items[i]);
    if (!uses_stream(f))
        return;
    for (size_t i = 0; i < f->actions.count; i++)
        if (f->actions.items[i].redirect && opens_directory(f, &f->actions.items[i]))
            f->actions.items[i].unknown |= ACCESS_READ;
}
