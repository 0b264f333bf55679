/* layer_rules.c - the layers that match rules against actions. */
#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "decide/rule_below.h"
#include "decide/rule_reach.h"
#include "facts/fresh.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "rule/effect.h"
#include "rule/index.h"
#include "rule/when.h"

static bool is_guest(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct rule_env room;

    return r->untrusted || r->widened ||
           (f->env.project_unproved && source_is_project(r->source)) ||
           !rule_matches_as_written(f->arena, r, &a->subject, facts_env(f, a, &room));
}

/* An ask rule that matches. Where it is a guest, decide.c judges a second time without it. */
__attribute__((noinline)) static bool is_heard(const struct facts *f, const struct rule *r,
                                               const struct action *a)
{
    if (!is_guest(f, r, a))
        return true;
    if (f->cache->guests == GUESTS_OUT)
        return false;
    f->cache->guests = GUESTS_HEARD;
    return true;
}

static bool is_match(const struct facts *f, const struct rule *r, size_t action)
{
    const struct action *a = &f->actions.items[action];

    return rule_is_about(f, r, a) && (r->effect != BEHAVIOR_ASK || is_heard(f, r, a));
}

/* The next rule that could match the action, in the order of the book; *at starts at 0. NULL after
 * the last. */
static const struct rule *next_rule(const struct facts *f, size_t action, size_t *at)
{
    const struct rules *all = &f->book->rules;
    const struct rule_places *some = &f->actions.items[action].rules;

    if (!f->book->index)
        return *at < all->count ? &all->items[(*at)++] : NULL;
    return *at < some->count ? &all->items[some->items[(*at)++]] : NULL;
}

static const struct rule *rule_for_action(const struct facts *f, enum behavior effect,
                                          size_t action)
{
    const struct rule *r;
    size_t at = 0;

    while ((r = next_rule(f, action, &at)))
        if (r->effect == effect && is_match(f, r, action))
            return r;
    return NULL;
}

/* Usually none of the rules found has this effect. */
static bool has_no_rules(const struct facts *f, enum behavior effect)
{
    return f->effects_without_rules >> effect & 1;
}

static const struct rule *rule_for_any(const struct facts *f, enum behavior effect, size_t *action)
{
    for (*action = 0; *action < f->actions.count; ++*action) {
        const struct rule *r = rule_for_action(f, effect, *action);
        if (r)
            return r;
    }
    return NULL;
}

static const struct rule *managed_deny(const struct facts *f, size_t action)
{
    const struct rule *r;
    size_t at = 0;

    while ((r = next_rule(f, action, &at)))
        if (r->source == SOURCE_MANAGED && r->effect == BEHAVIOR_DENY && is_match(f, r, action))
            return r;
    return NULL;
}

static bool is_listed(const struct facts *f, const struct tool_entry *e)
{
    return str_eq(e->name, f->call->tool) || (f->call->row && tool_find(e->name) == f->call->row);
}

static bool is_disabled_by_managed(const struct facts *f)
{
    for (size_t i = 0; i < f->book->disabled.count; i++)
        if (f->book->disabled.items[i].source == SOURCE_MANAGED &&
            is_listed(f, &f->book->disabled.items[i]))
            return true;
    return false;
}

/* What managed policy denies holds in every profile and mode, whatever the profile checks first. */
const struct said *layer_managed(const struct facts *f)
{
    const struct rule *first = NULL;
    size_t action = 0;

    if (is_disabled_by_managed(f))
        return say(f, SAY_DENY, STR("managed policy disables this tool"));
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct rule *r = managed_deny(f, i);
        if (r && (!first || r < first)) {
            first = r;
            action = i;
        }
    }
    return first ? say_rule(f, SAY_DENY, first, action) : NULL;
}

/* A deny or ask rule about paths, for an action on unknown paths: neither deny nor allow. */
static const struct said *ask_about(const struct facts *f, const struct rule *r, size_t action,
                                    const char *why)
{
    struct said *said = say_rule(f, SAY_ASK, r, action);

    said->reason = str_format(f->arena, "%s: %.*s", why, STR_ARG(said->reason));
    said->immune = true;
    return said;
}

/* Does an allow rule cover the action by naming it, and not a whole tool? */
static bool is_named_by_rule(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    const struct rule *r;
    size_t at = 0;

    while ((r = next_rule(f, action, &at))) {
        bool whole = str_is(r->tool, "*") ||
                     (a->subject.shell && (r->matcher == MATCH_ANY || str_is(r->pattern, "*")));
        if (r->effect == BEHAVIOR_ALLOW && r->source != SOURCE_BUILTIN && !whole &&
            is_match(f, r, action) && rule_reaches(f, r, a))
            return true;
    }
    return false;
}

/* Could this rule on effects be about the action, though what it does, or where it goes to, is not
 * known? */
static const char *effect_doubt(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct rule_env room;

    if (!rule_more(r)->does || !rule_counts(f->arena, r, facts_env(f, a, &room)) ||
        rule_excepts(f, r, a))
        return NULL;
    if (a->subject.does_unknown || (a->subject.does & DOES_CODE) ||
        (a->subject.does_perhaps & rule_more(r)->does))
        return "what it does is not known, and could match";
    return rule_more(r)->hosts.count && !a->subject.hosts.count &&
                   (a->subject.does & rule_more(r)->does)
               ? "which host it talks to is not known, and could match"
               : NULL;
}

