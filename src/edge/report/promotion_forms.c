/* promotion_forms.c - which rules a recorded call is an example of, and how they are written. */
#include "facts/general.h"
#include "facts/host.h"
#include "report/promotion.h"
#include "rule/suggest.h"

/* ---- the rules ---- */

/* To deny a call one of its actions is enough: the first that nothing cleared, else the last. */
static bool counts(const warder_promotion *p, size_t i)
{
    const struct verdict *v = &p->decision->verdict;
    size_t first = 0, count = v->facts->actions.count;

    if (p->effect == BEHAVIOR_ALLOW)
        return !v->cleared_by || !v->cleared_by[i];
    while (v->cleared_by && first < count - 1 && v->cleared_by[first])
        first++;
    return i == first;
}

static void add_rule(struct arena *a, struct promotion_rules *rules, struct str text,
                     struct strs hosts)
{
    for (size_t i = 0; i < rules->count; i++)
        if (str_eq(rules->items[i].text, text))
            return;
    LIST_PUSH(a, rules, (struct promotion_rule){text, hosts});
}

/* Each action literally; where one cannot be written alone, the whole line. */
static bool as_command(warder_promotion *p, struct promotion_rules *out)
{
    const struct facts *f = p->decision->verdict.facts;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct subject *s = &f->actions.items[i].subject;
        if (!counts(p, i))
            continue;
        struct str text = rule_suggest(f->arena, s, DIALECT_WARDER, &f->env, false, NULL);
        if (!text.len) {
            *out = (struct promotion_rules){0};
            text = rule_suggest_whole(f->arena, s, DIALECT_WARDER, &f->env);
            add_rule(f->arena, out, text, (struct strs){0});
            return text.len > 0;
        }
        add_rule(f->arena, out, text, (struct strs){0});
    }
    return out->count > 0;
}

/* A deny needs no ceiling: the name is enough. */
static bool deny_program(const struct facts *f, const struct action *a, struct general *g)
{
    if (!g->rule.len && a->subject.shell && !a->redirect && !a->assignment && g->name.len)
        g->rule = str_format(f->arena, "Bash(%.*s:*)", STR_ARG(g->name));
    g->hosts = (struct strs){0};
    return g->rule.len > 0;
}

static bool as_program(warder_promotion *p, struct promotion_rules *out)
{
    const struct facts *f = p->decision->verdict.facts;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        struct general g;
        if (!counts(p, i))
            continue;
        action_generalise(f, a, &g);
        if (p->effect == BEHAVIOR_DENY ? !deny_program(f, a, &g) : g.kind == GENERAL_NEVER) {
            p->why = g.why;
            return false;
        }
        add_rule(f->arena, out, g.rule, g.hosts);
    }
    return out->count > 0;
}

static bool as_host(warder_promotion *p, struct promotion_rules *out)
{
    const struct facts *f = p->decision->verdict.facts;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct strs *hosts = &f->actions.items[i].subject.hosts;
        if (!counts(p, i))
            continue;
        for (size_t n = 0; n < hosts->count; n++) {
            struct str host = hosts->items[n];
            if (!host_is_plain(host))
                return false;
            add_rule(f->arena, out, str_format(f->arena, "WebFetch(domain:%.*s)", STR_ARG(host)),
                     (struct strs){0});
        }
    }
    return out->count > 0;
}

static bool is_same(const struct promotion_rules *a, const struct promotion_rules *b)
{
    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (!str_eq(a->items[i].text, b->items[i].text))
            return false;
    return a->count == b->count;
}

static struct promotion_form *find_same(const warder_promotion *p,
                                        const struct promotion_rules *rules)
{
    for (size_t i = 0; i < p->found.count; i++)
        if (is_same(&p->found.items[i].rules, rules))
            return &p->found.items[i];
    return NULL;
}

/* The narrowest rule on a tool may be as wide as the tool or the host: then it has that name. */
static void add_form(warder_promotion *p, const struct facts *f, const struct promotion_form *form)
{
    struct promotion_form *same = find_same(p, &form->rules);

    if (!same)
        LIST_PUSH(f->arena, &p->found, *form);
    else if (!f->actions.items[0].subject.shell)
        same->as = form->as;
}

void promotion_find_forms(void *promotion)
{
    static const struct {
        const char *as;
        bool (*find)(warder_promotion *p, struct promotion_rules *out);
    } forms[] = {{"command", as_command}, {"program", as_program}, {"host", as_host}};
    warder_promotion *p = promotion;
    const struct facts *f = p->decision->verdict.facts;

    for (size_t i = 0; i < COUNT(forms) && f && f->actions.count; i++) {
        struct promotion_form form = {.as = forms[i].as};
        if (forms[i].find(p, &form.rules))
            add_form(p, f, &form);
    }
}

/* ---- as entries of a policy ---- */

/* The same rule with another end is another rule. */
static struct str id_of(struct arena *a, const warder_promotion *p,
                        const struct promotion_rule *rule)
{
    struct str all = str_format(a, "%.*s %.*s", STR_ARG(rule->text), STR_ARG(p->until));

    for (size_t i = 0; i < rule->hosts.count; i++)
        all = str_format(a, "%.*s %.*s", STR_ARG(all), STR_ARG(rule->hosts.items[i]));
    return str_format(a, "%s%08x", p->effect == BEHAVIOR_ALLOW ? PROMOTED_ALLOW : PROMOTED_DENY,
                      str_hash(all));
}

static void write_entry(struct arena *a, struct json_writer *w, const warder_promotion *p,
                        const struct promotion_rule *rule)
{
    json_begin_object(w);
    json_text_member(w, "rule", rule->text);
    if (rule->hosts.count) {
        json_key(w, "within");
        json_begin_object(w);
        json_strings(w, "hosts", &rule->hosts);
        json_end_object(w);
    }
    if (p->until.len) {
        json_key(w, "when");
        json_begin_object(w);
        json_text_member(w, "until", p->until);
        json_end_object(w);
    }
    json_text_member(w, "id", id_of(a, p, rule));
    json_end_object(w);
}

struct str promotion_entry(struct arena *a, const warder_promotion *p,
                           const struct promotion_rule *rule)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    write_entry(a, &w, p, rule);
    return buf_str(&b);
}

struct str promotion_policy(struct arena *a, const warder_promotion *p,
                            const struct promotion_form *form)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, behavior_name(p->effect));
    json_begin_array(&w);
    for (size_t i = 0; i < form->rules.count; i++)
        write_entry(a, &w, p, &form->rules.items[i]);
    json_end_array(&w);
    json_end_object(&w);
    return buf_str(&b);
}
