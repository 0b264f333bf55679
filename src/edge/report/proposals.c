/* proposals.c - what people keep accepting, as rules that an operator may add.
 *
 * A proposal is no rule: it names a pattern and the decisions that speak for it. Calls are grouped
 * by program and subcommand. Nothing is proposed that someone has rejected, and nothing whose
 * effect a pattern cannot bound: other users, secrets, losses, packages, the machine, code, hosts.
 */
#include <stdlib.h>

#include "base/glob.h"
#include "engine/action_json.h"
#include "engine/report.h"
#include "facts/general.h"
#include "record/redact.h"

#define MEMORY_MAX     ((size_t)256 * 1024 * 1024)
#define LEAST_DEFAULT  3
#define SINCE_DEFAULT  "30d"
#define EVIDENCE_SHOWN 20 /* decisions, and as many commands, workers and projects */

struct group {
    struct str key;
    size_t accepted;
    bool rejected;
    struct strs words; /* that all of its commands begin with */
    bool cut;          /* some of them go on after that */
    struct strs calls; /* each once */
    struct strs decisions, commands, workers, projects;
    struct str first, last;
};
struct groups LIST_OF(struct group);

struct proposals {
    struct arena arena;
    warder_engine *engine;
    struct groups groups;
    uint32_t least;
    bool rejections; /* the pass over what was rejected */
    bool failed;
    const char *json; /* the record that is looked at */
};

/* ---- one command ---- */

struct sought {
    struct proposals *all;
    warder_decision *decision;
    bool found;
    struct str key;
    struct strs words;
};

/* One that only reads, prints or computes is not what a person was asked about. */
static bool matters(const struct action *a)
{
    return a->subject.shell && !a->assignment && !a->redirect &&
           (!a->program || (a->effects & ~(unsigned)EFFECT_INNER));
}

static bool writes(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return true;
    return false;
}

/* What a pattern on the words cannot bound, a rule that is learned has no words for (general.h);
 * and of hosts and files of the project a pattern says nothing. */
static bool is_out_of_bounds(const struct general *g)
{
    return g->kind == GENERAL_NEVER || g->kind == GENERAL_SCRIPT || g->hosts.count;
}

static void seek(void *arg)
{
    struct sought *s = arg;
    struct arena *a = &s->all->arena;
    const struct facts *f = s->decision->verdict.facts;

    for (size_t i = 0; f && f->understood && i < f->actions.count; i++) {
        const struct action *action = &f->actions.items[i];
        struct general g;
        if (!matters(action) && writes(action))
            return;
        if (!matters(action))
            continue;
        action_generalise(f, action, &g);
        if (is_out_of_bounds(&g))
            return;
        struct str key = str_copy(a, g.name);
        if (s->key.len && !str_eq(s->key, key))
            return; /* which of the two was accepted? */
        s->key = key;
        s->words = (struct strs){0};
        for (size_t n = 0; n < action->subject.words.count; n++)
            LIST_PUSH(a, &s->words, str_copy(a, action->subject.words.items[n]));
    }
    s->found = s->key.len > 0;
}

/* A rejection is about everything in the call, also about what is never proposed. Where only the
 * program is known, it speaks against all of it. */
static void veto(void *arg)
{
    struct sought *s = arg;
    const struct facts *f = s->decision->verdict.facts;
    struct groups *groups = &s->all->groups;

    for (size_t i = 0; f && i < f->actions.count; i++) {
        const struct action *action = &f->actions.items[i];
        struct general g;
        action_generalise(f, action, &g);
        for (size_t n = 0; action->name.len && n < groups->count; n++) {
            struct str key = groups->items[n].key, program, rest;
            str_cut(key, ' ', &program, &rest);
            groups->items[n].rejected |= str_eq(g.name, key) || str_eq(g.name, program);
        }
    }
}

static bool ask_about(struct proposals *p, struct str command, void (*fn)(void *),
                      struct sought *out)
{
    *out = (struct sought){.all = p};
    if (!command.len || engine_ask(p->engine, "Bash", command, &out->decision, NULL) != WARDER_OK)
        return false;
    bool done = decision_try(out->decision, fn, out);
    warder_decision_free(out->decision);
    return done && out->found;
}

/* ---- groups ---- */

static struct group *group_of(struct proposals *p, struct str key)
{
    for (size_t i = 0; i < p->groups.count; i++)
        if (str_eq(p->groups.items[i].key, key))
            return &p->groups.items[i];
    LIST_PUSH(&p->arena, &p->groups, (struct group){.key = key});
    return &p->groups.items[p->groups.count - 1];
}

static void add_once(struct arena *a, struct strs *list, struct str text)
{
    if (text.len && list->count < EVIDENCE_SHOWN && !strs_has(list, text))
        LIST_PUSH(a, list, str_copy(a, text));
}

static void keep_common_words(struct arena *a, struct group *g, const struct strs *words)
{
    size_t same = 0;

    if (!g->accepted) {
        g->words = (struct strs){0};
        for (size_t i = 0; i < words->count; i++)
            LIST_PUSH(a, &g->words, words->items[i]);
        return;
    }
    while (same < g->words.count && same < words->count &&
           str_eq(g->words.items[same], words->items[same]))
        same++;
    g->cut |= same < g->words.count || same < words->count;
    g->words.count = same;
}

