/* bench_rules.c - the cost of finding the rules that match a command, from 10 rules to a million.
 *
 *     bench_rules FILE [--most N] [--hyperscan PEER.so] [--write DIRECTORY]
 *
 * FILE gets the figures as lines of JSON. The same patterns are matched with the same commands by
 * the index, by our globs one by one, by fnmatch() and by PCRE2, interleaved in the same run;
 * --write saves rules and commands for peers in other languages (bench/peer_rules.mjs). A contender
 * with a different number of matches is reported as wrong. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <dlfcn.h>
#include <fnmatch.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "lines.h"
#include "rule/index.h"

#define COMMANDS     32
#define PEER_RULES   100000
#define ROUNDS_MAX   101
#define ROUNDS_MIN   3
#define SECONDS      0.6 /* per contender and size */
#define SLOW_SECONDS 20  /* per pass: beyond this, larger sizes are skipped */
#define MEMORY_MAX   ((size_t)4 << 30)

typedef size_t (*hyperscan_find)(const char *text, size_t len);
typedef int (*hyperscan_load)(const char *const *patterns, size_t count);

static struct arena arena, scratch;
static struct rules rules;
static struct rule_index *rule_index;
static char **patterns; /* the content of each rule */
static struct glob **globs;
static pcre2_code **codes;
static struct str commands[COMMANDS];
static hyperscan_find scan;
static hyperscan_load load_scan;

/* ---- rules and commands ---- */

static const char *const programs[] = {"deploy", "svc", "kubectl", "terraform",
                                       "npm",    "aws", "docker",  "gcloud"};
static const char *const verbs[] = {"run",  "apply", "get",  "delete",
                                    "push", "logs",  "exec", "scale"};

/* As people write them: a program, a subcommand, names and stars. */
static void write_pattern(size_t i, char *out, size_t size)
{
    const char *program = programs[i % COUNT(programs)],
               *verb = verbs[i / COUNT(programs) % COUNT(verbs)];

    switch (i % 4) {
    case 0:
        snprintf(out, size, "%s %s team%zu-app *", program, verb, i);
        break;
    case 1:
        snprintf(out, size, "%s %s *--name=unit%zu*", program, verb, i);
        break;
    case 2:
        snprintf(out, size, "%s *%s*/service-%zu/*", program, verb, i);
        break;
    default:
        snprintf(out, size, "%s-%zu *", program, i);
    }
}

/* Every second one matches a rule, if there are that many. */
static void write_command(size_t i, char *out, size_t size)
{
    size_t n = i * 37;
    const char *program = programs[n % COUNT(programs)],
               *verb = verbs[n / COUNT(programs) % COUNT(verbs)];

    if (i % 2)
        snprintf(out, size, "%s %s --verbose --output=json src/components/view-%zu.tsx", program,
                 verb, i);
    else if (n % 4 == 0)
        snprintf(out, size, "%s %s team%zu-app --wait --timeout 30s", program, verb, n);
    else
        snprintf(out, size, "%s x/%s/service-%zu/main.c --check", program, verb, n);
}

static void make_commands(void)
{
    char text[160];

    for (size_t i = 0; i < COMMANDS; i++) {
        write_command(i, text, sizeof(text));
        commands[i] = str_from(strdup(text));
    }
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_rules: %s\n", why);
    exit(1);
}

static void add_rule(size_t i)
{
    char pattern[160];
    struct rule r = {0};

    write_pattern(i, pattern, sizeof(pattern));
    patterns[i] = arena_copy(&arena, pattern, strlen(pattern));
    if (rule_parse(&arena, str_format(&arena, "Bash(%s)", pattern), DIALECT_WARDER, &r, NULL) !=
        STATUS_OK)
        stop("a rule is not read");
    r.effect = BEHAVIOR_DENY;
    LIST_PUSH(&arena, &rules, r);
}

static void make_rules(void *arg)
{
    size_t count = *(const size_t *)arg;

    rules = (struct rules){0};
    patterns = ARENA_ARRAY(&arena, char *, count);
    for (size_t i = 0; i < count; i++)
        add_rule(i);
    rule_index = rule_index_build(&arena, &rules, NULL);
}

