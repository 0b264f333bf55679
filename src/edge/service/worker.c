/* worker.c - what is remembered of workers and sessions while the service runs: the last commands
 * that a worker ran, for its reviewers, and what was decided in a session.
 *
 * Both are in memory only and limited in number: the one that was quiet longest is dropped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/session_file.h"
#include "base/utf8.h"
#include "record/redact.h"
#include "service/service.h"

#define WORKERS_MAX   4096u
#define SESSIONS_KEPT 4096u
#define COMMAND_KEPT_MAX                                                                           \
    ((size_t)16 *                                                                                  \
     1024) /* bytes of a command that is remembered; longer ones are only mentioned    \ */
#define DENIALS_KEPT 20
#define TEXT_KEPT    1024 /* bytes of the name of a worker, project or task */

static const char *const counted[] = {"auto-accept", "auto-deny", "human-accept", "human-deny",
                                      "timeout-deny"};

struct worker {
    struct table_link link;
    struct worker *older, *newer;
    char key[SHA256_HEX];
    char *recent[REVIEW_RECENT_MAX]; /* the newest first */
};

struct kept_session {
    struct table_link link;
    struct kept_session *older, *newer;
    char *name, key[SHA256_HEX], token_id[sizeof(((warder_caller *)NULL)->id)];
    uint64_t counts[COUNT(counted)];
    struct denial {
        char id[DECISION_ID_SIZE], decision[16];
        char *reason; /* redacted */
    } denials[DENIALS_KEPT];
    size_t denied;
    /* Of its last call. */
    char *worker_id, *project_id, *task_id, *command; /* the command as it came: shown redacted */
    char decision[16];
    int64_t first, last; /* when it called, by the wall clock */
};

struct workers {
    struct table by_key, sessions;
    struct worker *newest, *oldest;
    struct kept_session *newest_session, *oldest_session;
};

struct workers *workers_new(void)
{
    return calloc(1, sizeof(struct workers));
}

/* Two links of a list in which the newest is first. */
#define UNLINK(all, item, first, last)                                                             \
    do {                                                                                           \
        *((item)->newer ? &(item)->newer->older : &(all)->first) = (item)->older;                  \
        *((item)->older ? &(item)->older->newer : &(all)->last) = (item)->newer;                   \
    } while (0)
#define LINK_FIRST(all, item, first, last)                                                         \
    do {                                                                                           \
        (item)->newer = NULL;                                                                      \
        (item)->older = (all)->first;                                                              \
        *((all)->first ? &(all)->first->newer : &(all)->last) = (item);                            \
        (all)->first = (item);                                                                     \
    } while (0)

static void worker_free(struct workers *all, struct worker *w)
{
    table_remove(&all->by_key, &w->link);
    UNLINK(all, w, newest, oldest);
    for (size_t i = 0; i < REVIEW_RECENT_MAX; i++)
        free(w->recent[i]);
    free(w);
}

static void session_forget(struct workers *all, struct kept_session *s)
{
    table_remove(&all->sessions, &s->link);
    UNLINK(all, s, newest_session, oldest_session);
    for (size_t i = 0; i < DENIALS_KEPT; i++)
        free(s->denials[i].reason);
    free(s->name);
    free(s->worker_id);
    free(s->project_id);
    free(s->task_id);
    free(s->command);
    free(s);
}

void workers_free(struct workers *all)
{
    while (all && all->newest)
        worker_free(all, all->newest);
    while (all && all->newest_session)
        session_forget(all, all->newest_session);
    if (all) {
        table_release(&all->by_key);
        table_release(&all->sessions);
    }
    free(all);
}

/* Workers choose names, but not their keyed hash. */
static void key_of(const char *token_id, struct str name, char out[SHA256_HEX])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];

    sha256_init(&h);
    sha256_add(&h, (struct str){token_id, strlen(token_id) + 1});
    sha256_add(&h, name);
    sha256_end(&h, hash);
    sha256_hex(hash, out);
}

