/* evasion_tasks.c - targets, tasks and scripts that a rule names.
 *
 * `make a b` is make a and make b. `npm run deploy` also runs predeploy and postdeploy, if
 * package.json has them, and the same script runs by yarn, pnpm and bun. */
#include "base/ascii.h"
#include "base/path.h"
#include "decide/evasion.h"
#include "facts/environment.h"
#include "facts/named_in.h"
#include "rule/command.h"

/* A command, and what it runs. */
struct tasks {
    struct evasion *e;
    const struct shell_word *words;
    size_t count;
    struct str program;
    const struct program_row *row;
    struct strs names;
};

static bool any_script(const struct program_row *row)
{
    return row->scripts && strcmp(row->scripts, "*") == 0;
}

/* "npm test" is for the script of that name. */
static struct str own_task(const struct program_row *row)
{
    struct str rest = str_from(row->scripts ? row->scripts : ""), first;

    return str_next_word(&rest, &first) && str_ends(str_from(row->name), first) ? first
                                                                                : (struct str){0};
}

/* run-s a b, concurrently npm:a */
static void take_words(struct tasks *t)
{
    for (size_t i = 1; i < t->count; i++) {
        struct str word = t->words[i].text, by, name;
        if (word.len && word.s[0] != '-')
            LIST_PUSH(t->e->f->arena, &t->names,
                      str_cut(word, ':', &by, &name) && str_is(by, "npm") ? name : word);
    }
}

/* False: no row explains it. */
static bool read_tasks(struct evasion *e, const struct shell_word *words, size_t count,
                       struct tasks *out)
{
    const struct program_row *row = program_by_any_name(path_base(words[0].text));
    struct program_use use;

    *out = (struct tasks){
        .e = e, .words = words, .count = count, .program = path_base(words[0].text), .row = row};
    if (row && (any_script(row) || strcmp(row->options, "=") == 0)) {
        take_words(out);
        return true;
    }
    program_explain(e->f->arena, words, count, e->f->book->programs, &use);
    out->row = use.row;
    out->names = use.tasks;
    if (!use.row)
        return false;
    struct str own = own_task(use.row);
    if (own.len)
        LIST_PUSH(e->f->arena, &out->names, own);
    return true;
}

/* ---- one target after the other ---- */

/* make takes ./x for x. */
static struct str plain_task(struct str task)
{
    while (str_starts(task, STR("./")))
        task = str_from_byte(task, 2);
    return task;
}

/* The command with this task alone. */
static void compare_task(const struct tasks *t, struct str task)
{
    struct shell_word *words;
    size_t count = 0;

    if (evasion_is_spent(t->e, t->count * sizeof(*words)))
        return;
    words = arena_room(t->e->f->arena, t->count + 1, sizeof(*words));
    for (size_t i = 0; i < t->count; i++)
        if (i == 0 || !(strs_has(&t->names, t->words[i].text) ||
                        str_starts(t->words[i].text, STR(".DEFAULT_GOAL="))))
            words[count++] = t->words[i];
    words[count++] = (struct shell_word){.text = plain_task(task), .known = true};
    evasion_one(t->e, words, count, t->program);
}

/* The task that a rule names. */
struct target {
    struct str name; /* empty: none */
    bool begins;     /* its name begins so: `make destroy*` */
};

static struct target named_task(const struct evasion *e, const struct rule *r)
{
    struct rule_words words = rule_words(e->f->arena, r);
    struct target t = {0};

    if (words.count < 2 || words.items[1].text.s[0] == '-')
        return t;
    t.begins = words.items[1].wild;
    t.name = words.items[1].text;
    if (t.begins)
        t.name = str_slice(t.name, 0, str_until(t.name, "*?[{"));
    return t;
}

/* The first rule on the program that names a task. */
static const struct rule *rule_on_task(const struct tasks *t)
{
    const struct facts *f = t->e->f;
    struct rule_places rules = rulebook_on_program(f->arena, f->book, t->program);

    for (size_t i = 0; i < rules.count; i++) {
        const struct rule *r = &f->book->rules.items[rules.items[i]];
        if (named_task(t->e, r).name.len)
            return r;
    }
    return NULL;
}

