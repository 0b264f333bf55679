/* bench_shell.c - the cost of reading a shell text.
 *
 *     bench_shell [--json FILE] [--tree-sitter PEER.so] [--shfmt PROGRAM] [--commands FILE]
 *                 [--only typical|hostile]
 *     bench_shell --count parse|analyse|explain
 *         Reads each typical command once, warm, in counted_read(), for
 *         callgrind --toggle-collect=counted_read.
 *
 * Typical commands (commands.txt) are parsed, analysed and explained, interleaved in the same run
 * with other parsers of the same texts (tools/bench downloads them if it can). Then hostile texts
 * of 1 to 256 kB: if the cost per byte does not grow with the length, the reader is linear. */
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "measure.h"
#include "programs/programs.h"
#include "shell/shell.h"
#include "shell/tree.h"

#define COMMANDS_MAX   200
#define ROUNDS         101
#define HOSTILE_ROUNDS 3
#define SHFMT_COPIES                                                                               \
    200 /* copies of all commands in one text, so that the start of the program does not count */
#define MEMORY_MAX ((size_t)1 << 30)

extern char **environ;

static struct arena arena;
static struct buf report;
static struct json_writer json;
static struct str commands[COMMANDS_MAX];
static size_t command_count;

/* ---- the commands ---- */

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc((size_t)1 << 20);

    if (!f || !text) {
        perror(path);
        exit(1);
    }
    *len = fread(text, 1, (size_t)1 << 20, f);
    fclose(f);
    return text;
}

/* One per line; a here-document continues to its end. */
static void read_commands(const char *path)
{
    size_t len;
    char *text = read_file(path, &len);
    struct str rest = {text, len}, line;

    while (rest.len && command_count < COMMANDS_MAX) {
        const char *from = rest.s;
        str_cut(rest, '\n', &line, &rest);
        while (
            str_contains((struct str){from, (size_t)(line.s + line.len - from)}, STR("<<'EOF'")) &&
            !str_is(line, "EOF") && rest.len)
            str_cut(rest, '\n', &line, &rest);
        commands[command_count++] = (struct str){from, (size_t)(line.s + line.len - from)};
    }
}

/* ---- ours ---- */

struct job {
    struct str text;
    enum { PARSE, ANALYSE, EXPLAIN } what;
};

static void explain(const struct shell_analysis *analysis)
{
    for (size_t i = 0; i < analysis->actions.count; i++) {
        const struct shell_action *a = &analysis->actions.items[i];
        struct program_use use;
        if (a->kind == SHELL_COMMAND)
            program_explain(&arena, a->words.items, a->words.count, NULL, &use);
    }
}

static void read_text(void *arg)
{
    const struct job *job = arg;
    const struct shell_context context = {.cwd = STR("/srv/app"), .home = STR("/home/you")};
    struct shell_analysis analysis;
    struct tree tree;

    if (job->what == PARSE) {
        shell_parse(&arena, job->text, &tree);
        return;
    }
    shell_analyse(&arena, job->text, &context, &analysis);
    if (job->what == EXPLAIN)
        explain(&analysis);
}

static void run_job(void *arg)
{
    if (!arena_try(&arena, read_text, arg))
        fprintf(stderr, "bench_shell: out of memory\n");
    arena_reset(&arena);
}

static void run_commands(void *arg)
{
    struct job job = *(struct job *)arg;

    for (size_t i = 0; i < command_count; i++) {
        job.text = commands[i];
        run_job(&job);
    }
}

/* ---- counting ---- */

__attribute__((noinline)) void counted_read(struct job *job);

void counted_read(struct job *job)
{
    run_job(job);
}

static int count(const char *what)
{
    struct job job = {.what = strcmp(what, "parse") == 0     ? PARSE
                              : strcmp(what, "analyse") == 0 ? ANALYSE
                                                             : EXPLAIN};

    run_commands(&job);
    run_commands(&job);
    for (size_t i = 0; i < command_count; i++) {
        job.text = commands[i];
        counted_read(&job);
    }
    printf("%zu commands\n", command_count);
    return 0;
}

