#include "decide/decide.h"

#include "base/path.h"
#include "decide/fold.h"
#include "decide/why.h"
#include "facts/actions.h"
#include "facts/does.h"
#include "facts/fetches.h"
#include "facts/sensitive_paths.h"
#include "rule/suggest.h"

/* The modes that a call is judged in; the strictest verdict counts. */
struct modes {
    enum mode items[4]; /* what it asks for, and what it is bound by where that is another */
    size_t count;
    bool known; /* else it names one that does not exist */
};

/* A mode that policy has switched off is the one that asks. */
static enum mode usable(const struct rulebook *book, enum mode m)
{
    return (m == MODE_BYPASS && book->bypass_disabled) || (m == MODE_AUTO && book->auto_disabled)
               ? MODE_DEFAULT
               : m;
}

/* No call is judged more mildly than in this mode. Where the two are not comparable, neither can
 * stand for the other. */
static void bind_mode(struct modes *m, const struct rulebook *book, enum mode bound)
{
    bound = usable(book, bound);
    if (bound == MODE_BYPASS)
        return; /* it binds nothing */
    for (size_t i = 0; i < m->count; i++)
        if (mode_is_milder(m->items[i], bound))
            m->items[i] = bound;
    for (size_t i = 0; i < m->count; i++)
        if (m->items[i] == bound)
            return;
    m->items[m->count++] = bound;
}

/* A person has said of this client that it may edit files: it cannot ask them, or does not tell
 * its mode. */
static bool may_edit(const struct decide_options *o, const struct call *call)
{
    return !call->client_unproved && strs_has(&o->book->edits, call->client);
}

/* A project's files may say in which mode a sub-agent runs (Claude Code believes them): it is
 * judged in no milder one than the agent that started it. */
static enum mode main_mode(const struct decide_options *o)
{
    const struct session *s = o->recall ? o->recall(o->context) : o->session;

    return s && s->has_main ? s->main : MODE_DEFAULT;
}

/* The mode of the call, or that of the engine (`own`). What was set while running replaces the mode
 * that it all began with. */
static bool wanted_mode(const struct decide_options *o, const struct call *call, bool own,
                        enum mode *out)
{
    struct str name = own ? o->own_mode : call->mode;
    const struct mode_setting *set = &o->book->mode;

    /* A project that is only claimed makes nothing milder: see find_modes(). */
    *out = set->given && !(call->project_unproved && source_is_project(set->source)) ? set->mode
                                                                                     : MODE_DEFAULT;
    if (o->session && o->session->has_mode && (own || !call->mode_given))
        *out = o->session->mode;
    else if (name.len && !mode_parse(name, out))
        return false;
    if (*out == MODE_DEFAULT && may_edit(o, call))
        *out = MODE_ACCEPT_EDITS;
    return true;
}

static struct modes find_modes(const struct decide_options *o, const struct call *call)
{
    const struct mode_setting *set = &o->book->mode;
    struct modes m = {.count = 1};
    enum mode own;

    m.known = wanted_mode(o, call, false, &m.items[0]);
    if (o->bounded && call->mode_given) {
        m.known &= wanted_mode(o, call, true, &own);
        bind_mode(&m, o->book, own);
    }
    if (call->subagent && call->mode_given)
        bind_mode(&m, o->book, main_mode(o));
    if (set->given && (set->source == SOURCE_MANAGED ||
                       (call->project_unproved && source_is_project(set->source))))
        bind_mode(&m, o->book, set->mode);
    m.items[0] = usable(o->book, m.items[0]);
    return m;
}

bool decide_mode(const struct decide_options *o, const struct call *call, enum mode *out)
{
    struct modes m = find_modes(o, call);

    *out = m.items[0];
    return m.known;
}

/* What an MCP server says about its own tool. "Destructive" is believed of every server, "read
 * only" of those that the profile or the user's policy trusts. */
