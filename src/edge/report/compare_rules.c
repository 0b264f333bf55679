/* compare_rules.c - the rules that only one of two policies has, what can be proved about them, and
 * the neighbours of all rules. */
#include "base/glob.h"
#include "report/compare.h"
#include "report/neighbours.h"
#include "rule/dialect.h"
#include "rule/lint.h"
#include "rule/tool.h"

#define PAIRS_MAX ((size_t)16 * 1000 * 1000) /* of rules that are compared with each other */
#define NEAR_MAX  5000u                      /* rules of each kind whose neighbours are judged */

static bool same_texts(const struct strs *a, const struct strs *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->items[i], b->items[i]);
    return same;
}

static bool same_paths(const struct rule_paths *a, const struct rule_paths *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->items[i].text, b->items[i].text);
    return same;
}

static bool same_rule(const struct rule *a, const struct rule *b)
{
    const struct rule_more *x = rule_more(a), *y = rule_more(b);

    return a->effect == b->effect && a->dialect == b->dialect && str_eq(a->text, b->text) &&
           (a->source == SOURCE_MANAGED) == (b->source == SOURCE_MANAGED) &&
           str_eq(x->terms, y->terms) && str_eq(x->regex, y->regex) && str_eq(x->scope, y->scope) &&
           same_texts(&x->flags, &y->flags) && same_paths(&x->paths, &y->paths);
}

/* The rules of a book by the hash of their text. */
struct lookup {
    const struct rules *rules;
    size_t *first, *next, room; /* numbers of rules + 1 */
};

static struct lookup lookup_of(struct arena *a, const struct rules *rules)
{
    struct lookup l = {.rules = rules, .room = rules->count * 2 + 1};

    l.first = ARENA_ARRAY(a, size_t, l.room);
    l.next = ARENA_ARRAY(a, size_t, rules->count + 1);
    for (size_t i = rules->count; i-- > 0;) {
        size_t at = str_hash(rules->items[i].text) % l.room;
        l.next[i] = l.first[at];
        l.first[at] = i + 1;
    }
    return l;
}

static bool has_rule(const struct lookup *l, const struct rule *r)
{
    size_t i = l->first[str_hash(r->text) % l->room];

    while (i && !same_rule(&l->rules->items[i - 1], r))
        i = l->next[i - 1];
    return i != 0;
}

static void find_changed(struct warder_comparison *c, const struct rules *here,
                         const struct lookup *there, bool added)
{
    for (size_t i = 0; i < here->count; i++)
        if (here->items[i].source != SOURCE_BUILTIN && !has_rule(there, &here->items[i]))
            LIST_PUSH(&c->arena, &c->rules,
                      (struct compare_rule){.rule = &here->items[i], .added = added});
}

/* ---- what can be proved ---- */

/* The texts of commands that the rule is about, as a glob; NULL: it says more than a pattern. */
static struct glob *command_glob(struct arena *a, const struct rule *r)
{
    const struct rule_tool *tool = rule_tool_find(r->tool);
    struct str pattern = glob_escape(a, r->pattern);
    struct glob *glob;

    if (rule_is_long_form(r) || !(r->matcher == MATCH_ACTION ||
                                  (tool && tool->content == CONTENT_COMMAND && !r->tool_wild)))
        return NULL;
    if (r->matcher == MATCH_GLOB || r->matcher == MATCH_ACTION || r->matcher == MATCH_ANY)
        pattern = r->matcher == MATCH_ANY ? STR("*") : r->pattern;
    else if (r->matcher != MATCH_EXACT)
        pattern =
            str_format(a, r->matcher == MATCH_SUBSTRING ? "*%.*s*" : "%.*s*", STR_ARG(pattern));
    if (r->tail) /* "git *" is also "git" */
        pattern = str_format(a, "%.*s*", STR_ARG(str_slice(pattern, 0, pattern.len - 2)));
    return glob_compile(a, pattern, dialect_row(r->dialect)->flags & ~(unsigned)GLOB_PATH, &glob,
                        NULL) == STATUS_OK
               ? glob
               : NULL;
}

static bool is_command_rule(const struct rule *r)
{
    const struct rule_tool *tool = rule_tool_find(r->tool);

    return r->matcher == MATCH_ACTION || str_is(r->tool, "*") || r->tool_wild || !r->tool.len ||
           (tool && tool->content == CONTENT_COMMAND);
}

