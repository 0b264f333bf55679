#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask/cells.h"
#include "base/json.h"
#include "base/str.h"

#define EVENT        "event.json"
#define EVENT_MEMORY ((size_t)1 << 24)

static char home[PATH_MAX - 512], project[PATH_MAX - 256], event[PATH_MAX];

_Noreturn void place_stop(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- the sandbox ---- */

#define TOKENS       ".local/state/warder/cells"
#define USED         "used"
#define UNDO_ENTRIES ".local/state/warder/undo/*/[0-9]*-*"

static bool own_passwd(void)
{
    char text[PATH_MAX], path[PATH_MAX];

    snprintf(text, sizeof(text), "bench:x:%u:%u::%s:/bin/sh\n", (unsigned)getuid(),
             (unsigned)getgid(), home);
    place_write("passwd", text);
    place_path(path, "passwd");
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount(path, "/etc/passwd", NULL, MS_BIND, NULL) == 0;
}

bool place_prove_sandbox(void)
{
    char boot[CELL_BOOT_SIZE], build[CELL_BUILD_SIZE], text[256], path[PATH_MAX];

    if (!cells_boot(boot) || !own_passwd())
        return false;
    cells_build(build);
    snprintf(text, sizeof(text), "{\"tier\":\"namespaces\",\"boot\":\"%s\",\"build\":\"%s\"}", boot,
             build);
    place_path(path, ".cache");
    (void)mkdir(path, S_IRWXU);
    place_path(path, ".cache/warder");
    (void)mkdir(path, S_IRWXU);
    place_write(".cache/warder/cell", text);
    place_path(path, ".cache/warder/cell");
    return chmod(path, S_IRUSR | S_IWUSR) == 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where);

/* A cell that lost nothing removes its entry. */
static void end_undo_entries(void)
{
    glob_t entries;
    char path[PATH_MAX];

    place_path(path, UNDO_ENTRIES);
    if (glob(path, GLOB_NOSORT, NULL, &entries) != 0)
        return;
    for (size_t i = 0; i < entries.gl_pathc; i++)
        nftw(entries.gl_pathv[i], remove_one, 16, FTW_DEPTH | FTW_PHYS);
    globfree(&entries);
}

void place_use_tokens(void)
{
    char path[PATH_MAX];
    const struct dirent *entry;

    place_path(path, USED);
    int used = openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    place_path(path, TOKENS);
    DIR *open = opendir(path);
    while (open && used >= 0 && (entry = readdir(open)))
        if (strspn(entry->d_name, "0123456789abcdef") >= 32)
            (void)renameat(dirfd(open), entry->d_name, used, entry->d_name);
    if (open)
        closedir(open);
    if (used >= 0)
        close(used);
    end_undo_entries();
}

double place_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

const char *place_home(void)
{
    return home;
}

const char *place_project(void)
{
    return project;
}

void place_path(char out[PATH_MAX], const char *below)
{
    snprintf(out, PATH_MAX, "%s/%s", home, below);
}

static FILE *create(const char *below)
{
    char path[PATH_MAX];

    place_path(path, below);
    FILE *f = fopen(path, "we");
    if (!f)
        place_stop(path);
    return f;
}

void place_write(const char *below, const char *text)
{
    FILE *f = create(below);

    if (fputs(text, f) < 0 || fclose(f) != 0)
        place_stop(below);
}

/* ---- creating and removing it ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st, (void)kind, (void)where;
    return remove(path);
}

static void remove_all(void)
{
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_directory(const char *below)
{
    char path[PATH_MAX];

    place_path(path, below);
    if (mkdir(path, S_IRWXU) < 0)
        place_stop(path);
}

void place_make(const char *below)
{
    static const char *const directories[] = {".config",
                                              ".config/warder",
                                              "project",
                                              "project/.git",
                                              "project/.git/objects",
                                              "project/.git/refs",
                                              USED};
    static const char *const elsewhere[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
                                            "WARDER_CONFIG"};
    char whole[PATH_MAX];

    if (!realpath(below, whole))
        place_stop(below);
    if (snprintf(home, sizeof(home), "%s/bench.XXXXXX", whole) >= (int)sizeof(home) ||
        !mkdtemp(home))
        place_stop(home);
    atexit(remove_all);
    for (size_t i = 0; i < COUNT(directories); i++)
        make_directory(directories[i]);
    snprintf(project, sizeof(project), "%s/project", home);
    place_write("project/.git/HEAD", "ref: refs/heads/main\n");
    for (size_t i = 0; i < COUNT(elsewhere); i++)
        unsetenv(elsewhere[i]);
    setenv("HOME", home, 1);
    setenv("CLAUDE_PROJECT_DIR", project, 1);
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
}

/* ---- rules ---- */

/* How each syntax writes a list of texts. */
static const struct syntax {
    const char *ending, *begin, *key_end, *item_begin, *item_end, *list_end, *end;
} syntaxes[] = {
    {"yaml", "", ":\n", "  - ", "\n", "", ""},
    {"toml", "", " = [\n", "  \"", "\",\n", "]\n", ""},
    {"json", "{\n", ": [\n", "  \"", "\",\n", "  \"Bash(the-last-one)\"],\n",
     "\"runners\": true}\n"},
};

static void write_item(FILE *f, const struct syntax *s, size_t i)
{
    static const struct {
        const char *before, *after;
    } shapes[] = {{"Bash(tool", ":*)"},
                  {"Read(~/notes/", "/**)"},
                  {"Bash(make target", ")"},
                  {"Edit(/src/part", "/**)"}};

    fprintf(f, "%s%s%zu%s%s", s->item_begin, shapes[i % COUNT(shapes)].before, i,
            shapes[i % COUNT(shapes)].after, s->item_end);
}

static void begin_list(FILE *f, const struct syntax *s, const char *key)
{
    const char *quote = strcmp(s->ending, "json") == 0 ? "\"" : "";

    fprintf(f, "%s%s%s%s", quote, key, quote, s->key_end);
}

void place_rules(const char *ending, size_t count)
{
    char name[64], path[PATH_MAX];
    const struct syntax *s = NULL;

    for (size_t i = 0; i < COUNT(syntaxes); i++) {
        snprintf(name, sizeof(name), ".config/warder/warder.%s", syntaxes[i].ending);
        place_path(path, name);
        unlink(path);
        if (strcmp(syntaxes[i].ending, ending) == 0)
            s = &syntaxes[i];
    }
    if (!s)
        place_stop(ending);
    snprintf(name, sizeof(name), ".config/warder/warder.%s", ending);
    FILE *f = create(name);
    fputs(s->begin, f);
    begin_list(f, s, "allow");
    fprintf(f, "%sBash(npm run test:*)%s", s->item_begin, s->item_end);
    for (size_t i = 1; i < count; i++) {
        if (i == count / 2) {
            fputs(s->list_end, f);
            begin_list(f, s, "deny");
        }
        write_item(f, s, i);
    }
    fprintf(f, "%s%s", s->list_end, s->end);
    if (fclose(f) != 0)
        place_stop(name);
}

/* ---- the event ---- */

struct writing {
    struct arena arena;
    const char *command;
};

static void write_event(void *arg)
{
    struct writing *writing = arg;
    struct buf b = buf_in(&writing->arena);
    struct json_writer w = json_to(&b);
    const struct {
        const char *key, *text;
    } members[] = {{"session_id", "bench"},        {"cwd", project},
                   {"permission_mode", "default"}, {"hook_event_name", "PreToolUse"},
                   {"tool_name", "Bash"},          {"tool_use_id", "toolu_01"}};

    json_begin_object(&w);
    for (size_t i = 0; i < COUNT(members); i++) {
        json_key(&w, members[i].key);
        json_text(&w, str_from(members[i].text));
    }
    json_key(&w, "tool_input");
    json_begin_object(&w);
    json_key(&w, "command");
    json_text(&w, str_from(writing->command));
    json_end_object(&w);
    json_end_object(&w);
    place_write(EVENT, buf_str(&b).s);
}

void place_write_event(const char *command)
{
    struct writing w = {.command = command};

    arena_init(&w.arena, EVENT_MEMORY);
    if (!arena_try(&w.arena, write_event, &w))
        place_stop(EVENT);
    arena_release(&w.arena);
    place_path(event, EVENT);
}

const char *place_event(void)
{
    return event;
}

void place_write_image(void)
{
    const char *const argv[] = {
        BENCH_BUILD "/warder", "hook", "--home", home, "--client", "claude", "--image", NULL};
    int status = 1;
    pid_t pid = place_spawn(argv, event, "/dev/null", -1);

    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
        place_stop("warder hook --image");
}

/* ---- programs ---- */

pid_t place_spawn(const char *const *argv, const char *in, const char *out, int out_fd)
{
    posix_spawn_file_actions_t files;
    pid_t pid;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in, O_RDONLY, 0);
    if (out)
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC,
                                         0600);
    else
        posix_spawn_file_actions_adddup2(&files, out_fd, STDOUT_FILENO);
    int failed = posix_spawn(&pid, argv[0], &files, NULL, (char *const *)(uintptr_t)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    return failed ? -1 : pid;
}
