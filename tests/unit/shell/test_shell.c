/* The analysis of shell texts, by the files in tests/cases/shell, and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "programs/programs.h"
#include "shell/shell.h"
#include "shell/tree.h"
#include "shell/walk.h"
#include "support/shared.h"
#include "support/shell_serve.h"

static struct arena arena;

struct run {
    struct str text;
    struct shell_analysis analysis;
};

static void analyse(void *arg)
{
    struct run *run = arg;
    static const struct shell_context context = {{"/w", 2}, {"/home/u", 7}};

    shell_analyse(&arena, run->text, &context, &run->analysis);
}

static struct shell_analysis analysis_of(struct str text)
{
    struct run run = {.text = text};

    assert_true(arena_try(&arena, analyse, &run));
    return run.analysis;
}

/* A case, its text and what is expected of it. */
struct expectation {
    const char *file;
    size_t line, next; /* next: how many actions were named */
    struct shell_analysis analysis;
    bool not_understood;
    unsigned wrong;
};

static void complain(struct expectation *e, const char *what, struct str line)
{
    print_error("%s:%zu: %s: %.*s\n", e->file, e->line, what, STR_ARG(line));
    e->wrong++;
}

static const char *verb_of(const struct shell_action *a)
{
    if (a->kind == SHELL_COMMAND)
        return "run ";
    if (a->kind == SHELL_ASSIGN)
        return "set ";
    return a->access == SHELL_READS ? "read " : a->access == SHELL_WRITES ? "write " : "open ";
}

static struct str shown(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++)
        buf_text(&b, text.s[i] == WORD_UNKNOWN ? "…"
                     : text.s[i] == '\n'       ? "⏎"
                     : text.s[i] == '\r'       ? "␍"
                                               : (char[2]){text.s[i], '\0'});
    return buf_str(&b);
}

static bool is_action_line(struct str line)
{
    static const char *const verbs[] = {"run ", "words ", "set ", "read ", "write ", "open "};

    for (size_t i = 0; i < COUNT(verbs); i++)
        if (str_starts(line, str_from(verbs[i])))
            return true;
    return false;
}

/* As expansions.case describes it. */
static struct str words_shown(const struct shell_action *a)
{
    struct buf b = buf_in(&arena);

    for (size_t i = 0; i < a->words.count; i++) {
        const struct shell_word *w = &a->words.items[i];
        buf_format(&b, "%s<%.*s>%s%s%s%s", i ? " " : "", STR_ARG(shown(&arena, w->text)),
                   w->known || w->may_glob ? "" : "u", w->may_split ? "s" : "",
                   w->may_glob ? "g" : "", w->may_dash ? "d" : "");
    }
    return buf_str(&b);
}

static void expect_action(struct expectation *e, struct str line)
{
    if (e->next >= e->analysis.actions.count) {
        complain(e, "no such action", line);
        return;
    }
    const struct shell_action *a = &e->analysis.actions.items[e->next++];
    struct str got = str_starts(line, STR("words "))
                         ? str_join(&arena, STR("words "), words_shown(a))
                         : str_join(&arena, str_from(verb_of(a)), shown(&arena, a->normal));
    if (!str_eq(got, line)) {
        complain(e, "expected", line);
        complain(e, "     got", got);
    }
}

static bool has_finding(const struct expectation *e, struct str name)
{
    for (size_t i = 0; i < e->analysis.findings.count; i++)
        if (str_is(name, e->analysis.findings.items[i].name))
            return true;
    return false;
}

/* How many cases expect each finding to be there, and not to be there. */
#define FINDING_CASES_MIN 2
static size_t there[64], not_there[64];

static void count_finding(struct expectation *e, struct str name, size_t *counts)
{
    for (size_t i = 0; shell_finding_names[i].name; i++)
        if (str_is(name, shell_finding_names[i].name)) {
            counts[i]++;
            return;
        }
    complain(e, "unknown finding", name);
}

/* Where a shell is that goes on after the text. */
static void expect_end(struct expectation *e, struct str wanted)
{
    const struct shell_analysis *got = &e->analysis;
    struct str end = !got->stays ? STR("?") : got->enters.len ? got->enters : STR("/w");

    if (!str_eq(end, wanted))
        complain(e, "it ends in", end);
}