static enum risk find_risk(const struct decide_options *o, const struct call *c)
{
    if (c->row && c->kind == c->row->kind) /* else it does more than its name says */
        return c->row->risk;
    if (c->kind != TOOL_MCP)
        return RISK_HIGH;
    if (c->destructive)
        return RISK_CRITICAL;
    if (c->read_only &&
        (o->profile->believes_annotations || strs_has(&o->book->read_only_servers, c->server)))
        return RISK_LOW;
    return RISK_HIGH;
}

static struct str find_workspace(struct arena *a, const struct decide_options *o,
                                 const struct call *c)
{
    struct str w =
        o->session && o->session->workspace.len ? str_copy(a, o->session->workspace) : c->project;

    return path_too_wide(w, o->home) ? (struct str){0} : w;
}

/* Layers compare an action with these rules only. */
static void find_rules(struct facts *f)
{
    struct rule_env room;
    unsigned spoken = 0;

    if (!f->book->index || f->actions.count == 0)
        return;
    struct rule_search *search = ARENA_NEW(f->arena, struct rule_search);
    *search = rule_search_begin(f->arena, f->book->index, &f->shared);
    f->search = search;
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *action = &f->actions.items[i];
        action->rules = rule_search_find(search, &action->subject, facts_env(f, action, &room));
        for (size_t n = 0; n < action->rules.count; n++)
            spoken |= 1u << f->book->rules.items[action->rules.items[n]].effect;
    }
    f->effects_without_rules = ~spoken;
}

/* The published models know neither the age of a file nor which program built it. */
static bool clears_project_code(const struct decide_options *o)
{
    for (size_t i = o->profile->step_count; i-- > 0;) /* it is one of the last */
        if (o->profile->steps[i].layer == LAYER_PROJECT)
            return !o->book->runners_off && !o->book->clearances_off;
    return false;
}

/* Rules that count for a time after the session began. */
static void find_beginning(struct facts *f)
{
    if (!rulebook_on_age(f->book))
        return;
    const struct session *past = facts_past(f);
    f->env.began = past ? past->began : 0;
    f->by_session = true;
}

/* For rules that name agents: the type of a sub-agent, or the worker's name. */
static struct str asking_agent(const struct call *call)
{
    if (call->worker_unproved)
        return (struct str){0};
    return call->worker_id.len || !call->main_agent ? call->worker_id : STR("main");
}

/* Is what the call loses to be saved? What policy says, else the profile. */
static bool keeps_losses(const struct decide_options *o)
{
    const enum undo_use use = o->book->undo.use;

    return use == UNDO_ON || (use == UNDO_UNSAID && o->profile->saves);
}

static struct facts *find_facts(struct arena *a, const struct decide_options *o,
                                const struct call *call, enum mode mode)
{
    struct facts *f = arena_room(a, 1, sizeof(*f));

    *f = (struct facts){
        .arena = a,
        .call = call,
        .book = o->book,
        .session = o->session,
        .recall = o->recall,
        .recall_context = o->context,
        .cell = o->cell,
        .saves = o->saves,
        .undo = keeps_losses(o),
        .world = o->world,
        .env = {.cwd = call->cwd,
                .home = o->home,
                .project = call->project,
                .project_id = call->project_id,
                .name_unproved = call->name_unproved,
                .project_unproved = call->project_unproved,
                .session = call->session,
                .world = o->world,
                .client = call->client_unproved ? (struct str){0} : call->client,
                .agent = asking_agent(call),
                .now = o->now},
        .home = o->home,
        .own = o->own,
        .workspace = find_workspace(a, o, call),
        .contains = o->profile->contains,
        .trust_builds = clears_project_code(o),
        .bypass_flag = o->bypass_flag,
        .risk = find_risk(o, call),
        .hook = o->hook,
        .callback = o->callback,
        .cache = ARENA_NEW(a, struct decision_cache),
        .mode = mode,
    };
    f->env.mode = mode;
    find_beginning(f);
    f->trust_builds &= f->mode != MODE_PLAN;
    f->trust_old_scripts = f->trust_builds && !o->book->scripts_off;
    actions_find(f);
    does_find(f);
    fetches_find(f);
    find_rules(f);
    return f;
}

