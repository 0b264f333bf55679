#include "machine/gitdir.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/list.h"

/* Reads the first line of a small file. */
static bool read_line(const char *path, char out[WORLD_PATH_MAX])
{
    FILE *file = fopen(path, "re");

    if (!file)
        return false;
    bool read = fgets(out, WORLD_PATH_MAX, file) && strchr(out, '\n');
    fclose(file);
    out[strcspn(out, "\n")] = '\0';
    return read;
}

/* Resolves `name` relative to `directory`, unless it is absolute; follows links. */
static bool resolve_at(const struct world *w, const char *directory, const char *name,
                       char out[WORLD_PATH_MAX])
{
    char joined[WORLD_PATH_MAX];
    size_t front = name[0] == '/' ? 0 : strlen(directory), len = strlen(name);

    if (front + 1 + len >= sizeof(joined))
        return false;
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): the name follows */
    memcpy(joined, directory, front);
    joined[front] = '/';
    memcpy(joined + front + 1, name, len + 1);
    return w->resolve(w->context, joined, out);
}

/* A .git file, *own, names the git directory of a linked worktree, which names the common one. It
 * must be inside that one: otherwise an agent that may write files, but not there, could give git a
 * configuration. Out of line because of its large buffers, as in world.c. */
static __attribute__((noinline)) bool find_linked(const struct world *w, const char *directory,
                                                  char own[WORLD_PATH_MAX],
                                                  char common[WORLD_PATH_MAX])
{
    static const char key[] = "gitdir: ";
    char line[WORLD_PATH_MAX], name[WORLD_PATH_MAX];

    if (!read_line(own, line) || strncmp(line, key, sizeof(key) - 1) != 0 ||
        !resolve_at(w, directory, line + sizeof(key) - 1, own))
        return false;
    if (!resolve_at(w, own, "commondir", name) || !read_line(name, line) ||
        !resolve_at(w, own, line, common))
        return false;
    size_t len = strlen(common);
    return strncmp(own, common, len) == 0 && strncmp(own + len, "/worktrees/", 11) == 0 &&
           !strchr(own + len + 11, '/');
}

/* *path: the resolved path. Appends the name to `directory` temporarily, which saves a buffer. */
static enum file_kind kind_below(const struct world *w, char directory[WORLD_PATH_MAX],
                                 const char *name, char path[WORLD_PATH_MAX])
{
    size_t front = strlen(directory), len = strlen(name);
    enum file_kind kind = FILE_UNKNOWN;

    if (front + 1 + len >= WORLD_PATH_MAX)
        return kind;
    directory[front] = '/';
    memcpy(directory + front + 1, name, len + 1);
    if (w->resolve(w->context, directory, path))
        kind = w->kind(w->context, path);
    directory[front] = '\0';
    return kind;
}

bool gitdir_find(const struct world *w, const char *directory, char own[WORLD_PATH_MAX],
                 char common[WORLD_PATH_MAX], bool *read)
{
    char at[WORLD_PATH_MAX];

    *read = false;
    if (!w->resolve(w->context, directory, at))
        return false;
    for (;; *strrchr(at, '/') = '\0') {
        if (kind_below(w, at, "HEAD", own) != FILE_ABSENT)
            return false; /* it may be a bare repository */
        enum file_kind kind = kind_below(w, at, ".git", own);
        if (kind == FILE_DIRECTORY) {
            memcpy(common, own, strlen(own) + 1);
            return true;
        }
        *read = kind == FILE_REGULAR;
        if (kind != FILE_ABSENT)
            return *read && find_linked(w, at, own, common);
        if (!strchr(at, '/'))
            return false;
    }
}

/* Settings about how things are written or shown, or where they are fetched from; "*" is every key
 * of the section. Any other setting might name a program, or a file with more settings. */
static const struct {
    const char *section, *key;
} plain_settings[] = {
    {"core", "repositoryformatversion"},
    {"core", "filemode"},
    {"core", "logallrefupdates"},
    {"core", "ignorecase"},
    {"core", "symlinks"},
    {"core", "precomposeunicode"},
    {"core", "autocrlf"},
    {"core", "eol"},
    {"core", "quotepath"},
    {"core", "abbrev"},
    {"core", "bare"},
    {"remote", "url"},
    {"remote", "fetch"},
    {"remote", "pushurl"},
    {"remote", "tagopt"},
    {"remote", "prune"},
    {"remote", "gh-resolved"},
    {"branch", "*"},
    {"user", "name"},
    {"user", "email"},
    {"init", "defaultbranch"},
    {"pull", "*"},
    {"push", "*"},
    {"fetch", "prune"},
    {"color", "*"},
    {"advice", "*"},
    {"rerere", "*"},
    {"merge", "conflictstyle"},
    {"merge", "ff"},
    {"rebase", "autosquash"},
    {"rebase", "autostash"},
    {"log", "date"},
    {"log", "decorate"},
    {"status", "*"},
    {"diff", "renames"},
    {"diff", "algorithm"},
    {"gc", "auto"},
    {"maintenance", "auto"},
    {"maintenance", "strategy"},
    {"lfs", "repositoryformatversion"},
    {"lfs", "access"},
};

