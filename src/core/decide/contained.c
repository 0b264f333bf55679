#include "decide/contained.h"
#include "decide/contained_network.h"

#include "decide/layer.h"
#include "decide/layer_shared.h"

/* ---- whether there is a cell ---- */

static unsigned policy(const struct facts *f, enum sandbox_key key)
{
    return sandbox_value(&f->book->sandbox, key);
}

static enum sandbox_use use(const struct facts *f)
{
    return sandbox_use(&f->book->sandbox, f->contains);
}

/* A project's word is not enough where it would make more run than before. */
static bool always_by_person(const struct facts *f)
{
    return sandbox_said_by_person(&f->book->sandbox, SANDBOX_USE, USE_ALWAYS);
}

static bool policy_wants(const struct facts *f)
{
    bool unasked = f->mode == MODE_PLAN || f->mode == MODE_DONT_ASK;

    return use(f) != USE_OFF && !f->book->sandbox.unread && (!unasked || always_by_person(f));
}

/* A client whose rules are not ours would not see what they are about in the text that it runs. */
static bool rules_count(const struct facts *f, const struct cell_facts *cell)
{
    return cell->rules_read || always_by_person(f);
}

static bool text_fits(const struct facts *f)
{
    return f->call->kind == TOOL_SHELL && f->call->row && str_is(f->call->row->name, "Bash") &&
           f->understood && !f->call->cwd_unknown && f->workspace.len;
}

bool contained_is_wanted(const struct facts *f)
{
    return policy_wants(f) && text_fits(f);
}

static bool has_cell(const struct facts *f)
{
    if (!contained_is_wanted(f))
        return false;
    const struct cell_facts *cell = facts_cell(f);
    return cell->rewrites && rules_count(f, cell) && cell->tier != CELL_NONE;
}

bool contained_is_on(const struct facts *f)
{
    return has_cell(f) && sandbox_has_tier(&f->book->sandbox, facts_cell(f)->tier);
}

/* ---- the verdict ---- */

/* Everything that plainly only reads, prints or computes. */
static bool is_harmless(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (!action_is_harmless(f, &f->actions.items[i]))
            return false;
    return true;
}

/* Why the call is allowed: see contained_judge(). */
struct grounds {
    const char *const *cleared_by;
    bool shipped;
};

/* By the layer for project code, or by a shipped rule for a runner of tests and builds. */
static bool is_cleared_as_code(const struct facts *f, const struct grounds *g, size_t action)
{
    const char *const *cleared_by = g->cleared_by;
    const struct rule *rule;

    if (!cleared_by)
        return g->shipped && (f->actions.items[action].effects & EFFECT_PROJECT);
    if (!cleared_by[action])
        return false;
    if (cleared_by[action] == layers[LAYER_PROJECT].name)
        return true;
    return cleared_by[action] == layers[LAYER_ALLOW_RULES].name &&
           (f->actions.items[action].effects & EFFECT_PROJECT) && (rule = allow_rule(f, action)) &&
           rule->source == SOURCE_BUILTIN;
}

static bool is_cleared_by_cell(const char *const *cleared_by, size_t action)
{
    return cleared_by && cleared_by[action] == layers[LAYER_CONTAINED].name;
}

/* Project code, or an installation, that needs a registry of packages which its cell has not. */
static bool misses_registry(const struct facts *f, const struct action *a)
{
    return !action_has_registry(f, a) &&
           ((a->effects & EFFECT_INSTALL) ||
            ((a->effects & EFFECT_PROJECT) && (a->effects & EFFECT_FETCH)));
}

/* The first action that must run in a cell, or the count: none. *as_code: because it is the
 * project's code. */
static size_t first_to_contain(const struct facts *f, const struct grounds *g, bool *as_code)
{
    const bool code = policy(f, SANDBOX_CODE) == CODE_CONTAIN;

    *as_code = false;
    for (size_t i = 0; i < f->actions.count; i++) {
        if (is_cleared_by_cell(g->cleared_by, i))
            return i;
        if (code && is_cleared_as_code(f, g, i) && !misses_registry(f, &f->actions.items[i]) &&
            !action_is_outside(f, &f->actions.items[i])) {
            *as_code = true;
            return i;
        }
    }
    return use(f) == USE_ALWAYS && !is_harmless(f) ? 0 : f->actions.count;
}

static size_t first_that_lacks(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_lacks(f, &f->actions.items[i]))
            return i;
    return f->actions.count;
}