/* ---- targets that a text names, which the program reads ---- */

/* Where a target is defined ("destroy: x") or declared (.PHONY) nothing runs it. */
static bool runs_target(struct str line, const struct target *t)
{
    if (str_starts(line, STR(".PHONY")))
        return false;
    for (size_t at = 0; at + t->name.len <= line.len; at++) {
        size_t end = at + t->name.len;
        if (!str_eq(str_slice(line, at, end), t->name) || (at && ascii_is_name(line.s[at - 1])))
            continue;
        if (!t->begins && end < line.len && ascii_is_name(line.s[end]))
            continue;
        while (end < line.len &&
               (ascii_is_blank(line.s[end]) || (t->begins && !strchr(":;#|$(", line.s[end]))))
            end++;
        if (at > 0 || str_byte(line, end) != ':' || str_byte(line, end + 1) == '=')
            return true;
    }
    return false;
}

static bool text_runs_target(struct str text, const struct target *t)
{
    struct str line, rest = text;

    for (bool more = true; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        if (runs_target(line, t))
            return true;
    }
    return false;
}

static void doubt_target(struct evasion *e, struct str program, struct str text)
{
    struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);

    for (size_t i = 0; i < rules.count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules.items[i]];
        struct target target = named_task(e, r);
        if (target.name.len && text_runs_target(text, &target))
            evasion_doubt_unnamed(e, r, "a text that it reads names what matches");
    }
}

void evasion_targets(struct evasion *e, struct str text)
{
    const struct action *a = &e->f->actions.items[e->action];

    if (a->row && a->row->task_by_task)
        doubt_target(e, path_base(a->name), text);
}

/* Does it write a file, or is it a redirection that does? */
static bool writes(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & ACCESS_WRITE)
            return true;
    return false;
}

/* MAKEFLAGS=.DEFAULT_GOAL=x make; printf 'y: x' > z.mk; make -f z.mk: what the call itself gives
 * the program to read. */
static void look_at_given(const struct tasks *t)
{
    const struct shell_actions *all = &t->e->f->shell->actions;

    for (size_t i = 1; i < t->count; i++) /* .DEFAULT_GOAL:=x */
        if (str_has(t->words[i].text, '=') && !strs_has(&t->names, t->words[i].text))
            doubt_target(t->e, t->program, t->words[i].text);

    for (size_t i = 0; i < all->count; i++) {
        const struct action *a = &t->e->f->actions.items[i];
        const struct shell_action *from = &all->items[i];
        bool sets = from->kind == SHELL_ASSIGN && environment_is_dangerous(a, NULL);
        if (i == t->e->action || !(sets || writes(a)))
            continue;
        if (a->redirect && from->parent >= 0)
            from = &all->items[from->parent];
        for (size_t w = 1; w < from->words.count; w++)
            doubt_target(t->e, t->program,
                         evasion_unescape(t->e->f->arena, from->words.items[w].text));
        if (from->input == SHELL_INPUT_TEXT)
            doubt_target(t->e, t->program, from->input_text);
    }
}

static void compare_tasks(const struct tasks *t)
{
    const struct action *a = &t->e->f->actions.items[t->e->action];

    for (size_t i = 0; i < t->names.count; i++)
        compare_task(t, t->names.items[i]);
    if (rule_on_task(t))
        look_at_given(t);
    if (a->row == t->row && (a->effects & EFFECT_CODE)) /* make --eval 'x: deploy' */
        evasion_doubt_unnamed(t->e, rule_on_task(t),
                              "it is given code that could run what matches");
}

/* ---- the scripts of package.json ---- */

/* The programs that run the same scripts as this one. */
static struct str runners_of(struct str program)
{
    const struct program_row *row = program_by_any_name(program);

    return str_from(row && row->shares_scripts ? row->shares_scripts : "");
}