/* ---- the contenders ---- */

static struct subject subject_of(struct str command)
{
    struct subject s = {
        .shell = true, .known_tool = true, .has_first = true, .first = command, .understood = true};

    LIST_PUSH(&scratch, &s.names, STR("Bash"));
    LIST_PUSH(&scratch, &s.forms_allow, command);
    LIST_PUSH(&scratch, &s.forms_deny, command);
    return s;
}

struct looking {
    struct str command;
    size_t found;
};

static void look_in_index(void *arg)
{
    struct looking *l = arg;
    const struct rule_env env = {.cwd = STR("/srv/app"), .home = STR("/home/you")};
    struct subject s = subject_of(l->command);
    struct rule_search search = rule_search_begin(&scratch, rule_index, &s);
    struct rule_places places = rule_search_find(&search, &s, &env);

    for (size_t i = 0; i < places.count; i++)
        l->found += rule_matches(&scratch, &rules.items[places.items[i]], &s, &env);
}

static size_t by_index(struct str command)
{
    struct looking l = {.command = command};

    if (!arena_try(&scratch, look_in_index, &l))
        stop("out of memory");
    arena_reset(&scratch);
    return l.found;
}

static void compile_globs(void *arg)
{
    (void)arg;
    globs = ARENA_ARRAY(&arena, struct glob *, rules.count);
    for (size_t i = 0; i < rules.count; i++)
        if (glob_compile(&arena, str_from(patterns[i]), 0, &globs[i], NULL) != STATUS_OK)
            stop("a glob is not read");
}

static size_t by_globs(struct str command)
{
    size_t found = 0;

    for (size_t i = 0; i < rules.count; i++)
        found += glob_match(globs[i], command);
    return found;
}

static size_t by_fnmatch(struct str command)
{
    size_t found = 0;

    for (size_t i = 0; i < rules.count; i++)
        found += fnmatch(patterns[i], command.s, 0) == 0;
    return found;
}

static void regex_of(const char *pattern, char *out)
{
    *out++ = '^';
    for (; *pattern; pattern++) {
        if (*pattern == '*')
            *out++ = '.';
        else if (strchr(".+?()[]{}|^$\\", *pattern))
            *out++ = '\\';
        *out++ = *pattern;
    }
    memcpy(out, "$", 2);
}

static void compile_regexes(void)
{
    char text[400];
    int code;
    size_t at;

    codes = calloc(rules.count, sizeof(*codes));
    if (!codes)
        stop("out of memory");
    for (size_t i = 0; i < rules.count; i++) {
        regex_of(patterns[i], text);
        codes[i] =
            pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_DOTALL, &code, &at, NULL);
        if (!codes[i])
            stop("a regex is not read");
        (void)pcre2_jit_compile(codes[i], PCRE2_JIT_COMPLETE);
    }
}

static size_t by_regexes(struct str command)
{
    static pcre2_match_data *data;
    size_t found = 0;

    if (!data)
        data = pcre2_match_data_create(8, NULL);
    for (size_t i = 0; i < rules.count; i++)
        found += pcre2_match(codes[i], (PCRE2_SPTR)command.s, command.len, 0, 0, data, NULL) >= 0;
    return found;
}

static void free_regexes(void)
{
    for (size_t i = 0; codes && i < rules.count; i++)
        pcre2_code_free(codes[i]);
    free(codes);
    codes = NULL;
}

static size_t by_hyperscan(struct str command)
{
    return scan(command.s, command.len);
}

/* ---- measuring ---- */

static struct way {
    const char *name;
    size_t (*find)(struct str command);
    size_t most; /* maximum number of rules to try */
    bool slow;   /* too slow with fewer rules already */
} ways[] = {
    {"warder", by_index, 1000000, false},
    {"globs, one after the other", by_globs, 1000000, false},
    {"fnmatch, one after the other", by_fnmatch, 1000000, false},
    /* Each pattern takes kilobytes and half a millisecond to compile. */
    {"PCRE2, one after the other", by_regexes, 10000, false},
    /* Its compiler takes minutes beyond that. */
    {"Hyperscan, all at once", by_hyperscan, 1000, false},
};

struct pass {
    const struct way *way;
    size_t found;
};