static void expect_property(struct expectation *e, struct str line)
{
    const struct shell_action *a = e->next ? &e->analysis.actions.items[e->next - 1] : NULL;
    struct str key, value;

    str_cut(line, ' ', &key, &value);
    bool unknown = str_is(value, "?");
    if (str_is(key, "finding"))
        count_finding(e, value, there);
    else if (str_starts(line, STR("no finding ")))
        count_finding(e, str_from_byte(line, strlen("no finding ")), not_there);
    if (str_is(line, "?"))
        e->not_understood = true;
    else if (str_is(key, "end"))
        expect_end(e, value);
    else if (str_is(key, "finding")
                 ? !has_finding(e, value)
                 : str_starts(line, STR("no finding ")) && has_finding(e, str_from_byte(line, 11)))
        complain(e, "findings are not as expected", line);
    else if (str_is(key, "finding") || str_is(key, "no"))
        return;
    else if (!a)
        complain(e, "a property of no action", line);
    else if (str_is(key, "in") && !(unknown ? !place_is_known(a->directory.here)
                                            : str_eq(a->directory.here.path, value)))
        complain(e, "its directory is", a->directory.here.path);
    else if (str_is(key, "or") && !str_eq(shown(&arena, place_text(a->directory.other)), value))
        complain(e, "its other directory is", place_text(a->directory.other));
    else if (str_is(key, "allow") && !strs_has(&a->allow_forms, value))
        complain(e, "not among the allow forms", value);
    else if (str_is(key, "deny") && !strs_has(&a->deny_forms, value))
        complain(e, "not among the deny forms", value);
    else if (str_is(key, "never") && strs_has(&a->allow_forms, value))
        complain(e, "among the allow forms", value);
}

static void finish_case(struct expectation *e, struct str text)
{
    if (!text.s)
        return;
    if (e->next < e->analysis.actions.count)
        complain(e, "an action that was not expected",
                 shown(&arena, e->analysis.actions.items[e->next].normal));
    if (e->not_understood && e->analysis.understood)
        complain(e, "should not be understood", text);
    if (!e->not_understood && !e->analysis.understood)
        complain(e, "was not understood", e->analysis.why);
}

static struct str unescape(struct str line)
{
    struct buf b = buf_in(&arena);

    for (size_t i = 0; i < line.len;) {
        struct str rest = str_from_byte(line, i);
        bool newline = str_starts(rest, STR("⏎")), tab = str_starts(rest, STR("␉")),
             cr = str_starts(rest, STR("␍"));
        buf_byte(&b, newline ? '\n' : tab ? '\t' : cr ? '\r' : line.s[i]);
        i += newline || tab || cr ? 3 : 1;
    }
    return buf_str(&b);
}

struct case_file {
    const char *name;
    struct str all;
    unsigned cases_min;
};

static void run_cases(void *arg)
{
    const struct case_file *file = arg;
    struct str line, rest = file->all, text = {0};
    struct expectation e = {.file = file->name};
    unsigned cases = 0, wrong = 0;
    size_t number = 0;

    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        number++;
        if (!line.len || line.s[0] == '%')
            continue;
        if (str_starts(line, STR("$ "))) {
            finish_case(&e, text);
            wrong += e.wrong;
            text = unescape(str_from_byte(line, 2));
            e = (struct expectation){
                .file = file->name, .line = number, .analysis = analysis_of(text)};
            cases++;
        } else if (is_action_line(str_trim(line))) {
            expect_action(&e, str_trim(line));
        } else {
            expect_property(&e, str_trim(line));
        }
    }
    finish_case(&e, text);
    printf("%u cases\n", cases);
    assert_true(cases >= file->cases_min);
    assert_int_equal(wrong + e.wrong, 0);
}

static void check_case_file(const char *name, unsigned cases_min)
{
    char path[64];
    size_t len;

    snprintf(path, sizeof(path), "tests/cases/shell/%s", name);
    char *bytes = read_whole_file(source_path(path), &len);
    struct case_file file = {name, {bytes, len}, cases_min};
    arena_init(&arena, (size_t)64 << 20);
    assert_true(arena_try(&arena, run_cases, &file));
    arena_release(&arena);
    free(bytes);
}

