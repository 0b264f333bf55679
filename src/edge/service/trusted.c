/* trusted.c - tokens that carry a policy of their own.
 *
 * Its rules count for the calls of that token, besides all others: its denies deny, its allows
 * allow what would have been asked. They never apply to what the common policy denies, in any model
 * and any order of sources. */
#include <stdio.h>
#include <stdlib.h>

#include "programs/other_names.h"
#include "service/service.h"

#define TRUSTED_MAX 1024u /* tokens with a policy that are remembered at once */

struct trusted_token {
    struct table_link link;
    char id[sizeof(((warder_caller *)NULL)->id)];
    char *path;
    struct policy *policy; /* NULL: to be read */
    struct error error;    /* why it cannot be */
    /* The rulebook with it, for the project of the last call. */
    struct snapshot *snapshot;
    const struct rulebook *common;
    struct rulebook book;
    struct arena arena;
};

struct trusted {
    struct table tokens;
};

struct trusted *trusted_new(void)
{
    return calloc(1, sizeof(struct trusted));
}

static void forget_book(struct trusted_token *t)
{
    snapshot_drop(t->snapshot);
    t->snapshot = NULL;
    t->common = NULL;
    arena_release(&t->arena);
}

static void forget_policy(struct trusted_token *t)
{
    forget_book(t);
    policy_free(t->policy);
    t->policy = NULL;
    t->error = (struct error){0};
}

static void token_free(struct trusted *all, struct trusted_token *t)
{
    table_remove(&all->tokens, &t->link);
    forget_policy(t);
    free(t->path);
    free(t);
}

void trusted_free(struct trusted *all)
{
    struct table_link *link;

    while (all && (link = table_any(&all->tokens)))
        token_free(all, TABLE_THING(link, struct trusted_token, link));
    if (all)
        table_release(&all->tokens);
    free(all);
}

static struct trusted_token *find(const struct trusted *all, const char *id)
{
    return TABLE_THING(table_find(&all->tokens, id), struct trusted_token, link);
}

enum status trusted_note(struct trusted *all, const char *id, struct str policy, struct error *err)
{
    struct trusted_token *t = find(all, id);

    if (t && str_is(policy, t->path))
        return STATUS_OK;
    if (t)
        token_free(all, t);
    if (!policy.len)
        return STATUS_OK;
    if (all->tokens.count >= TRUSTED_MAX)
        return fail(err, STATUS_LIMIT, "more than %u tokens with a policy of their own",
                    TRUSTED_MAX);
    t = calloc(1, sizeof(*t));
    if (t)
        t->path = strndup(policy.s, policy.len);
    if (!t || !t->path) {
        free(t);
        return fail(err, STATUS_NOMEM, "out of memory");
    }
    snprintf(t->id, sizeof(t->id), "%s", id);
    if (table_add(&all->tokens, &t->link, t->id))
        return STATUS_OK;
    token_free(all, t);
    return fail(err, STATUS_NOMEM, "out of memory");
}

void trusted_reload(struct trusted *all)
{
    for (size_t i = 0; i < all->tokens.room; i++)
        for (struct table_link *l = all->tokens.buckets[i]; l; l = l->next)
            forget_policy(TABLE_THING(l, struct trusted_token, link));
}

void trusted_files(const struct trusted *all, void (*visit)(void *context, const char *path),
                   void *context)
{
    for (size_t i = 0; i < all->tokens.room; i++)
        for (struct table_link *l = all->tokens.buckets[i]; l; l = l->next)
            visit(context, TABLE_THING(l, struct trusted_token, link)->path);
}

const struct error *trusted_problem(const struct trusted *all)
{
    for (size_t i = 0; i < all->tokens.room; i++)
        for (struct table_link *l = all->tokens.buckets[i]; l; l = l->next) {
            const struct trusted_token *t = TABLE_THING(l, struct trusted_token, link);
            if (t->error.status)
                return &t->error;
        }
    return NULL;
}

/* ---- reading ---- */

