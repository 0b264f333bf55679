/* judge.c - what Warder says of shell texts, and what bash does with them.
 *
 *     words_judge TRACE SECONDS     in a sandbox of its own: tools/shell-words makes it
 *
 * Each text ends with a NUL byte on the standard input, and gets one line: the verdicts in default
 * mode and in acceptEdits (a, d, q), whether it is understood (u, n), whether it ended in time (k),
 * not (t) or was not run (-), how many commands ran, how many of them no action had foretold; then
 * the first of these: its directory and its words in hexadecimal. Only what is understood is run.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "foretold.h"
#include "warder.h"
#include "words_log.h"

#define ARENA_LIMIT ((size_t)256 << 20)

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    exit(70);
}

/* ---- the workspace ---- */

/* Parents first; a name without a slash at its end is a file. */
static const char *const places[] = {
    "/w/",      "/w/a.txt",     "/w/k.t",   "/w/l.t",    "/w/sub/",       "/w/sub/sub/",
    "/w/sub2/", "/w/sub/c.txt", "/home/u/", "/home/u/x", "/home/u/.ssh/", "/home/u/.ssh/id_ed25519",
    "/tmp/",
};
static const struct timespec long_ago[2] = {{1000000000, 0}, {1000000000, 0}};

static bool is_changed(void)
{
    struct stat s;

    for (size_t i = 0; i < COUNT(places); i++)
        if (lstat(places[i], &s) != 0 || s.st_mtim.tv_sec != long_ago->tv_sec ||
            (!S_ISDIR(s.st_mode) && s.st_size != 2))
            return true;
    return false;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s;
    if (at->level)
        (void)(kind == FTW_DP || kind == FTW_DNR ? rmdir(path) : unlink(path));
    return 0;
}