static void actions_are_as_the_case_file_says(void **state)
{
    (void)state;
    check_case_file("actions.case", 150);
}

static void words_are_as_the_case_file_says(void **state)
{
    (void)state;
    check_case_file("expansions.case", 110);
}

static struct str repeated(struct str head, struct str unit, size_t count, struct str tail)
{
    struct buf b = buf_in(&arena);

    buf_add(&b, head);
    for (size_t i = 0; i < count; i++)
        buf_add(&b, unit);
    buf_add(&b, tail);
    return buf_str(&b);
}

static bool has_run(const struct shell_analysis *a, const char *normal)
{
    for (size_t i = 0; i < a->actions.count; i++)
        if (str_is(a->actions.items[i].normal, normal))
            return true;
    return false;
}

/* At each limit the text is understood, one beyond it is not. */
static void check_limits(void *arg)
{
    static const struct {
        const char *head, *unit, *tail;
        size_t most;
    } limits[] = {
        {"", "true;", "", SHELL_COMMANDS_MAX},
        {"", "nice ", "ls", SHELL_WRAP_DEPTH_MAX},
        {"for i in", " a", "; do ls; done", SHELL_UNROLL_MAX},
        {"echo {a", ",a", "}", SHELL_BRACES_MAX - 1},
        {"echo {a", ",a", "}$(ls)", SHELL_UNROLL_MAX - 1},
        {"echo {a,a}$(echo {a", ",a", "}${x:-$(ls)})", SHELL_UNROLL_MAX / 2 - 1},
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct str head = str_from(limits[i].head), unit = str_from(limits[i].unit),
                   tail = str_from(limits[i].tail);
        struct shell_analysis at = analysis_of(repeated(head, unit, limits[i].most, tail));
        if (!at.understood)
            fail_msg("limit %zu: %.*s", i, STR_ARG(at.why));
        struct shell_analysis beyond = analysis_of(repeated(head, unit, limits[i].most + 1, tail));
        /* A loop beyond its limit is still understood, with an unknown variable. */
        assert_int_equal(beyond.understood, i == 2);
        if (i == 2)
            assert_true(at.actions.count == SHELL_UNROLL_MAX && beyond.actions.count == 1);
    }
}

static void check_inner_limits(void *arg)
{
    struct str text = STR("ls");

    (void)arg;
    /* eval eval ... ls is one text that shrinks word by word */
    assert_true(analysis_of(repeated((struct str){0}, STR("eval "), SHELL_TEXT_DEPTH_MAX, text))
                    .understood);
    assert_false(
        analysis_of(repeated((struct str){0}, STR("eval "), SHELL_TEXT_DEPTH_MAX + 1, text))
            .understood);

    struct buf calls = buf_in(&arena);
    for (int i = 0; i <= SHELL_CALL_DEPTH_MAX; i++)
        buf_format(&calls, "f%d() { f%d; }; ", i, i + 1);
    assert_true(analysis_of(str_join(&arena, buf_str(&calls), STR("f1"))).understood);
    struct shell_analysis deep = analysis_of(str_join(&arena, buf_str(&calls), STR("f0")));
    assert_false(deep.understood);

    /* Each ( ) is two nodes, the list in it and it; a call adds the group, its list and the
     * command. */
    struct buf nested = buf_in(&arena);
    for (int i = 0; i < 10; i++)
        buf_format(&nested, "g%d() { %.*s g%d %.*s; }; ", i, 30,
                   "( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( ( (", i + 1, 30,
                   ") ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) )");
    assert_true(analysis_of(str_join(&arena, buf_str(&nested), STR("g2"))).understood);
    assert_false(analysis_of(str_join(&arena, buf_str(&nested), STR("g0"))).understood);

    /* More variables than are tracked: the oldest become unknown, never wrong. */
    struct buf many = buf_in(&arena);
    buf_text(&many, "x=rm;");
    for (int i = 0; i < SHELL_VARIABLES_MAX; i++)
        buf_format(&many, "v%d=1;", i);
    assert_false(analysis_of(str_join(&arena, buf_str(&many), STR("$x y"))).understood);

    /* A value that doubles at each step. */
    struct buf doubling = buf_in(&arena);
    buf_text(&doubling, "x=aaaaaaaaaaaaaaaa;");
    for (int i = 0; i < 60; i++)
        buf_text(&doubling, "x=$x$x;");
    buf_text(&doubling, "echo $x");
    struct shell_analysis large = analysis_of(buf_str(&doubling));
    assert_false(large.understood);
    for (size_t i = 0; i < large.actions.count; i++)
        assert_true(large.actions.items[i].normal.len <= SHELL_STEP_BYTES * 2 * SHELL_STEPS_FREE);
}

