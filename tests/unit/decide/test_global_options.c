/* A rule on a subcommand holds whatever options come in front of it: for every program of the rows
 * that has subcommands, with each option of its own row, with options that no row lists, and with
 * two of them. */
#include "decide/decide.h"
#include "programs/reading.h"
#include "programs/subcommands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define MEMORY         ((size_t)64 * 1024 * 1024)
#define FAILURES_SHOWN 20

static const char *const modes[] = {"default", "acceptEdits", "bypassPermissions"};

/* A world without a disk. */
static enum file_kind kind_of(void *context, const char *path)
{
    (void)context;
    (void)path;
    return FILE_ABSENT;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    (void)context;
    return snprintf(out, WORLD_PATH_MAX, "%s", path) < WORLD_PATH_MAX;
}

static const struct world world = {.kind = kind_of, .resolve = resolve};

struct run {
    struct arena arena; /* of one command */
    struct arena keep;  /* what the commands are made of */
    const char *options;
    struct str program, subcommand; /* "git", "push" */
    size_t programs, commands, failures;
};

static void add_rule(struct run *r, struct rulebook *book, enum behavior effect, struct str words)
{
    struct rule rule;

    assert_int_equal(rule_parse(&r->arena, str_format(&r->arena, "Bash(%.*s:*)", STR_ARG(words)),
                                DIALECT_WARDER, &rule, NULL),
                     STATUS_OK);
    rule.effect = effect;
    rule.source = SOURCE_USER;
    LIST_PUSH(&r->arena, &book->rules, rule);
}

static enum behavior judge(struct run *r, const struct rulebook *book, const char *mode,
                           struct str command)
{
    const struct call_defaults d = {.cwd = STR("/home/u/p"),
                                    .home = STR("/home/u"),
                                    .project = STR("/home/u/p"),
                                    .mode = str_from(mode)};
    const struct decide_options o = {.profile = profile_find(STR("warder")),
                                     .book = book,
                                     .world = &world,
                                     .home = STR("/home/u"),
                                     .bypass_flag = true};
    struct verdict v = {0};
    struct call call;

    assert_int_equal(call_make(&r->arena, STR("Bash"), command, &d, &call, NULL), STATUS_OK);
    decide(&r->arena, &o, &call, &v);
    return v.behavior;
}

static void expect(struct run *r, struct str command, bool allowed, enum behavior effect)
{
    struct rulebook book = {0};

    if (allowed)
        add_rule(r, &book, BEHAVIOR_ALLOW, r->program);
    add_rule(r, &book, effect,
             str_format(&r->arena, "%.*s %.*s", STR_ARG(r->program), STR_ARG(r->subcommand)));
    for (size_t i = 0; i < COUNT(modes); i++) {
        enum behavior got = judge(r, &book, modes[i], command);
        if (got != effect && r->failures++ < FAILURES_SHOWN)
            print_error("%s, %s: expected %d, got %d: %.*s\n", modes[i],
                        allowed ? "allow rule" : "no allow rule", (int)effect, (int)got,
                        STR_ARG(command));
    }
}

static void check_command(void *context)
{
    struct run *r = context;
    struct str command = str_format(&r->arena, "%.*s %s %.*s x", STR_ARG(r->program), r->options,
                                    STR_ARG(r->subcommand));

    r->commands++;
    expect(r, command, true, BEHAVIOR_DENY);
    expect(r, command, true, BEHAVIOR_ASK);
    expect(r, command, false, BEHAVIOR_DENY);
}

/* `prog OPTIONS sub x` */
static void check(struct run *r, const char *options)
{
    r->options = options;
    assert_true(arena_try(&r->arena, check_command, r));
    arena_reset(&r->arena);
}

/* The flag alone, its value in a word of its own, and joined to it, as the row says. */
static void check_option(struct run *r, struct str name, const struct option *o)
{
    const char *text = str_format(&r->keep, "%.*s", STR_ARG(name)).s;
    bool is_long = name.len > 2;

    if (!o->value || o->optional) {
        check(r, text);
        check(r, str_format(&r->keep, "%s --no-such-option v", text).s);
    }
    if (!o->value)
        return;
    check(r, str_format(&r->keep, is_long ? "%s=v" : "%sv", text).s);
    if (o->optional)
        return;
    const char *values = str_has(o->roles, ',') ? "v v" : "v";
    check(r, str_format(&r->keep, "%s %s", text, values).s);
    check(r, str_format(&r->keep, "%s %s %s %s", text, values, text, values).s);
}

