/* compare_show.c - the report about two policies. */
#include "report/compare.h"

static const char *const titles[COMPARE_CLASSES] = {
    [NEWLY_ALLOWED] = "newly allowed",
    [NEWLY_ASKED] = "newly asked",
    [NEWLY_DENIED] = "newly denied",
    [CANNOT_SAY] = "cannot say",
};

static const char *const keys[COMPARE_CLASSES] = {
    [NEWLY_ALLOWED] = "newly_allowed",
    [NEWLY_ASKED] = "newly_asked",
    [NEWLY_DENIED] = "newly_denied",
    [CANNOT_SAY] = "cannot_say",
};

static void example_json(struct report *r, const struct compare_example *e)
{
    json_begin_object(&r->json);
    report_member(r, "tool", e->tool);
    report_member(r, "argument", e->argument);
    report_member(r, "cwd", e->cwd);
    report_member(r, "record", e->id);
    report_member(r, "made_of_rule", str_from(e->near));
    json_end_object(&r->json);
}

static void example_text(struct report *r, const struct compare_example *e)
{
    buf_text(&r->text, "      ");
    report_show(r, e->tool);
    buf_text(&r->text, "  ");
    report_show(r, e->argument);
    if (e->near)
        buf_format(&r->text, "  (%s)", e->near);
    buf_byte(&r->text, '\n');
}

