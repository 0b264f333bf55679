/* programs.c - programs: rows for the table of programs, in the language of programs/programs.h.
 *
 *     programs:
 *       - name: deployctl
 *         options: mixed -v -e,--env= --config=R
 *         subcommands:
 *           - {name: status, operands: none, effects: [fetch]}
 *           - {name: push, options: --force, operands: R+, effects: [send]}
 *       - {name: withlock, options: -t=, operands: W I, transparent: true}
 *
 * A row can say that a program is harmless, so one of a project counts only if the project is
 * trusted, and never if Warder knows the program itself: an agent can write the files of its
 * project. It can also say that a program is dangerous, so one that cannot be read is fatal. */
#include <stdlib.h>

#include "base/nearest.h"
#include "policy/schema.h"
#include "programs/programs.h"

#define NESTING_MAX 4 /* levels of subcommands; a name has at most this many words */

/* A row under construction, and the places of its parts. */
struct draft {
    struct program_row row;
    const struct value *at, *options, *operands;
    bool has_subcommands;
};

static bool is_text(struct policy_reader *r, const struct value *v, const char *key)
{
    if (v->kind == VALUE_STRING && !str_has(v->text, '\0'))
        return true;
    schema_problem(r, true, v, "\"%s\" of a program must be a string", key);
    return false;
}

static bool take_text(struct policy_reader *r, const struct value *v, const char *key,
                      const char **out)
{
    if (!is_text(r, v, key))
        return false;
    *out = str_copy(r->arena, v->text).s;
    return true;
}

static bool take_name(struct policy_reader *r, struct draft *d, const struct value *v)
{
    if (!is_text(r, v, "name"))
        return false;
    d->row.name = d->row.name ? str_format(r->arena, "%s %.*s", d->row.name, STR_ARG(v->text)).s
                              : str_copy(r->arena, v->text).s;
    return true;
}

static bool take_options(struct policy_reader *r, struct draft *d, const struct value *v)
{
    d->options = v;
    return take_text(r, v, "options", &d->row.options);
}

static bool take_operands(struct policy_reader *r, struct draft *d, const struct value *v)
{
    d->operands = v;
    return take_text(r, v, "operands", &d->row.operands);
}

static bool take_effects(struct policy_reader *r, struct draft *d, const struct value *v)
{
    if (v->kind != VALUE_ARRAY) {
        schema_problem(r, true, v, "\"effects\" of a program must be a list");
        return false;
    }
    for (size_t i = 0; i < v->count; i++) {
        const struct value *name = &v->items[i];
        unsigned bit = name->kind == VALUE_STRING ? program_effect_named(name->text) : 0;
        if (!bit) {
            schema_problem(r, true, name, "unknown effect");
            return false;
        }
        d->row.effects |= bit;
    }
    return true;
}

static bool take_transparent(struct policy_reader *r, struct draft *d, const struct value *v)
{
    if (v->kind != VALUE_BOOL) {
        schema_problem(r, true, v, "\"transparent\" must be true or false");
        return false;
    }
    d->row.transparent = v->boolean;
    return true;
}

static bool take_subcommands(struct policy_reader *r, struct draft *d, const struct value *v)
{
    if (v->kind != VALUE_ARRAY)
        schema_problem(r, true, v, "\"subcommands\" of a program must be a list");
    d->has_subcommands = v->kind == VALUE_ARRAY && v->count;
    return v->kind == VALUE_ARRAY;
}

static const struct {
    const char *name;
    bool (*take)(struct policy_reader *r, struct draft *d, const struct value *v);
} keys[] = {
    {"name", take_name},       {"options", take_options},         {"operands", take_operands},
    {"effects", take_effects}, {"transparent", take_transparent}, {"subcommands", take_subcommands},
};

const char *programs_key(size_t n)
{
    return n < COUNT(keys) ? keys[n].name : NULL;
}

static bool knows_key(struct str key, struct nearest *near)
{
    *near = nearest_to(key);
    for (size_t i = 0; i < COUNT(keys); i++) {
        if (str_is(key, keys[i].name))
            return true;
        nearest_try(near, str_from(keys[i].name));
    }
    return false;
}

static bool take_keys(struct policy_reader *r, struct draft *d, const struct value *v)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct member *m = &v->members[i];
        struct value place = {.line = m->line, .column = m->column};
        struct nearest near;
        if (knows_key(m->key, &near))
            continue;
        schema_problem(r, true, &place, "%s", schema_unknown(r->arena, m->key, &near).s);
        return false;
    }
    for (size_t i = 0; i < COUNT(keys); i++) {
        const struct value *member = value_get(v, keys[i].name);
        if (member && !keys[i].take(r, d, member))
            return false;
    }
    return true;
}

