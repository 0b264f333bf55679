#include "report/outside_call.h"

#include <string.h>

#include "ask/cells.h"
#include "report/journal_lines.h"

#define ID_DIGITS_MIN 8

struct looking {
    struct arena *arena;
    struct str home, id, line;
    struct outside_call out;
};

static void add_refused(struct looking *l, const struct value *refused)
{
    for (size_t i = 0; i < refused->count; i++) {
        struct str kind = value_text(&refused->items[i], "kind");
        struct str what = value_text(&refused->items[i], "what");
        struct strs *list = str_is(kind, "write") ? &l->out.paths : &l->out.hosts;
        struct wall wall;
        if (!what.len || strs_has(list, what))
            continue;
        LIST_PUSH(l->arena, list, what);
        if (!wall_of(l->arena, l->home, kind, what, &wall))
            walls_add(l->arena, &l->out.walls, &wall);
    }
}

static void look_at_call(struct looking *l, const struct value *v)
{
    const struct member *contained = value_member(v, STR("contained"));
    struct str id = contained ? value_text(&contained->value, "outside") : (struct str){0};
    struct str token = contained ? value_text(&contained->value, "token") : (struct str){0};

    if (!id.len || (!str_starts(id, l->id) && !str_starts(token, l->id)))
        return;
    l->out = (struct outside_call){.id = id,
                                   .token = token,
                                   .command = value_text(v, "command"),
                                   .cwd = value_text(v, "cwd"),
                                   .client = value_text(v, "client"),
                                   .session = value_text(v, "session_id")};
}

/* One line: the call, or how its cell ended. */
static void look(void *arg)
{
    struct looking *l = arg;
    struct str line = str_copy(l->arena, l->line);
    struct value v;

    if (json_read(l->arena, line, NULL, &v, NULL) != STATUS_OK || v.kind != VALUE_OBJECT)
        return;
    if (str_is(value_text(&v, "kind"), "decision"))
        look_at_call(l, &v);
    const struct member *refused = value_member(&v, STR("refused"));
    if (str_is(value_text(&v, "kind"), "cell-end") && refused && l->out.id.len &&
        (str_eq(value_text(&v, "token"), l->out.id) ||
         str_eq(value_text(&v, "token"), l->out.token)))
        add_refused(l, &refused->value);
}

static bool is_about(const struct looking *l, struct str line)
{
    return str_contains(line, l->id) || (l->out.token.len && str_contains(line, l->out.token));
}

static bool visit(void *context, struct str line)
{
    struct looking *l = context;

    l->line = line;
    return !is_about(l, line) || arena_try(l->arena, look, l);
}

static bool is_id(struct str id)
{
    return id.len >= ID_DIGITS_MIN && id.len < CELL_OUTSIDE_SIZE &&
           strspn(id.s, "0123456789abcdef") == id.len;
}

enum status outside_find(struct arena *a, const warder_engine *engine, struct str id,
                         struct outside_call *out, struct error *err)
{
    struct looking l = {.arena = a, .home = engine->home, .id = id};

    if (!is_id(id))
        return fail(err, STATUS_USAGE, "an ID is 8 to 32 lower-case hexadecimal digits");
    const struct journal_visitor visitor = {visit, &l};
    enum status status = journal_lines(engine->request.state_dir.s, &visitor, err);
    if (status == STATUS_OK && !l.out.id.len)
        return fail(err, STATUS_USAGE,
                    "the record has no call with that ID that ran in the sandbox");
    *out = l.out;
    return status;
}