/* ---- the others ---- */

typedef int parse_text(const char *text, unsigned len);

static void run_tree_sitter(void *arg)
{
    parse_text *parse = *(parse_text **)arg;

    for (size_t i = 0; i < command_count; i++)
        if (parse(commands[i].s, (unsigned)commands[i].len) != 0)
            exit(1);
}

struct shfmt {
    const char *program;
    char path[64]; /* of its input */
};

static void run_shfmt(void *arg)
{
    struct shfmt *s = arg;
    char *argv[] = {(char *)(uintptr_t)s->program, NULL};
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, s->path, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&pid, s->program, &files, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) < 0 || status) {
        fprintf(stderr, "bench_shell: %s failed\n", s->program);
        exit(1);
    }
    posix_spawn_file_actions_destroy(&files);
}

static void make_texts(const char *program, struct shfmt *many, struct shfmt *none)
{
    *many = (struct shfmt){program, "/tmp/bench-shell-XXXXXX"};
    *none = (struct shfmt){program, "/dev/null"};
    int fd = mkstemp(many->path);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    if (!f) {
        perror(many->path);
        exit(1);
    }
    for (size_t n = 0; n < SHFMT_COPIES; n++)
        for (size_t i = 0; i < command_count; i++)
            fprintf(f, "%.*s\n", STR_ARG(commands[i]));
    fclose(f);
}

/* ---- output ---- */

static void number(const char *key, double value)
{
    json_key(&json, key);
    json_int(&json, (int64_t)(value + 0.5));
}

static void show(const char *name, double *samples, size_t count, double first)
{
    struct measured m = measure_samples(samples, count);

    printf("    %-34s %9.2f us   (%.2f to %.2f)   %6.2f times\n", name, m.median * 1e6, m.low * 1e6,
           m.high * 1e6, m.median / first);
    json_begin_object(&json);
    json_key(&json, "name");
    json_text(&json, str_from(name));
    number("nanoseconds", m.median * 1e9);
    number("low", m.low * 1e9);
    number("high", m.high * 1e9);
    json_end_object(&json);
}

struct contest {
    const char *name;
    void (*run)(void *);
    void *arg;
    double samples[ROUNDS];
};

