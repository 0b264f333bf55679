/* trace.c - loaded into bash (LD_PRELOAD): every simple command is logged with its words, as they
 * are after all expansions, and with its directory; and every file that bash opens to write.
 *
 * bash calls xtrace_print_word_list() with exactly these words when `set -x` is on. It is on here,
 * and the beginning of that function is replaced by a jump to ours; the other functions of `set -x`
 * return at once, so that PS4 is not expanded. A text that uses `set -x` itself gets them back.
 *
 * Programs are not run: exec is the end of a process, except for shells and a few programs that
 * run or print something (`real` below). Those have this library, too: what env, xargs or find run
 * is logged when they do. With WORDS_SERVER in its environment bash does not even begin: it waits
 * for texts and forks a shell for each of them, which saves most of the time that a shell takes to
 * start. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "words_log.h"

/* As bash declares them in command.h. */
struct word_desc {
    char *word;
    int flags;
};
struct word_list {
    struct word_list *next;
    struct word_desc *word;
};

static struct words_log *words_log;
static bool in_bash;
static char **the_argv;
static pid_t server; /* that no text may kill */

/* ---- the log ---- */

/* The last command of this process, so that the exec that belongs to it is not logged twice. */
static uint64_t last_hash;

static uint64_t hash_text(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    while (*text++);
    return hash;
}

static uint64_t hash_words(char *const *words)
{
    uint64_t hash = 14695981039346656037u;

    for (; *words; words++)
        hash = hash_text(hash, *words);
    return hash;
}

static void log_words(enum log_kind kind, char *const *words)
{
    char cwd[PATH_MAX];
    size_t size = sizeof(struct log_record), count = 0;

    if (!words_log)
        return;
    if (!getcwd(cwd, sizeof(cwd)))
        cwd[0] = '\0';
    size += strlen(cwd) + 1;
    for (; words[count]; count++)
        size += strlen(words[count]) + 1;
    size = (size + 3) & ~(size_t)3;
    if (size > LOG_MAX || atomic_load(&words_log->used) > LOG_MAX)
        _exit(0); /* a loop: enough of it is known */
    uint32_t at = atomic_fetch_add(&words_log->used, (uint32_t)size);
    if (at + size > LOG_MAX)
        _exit(0);
    struct log_record *record = (struct log_record *)(words_log->records + at);
    record->kind = kind;
    record->words = (uint32_t)count;
    char *to = stpcpy(record->text, cwd) + 1;
    for (; *words; words++)
        to = stpcpy(to, *words) + 1;
    record->size = (uint32_t)size;
}

static void open_log(void)
{
    int fd = open(LOG_PATH, O_RDWR | O_CLOEXEC);

    if (fd < 0)
        return;
    void *map = mmap(NULL, LOG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (map != MAP_FAILED)
        words_log = map;
}

/* ---- the functions of bash ---- */

#if defined(__x86_64__)
static const unsigned char jump_code[] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0xe3};
static const unsigned char return_code[] = {0xc3};
enum { JUMP_ADDRESS = 2 };
#elif defined(__aarch64__)
static const unsigned char jump_code[] = {0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1f, 0xd6,
                                          0,    0,    0,    0,    0,    0,    0,    0};
static const unsigned char return_code[] = {0xc0, 0x03, 0x5f, 0xd6};
enum { JUMP_ADDRESS = 8 };
#else
#error "no jump for this processor"
#endif

struct patch {
    const char *name;
    void *instead; /* NULL: it returns at once */
    unsigned char *code;
    unsigned char old[sizeof(jump_code)], new[sizeof(jump_code)];
    size_t size;
};

static void word_list_instead(struct word_list *list, int flags);
static int flag_instead(int flag, int on_or_off);

enum { PATCH_WORDS, PATCH_FLAG, PATCH_OTHERS };
static struct patch patches[] = {
    [PATCH_WORDS] = {"xtrace_print_word_list", (void *)word_list_instead},
    [PATCH_FLAG] = {"change_flag", (void *)flag_instead},
    [PATCH_OTHERS] = {"xtrace_print_assignment", NULL},
    {"xtrace_print_for_command_head", NULL},
    {"xtrace_print_case_command_head", NULL},
    {"xtrace_print_select_command_head", NULL},
    {"xtrace_print_cond_term", NULL},
    {"xtrace_print_arith_cmd", NULL},
};
#define PATCHES (sizeof(patches) / sizeof(*patches))

static void put_code(struct patch *patch, const unsigned char *code)
{
    memcpy(patch->code, code, patch->size);
    __builtin___clear_cache((char *)patch->code, (char *)patch->code + patch->size);
}