static bool is_plain_setting(const char *section, const char *key)
{
    for (size_t i = 0; i < COUNT(plain_settings); i++)
        if (strcasecmp(section, plain_settings[i].section) == 0 &&
            (plain_settings[i].key[0] == '*' || strcasecmp(key, plain_settings[i].key) == 0))
            return true;
    return false;
}

/* Reads letters, digits and dashes; returns what follows, or NULL if there are none or too many. */
static const char *take_name(const char *text, char out[GITDIR_NAME_MAX])
{
    size_t len = 0;

    while (ascii_is_alnum(text[len]) || text[len] == '-')
        len++;
    if (len == 0 || len >= GITDIR_NAME_MAX)
        return NULL;
    memcpy(out, text, len);
    out[len] = '\0';
    return text + len;
}

/* [section] or [section "name"], with nothing after it: git would read a key there. */
static bool is_section(const char *text, char section[GITDIR_NAME_MAX])
{
    const char *rest = take_name(text + 1, section);

    if (!rest || strcmp(rest, "]") == 0)
        return rest != NULL;
    if (strncmp(rest, " \"", 2) != 0)
        return false;
    rest += 2 + strcspn(rest + 2, "\"\\");
    return strcmp(rest, "\"]") == 0;
}

/* Is the protocol one that runs nothing on this machine? ext:: and remote helpers do, and a path
 * may. */
static bool is_plain_url(const char *value)
{
    static const char *const schemes[] = {"https://", "http://", "ssh://", "git://", "git@"};

    value += strspn(value, " \t=");
    for (size_t i = 0; i < COUNT(schemes); i++)
        if (strncmp(value, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}

/* In the style that git itself writes. */
bool gitdir_line_is_plain(char *line, char section[GITDIR_NAME_MAX])
{
    char key[GITDIR_NAME_MAX];
    const char *text = line + strspn(line, " \t");
    size_t end = strcspn(line, "\n");

    if (line[end] != '\n' || (end > 0 && line[end - 1] == '\\'))
        return false; /* too long, or continued */
    line[end] = '\0';
    if (text[0] == '\0' || text[0] == '#' || text[0] == ';')
        return true;
    if (text[0] == '[')
        return is_section(text, section);
    text = section[0] ? take_name(text, key) : NULL;
    return text && is_plain_setting(section, key) &&
           (strcasecmp(section, "remote") != 0 || !strstr(key, "url") || is_plain_url(text));
}

static bool has_plain_config(const struct world *w, const char *common)
{
    char path[WORLD_PATH_MAX], line[WORLD_PATH_MAX], section[GITDIR_NAME_MAX] = "";

    if (!resolve_at(w, common, "config", path))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool plain = true;
    while (plain && fgets(line, sizeof(line), file))
        plain = gitdir_line_is_plain(line, section);
    plain &= !ferror(file);
    fclose(file);
    return plain;
}

static uint32_t number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* An entry's name is followed by one to eight NUL bytes, which pad the entry to a multiple of
 * eight. */
static bool skip_name(FILE *file, size_t read)
{
    size_t len = 0;
    int c;

    while ((c = getc(file)) != EOF && c != '\0')
        len++;
    for (size_t all = read + len + 1; c != EOF && all % 8 != 0; all++)
        c = getc(file);
    return c != EOF;
}

/* gitformat-index(5). Only the mode of an entry matters: 0160000 is a submodule. */
static bool has_no_submodule(FILE *file)
{
    unsigned char head[12], entry[62], more[2];

    if (fread(head, 1, sizeof(head), file) != sizeof(head) || memcmp(head, "DIRC", 4) != 0)
        return false;
    uint32_t version = number(head + 4), count = number(head + 8);
    if (version < 2 || version > 3 || count > GITDIR_ENTRIES_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        size_t read = sizeof(entry);
        if (fread(entry, 1, sizeof(entry), file) != sizeof(entry) ||
            (number(entry + 24) & 0170000) == 0160000)
            return false;
        if (version == 3 && (entry[60] & 0x40)) {
            if (fread(more, 1, sizeof(more), file) != sizeof(more))
                return false;
            read += sizeof(more);
        }
        if (!skip_name(file, read))
            return false;
    }
    return true;
}

static bool has_plain_index(const struct world *w, const char *own)
{
    char path[WORLD_PATH_MAX];

    if (!resolve_at(w, own, "index", path))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return w->kind(w->context, path) == FILE_ABSENT;
    bool plain = has_no_submodule(file);
    fclose(file);
    return plain;
}

/* config.worktree adds settings, and the two hooks run even for commands that only read. */
bool gitdir_is_plain(const struct world *w, const char *directory)
{
    char own[WORLD_PATH_MAX], common[WORLD_PATH_MAX], path[WORLD_PATH_MAX];
    bool read;

    return gitdir_find(w, directory, own, common, &read) &&
           kind_below(w, own, "HEAD", path) == FILE_REGULAR && has_plain_config(w, common) &&
           kind_below(w, own, "config.worktree", path) == FILE_ABSENT &&
           kind_below(w, common, "hooks/post-index-change", path) == FILE_ABSENT &&
           kind_below(w, common, "hooks/reference-transaction", path) == FILE_ABSENT &&
           has_plain_index(w, own);
}