static void run_pass(void *arg)
{
    struct pass *p = arg;

    p->found = 0;
    for (size_t i = 0; i < COMMANDS; i++)
        p->found += p->way->find(commands[i]);
}

static bool is_there(const struct way *w)
{
    return !w->slow && rules.count <= w->most && (w->find != by_hyperscan || scan);
}

static void measure(struct way *w, size_t expected)
{
    double samples[ROUNDS_MAX], spent = 0;
    struct pass pass = {.way = w};
    size_t n = 0;

    while (n < ROUNDS_MIN || (n < ROUNDS_MAX && spent < SECONDS)) {
        double took = measure_once(run_pass, &pass);
        samples[n++] = took / COMMANDS;
        spent += took;
        if ((w->slow = took > SLOW_SECONDS))
            break;
    }
    struct measured m = measure_samples(samples, n);
    printf("%9zu rules  %-30s %12.2f us a command%s\n", rules.count, w->name, m.median * 1e6,
           pass.found == expected ? "" : "   finds OTHER rules");
    lines_add("rules", w->name, rules.count, "s", m);
}

static void measure_size(size_t count)
{
    struct pass pass = {.way = &ways[0]};

    arena_init(&arena, MEMORY_MAX);
    if (!arena_try(&arena, make_rules, &count) || !arena_try(&arena, compile_globs, NULL))
        stop("out of memory");
    if (count <= ways[3].most)
        compile_regexes();
    if (load_scan && count <= ways[4].most && load_scan((const char *const *)patterns, count) != 0)
        stop("Hyperscan does not read the patterns");
    run_pass(&pass);
    for (size_t i = 0; i < COUNT(ways); i++)
        if (is_there(&ways[i]))
            measure(&ways[i], pass.found);
    free_regexes();
    arena_release(&arena);
}

/* ---- for peers in other languages ---- */

static void write_lines(const char *directory, const char *name,
                        void (*write)(size_t, char *, size_t), size_t count)
{
    char path[4096], text[160];

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *f = fopen(path, "we");
    if (!f)
        stop("the rules cannot be written");
    for (size_t i = 0; i < count; i++) {
        write(i, text, sizeof(text));
        fprintf(f, "%s\n", text);
    }
    fclose(f);
}

/* One line per command with the numbers of its rules, found by the slow and obvious method. */
static void write_found(const char *directory, size_t count)
{
    char path[4096], pattern[160];

    snprintf(path, sizeof(path), "%s/found.txt", directory);
    FILE *f = fopen(path, "we");
    if (!f)
        stop("what was found cannot be written");
    for (size_t c = 0; c < COMMANDS; c++) {
        for (size_t i = 0; i < count; i++) {
            write_pattern(i, pattern, sizeof(pattern));
            if (fnmatch(pattern, commands[c].s, 0) == 0)
                fprintf(f, "%zu ", i);
        }
        fprintf(f, "\n");
    }
    fclose(f);
}

static void load_hyperscan(const char *path)
{
    void *peer = dlopen(path, RTLD_NOW);

    if (!peer)
        stop(dlerror());
    *(void **)&scan = dlsym(peer, "peer_find");
    *(void **)&load_scan = dlsym(peer, "peer_load");
    if (!scan || !load_scan)
        stop("the peer lacks its functions");
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {10, 100, 1000, 10000, 100000, 1000000};
    size_t most = 1000000;
    const char *directory = NULL;

    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--most") == 0)
            most = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--hyperscan") == 0)
            load_hyperscan(argv[i + 1]);
        else if (strcmp(argv[i], "--write") == 0)
            directory = argv[i + 1];
        else
            stop("an option that there is not");
    }
    lines_open(argc > 1 ? argv[1] : NULL);
    make_commands();
    arena_init(&scratch, MEMORY_MAX);
    for (size_t i = 0; i < COUNT(sizes) && sizes[i] <= most; i++)
        measure_size(sizes[i]);
    if (directory) {
        write_lines(directory, "rules.txt", write_pattern, PEER_RULES);
        write_lines(directory, "commands.txt", write_command, COMMANDS);
        write_found(directory, PEER_RULES);
    }
    lines_close();
    return 0;
}
