/* verdict.c - a decision as JSON. */
#include "decide/session_builds.h"
#include "decide/stakes.h"
#include "engine/action_json.h"
#include "engine/cell.h"
#include "machine/stamp.h"

static void rule_at(struct json_writer *w, const struct rule *r)
{
    json_key(w, "rule_at");
    if (!r) {
        json_null(w);
        return;
    }
    json_begin_object(w);
    json_key(w, "source");
    json_text(w, str_from(source_name(r->source)));
    json_text_or_null(w, "id", rule_about(r)->id);
    json_text_or_null(w, "file", r->file);
    json_key(w, "line");
    json_int(w, r->line);
    json_key(w, "column");
    json_int(w, r->column);
    json_text_or_null(w, "comment", rule_about(r)->comment);
    json_end_object(w);
}

/* What kind of cell it runs in, why, and what it gets there. */
static void contained_member(struct json_writer *w, const warder_decision *d)
{
    const struct verdict *v = &d->verdict;
    struct cell_places places;

    if (!v->contained.yes || verdict_behavior(v) != BEHAVIOR_ALLOW)
        return;
    json_key(w, "contained");
    json_begin_object(w);
    json_text_member(w, "tier", str_from(cell_tier_name(v->contained.tier)));
    json_text_member(w, "why", v->contained.why);
    json_key(w, "plan");
    cell_write_places(w, d, &places);
    json_end_object(w);
}

/* Of an allow that needs it: what is saved first. Once it was saved, where, and until when. */
static void reversible_member(struct json_writer *w, const warder_decision *d)
{
    const struct reversible *r = &d->verdict.reversible;
    char until[STAMP_SIZE];

    if ((!r->yes && !r->entry.len) || verdict_behavior(&d->verdict) == BEHAVIOR_DENY)
        return;
    json_key(w, "reversible");
    json_begin_object(w);
    json_key(w, "needed");
    json_bool(w, r->yes);
    json_text_or_null(w, "why", r->why);
    json_text_or_null(w, "entry", r->entry);
    if (r->entry.len) {
        stamp_print(r->until, until);
        json_text_member(w, "until", str_from(until));
        json_key(w, "left");
        json_int(w, (int64_t)r->left);
    }
    json_end_object(w);
}

static void verdict_members(struct json_writer *w, const warder_decision *d)
{
    const struct verdict *v = &d->verdict;

    json_key(w, "behavior");
    json_text(w, str_from(behavior_name(verdict_behavior(v))));
    json_text_or_null(w, "layer", str_from(v->layer));
    json_text_or_null(w, "rule", v->rule ? v->rule->text : (struct str){0});
    json_text_or_null(w, "reason", v->reason);
    json_text_or_null(w, "message", v->message);
    json_key(w, "interrupt");
    json_bool(w, v->interrupt);
    json_true_member_if(w, "cancelled", v->cancelled);
    json_text_or_null(w, "tool_use_id", d->call.tool_use_id);
    json_key(w, "updated_input");
    if (v->updated_input)
        json_any(w, v->updated_input);
    else
        json_null(w);
    json_findings(w, v->facts);
    json_strings(w, "suggestions", &v->suggestions);
    if (decision_unasked(d->self)->count)
        json_strings(w, "unasked", decision_unasked(d->self));
    json_key(w, "immune");
    json_bool(w, v->immune);
    json_true_member_if(w, "paused", v->paused);
    contained_member(w, d);
    reversible_member(w, d);
    rule_at(w, v->rule);
    json_key(w, "mode");
    json_text(w, str_from(v->facts ? mode_name(v->mode) : ""));
    json_key(w, "risk");
    json_text(w, str_from(v->facts ? risk_name(v->risk) : ""));
}

static void action_object(struct json_writer *w, const struct verdict *v, size_t i)
{
    json_begin_object(w);
    json_action_members(w, v->facts, i);
    json_text_or_null(w, "cleared_by", str_from(v->cleared_by ? v->cleared_by[i] : NULL));
    if (contained_is_on(v->facts))
        json_text_or_null(w, "not_in_sandbox",
                          str_from(action_asks_in_cell(v->facts, &v->facts->actions.items[i])));
    json_end_object(w);
}

static const char *opinion_name(enum opinion o)
{
    static const char *const names[] = {
        [NO_OPINION] = "pass", [SAY_ALLOW] = "allow", [SAY_ASK] = "ask", [SAY_DENY] = "deny"};

    return names[o];
}