/* ---- commands ---- */

static struct worker *find_worker(struct workers *all, const char *token_id, struct str name,
                                  bool make)
{
    char key[SHA256_HEX];

    key_of(token_id, name, key);
    struct worker *w = TABLE_THING(table_find(&all->by_key, key), struct worker, link);
    if (w || !make)
        return w;
    if (all->by_key.count >= WORKERS_MAX)
        worker_free(all, all->oldest);
    w = calloc(1, sizeof(*w));
    if (!w)
        return NULL;
    memcpy(w->key, key, sizeof(key));
    LINK_FIRST(all, w, newest, oldest);
    if (table_add(&all->by_key, &w->link, w->key))
        return w;
    worker_free(all, w);
    return NULL;
}

struct command_search {
    warder_decision *decision;
    struct str command;
};

static void find_command(void *arg)
{
    struct command_search *f = arg;
    const struct call *c = decision_call(f->decision);
    struct str field;

    if (c->kind != TOOL_SHELL || !call_command(&f->decision->arena, c, &f->command))
        (void)call_first(&f->decision->arena, c, &field, &f->command);
}

static void note_command(struct workers *all, const char *token_id, warder_decision *d)
{
    struct command_search f = {.decision = d};
    struct worker *w;

    if (!d->call.tool.len || !decision_try(d, find_command, &f) || !f.command.len ||
        !(w = find_worker(all, token_id, d->call.worker_id, true)))
        return;
    if (f.command.len > COMMAND_KEPT_MAX)
        f.command = STR("(command too long to show)");
    free(w->recent[REVIEW_RECENT_MAX - 1]);
    memmove(&w->recent[1], &w->recent[0], sizeof(w->recent) - sizeof(w->recent[0]));
    w->recent[0] = strndup(f.command.s, f.command.len);
    UNLINK(all, w, newest, oldest);
    LINK_FIRST(all, w, newest, oldest);
}

size_t workers_recent(struct workers *all, const char *token_id, struct str worker,
                      struct str out[REVIEW_RECENT_MAX])
{
    const struct worker *w = find_worker(all, token_id, worker, false);
    size_t count = 0;

    for (size_t i = 0; w && i < REVIEW_RECENT_MAX; i++)
        if (w->recent[i])
            out[count++] = str_from(w->recent[i]);
    return count;
}

/* ---- sessions ---- */

/* Its key is exact, and fits into a path whatever the name is; of those with this name, the one
 * that called last. A name that is the key of another session finds that one. */
static struct kept_session *find_session(const struct workers *all, struct str id)
{
    char key[SHA256_HEX] = "";
    struct kept_session *s = NULL;

    if (id.len == sizeof(key) - 1) {
        memcpy(key, id.s, id.len);
        s = TABLE_THING(table_find(&all->sessions, key), struct kept_session, link);
    }
    for (struct kept_session *k = all->newest_session; !s && k; k = k->older)
        if (str_is(id, k->name))
            s = k;
    return s;
}

static struct kept_session *new_session(struct workers *all, const char *token_id, struct str name)
{
    if (all->sessions.count >= SESSIONS_KEPT)
        session_forget(all, all->oldest_session);
    struct kept_session *s = calloc(1, sizeof(*s));
    if (!s)
        return NULL;
    s->name = strndup(name.s, name.len);
    snprintf(s->token_id, sizeof(s->token_id), "%s", token_id);
    key_of(token_id, name, s->key);
    LINK_FIRST(all, s, newest_session, oldest_session);
    if (s->name && table_add(&all->sessions, &s->link, s->key))
        return s;
    session_forget(all, s);
    return NULL;
}

static struct kept_session *make_session(struct workers *all, const char *token_id, struct str name)
{
    char key[SHA256_HEX];

