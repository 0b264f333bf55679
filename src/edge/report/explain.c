/* explain.c - a decision for people: the call with carets, each action with what it touches and
 * which layer cleared or stopped it, what each layer said, and what would make it allowed. It
 * prints the result of decide(); it decides nothing. */
#include "engine/cell.h"
#include "report/page.h"

static const char *paint(const struct page *p, enum behavior behavior)
{
    static const char *const colours[] = {[BEHAVIOR_DENY] = "\033[1;31m",
                                          [BEHAVIOR_ASK] = "\033[1;33m",
                                          [BEHAVIOR_ALLOW] = "\033[1;32m"};

    return p->colour ? colours[behavior] : "";
}

static const char *plain(const struct page *p)
{
    return p->colour ? "\033[0m" : "";
}

static void headline(struct page *p)
{
    const struct verdict *v = &p->decision->verdict;
    const enum behavior behavior = verdict_behavior(v);

    buf_format(&p->b, "%s%s%s  ", paint(p, behavior), behavior_name(behavior), plain(p));
    page_show(p, v->reason);
    buf_format(&p->b, "\n\nlayer    %s\n", v->layer ? v->layer : "");
    buf_format(&p->b, "profile  %s", p->decision->profile->name);
    if (v->facts)
        buf_format(&p->b, ", mode %s, risk %s", mode_name(v->mode), risk_name(v->risk));
    buf_byte(&p->b, '\n');
    if (v->rule) {
        buf_text(&p->b, "rule     ");
        page_show(p, v->rule->text);
        buf_text(&p->b, "  at ");
        page_show(p, rule_place(p->b.arena, v->rule));
        buf_byte(&p->b, '\n');
        if (rule_about(v->rule)->comment.len) {
            buf_text(&p->b, "comment  ");
            page_show(p, rule_about(v->rule)->comment);
            buf_byte(&p->b, '\n');
        }
    }
    if (v->interrupt)
        buf_text(&p->b, "the agent should stop\n");
}

/* The last entry of the trace for each action: the layer that cleared it, or that stopped the call
 * at it. */
static const struct trace_step **fates_of(struct page *p)
{
    const struct verdict *v = &p->decision->verdict;
    const struct trace_step **fates =
        ARENA_ARRAY(p->b.arena, const struct trace_step *, v->facts->actions.count + 1);

    for (size_t i = 0; i < v->trace.count; i++) {
        const struct said *s = &v->trace.items[i].said;
        if (s->action != WHOLE_CALL)
            fates[s->action] = &v->trace.items[i];
    }
    return fates;
}

static void fate(struct page *p, const struct trace_step *step)
{
    if (!step) {
        if (p->decision->verdict.behavior != BEHAVIOR_ALLOW)
            page_line(p, "not cleared by any layer\n");
        return;
    }
    bool cleared = step->said.opinion == SAY_ALLOW;
    page_line(p, "");
    buf_format(&p->b, "%s%s by %s%s: ", paint(p, cleared ? BEHAVIOR_ALLOW : BEHAVIOR_DENY),
               cleared ? "cleared" : "stopped", step->layer->name, plain(p));
    page_show(p, step->said.reason.len ? step->said.reason : str_from(step->layer->says));
    buf_byte(&p->b, '\n');
}

/* Why the sandbox has not ended the question about it, where there is one. */
static void why_not_contained(struct page *p, size_t action)
{
    const struct facts *f = p->decision->verdict.facts;
    const char *why = p->decision->verdict.behavior == BEHAVIOR_ASK && contained_is_on(f)
                          ? action_asks_in_cell(f, &f->actions.items[action])
                          : NULL;

    if (!why)
        return;
    page_line(p, "not for the sandbox: ");
    page_show(p, str_from(why));
    buf_byte(&p->b, '\n');
}

static void actions(struct page *p)
{
    const struct facts *f = p->decision->verdict.facts;
    struct str command = f->actions.count ? f->actions.items[0].subject.first : (struct str){0};
    const struct trace_step **fates = fates_of(p);

    buf_format(&p->b, "\nactions of %.*s\n", STR_ARG(p->decision->call.tool));
    for (size_t i = 0; i < p->outline.count; i++) {
        page_action(p, &p->outline.rows[i]);
        fate(p, fates[p->outline.rows[i].action]);
        why_not_contained(p, p->outline.rows[i].action);
    }
    p->indent = PAGE_INDENT;
    if (!f->understood) {
        buf_text(&p->b, "\nnot understood: ");
        page_show(p, f->why);
        buf_byte(&p->b, '\n');
        page_carets(p, command, f->why_at, 1);
    }
    for (size_t i = 0; i < f->findings.count; i++) {
        buf_format(&p->b, "\nfinding %s: ", f->findings.items[i].name);
        page_show(p, f->findings.items[i].what);
        buf_byte(&p->b, '\n');
        page_carets(p, command, f->findings.items[i].at, f->findings.items[i].len);
    }
}