/* `npm run build` runs the project's own code, whatever words follow. For other programs the words
 * after a subcommand make the difference: an ask says that this use of it is not the usual one. */
static bool is_wide(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return false;
    return (a->effects & ~(unsigned)EFFECT_INNER) == EFFECT_PROJECT && !a->unknown &&
           !a->subject.hosts.count;
}

static struct str suggest_for(enum dialect dialect, const struct facts *f, const struct action *a)
{
    struct rule_env env = f->env;

    /* After a `cd`, a rule with a relative path would match in every directory. */
    if (!str_eq(a->cwd, env.cwd))
        env.cwd = (struct str){0};
    return rule_suggest(f->arena, &a->subject, dialect, &env, is_wide(a), program_danger);
}

#define SUGGESTIONS_MAX 16 /* more than a person would read */

/* The rule for the whole command line, when it covers every open action; else empty. */
static struct str suggest_whole(enum dialect dialect, const struct verdict *v)
{
    const struct facts *f = v->facts;
    struct str rule = {0};

    for (size_t i = 0; i < f->actions.count; i++) {
        if (v->cleared_by[i])
            continue;
        rule = rule_suggest_whole(f->arena, &f->actions.items[i].subject, dialect, &f->env);
        if (!rule.len)
            break;
    }
    return rule;
}

/* False: no rule matches one of the open actions alone, or there would be too many rules. */
static bool suggest_each(enum dialect dialect, struct verdict *v)
{
    const struct facts *f = v->facts;

    for (size_t i = 0; i < f->actions.count; i++) {
        if (v->cleared_by[i])
            continue;
        struct str rule = suggest_for(dialect, f, &f->actions.items[i]);
        if (!rule.len || v->suggestions.count == SUGGESTIONS_MAX)
            return false;
        if (!strs_has(&v->suggestions, rule))
            LIST_PUSH(f->arena, &v->suggestions, rule);
    }
    return true;
}

/* The narrowest rules that would clear the call: one for each open action, or one for all. */
static void suggest(const struct profile *profile, struct verdict *v)
{
    if (!v->unsuggested)
        return;
    v->unsuggested = false;
    bool each = suggest_each(profile->dialect, v);
    if (each && v->suggestions.count <= 1)
        return;
    struct str whole = suggest_whole(profile->dialect, v);
    /* sudo rm x: the rule for sudo is that of the whole line, and enough. */
    if (each && !strs_has(&v->suggestions, whole))
        return;
    v->suggestions.count = 0;
    if (whole.len)
        LIST_PUSH(v->facts->arena, &v->suggestions, whole);
}

/* Was nothing said but what the last step of the profile says of what no layer has cleared? */
static bool lacks_clearance(const struct verdict *v)
{
    return v->layer == layers[LAYER_RISK].name || v->open;
}

/* The risk matrix knows the tool only, and the last step of a profile nothing at all; a person
 * wants to know which part of the call is not cleared. */
static void say_what_is_open(struct verdict *v)
{
    const struct facts *f = v->facts;
    bool same = v->message.s == v->reason.s;

    if (!v->vague)
        return;
    v->vague = false;
    v->reason = why_open(f, v->cleared_by);
    if (v->behavior == BEHAVIOR_DENY)
        v->reason = str_format(f->arena, "%.*s, which mode %s does not allow", STR_ARG(v->reason),
                               mode_name(f->mode));
    if (same)
        v->message = v->reason;
}

void decide_word(const struct profile *profile, struct verdict *v)
{
    say_what_is_open(v);
    suggest(profile, v);
}

