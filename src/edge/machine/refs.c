#include "machine/refs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/age.h"
#include "machine/gitdir.h"

#define ID_DIGITS_MAX 64 /* of SHA-256 */

/* Where the refs of a repository are. */
struct places {
    const char *own, *common; /* the same unless it is a linked worktree */
    int64_t since;            /* 0: their age does not matter */
};

/* false: too long */
static bool join(const char *directory, const char *name, char out[WORLD_PATH_MAX])
{
    int len = snprintf(out, WORLD_PATH_MAX, "%s/%s", directory, name);

    return len > 0 && len < WORLD_PATH_MAX;
}

static enum ref_state state_by_age(const char *path, int64_t since)
{
    return since == 0 || age_is_old(path, false, since) ? REF_OLD : REF_NEW;
}

/* The later one counts: it is known for less. */
static enum ref_state worse(enum ref_state a, enum ref_state b)
{
    if (a == REF_UNKNOWN || b == REF_UNKNOWN)
        return REF_UNKNOWN;
    return a > b ? a : b;
}

static bool is_wild(const char *name)
{
    return strchr(name, '*') != NULL;
}

/* "refs/remotes/[star]/main", where the star is one part of the name. */
static bool fits(const char *name, const char *pattern)
{
    const char *star = strchr(pattern, '*');

    if (!star)
        return strcmp(name, pattern) == 0;
    size_t front = (size_t)(star - pattern);
    if (strncmp(name, pattern, front) != 0)
        return false;
    const char *rest = name + front + strcspn(name + front, "/");
    return rest > name + front && strcmp(rest, star + 1) == 0;
}

/* A line is "ID NAME"; those that begin with # and ^ are about others. */
static enum ref_state find_packed(const struct places *p, const char *name)
{
    char path[WORLD_PATH_MAX], line[WORLD_PATH_MAX + ID_DIGITS_MAX + 2];
    size_t read = 0;
    enum ref_state found = REF_ABSENT;

    if (!join(p->common, "packed-refs", path))
        return REF_UNKNOWN;
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT ? REF_ABSENT : REF_UNKNOWN;
    while (found == REF_ABSENT && fgets(line, sizeof(line), file)) {
        size_t end = strcspn(line, "\n"), id = strcspn(line, " ");
        if (line[end] != '\n' || (read += end) > REFS_PACKED_MAX)
            found = REF_UNKNOWN;
        line[end] = '\0';
        if (line[0] != '#' && line[0] != '^' && line[id] == ' ' && fits(line + id + 1, name))
            found = worse(found, state_by_age(path, p->since));
    }
    if (ferror(file))
        found = REF_UNKNOWN;
    fclose(file);
    return found;
}

/* The first line; false: there is none. */
static bool read_line(const char *path, char out[WORLD_PATH_MAX])
{
    FILE *file = fopen(path, "re");
    bool read = file && fgets(out, WORLD_PATH_MAX, file);

    if (file)
        fclose(file);
    if (read)
        out[strcspn(out, "\n")] = '\0';
    return read;
}

static enum ref_state find_full(const struct places *p, const char *name, int follows);

static bool is_below(const char *name, const char *front)
{
    return strncmp(name, front, strlen(front)) == 0;
}

/* A local branch is the project's own, and what it leads to must be one, too. */
static bool may_lead(const char *from, const char *to)
{
    return is_below(to, is_below(from, "refs/heads/") ? "refs/heads/" : "refs/") && !is_wild(to);
}

/* The file of a ref has an id, or the name of another ref. */
static enum ref_state read_loose(const struct places *p, const char *name, const char *path,
                                 int follows)
{
    static const char key[] = "ref: ";
    const char *to;
    char line[WORLD_PATH_MAX];

    if (!read_line(path, line))
        return REF_UNKNOWN;
    if (!is_below(line, key))
        return state_by_age(path, p->since);
    to = line + sizeof(key) - 1;
    if (follows == REFS_FOLLOWS_MAX || !may_lead(name, to))
        return REF_UNKNOWN;
    return worse(state_by_age(path, p->since), find_full(p, to, follows + 1));
}