static void layers_said(struct page *p, bool silent_too)
{
    static const char *const words[] = {
        [SAY_ALLOW] = "allow", [SAY_ASK] = "ask", [SAY_DENY] = "deny"};
    const struct trace t = decide_trace(p->b.arena, p->decision->profile, &p->decision->verdict);

    buf_text(&p->b, silent_too ? "\nlayers, in order\n" : "\nlayers that spoke, in order\n");
    for (size_t i = 0; i < t.count; i++) {
        const struct said *s = &t.items[i].said;
        if (s->opinion == NO_OPINION) {
            if (silent_too)
                buf_format(&p->b, "     %-14s -\n", t.items[i].layer->name);
            continue;
        }
        buf_format(&p->b, "     %-14s %-6s ", t.items[i].layer->name, words[s->opinion]);
        if (s->action != WHOLE_CALL)
            buf_format(&p->b, "action %zu: ", p->outline.number[s->action]);
        page_show(p, s->reason.len ? s->reason : str_from(t.items[i].layer->says));
        buf_byte(&p->b, '\n');
    }
}

/* What may still decide otherwise. */
static void unasked(struct page *p)
{
    const struct strs *left = decision_unasked(p->decision->self);

    if (left->count)
        buf_text(&p->b, "\nnot asked here, and asked before it runs\n");
    for (size_t i = 0; i < left->count; i++) {
        buf_text(&p->b, "     ");
        page_show(p, left->items[i]);
        buf_byte(&p->b, '\n');
    }
}

static void list_places(struct page *p, const char *what, const struct strs *places)
{
    buf_format(&p->b, "     %-14s ", what);
    for (size_t i = 0; i < places->count; i++) {
        buf_text(&p->b, i ? ", " : "");
        page_show(p, places->items[i]);
    }
    buf_text(&p->b, places->count ? "\n" : "nothing\n");
}

/* What it gets in its cell. */
static void cell(struct page *p)
{
    const struct contained *c = &p->decision->verdict.contained;
    struct buf json = buf_in(p->b.arena);
    struct json_writer w = json_to(&json);
    struct cell_places places;

    if (!c->yes || verdict_behavior(&p->decision->verdict) != BEHAVIOR_ALLOW)
        return;
    cell_write_places(&w, p->decision, &places);
    buf_format(&p->b, "\nit runs in the sandbox (%s): %.*s\n", cell_tier_name(c->tier),
               STR_ARG(c->why));
    list_places(p, "can write", &places.write);
    list_places(p, "but not", &places.protect);
    list_places(p, "cannot read", &places.hide);
    if (places.hosts.count)
        list_places(p, "network", &places.hosts);
    else
        buf_format(&p->b, "     %-14s %s\n", "network", "none but its own loopback");
}

static void saved(struct page *p)
{
    const struct reversible *r = &p->decision->verdict.reversible;

    if (!r->yes || verdict_behavior(&p->decision->verdict) != BEHAVIOR_ALLOW)
        return;
    buf_text(&p->b, "\nwhat it loses is saved before it runs (");
    page_show(p, r->why);
    buf_text(&p->b, "); warder undo gives it back\n");
}

static void advice(struct page *p)
{
    const struct verdict *v = &p->decision->verdict;

    if (v->behavior == BEHAVIOR_ALLOW)
        return;
    if (v->immune)
        buf_text(&p->b, "\nno rule and no mode can allow this; a person has to answer\n");
    else if (v->behavior == BEHAVIOR_ASK && v->facts && v->suggestions.count == 0)
        buf_text(&p->b, "\nno rule can match exactly this; a person has to answer\n");
    if (v->suggestions.count == 0)
        return;
    buf_text(&p->b, "\nto allow it, add to your allow rules\n");
    for (size_t i = 0; i < v->suggestions.count; i++) {
        buf_text(&p->b, "     ");
        page_show(p, v->suggestions.items[i]);
        buf_byte(&p->b, '\n');
    }
}

struct explain_page {
    warder_decision *decision;
    int how; /* WARDER_EXPLAIN_* */
    struct str out;
};

static void print(void *arg)
{
    struct explain_page *job = arg;
    struct page p = page_of(&job->decision->arena, job->decision, job->how & WARDER_EXPLAIN_COLOUR);

    headline(&p);
    if (job->decision->verdict.facts)
        actions(&p);
    layers_said(&p, job->how & WARDER_EXPLAIN_ALL);
    unasked(&p);
    cell(&p);
    saved(&p);
    advice(&p);
    job->out = buf_str(&p.b);
}

const char *warder_decision_explain_text(warder_decision *decision, int how)
{
    struct explain_page job = {.decision = decision,
                               .how = how & (WARDER_EXPLAIN_COLOUR | WARDER_EXPLAIN_ALL)};

    if (!decision)
        return "deny  " NO_DECISION "\n";
    struct str *kept = &decision->explain_text[job.how];
    if (kept->len)
        return kept->s;
    decision_word(decision);
    if (!decision_try_text(decision, print, &job))
        return NULL;
    *kept = job.out;
    return kept->s;
}
