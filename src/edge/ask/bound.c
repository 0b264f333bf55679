#include "ask/bound.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "facts/named_in.h"
#include "machine/gitdir.h"

#define ABSENT         "absent"
#define REFS_DEPTH_MAX 8u /* directories below refs/heads: feature/x/y */

struct binding {
    struct arena *arena;
    const struct world *world;
    const struct verdict *verdict;
    struct bound *out;
    uint64_t budget;
    bool stamps; /* and no content */
};

static void cannot_bind(struct binding *b, const char *why)
{
    if (!b->out->unbound)
        b->out->unbound = why;
}

/* ---- one file ---- */

static struct str hash_of(struct arena *a, int fd)
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char part[16384], hex[SHA256_HEX];
    ssize_t n;

    sha256_init(&h);
    while ((n = read(fd, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            sha256_add(&h, (struct str){part, (size_t)n});
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    return str_format(a, "%s%s", n < 0 ? "part " : "", hex);
}

static struct str stamp_of(struct arena *a, const struct stat *st)
{
    return str_format(a, "%lu %lu %lld %lld.%09ld", (unsigned long)st->st_dev,
                      (unsigned long)st->st_ino, (long long)st->st_size,
                      (long long)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

static struct str stamp_at(struct binding *b, const char *path, bool *regular)
{
    struct stat st;
    const bool there = stat(path, &st) == 0;

    *regular = there && S_ISREG(st.st_mode);
    if (there)
        return stamp_of(b->arena, &st);
    return errno == ENOENT || errno == ENOTDIR ? STR(ABSENT)
                                               : str_format(b->arena, "error %d", errno);
}

/* A file that cannot be read counts as such: if it can be read later, it is a different one. */
static struct str mark_of(struct binding *b, const char *path, bool *regular)
{
    struct stat st;

    if (b->stamps)
        return stamp_at(b, path, regular);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *regular = false;
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return STR(ABSENT);
    if (fd < 0 || fstat(fd, &st) < 0)
        return str_format(b->arena, "error %d", errno);
    *regular = S_ISREG(st.st_mode);
    if (*regular && st.st_size <= BOUND_FILE_MAX && (uint64_t)st.st_size <= b->budget) {
        b->budget -= (uint64_t)st.st_size;
        return hash_of(b->arena, fd);
    }
    return stamp_of(b->arena, &st);
}

static bool has_room(struct binding *b)
{
    if (b->out->files.count >= BOUND_FILES_MAX)
        cannot_bind(b, "it reads or runs too many files");
    return b->out->files.count < BOUND_FILES_MAX;
}

static void bind_file(struct binding *b, struct str path)
{
    bool regular;

    if (!has_room(b))
        return;
    path = str_copy(b->arena, path);
    const struct bound_file file = {path, mark_of(b, path.s, &regular)};
    LIST_PUSH(b->arena, &b->out->files, file);
}

/* What is executed by its name has to be where it was, too: a link to an equal file finds other
 * files next to it. */
static void bind_executed(struct binding *b, struct str path)
{
    char found[WORLD_PATH_MAX];
    const char *name = str_copy(b->arena, path).s;

    bind_file(b, path);
    if (b->world->resolve(b->world->context, name, found) && !str_is(path, found))
        bind_file(b, str_from(found));
}

/* ---- directories ---- */

struct names {
    struct arena *arena;
    struct strs list;
    bool directories; /* which of the two are wanted */
};

static bool take_name(void *to, const char *name, enum entry_kind kind)
{
    struct names *n = to;

    if (n->list.count >= BOUND_FILES_MAX)
        return false;
    if ((kind == ENTRY_DIRECTORY) == n->directories)
        LIST_PUSH(n->arena, &n->list, str_copy(n->arena, str_from(name)));
    return true;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const struct str *)a)->s, ((const struct str *)b)->s);
}

/* False: there are too many, or they are not known. */
static bool list_names(struct binding *b, struct str directory, bool directories, struct strs *out)
{
    struct names n = {.arena = b->arena, .directories = directories};
    bool known = b->world->scan(b->world->context, str_copy(b->arena, directory).s, take_name, &n);

    if (n.list.count)
        qsort(n.list.items, n.list.count, sizeof(n.list.items[0]), by_bytes);
    *out = n.list;
    return known;
}

/* Only regular files: what a pipe or a socket will say is not known. */
static bool bind_files_in(struct binding *b, struct str directory)
{
    struct strs names;
    bool regular;

    if (!list_names(b, directory, false, &names) ||
        b->out->files.count + names.count > BOUND_FILES_MAX)
        return false;
    for (size_t i = 0; i < names.count; i++) {
        struct str path = path_join(b->arena, directory, names.items[i]);
        struct str mark = mark_of(b, path.s, &regular);
        if (regular)
            LIST_PUSH(b->arena, &b->out->files, (struct bound_file){path, mark});
    }
    return true;
}

static void bind_refs(struct binding *b, struct str directory, unsigned depth)
{
    struct strs below;

    if (depth > REFS_DEPTH_MAX || !bind_files_in(b, directory) ||
        !list_names(b, directory, true, &below)) {
        cannot_bind(b, "the repository has too many branches");
        return;
    }
    for (size_t i = 0; i < below.count && !b->out->unbound; i++)
        bind_refs(b, path_join(b->arena, directory, below.items[i]), depth + 1);
}

/* Which commits a push sends, and where to. */
static void bind_repository(struct binding *b, struct str directory)
{
    static const struct str parts[] = {STR("config"), STR("packed-refs"),
                                       STR("reftable/tables.list")};
    char own[WORLD_PATH_MAX], common[WORLD_PATH_MAX];
    bool read;

    if (!directory.len ||
        !gitdir_find(b->world, str_copy(b->arena, directory).s, own, common, &read))
        return;
    bind_file(b, path_join(b->arena, str_from(own), STR("HEAD")));
    bind_file(b, path_join(b->arena, str_from(own), STR("config.worktree")));
    for (size_t i = 0; i < COUNT(parts); i++)
        bind_file(b, path_join(b->arena, str_from(common), parts[i]));
    bind_refs(b, path_join(b->arena, str_from(common), STR("refs/heads")), 0);
    bind_refs(b, path_join(b->arena, str_from(common), STR("refs/tags")), 0);
}

/* ---- one action ---- */

static const char unknown_file[] = "which file it runs is not known before run time";

static void bind_in_turn(void *binding, struct str path)
{
    bind_file(binding, path);
}

static bool is_ours(const struct binding *b, struct str path)
{
    return b->verdict->facts->workspace.len && path_is_inside(path, b->verdict->facts->workspace);
}

/* A program is no text that names files: what is too large to be read is taken for one. */
static void bind_run(struct binding *b, struct str path)
{
    if (!path_is_absolute(path) || path_has_nul(path) || str_has(path, WORD_UNKNOWN)) {
        cannot_bind(b, unknown_file);
        return;
    }
    bind_executed(b, path);
    if (!is_ours(b, path))
        return;
    struct facts here = *b->verdict->facts;
    here.arena = b->arena;
    here.world = b->world;
    (void)named_in(&here, path, bind_in_turn, b);
}

/* The program itself: a file that the action names, or the first match in PATH. */
static void bind_program(struct binding *b, const struct action *a)
{
    struct str name = a->subject.words.count ? a->subject.words.items[0] : (struct str){0};
    char found[WORLD_PATH_MAX];

    if (!a->subject.shell || a->redirect || a->assignment || name.len == 0)
        return;
    if (str_has(name, WORD_UNKNOWN) || path_has_nul(name) || name.len >= WORLD_PATH_MAX)
        cannot_bind(b, unknown_file);
    else if (str_has(name, '/'))
        bind_run(b, path_is_absolute(name) ? name : path_join(b->arena, a->cwd, name));
    else if (b->world->program(b->world->context, name, found))
        bind_executed(b, str_from(found));
}

/* A directory counts by the files in it, and by itself if they are too many. */
static void bind_named(struct binding *b, const struct action *a, struct str path)
{
    if (!path_is_absolute(path) || path_has_nul(path) || str_has(path, WORD_UNKNOWN))
        return;
    if (b->world->kind(b->world->context, str_copy(b->arena, path).s) == FILE_DIRECTORY &&
        !a->lists && bind_files_in(b, path))
        return;
    bind_file(b, path);
}

static struct str path_of(const struct subject_path *p)
{
    return p->resolved.len ? p->resolved : p->written;
}

static void bind_path(struct binding *b, const struct action *a, const struct subject_path *p)
{
    if (p->folded || p->below || !(p->access & (ACCESS_READ | ACCESS_RUN)))
        return;
    if (!p->pattern) {
        if ((p->access & ACCESS_RUN) && !p->uncertain)
            bind_run(b, path_of(p));
        else
            bind_named(b, a, path_of(p));
        return;
    }
    if (p->access & ACCESS_RUN)
        cannot_bind(b, unknown_file);
    for (size_t i = 0; p->files && i < p->files->count; i++)
        bind_named(b, a, path_of(&p->files->items[i]));
}

/* It may run a file whose name is only known when it runs. */
static bool runs_unknown(const struct binding *b, const struct action *a)
{
    if (a->unknown & ACCESS_RUN)
        return true;
    for (size_t i = 0; !b->verdict->facts->understood && i < a->subject.words.count; i++)
        if (str_has(a->subject.words.items[i], WORD_UNKNOWN))
            return true;
    return false;
}

static bool names_what_it_runs(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & ACCESS_RUN)
            return true;
    return false;
}