static enum ref_state find_loose(const struct places *p, const char *directory, const char *name,
                                 int follows)
{
    char path[WORLD_PATH_MAX];
    struct stat st;

    if (!join(directory, name, path))
        return REF_UNKNOWN;
    if (lstat(path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? REF_ABSENT : REF_UNKNOWN;
    if (S_ISDIR(st.st_mode))
        return REF_ABSENT; /* names of others begin with it */
    return S_ISREG(st.st_mode) ? read_loose(p, name, path, follows) : REF_UNKNOWN;
}

/* A loose one counts before a packed one. Some belong to one worktree. */
static enum ref_state find_full(const struct places *p, const char *name, int follows)
{
    enum ref_state found = find_loose(p, p->common, name, follows);

    if (strcmp(p->own, p->common) != 0)
        found = worse(found, find_loose(p, p->own, name, follows));
    return found == REF_ABSENT ? find_packed(p, name) : found;
}

/* One of all remotes. */
static enum ref_state find_any(const struct places *p, const char *name)
{
    char path[WORLD_PATH_MAX], one[WORLD_PATH_MAX];
    const char *star = strchr(name, '*');
    enum ref_state found = find_packed(p, name);
    const struct dirent *e;

    if (snprintf(path, sizeof(path), "%s/%.*s", p->common, (int)(star - name), name) >=
        (int)sizeof(path))
        return REF_UNKNOWN;
    DIR *d = opendir(path);
    if (!d)
        return errno == ENOENT || errno == ENOTDIR ? found : REF_UNKNOWN;
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.')
            continue;
        int len =
            snprintf(one, sizeof(one), "%.*s%s%s", (int)(star - name), name, e->d_name, star + 1);
        found =
            worse(found, len < (int)sizeof(one) ? find_loose(p, p->common, one, 0) : REF_UNKNOWN);
    }
    closedir(d);
    return found;
}

/* Something at this place decides that the refs are not in files. */
static bool has_tables(const char *common)
{
    char path[WORLD_PATH_MAX];
    struct stat st;

    return !join(common, "reftable", path) || lstat(path, &st) == 0 || errno != ENOENT;
}

static bool has_git(const struct world *w, const char *directory)
{
    char at[WORLD_PATH_MAX], path[WORLD_PATH_MAX];

    if (!w->resolve(w->context, directory, at))
        return true;
    for (;; *strrchr(at, '/') = '\0') {
        if (!join(at, ".git", path) || w->kind(w->context, path) != FILE_ABSENT ||
            !join(at, "HEAD", path) || w->kind(w->context, path) != FILE_ABSENT)
            return true;
        if (!strchr(at, '/'))
            return false;
    }
}

enum ref_state refs_find(const struct world *w, const char *directory, const char *name,
                         int64_t since)
{
    char own[WORLD_PATH_MAX], common[WORLD_PATH_MAX];
    bool read;

    if (!gitdir_find(w, directory, own, common, &read))
        return has_git(w, directory) ? REF_UNKNOWN : REF_ABSENT; /* there git does nothing */
    if (has_tables(common))
        return REF_UNKNOWN;
    const struct places p = {own, common, since};
    if (strncmp(name, "refs/", 5) == 0)
        return is_wild(name) ? find_any(&p, name) : find_full(&p, name, 0);
    return worse(find_loose(&p, common, name, REFS_FOLLOWS_MAX),
                 find_loose(&p, own, name, REFS_FOLLOWS_MAX));
}

/* ---- logs ---- */

struct search {
    struct str id;
    size_t bytes, files;
    bool found;
};

/* A line is "OLD NEW person time<tab>message". */
static bool line_has(const char *line, struct str id)
{
    size_t first = strspn(line, "0123456789abcdef");
    const char *second = line + first + 1;

    if (first < 40 || line[first] != ' ' || strspn(second, "0123456789abcdef") != first)
        return false;
    return strncmp(line, id.s, id.len) == 0 || strncmp(second, id.s, id.len) == 0;
}

static void search_log(struct search *s, const char *path)
{
    char line[WORLD_PATH_MAX];
    bool begins = true; /* a long line is read in parts */
    FILE *file = s->files++ < REFS_LOGS_MAX ? fopen(path, "re") : NULL;

    while (file && !s->found && s->bytes < REFS_LOG_BYTES && fgets(line, sizeof(line), file)) {
        s->found = begins && line_has(line, s->id);
        s->bytes += strlen(line);
        begins = strchr(line, '\n') != NULL;
    }
    if (file)
        fclose(file);
}

static void search_logs(struct search *s, const char *directory, int depth)
{
    char path[WORLD_PATH_MAX];
    struct stat st;
    DIR *d = depth < 16 ? opendir(directory) : NULL;
    const struct dirent *e;

    while (d && !s->found && s->files < REFS_LOGS_MAX && (e = readdir(d))) {
        if (e->d_name[0] == '.' || !join(directory, e->d_name, path) || lstat(path, &st) != 0)
            continue;
        if (S_ISREG(st.st_mode))
            search_log(s, path);
        else if (S_ISDIR(st.st_mode))
            search_logs(s, path, depth + 1);
    }
    if (d)
        closedir(d);
}

bool refs_logged(const struct world *w, const char *directory, struct str id)
{
    char own[WORLD_PATH_MAX], common[WORLD_PATH_MAX], path[WORLD_PATH_MAX];
    struct search s = {.id = id};
    bool read;

    if (id.len < REFS_ID_MIN || !gitdir_find(w, directory, own, common, &read))
        return false;
    if (join(own, "logs/HEAD", path))
        search_log(&s, path);
    if (join(common, "logs/refs/heads", path))
        search_logs(&s, path, 0);
    return s.found;
}