/* No allow rule of the book can be about a command that this rule is about. */
static bool is_apart(struct arena *a, const struct rule *r, const struct rules *rules)
{
    const struct glob *own = command_glob(a, r);

    for (size_t i = 0; own && i < rules->count; i++) {
        const struct rule *other = &rules->items[i];
        if (other->effect != BEHAVIOR_ALLOW || !is_command_rule(other))
            continue;
        const struct glob *theirs = command_glob(a, other);
        if (!theirs || glob_intersects(own, theirs))
            return false;
    }
    return own != NULL;
}

/* A rule of the other policy that holds for all that this one is about, and is as strict. */
static const struct rule *find_cover(struct arena *a, const struct rule *r,
                                     const struct rules *rules)
{
    for (size_t i = 0; r->effect != BEHAVIOR_ALLOW && i < rules->count; i++)
        if (rules->items[i].effect <= r->effect && rule_covers(a, &rules->items[i], r))
            return &rules->items[i];
    return NULL;
}

/* Where the first match decides, any rule may open what another one closes. */
static bool goes_by_order(const struct rule *r)
{
    return r->dialect == DIALECT_FIRST_ARG || r->dialect == DIALECT_DOUBLESTAR;
}

/* A removed allow rule and an added deny or ask rule make nothing wider. An allow rule is not
 * covered by a wider one: what its own text names is what the star of the other one leaves out. */
static void prove(struct warder_comparison *c, struct compare_rule *changed,
                  const struct rules *others, bool pairs)
{
    struct arena *a = &c->line;
    const struct rule *r = changed->rule;
    bool allows = r->effect == BEHAVIOR_ALLOW;

    arena_reset(a);
    if (pairs && !changed->added) {
        changed->covers = find_cover(a, r, others);
        changed->apart = !allows && !changed->covers && is_apart(a, r, others);
    }
    changed->harmless = !goes_by_order(r) && (allows != changed->added || changed->covers);
}

/* ---- settings ---- */

static bool same_directories(const struct directories *a, const struct directories *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->items[i].path, b->items[i].path);
    return same;
}

static bool same_entries(const struct tool_entries *a, const struct tool_entries *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = str_eq(a->items[i].name, b->items[i].name);
    return same;
}

static bool same_programs(const struct program_rows *a, const struct program_rows *b)
{
    bool same = (a ? a->count : 0) == (b ? b->count : 0);

    for (size_t i = 0; same && a && i < a->count; i++)
        same = strcmp(a->items[i].name, b->items[i].name) == 0 &&
               strcmp(a->items[i].options, b->items[i].options) == 0 &&
               strcmp(a->items[i].operands, b->items[i].operands) == 0 &&
               a->items[i].effects == b->items[i].effects;
    return same;
}

static enum mode mode_of(const struct rulebook *b)
{
    return b->mode.given ? b->mode.mode : MODE_DEFAULT;
}

