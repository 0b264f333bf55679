#include "facts/remotes.h"

#include "base/path.h"
#include "base/rare.h"

static bool has_token(const struct facts *f, struct str file)
{
    return f->world->tokens && f->world->tokens(f->world->context, str_copy(f->arena, file).s);
}

/* .git/config, those of submodules and worktrees, ~/.gitconfig and ~/.config/git/config. */
static bool is_settings(struct str path)
{
    struct str name = path_base(path);

    if (str_is(name, ".gitconfig") || str_is(name, ".gitmodules"))
        return true;
    if (!str_is(name, "config") && !str_is(name, "config.worktree"))
        return false;
    return str_contains(path, STR("/.git/")) || str_is(path_base(path_dir(path)), "git") ||
           str_ends(path_dir(path), STR(".git"));
}

bool remotes_in_file(const struct facts *f, struct str path)
{
    return is_settings(path) && has_token(f, path);
}

/* git config user.name prints no address. */
static bool asks_for_url(const struct facts *f, const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++)
        if (str_contains(str_lower(f->arena, a->subject.words.items[i]), STR("url")))
            return true;
    return false;
}

/* In the settings of the user, or in those of the repository. */
RARE static bool any_token(const struct facts *f, struct str directory)
{
    char common[WORLD_PATH_MAX];

    return has_token(f, path_join(f->arena, f->home, STR(".gitconfig"))) ||
           has_token(f, path_join(f->arena, f->home, STR(".config/git/config"))) ||
           (f->world->repository(f->world->context, str_copy(f->arena, directory).s, common) &&
            has_token(f, path_join(f->arena, str_from(common), STR("config"))));
}

bool remotes_are_printed(const struct facts *f, const struct action *a, struct str directory)
{
    if (!a->row || !a->row->prints_urls || directory.len == 0 || !f->world->repository)
        return false;
    if (str_starts(str_from(a->row->name), STR("git config")) && !asks_for_url(f, a))
        return false;
    return any_token(f, directory);
}
