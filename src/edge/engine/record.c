#include "engine/record.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "engine/thread_cache.h"
#include "machine/own.h"
#include "record/redact.h"

/* One journal for all threads of an engine, opened with the first decision. The lock is held while
 * the disk takes a batch; what the service's loop asks for does not wait for that: the key, which
 * never changes once the journal is open, and the last number. */
struct recorder {
    pthread_mutex_t lock;
    char *data;
    struct journal_options options;
    struct journal journal;
    struct record_key key;
    atomic_bool open;
    _Atomic uint64_t last; /* the number of the last record; 0: none was appended yet */
};

enum status recorder_new(struct str data, const struct journal_options *options,
                         struct recorder **out, struct error *err)
{
    struct recorder *r = NULL;

    *out = NULL;
    if (options->retention_days && options->retention_days < JOURNAL_RETENTION_MIN)
        return fail(err, STATUS_USAGE, "records are kept for %d days at least",
                    JOURNAL_RETENTION_MIN);
    if (!(r = calloc(1, sizeof(*r))) || !(r->data = strndup(data.s, data.len))) {
        free(r);
        return fail(err, STATUS_NOMEM, "out of memory");
    }
    r->options = *options;
    pthread_mutex_init(&r->lock, NULL);
    *out = r;
    return STATUS_OK;
}

void recorder_free(struct recorder *r)
{
    if (!r)
        return;
    if (r->open)
        journal_close(&r->journal);
    pthread_mutex_destroy(&r->lock);
    free(r->data);
    free(r);
}

enum status recorder_limit(struct recorder *r, uint64_t retention_bytes, unsigned least_s,
                           struct error *err)
{
    if (retention_bytes && retention_bytes < JOURNAL_BYTES_MIN)
        return fail(err, STATUS_USAGE, "the records need at least %llu bytes",
                    (unsigned long long)JOURNAL_BYTES_MIN);
    r->options.retention_bytes = retention_bytes;
    r->options.retention_least_s = least_s;
    return STATUS_OK;
}

void recorder_hold(struct recorder *r)
{
    if (r)
        pthread_mutex_lock(&r->lock);
}

void recorder_let_go(struct recorder *r)
{
    if (r)
        pthread_mutex_unlock(&r->lock);
}

/* A lock of flock() belongs to the open file, which a child shares: both would hold it at once, and
 * write into each other's chain. So the child opens the journal anew. */
void recorder_leave_journal(struct recorder *r)
{
    if (r && r->open)
        journal_close(&r->journal);
    if (r)
        r->open = false;
}

/* Under the lock. After a failure the next decision tries again: the disk may have room by then. */
static enum status open_journal(struct recorder *r, struct error *err)
{
    if (r->open)
        return STATUS_OK;
    AUTO_CLOSE int directory = -1;
    enum status status = own_need_directory(r->data, &directory, err);
    if (status == STATUS_OK)
        status = record_key_load_at(directory, &r->key, err);
    if (status != STATUS_OK)
        return status;
    status = journal_open_at(&r->journal, directory, &r->options, err);
    if (status != STATUS_OK)
        journal_close(&r->journal);
    r->open = status == STATUS_OK;
    return status;
}

/* ---- what is written ---- */

/* A hook of a policy file that says allow decides it, whatever the mode. */
bool decision_is_left(const warder_decision *d)
{
    return d->left && verdict_behavior(&d->verdict) == BEHAVIOR_ALLOW &&
           !(d->verdict.layer && strcmp(d->verdict.layer, layers[LAYER_HOOKS].name) == 0);
}

struct str decision_for_rule(const warder_decision *d)
{
    bool useless = !d->verdict.uncleared || d->abridged || !d->book ||
                   d->book->managed_rules_only || d->profile->dialect != DIALECT_WARDER;

    return useless ? (struct str){0} : decision_brief(str_from(d->id));
}

static const char *name_of(const warder_decision *d, enum ended how)
{
    static const char *const names[][2] = {
        [ENDED_BY_POLICY] = {"auto-deny", "auto-accept"},
        [ENDED_BY_PERSON] = {"human-deny", "human-accept"},
        [ENDED_BY_TIME] = {"timeout-deny", "timeout-deny"},
    };
    const enum behavior behavior = verdict_behavior(&d->verdict);

    if (decision_is_left(d) && how == ENDED_BY_POLICY)
        return "left-to-client";
    return behavior == BEHAVIOR_ASK ? "ask" : names[how][behavior == BEHAVIOR_ALLOW];
}

