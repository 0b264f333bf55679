#include "machine/drivers.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "machine/gitdir.h"

/* The list that is built. */
struct found {
    char *out;
    size_t size, len;
    bool whole; /* nothing was left out */
};

static void add(struct found *f, const char *directory, const char *name)
{
    size_t left = f->size - f->len;
    const char *slash = name[0] == '/' ? "" : "/";
    int len =
        snprintf(f->out + f->len, left, "%s%s%s", name[0] == '/' ? "" : directory, slash, name);

    if (len < 0 || (size_t)len + 2 > left)
        f->whole = false;
    else
        f->len += (size_t)len + 1;
    f->out[f->whole ? f->len : 0] = '\0';
}

/* Where words of settings lead from. */
struct places {
    const char *root; /* of the work tree, where git starts what they name */
    const char *file; /* the directory of the settings themselves, for [include] */
};

/* husky puts scripts into .husky/_ that run those beside that directory. */
static void add_husky(struct found *f, const struct places *p, char *word)
{
    size_t len = strlen(word);

    if (len < 3 || strcmp(word + len - 2, "/_") != 0)
        return;
    word[len - 2] = '\0';
    add(f, p->root, word);
}

/* A word that is a path for sure, or may be one. */
static void add_word(struct found *f, const struct places *p, char *word)
{
    while (strncmp(word, "./", 2) == 0)
        word += 2;
    if (word[0] == '\0' || word[0] == '-' || word[0] == '~' || strcmp(word, ".") == 0)
        return;
    size_t len = strlen(word);
    if (word[len - 1] == '/')
        word[len - 1] = '\0';
    add(f, p->root, word);
    if (word[0] != '/')
        add(f, p->file, word);
    add_husky(f, p, word);
}

/* The value of any setting that is not plain: what in it is the program, what an argument, is left
 * open. */
static void add_value(struct found *f, const struct places *p, char *text)
{
    static const char between[] = " \t\r\"'\\;&|()<>!=,";
    char *value = strchr(text, '=') ? strchr(text, '=') + 1 : text, *rest;

    for (char *word = strtok_r(value, between, &rest); word; word = strtok_r(NULL, between, &rest))
        add_word(f, p, word);
}

static void read_settings(struct found *f, const struct places *p, const char *name)
{
    char path[WORLD_PATH_MAX], line[WORLD_PATH_MAX], section[GITDIR_NAME_MAX] = "";

    if (snprintf(path, sizeof(path), "%s/%s", p->file, name) >= (int)sizeof(path)) {
        f->whole = false;
        return;
    }
    FILE *file = fopen(path, "re");
    if (!file) {
        f->whole &= errno == ENOENT || errno == ENOTDIR;
        return;
    }
    while (f->whole && fgets(line, sizeof(line), file)) {
        f->whole &= strchr(line, '\n') || feof(file);
        if (!gitdir_line_is_plain(line, section))
            add_value(f, p, line);
    }
    f->whole &= !ferror(file);
    fclose(file);
}

/* The nearest directory with a .git: gitdir_find() has found one. */
static bool find_root(const struct world *w, const char *directory, char root[WORLD_PATH_MAX])
{
    char git[WORLD_PATH_MAX];

    if (!w->resolve(w->context, directory, root))
        return false;
    for (;; *strrchr(root, '/') = '\0') {
        if (snprintf(git, sizeof(git), "%s/.git", root) >= (int)sizeof(git))
            return false;
        if (w->kind(w->context, git) != FILE_ABSENT)
            return true;
        if (!strchr(root, '/'))
            return false;
    }
}

bool drivers_find(const struct world *w, const char *directory, const char *home, char *out,
                  size_t size)
{
    char own[WORLD_PATH_MAX], common[WORLD_PATH_MAX], root[WORLD_PATH_MAX];
    struct found f = {out, size, 0, size > 1};
    bool read;

    if (!f.whole)
        return false;
    out[0] = '\0';
    if (!w->repository(w->context, directory, common)) /* that is remembered */
        return true;
    if (!gitdir_find(w, directory, own, common, &read) || !find_root(w, directory, root))
        return true;
    const struct places in_common = {root, common}, in_own = {root, own}, in_home = {root, home};
    read_settings(&f, &in_common, "config");
    read_settings(&f, &in_own, "config.worktree");
    read_settings(&f, &in_home, ".gitconfig");
    read_settings(&f, &in_home, ".config/git/config");
    return f.whole;
}