    if (!name.len || name.len > SERVICE_NAME_MAX)
        return NULL; /* service_judge() denies what has a longer one */
    key_of(token_id, name, key);
    struct kept_session *s =
        TABLE_THING(table_find(&all->sessions, key), struct kept_session, link);
    if (!s)
        return new_session(all, token_id, name);
    UNLINK(all, s, newest_session, oldest_session);
    LINK_FIRST(all, s, newest_session, oldest_session);
    return s;
}

struct reason_draft {
    warder_decision *decision;
    struct str command, reason;
};

static void clean_reason(void *arg)
{
    struct reason_draft *c = arg;
    struct arena *a = &c->decision->arena;
    struct strs found = {0};

    if (c->command.len)
        (void)redact_command(a, c->command, &found);
    c->reason = redact_quoting(a, c->decision->verdict.reason, &found);
}

static void note_denial(struct kept_session *s, warder_decision *d)
{
    struct denial *place = &s->denials[s->denied++ % DENIALS_KEPT];
    struct command_search f = {.decision = d};
    struct reason_draft c = {.decision = d};

    free(place->reason);
    *place = (struct denial){0};
    snprintf(place->id, sizeof(place->id), "%s", d->id);
    snprintf(place->decision, sizeof(place->decision), "%s", d->name ? d->name : "");
    if (d->call.tool.len && decision_try(d, find_command, &f))
        c.command = f.command;
    if (decision_try(d, clean_reason, &c))
        place->reason = strndup(c.reason.s ? c.reason.s : "", c.reason.len);
}

/* Most calls of a session repeat these. */
static void keep_text(char **kept, struct str text)
{
    if (*kept && str_is(text, *kept))
        return;
    free(*kept);
    *kept = text.len ? strndup(text.s, text.len) : NULL;
}

/* A worker names itself, and as long as it likes. */
static void keep_name(char **kept, struct str name)
{
    keep_text(kept, utf8_cut(name, TEXT_KEPT));
}

static void note_call(struct kept_session *s, warder_decision *d, int64_t now)
{
    struct command_search f = {.decision = d};

    if (!d->call.tool.len || !decision_try(d, find_command, &f) || f.command.len > COMMAND_KEPT_MAX)
        f.command = (struct str){0};
    keep_name(&s->worker_id, d->call.worker_id);
    keep_name(&s->project_id, d->call.project_id);
    keep_name(&s->task_id, d->call.task_id);
    keep_text(&s->command, f.command);
    snprintf(s->decision, sizeof(s->decision), "%s", d->name ? d->name : "");
    s->first = s->first ? s->first : now;
    s->last = now;
}

void workers_note(struct workers *all, const char *token_id, warder_decision *d, bool ran)
{
    struct kept_session *s = make_session(all, token_id, d->call.session);

    if (s)
        note_call(s, d, stamp_now());
    if (ran && d->verdict.behavior == BEHAVIOR_ALLOW)
        note_command(all, token_id, d);
    for (size_t i = 0; s && d->name && i < COUNT(counted); i++)
        s->counts[i] += strcmp(counted[i], d->name) == 0;
    if (s && d->verdict.behavior == BEHAVIOR_DENY)
        note_denial(s, d);
}

/* ---- showing one ---- */

struct shown {
    const struct kept_session *kept;
    struct session session;
    const warder_service *service;
};