struct str decision_rule_id(const warder_decision *decision)
{
    const struct rule *rule = decision->verdict.rule;

    if (!rule)
        return (struct str){0};
    return rule_about(rule)->id.len ? rule_about(rule)->id : rule->text;
}

void record_call(struct arena *a, const struct call *c, bool without_input,
                 struct decision_record *out)
{
    struct str field;

    out->worker_id = c->worker_id;
    out->task_id = c->task_id;
    out->task = c->task_description;
    out->project_id = c->project_id.len ? c->project_id : c->project;
    out->session_id = c->session;
    out->tool = c->tool;
    out->tool_use_id = c->tool_use_id;
    out->cwd = c->cwd;
    if (!c->tool.len || without_input)
        return; /* ... or it was not a call */
    out->shell = c->kind == TOOL_SHELL && call_command(a, c, &out->command);
    if (out->shell)
        return;
    (void)call_first(a, c, &field, &out->command);
    out->input = c->input;
    out->commands = "command cmd";
}

static struct decision_record record_of(warder_decision *d, const struct decision_ending *e,
                                        bool without_input)
{
    const struct verdict *v = &d->verdict;
    const bool is_contained = v->contained.yes && verdict_behavior(v) == BEHAVIOR_ALLOW;
    struct decision_record r = {
        .id = str_from(d->id),
        .client = str_from(e->client),
        .caller = str_from(e->caller),
        .policy = d->book ? d->book->fingerprint : (struct str){0},
        .answer_reason = e->answer_reason,
        .decision = str_from(d->name),
        .behavior = str_from(behavior_name(verdict_behavior(v))),
        .layer = str_from(v->layer),
        .matched_rule_id = decision_rule_id(d),
        .rule = v->rule ? v->rule->text : (struct str){0},
        .reason = v->reason,
        .tier = is_contained ? str_from(cell_tier_name(v->contained.tier)) : (struct str){0},
        .contained = is_contained ? v->contained.why : (struct str){0},
        .undo_entry = v->reversible.entry,
        .undo_until = v->reversible.until,
        .undo_paths = v->reversible.paths,
        .undo_left = v->reversible.left,
        .undo_needed = v->reversible.yes,
        .outside = is_contained ? str_from(d->outside) : (struct str){0},
        .token = is_contained ? str_from(d->token) : (struct str){0},
        .profile = str_from(d->profile->name),
        .mode = v->facts ? str_from(mode_name(v->mode)) : (struct str){0},
        .answered_by = v->paused ? STR("pause") : str_from(e->answered_by),
        .review_id = str_from(e->review_id),
        .answers = str_from(e->answers),
        .review_requested_at = e->requested_at,
        .review_responded_at = e->responded_at,
        .response_time_ms = e->response_ms,
        .undelivered = e->undelivered,
        .again = d->again,
        .redacts = d->cache ? d->cache->redacts : NULL,
    };

    record_call(&d->arena, decision_call(d), without_input, &r);
    return r;
}

struct record_body {
    warder_decision *decision;
    bool without_input; /* reading it again was a fault, too */
    const struct decision_ending *ending;
    const struct record_key *key;
    struct str body;
};

static void write_body(void *arg)
{
    struct record_body *w = arg;
    const struct decision_record r = record_of(w->decision, w->ending, w->without_input);

    w->body = decision_body(&w->decision->arena, &r, w->key);
    w->decision->abridged =
        w->body.len > DECISION_COMMAND_MAX || str_contains(w->body, STR(REDACTED));
}

/* The input that made the analysis crash may do the same here: then it is left out. */
static bool write_guarded(struct record_body *w)
{
    warder_decision *d = w->decision;

    d->name = name_of(d, w->ending->how);
    if (decision_try(d, write_body, w))
        return true;
    if (!d->faulted)
        return false;
    w->without_input = true;
    d->name = name_of(d, w->ending->how); /* it denies now, if it did not before */
    return decision_try(d, write_body, w);
}

static bool make_id(warder_decision *d)
{
    return d->next_id[0] ||
           (d->cache ? decision_id_next(&d->cache->ids, d->next_id) : decision_id_make(d->next_id));
}