static void make_place(const char *path)
{
    size_t len = strlen(path);

    if (path[len - 1] == '/') {
        must(mkdir(path, 0755) == 0 || errno == EEXIST, path);
        return;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    must(fd >= 0 && write(fd, "x\n", 2) == 2 && close(fd) == 0, path);
}

static void restore(void)
{
    static const char *const roots[] = {"/w", "/home/u", "/tmp"};

    for (size_t i = 0; i < COUNT(roots); i++) {
        (void)chmod(roots[i], 0755);
        nftw(roots[i], remove_one, 16, FTW_DEPTH | FTW_PHYS);
    }
    for (size_t i = 0; i < COUNT(places); i++)
        make_place(places[i]);
    for (size_t i = 0; i < COUNT(places); i++)
        must(utimensat(AT_FDCWD, places[i], long_ago, 0) == 0, places[i]);
}

/* ---- the shell ---- */

struct shell {
    const char *trace, *seconds;
    struct words_log *log;
    pid_t pid;
    int to, from;
};

static void open_log(struct shell *shell)
{
    int fd = open(LOG_PATH, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    must(fd >= 0 && ftruncate(fd, (off_t)LOG_BYTES) == 0, LOG_PATH);
    shell->log = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    must(shell->log != MAP_FAILED, LOG_PATH);
    close(fd);
}

/* The rest of the environment is that of the sandbox. */
static void exec_shell(const struct shell *shell, int in, int out)
{
    setenv("LD_PRELOAD", shell->trace, 1);
    setenv("WORDS_SERVER", shell->seconds, 1);
    dup2(in, SERVER_IN);
    dup2(out, SERVER_OUT);
    execl("/bin/bash", "bash", "--noprofile", "--norc", "-c", "--", ":", (char *)NULL);
    _exit(99);
}

static void start(struct shell *shell)
{
    int to[2], from[2];

    must(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0, "pipe");
    shell->pid = fork();
    must(shell->pid >= 0, "fork");
    if (shell->pid == 0)
        exec_shell(shell, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    shell->to = to[1];
    shell->from = from[0];
}

static void stop(struct shell *shell)
{
    close(shell->to);
    close(shell->from);
    kill(shell->pid, SIGKILL);
    while (waitpid(-1, NULL, 0) > 0)
        ;
}

/* Returns how it ended: 'k', 't', or 'f' if the shell is gone and a new one is there. */
static char run(struct shell *shell, struct str text)
{
    uint32_t size = (uint32_t)text.len;
    char how;

    memset(shell->log, 0, shell->log->used < LOG_MAX ? shell->log->used + 8 : LOG_BYTES);
    if (write(shell->to, &size, sizeof(size)) != sizeof(size) ||
        write(shell->to, text.s, text.len) != (ssize_t)text.len ||
        read(shell->from, &how, 1) != 1) {
        stop(shell);
        start(shell);
        how = 'f';
    }
    return how;
}

/* ---- one text ---- */

struct work {
    struct shell shell;
    struct arena arena;
    warder_engine *default_mode, *accept_edits;
    struct str text;
};

static char verdict(warder_engine *engine, const char *text)
{
    warder_decision *decision = NULL;
    warder_error err = {0};
    char letter = 'd';

    if (warder_check_argument(engine, "Bash", text, &decision, &err) == WARDER_OK) {
        warder_behavior behavior = warder_decision_behavior(decision);
        letter = behavior == WARDER_ALLOW ? 'a' : behavior == WARDER_ASK ? 'q' : 'd';
    }
    warder_decision_free(decision);
    return letter;
}

static void put_hex(const char *text)
{
    for (; *text; text++)
        printf("%02x", (unsigned)(unsigned char)*text);
}

static void put_ran(const struct ran *ran)
{
    printf(" %c", ran->kind == SHELL_REDIRECT ? '>' : '@');
    put_hex(ran->cwd);
    for (size_t i = 0; i < ran->count; i++) {
        printf(" -");
        put_hex(ran->words[i]);
    }
}

static void read_record(struct arena *a, const struct log_record *record, struct ran *ran)
{
    const char *text = record->text;

    ran->kind = record->kind == LOG_WRITE ? SHELL_REDIRECT : SHELL_COMMAND;
    ran->cwd = text;
    ran->count = record->words;
    ran->words = arena_alloc(a, ran->count + 1, sizeof(*ran->words));
    for (size_t i = 0; i < ran->count; i++)
        ran->words[i] = text += strlen(text) + 1;
}

/* Compares the log with the actions. */
static void compare(struct work *w, const struct shell_actions *actions)
{
    const struct words_log *log = w->shell.log;
    size_t count = 0, missed = 0;
    struct ran ran, first = {0};

    for (uint32_t at = 0; at < log->used && at < LOG_MAX;) {
        const struct log_record *record = (const struct log_record *)(log->records + at);
        if (!record->size)
            break;
        at += record->size;
        count++;
        read_record(&w->arena, record, &ran);
        if (!foretold(actions, &ran) && !missed++)
            first = ran;
    }
    printf(" %zu %zu", count, missed);
    if (missed)
        put_ran(&first);
}

static void judge(void *arg)
{
    struct work *w = arg;
    struct shell_context context = {.cwd = STR("/w"), .home = STR("/home/u")};
    struct shell_analysis analysis;
    char how = '-';

    shell_analyse(&w->arena, w->text, &context, &analysis);
    printf("%c%c%c", verdict(w->default_mode, w->text.s), verdict(w->accept_edits, w->text.s),
           analysis.understood ? 'u' : 'n');
    if (!analysis.understood) {
        printf("- 0 0");
        return;
    }
    how = run(&w->shell, w->text);
    putchar(how);
    compare(w, &analysis.actions);
    if (is_changed())
        restore();
}

static warder_engine *engine_in(const char *mode)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = NULL;
    warder_error err = {0};

    options.mode = mode;
    options.cwd = "/w";
    options.home = "/home/u";
    if (warder_engine_new(&options, &engine, &err) != WARDER_OK) {
        fprintf(stderr, "judge: no engine\n");
        exit(70);
    }
    return engine;
}

int main(int argc, char **argv)
{
    struct work w = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    if (argc != 3)
        return 64;
    signal(SIGPIPE, SIG_IGN);
    w.shell.trace = argv[1];
    w.shell.seconds = argv[2];
    restore();
    open_log(&w.shell);
    start(&w.shell);
    w.default_mode = engine_in("default");
    w.accept_edits = engine_in("acceptEdits");
    arena_init(&w.arena, ARENA_LIMIT);
    while ((len = getdelim(&line, &room, '\0', stdin)) > 0) {
        w.text = (struct str){line, (size_t)len - 1};
        if (!arena_try(&w.arena, judge, &w))
            printf("ddn- 0 0");
        putchar('\n');
        arena_reset(&w.arena);
        fflush(stdout);
    }
    return 0;
}