static bool prepare(struct patch *patch)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    patch->code = dlsym(RTLD_DEFAULT, patch->name);
    if (!patch->code)
        return false;
    char *start = (char *)((uintptr_t)patch->code & ~(page - 1));
    if (mprotect(start, 2 * page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return false;
    patch->size = patch->instead ? sizeof(jump_code) : sizeof(return_code);
    memcpy(patch->old, patch->code, patch->size);
    memcpy(patch->new, patch->instead ? jump_code : return_code, patch->size);
    if (patch->instead)
        memcpy(patch->new + JUMP_ADDRESS, &patch->instead, sizeof(patch->instead));
    put_code(patch, patch->new);
    return true;
}

#define XTRACE_COMMAND 1 /* else they are the words of a loop */
static bool wanted;      /* the text itself has said set -x */

static void log_list(const struct word_list *list)
{
    size_t count = 0, i = 0;

    for (const struct word_list *w = list; w; w = w->next)
        count++;
    char **words = calloc(count + 1, sizeof(*words));
    if (!words)
        _exit(0);
    for (const struct word_list *w = list; w; w = w->next)
        words[i++] = w->word->word;
    log_words(LOG_COMMAND, words);
    last_hash = hash_words(words);
    free(words);
}

static void word_list_instead(struct word_list *list, int flags)
{
    struct patch *patch = &patches[PATCH_WORDS];

    if (flags & XTRACE_COMMAND)
        log_list(list);
    if (wanted) {
        put_code(patch, patch->old);
        ((void (*)(struct word_list *, int))(void *)patch->code)(list, flags);
        put_code(patch, patch->new);
    }
}

static int flag_instead(int flag, int on_or_off)
{
    struct patch *patch = &patches[PATCH_FLAG];

    if (flag == 'x') {
        int before = wanted;
        wanted = on_or_off == '-';
        for (size_t i = PATCH_OTHERS; i < PATCHES; i++)
            put_code(&patches[i], wanted ? patches[i].old : patches[i].new);
        return before;
    }
    put_code(patch, patch->old);
    int result = ((int (*)(int, int))(void *)patch->code)(flag, on_or_off);
    put_code(patch, patch->new);
    return result;
}

static void patch_bash(void)
{
    int *on = dlsym(RTLD_DEFAULT, "echo_command_at_execute");

    for (size_t i = 0; i < PATCHES; i++)
        if (!prepare(&patches[i])) {
            fprintf(stderr, "trace: this bash has no %s\n", patches[i].name);
            _exit(99);
        }
    *on = 1;
    in_bash = true;
}

/* ---- redirections ---- */

/* What bash opens by itself or for a substitution, and what keeps nothing. */
static bool is_nothing(const char *path)
{
    static const char *const starts[] = {"/dev/null", "/dev/std", "/dev/tty", "/dev/fd/",
                                         "/tmp/sh-thd"};

    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
        if (strncmp(path, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void log_open(const char *path, int flags)
{
    char *words[] = {(char *)path, NULL};

    if (in_bash && (flags & O_ACCMODE) != O_RDONLY && !is_nothing(path))
        log_words(LOG_WRITE, words);
}

int open(const char *path, int flags, ...)
{
    static int (*next)(const char *, int, ...);
    va_list more;

    if (!next)
        next = dlsym(RTLD_NEXT, "open");
    log_open(path, flags);
    va_start(more, flags);
    unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, unsigned) : 0;
    va_end(more);
    return next(path, flags, mode);
}

/* ---- exec ---- */

static const char *const shells[] = {"bash", "sh", NULL};
static const char *const real[] = {
    "env", "nice",  "timeout",  "nohup",   "stdbuf", "xargs", "find", "setsid", "cat",
    "seq", "tr",    "basename", "dirname", "expr",   "head",  "tail", "printf", "echo",
    "pwd", "mkdir", "wc",       "sort",    "touch",  "false", "test", "[",      NULL};

static bool is_one_of(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Does not return; the library stays with the program, whatever its environment is to be. */
static void do_exec(const char *path, char *const *argv, char *const *envp)
{
    int (*next)(const char *, char *const *, char *const *) = dlsym(RTLD_NEXT, "execve");
    char **with;
    size_t n = 0, kept = 0;

    while (envp && envp[n])
        n++;
    with = calloc(n + 2, sizeof(*with));
    if (!with)
        _exit(0);
    for (size_t i = 0; i < n; i++)
        if (strncmp(envp[i], "LD_PRELOAD=", 11) != 0)
            with[kept++] = envp[i];
    with[kept] = (char *)"LD_PRELOAD=" TRACE_PATH;
    next(path, argv, with);
    _exit(126);
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* After exec -a the first word is any name: what counts is the program. */
static void log_exec(const char *path, char *const *argv)
{
    char *words[1024] = {0};
    size_t count = 0;

    for (; argv[count] && count < sizeof(words) / sizeof(*words) - 1; count++)
        words[count] = argv[count];
    if (count && strcmp(last_name(path), last_name(words[0])) != 0)
        words[0] = (char *)last_name(path);
    if (hash_words(words) != last_hash)
        log_words(LOG_COMMAND, words);
}

static int replaced_exec(const char *path, char *const *argv, char *const *envp)
{
    const char *name = last_name(path);
    char program[256];

    log_exec(path, argv);
    snprintf(program, sizeof(program), "/usr/bin/%s", name);
    if (is_one_of(shells, name))
        do_exec("/bin/bash", argv, envp);
    if (is_one_of(real, name))
        do_exec(program, argv, envp);
    if (strcmp(name, "pout") == 0 && write(STDOUT_FILENO, "o1 -o2\n", 7) != 7)
        _exit(1);
    _exit(strcmp(name, "pfail") == 0);
}

int execve(const char *path, char *const *argv, char *const *envp)
{
    return replaced_exec(path, argv, envp);
}
int execv(const char *path, char *const *argv)
{
    return replaced_exec(path, argv, environ);
}
int execvp(const char *path, char *const *argv)
{
    return replaced_exec(path, argv, environ);
}
int execvpe(const char *path, char *const *argv, char *const *envp)
{
    return replaced_exec(path, argv, envp);
}

/* A text may kill what it has started, but not what runs it. */
int kill(pid_t pid, int sig)
{
    int (*next)(pid_t, int) = dlsym(RTLD_NEXT, "kill");

    if (pid == -1 || pid == 1 || (pid == server && pid)) {
        errno = EPERM;
        return -1;
    }
    return next(pid, sig);
}
int killpg(pid_t group, int sig)
{
    return group > 1 ? kill(-group, sig) : (errno = EPERM, -1);
}

/* ---- the server ---- */

static void limit(int what, rlim_t most)
{
    struct rlimit limits = {most, most};

    setrlimit(what, &limits);
}

/* bash has an unsetenv() of its own, about its variables. */
static void forget_server(void)
{
    char **to = environ;

    for (char **from = environ; *from; from++)
        if (strncmp(*from, "WORDS_SERVER=", 13) != 0)
            *to++ = *from;
    *to = NULL;
}

static void begin_text(char *text)
{
    int null = open("/dev/null", O_RDWR);

    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    close(null);
    close(SERVER_IN);
    close(SERVER_OUT);
    setsid();
    limit(RLIMIT_CPU, 2);
    limit(RLIMIT_FSIZE, (rlim_t)1 << 20);
    limit(RLIMIT_AS, (rlim_t)1 << 30);
    limit(RLIMIT_NPROC, 500);
    limit(RLIMIT_CORE, 0);
    forget_server();
    if (chdir("/w") != 0)
        _exit(99);
    while (the_argv[1])
        the_argv++;
    the_argv[0] = text; /* bash ... -c -- TEXT */
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Waits for all that the text has started, in the background, too. */
static char await_all(double seconds)
{
    int (*real_kill)(pid_t, int) = dlsym(RTLD_NEXT, "kill");
    double end = now() + seconds;
    sigset_t child;
    pid_t got;
    char how = 'k';

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while ((got = waitpid(-1, NULL, WNOHANG)) >= 0) {
        double left = end - now();
        struct timespec t = {0, 50 * 1000 * 1000};
        if (left <= 0) {
            how = 't';
            break;
        }
        if (got == 0)
            sigtimedwait(&child, NULL, &t);
    }
    while (how == 't') { /* what has been killed may just have forked */
        real_kill(-1, SIGKILL);
        if (waitpid(-1, NULL, 0) < 0)
            break;
    }
    return how;
}

static bool read_whole(char *to, size_t size)
{
    for (size_t have = 0; have < size;) {
        ssize_t got = read(SERVER_IN, to + have, size - have);
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

/* Returns in each shell that is to run a text. */
static void serve(double seconds)
{
    uint32_t size;
    sigset_t child, before;

    server = getpid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    while (read_whole((char *)&size, sizeof(size))) {
        char *text = calloc(1, (size_t)size + 1);
        if (!text || !read_whole(text, size))
            break;
        pid_t pid = fork();
        if (pid == 0) {
            sigprocmask(SIG_SETMASK, &before, NULL);
            begin_text(text);
            return;
        }
        free(text);
        char how = pid > 0 ? await_all(seconds) : 'f';
        if (write(SERVER_OUT, &how, 1) != 1)
            break;
    }
    _exit(0);
}

__attribute__((constructor)) static void begin(int argc, char **argv, char **envp)
{
    const char *seconds = getenv("WORDS_SERVER");

    (void)argc;
    (void)envp;
    the_argv = argv;
    open_log();
    if (!dlsym(RTLD_DEFAULT, patches[PATCH_WORDS].name))
        return;
    patch_bash();
    if (seconds)
        serve(atof(seconds));
}