/* The options are checked first, by themselves, so that the error has the right place. */
static bool is_sound(struct policy_reader *r, const struct draft *d)
{
    struct program_row alone = d->row;
    const struct value *at = d->at;
    const char *fault;

    alone.operands = "";
    if ((fault = program_added_fault(&alone)))
        at = d->options ? d->options : d->at;
    else if ((fault = program_added_fault(&d->row)))
        at = d->operands ? d->operands : d->at;
    if (fault)
        schema_problem(r, true, at, "the row of \"%.80s\" has %s", d->row.name, fault);
    return !fault;
}

static const struct program_row *find(const struct program_rows *rows, const char *name)
{
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->items[i].name, name) == 0)
            return &rows->items[i];
    return NULL;
}

/* Files are read strongest first, so an existing row wins. */
static void add(struct policy_reader *r, const struct draft *d)
{
    struct program_rows *rows = r->book->programs;

    if (!rows)
        rows = r->book->programs = ARENA_NEW(r->arena, struct program_rows);
    const struct program_row *other = find(rows, d->row.name);
    if (other && str_starts(str_from(other->source), r->file))
        schema_problem(r, true, d->at, "\"%.80s\" already has a row at %s", d->row.name,
                       other->source);
    else if (!other && rows->count == POLICY_PROGRAMS_MAX)
        schema_problem(r, true, d->at, "more than %zu rows for programs", POLICY_PROGRAMS_MAX);
    else if (!other)
        LIST_PUSH(r->arena, rows, d->row);
}

/* A project can only add programs that neither Warder nor stronger policy knows. */
static bool may_speak(struct policy_reader *r, const struct draft *d)
{
    if (!r->trusted) {
        r->left_out++;
        return false;
    }
    if (d->row.strength >= PROGRAM_BY_USER || !program_is_shipped(str_from(d->row.name)))
        return true;
    schema_problem(
        r, false, d->at,
        "Warder already knows \"%.80s\", and only managed and user policy can change it; ignored",
        d->row.name);
    return false;
}

static enum program_strength strength_of(enum source source)
{
    return source == SOURCE_MANAGED ? PROGRAM_BY_MANAGED
           : source == SOURCE_USER  ? PROGRAM_BY_USER
                                    : PROGRAM_BY_PROJECT;
}

static void take_row(struct policy_reader *r, const char *outer, const struct value *v,
                     unsigned depth)
{
    struct draft d = {.at = v, .row = {.name = outer, .options = "", .operands = ""}};
    const struct value *inner = value_get(v, "subcommands");

    if (v->kind != VALUE_OBJECT || !value_get(v, "name")) {
        schema_problem(r, true, v, "a program must be an object with a name");
        return;
    }
    if (!take_keys(r, &d, v))
        return;
    if (d.has_subcommands && !d.operands)
        d.row.operands = "sub";
    d.row.source = str_format(r->arena, "%.*s:%u", STR_ARG(r->file), v->line).s;
    d.row.strength = strength_of(r->source);
    if (!is_sound(r, &d))
        return;
    if (may_speak(r, &d))
        add(r, &d);
    for (size_t i = 0; d.has_subcommands && i < inner->count; i++)
        if (depth < NESTING_MAX)
            take_row(r, d.row.name, &inner->items[i], depth + 1);
        else
            schema_problem(r, true, inner, "subcommands are nested too deeply");
}

void take_programs(struct policy_reader *r, const struct value *v)
{
    for (size_t i = 0; i < v->count; i++)
        take_row(r, NULL, &v->items[i], 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct program_row *)a)->name, ((const struct program_row *)b)->name);
}

/* If only managed allow rules count, only managed rows count, too. */
static void keep_managed(struct program_rows *rows)
{
    size_t kept = 0;

    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].strength == PROGRAM_BY_MANAGED)
            rows->items[kept++] = rows->items[i];
    rows->count = kept;
}

static void keep_managed_variables(struct tool_entries *entries)
{
    size_t kept = 0;

    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].source == SOURCE_MANAGED)
            entries->items[kept++] = entries->items[i];
    entries->count = kept;
}

void programs_finish(struct rulebook *book)
{
    if (book->managed_rules_only)
        keep_managed_variables(&book->variables);
    if (!book->programs)
        return;
    if (book->managed_rules_only)
        keep_managed(book->programs);
    if (book->programs->count)
        qsort(book->programs->items, book->programs->count, sizeof(*book->programs->items),
              by_name);
}
