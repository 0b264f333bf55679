/* doctor_tell.c - what doctor has found, for a person and as JSON. */
#include "connect/doctor.h"
#include "machine/stamp.h"
#include "report/pause.h"

static const char *const scope_names[] = {
    [SCOPE_USER] = "user", [SCOPE_PROJECT] = "project", [SCOPE_MANAGED] = "managed"};

static void tell_files(struct report *r, const struct patient *p)
{
    json_key(&r->json, "registrations");
    json_begin_array(&r->json);
    for (size_t i = 0; i < SCOPE_COUNT; i++) {
        const struct look *l = &p->looks[i];
        if (!l->said.events)
            continue;
        buf_format(&r->text, "  registered  ");
        report_show(r, str_from(l->place.path));
        buf_format(&r->text, " (%s)\n", scope_names[i]);
        json_begin_object(&r->json);
        report_member(r, "scope", str_from(scope_names[i]));
        report_member(r, "file", str_from(l->place.path));
        report_member(r, "command", l->said.command);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void tell_list(struct report *r, const char *key, const char *mark, const struct strs *list)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < list->count; i++) {
        buf_format(&r->text, "  %-11s ", mark);
        report_show(r, list->items[i]);
        buf_byte(&r->text, '\n');
        json_text(&r->json, list->items[i]);
    }
    json_end_array(&r->json);
}

#define RUNS_SHOWN 100 /* bytes of what another hook runs */

