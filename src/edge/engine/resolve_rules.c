/* resolve_rules.c - the project's rules that a session began with: they hold until its end,
 * whatever becomes of their files. A person's `warder trust` of the new files ends that. */
#include "engine/edges.h"
#include "engine/resolving.h"
#include "policy/kept.h"

/* ---- comparing ---- */

static bool same_texts(const struct strs *a, const struct strs *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!str_eq(a->items[i], b->items[i]))
            return false;
    return true;
}

static bool same_paths(const struct rule_paths *a, const struct rule_paths *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!str_eq(a->items[i].text, b->items[i].text))
            return false;
    return true;
}

static bool same_rule(const struct rule *a, const struct rule *b)
{
    const struct rule_more *x = rule_more(a), *y = rule_more(b);

    return a->effect == b->effect && a->source == b->source && a->dialect == b->dialect &&
           a->access == b->access && str_eq(a->text, b->text) && str_eq(a->tool, b->tool) &&
           str_eq(a->content, b->content) && str_eq(x->regex, y->regex) &&
           str_eq(x->scope, y->scope) && same_texts(&x->flags, &y->flags) &&
           same_paths(&x->paths, &y->paths) && str_eq(x->terms, y->terms);
}

static bool is_there(const struct rulebook *book, const struct rule *kept)
{
    for (size_t i = 0; i < book->rules.count; i++)
        if (!book->rules.items[i].kept && same_rule(&book->rules.items[i], kept))
            return true;
    return false;
}

/* Tools that a project switches off are rules, too. */
static bool is_off(const struct rulebook *book, const struct tool_entry *kept)
{
    for (size_t i = 0; i < book->disabled.count; i++)
        if (str_eq(book->disabled.items[i].name, kept->name))
            return true;
    return false;
}

/* `both` has the rules of the files that are there and of those that were kept. */
static bool lacks_none(const struct rulebook *now, const struct rulebook *both)
{
    for (size_t i = 0; i < both->rules.count; i++)
        if (both->rules.items[i].kept && !is_there(both, &both->rules.items[i]))
            return false;
    for (size_t i = 0; i < both->disabled.count; i++)
        if (!is_off(now, &both->disabled.items[i]))
            return false;
    return !rulebook_broken(both) && both->bypass_disabled == now->bypass_disabled &&
           both->auto_disabled == now->auto_disabled && both->pause_off == now->pause_off;
}

/* ---- holding ---- */

/* From now on the session names the files that are there. */
static enum status name_these(struct resolving *r, struct error *err)
{
    const struct str digest = r->d->book->digest;
    struct error why = {0};

    if (digest.len != sizeof(r->policy) - 1)
        return STATUS_OK;
    if (!kept_has(r->id.state_dir, r->id.shelf, digest.s)) {
        enum status status = r->d->engine->edges->keep_policy(
            r->id.state_dir, r->id.shelf, str_copy(&r->d->arena, r->d->call.project).s, digest.s,
            &why);
        if (status == STATUS_UNSAFE)
            return STATUS_OK; /* they have changed since they were read: the next call sees it */
        if (status != STATUS_OK && status != STATUS_LIMIT)
            return fail(err, status, "%s", why.message);
    }
    memcpy(r->policy, digest.s, sizeof(r->policy));
    return STATUS_OK;
}

static enum status add_kept(struct resolving *r, struct error *err)
{
    warder_decision *d = r->d;
    const struct project_policy *both;
    struct str name =
        str_format(&d->arena, "%.*s//%s", STR_ARG(d->call.project), d->session.policy);
    enum status status = snapshot_project(d->snapshot, name, &both, err);

    if (status != STATUS_OK)
        return status;
    if (lacks_none(d->book, both->book))
        return name_these(r, err);
    d->book = both->book;
    r->stricter = true;
    return STATUS_OK;
}

struct held {
    struct resolving *resolving;
    struct error *err;
    enum status status;
};

static void hold(void *arg)
{
    struct held *h = arg;
    const struct session *s = &h->resolving->d->session;
    const struct rulebook *book = h->resolving->d->book;

    if (s->policy[0] && !(s->began && book->trusted_at >= s->began))
        h->status = add_kept(h->resolving, h->err);
    else
        h->status = name_these(h->resolving, h->err);
}

enum status session_hold_rules(struct resolving *r, struct error *err)
{
    const struct session *s = &r->d->session;
    struct held h = {.resolving = r, .err = err};

    /* nearly always: no policy files, or those that it began with */
    if (r->id.session.len == 0 || str_is(r->d->book->digest, s->policy) ||
        (s->workspace.len && !str_eq(s->workspace, r->d->call.project)))
        return STATUS_OK;
    return arena_try(&r->d->arena, hold, &h) ? h.status : fail(err, STATUS_NOMEM, "out of memory");
}