static struct str numbered(const char *head, const char *format, int count, const char *tail)
{
    struct buf b = buf_in(&arena);
    struct str before, after;

    str_cut(str_from(format), '#', &before, &after);
    buf_text(&b, head);
    for (int i = 0; i < count; i++)
        buf_format(&b, "%.*s%d%.*s", STR_ARG(before), i, STR_ARG(after));
    buf_text(&b, tail);
    return buf_str(&b);
}

static void check_memory_limits(void *arg)
{
    (void)arg;
    assert_true(analysis_of(numbered("", "f#() { :; };", SHELL_FUNCTIONS_MAX, "f1")).understood);
    assert_false(
        analysis_of(numbered("", "f#() { :; };", SHELL_FUNCTIONS_MAX + 1, "f1")).understood);

    /* More files than are tracked: then any file may be one of them. */
    assert_true(analysis_of(numbered("", ": >w#;", SHELL_WRITTEN_MAX, "sh x")).understood);
    assert_false(analysis_of(numbered("", ": >w#;", SHELL_WRITTEN_MAX + 1, "sh x")).understood);

    /* More locals than are tracked: then nothing is known any more, not even x. */
    assert_true(analysis_of(numbered("x=ls; f() { local", " v#", SHELL_LOCALS_MAX, "; }; f; $x"))
                    .understood);
    assert_false(
        analysis_of(numbered("x=ls; f() { local", " v#", SHELL_LOCALS_MAX + 1, "; }; f; $x"))
            .understood);
}

/* The text is a list that defines a function, and two bytes for each call of it: a command with one
 * word, a group, its list, and another command with one word. */
static void check_steps(void *arg)
{
    const struct str head = STR("f() { :; };"), call = STR("f;");
    size_t each = 2 * (2 + SHELL_STEPS_ACTION) + 2, paid = SHELL_STEPS_PER_BYTE * call.len;
    size_t most = (SHELL_STEPS_FREE + SHELL_STEPS_PER_BYTE * head.len - 2) / (each - paid);

    (void)arg;
    assert_true(analysis_of(repeated(head, call, most, STR(""))).understood);
    struct shell_analysis beyond = analysis_of(repeated(head, call, most + 1, STR("")));
    assert_false(beyond.understood);
    assert_true(str_is(beyond.why, "too much work to follow it all"));
}

/* A few bytes that expand to a lot. */
static void check_repetition(void *arg)
{
    static const char *const texts[] = {
        "f() { for i in {1..8}; do echo {a,b,c,d}$(ls {1..8}$(ls)); done; }; for i in {1..8}; do "
        "f; done",
        "for i in {1..8}; do for j in {1..8}; do eval 'eval \"ls {1..8}$(ls)\"'; done; done",
        "f() { case $(ls) in *?*|{a,b}) ls {a,b}$(ls);; esac; }; g() { f;f;f;f;f;f;f;f; }; for i "
        "in {1..64}; do g; "
        "done",
        "f() { cat <<E\n$(ls)\nE\n}; g() { f;f;f;f;f;f;f;f; }; h() { g;g;g;g;g;g;g;g; }; "
        "h;h;h;h;h;h;h;h",
        "x=({1..99}); x=(${x[@]} ${x[@]}); x=(${x[@]} ${x[@]}); x=(${x[@]} ${x[@]}); x=(${x[@]} "
        "${x[@]}); echo ${x[@]} "
        "${x[@]} ${x[@]} ${x[@]} ${x[@]} ${x[@]}",
        "for i in {1..8}; do for j in {1..8}; do >{0..8}?*$(>{0..8}?*$(>{0..8}?*)); done; done",
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct shell_analysis a = analysis_of(str_from(texts[i]));
        if (a.understood)
            fail_msg("%s", texts[i]);
        size_t allowed = SHELL_STEPS_FREE + SHELL_STEPS_PER_BYTE * strlen(texts[i]);
        assert_true(a.actions.count <= allowed / SHELL_STEPS_ACTION + 1);
    }
}

