#include "facts/worktree.h"

#include "base/path.h"
#include "facts/sensitive_paths.h"

bool worktree_is_same_repository(const struct facts *f, struct str directory)
{
    char own[WORLD_PATH_MAX], other[WORLD_PATH_MAX];

    return f->workspace.len && f->world->repository &&
           f->world->repository(f->world->context, f->workspace.s, own) &&
           f->world->repository(f->world->context, str_copy(f->arena, directory).s, other) &&
           strcmp(own, other) == 0;
}

/* The nearest directory with a .git; in a linked worktree that is a file. Everything below a nested
 * repository belongs to that one. */
static bool find_root(const struct facts *f, struct str path, struct str *root)
{
    for (*root = path; root->len > 1; *root = path_dir(*root)) {
        struct str git = path_join(f->arena, *root, STR(".git"));
        enum file_kind kind = f->world->kind(f->world->context, git.s);
        if (kind != FILE_ABSENT)
            return kind == FILE_REGULAR;
    }
    return false;
}

/* Git keeps a directory of its linked worktrees, and most repositories have none. Cached for a
 * decision. */
static bool has_linked(const struct facts *f)
{
    char common[WORLD_PATH_MAX];

    if (f->workspace.len == 0 || !f->world->repository)
        return false;
    if (f->cache->links != LINKS_UNASKED)
        return f->cache->links == LINKS_PERHAPS;
    f->cache->links = LINKS_NONE;
    if (f->world->repository(f->world->context, f->workspace.s, common) &&
        facts_has(f, str_from(common), "worktrees"))
        f->cache->links = LINKS_PERHAPS;
    return f->cache->links == LINKS_PERHAPS;
}

static bool find_linked(const struct facts *f, struct str path, struct str *root)
{
    return has_linked(f) && path_is_absolute(path) && find_root(f, path, root) &&
           !path_too_wide(*root, f->home) && !path_is_inside(f->workspace, *root) &&
           worktree_is_same_repository(f, *root);
}

bool worktree_is_linked(const struct facts *f, struct str path)
{
    struct str root;

    return find_linked(f, path, &root);
}

bool worktree_is_root(const struct facts *f, struct str path)
{
    struct str root;

    return find_linked(f, path, &root) && str_eq(root, path);
}
