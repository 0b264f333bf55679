/* overview.c - `warder status`: Warder at a glance. It looks, starts no hook, and changes nothing.
 *
 * The line is for the status line of an agent or a shell. It is made of our own words, the titles
 * of clients[] and numbers: no agent and no project chooses anything in it. */
#include <inttypes.h>
#include <time.h>

#include "connect/doctor.h"
#include "report/pause.h"

#define NAME_WIDTH 14

static size_t calls_of(const struct outcomes *o)
{
    return o->allowed + o->asked + o->denied + o->left;
}

static long minutes_left(const struct pause *p)
{
    return (long)((p->until.wall - (int64_t)time(NULL) + 59) / 60);
}

static bool is_wrong(const struct patient *p)
{
    return p->state == NOT_PROTECTED && !patient_is_gone(p);
}

/* Does it ask, or should it? An agent that is only installed may not be in use. */
static bool is_used(const struct patient *p)
{
    return p->used || p->called.at;
}

/* ---- what needs attention ---- */

static size_t agents_wrong(const struct visit *v)
{
    size_t count = 0;

    for (size_t i = 0; i < v->count; i++)
        count += is_wrong(&v->patients[i]);
    return count;
}

static size_t is_paused(const struct visit *v)
{
    return v->pause.until.wall != 0;
}

static size_t is_policy_wrong(const struct visit *v)
{
    return v->policy.message[0] != '\0';
}

static size_t is_record_wrong(const struct visit *v)
{
    return v->unread.message[0] != '\0';
}

static size_t approvals_waiting(const struct visit *v)
{
    return v->approvals;
}

static size_t reviews_waiting(const struct visit *v)
{
    return v->reviews;
}

static const struct {
    const char *name;
    size_t (*count)(const struct visit *v);
} concerns[] = {
    {"agents", agents_wrong}, {"policy", is_policy_wrong},      {"record", is_record_wrong},
    {"paused", is_paused},    {"approvals", approvals_waiting}, {"reviews", reviews_waiting},
};

static size_t count_concerns(const struct visit *v)
{
    size_t count = 0;

    for (size_t i = 0; i < COUNT(concerns); i++)
        count += concerns[i].count(v) != 0;
    return count;
}

/* ---- the line ---- */

static void write_today(struct buf *b, const struct outcomes *o)
{
    if (!calls_of(o)) {
        buf_text(b, "no calls today");
        return;
    }
    buf_format(b, "%zu allowed, %zu asked, %zu denied", o->allowed, o->asked, o->denied);
    if (o->left)
        buf_format(b, ", %zu left to the agent", o->left);
}

static void write_line(struct buf *b, const struct visit *v)
{
    buf_text(b, "warder: ");
    if (is_paused(v))
        buf_format(b, "PAUSED for %ld min | ", minutes_left(&v->pause));
    write_today(b, &v->today);
    if (is_policy_wrong(v))
        buf_text(b, " | POLICY ERROR: every call is denied");
    for (size_t i = 0; i < v->count; i++)
        if (is_wrong(&v->patients[i]) && is_used(&v->patients[i]))
            buf_format(b, " | %s NOT PROTECTED", v->patients[i].client->title);
    if (v->approvals + v->reviews)
        buf_format(b, " | %zu waiting for you", v->approvals + v->reviews);
    if (is_record_wrong(v))
        buf_text(b, " | the record cannot be read");
}

/* ---- the page ---- */

static const char *state_word(const struct patient *p)
{
    if (patient_is_gone(p))
        return "not here now";
    if (p->state != NOT_PROTECTED)
        return "registered";
    return p->used ? "NOT PROTECTED" : "NOT REGISTERED";
}

static void tell_agent(struct report *r, const struct patient *p)
{
    char at[STAMP_SIZE] = "";

    if (p->called.at)
        stamp_print(p->called.at, at);
    json_begin_object(&r->json);
    report_member(r, "client", str_from(p->client->name));
    report_member(r, "title", str_from(p->client->title));
    json_key(&r->json, "registered");
    json_bool(&r->json, p->used != NULL);
    json_key(&r->json, "protected");
    json_bool(&r->json, p->state != NOT_PROTECTED);
    report_member(r, "last_call", str_from(at));
    report_member(r, "problem", p->problems.count ? p->problems.items[0] : (struct str){0});
    json_end_object(&r->json);
    buf_format(&r->text, "%-*s %-14s  %s%s\n", NAME_WIDTH, p->client->title, state_word(p),
               p->called.at ? "last call " : "no call yet",
               p->called.at ? how_long_ago(r->arena, p->called.at).s : "");
    if (p->state == NOT_PROTECTED && p->used) {
        buf_format(&r->text, "%-*s ", NAME_WIDTH, "");
        report_show(r, p->problems.items[0]);
        buf_byte(&r->text, '\n');
    }
}

static void tell_agents(struct report *r, const struct visit *v)
{
    json_key(&r->json, "agents");
    json_begin_array(&r->json);
    for (size_t i = 0; i < v->count; i++)
        tell_agent(r, &v->patients[i]);
    json_end_array(&r->json);
    if (!v->count)
        buf_text(&r->text, "no agent was found on this machine\n");
}