/* Which file says what a runner does is its own affair: those next to it all count. */
static void bind_around(struct binding *b, const struct action *a)
{
    const unsigned code = EFFECT_CODE | EFFECT_PROJECT;

    if ((a->effects & EFFECT_PROJECT) || ((a->effects & code) && !names_what_it_runs(a)))
        if (a->cwd.len && !bind_files_in(b, a->cwd))
            cannot_bind(b, "there are too many files around it");
    if (a->effects & EFFECT_SEND)
        bind_repository(b, a->directory.len ? path_join(b->arena, a->cwd, a->directory) : a->cwd);
}

static void bind_action(struct binding *b, const struct action *a)
{
    if (runs_unknown(b, a))
        cannot_bind(b, unknown_file);
    else
        bind_program(b, a);
    for (size_t i = 0; i < a->subject.paths.count && !b->out->unbound; i++)
        bind_path(b, a, &a->subject.paths.items[i]);
    bind_around(b, a);
}

void bound_find(struct arena *a, const struct verdict *v, const struct world *w, uint64_t budget,
                struct bound *out)
{
    struct binding b = {.arena = a,
                        .world = w,
                        .verdict = v,
                        .out = out,
                        .budget = budget,
                        .stamps = budget == BOUND_STAMPS};
    const struct actions *actions = &v->facts->actions;