/* "git fetch" of a longer command. */
static struct str shown(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    struct str form = a->subject.forms_allow.count ? a->subject.forms_allow.items[0] : a->name;
    struct str text = str_slice(form, 0, 40);

    if (a->redirect)
        return STR("a redirection");
    return str_has(text, WORD_UNKNOWN) || !text.len ? a->name : text;
}

static struct str name_both(const struct facts *f, size_t inside, size_t outside)
{
    const char *lacks = action_lacks(f, &f->actions.items[outside]);

    if (inside == outside)
        return str_format(f->arena, "%.*s must run in the sandbox, and %s",
                          STR_ARG(shown(f, inside)), lacks);
    return str_format(f->arena, "%.*s %s, and %.*s must run in the sandbox: run them as two calls",
                      STR_ARG(shown(f, outside)), lacks, STR_ARG(shown(f, inside)));
}

/* Every part of it that cannot be contained is one that policy wants outside. */
static bool is_all_outside(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_lacks(f, &f->actions.items[i]) && !action_is_outside(f, &f->actions.items[i]))
            return false;
    return true;
}

/* Where nothing but its being project code wants it contained: code that comes with packages to
 * install runs as before there was a sandbox. */
static bool is_left_free(const struct facts *f, const struct grounds *g, size_t first, size_t lacks)
{
    if (is_cleared_by_cell(g->cleared_by, first))
        return false;
    if (is_cleared_as_code(f, g, first) && !action_is_outside(f, &f->actions.items[first]))
        return misses_registry(f, &f->actions.items[lacks]);
    return !g->cleared_by || is_all_outside(f); /* policy alone wants it, by `use: always` */
}

static struct str why_contained(const char *const *cleared_by, size_t first, bool as_code)
{
    if (is_cleared_by_cell(cleared_by, first))
        return STR("Warder cannot tell what it does");
    return as_code ? STR("it runs the project's code") : STR("policy wants it");
}

enum containing contained_judge(const struct facts *f, const char *const *cleared_by, bool shipped,
                                struct contained *out)
{
    const struct grounds grounds = {cleared_by, shipped};
    const size_t none = f->actions.count;
    bool as_code;

    *out = (struct contained){0};
    if (f->call->kind != TOOL_SHELL || !contained_is_wanted(f))
        return CONTAIN_NOT;
    const size_t first = first_to_contain(f, &grounds, &as_code);
    if (first == none || !has_cell(f)) /* whether there is one is asked of the disk: last */
        return CONTAIN_NOT;
    /* A weaker cell than policy needs is better than none for the project's own code. */
    if (!as_code && !contained_is_on(f))
        return CONTAIN_NOT;
    const size_t lacks = first_that_lacks(f);
    if (lacks < none && is_left_free(f, &grounds, first, lacks))
        return CONTAIN_NOT;
    if (lacks < none) {
        out->why = name_both(f, first, lacks);
        return CONTAIN_CANNOT;
    }
    *out = (struct contained){
        .yes = true, .tier = facts_cell(f)->tier, .why = why_contained(cleared_by, first, as_code)};
    return CONTAIN_CALL;
}

bool contained_is_missed(const struct facts *f, const char *const *cleared_by)
{
    if (policy(f, SANDBOX_UNAVAILABLE) != UNAVAILABLE_DENY || !policy_wants(f) || !text_fits(f) ||
        contained_is_on(f) || first_that_lacks(f) < f->actions.count)
        return false;
    for (size_t i = 0; i < f->actions.count; i++)
        if (!cleared_by[i] && action_asks_in_cell(f, &f->actions.items[i]))
            return false;
    return true;
}

struct str contained_conflict(const struct facts *f, size_t open)
{
    const struct action *a = &f->actions.items[open];
    const size_t none = f->actions.count;

    if (!contained_is_wanted(f))
        return (struct str){0};
    const size_t beside = action_shut_out_by(f, a);
    if (beside != none && beside != open && contained_is_on(f))
        return str_format(f->arena,
                          "%.*s needs its registry, which %.*s must not reach: run them as two "
                          "calls",
                          STR_ARG(shown(f, open)), STR_ARG(shown(f, beside)));
    const size_t lacks = action_asks_in_cell(f, a) ? none : first_that_lacks(f);
    return lacks < none && contained_is_on(f) ? name_both(f, open, lacks) : (struct str){0};
}
