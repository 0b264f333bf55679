/* grants_session.c - what a person approved for the rest of a session: listed, and taken back. */
#include "report/grants.h"

#include <stdlib.h>

#include "base/list.h"
#include "machine/stamp.h"
#include "record/decision.h"
#include "report/recorded.h"
#include "report/when.h"

/* ---- finding them ---- */

struct grants_search {
    struct arena *arena;
    const warder_engine *engine;
    const struct session_kept *kept;
    struct session_grants *out;
    warder_log *log;
    struct str record; /* as JSON */
    size_t at;
    bool failed;
};

static void take(void *arg)
{
    struct grants_search *f = arg;
    const struct session *s = &f->kept->session;

    if (!str_eq(s->workspace, f->engine->project) || !f->kept->name.len)
        return;
    for (size_t i = 0; i < s->approvals.count; i++) {
        const struct session_approval *one = &s->approvals.items[i];
        struct session_grant g = {.id = str_copy(f->arena, one->id),
                                  .client = str_copy(f->arena, f->kept->client),
                                  .session = str_copy(f->arena, f->kept->name),
                                  .how = one->how,
                                  .at = one->at,
                                  .changed = f->kept->changed,
                                  .found = f->out->count};
        g.name = str_format(f->arena, GRANT_OF_SESSION "%.*s", STR_ARG(decision_brief(g.id)));
        LIST_PUSH(f->arena, f->out, g);
    }
}

static bool visit(const struct session_kept *kept, void *context)
{
    struct grants_search *f = context;

    f->kept = kept;
    f->failed = !arena_try(f->arena, take, f);
    return !f->failed;
}

static void take_record(void *arg)
{
    struct grants_search *f = arg;
    struct session_grant *g = &f->out->items[f->at];
    struct recorded r;

    if (!recorded_read(f->arena, str_copy(f->arena, f->record), &r))
        return;
    g->tool = r.tool;
    g->shown = r.shown;
}

/* A record that retention has removed leaves its approval without a text. */
static void look_up(struct grants_search *f)
{
    const struct session_grant *g = &f->out->items[f->at];
    warder_report *record = NULL;

    if (!f->log || !g->id.len || warder_log_find(f->log, g->id.s, NULL, &record, NULL) != WARDER_OK)
        return;
    f->record = str_from(warder_report_json(record));
    f->failed |= !arena_try(f->arena, take_record, f);
    warder_report_free(record);
}

static int older_first(const void *a, const void *b)
{
    const struct session_grant *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->found < y->found ? -1 : x->found > y->found; /* a session keeps them in order */
}

enum status session_grants_find(struct arena *a, const warder_engine *e, struct session_grants *out,
                                struct error *err)
{
    struct grants_search f = {.arena = a, .engine = e, .out = out};
    enum status status = session_each(e->request.state_dir.s, visit, &f, err);

    if (status != STATUS_OK)
        return status;
    if (out->count)
        qsort(out->items, out->count, sizeof(out->items[0]), older_first);
    if (out->count && warder_log_open(e->request.state_dir.s, NULL, &f.log, NULL) == WARDER_OK) {
        for (f.at = 0; f.at < out->count; f.at++)
            look_up(&f);
        warder_log_close(f.log);
    }
    return f.failed ? fail(err, STATUS_NOMEM, "out of memory") : STATUS_OK;
}

/* ---- showing one ---- */

static const struct {
    const char *name, *said;
} hows[] = {
    [APPROVED_AT_PROMPT] = {"prompt", "allowed for the session when it was asked"},
    [APPROVED_BY_ALLOW] = {"allow", "by warder allow"},
    [APPROVED_IN_CLIENT] = {"client", "allowed in the agent's own prompt, exactly this call"}};
_Static_assert(COUNT(hows) == APPROVED_HOWS, "one each");

void session_grant_show(struct report *r, const struct session_grant *g)
{
    struct buf when = buf_in(r->arena);
    char at[STAMP_SIZE];

    stamp_print(g->at * 1000, at);
    when_print(&when, str_from(at));
    json_begin_object(&r->json);
    report_member(r, "id", g->name);
    report_member(r, "behavior", STR("allow"));
    report_member(r, "decision_id", g->id);
    report_member(r, "tool", g->tool);
    report_member(r, "command", g->shown);
    report_member(r, "client", g->client);
    report_member(r, "session", g->session);
    report_member(r, "how", str_from(hows[g->how].name));
    report_member(r, "at", str_from(at));
    report_member(r, "until", STR("the session ends"));
    json_end_object(&r->json);
    report_show(r, g->name);
    buf_text(&r->text, "  allow  ");
    report_show(r, g->tool.len ? g->tool : STR("(a call that is no longer on record)"));
    buf_byte(&r->text, ' ');
    report_show(r, g->shown);
    buf_text(&r->text, "  (until session ");
    report_show(r, g->session);
    buf_text(&r->text, " of ");
    report_show(r, g->client);
    buf_format(&r->text, " ends; %s, ", hows[g->how].said);
    buf_add(&r->text, buf_str(&when));
    buf_text(&r->text, ")\n");
}

/* ---- taking one back ---- */

struct removal {
    struct str id;
    bool found;
};

static void remove_keys(struct session *s, const struct strs *keys)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->grants.count; i++)
        if (!strs_has(keys, str_slice(s->grants.items[i], 0, SESSION_KEY_SHORT)))
            s->grants.items[kept++] = s->grants.items[i];
    s->grants.count = kept;
}

static void remove_approval(struct arena *a, struct session *s, void *context)
{
    struct removal *r = context;
    size_t kept = 0;

    (void)a;
    for (size_t i = 0; i < s->approvals.count; i++) {
        const struct session_approval one = s->approvals.items[i];
        if (!str_eq(one.id, r->id)) {
            s->approvals.items[kept++] = one;
            continue;
        }
        remove_keys(s, &one.keys);
        r->found = true;
    }
    s->approvals.count = kept;
}

enum status session_grant_revoke(const warder_engine *e, const struct session_grant *g,
                                 struct error *err)
{
    const struct session_id id = engine_session(e, g->client, g->session);
    struct removal r = {.id = g->id};
    enum status status = session_update(&id, remove_approval, &r, NULL, err);

    if (status == STATUS_OK && !r.found)
        status = fail(err, STATUS_USAGE, "its session is over");
    return status;
}
