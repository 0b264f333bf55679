#include "report/usage.h"

#include <stdio.h>

#define MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define DAY_MS     ((int64_t)86400 * 1000)

static size_t *slot_of(const struct usage *u, size_t *table, size_t room, struct str id)
{
    size_t at = str_hash(id) & (room - 1);

    while (table[at] && !str_eq(u->ids.items[table[at] - 1], id))
        at = (at + 1) & (room - 1);
    return &table[at];
}

static void grow(struct usage *u)
{
    size_t room = u->room ? u->room * 2 : 256;
    size_t *table = ARENA_ARRAY(&u->arena, size_t, room);

    for (size_t i = 0; i < u->ids.count; i++)
        *slot_of(u, table, room, u->ids.items[i]) = i + 1;
    u->table = table;
    u->room = room;
}

/* ---- the log ---- */

struct reading {
    struct usage *usage;
    struct arena line;
    bool failed;
    bool first; /* only how old the first record is */
    char oldest[STAMP_SIZE];
    const char *json;
    struct str id;
};

static void read_line(void *arg)
{
    struct reading *r = arg;
    struct value v;

    if (json_read(&r->line, str_from(r->json), NULL, &v, NULL) != STATUS_OK)
        return;
    r->id = value_text(&v, "matched_rule_id");
    if (r->first)
        snprintf(r->oldest, sizeof(r->oldest), "%.*s", STR_ARG(value_text(&v, "timestamp")));
}

static void keep_id(void *arg)
{
    struct reading *r = arg;
    struct usage *u = r->usage;

    if (2 * (u->ids.count + 1) > u->room)
        grow(u);
    size_t *slot = slot_of(u, u->table, u->room, r->id);
    if (*slot)
        return;
    LIST_PUSH(&u->arena, &u->ids, str_copy(&u->arena, r->id));
    *slot = u->ids.count;
}

static int visit(void *context, const char *json, const char *text)
{
    struct reading *r = context;

    (void)text;
    if (!json)
        return 1;
    arena_reset(&r->line);
    r->json = json;
    r->id = (struct str){0};
    r->failed |= !arena_try(&r->line, read_line, r);
    r->usage->decisions += !r->first;
    if (!r->failed && !r->first && r->id.len)
        r->failed |= !arena_try(&r->usage->arena, keep_id, r);
    return r->failed;
}

static warder_status read_log(warder_log *log, struct reading *r, const char *since, uint32_t limit,
                              warder_error *err)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;

    filter.since = since;
    filter.limit = limit;
    warder_status status = warder_log_export(log, &filter, 0, visit, r, err);
    return status == WARDER_OK && r->failed ? give_no_memory(err) : status;
}

warder_status usage_gather(warder_log *log, unsigned days, struct usage *out, warder_error *err)
{
    struct reading r = {.usage = out, .first = true};

    *out = (struct usage){.days = days ? days : USAGE_DAYS};
    arena_init(&out->arena, MEMORY_MAX);
    arena_init(&r.line, MEMORY_MAX);
    stamp_print(stamp_now() - (int64_t)out->days * DAY_MS, out->since);
    warder_status status = read_log(log, &r, NULL, 1, err);
    out->complete = r.oldest[0] && strcmp(r.oldest, out->since) <= 0;
    r.first = false;
    if (status == WARDER_OK && out->complete)
        status = read_log(log, &r, out->since, 0, err);
    arena_release(&r.line);
    return status;
}

void usage_release(struct usage *u)
{
    arena_release(&u->arena);
}

bool usage_has(const struct usage *u, const struct rule *r)
{
    struct str id = rule_about(r)->id.len ? rule_about(r)->id : r->text;

    return u->room && *slot_of(u, u->table, u->room, id);
}