static void compare_settings(struct warder_comparison *c)
{
    const struct rulebook *x = c->held[0].project->book, *y = c->held[1].project->book;
    const struct {
        const char *name;
        bool same;
    } rows[] = {
        {"profile", c->held[0].snapshot->profile == c->held[1].snapshot->profile},
        {"mode", mode_of(x) == mode_of(y)},
        {"disableBypassPermissionsMode", x->bypass_disabled == y->bypass_disabled},
        {"disableAutoMode", x->auto_disabled == y->auto_disabled},
        {"allowManagedPermissionRulesOnly", x->managed_rules_only == y->managed_rules_only},
        {"additionalDirectories", same_directories(&x->directories, &y->directories)},
        {"disabledTools", same_entries(&x->disabled, &y->disabled)},
        {"allowedTools", same_entries(&x->allowed, &y->allowed)},
        {"readOnlyServers", same_texts(&x->read_only_servers, &y->read_only_servers)},
        {"variables", same_entries(&x->variables, &y->variables)},
        {"runners", x->runners_off == y->runners_off},
        {"scripts", x->scripts_off == y->scripts_off},
        {"inline", x->inline_off == y->inline_off},
        {"pause", x->pause_off == y->pause_off},
        {"undo", x->undo.use == y->undo.use},
        {"clearances", x->clearances_off == y->clearances_off},
        {"hooks", x->hooks.count == y->hooks.count},
        {"programs", same_programs(x->programs, y->programs)},
        {"files that can be read", !rulebook_broken(x) == !rulebook_broken(y)},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        if (!rows[i].same)
            LIST_PUSH(&c->arena, &c->settings, str_from(rows[i].name));
}

/* ---- neighbours ---- */

struct rules_job {
    warder_comparison *c;
    const struct rule *rule;
    size_t seen; /* differences that this rule decides */
    warder_status status;
    warder_error *err;
};

static void judge_neighbour(struct rules_job *job, const struct neighbour *n)
{
    struct warder_comparison *c = job->c;
    struct compare_call call = {.tool = n->tool,
                                .argument = n->argument,
                                .cwd = c->after->cwd,
                                .near = neighbour_kind_name(n->kind)};
    struct str json;

    if (!neighbour_call(&c->line, n, c->after->cwd, &json))
        return;
    job->status = judge_call(c->judges[0], json, &call.before, job->err);
    if (job->status == WARDER_OK)
        job->status = judge_call(c->judges[1], json, &call.after, job->err);
    if (job->status != WARDER_OK)
        return;
    c->made++;
    call.before_behavior = call.before->behavior;
    if (compare_count(c, &call) &&
        (str_eq(call.before->rule, job->rule->text) || str_eq(call.after->rule, job->rule->text)))
        job->seen++;
}

static void judge_neighbours(void *arg)
{
    struct rules_job *job = arg;
    struct warder_comparison *c = job->c;
    struct neighbours near = {0};

    neighbours_of(&c->line, job->rule, c->after->home, c->after->project, &near);
    for (size_t i = 0; job->status == WARDER_OK && i < near.count; i++)
        judge_neighbour(job, &near.items[i]);
}

static void look_around(struct rules_job *job, const struct rule *rule)
{
    arena_reset(&job->c->line);
    job->rule = rule;
    job->seen = 0;
    if (job->status == WARDER_OK && !arena_try(&job->c->line, judge_neighbours, job))
        job->status = give_no_memory(job->err);
}

/* Those that differ first: where both of a pair show the same change, it is said of them. */
static void look_around_all(struct rules_job *job)
{
    struct warder_comparison *c = job->c;
    const struct rules *rules = &c->held[1].project->book->rules;

    for (size_t i = 0; i < c->rules.count && i < NEAR_MAX; i++) {
        look_around(job, c->rules.items[i].rule);
        c->rules.items[i].seen = job->seen;
    }
    for (size_t i = 0; i < rules->count && i < NEAR_MAX; i++)
        if (rules->items[i].source != SOURCE_BUILTIN)
            look_around(job, &rules->items[i]);
}

/* A rule of which neither a proof nor a call is known. */
static void say_unknown(struct warder_comparison *c)
{
    for (size_t i = 0; i < c->rules.count; i++) {
        const struct compare_rule *r = &c->rules.items[i];
        const struct compare_call call = {.tool = str_from(behavior_name(r->rule->effect)),
                                          .argument = r->rule->text,
                                          .near = r->added ? "added" : "removed"};
        if (!r->harmless && !r->seen)
            compare_cannot(c, &call, "no call was found that this rule decides");
    }
}

static void compare_books(void *arg)
{
    struct rules_job *job = arg;
    struct warder_comparison *c = job->c;
    const struct rules *x = &c->held[0].project->book->rules, *y = &c->held[1].project->book->rules;
    const struct lookup olds = lookup_of(&c->arena, x), news = lookup_of(&c->arena, y);

    find_changed(c, y, &olds, true);
    find_changed(c, x, &news, false);
    compare_settings(c);
    look_around_all(job);
}

static void prove_all(void *arg)
{
    struct rules_job *job = arg;
    struct warder_comparison *c = job->c;
    const struct rules *books[] = {&c->held[0].project->book->rules,
                                   &c->held[1].project->book->rules};
    bool pairs = c->rules.count * (books[0]->count + books[1]->count) <= PAIRS_MAX;

    for (size_t i = 0; i < c->rules.count; i++)
        prove(c, &c->rules.items[i], books[!c->rules.items[i].added], pairs);
}

static void finish(void *arg)
{
    struct rules_job *job = arg;

    if (!arena_try(&job->c->line, prove_all, job))
        job->status = give_no_memory(job->err);
    else
        say_unknown(job->c);
}

warder_status warder_comparison_rules(warder_comparison *c, warder_error *err)
{
    struct rules_job job = {.c = c, .err = err};
    warder_engine *engines[2] = {c ? c->before : NULL, c ? c->after : NULL};

    if (!c || c->rules_done)
        return give_usage(err, "the rules are compared once");
    c->rules_done = true;
    for (size_t i = 0; job.status == WARDER_OK && i < COUNT(engines); i++)
        job.status = policy_borrow(engines[i], &c->held[i], err);
    if (job.status == WARDER_OK && !arena_try(&c->arena, compare_books, &job))
        return give_no_memory(err);
    if (job.status == WARDER_OK && !arena_try(&c->arena, finish, &job))
        return give_no_memory(err);
    return job.status;
}