/* A call that was tried again is one call. */
static bool is_new_call(struct arena *a, struct group *g, const struct value *v)
{
    struct str use = value_text(v, "tool_use_id"), id = value_text(v, "id");
    struct str call =
        use.len ? str_format(a, "%.*s %.*s", STR_ARG(value_text(v, "session_id")), STR_ARG(use))
                : str_copy(a, id);

    if (strs_has(&g->calls, call))
        return false;
    LIST_PUSH(a, &g->calls, call);
    return true;
}

static void take_record(void *arg)
{
    struct proposals *p = arg;
    struct arena *a = &p->arena;
    struct sought s;
    struct value v;

    if (json_read(a, str_from(p->json), NULL, &v, NULL) != STATUS_OK)
        return;
    struct str command = value_text(&v, "command");
    if (p->rejections) {
        (void)ask_about(p, command, veto, &s);
        return;
    }
    if (str_contains(command, STR(REDACTED)) || !ask_about(p, command, seek, &s))
        return;
    struct group *g = group_of(p, s.key);
    if (!is_new_call(a, g, &v))
        return;
    keep_common_words(a, g, &s.words);
    g->accepted++;
    g->last = str_copy(a, value_text(&v, "timestamp"));
    if (!g->first.len)
        g->first = g->last;
    add_once(a, &g->decisions, value_text(&v, "id"));
    add_once(a, &g->commands, value_text(&v, "command"));
    add_once(a, &g->workers, value_text(&v, "worker_id"));
    add_once(a, &g->projects, value_text(&v, "project_id"));
}

/* Between the log and an arena: the arena's jump must not leave the log's frames. */
static int visit(void *context, const char *json, const char *text)
{
    struct proposals *p = context;

    (void)text;
    p->json = json;
    p->failed |= json && !arena_try(&p->arena, take_record, p);
    return p->failed;
}

/* ---- the report ---- */

static bool is_proposed(const struct proposals *p, const struct group *g)
{
    return g->accepted >= p->least && !g->rejected && g->words.count;
}

static struct str pattern_of(struct arena *a, const struct group *g)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < g->words.count; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, glob_escape(a, g->words.items[i]));
    }
    if (g->cut)
        buf_text(&b, " *");
    return buf_str(&b);
}

static void show_group(struct report *r, const struct group *g)
{
    struct str pattern = pattern_of(r->arena, g);

    json_begin_object(&r->json);
    report_member(r, "pattern", pattern);
    report_member(r, "type", STR("allow"));
    report_member(r, "program", g->key);
    report_number(r, "accepted", (int64_t)g->accepted);
    report_number(r, "rejected", 0);
    report_member(r, "first", g->first);
    report_member(r, "last", g->last);
    json_strings(&r->json, "commands", &g->commands);
    json_strings(&r->json, "decisions", &g->decisions);
    json_strings(&r->json, "workers", &g->workers);
    json_strings(&r->json, "projects", &g->projects);
    json_end_object(&r->json);
    report_show(r, pattern);
    buf_format(&r->text, "\n  accepted %zu times, never rejected; for example ", g->accepted);
    report_show(r, g->commands.items[0]);
    buf_byte(&r->text, '\n');
}

static void show(struct report *r, const void *about)
{
    const struct proposals *p = about;
    size_t shown = 0;

    json_begin_object(&r->json);
    report_number(r, "least", p->least);
    json_key(&r->json, "proposals");
    json_begin_array(&r->json);
    for (size_t i = 0; i < p->groups.count; i++)
        if (is_proposed(p, &p->groups.items[i])) {
            show_group(r, &p->groups.items[i]);
            shown++;
        }
    json_end_array(&r->json);
    json_end_object(&r->json);
    if (!shown)
        buf_format(&r->text, "no command was accepted %u times and never rejected\n", p->least);
}

/* Judges nothing: it only says what commands do. */
static warder_status open_engine(warder_engine **out, warder_error *err)
{
    static const char *const none[] = {NULL};
    warder_options o = WARDER_OPTIONS_INIT;

    o.profile = "warder";
    o.cwd = "/";
    o.policies = none;
    return warder_engine_new(&o, out, err);
}

static warder_status gather(struct proposals *p, warder_log *log, const warder_log_filter *given,
                            warder_error *err)
{
    warder_log_filter f = WARDER_LOG_FILTER_INIT;
    warder_status status = WARDER_OK;

    if (given) {
        f.project = given->project;
        f.worker = given->worker;
        f.since = given->since;
        f.until = given->until;
    }
    f.since = f.since ? f.since : SINCE_DEFAULT;
    f.decision = "human-accept";
    status = warder_log_export(log, &f, 0, visit, p, err);
    p->rejections = true;
    f.decision = "human-deny";
    if (status == WARDER_OK && !p->failed)
        status = warder_log_export(log, &f, 0, visit, p, err);
    return status == WARDER_OK && p->failed ? give_no_memory(err) : status;
}

warder_status warder_log_proposals(warder_log *log, const warder_log_filter *filter, uint32_t least,
                                   warder_report **out, warder_error *err)
{
    struct proposals p = {.least = least ? least : LEAST_DEFAULT};

    if (!log || !out)
        return give_usage(err, "missing argument: log or report");
    warder_status status = open_engine(&p.engine, err);
    if (status != WARDER_OK)
        return status;
    arena_init(&p.arena, MEMORY_MAX);
    status = gather(&p, log, filter, err);
    if (status == WARDER_OK)
        status = report_make(show, &p, out, err);
    arena_release(&p.arena);
    warder_engine_free(p.engine);
    return status;
}