static void check_options(struct run *r, const struct program_row *row)
{
    struct str rest = str_from(row->options), token, name;
    struct option o;

    while (str_next_word(&rest, &token)) {
        if (!option_parse(token, &o))
            continue;
        for (bool more = true; more;) {
            more = str_cut(o.names, ',', &name, &o.names);
            struct str sub = str_format(&r->keep, "%.*s %.*s", STR_ARG(r->program), STR_ARG(name));
            if (name.len > 1 && name.s[0] == '-' && !program_shipped(sub))
                check_option(r, name, &o);
        }
    }
}

static void check_unknown_options(struct run *r)
{
    static const char *const options[] = {
        "--no-such-option",
        "--no-such-option v",
        "--no-such-option=v",
        "--no-such-option --no-such-other",
        "--no-such-option v --no-such-other w",
        "--no-such-option --no-such-other w",
        "--no-such-option --",
        "--no-such-option \"$V\"",
        "--no-such-option=$V",
        "$V",
        "\"$V\" w",
    };

    for (size_t i = 0; i < COUNT(options); i++)
        check(r, options[i]);
}

/* The row that a program's options are in: its own, or the one that it is another name of. */
static const struct program_row *options_row(const struct program_row *row)
{
    return program_by_any_name(str_from(row->name));
}

/* The first word after the program's name; false: the row is none of a subcommand of it. */
static bool first_word(struct str name, const char *row, struct str *out)
{
    struct str rest;

    if (!str_starts(str_from(row), name) || row[name.len] != ' ')
        return false;
    str_cut(str_from(row + name.len + 1), ' ', out, &rest);
    return true;
}

/* Each subcommand once; with the options of the program's own row only the first of them. */
static void check_program(struct run *r, const struct program_file *f,
                          const struct program_row *row)
{
    const struct program_row *own = options_row(row);
    struct str last = {0}, word;

    for (size_t i = 0; i < f->count; i++) {
        if (!first_word(str_from(own->name), f->rows[i].name, &word) || str_eq(word, last))
            continue;
        r->program = str_from(row->name);
        r->subcommand = word;
        if (!last.len) {
            r->programs++;
            check_options(r, own);
        }
        check_unknown_options(r);
        last = word;
    }
}

static void check_file(struct run *r, const struct program_file *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!str_has(str_from(f->rows[i].name), ' '))
            check_program(r, f, &f->rows[i]);
}

static void check_all(void *context)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);

    for (size_t i = 0; i < count; i++)
        check_file(context, files[i]);
}

static void rule_on_a_subcommand_holds_after_all_options(void **state)
{
    struct run r = {0};

    (void)state;
    arena_init(&r.arena, MEMORY);
    arena_init(&r.keep, MEMORY);
    assert_true(arena_try(&r.keep, check_all, &r));
    printf("%zu programs, %zu commands\n", r.programs, r.commands);
    assert_true(r.programs > 100);
    assert_int_equal(r.failures, 0);
    arena_release(&r.keep);
    arena_release(&r.arena);
}

/* One unknown option in front of each of `count` names. */
static struct str many_options(struct arena *a, size_t count)
{
    struct buf b = buf_in(a);

    buf_text(&b, "tool");
    for (size_t i = 0; i < count; i++)
        buf_text(&b, " --x name");
    return buf_str(&b);
}

static void check_limit(void *context)
{
    struct run *r = context;
    struct rulebook book = {0};

    /* n names have n + n(n-1)/2 + ... readings: 385 of ten, 561 of eleven */
    r->program = STR("tool");
    add_rule(r, &book, BEHAVIOR_ALLOW, r->program);
    assert_int_equal(judge(r, &book, "default", many_options(&r->arena, 10)), BEHAVIOR_ALLOW);
    assert_int_equal(judge(r, &book, "default", many_options(&r->arena, 11)), BEHAVIOR_ASK);
    assert_int_equal(judge(r, &book, "bypassPermissions", many_options(&r->arena, 11)),
                     BEHAVIOR_ASK);
}

static void too_many_readings_are_asked_about(void **state)
{
    struct run r = {0};

    (void)state;
    arena_init(&r.arena, MEMORY);
    assert_true(arena_try(&r.arena, check_limit, &r));
    arena_release(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rule_on_a_subcommand_holds_after_all_options),
        cmocka_unit_test(too_many_readings_are_asked_about),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