static void write_denials(struct report *r, const struct kept_session *s)
{
    size_t count = s->denied < DENIALS_KEPT ? s->denied : DENIALS_KEPT;

    json_key(&r->json, "denials");
    json_begin_array(&r->json);
    for (size_t i = 0; i < count; i++) {
        const struct denial *d = &s->denials[(s->denied - count + i) % DENIALS_KEPT];
        json_begin_object(&r->json);
        report_member(r, "decision_id", str_from(d->id));
        report_member(r, "decision", str_from(d->decision));
        report_member(r, "reason", str_from(d->reason));
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void write_session(struct report *r, const void *about)
{
    const struct shown *shown = about;
    const struct session *s = &shown->session;

    json_begin_object(&r->json);
    report_member(r, "id", str_from(shown->kept->name));
    report_member(r, "caller", str_from(shown->kept->token_id));
    report_member(r, "workspace", s->workspace);
    report_member(r, "mode", s->has_mode ? str_from(mode_name(s->mode)) : (struct str){0});
    report_number(r, "grants", (int64_t)s->grants.count);
    report_number(r, "denials_in_all", s->denials);
    report_number(r, "denials_in_a_row", s->denials_in_a_row);
    json_key(&r->json, "decisions");
    json_begin_object(&r->json);
    for (size_t i = 0; i < COUNT(counted); i++)
        report_number(r, counted[i], (int64_t)shown->kept->counts[i]);
    json_end_object(&r->json);
    write_denials(r, shown->kept);
    json_end_object(&r->json);
}

#define SESSION_MEMORY_MAX ((size_t)16 * 1024 * 1024)

warder_outcome warder_service_session(warder_service *s, const warder_caller *caller,
                                      const char *id, warder_report **out, warder_error *err)
{
    struct shown shown = {.service = s};
    struct arena arena;
    struct error inner = {0};
    char client[96];

    if (!s || !out || !id)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, session or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    shown.kept = find_session(s->workers, str_from(id));
    if (!shown.kept)
        return outcome_say(err, WARDER_NOT_FOUND,
                           "session \"%.60s\" has made no call since the service started", id);
    snprintf(client, sizeof(client), SERVICE_CLIENT " %s", shown.kept->token_id);
    const struct session_id name = engine_session(s->engine, str_from(client), str_from(id));
    arena_init(&arena, SESSION_MEMORY_MAX);
    warder_outcome outcome = WARDER_DONE;
    if (session_load(&arena, &name, &shown.session, &inner) != STATUS_OK)
        outcome = outcome_failed(err, &inner);
    else if (report_make_line(write_session, &shown, out, err) != WARDER_OK)
        outcome = WARDER_FAILED;
    arena_release(&arena);
    return outcome;
}

/* ---- all of them ---- */

#define SESSIONS_LISTED 1000
#define GRANT_KEY_SHOWN 8

struct session_list {
    warder_service *service;
    int64_t since;
};

static void write_time(struct report *r, const char *key, int64_t at)
{
    char text[STAMP_SIZE];

    stamp_print(at, text);
    report_member(r, key, str_from(text));
}

static void write_counts(struct report *r, const struct kept_session *k)
{
    json_key(&r->json, "counts");
    json_begin_object(&r->json);
    for (size_t i = 0; i < COUNT(counted); i++)
        report_number(r, counted[i], (int64_t)k->counts[i]);
    json_end_object(&r->json);
}

/* What its file remembers; one that cannot be read denies, and shows nothing. */
static void write_state(struct report *r, const warder_service *s, const struct kept_session *k)
{
    char client[SERVICE_CLIENT_MAX];
    struct session session = {0};
    struct error ignored;

    service_client_of(k->token_id, client);
    const struct session_id name = engine_session(s->engine, str_from(client), str_from(k->name));
    if (session_load(r->arena, &name, &session, &ignored) != STATUS_OK)
        session = (struct session){0};
    report_member(r, "mode",
                  session.has_mode ? str_from(mode_name(session.mode)) : (struct str){0});
    json_key(&r->json, "grants");
    json_begin_array(&r->json);
    for (size_t i = 0; i < session.grants.count; i++)
        json_text(&r->json, utf8_cut(session.grants.items[i], GRANT_KEY_SHOWN));
    json_end_array(&r->json);
    report_number(r, "denials_in_a_row", session.denials_in_a_row);
}

static void write_listed(struct report *r, const warder_service *s, const struct kept_session *k)
{
    const struct str command = str_from(k->command);

    json_begin_object(&r->json);
    report_member(r, "id", str_from(k->name));
    report_member(r, "key", str_from(k->key));
    report_member(r, "worker_id", str_from(k->worker_id));
    report_member(r, "project_id", str_from(k->project_id));
    report_member(r, "task_id", str_from(k->task_id));
    report_member(r, "caller", str_from(k->token_id));
    write_time(r, "first", k->first);
    write_time(r, "last", k->last);
    write_counts(r, k);
    json_text_member(&r->json, "last_command",
                     command.len ? redact_command(r->arena, command, NULL) : STR(""));
    json_text_member(&r->json, "last_decision", str_from(k->decision));
    write_state(r, s, k);
    json_end_object(&r->json);
}

static void write_sessions(struct report *r, const void *about)
{
    const struct session_list *l = about;
    size_t count = 0;

    json_begin_object(&r->json);
    json_key(&r->json, "sessions");
    json_begin_array(&r->json);
    for (const struct kept_session *k = l->service->workers->newest_session;
         k && count < SESSIONS_LISTED; k = k->older)
        if (k->last >= l->since) {
            write_listed(r, l->service, k);
            count++;
        }
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_outcome warder_service_sessions(warder_service *s, const warder_caller *caller,
                                       const char *since, warder_report **out, warder_error *err)
{
    struct session_list l = {.service = s};

    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    if (since && !stamp_parse_since(str_from(since), stamp_now(), &l.since))
        return outcome_say(err, WARDER_INVALID, "since: cannot read the time \"%.60s\"", since);
    return report_make_line(write_sessions, &l, out, err) == WARDER_OK ? WARDER_DONE
                                                                       : WARDER_FAILED;
}

/* ---- taking back what one was given ---- */

static void forget_approvals(struct arena *a, struct session *s, void *context)
{
    size_t *taken = context;

    (void)a;
    *taken = s->grants.count;
    s->grants.count = s->approvals.count = s->agreements.count = 0;
}

struct revocation {
    const struct kept_session *session;
    struct str by;
    size_t taken;
};

static void write_revocation(struct buf *out, const void *about)
{
    const struct revocation *r = about;
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    json_text_member(&w, "kind", STR("session-revoked"));
    json_text_member(&w, "session_id", str_from(r->session->name));
    json_text_member(&w, "token_id", str_from(r->session->token_id));
    json_text_member(&w, "by", r->by);
    json_key(&w, "grants");
    json_int(&w, (int64_t)r->taken);
    json_end_object(&w);
}

/* The session asks again before it is recorded: what cannot be recorded is taken back as well. */
static warder_outcome take_back(warder_service *s, const warder_caller *caller,
                                const struct kept_session *k, warder_error *err)
{
    struct revocation r = {.session = k};
    char client[SERVICE_CLIENT_MAX], by[160];
    struct error inner = {0};
    struct str body;

    service_client_of(k->token_id, client);
    const struct session_id name = engine_session(s->engine, str_from(client), str_from(k->name));
    if (session_update(&name, forget_approvals, &r.taken, NULL, &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    struct staged *item = service_stage(s, STAGED_NOTED);
    snprintf(by, sizeof(by), "%s (%s)", caller->name, caller->id);
    r.by = str_from(by);
    if (!item || !buf_try(&item->arena, write_revocation, &r, &body))
        return outcome_say(err, WARDER_FAILED, "it was taken back, but cannot be recorded");
    item->body = str_slice(body, 1, body.len - 1); /* a record has its own braces */
    return WARDER_DONE;
}

warder_outcome warder_service_session_revoke(warder_service *s, const warder_caller *caller,
                                             const char *id, warder_report **out, warder_error *err)
{
    if (!s || !out || !id)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, session or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "operators");
    const struct kept_session *k = find_session(s->workers, str_from(id));
    if (!k)
        return outcome_say(err, WARDER_NOT_FOUND,
                           "session \"%.60s\" has made no call since the service started", id);
    warder_outcome outcome = take_back(s, caller, k, err);
    return outcome == WARDER_DONE ? service_empty_report(out, err) : outcome;
}
