#include "machine/ignored.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/gitignore.h"
#include "base/world.h"

#define MEMORY_MAX ((size_t)4 << 20)

struct search {
    struct arena arena;
    const char *path;
    bool ignored, failed;
};

/* One line of such a file, whose rules are about paths below the first `depth` bytes. */
static void take_rule(struct search *s, struct str line, size_t depth)
{
    struct gitignore *rule;
    bool negated = false;

    while (line.len && strchr(" \r", line.s[line.len - 1]))
        line.len--;
    if (!line.len || line.s[0] == '#')
        return;
    if (line.s[0] == '!') {
        negated = true;
        line = str_from_byte(line, 1);
    }
    if (gitignore_compile(&s->arena, line, 0, &rule, NULL) == STATUS_OK &&
        gitignore_match_or(rule, str_from(s->path + depth + 1), negated))
        s->ignored = !negated;
}

/* *size becomes 0 when there is no such file. False: it cannot be read, or is too large. */
static bool read_file(const char *name, char *out, size_t *size)
{
    FILE *file = fopen(name, "re");

    *size = 0;
    if (!file)
        return true;
    *size = fread(out, 1, IGNORED_BYTES_MAX + 1, file);
    bool whole = !ferror(file) && *size <= IGNORED_BYTES_MAX;
    fclose(file);
    return whole;
}

static void take_rules(struct search *s, size_t depth, const char *name)
{
    char file[WORLD_PATH_MAX];
    char *text = arena_room(&s->arena, IGNORED_BYTES_MAX + 1, 1);
    struct str rest, line;
    size_t size;

    if (snprintf(file, sizeof(file), "%.*s/%s", (int)depth, s->path, name) >= (int)sizeof(file) ||
        !read_file(file, text, &size)) {
        s->failed = true;
        return;
    }
    rest = (struct str){text, size};
    for (bool more = rest.len > 0; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        take_rule(s, line, depth);
    }
}

/* The length of the directory with the .git above the file; 0: there is none. */
static size_t find_root(const char *path)
{
    char git[WORLD_PATH_MAX];
    struct stat st;

    for (size_t end = strlen(path); end > 0; end--)
        if (path[end] == '/' &&
            snprintf(git, sizeof(git), "%.*s/.git", (int)end, path) < (int)sizeof(git) &&
            lstat(git, &st) == 0)
            return end;
    return 0;
}

static void search(void *arg)
{
    struct search *s = arg;
    size_t root = find_root(s->path);

    if (!root)
        return;
    take_rules(s, root, ".git/info/exclude");
    for (size_t end = root; s->path[end]; end++)
        if (s->path[end] == '/')
            take_rules(s, end, ".gitignore");
}

bool ignored_look(const char *path)
{
    struct search s = {.path = path};

    arena_init(&s.arena, MEMORY_MAX);
    bool done = arena_try(&s.arena, search, &s);
    arena_release(&s.arena);
    return done && !s.failed && s.ignored;
}