static void group_json(struct report *r, const struct compare_group *g)
{
    json_begin_object(&r->json);
    if (g->class == CANNOT_SAY) {
        report_member(r, "why", g->effects);
    } else {
        report_member(r, "before", str_from(behavior_name(g->before)));
        report_member(r, "after", str_from(behavior_name(g->after)));
        report_member(r, "rule", g->rule);
        report_member(r, "place", g->place);
        json_true_member_if(&r->json, "rule_is_old", g->rule_is_old);
        report_member(r, "layer", str_from(g->layer));
        report_member(r, "effects", g->effects);
    }
    report_number(r, "calls", (int64_t)g->calls);
    report_number(r, "records", (int64_t)g->records);
    json_key(&r->json, "examples");
    json_begin_array(&r->json);
    for (size_t i = 0; i < g->shown; i++)
        example_json(r, &g->examples[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

static void group_head(struct report *r, const struct compare_group *g)
{
    if (g->class == CANNOT_SAY) {
        report_show(r, g->effects);
        return;
    }
    buf_format(&r->text, "%s to %s by ", behavior_name(g->before), behavior_name(g->after));
    if (g->rule.len) {
        report_show(r, g->rule);
        buf_format(&r->text, g->rule_is_old ? " of before (" : " (");
        report_show(r, g->place);
        buf_byte(&r->text, ')');
    } else {
        buf_text(&r->text, g->layer);
    }
    if (g->effects.len) {
        buf_text(&r->text, ": ");
        report_show(r, g->effects);
    }
}

static void group_text(struct report *r, const struct compare_group *g)
{
    buf_format(&r->text, "  %6zu  ", g->calls);
    group_head(r, g);
    buf_byte(&r->text, '\n');
    for (size_t i = 0; i < g->shown; i++)
        example_text(r, &g->examples[i]);
}

static void show_class(struct report *r, const struct warder_comparison *c,
                       enum compare_class class)
{
    json_key(&r->json, keys[class]);
    json_begin_array(&r->json);
    if (c->classes[class])
        buf_format(&r->text, "%s: %zu\n", titles[class], c->classes[class]);
    for (size_t i = 0; i < c->groups.count; i++)
        if (c->groups.items[i]->class == class) {
            group_json(r, c->groups.items[i]);
            group_text(r, c->groups.items[i]);
        }
    json_end_array(&r->json);
}

/* ---- rules ---- */

static const char *proof_of(const struct compare_rule *c)
{
    if (c->covers)
        return "another rule covers all of it";
    if (c->harmless)
        return "makes nothing wider";
    return c->apart ? "no allow rule meets it" : NULL;
}

static void show_rule(struct report *r, const struct compare_rule *c)
{
    const char *proof = proof_of(c);

    json_begin_object(&r->json);
    report_member(r, "change", c->added ? STR("added") : STR("removed"));
    report_member(r, "behavior", str_from(behavior_name(c->rule->effect)));
    report_member(r, "rule", c->rule->text);
    report_member(r, "place", rule_place(r->arena, c->rule));
    report_member(r, "terms", rule_more(c->rule)->terms);
    report_member(r, "proved", str_from(proof));
    report_member(r, "covered_by", c->covers ? c->covers->text : (struct str){0});
    report_number(r, "differences", (int64_t)c->seen);
    json_end_object(&r->json);
    buf_format(&r->text, "%c %-5s  ", c->added ? '+' : '-', behavior_name(c->rule->effect));
    report_show(r, c->rule->text);
    if (c->covers) {
        buf_text(&r->text, "  covered by ");
        report_show(r, c->covers->text);
    } else if (proof) {
        buf_format(&r->text, "  %s", proof);
    }
    buf_byte(&r->text, '\n');
}

static void show_rules(struct report *r, const struct warder_comparison *c)
{
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; i < c->rules.count; i++)
        show_rule(r, &c->rules.items[i]);
    json_end_array(&r->json);
    json_strings(&r->json, "settings", &c->settings);
    for (size_t i = 0; i < c->settings.count; i++)
        buf_format(&r->text, "! %.*s differs\n", STR_ARG(c->settings.items[i]));
    if (c->rules.count || c->settings.count)
        buf_byte(&r->text, '\n');
}

/* Rules that cannot make anything wider, and nothing else that differs. */
static bool is_proved(const struct warder_comparison *c)
{
    for (size_t i = 0; i < c->rules.count; i++)
        if (!c->rules.items[i].harmless)
            return false;
    return c->rules_done && !c->settings.count && !c->wider;
}

/* ---- all of it ---- */

static void show_totals(struct report *r, const struct warder_comparison *c)
{
    static const char *const outcomes[] = {
        [WARDER_SAME] = "same", [WARDER_NOT_WIDER] = "not wider", [WARDER_WIDER] = "wider"};
    const warder_widening outcome = warder_comparison_widening(c);
    const size_t same = c->same[BEHAVIOR_ALLOW] + c->same[BEHAVIOR_ASK] + c->same[BEHAVIOR_DENY];

    report_member(r, "outcome", str_from(outcomes[outcome]));
    json_key(&r->json, "proved");
    json_bool(&r->json, is_proved(c));
    report_number(r, "records", (int64_t)c->records);
    report_number(r, "other_lines", (int64_t)c->others);
    report_number(r, "made_calls", (int64_t)c->made);
    report_number(r, "same", (int64_t)same);
    json_key(&r->json, "counts");
    json_begin_object(&r->json);
    for (size_t i = 0; i < COMPARE_CLASSES; i++)
        report_number(r, keys[i], (int64_t)c->classes[i]);
    report_number(r, "wider", (int64_t)c->wider);
    json_end_object(&r->json);

    buf_format(&r->text, "%zu records, %zu calls made of rules: %zu the same", c->records, c->made,
               same);
    for (size_t i = 0; i < COMPARE_CLASSES; i++)
        buf_format(&r->text, ", %zu %s", c->classes[i], titles[i]);
    buf_format(&r->text, "\n%s\n",
               outcome == WARDER_WIDER  ? "the new policy is wider"
               : is_proved(c)           ? "the new policy is not wider: proved"
               : outcome == WARDER_SAME ? "no difference was found"
                                        : "nothing was found that is wider");
}

static void show(struct report *r, const void *about)
{
    const struct warder_comparison *c = about;

    json_begin_object(&r->json);
    show_rules(r, c);
    for (size_t i = 0; i < COMPARE_CLASSES; i++)
        show_class(r, c, (enum compare_class)i);
    show_totals(r, c);
    json_end_object(&r->json);
    r->warnings = c->wider;
}

warder_status warder_comparison_report(const warder_comparison *c, warder_report **out,
                                       warder_error *err)
{
    if (!c)
        return give_usage(err, "missing argument: comparison");
    return report_make(show, c, out, err);
}