    *out = (struct bound){0};
    for (size_t i = 0; i < actions->count && !out->unbound; i++)
        bind_action(&b, &actions->items[i]);
}

/* ---- as a text ---- */

/* It counts in a digest, but is not written: a word that names no file may be a password. */
static bool is_absent(const struct bound_file *file)
{
    return str_is(file->mark, ABSENT);
}

static void write_files(struct json_writer *w, const struct bound_files *files, bool all)
{
    json_begin_array(w);
    for (size_t i = 0; i < files->count; i++) {
        if (!all && is_absent(&files->items[i]))
            continue;
        json_begin_array(w);
        json_text(w, files->items[i].path);
        json_text(w, files->items[i].mark);
        json_end_array(w);
    }
    json_end_array(w);
}

void bound_write(struct json_writer *w, const struct bound_files *files)
{
    write_files(w, files, false);
}

void bound_write_all(struct json_writer *w, const struct bound_files *files)
{
    write_files(w, files, true);
}

bool bound_again(struct arena *a, const struct value *list, uint64_t budget,
                 struct bound_files *out)
{
    struct bound bound = {0};
    struct binding b = {
        .arena = a, .out = &bound, .budget = budget, .stamps = budget == BOUND_STAMPS};

    *out = (struct bound_files){0};
    if (!list || list->kind != VALUE_ARRAY || list->count > BOUND_FILES_MAX)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = &list->items[i];
        if (v->kind != VALUE_ARRAY || v->count != 2 || v->items[0].kind != VALUE_STRING ||
            !path_is_absolute(v->items[0].text) || path_has_nul(v->items[0].text))
            return false;
        bind_file(&b, v->items[0].text);
    }
    *out = bound.files;
    return true;
}

void bound_digest(const struct bound_files *files, char out[SHA256_HEX])
{
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    sha256_init(&h);
    for (size_t i = 0; i < files->count; i++) {
        sha256_add_part(&h, files->items[i].path);
        sha256_add_part(&h, files->items[i].mark);
    }
    sha256_end(&h, hash);
    sha256_hex(hash, out);
}

static const struct bound_file *find(const struct bound_files *files, struct str path, size_t near)
{
    if (near < files->count && str_eq(files->items[near].path, path))
        return &files->items[near];
    for (size_t i = 0; i < files->count; i++)
        if (str_eq(files->items[i].path, path))
            return &files->items[i];
    return NULL;
}

static bool is_listed(const struct value *list, struct str path, size_t near)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = &list->items[(near + i) % list->count];
        if (v->kind == VALUE_ARRAY && v->count == 2 && str_eq(v->items[0].text, path))
            return true;
    }
    return false;
}

struct str bound_changed(const struct value *list, const struct bound_files *now)
{
    if (!list || list->kind != VALUE_ARRAY)
        return (struct str){0};
    for (size_t i = 0; i < list->count; i++) {
        const struct value *v = &list->items[i];
        if (v->kind != VALUE_ARRAY || v->count != 2)
            continue;
        const struct bound_file *file = find(now, v->items[0].text, i);
        if (!file || !str_eq(file->mark, v->items[1].text))
            return v->items[0].text;
    }
    for (size_t i = 0; i < now->count; i++)
        if (!is_absent(&now->items[i]) && !is_listed(list, now->items[i].path, i))
            return now->items[i].path;
    return (struct str){0};
}