/* What an effect is denied of must not be done by a program that no row describes. */
static const struct said *doubt_effects(const struct facts *f)
{
    if (!rulebook_first_on_effects(f->book))
        return NULL;
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct rule *r;
        size_t at = 0;
        while ((r = next_rule(f, i, &at))) {
            const char *why =
                r->effect == BEHAVIOR_ALLOW ? NULL : effect_doubt(f, r, &f->actions.items[i]);
            if (why && !is_named_by_rule(f, i))
                return ask_about(f, r, i, why);
        }
    }
    return NULL;
}

const struct said *layer_doubt(const struct facts *f)
{
    const struct said *effects = doubt_effects(f);

    if (effects)
        return effects;
    for (size_t i = 0; i < f->actions.count; i++) {
        const char *why;
        const struct rule *r = rule_in_doubt(f, i, &why);
        if (r)
            return ask_about(f, r, i, why);
    }
    return NULL;
}

/* Applies the first rule of this effect that matches an action. */
__attribute__((noinline)) static struct said *say_first(const struct facts *f, enum behavior effect,
                                                        enum opinion opinion)
{
    size_t action;
    const struct rule *r = rule_for_any(f, effect, &action);

    return r ? say_rule(f, opinion, r, action) : NULL;
}

const struct said *layer_deny_rules(const struct facts *f)
{
    return has_no_rules(f, BEHAVIOR_DENY) ? NULL : say_first(f, BEHAVIOR_DENY, SAY_DENY);
}

const struct said *layer_ask_rules(const struct facts *f)
{
    struct said *said = has_no_rules(f, BEHAVIOR_ASK) ? NULL : say_first(f, BEHAVIOR_ASK, SAY_ASK);

    if (said)
        said->immune = true;
    return said;
}

/* By the letter of guild's document only the places count that rules can name. */
static bool is_secret(const struct facts *f, const struct subject_path *p)
{
    return f->book->clearances_off ? path_listed_secret(f, p) : path_secret(f, p);
}

/* A rule that we ship allows only what its literal words do. What only its wildcard matched
 * (secrets, paths outside the workspace, hosts) is not covered. */
static bool shipped_path(const struct facts *f, const struct subject_path *p, bool writes,
                         bool recursive)
{
    if (recursive && !p->below && p->access == ACCESS_READ && !path_readable_below(f, p))
        return false;
    if (writes && p->access != ACCESS_DELETE && (p->access & ACCESS_WRITE) &&
        path_in_workspace(f, p) && !path_protected(f, p))
        return true; /* build output, or a branch that is checked out */
    if (p->below || p->uncertain)
        return !is_secret(f, p) || p->below;
    return p->access == ACCESS_READ && !is_secret(f, p);
}

/* The shipped rules are meant for the project's code, the session's repository and programs of the
 * machine. Their words do not say where a command acts: `cd /tmp/x && make test` runs whatever is
 * there. */
static bool acts_in_project(const struct facts *f, const struct action *a)
{
    if (!a->subject.shell)
        return true;
    if (!a->program)
        return false;
    if (a->effects & (EFFECT_PROJECT | EFFECT_INSTALL))
        return project_is_own_code(f, a);
    return project_is_genuine(f, a);
}

/* A URL, or user@host:path. Also as a part of the word: --registry=http://x. */
static bool names_server(struct str word)
{
    size_t at = str_index(word, '@'), colon = str_index(word, ':');

    return str_contains(word, STR("://")) ||
           (at != STR_NONE && at > 0 && colon != STR_NONE && colon > at);
}

/* A path from the root, the home or the directory above; also as the value of an option. To read
 * there is what cat and grep are for, of which guild has rules; what runs code, installs or changes
 * a repository stays. */
static bool names_outside(const struct facts *f, const struct rule *r, const struct action *a,
                          struct str word)
{
    struct subject_path p = {0};
    struct str name, value;

    if (r->covers_loss && !(a->effects & ~(unsigned)EFFECT_INNER))
        return false;
    if (str_starts(word, STR("-")) && str_cut(word, '=', &name, &value))
        word = value;
    if (!str_starts(word, STR("/")) && !str_starts(word, STR("~")) &&
        !str_starts(word, STR("../")) && !str_contains(word, STR("/../")) && !str_is(word, ".."))
        return false;
    if (!path_absolute(f->arena, a->cwd, f->home, word, &p.written))
        return true;
    p.resolved = p.written;
    return !path_in_workspace(f, &p);
}

/* A word that is not known before run time may be the contents of a file, and one that names a
 * server may be where they go. The words alone say so, whatever a row knows of them. */
static bool words_stay_here(const struct facts *f, const struct rule *r, const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++) {
        struct str word = a->subject.words.items[i];
        if (str_has(word, WORD_UNKNOWN) || names_server(word) || names_outside(f, r, a, word))
            return false;
    }
    return true;
}