struct str decision_id_ahead(warder_decision *d)
{
    return d->engine->recorder && make_id(d) ? str_from(d->next_id) : (struct str){"", 0};
}

enum status decision_write(warder_decision *d, const struct decision_ending *ending,
                           const struct record_key *key, struct str *body, struct error *err)
{
    struct record_body w = {.decision = d, .ending = ending, .key = key};

    if (!make_id(d))
        return fail(err, STATUS_IO, "the system has no random bytes");
    memcpy(d->id, d->next_id, sizeof(d->id));
    d->next_id[0] = '\0';
    if (!write_guarded(&w))
        return fail(err, STATUS_NOMEM, "the decision is too large to be recorded");
    *body = w.body;
    return STATUS_OK;
}

/* ---- what is not written denies ---- */

void decision_unrecorded(warder_decision *d, const struct error *why)
{
    const struct facts *facts = d->verdict.facts;

    decision_overflow(d); /* from here on it denies, whatever follows */
    d->verdict.layer = "record";
    d->verdict.facts = facts;
    d->verdict.reason = d->verdict.message = STR("the decision could not be recorded");
    d->id[0] = '\0';
    d->name = "auto-deny";
    struct str reason =
        str_try_format(&d->arena, "the decision could not be recorded: %s", why->message);
    if (reason.s)
        d->verdict.reason = d->verdict.message = reason;
}

/* The embedder's options count; where they are silent, policy does. */
static void follow_policy(struct recorder *r, const struct rulebook *book)
{
    struct journal_options *o = &r->journal.options;

    if (!book)
        return;
    if (!r->options.retention_days && book->record_days)
        o->retention_days = book->record_days;
    if (!r->options.sync && book->record_sync)
        o->sync = book->record_sync == RECORD_SYNC_ALWAYS ? JOURNAL_ALWAYS : JOURNAL_CRASH;
}

enum status recorder_key(struct recorder *r, struct record_key *out, struct error *err)
{
    enum status status = STATUS_OK;

    if (!atomic_load(&r->open)) {
        pthread_mutex_lock(&r->lock);
        status = open_journal(r, err);
        pthread_mutex_unlock(&r->lock);
    }
    if (status == STATUS_OK)
        *out = r->key;
    return status;
}

uint64_t recorder_last(struct recorder *r)
{
    return atomic_load(&r->last);
}

enum status recorder_append(struct recorder *r, const struct rulebook *book,
                            const struct str *bodies, size_t count, struct error *err)
{
    uint64_t first;

    pthread_mutex_lock(&r->lock);
    enum status status = open_journal(r, err);
    if (status == STATUS_OK) {
        follow_policy(r, book);
        status = journal_append(&r->journal, bodies, count, &first, err);
        atomic_store(&r->last, r->journal.head.n);
    }
    pthread_mutex_unlock(&r->lock);
    return status;
}

static enum status append_all(struct recorder *r, warder_decision *const *decisions,
                              const struct decision_ending *endings, size_t count,
                              struct error *err)
{
    struct str *bodies = calloc(count, sizeof(*bodies));
    struct record_key key;

    if (!bodies)
        return fail(err, STATUS_NOMEM, "out of memory");
    enum status status = recorder_key(r, &key, err);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = decision_write(decisions[i], &endings[i], &key, &bodies[i], err);
    if (status == STATUS_OK)
        status = recorder_append(r, decisions[0]->book, bodies, count, err);
    free(bodies);
    return status;
}

enum status decisions_record(warder_decision *const *decisions,
                             const struct decision_ending *endings, size_t count, struct error *err)
{
    struct recorder *r = count ? decisions[0]->engine->recorder : NULL;
    struct error inner = {0};

    for (size_t i = 0; !r && i < count; i++)
        decisions[i]->name = name_of(decisions[i], endings[i].how);
    if (!r)
        return STATUS_OK;
    enum status status = append_all(r, decisions, endings, count, &inner);
    for (size_t i = 0; status != STATUS_OK && i < count; i++)
        decision_unrecorded(decisions[i], &inner);
    if (status != STATUS_OK && err)
        *err = inner;
    return status;
}

enum status decision_record(warder_decision *d, const struct decision_ending *ending,
                            struct error *err)
{
    if (d->id[0] && d->name && strcmp(d->name, name_of(d, ending->how)) == 0)
        return STATUS_OK; /* it is recorded already */
    return decisions_record(&d, ending, 1, err);
}