static void trace_object(struct json_writer *w, const struct trace_step *t)
{
    json_begin_object(w);
    json_key(w, "layer");
    json_text(w, str_from(t->layer->name));
    json_key(w, "role");
    json_text(w, str_from(role_name(t->role)));
    json_key(w, "said");
    json_text(w, str_from(opinion_name(t->said.opinion)));
    json_key(w, "action");
    if (t->said.opinion == NO_OPINION || t->said.action == WHOLE_CALL)
        json_null(w);
    else
        json_int(w, (int64_t)t->said.action);
    json_text_or_null(w, "rule", t->said.rule ? t->said.rule->text : (struct str){0});
    json_text_or_null(w, "reason",
                      t->said.opinion == NO_OPINION || t->said.reason.len
                          ? t->said.reason
                          : str_from(t->layer->says));
    json_end_object(w);
}

static void stakes_members(struct json_writer *w, const struct verdict *v)
{
    const struct stakes_why why = stakes_why(w->out->arena, v);

    json_text_member(w, "stakes", str_from(stakes_name(stakes_of(v))));
    json_text_or_null(w, "headline", stakes_headline(w->out->arena, v));
    json_key(w, "why");
    json_begin_object(w);
    json_text_or_null(w, "action", why.action);
    json_text_or_null(w, "effect", why.effect);
    json_text_or_null(w, "path", why.path);
    json_text_or_null(w, "what", why.what);
    json_text_or_null(w, "rule", why.rule);
    json_end_object(w);
}

static void explain_members(struct json_writer *w, const warder_decision *d)
{
    const struct verdict *v = &d->verdict;
    const struct trace trace = decide_trace(w->out->arena, d->profile, v);

    json_key(w, "profile");
    json_text(w, str_from(d->profile->name));
    json_text_or_null(w, "tool", d->call.tool);
    json_text_or_null(w, "cwd", d->call.cwd);
    json_text_or_null(w, "workspace", v->facts ? v->facts->workspace : (struct str){0});
    stakes_members(w, v);
    json_key(w, "understood");
    json_bool(w, v->facts && v->facts->understood);
    json_key(w, "actions");
    json_begin_array(w);
    for (size_t i = 0; v->facts && i < v->facts->actions.count; i++)
        action_object(w, v, i);
    json_end_array(w);
    json_key(w, "builds");
    json_begin_array(w);
    for (size_t i = 0; i < session_builds_of(v)->count; i++)
        json_text(w, session_builds_of(v)->items[i].path);
    json_end_array(w);
    json_key(w, "trace");
    json_begin_array(w);
    for (size_t i = 0; i < trace.count; i++)
        trace_object(w, &trace.items[i]);
    json_end_array(w);
}

static void write_verdict(struct json_writer *w, const void *decision)
{
    json_begin_object(w);
    verdict_members(w, decision);
    json_end_object(w);
}

static void write_explanation(struct json_writer *w, const void *decision)
{
    json_begin_object(w);
    verdict_members(w, decision);
    explain_members(w, decision);
    json_end_object(w);
}

struct json_draft {
    warder_decision *decision;
    void (*write)(struct json_writer *w, const void *decision);
    struct str text;
};

static void write_draft(void *arg)
{
    struct json_draft *j = arg;

    if (!json_try(&j->decision->arena, j->write, j->decision, &j->text))
        arena_leave(&j->decision->arena);
}

/* Writing needs memory too, and may run out of it: then there is no text. The verdict stays as it
 * is: whoever asks for a text may have acted on it already. */
static const char *json_once(warder_decision *d, struct str *kept,
                             void (*write)(struct json_writer *w, const void *decision))
{
    struct json_draft j = {.decision = d, .write = write};

    if (!d)
        return "{\"behavior\":\"deny\",\"layer\":null,\"reason\":\"" NO_DECISION "\"}";
    if (kept->len)
        return kept->s;
    decision_word(d);
    if (!decision_try_text(d, write_draft, &j))
        return NULL;
    *kept = j.text;
    return kept->s;
}

const char *warder_decision_json(warder_decision *decision)
{
    return json_once(decision, decision ? &decision->json : NULL, write_verdict);
}

const char *warder_decision_explain_json(warder_decision *decision)
{
    return json_once(decision, decision ? &decision->explain_json : NULL, write_explanation);
}

const char *warder_decision_updated_input(warder_decision *decision)
{
    if (!decision || !decision->verdict.updated_input)
        return NULL;
    return decision->new_input.s ? decision->new_input.s : "{}"; /* an input, and of no tool */
}