/* The processor time of a child. */
static double child_seconds(void (*run)(void *), void *arg)
{
    struct rusage before, after;

    getrusage(RUSAGE_CHILDREN, &before);
    run(arg);
    getrusage(RUSAGE_CHILDREN, &after);
    return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
           (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
           (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6 +
           (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
}

/* The start of the program is measured separately and subtracted. */
static void shfmt_samples(const char *program, double samples[ROUNDS])
{
    struct shfmt many, none;
    const double per = (double)(SHFMT_COPIES * command_count);

    make_texts(program, &many, &none);
    for (size_t i = 0; i < ROUNDS / 10; i++)
        samples[i] = (child_seconds(run_shfmt, &many) - child_seconds(run_shfmt, &none)) / per;
    unlink(many.path);
}

static void typical(parse_text *tree_sitter, const char *shfmt)
{
    struct job jobs[] = {{.what = PARSE}, {.what = ANALYSE}, {.what = EXPLAIN}};
    static struct contest all[] = {{.name = "parse"},
                                   {.name = "parse and analyse"},
                                   {.name = "parse, analyse and explain"},
                                   {.name = "tree-sitter-bash: parse"}};
    static double shfmt_times[ROUNDS];
    size_t count = tree_sitter ? 4 : 3;

    for (size_t i = 0; i < 3; i++) {
        all[i].run = run_commands;
        all[i].arg = &jobs[i];
    }
    all[3].run = run_tree_sitter;
    all[3].arg = &tree_sitter;
    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < count; i++)
            all[i].samples[round] = measure_once(all[i].run, all[i].arg) / (double)command_count;
    printf("shell: %zu typical commands, for each of them\n", command_count);
    json_key(&json, "typical");
    json_begin_array(&json);
    double first = measure_samples(all[0].samples, ROUNDS).median;
    for (size_t i = 0; i < count; i++)
        show(all[i].name, all[i].samples, ROUNDS, first);
    if (shfmt) {
        shfmt_samples(shfmt, shfmt_times);
        show("shfmt: parse and print", shfmt_times, ROUNDS / 10, first);
    }
    json_end_array(&json);
}

/* ---- hostile texts ---- */

static const struct {
    const char *name, *start, *again, *end; /* `again` is repeated until the text is long enough */
} hostile[] = {
    {"words", "echo", " a", ""},
    {"one long word", "echo ", "a", ""},
    {"commands", "", "a;", ""},
    {"lines", "", "a\n", ""},
    {"quotes", "echo ", "'a'\"b\"", ""},
    {"backslashes", "echo ", "\\a", ""},
    {"line continuations", "echo ", "a\\\n", ""},
    {"open quotes", "echo ", "\"'", ""},
    {"redirections", "a", " >b", ""},
    {"here-documents", "", "a <<E\nE\n", ""},
    {"open here-documents", "", "a <<E\n", ""},
    {"assignments", "", "a=b ", "c"},
    {"parameters", "echo ", "$a", ""},
    {"variables set and used", "", "a=$a$b;", ""},
    {"substitutions", "echo ", "$(a)", ""},
    {"open substitutions", "echo ", "$(", ""},
    {"backticks", "echo ", "`a`", ""},
    {"parentheses", "", "(", ""},
    {"subshells", "", "(a);", ""},
    {"braces", "echo ", "{", ""},
    {"brace lists", "echo ", "{a,b} ", ""},
    {"brace list, nested", "echo ", "{a,", ""},
    {"pipes", "a", "|a", ""},
    {"and-or", "a", "&&a||a", ""},
    {"case patterns", "case a in ", "a|", "a) b;; esac"},
    {"arithmetic", "echo $((1", "+1", "))"},
    {"functions", "", "f() { a; };", ""},
    {"function calls", "f() { a; };", "f;", ""},
    {"functions that call functions", "g() { a; }; f() { g; g; g; g; };", "f;", ""},
    {"loops in loops", "", "for i in a b;do for j in c d;do e $i$j;done;done;", ""},
    {"braces repeat substitutions", "", "a {b,c}$(d {e,f}$(g));", ""},
    {"values that double", "", "x=$x$x;", ""},
    {"arrays", "x=(a b c d);", "a ${x[@]};", ""},
    {"eval", "", "eval 'a b';", ""},
    {"shells in shells", "", "sh -c 'a b';", ""},
    {"here-documents for shells", "", "sh <<E\na\nE\n", ""},
    {"files written and run", "", "echo a>f;sh f;", ""},
    {"globs", "ls", " *a", ""},
    {"patterns in redirections", "a", " >*?*\xc3\xa9", ""},
    {"extended globs", "ls", " @(a|b)", ""},
    {"wrappers", "", "nice ", "a"},
    {"options of a known program", "git log", " --oneline", ""},
    {"operands of a known program", "cp", " a", " b"},
    {"exports", "export", " a=b", ""},
    {"comments", "", "# a ' b\n", "a"},
    {"control characters", "echo ", "\001", ""},
    {"invalid UTF-8", "echo ", "\xff", ""},
};
static const size_t sizes[] = {1, 4, 16, 64, 255}; /* kB; the parser refuses more than 256 */

static struct str hostile_text(size_t which, size_t size)
{
    struct buf b = {0};
    size_t end = strlen(hostile[which].end), again = strlen(hostile[which].again);
    char *text = malloc(size + 1);

    if (!text)
        exit(1);
    b = (struct buf){.s = text, .len = strlen(hostile[which].start), .room = size + 1};
    memcpy(text, hostile[which].start, b.len);
    for (; b.len + again + end <= size; b.len += again)
        memcpy(text + b.len, hostile[which].again, again);
    memcpy(text + b.len, hostile[which].end, end);
    return (struct str){text, b.len + end};
}

static void show_hostile(size_t which)
{
    double first = 0, last = 0;

    printf("    %-30s", hostile[which].name);
    json_begin_object(&json);
    json_key(&json, "name");
    json_text(&json, str_from(hostile[which].name));
    for (size_t s = 0; s < COUNT(sizes); s++) {
        double samples[HOSTILE_ROUNDS];
        char key[32];
        struct job job = {hostile_text(which, sizes[s] * 1024), EXPLAIN};
        for (size_t i = 0; i < HOSTILE_ROUNDS; i++)
            samples[i] = measure_once(run_job, &job) / (double)job.text.len;
        last = measure_samples(samples, HOSTILE_ROUNDS).median;
        first = s ? first : last;
        snprintf(key, sizeof(key), "picoseconds_%zukB", sizes[s]);
        number(key, last * 1e12);
        printf(" %9.1f", last * 1e9);
        free((char *)(uintptr_t)job.text.s);
    }
    printf("   %6.2f times\n", last / first);
    json_end_object(&json);
}

static void show_all_hostile(void)
{
    printf("shell: hostile texts, nanoseconds for each byte\n    %-30s", "");
    for (size_t s = 0; s < COUNT(sizes); s++)
        printf(" %6zu kB", sizes[s]);
    printf("   last / first\n");
    json_key(&json, "hostile");
    json_begin_array(&json);
    for (size_t i = 0; i < COUNT(hostile); i++)
        show_hostile(i);
    json_end_array(&json);
}

/* ---- */

static parse_text *load_tree_sitter(const char *path)
{
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    void *symbol = library ? dlsym(library, "peer_parse") : NULL;
    parse_text *parse = NULL;

    if (symbol)
        memcpy(&parse, &symbol, sizeof(parse));
    else
        printf("shell: tree-sitter-bash is left out: %s\n", path ? dlerror() : "it is not there");
    return parse;
}

struct options {
    const char *json, *tree_sitter, *shfmt, *commands, *only, *count;
};

static struct options read_options(int argc, char **argv)
{
    struct options o = {.commands = BENCH_SOURCE "/commands.txt"};

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--json") == 0)
            o.json = argv[i + 1];
        else if (strcmp(argv[i], "--tree-sitter") == 0)
            o.tree_sitter = argv[i + 1];
        else if (strcmp(argv[i], "--shfmt") == 0)
            o.shfmt = argv[i + 1];
        else if (strcmp(argv[i], "--only") == 0)
            o.only = argv[i + 1];
        else if (strcmp(argv[i], "--count") == 0)
            o.count = argv[i + 1];
        else if (strcmp(argv[i], "--commands") == 0)
            o.commands = argv[i + 1];
    }
    return o;
}

static void run_all(void *arg)
{
    const struct options *o = arg;

    json_begin_object(&json);
    if (!o->only || strcmp(o->only, "typical") == 0)
        typical(load_tree_sitter(o->tree_sitter), o->shfmt);
    if (!o->shfmt)
        printf("shell: shfmt is left out: it is not there\n");
    if (!o->only || strcmp(o->only, "hostile") == 0)
        show_all_hostile();
    json_end_object(&json);
}

int main(int argc, char **argv)
{
    struct options o = read_options(argc, argv);
    struct arena paper;

    arena_init(&paper, (size_t)1 << 24);
    arena_init(&arena, MEMORY_MAX);
    report = buf_in(&paper);
    json = json_to_indented(&report);
    read_commands(o.commands);
    if (o.count)
        return count(o.count);
    if (!arena_try(&paper, run_all, &o))
        return 1;
    if (o.json) {
        FILE *f = fopen(o.json, "w");
        if (!f || fprintf(f, "%.*s\n", (int)report.len, report.s) < 0 || fclose(f) != 0) {
            perror(o.json);
            return 1;
        }
    }
    arena_release(&arena);
    arena_release(&paper);
    return 0;
}