static void tell_today(struct report *r, const struct outcomes *o)
{
    json_key(&r->json, "today");
    json_begin_object(&r->json);
    report_number(r, "calls", (int64_t)calls_of(o));
    report_number(r, "allowed", (int64_t)o->allowed);
    report_number(r, "asked", (int64_t)o->asked);
    report_number(r, "denied", (int64_t)o->denied);
    report_number(r, "left_to_client", (int64_t)o->left);
    report_number(r, "allowed_by_pause", (int64_t)o->paused);
    json_end_object(&r->json);
    buf_format(&r->text, "%-*s ", NAME_WIDTH, "today");
    write_today(&r->text, o);
    if (o->paused)
        buf_format(&r->text, "; %zu of them in a pause", o->paused);
    buf_byte(&r->text, '\n');
}

static void tell_waiting(struct report *r, const struct visit *v)
{
    const struct {
        const char *key, *one;
        size_t count;
        const char *next;
    } rows[] = {{"approvals", "approval", v->approvals, "warder approve"},
                {"reviews", "review", v->reviews, "warder review"}};

    json_key(&r->json, "waiting");
    json_begin_object(&r->json);
    for (size_t i = 0; i < COUNT(rows); i++) {
        report_number(r, rows[i].key, (int64_t)rows[i].count);
        if (rows[i].count)
            buf_format(&r->text, "%-*s %zu %s: %s\n", NAME_WIDTH, "WAITING", rows[i].count,
                       rows[i].count == 1 ? rows[i].one : rows[i].key, rows[i].next);
    }
    json_end_object(&r->json);
}

static void tell_undo(struct report *r, const struct visit *v)
{
    json_key(&r->json, "undo");
    json_begin_object(&r->json);
    report_number(r, "calls", (int64_t)v->undo.calls);
    report_number(r, "bytes", (int64_t)v->undo.bytes);
    report_member(r, "directory", str_from(v->undo.directory));
    json_end_object(&r->json);
    if (!v->undo.calls)
        return;
    buf_format(&r->text, "%-*s ", NAME_WIDTH, "undo");
    undo_place_write(&r->text, &v->undo);
    buf_text(&r->text, " saved in this project: warder undo list\n");
}

static void tell_pause(struct report *r, const struct visit *v)
{
    char until[PAUSE_UNTIL_SIZE] = "";

    if (is_paused(v)) {
        pause_until(&v->pause, until);
        buf_format(&r->text, "%-*s ", NAME_WIDTH, "PAUSED");
        report_pause(r, &v->pause);
        buf_text(&r->text, ": warder resume ends it\n");
    }
    report_member(r, "paused_until", str_from(until));
    report_member(r, "paused_in", v->pause.project);
}

static void tell_error(struct report *r, const char *key, const char *head, const struct error *e)
{
    report_member(r, key, str_from(e->message));
    if (!e->message[0])
        return;
    buf_format(&r->text, "%-*s ", NAME_WIDTH, head);
    report_show(r, str_from(e->message));
    buf_byte(&r->text, '\n');
}

static void tell_concerns(struct report *r, const struct visit *v)
{
    r->errors += count_concerns(v);
    json_key(&r->json, "ok");
    json_bool(&r->json, r->errors == 0);
    json_key(&r->json, "attention");
    json_begin_array(&r->json);
    for (size_t i = 0; i < COUNT(concerns); i++)
        if (concerns[i].count(v))
            json_text(&r->json, str_from(concerns[i].name));
    json_end_array(&r->json);
}

static void tell_page(struct report *r, const void *about)
{
    const struct visit *v = about;

    json_begin_object(&r->json);
    tell_concerns(r, v);
    tell_agents(r, v);
    buf_format(&r->text, "\n%-*s %s\n", NAME_WIDTH, "mode",
               v->mode ? v->mode : "as the agent says; else default");
    report_member(r, "mode", str_from(v->mode));
    tell_today(r, &v->today);
    tell_undo(r, v);
    tell_waiting(r, v);
    tell_pause(r, v);
    tell_error(r, "policy_error", "POLICY ERROR", &v->policy);
    tell_error(r, "record_error", "RECORD ERROR", &v->unread);
    json_end_object(&r->json);
    if (agents_wrong(v))
        buf_text(&r->text,
                 "warder install NAME registers an agent, warder doctor says what is wrong\n");
}

static void tell_line(struct report *r, const void *about)
{
    const struct visit *v = about;

    json_begin_object(&r->json);
    write_line(&r->text, v);
    report_member(r, "line", buf_str(&r->text));
    json_key(&r->json, "ok");
    json_bool(&r->json, count_concerns(v) == 0);
    json_end_object(&r->json);
}

warder_status warder_overview(const warder_installation *where, int line, warder_report **out,
                              warder_error *err)
{
    const struct visit_order order = {.kind = line ? VISIT_BRIEF : VISIT_LOOK,
                                      .tell = line ? tell_line : tell_page};

    return doctor_visit(where, &order, out, err);
}