static void check_padding(void *arg)
{
    (void)arg;
    struct shell_analysis a =
        analysis_of(repeated((struct str){0}, STR(":;"), 10000, STR("rm -rf /")));
    assert_true(has_run(&a, "rm -rf /"));
}

struct run_text {
    const char *head, *unit, *tail;
    struct str out;
};

/* A long text of one repeated unit. */
static void fill_text(void *arg)
{
    struct run_text *t = arg;
    size_t count = SHELL_TEXT_MAX / 4 / strlen(t->unit);

    t->out = repeated(str_from(t->head), str_from(t->unit), count, str_from(t->tail));
}

static double seconds_for(struct str text)
{
    struct timespec from, to;
    struct run run = {.text = text};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    arena_try(&arena, analyse, &run); /* running out of memory is an acceptable result too */
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Texts that make a careless analysis quadratic or worse. The bound is loose, for sanitizers and
 * slow machines. */
static void hostile_texts_take_bounded_time(void **state)
{
    static const struct {
        const char *head, *unit, *tail;
    } texts[] = {
        {"", "a=b;", ""},
        {"a=b;", "$a;", ""},
        {"x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
         "echo $x;", ""},
        {"echo ", "{a,b}", ""},
        {"", "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b} ", ""},
        {"", "if a; then x=1; fi;", ""},
        {"", "f() { :; }; f;", ""},
        {"f() { ((1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1)); };", "f;", ""},
        {"", "sh -c 'a;b;c';", ""},
        {"", "sudo ", "a"},
        {"", "eval ", "a"},
        {"", "cd a;", ""},
        {"", "a >b", ""},
        {"", "[[ ${x:-$( ", ""},
        {"", "for i in a b c d; do ", ""},
        {"IFS=abcdefghijklmnop; x=abcabcabcabcabcabcabcabc;", "$x;", ""},
        {"", "coproc a $(", ""},
        {"", "local a;", ""},
        {"", "a=(b c);", ""},
        {"", "-\\\n=", ""},
        {"", "a{0..8}$(", ""},
        {"", "{0..8}${a:-$(", ""},
        {"set --", " a", "; for i; do for j; do for k; do echo $i$j$k; done; done; done"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        arena_init(&arena, (size_t)512 << 20);
        struct run_text text = {texts[i].head, texts[i].unit, texts[i].tail, {0}};
        assert_true(arena_try(&arena, fill_text, &text));
        double took = seconds_for(text.out);
        if (took > 1)
            printf("%s took %.1f s\n", texts[i].unit, took);
        assert_true(took < 10);
        arena_release(&arena);
    }
}

static void under_arena(void (*fn)(void *))
{
    arena_init(&arena, (size_t)512 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static void limits_end_in_not_understood(void **state)
{
    (void)state;
    under_arena(check_limits);
    under_arena(check_inner_limits);
    under_arena(check_memory_limits);
    under_arena(check_steps);
    under_arena(check_repetition);
}

static void ten_thousand_no_ops_hide_nothing(void **state)
{
    (void)state;
    under_arena(check_padding);
}

/* The index was generated from the tables; without it they are binary-searched. */
static const struct {
    const char *text;
    bool number;
} numbers[] = {
    {"0", true},
    {"-1", true},
    {"007", true},
    {"123456789012345678", true},
    {"-12345678901234567", true},
    {"1234567890123456789", false}, /* may be more than a long holds */
    {"-123456789012345678", false},
    {"99999999999999999999", false},
    {"", false},
    {"-", false},
    {"--1", false},
    {"1-", false},
    {"1a", false},
    {"/1", false},
    {":", false},
    {" 1", false},
};

static void only_short_numbers_are_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++)
        if (text_is_number(str_from(numbers[i].text)) != numbers[i].number)
            fail_msg("%s", numbers[i].text);
}

static void index_finds_the_rows_of_all_tables(void **state)
{
    struct walk w = {0};

    const struct names *const tables[] = {&builtin_names, &printer_names, &runner_names,
                                          &writer_names, &zsh_names};

    (void)state;
    for (size_t t = 0; t < COUNT(tables); t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const void *row = (const char *)tables[t]->rows + i * tables[t]->size;
            struct str name = str_from(*(const char *const *)row);
            assert_ptr_equal(names_search(tables[t], name), row);
            for (size_t other = 0; other < COUNT(tables); other++)
                assert_ptr_equal(names_find(&w, tables[other], name),
                                 names_search(tables[other], name));
            assert_null(names_search(
                tables[t], (struct str){name.s, name.len + 1})); /* with a NUL behind it */
            assert_null(names_find(&w, tables[t], (struct str){name.s, name.len + 1}));
        }
    assert_null(names_find(&w, &runner_names, STR("")));
    assert_null(names_find(&w, &runner_names, STR("nic")));
    assert_null(names_find(&w, &runner_names, STR("a name that is longer than any of ours")));
}

/* What the index says of wrappers is what the rows of programs/ say. */
static void index_knows_the_wrappers(void **state)
{
    struct walk w = {0};
    size_t files, wrappers = 0;
    const struct program_file *const *file = program_files(&files);

    (void)state;
    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < file[f]->count; i++) {
            struct str name = str_from(file[f]->rows[i].name);
            bool wraps = program_is_wrapper(name) && !names_search(&runner_names, name);
            assert_int_equal(names_of(&w, name)->rows[NAMED_WRAPPER], wraps);
            wrappers += wraps;
        }
    assert_true(wrappers > 50);
    assert_false(program_is_wrapper(STR("ls")));
    assert_false(program_is_wrapper(STR("docker exec")));
}

/* Promises 1 and 2: if memory runs out, there is no finished analysis. */
static void every_allocation_may_fail(void **state)
{
    struct run run = {
        .text = STR("x=a; for i in b c; do sudo rm \"$i\" >y; done; sh -c 'ls $(cat f)'")};

    (void)state;
    for (size_t n = 1; n < 2000; n++) {
        arena_init(&arena, (size_t)1 << 20);
        arena_fail_at(&arena, n);
        run.analysis.understood = false;
        bool done = arena_try(&arena, analyse, &run);
        bool reached = arena.allocations >= n;
        arena_release(&arena);
        assert_int_equal(done, !reached);
        assert_int_equal(done, run.analysis.understood);
        if (done)
            return;
    }
    fail_msg("the analysis never ended");
}

/* Runs after the case file, because it uses its counts. */
static void every_finding_has_cases_on_both_sides(void **state)
{
    (void)state;
    for (size_t i = 0; shell_finding_names[i].name; i++) {
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(shell_finding_names[i].name, shell_finding_names[j].name);
        printf("%-26s %zu with, %zu without\n", shell_finding_names[i].name, there[i],
               not_there[i]);
        assert_true(there[i] >= FINDING_CASES_MIN && not_there[i] >= FINDING_CASES_MIN);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_are_as_the_case_file_says),
        cmocka_unit_test(words_are_as_the_case_file_says),
        cmocka_unit_test(limits_end_in_not_understood),
        cmocka_unit_test(ten_thousand_no_ops_hide_nothing),
        cmocka_unit_test(only_short_numbers_are_numbers),
        cmocka_unit_test(index_finds_the_rows_of_all_tables),
        cmocka_unit_test(index_knows_the_wrappers),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_finding_has_cases_on_both_sides),
        cmocka_unit_test(hostile_texts_take_bounded_time),
    };

    if (argc > 1 && strcmp(argv[1], "--actions") == 0)
        return serve_texts(answer_actions);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
