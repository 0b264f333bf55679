#include "engine/pretend.h"

#include <stdio.h>

static void put(struct arena *a, struct pretend *p, struct str path, bool directory)
{
    struct str clean = path_clean(a, path);

    LIST_PUSH(a, &p->files, directory ? str_join(a, clean, STR("/")) : clean);
}

void pretend_add(struct arena *a, struct pretend *p, struct str file, struct str base,
                 struct str home)
{
    struct str path;

    if (path_expand(a, base, home, file, &path))
        put(a, p, path, str_ends(file, STR("/")));
}

struct pretend pretend_disk(struct arena *a, struct str project, struct str home)
{
    struct pretend p = {0};

    put(a, &p, project, true);
    put(a, &p, home, true);
    return p;
}

/* ---- what is asked ---- */

static enum file_kind kind_of(void *context, const char *path)
{
    const struct pretend *p = context;
    struct str wanted = str_from(path);

    if (wanted.len <= 1)
        return FILE_DIRECTORY;
    for (size_t i = 0; i < p->files.count; i++) {
        struct str file = p->files.items[i];
        if (str_eq(file, wanted))
            return FILE_REGULAR;
        if (str_starts(file, wanted) && file.s[wanted.len] == '/')
            return FILE_DIRECTORY;
    }
    return FILE_ABSENT;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    (void)context;
    return snprintf(out, WORLD_PATH_MAX, "%s", path) < WORLD_PATH_MAX;
}

/* The name that a file has directly in a directory; empty: it is not below that. */
static struct str name_below(struct str file, struct str directory)
{
    size_t at = directory.len > 1 ? directory.len : 0;

    if (!str_starts(file, str_slice(directory, 0, at)) || str_byte(file, at) != '/')
        return (struct str){0};
    struct str rest = str_from_byte(file, at + 1);
    return str_slice(rest, 0, str_until(rest, "/"));
}

static bool is_first(const struct pretend *p, size_t i, struct str directory, struct str name)
{
    for (size_t n = 0; n < i; n++)
        if (str_eq(name_below(p->files.items[n], directory), name))
            return false;
    return name.len > 0;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    const struct pretend *p = context;
    struct str where = str_from(directory);
    size_t used = 0;

    for (size_t i = 0; i < p->files.count; i++) {
        struct str name = name_below(p->files.items[i], where);
        if (!is_first(p, i, where, name))
            continue;
        if (used + name.len + 2 > size)
            return false;
        memcpy(out + used, name.s, name.len);
        used += name.len;
        out[used++] = '\0';
    }
    if (used + 1 > size)
        return false;
    out[used] = '\0';
    return true;
}

static bool scan(void *context, const char *directory, world_entry *each, void *to)
{
    const struct pretend *p = context;
    struct str where = str_from(directory);

    for (size_t i = 0; i < p->files.count; i++) {
        struct str name = name_below(p->files.items[i], where);
        char text[WORLD_PATH_MAX];
        if (!is_first(p, i, where, name))
            continue;
        if (name.len >= sizeof(text))
            return false;
        memcpy(text, name.s, name.len);
        text[name.len] = '\0';
        bool directory_too = name.s + name.len < p->files.items[i].s + p->files.items[i].len;
        if (!each(to, text, directory_too ? ENTRY_DIRECTORY : ENTRY_OTHER))
            return false;
    }
    return true;
}

/* The nearest directory with a .git in it. */
static bool repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    size_t len = strlen(directory);

    while (len > 0 && len + sizeof("/.git") <= WORLD_PATH_MAX) {
        int n = snprintf(out, WORLD_PATH_MAX, "%.*s/.git", (int)(len > 1 ? len : 0), directory);
        if (n > 0 && kind_of(context, out) == FILE_DIRECTORY)
            return true;
        while (len > 0 && directory[--len] != '/')
            ;
    }
    return false;
}

static enum ref_state ref(void *context, const char *directory, const char *name, int64_t since)
{
    (void)context;
    (void)directory;
    (void)name;
    (void)since;
    return REF_ABSENT;
}

static bool logged(void *context, const char *directory, struct str id)
{
    (void)context;
    (void)directory;
    (void)id;
    return false;
}

static bool plain(void *context, const char *directory)
{
    char git[WORLD_PATH_MAX];

    return repository(context, directory, git);
}

static bool drivers(void *context, const char *directory, const char *home, char *out, size_t size)
{
    (void)context;
    (void)directory;
    (void)home;
    if (size)
        out[0] = '\0';
    return size > 0;
}

static bool tokens(void *context, const char *file)
{
    (void)context;
    (void)file;
    return false;
}

static bool unchanged(void *context, const char *path, int64_t since)
{
    (void)since;
    return kind_of(context, path) == FILE_REGULAR;
}

static bool digest(void *context, const char *path, char out[WORLD_DIGEST])
{
    (void)context;
    (void)path;
    out[0] = '\0';
    return false;
}

static bool compiled(void *context, const char *path, struct file_mark *out)
{
    (void)context;
    (void)path;
    *out = (struct file_mark){0};
    return false;
}

static bool ignored(void *context, const char *path)
{
    (void)context;
    (void)path;
    return false;
}

/* As an installed one. */
static bool program(void *context, struct str name, char out[WORLD_PATH_MAX])
{
    (void)context;
    return snprintf(out, WORLD_PATH_MAX, "/usr/bin/%.*s", STR_ARG(name)) < WORLD_PATH_MAX;
}

struct world pretend_world(struct pretend *p,
                           enum regex_answer (*match)(const void *code, struct str text))
{
    return (struct world){
        .context = p,
        .kind = kind_of,
        .resolve = resolve,
        .list = list,
        .scan = scan,
        .repository = repository,
        .ref = ref,
        .logged = logged,
        .plain = plain,
        .drivers = drivers,
        .tokens = tokens,
        .unchanged = unchanged,
        .digest = digest,
        .compiled = compiled,
        .ignored = ignored,
        .program = program,
        .regex = match,
    };
}