static void tell_others(struct report *r, const struct patient *p)
{
    json_key(&r->json, "other_hooks");
    json_begin_array(&r->json);
    for (size_t i = 0; i < p->others.count; i++) {
        const struct other_hook *h = &p->others.items[i];
        buf_text(&r->text, "  other hook  ");
        report_show(r, h->file);
        if (h->runs.len) {
            buf_format(&r->text, ", %.*s: ", STR_ARG(h->event));
            report_show(r,
                        str_slice(h->runs, 0, h->runs.len < RUNS_SHOWN ? h->runs.len : RUNS_SHOWN));
        }
        buf_byte(&r->text, '\n');
        json_begin_object(&r->json);
        report_member(r, "file", h->file);
        report_member(r, "event", h->event);
        report_member(r, "matcher", h->matcher);
        report_member(r, "runs", h->runs);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void tell_canary(struct report *r, const struct canary *c)
{
    json_key(&r->json, "canary");
    if (!c->fired) {
        json_null(&r->json);
        return;
    }
    json_begin_object(&r->json);
    report_member(r, "harmful", str_from(behavior_name(c->bad)));
    report_member(r, "harmless", str_from(behavior_name(c->good)));
    json_end_object(&r->json);
    buf_format(&r->text, "  canary      the harmful call: %s; the harmless one: %s\n",
               behavior_name(c->bad), behavior_name(c->good));
}

struct str how_long_ago(struct arena *a, int64_t at)
{
    static const struct {
        int64_t below, unit;
        const char *name;
    } units[] = {{60, 1, "s"}, {3600, 60, "min"}, {172800, 3600, "h"}, {INT64_MAX, 86400, "days"}};
    int64_t seconds = (stamp_now() - at) / 1000;
    size_t i = 0;

    if (seconds < 5)
        return STR("just now");
    while (seconds >= units[i].below)
        i++;
    return str_format(a, "%lld %s ago", (long long)(seconds / units[i].unit), units[i].name);
}

static const char *const state_names[] = {
    [NOT_PROTECTED] = "not protected", [REGISTERED] = "registered", [SEEN] = "seen"};

static void tell_state(struct report *r, const struct patient *p)
{
    buf_format(&r->text, "%s: ", p->client->title);
    switch (p->state) {
    case NOT_PROTECTED:
        buf_text(&r->text, "NOT PROTECTED\n");
        return;
    case SEEN:
        buf_format(&r->text, "seen, last call %s\n", how_long_ago(r->arena, p->called.at).s);
        return;
    case REGISTERED:
        break;
    }
    buf_format(&r->text, "registered, not seen %s\n",
               p->live.end    ? "when it was started"
               : p->called.at ? "since its settings were changed"
                              : "yet");
}

static void tell_next(struct report *r, const struct patient *p)
{
    if (p->state != REGISTERED)
        return;
    buf_format(&r->text,
               "  next        %slet it use a tool once, then run `warder doctor %s` again\n",
               p->live.end ? "start it as usual, " : "", p->client->name);
}

static const char *const live_names[] = {[LIVE_ASKED] = "asked",
                                         [LIVE_SILENT] = "silent",
                                         [LIVE_FAILED] = "failed",
                                         [LIVE_TIMEOUT] = "too slow",
                                         [LIVE_UNABLE] = "unable"};

static const char *const cell_names[] = {[LIVE_CELL_UNUSED] = "unused",
                                         [LIVE_CELL_NONE] = "none",
                                         [LIVE_CELL_IGNORED] = "ignored",
                                         [LIVE_CELL_RAN] = "ran"};

static void tell_live(struct report *r, const struct patient *p)
{
    if (p->live.end == LIVE_ASKED)
        buf_format(&r->text,
                   "  live        it was started, and asked Warder after at most %lld s\n",
                   (long long)p->live.seconds);
    else if (p->live.end)
        buf_text(&r->text, "  LIVE        it was started, and no call of it is on record\n");
    report_member(r, "live", str_from(live_names[p->live.end]));
    if (p->live.cell == LIVE_CELL_RAN)
        buf_format(&r->text, "  sandbox     its call ran in one: %s\n", p->live.tier);
    if (p->live.cell)
        report_member(r, "sandbox", str_from(cell_names[p->live.cell]));
    if (p->live.cell == LIVE_CELL_RAN)
        report_member(r, "tier", str_from(p->live.tier));
}

static void tell_called(struct report *r, const struct patient *p)
{
    char at[STAMP_SIZE] = "";

    if (p->called.at)
        stamp_print(p->called.at, at);
    report_member(r, "state", str_from(state_names[p->state]));
    report_member(r, "last_call", str_from(at));
}

static void tell_patient(struct report *r, const struct patient *p)
{
    tell_state(r, p);
    json_begin_object(&r->json);
    report_member(r, "client", str_from(p->client->name));
    report_member(r, "found", str_from(p->seen));
    if (p->seen[0]) {
        buf_text(&r->text, "  found       ");
        report_show(r, str_from(p->seen));
        buf_byte(&r->text, '\n');
    }
    tell_files(r, p);
    tell_others(r, p);
    tell_canary(r, &p->canary);
    tell_live(r, p);
    tell_list(r, "problems", "PROBLEM", &p->problems);
    tell_list(r, "remarks", "remark", &p->remarks);
    tell_next(r, p);
    tell_called(r, p);
    json_key(&r->json, "ok");
    json_bool(&r->json, p->state == SEEN);
    json_end_object(&r->json);
    r->errors += p->problems.count + (p->state == REGISTERED);
    r->warnings += p->remarks.count;
}

/* What the answers of `doctor` hold against, as far as that is proved. */
static void tell_summary(struct report *r, const struct visit *v)
{
    static const char judged[] =
        "An agent cannot change these settings through its tools. A program that it runs could, "
        "because they belong to your user; to prevent that, keep your policy in /etc/warder and "
        "run: sudo warder install --managed --all";
    static const char system_wide[] =
        "Neither an agent nor a program that it runs can change these settings: they belong to "
        "another user. Such a program could still stop the agent, act in its place or answer its "
        "questions; where that matters, run agents as a user of their own";
    enum patient_state worst = v->count ? SEEN : NOT_PROTECTED;
    const char *text = v->changeable ? judged : system_wide;
    const char *title = warder_client_title(v->where->client), *name = v->where->client;

    for (size_t i = 0; i < v->count; i++)
        if (v->patients[i].state < worst)
            worst = v->patients[i].state;
    if (!v->count && title)
        text = str_format(r->arena,
                          "%s was not found: its program is not in PATH, and there are no settings "
                          "of it. To register it all the same: warder install %s",
                          title, name)
                   .s;
    else if (!v->count)
        text = "No agent was found: none of their programs is in PATH, and none of their settings "
               "are below your home. Name yours: warder install CLIENT";
    else if (worst == NOT_PROTECTED)
        text = "Fix the problems above, and run `warder doctor` again";
    else if (worst == REGISTERED)
        text = "Only a call that arrives proves that an agent asks Warder";
    buf_format(&r->text, "%s.\n", text);
    r->errors += !v->count;
    report_member(r, "safe_against",
                  str_from(worst == NOT_PROTECTED ? "nothing"
                           : worst == REGISTERED  ? "not proved yet"
                           : v->changeable        ? "judged calls"
                                                  : "files and sockets of code that calls run"));
}

/* Agents ask, and are not asked about: that is as bad as not asking. */
static void tell_pause(struct report *r, const struct visit *v)
{
    char until[PAUSE_UNTIL_SIZE] = "";

    if (v->pause.until.wall) {
        pause_until(&v->pause, until);
        buf_text(&r->text, "PAUSED ");
        report_pause(r, &v->pause);
        buf_text(&r->text, ": what would be asked runs; warder resume ends it\n");
        r->errors++;
    }
    if (v->unpaused.message[0]) {
        buf_format(&r->text, "Not paused, although there is a " PAUSE_NAME ": %s\n",
                   v->unpaused.message);
        r->warnings++;
    }
    report_member(r, "paused_until", str_from(until));
}

/* Of agents whose calls can run in one. */
static void tell_sandbox(struct report *r, const struct visit *v)
{
    bool any = false;

    for (size_t i = 0; i < v->count; i++)
        any |= client_contains(v->patients[i].client);
    if (any)
        sandboxed_tell(r, &v->sandboxed);
    else
        report_member(r, "sandbox", (struct str){0});
}

void doctor_tell(struct report *r, const void *about)
{
    const struct visit *v = about;

    json_begin_object(&r->json);
    tell_pause(r, v);
    json_key(&r->json, "clients");
    json_begin_array(&r->json);
    for (size_t i = 0; i < v->count; i++)
        tell_patient(r, &v->patients[i]);
    json_end_array(&r->json);
    tell_sandbox(r, v);
    tell_summary(r, v);
    json_end_object(&r->json);
}