/* What is in the nearest package.json; s is NULL: it is not known. */
static struct str manifest(const struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];
    const struct world *world = e->f->world;
    struct str directory = a->directory.len ? a->directory : a->cwd, text = {0};

    for (; path_is_absolute(directory); directory = path_dir(directory)) {
        struct str file = path_join(e->f->arena, directory, STR("package.json"));
        file = str_copy(e->f->arena, file);
        if (world->kind(world->context, file.s) != FILE_ABSENT)
            return named_in_read(e->f, file.s, &text) ? text : (struct str){0};
        if (directory.len == 1)
            break;
    }
    return (struct str){0};
}

static bool has_script(const struct evasion *e, struct str text, struct str name)
{
    return !text.s || str_contains(text, str_format(e->f->arena, "\"%.*s\"", STR_ARG(name)));
}

/* Does the pattern of the rule run a script of this name? */
static bool runs_script(struct evasion *e, const struct rule *r, struct str script)
{
    struct rule_words pattern = rule_words(e->f->arena, r);
    struct shell_word *words = ARENA_ARRAY(e->f->arena, struct shell_word, pattern.count + 1);
    struct tasks tasks;
    size_t count = 0;

    for (; count < pattern.count && !pattern.items[count].wild; count++)
        words[count] = (struct shell_word){.text = pattern.items[count].text, .known = true};
    return count && read_tasks(e, words, count, &tasks) && strs_has(&tasks.names, script);
}

static void compare_script_of(const struct tasks *t, struct str program, struct str script)
{
    struct evasion *e = t->e;
    struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);

    for (size_t i = 0; i < rules.count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules.items[i]];
        if (!str_contains(r->pattern, script) || evasion_is_spent(e, r->pattern.len) ||
            !runs_script(e, r, script))
            continue;
        if (str_eq(program, t->program))
            evasion_match(e, r);
        else
            evasion_doubt_unnamed(e, r, "the script that it runs is one that matches");
    }
}

static void compare_script(const struct tasks *t, struct str script)
{
    struct str rest = runners_of(t->program), program;

    while (str_next_word(&rest, &program))
        compare_script_of(t, program, script);
}

static void compare_around(const struct tasks *t, struct str text, struct str script)
{
    static const char *const around[] = {"pre", "post"};

    for (size_t i = 0; i < COUNT(around); i++) {
        struct str name = str_join(t->e->f->arena, str_from(around[i]), script);
        if (has_script(t->e, text, name))
            compare_script(t, name);
    }
}

static void compare_scripts(const struct tasks *t)
{
    struct str rest = str_from(t->row->scripts && !any_script(t->row) ? t->row->scripts : ""), name;
    struct str text = manifest(t->e);

    for (size_t i = 0; i < t->names.count; i++) {
        compare_script(t, t->names.items[i]);
        compare_around(t, text, t->names.items[i]);
    }
    while (str_next_word(&rest, &name)) {
        if (has_script(t->e, text, name))
            compare_script(t, name);
        compare_around(t, text, name);
    }
}

/* Is there a rule on one of those that run the same scripts? */
static bool may_name_script(const struct evasion *e, struct str program)
{
    struct str rest = runners_of(program), one;

    while (str_next_word(&rest, &one))
        if (rulebook_may_name(e->f->book, one.s[0]) &&
            rulebook_on_program(e->f->arena, e->f->book, one).count)
            return true;
    return false;
}

__attribute__((noinline)) static void
look_at_tasks(struct evasion *e, const struct shell_word *words, size_t count, struct str program)
{
    const struct program_row *row = program_by_any_name(program);
    bool scripts = row && row->shares_scripts && may_name_script(e, program);
    struct tasks t;

    if ((scripts || (row && row->task_by_task)) && read_tasks(e, words, count, &t)) {
        if (t.row->task_by_task)
            compare_tasks(&t);
        if (scripts)
            compare_scripts(&t);
    }
}

void evasion_tasks(struct evasion *e, const struct shell_word *words, size_t count,
                   struct str program)
{
    if (program_may_say(program, COLUMN_TASKS))
        look_at_tasks(e, words, count, program);
}
