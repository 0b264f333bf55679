#include "facts/drivers.h"

#include "base/path.h"
#include "facts/sensitive_paths.h"

#define DRIVERS_SIZE ((size_t)16 * 1024) /* bytes of their paths */

/* Cached for a decision; NULL: not known. */
static const char *drivers_of(const struct facts *f)
{
    struct decision_cache *kept = f->cache;

    if (kept->drivers_asked || f->workspace.len == 0)
        return f->workspace.len ? kept->drivers : "";
    char *paths = arena_room(f->arena, DRIVERS_SIZE, 1);
    kept->drivers_asked = true;
    if (!f->world->drivers)
        kept->drivers = "";
    else if (f->world->drivers(f->world->context, f->workspace.s, str_copy(f->arena, f->home).s,
                               paths, DRIVERS_SIZE))
        kept->drivers = paths;
    return kept->drivers;
}

/* A word of a setting that leads out of the workspace, or names all of it, is no driver there. */
static bool is_inside(const struct facts *f, struct str driver)
{
    const struct subject_path p = {.written = driver, .resolved = driver};

    return path_in_workspace(f, &p) && !path_is_inside(f->workspace, driver);
}

static bool is_there(const struct facts *f, struct str driver)
{
    return is_inside(f, driver) && f->world->kind(f->world->context, driver.s) != FILE_ABSENT;
}

/* A hook that is not there yet counts, a directory above it only if it is. */
static bool is_related(const struct facts *f, struct str path, struct str driver)
{
    if (path.len == 0)
        return false;
    return path_is_inside(path, driver) ? is_inside(f, driver)
                                        : path_is_inside(driver, path) && is_there(f, driver);
}

bool path_is_driver(const struct facts *f, const struct subject_path *path)
{
    const char *at = drivers_of(f);

    if (!at)
        return true;
    for (; *at; at += strlen(at) + 1) {
        struct str driver = path_cleaned(f->arena, str_from(at));
        if (is_related(f, path->written, driver) || is_related(f, path->resolved, driver))
            return true;
    }
    return false;
}

bool drivers_in_workspace(const struct facts *f)
{
    const char *at = drivers_of(f);

    if (!at)
        return true;
    for (; *at; at += strlen(at) + 1)
        if (is_there(f, path_cleaned(f->arena, str_from(at))))
            return true;
    return false;
}