static enum status read_policy(struct trusted_token *t, const warder_engine *e,
                               const warder_decision *d)
{
    struct policy_request request = engine_request(e, d->profile, e->project);
    struct str file = str_from(t->path);
    const struct problem *broken;

    request.shipped = NULL;
    request.rules_file = request.guarded = (struct str){0};
    request.texts = (struct policy_texts){0};
    request.cli = (struct cli_rules){0};
    request.mode = (struct str){0};
    request.files = (struct strs){&file, 1, 1};
    t->error = (struct error){0};
    enum status status = policy_open(&request, &t->policy, &t->error);
    if (status != STATUS_OK)
        return status;
    broken = rulebook_broken(&t->policy->book);
    if (!broken)
        return STATUS_OK;
    fail(&t->error, STATUS_SYNTAX, "%.80s:%u: %.120s", broken->file.s, broken->line,
         broken->message.s);
    policy_free(t->policy);
    t->policy = NULL;
    return STATUS_SYNTAX;
}

static void combine(void *arg)
{
    struct trusted_token *t = arg;
    const struct rules *own = &t->policy->book.rules;

    t->book = *t->common;
    t->book.rules = (struct rules){0};
    for (size_t i = 0; i < own->count; i++)
        LIST_PUSH(&t->arena, &t->book.rules, own->items[i]);
    for (size_t i = 0; i < t->common->rules.count; i++)
        LIST_PUSH(&t->arena, &t->book.rules, t->common->rules.items[i]);
    rulebook_index(&t->arena, &t->book, &program_name_lists);
}

static enum status make_book(struct trusted_token *t, const warder_decision *d, struct error *err)
{
    if (t->common == d->book && t->snapshot == d->snapshot)
        return STATUS_OK;
    forget_book(t);
    t->snapshot = snapshot_hold(d->snapshot);
    t->common = d->book;
    arena_init(&t->arena, POLICY_MEMORY_MAX);
    if (arena_try(&t->arena, combine, t))
        return STATUS_OK;
    forget_book(t);
    return fail(err, STATUS_NOMEM, "no memory for the policy of the token");
}

enum status trusted_apply(warder_service *s, const char *id, warder_decision *d, struct error *err)
{
    struct trusted_token *t = find(s->trusted, id);

    if (!t)
        return STATUS_OK;
    if (!t->policy && read_policy(t, s->engine, d) != STATUS_OK) {
        *err = t->error;
        return err->status;
    }
    if (!decision_try(d, decision_judge, d) && !d->faulted)
        return fail(err, STATUS_NOMEM, "too large to be judged");
    if (d->verdict.behavior == BEHAVIOR_DENY)
        return STATUS_OK; /* this token's policy cannot allow it */
    enum status status = make_book(t, d, err);
    if (status == STATUS_OK)
        d->book = &t->book;
    return status;
}

struct rule_copy {
    warder_decision *decision;
    struct rule *rule;
};

static void copy_rule(void *arg)
{
    struct rule_copy *l = arg;
    struct arena *a = &l->decision->arena;
    const struct rule *from = l->decision->verdict.rule;

    l->rule = ARENA_NEW(a, struct rule);
    l->rule->effect = from->effect;
    l->rule->source = from->source;
    l->rule->line = from->line;
    l->rule->column = from->column;
    l->rule->text = str_copy(a, from->text);
    struct rule_about *about = rule_add_about(a, l->rule);
    about->id = str_copy(a, rule_about(from)->id);
    about->reason = str_copy(a, rule_about(from)->reason);
    about->comment = str_copy(a, rule_about(from)->comment);
    l->rule->file = str_copy(a, from->file);
}

void trusted_leave(warder_decision *d, const struct rulebook *common)
{
    struct rule_copy l = {.decision = d};

    if (d->book == common)
        return;
    d->book = common;
    d->verdict.trace = (struct trace){0};
    d->verdict.walked = 0;
    if (!d->verdict.rule)
        return;
    if (decision_try(d, copy_rule, &l))
        d->verdict.rule = l.rule;
    else
        decision_overflow(d);
}