static bool shipped_may_clear(const struct facts *f, const struct rule *r, const struct action *a)
{
    const unsigned literal = EFFECT_PROJECT | EFFECT_REPO | EFFECT_INSTALL | EFFECT_FETCH |
                             EFFECT_INNER | (r->covers_loss ? EFFECT_LOSS : 0u);
    const unsigned writes = EFFECT_PROJECT | (r->covers_loss ? EFFECT_REPO | EFFECT_LOSS : 0u);

    if (a->subject.hosts.count || a->unknown || (a->program && (a->effects & ~literal)) ||
        !words_stay_here(f, r, a) || !acts_in_project(f, a))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!shipped_path(f, &a->subject.paths.items[i], a->effects & writes, a->recursive))
            return false;
    return true;
}

static const struct rule *allow_rule_of(const struct facts *f, size_t action, bool bare)
{
    const struct rule *r;
    size_t at = 0;

    if (has_no_rules(f, BEHAVIOR_ALLOW))
        return NULL;
    while ((r = next_rule(f, action, &at)))
        if (r->effect == BEHAVIOR_ALLOW && (!bare || r->matcher == MATCH_ANY) &&
            is_match(f, r, action) &&
            (r->source == SOURCE_BUILTIN ? !action_is_fresh(&f->actions.items[action]) &&
                                               shipped_may_clear(f, r, &f->actions.items[action])
                                         : rule_reaches(f, r, &f->actions.items[action])))
            return r;
    return NULL;
}

const struct rule *allow_rule(const struct facts *f, size_t action)
{
    return allow_rule_of(f, action, false);
}

const struct said *layer_allow_rules(const struct facts *f, size_t action)
{
    const struct rule *r = allow_rule(f, action);

    return r ? say_rule(f, SAY_ALLOW, r, action) : NULL;
}

const struct rule *allow_rule_for_all(const struct facts *f, bool bare)
{
    const struct rule *r = NULL;

    for (size_t i = 0; i < f->actions.count; i++) {
        r = allow_rule_of(f, i, bare);
        if (!r)
            return NULL;
    }
    return r;
}

/* For models with allow rules as a single step: every action must be covered. */
const struct said *layer_rules_allow(const struct facts *f)
{
    const struct rule *r = allow_rule_for_all(f, false);

    return r ? say_rule(f, SAY_ALLOW, r, f->actions.count - 1) : NULL;
}

/* Does a rule that matches decide the action? An allow rule in the default spelling, of settings
 * that agents share, covers as much as it does in the default profile. */
static bool applies(const struct facts *f, const struct rule *r, size_t action)
{
    return is_match(f, r, action) && (r->effect != BEHAVIOR_ALLOW || r->source == SOURCE_BUILTIN ||
                                      rule_reaches(f, r, &f->actions.items[action]));
}

/* The first rule of either half that matches the action, in the order of the book. */
static const struct rule *first_rule(const struct facts *f, size_t action, bool session)
{
    const struct rule *r;
    size_t at = 0;

    while ((r = next_rule(f, action, &at)))
        if ((r->source == SOURCE_SESSION) == session && applies(f, r, action))
            return r;
    return NULL;
}

/* waterfall, layer 4: config rules first, then session rules; the first match wins; ask falls
 * through. */
const struct said *layer_rules(const struct facts *f)
{
    const struct said *allow = NULL;
    bool covered = f->actions.count > 0;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct rule *r = first_rule(f, i, false);
        if (!r)
            r = first_rule(f, i, true);
        if (r && r->effect == BEHAVIOR_DENY)
            return say_rule(f, SAY_DENY, r, i);
        if (r && r->effect == BEHAVIOR_ALLOW)
            allow = say_rule(f, SAY_ALLOW, r, i);
        else
            covered = false;
    }
    return covered ? allow : NULL;
}

/* caliban: the first matching rule decides an action; the strictest action decides the call. */
static const struct said *first_match(const struct facts *f, size_t action)
{
    static const enum opinion opinions[] = {
        [BEHAVIOR_DENY] = SAY_DENY, [BEHAVIOR_ASK] = SAY_ASK, [BEHAVIOR_ALLOW] = SAY_ALLOW};
    const struct rule *r;
    size_t at = 0;

    while ((r = next_rule(f, action, &at)))
        if (applies(f, r, action))
            return say_rule(f, opinions[r->effect], r, action);
    return say(f, SAY_ASK, STR("no rule matches"));
}

const struct said *layer_first_match(const struct facts *f)
{
    const struct said *strictest = NULL;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct said *said = first_match(f, i);
        if (!strictest || said->opinion > strictest->opinion)
            strictest = said;
    }
    return strictest;
}

static bool listed(const struct facts *f, const struct tool_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++)
        if (is_listed(f, &entries->items[i]))
            return true;
    return false;
}

const struct said *layer_disabled(const struct facts *f)
{
    if (!listed(f, &f->book->disabled))
        return NULL;
    return say(f, SAY_DENY, STR("tool is disabled"));
}

const struct said *layer_allowed(const struct facts *f)
{
    if (!listed(f, &f->book->allowed))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}
