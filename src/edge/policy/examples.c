/* examples.c - calls in a policy file, and what the file says about them: `tests`, and `match` and
 * `not` of a rule. engine/examples.h judges them. */
#include "base/json.h"
#include "policy/entry_parts.h"

#define FILES_MAX ((size_t)100) /* of one example */

/* ---- one call ---- */

struct example_draft {
    struct policy_reader *reading;
    struct example example;
};

static struct str keep(struct policy_reader *r, struct str s)
{
    return s.len ? str_copy(r->arena, s) : (struct str){0};
}

/* "Read(~/.ssh/id_rsa)" is a call of that tool; anything else is a command. */
static enum status read_call(struct example_draft *d, const struct value *v, struct error *err)
{
    struct example *e = &d->example;
    struct str text = {0}, tool;
    enum status status = entry_text(v, &text, err);

    if (!status && !text.len)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "the call is empty");
    e->shown = keep(d->reading, text);
    e->tool = keep(d->reading, STR("Bash"));
    e->argument = e->shown;
    if (status || !schema_names_tool(text))
        return status;
    e->argument = (struct str){0};
    if (str_cut(text, '(', &tool, &text) && str_ends(text, STR(")")))
        e->argument = keep(d->reading, str_slice(text, 0, text.len - 1));
    e->tool = keep(d->reading, tool);
    return STATUS_OK;
}

static enum status read_tool(struct example_draft *d, const struct value *v, struct error *err)
{
    struct str text = {0};
    enum status status = entry_text(v, &text, err);

    d->example.tool = keep(d->reading, text);
    if (!d->example.shown.len)
        d->example.shown = d->example.tool;
    return status;
}

static enum status read_input(struct example_draft *d, const struct value *v, struct error *err)
{
    struct buf b = buf_in(d->reading->arena);

    if (v->kind != VALUE_OBJECT)
        return entry_wrong(v, "an object", err);
    json_value(&b, v);
    d->example.input = buf_str(&b);
    return STATUS_OK;
}

static enum status read_cwd(struct example_draft *d, const struct value *v, struct error *err)
{
    struct str text = {0};
    enum status status = entry_text(v, &text, err);

    d->example.cwd = keep(d->reading, text);
    return status;
}

static enum status read_mode(struct example_draft *d, const struct value *v, struct error *err)
{
    enum mode mode;
    struct str text = {0};
    enum status status = entry_text(v, &text, err);

    if (!status && !mode_parse(text, &mode))
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "unknown mode");
    d->example.mode = keep(d->reading, text);
    return status;
}

static enum status read_files(struct example_draft *d, const struct value *v, struct error *err)
{
    if (v->kind == VALUE_ARRAY && v->count > FILES_MAX)
        return fail_at(err, STATUS_LIMIT, v->line, v->column, "more than %zu files", FILES_MAX);
    return entry_texts(d->reading, v, &d->example.files, err);
}

static const struct {
    const char *name;
    enum status (*read)(struct example_draft *d, const struct value *v, struct error *err);
} members[] = {
    {"call", read_call}, {"tool", read_tool}, {"input", read_input},
    {"cwd", read_cwd},   {"mode", read_mode}, {"files", read_files},
};

static enum status read_members(struct example_draft *d, const struct value *v, struct error *err)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; !status && i < v->count; i++) {
        const struct member *m = &v->members[i];
        size_t n = 0;
        while (n < COUNT(members) && !str_is(m->key, members[n].name))
            n++;
        status = n < COUNT(members)
                     ? members[n].read(d, &m->value, err)
                     : fail_at(err, STATUS_SYNTAX, m->line, m->column, "unknown key \"%.*s\"",
                               (int)(m->key.len < 80 ? m->key.len : 80), m->key.s);
    }
    if (!status && (!d->example.tool.len || (d->example.input.len && d->example.argument.len)))
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "an example needs a call, or a tool with its input");
    return status;
}

static enum status read_example(struct policy_reader *r, const struct value *v,
                                struct example *example, struct error *err)
{
    struct example_draft d = {r, *example};
    enum status status = v->kind == VALUE_OBJECT   ? read_members(&d, v, err)
                         : v->kind == VALUE_STRING ? read_call(&d, v, err)
                                                   : entry_wrong(v, "a call", err);

    *example = d.example;
    example->file = r->file;
    example->line = v->line;
    example->column = v->column;
    example->source = schema_place(r, v).source;
    return status;
}

/* ---- lists of them ---- */

enum status entry_examples(struct policy_reader *r, const struct value *v, enum example_kind kind,
                           struct examples *out, struct error *err)
{
    const struct value *items = v->kind == VALUE_ARRAY ? v->items : v;
    size_t count = v->kind == VALUE_ARRAY ? v->count : 1;
    enum status status = STATUS_OK;

    for (size_t i = 0; !status && i < count; i++) {
        struct example example = {.kind = kind};
        status = read_example(r, &items[i], &example, err);
        if (!status)
            LIST_PUSH(r->arena, out, example);
    }
    return status;
}

/* Of a project that is not trusted only what restricts counts, and so its examples could not hold.
 */
void examples_add(struct policy_reader *r, const struct examples *examples)
{
    struct examples *all = &r->book->examples;

    for (size_t i = 0; r->trusted && i < examples->count; i++) {
        const struct value at = {.line = examples->items[i].line,
                                 .column = examples->items[i].column};
        if (all->count == POLICY_EXAMPLES_MAX) {
            schema_problem(r, true, &at, "more than %zu examples", POLICY_EXAMPLES_MAX);
            return;
        }
        LIST_PUSH(r->arena, all, examples->items[i]);
    }
}

static void take_list(struct policy_reader *r, const struct value *v, enum behavior wanted)
{
    struct examples examples = {0};
    struct error err = {0};

    if (entry_examples(r, v, EXAMPLE_VERDICT, &examples, &err)) {
        const struct value at = {.line = err.line, .column = err.column};
        schema_problem(r, true, &at, "%s", err.message);
        return;
    }
    for (size_t i = 0; i < examples.count; i++)
        examples.items[i].wanted = wanted;
    examples_add(r, &examples);
}

static void take_allowed(struct policy_reader *r, const struct value *v)
{
    take_list(r, v, BEHAVIOR_ALLOW);
}

static void take_asked(struct policy_reader *r, const struct value *v)
{
    take_list(r, v, BEHAVIOR_ASK);
}

static void take_denied(struct policy_reader *r, const struct value *v)
{
    take_list(r, v, BEHAVIOR_DENY);
}

void take_tests(struct policy_reader *r, const struct value *v)
{
    static const struct schema_key keys[] = {
        {"allow", TAKES(VALUE_ARRAY), true, take_allowed},
        {"ask", TAKES(VALUE_ARRAY), true, take_asked},
        {"deny", TAKES(VALUE_ARRAY), true, take_denied},
    };

    schema_take(r, v, keys, COUNT(keys));
}