/* "a rule asks, and mode dontAsk does not ask" */
static struct str after_reason(struct arena *a, struct verdict *v, const char *then)
{
    say_what_is_open(v);
    return str_format(a, "%.*s%s", STR_ARG(v->reason), then);
}

/* "DANGEROUS: ... (a rule asks)" */
static struct str before_reason(struct arena *a, const char *how, struct verdict *v)
{
    say_what_is_open(v);
    return str_format(a, "%s (%.*s)", how, STR_ARG(v->reason));
}

static void deny_ask(struct verdict *v, struct str reason)
{
    verdict_refuse(v, BEHAVIOR_DENY, v->layer, reason);
}

static void allow_ask(struct arena *a, struct verdict *v, const char *how)
{
    verdict_allow(v, ALLOWED_BY_AUTO_ALLOW, v->layer, before_reason(a, how, v));
}

/* What an administrator forbids or wants to be asked about is not for the user to lift; a pause is
 * a way to bypass questions. */
static bool may_be_paused(const struct decide_options *o, const struct verdict *v)
{
    return o->paused && !v->immune && rulebook_may_pause(o->book) &&
           !(v->rule && v->rule->source == SOURCE_MANAGED);
}

/* Only asks get here, so that no other call looks for a pause. */
static void heed_pause(struct arena *a, const struct decide_options *o, struct verdict *v)
{
    struct str until =
        may_be_paused(o, v) ? o->paused(o->context, v->facts->call) : (struct str){0};

    if (!until.len)
        return;
    allow_ask(a, v, str_format(a, "Warder is paused until %.*s", STR_ARG(until)).s);
    v->paused = true;
}

/* Ends an ask that no person can answer, because of the mode or the options. */
static void resolve_ask(struct arena *a, const struct decide_options *o, struct verdict *v)
{
    bool alone = v->mode == MODE_AUTO && !(o->session && session_asks_in_auto(o->session));

    if (v->behavior == BEHAVIOR_ASK && v->mode != MODE_DONT_ASK)
        heed_pause(a, o, v);
    if (v->behavior != BEHAVIOR_ASK)
        return;
    if (v->mode == MODE_DONT_ASK)
        deny_ask(v, after_reason(a, v, ", and mode dontAsk does not ask"));
    else if (o->auto_allow && !v->immune)
        allow_ask(a, v, "DANGEROUS: --auto-allow let it run without a person");
    else if (alone)
        deny_ask(v, after_reason(a, v, ", and mode auto does not ask"));
    else if (o->headless) {
        deny_ask(v, before_reason(a, o->profile->headless, v));
        v->unanswered = true;
        v->message =
            str_from(o->profile->headless); /* exactly these words, where a spec has them */
    }
}

static void words_for_model(struct arena *a, const struct decide_options *o,
                            const struct call *call, struct verdict *v)
{
    if (v->behavior == BEHAVIOR_DENY && v->rule && v->rule->effect == BEHAVIOR_DENY &&
        o->profile->rule_denial)
        v->message = str_format(a, "%s %.*s", o->profile->rule_denial, STR_ARG(call->tool));
}

/* From the twentieth denial of a session on, the agent's loop ends; a question that nobody could
 * answer is not counted as one. */
static void count_denial(const struct decide_options *o, struct verdict *v)
{
    if (v->behavior == BEHAVIOR_DENY && o->session &&
        o->session->denials + !v->unanswered >= SESSION_DENIALS_IN_ALL)
        v->interrupt = true;
}

/* Ends an ask where that is possible, and finds the words for an ask or a deny. */
__attribute__((noinline)) static void finish_refusal(struct arena *a,
                                                     const struct decide_options *o,
                                                     const struct call *call, struct verdict *out)
{
    const bool uncleared = lacks_clearance(out) && !out->immune;

    out->vague = lacks_clearance(out);
    if (uncleared && out->behavior == BEHAVIOR_ASK &&
        contained_is_missed(out->facts, out->cleared_by))
        deny_ask(out,
                 after_reason(a, out,
                              ", and the policy requires a sandbox, which is not available here"));
    out->unsuggested = out->behavior == BEHAVIOR_ASK && !out->immune;
    if (!o->words_later)
        decide_word(o->profile, out);
    resolve_ask(a, o, out);
    out->uncleared = uncleared && out->behavior != BEHAVIOR_ALLOW;
    words_for_model(a, o, call, out);
    count_denial(o, out);
}

