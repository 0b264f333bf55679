#include "engine/cell_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"

#define FILE_MAX      ((size_t)256 * 1024) /* a larger one may say anything */
#define ANCESTORS_MAX 16
#define WORDS_MAX     ((size_t)64 * 1024)

/* ---- the environment ---- */

/* A variable that names the place which it has anyway moves nothing. */
static bool is_moved(const warder_engine *e, const struct client *client)
{
    const char *value = client->moved ? getenv(client->moved) : NULL;
    char usual[PATH_MAX];

    if (!value || !value[0])
        return false;
    return snprintf(usual, sizeof(usual), "%s/%s", e->home.s, client->moved_from) >= PATH_MAX ||
           strcmp(value, usual) != 0;
}

static bool has_variable(const struct client *client)
{
    struct str rest = str_from(client->rules_set), name;
    char text[64];

    while (str_next_word(&rest, &name)) {
        snprintf(text, sizeof(text), "%.*s", STR_ARG(name));
        if (getenv(text))
            return true;
    }
    return false;
}

/* ---- files ---- */

/* One text that may hold rules: these words, separated by commas, stand in every rule. Without
 * words everything is one. */
static bool says_one_of(struct str text, struct str words)
{
    struct str word;

    while (words.len && (str_cut(words, ',', &word, &words), word.len))
        if (str_contains(text, word))
            return true;
    return false;
}

static bool read_at(int directory, const char *path, char **text, size_t *len)
{
    struct stat st;
    AUTO_CLOSE int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size > FILE_MAX ||
        !(*text = malloc((size_t)st.st_size + 1)))
        return false;
    const ssize_t got = read(fd, *text, (size_t)st.st_size);
    *len = got > 0 ? (size_t)got : 0;
    return got == st.st_size;
}

static bool is_absent(void)
{
    return errno == ENOENT || errno == ENOTDIR;
}

/* What is there and cannot be read counts. */
static bool file_has_rules(int directory, const char *path, struct str words)
{
    AUTO_FREE char *text = NULL;
    size_t len = 0;
    struct stat st;

    if (fstatat(directory, path, &st, 0) != 0)
        return !is_absent();
    return !words.len || !read_at(directory, path, &text, &len) ||
           says_one_of((struct str){text, len}, words);
}

static bool directory_has_rules(const char *path, struct str words)
{
    DIR *open = opendir(path);
    const struct dirent *entry;
    bool found = false;

    if (!open)
        return !is_absent();
    while (!found && (entry = readdir(open)))
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                file_has_rules(dirfd(open), entry->d_name, words);
    closedir(open);
    return found;
}

/* `below`: an absolute directory. `place`: as in a row, without its beginning. */
static bool place_has_rules(struct str below, struct str place)
{
    struct str name, words;
    char path[PATH_MAX];

    str_cut(place, '?', &name, &words);
    if (snprintf(path, sizeof(path), "%.*s/%.*s", STR_ARG(below), STR_ARG(name)) >= PATH_MAX)
        return true;
    return str_ends(name, STR("/")) ? directory_has_rules(path, words)
                                    : file_has_rules(AT_FDCWD, path, words);
}

/* Of a project: from its directory upwards. */
static bool above_has_rules(struct str directory, struct str place)
{
    while (directory.len > 1) {
        if (place_has_rules(directory, place))
            return true;
        directory = path_dir(directory);
    }
    return false;
}

static bool has_places(const warder_decision *d, const struct client *client)
{
    struct str rest = str_from(client->rules_in), place;

    while (str_next_word(&rest, &place)) {
        struct str below = str_from_byte(place, place.s[0] == '/' ? 1 : 2);
        if (place.s[0] == '~'   ? place_has_rules(d->engine->home, below)
            : place.s[0] == '.' ? above_has_rules(d->call.cwd, below)
                                : place_has_rules((struct str){0}, below))
            return true;
    }
    return false;
}

/* ---- the command line ---- */

/* "--deny-tool", also as "--deny-tool=x". */
static bool is_flag(const struct client *client, const char *word)
{
    struct str name, value;

    str_cut(str_from(word), '=', &name, &value);
    return str_has_word(str_from(client->rules_flags), name);
}

/* The parent of a process; 0: it is not known, or is the first of all. */
static pid_t parent_of(pid_t pid)
{
    char path[64], text[512];

    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    text[len > 0 ? len : 0] = '\0';
    const char *after = strrchr(text, ')'); /* ") S PARENT ..." */
    return after && strlen(after) > 4 ? (pid_t)strtol(after + 4, NULL, 10) : 0;
}

static bool was_given_flag(const struct client *client, pid_t pid)
{
    char path[64];
    AUTO_FREE char *words = malloc(WORDS_MAX);

    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t len = !words || fd < 0 ? -1 : read(fd, words, WORDS_MAX);
    if (len < 0 || (size_t)len == WORDS_MAX)
        return true;
    for (ssize_t i = 0; i < len; i += (ssize_t)strnlen(words + i, (size_t)(len - i)) + 1)
        if (is_flag(client, words + i))
            return true;
    return false;
}

static bool has_flags(const struct client *client)
{
    pid_t pid = client->rules_flags ? getppid() : 0;

    for (int i = 0; pid > 1 && i < ANCESTORS_MAX; i++, pid = parent_of(pid))
        if (was_given_flag(client, pid))
            return true;
    return false;
}

bool cell_rules_known(const warder_decision *d, const struct client *client)
{
    const warder_engine *e = d->engine;

    if ((e->request.named && !e->tier_given) || is_moved(e, client))
        return false;
    if (client->rules_read || !client->rules_in)
        return client->rules_read;
    return path_is_absolute(d->call.cwd) && !has_variable(client) && !has_places(d, client) &&
           !has_flags(client);
}
