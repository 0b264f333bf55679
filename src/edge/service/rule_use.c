#include "service/rule_use.h"

#include <stdlib.h>

#include "engine/action_json.h"
#include "record/index.h"
#include "rule/lint.h"

#define DAY_MS ((int64_t)86400 * 1000)

/* ---- the log ---- */

struct gathering {
    struct arena *arena;
    struct rule_uses *out;
    const struct index_use *use;
    bool failed;
};

static void keep(void *arg)
{
    const struct gathering *g = arg;
    const struct rule_use use = {str_copy(g->arena, g->use->rule), str_copy(g->arena, g->use->last),
                                 g->use->count};

    LIST_PUSH(g->arena, g->out, use);
}

static bool visit(const struct index_use *use, void *context)
{
    struct gathering *g = context;

    g->use = use;
    g->failed = !arena_try(g->arena, keep, g);
    return !g->failed;
}

enum status rule_uses_read(warder_service *s, struct arena *a, struct rule_uses *out,
                           struct error *err)
{
    struct gathering g = {.arena = a, .out = out};
    struct index *index = NULL;
    char *notice = NULL, since[STAMP_SIZE];
    enum status status = index_open_sqlite(s->data, SERVICE_BUSY_MS, &index, &notice, err);

    *out = (struct rule_uses){0};
    stamp_print(s->wall() - RULE_USE_DAYS * DAY_MS, since);
    if (status == STATUS_OK)
        status = index_follow(index, s->data, err);
    if (status == STATUS_OK)
        status = index->kind->uses(index, since, visit, &g, err);
    index_close(index);
    free(notice);
    return status == STATUS_OK && g.failed ? fail(err, STATUS_NOMEM, "out of memory") : status;
}

/* ---- one rule ---- */

static int by_id(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct rule_use *)item)->rule);
}

void rule_use_members(struct json_writer *w, const struct rule_uses *uses, struct str id)
{
    const struct rule_use *use =
        uses->count ? bsearch(&id, uses->items, uses->count, sizeof(*use), by_id) : NULL;

    json_key(w, "hits");
    json_int(w, use ? (int64_t)use->count : 0);
    json_text_or_null(w, "last_hit", use ? use->last : (struct str){0});
}

static void write_finding(struct json_writer *w, const struct lint_finding *f)
{
    json_begin_object(w);
    json_text_member(w, "name", str_from(f->name));
    json_text_member(w, "severity", STR("warning"));
    json_text_member(w, "message", f->message);
    json_end_object(w);
}

void rule_lint_member(struct json_writer *w, const struct rules *rules, const struct rule *rule)
{
    struct lint_findings findings = {0};

    if (rule && rule->source != SOURCE_BUILTIN)
        rule_lint(w->out->arena, rules, (size_t)(rule - rules->items), program_danger,
                  program_meant, &findings);
    json_key(w, "lint");
    json_begin_array(w);
    for (size_t i = 0; i < findings.count; i++)
        write_finding(w, &findings.items[i]);
    json_end_array(w);
}