struct work {
    struct arena *arena;
    const struct decide_options *options;
    const struct call *call;
    struct verdict *out;
};

static void walk_once(const struct decide_options *o, struct facts *f, struct verdict *out)
{
    *out = (struct verdict){.facts = f, .mode = f->mode, .risk = f->risk};
    fold(o->profile, f, out);
    if (out->behavior != BEHAVIOR_ALLOW)
        finish_refusal(f->arena, o, f->call, out);
}

static bool is_stricter(const struct verdict *v, const struct verdict *than)
{
    return v->behavior < than->behavior ||
           (v->behavior == than->behavior &&
            ((v->immune && !than->immune) || (v->contained.yes && !than->contained.yes)));
}

/* An ask rule that is a guest (facts.h) stopped the walk. What would the rest have said? */
__attribute__((noinline)) static void walk_without_guests(const struct decide_options *o,
                                                          struct facts *f, struct verdict *out)
{
    struct verdict alone;

    f->cache->guests = GUESTS_OUT;
    walk_once(o, f, &alone);
    f->cache->guests = GUESTS_IN;
    if (is_stricter(&alone, out))
        *out = alone;
}

static void judge_in(struct arena *a, const struct decide_options *o, const struct call *call,
                     const struct modes *modes, size_t mode, struct verdict *out)
{
    struct facts *f = find_facts(a, o, call, modes->items[mode]);

    f->mode_known = modes->known;
    walk_once(o, f, out);
    if (f->cache->guests == GUESTS_HEARD && out->behavior != BEHAVIOR_DENY)
        walk_without_guests(o, f, out);
}

static void judge_call(struct arena *a, const struct decide_options *o, const struct call *call,
                       struct verdict *out)
{
    const struct modes modes = find_modes(o, call);
    struct verdict other;

    judge_in(a, o, call, &modes, 0, out);
    for (size_t i = 1; i < modes.count; i++) {
        judge_in(a, o, call, &modes, i, &other);
        /* where both deny, what binds the call is the reason to give */
        if (other.behavior == BEHAVIOR_DENY || is_stricter(&other, out))
            *out = other;
    }
}

/* The mode that the call would be judged in if its client had named none. */
static bool own_mode(const struct decide_options *o, const struct call *call, struct call *plain,
                     enum mode *out)
{
    *plain = *call;
    plain->mode_given = false;
    plain->mode = o->own_mode;
    return decide_mode(o, plain, out);
}

/* What only the mode allows that the client reports is left to the client, which may have it from
 * the project. But what is contained must not run as the client would run it, and of the text that
 * it is answered the client can judge nothing. */
static void doubt_mode(struct arena *a, const struct decide_options *o, const struct call *call,
                       struct verdict *v)
{
    struct verdict without;
    enum mode mode;

    if (!v->contained.yes || !call->mode_given)
        return;
    struct call *plain = ARENA_NEW(a, struct call);
    if ((own_mode(o, call, plain, &mode) && mode == v->mode) ||
        (v->mode == MODE_ACCEPT_EDITS && facts_cell(v->facts)->edits_by_person))
        return;
    judge_call(a, o, plain, &without);
    if (without.behavior == BEHAVIOR_ALLOW)
        return;
    v->contained = (struct contained){0};
    verdict_refuse(v, BEHAVIOR_ASK, layers[LAYER_CONTAINED].name,
                   STR("it should run in the sandbox, but only the mode that the agent reports "
                       "allows a part of it"));
}

/* Did the walk reach the step that hears this answer? A profile without such a step hears it before
 * the first one. */
static bool was_heard(const struct profile *p, const struct verdict *v,
                      bool (*hears)(enum layer_id))
{
    for (size_t i = 0; i < p->step_count; i++)
        if (hears(p->steps[i].layer))
            return i < v->walked;
    return true;
}

struct trace decide_trace(struct arena *a, const struct profile *profile, const struct verdict *v)
{
    struct trace all = {0};
    size_t next = 0;

    for (const struct step *step = profile->steps; step < profile->steps + v->walked; step++) {
        const struct layer *layer = &layers[step->layer];
        if (step->role != ROLE_CLEAR &&
            (next == v->trace.count || v->trace.items[next].layer != layer))
            LIST_PUSH(a, &all, (struct trace_step){.layer = layer, .role = step->role});
        for (; next < v->trace.count && v->trace.items[next].layer == layer; next++)
            LIST_PUSH(a, &all, v->trace.items[next]);
    }
    return all;
}

static bool hears_hook(enum layer_id id)
{
    return id == LAYER_HOOKS || id == LAYER_HOOK_CHECK || id == LAYER_HOOK_OVERRIDE;
}

static bool hears_callback(enum layer_id id)
{
    return id == LAYER_CALLBACK;
}

/* A rewritten input is a new call and is judged from the start; the hook or callback cannot rewrite
 * it a second time. A verdict of an earlier step remains: the walk did not get as far as asking. */
static void judge_rewritten(struct work *w, struct decide_options *o, struct answer *by,
                            bool (*hears)(enum layer_id))
{
    struct call *call = ARENA_NEW(w->arena, struct call);

    if (!w->out->facts || !by->given || !by->updated_input || !was_heard(o->profile, w->out, hears))
        return;
    *call = *w->call;
    call->input = by->updated_input;
    by->updated_input = NULL;
    by->rewritten = true;
    w->call = call;
    if (call->input->kind == VALUE_OBJECT)
        judge_call(w->arena, o, call, w->out);
    else
        decide_malformed(w->arena, STR("the rewritten input is not an object"), w->out);
    w->out->updated_input = call->input;
}

static void judge_other_inputs(struct work *w)
{
    struct decide_options o = *w->options;

    judge_rewritten(w, &o, &o.hook, hears_hook);
    judge_rewritten(w, &o, &o.callback, hears_callback);
}

static void work(void *arg)
{
    struct work *w = arg;

    judge_call(w->arena, w->options, w->call, w->out);
    if (w->options->hook.updated_input || w->options->callback.updated_input)
        judge_other_inputs(w);
    doubt_mode(w->arena, w->options, w->call, w->out);
}

void decide(struct arena *a, const struct decide_options *o, const struct call *call,
            struct verdict *out)
{
    struct work w = {a, o, call, out};

    *out = (struct verdict){0};
    /* If memory ran out below an arena_try() of some reader, the layers saw less than they should
     * have: their opinions do not count. */
    if (arena_try(a, work, &w) && !a->exhausted)
        return;
    *out = (struct verdict){0};
    verdict_refuse(out, BEHAVIOR_DENY, "limit",
                   STR("too large to judge: reached the memory limit for one decision"));
}

bool decide_depends_on_age(const struct verdict *v)
{
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++)
        if (v->facts->actions.items[i].script != SCRIPT_NONE)
            return true;
    return v->facts && v->facts->by_session;
}

bool decide_depends_on_programs(const struct verdict *v)
{
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++)
        if (v->facts->actions.items[i].session_build.state != BUILT_NONE)
            return true;
    return false;
}

void decide_malformed(struct arena *a, struct str why, struct verdict *out)
{
    (void)a;
    *out = (struct verdict){0};
    verdict_refuse(out, BEHAVIOR_DENY, layers[LAYER_VALID].name, why);
}
