#include "engine/panel.h"

#include <limits.h>
#include <stdio.h>

#include "base/json.h"
#include "decide/rule_reach.h"
#include "engine/approve.h"
#include "facts/general.h"
#include "machine/notify.h"
#include "programs/programs.h"
#include "record/redact.h"

/* "key: value", one below the other; texts as they are, so that a file's new content can be read.
 */
static void input_member(struct buf *b, struct arena *a, const struct member *m, struct strs *found)
{
    struct buf line = buf_in(a);

    buf_add(&line, m->key);
    buf_text(&line, ": ");
    if (m->value.kind == VALUE_STRING)
        buf_add(&line, m->value.text);
    else
        json_value(&line, &m->value);
    if (b->len)
        buf_byte(b, '\n');
    buf_add(b, redact_text_finding(a, buf_str(&line), found));
}

/* The secrets of members that are no texts of their own: {"auth": {"password": "x"}}. */
static void find_secrets(struct arena *a, const struct call *call, struct strs *found)
{
    struct buf ignored = buf_in(a);
    struct json_writer w = json_to(&ignored);

    if (call->input)
        redact_json(&w, call->input, "", SIZE_MAX, found);
}

/* A command by itself, before the other members of the input. */
static struct str input_text(struct arena *a, const struct call *call, struct strs *found)
{
    struct buf b = buf_in(a);
    struct str command = {0};
    bool shell = call->kind == TOOL_SHELL && call_command(a, call, &command);

    if (shell)
        buf_add(&b, redact_command(a, command, found));
    find_secrets(a, call, found);
    for (size_t i = 0; call->input && i < call->input->count; i++) {
        const struct member *m = &call->input->members[i];
        if (!shell || m->value.kind != VALUE_STRING || !str_eq(m->value.text, command))
            input_member(&b, a, m, found);
    }
    return buf_str(&b);
}

static void findings(struct arena *a, const struct verdict *v, const struct strs *found,
                     struct strs *out)
{
    for (size_t i = 0; v->facts && i < v->facts->findings.count; i++) {
        const struct finding *f = &v->facts->findings.items[i];
        LIST_PUSH(a, out,
                  str_format(a, "%s: %.*s", f->name, STR_ARG(redact_quoting(a, f->what, found))));
    }
    if (v->facts && !v->facts->understood && !str_contains(v->reason, v->facts->why))
        LIST_PUSH(a, out,
                  str_format(a, "not understood: %.*s",
                             STR_ARG(redact_quoting(a, v->facts->why, found))));
}

static bool holds_secret(struct arena *a, struct str rule, const struct strs *found)
{
    struct str tool, content;

    for (size_t i = 0; i < found->count; i++)
        if (str_contains(rule, found->items[i]))
            return true;

    if (!str_cut(rule, '(', &tool, &content))
        content = rule;
    if (str_ends(content, STR(")")))
        content.len--;
    return !str_eq(redact_text(a, rule), rule) ||
           !str_eq(redact_command(a, content, NULL), content);
}

/* None, if one of them has a secret in it: a rule that cannot be shown whole is not offered. */
static struct strs shown_suggestions(struct arena *a, const struct verdict *v,
                                     const struct strs *found)
{
    for (size_t i = 0; i < v->suggestions.count; i++)
        if (holds_secret(a, v->suggestions.items[i], found))
            return (struct strs){0};
    return v->suggestions;
}

/* Why an allow rule would not help; empty: it would. */
static struct str no_allow(const warder_decision *d, const struct panel *p)
{
    const struct verdict *v = &d->verdict;

    if (v->immune)
        return STR("no rule can allow this; you are asked every time");
    if (v->facts && v->facts->book->managed_rules_only)
        return STR("managed policy lets only its own allow rules count");
    if (p->suggestions.count < v->suggestions.count)
        return STR("the rule would store a secret in a file");
    if (v->suggestions.count == 0)
        return STR("no rule can describe exactly this call");
    return (struct str){"", 0};
}

static void always_parts(const warder_decision *d, struct arena *a, struct panel *p,
                         struct always *always)
{
    struct error err = {0};
    struct str why = {"", 0};

    *always = (struct always){.profile = d->profile,
                              .verdict = &d->verdict,
                              .project = str_copy(a, d->call.project),
                              .state_dir = str_copy(a, d->engine->request.state_dir),
                              .config_home = str_copy(a, d->engine->request.config_home),
                              .danger = program_danger,
                              .meant = program_meant};
    if (d->engine->request.named)
        why = STR("--policy was given, and only that file is read");
    else if (always_find(always, &err))
        why = str_copy(a, str_from(err.message));
    p->no_deny = why;
    p->no_allow = why.len ? why : no_allow(d, p);
    p->target = str_copy(a, str_from(always->path));
    if (always->trust == TRUST_NO) {
        p->note =
            STR("this project is not trusted: an allow rule in it counts only after: warder trust");
        p->user_target = str_copy(a, str_from(always->user_path));
    }
}

/* Would this rule clear the action? Only such ones are offered. */
static bool clears(const warder_decision *d, const struct action *action, struct str text)
{
    const struct facts *f = d->verdict.facts;
    struct rule rule;

    if (rule_parse(f->arena, text, d->profile->dialect, &rule, NULL) != STATUS_OK)
        return false;
    rule.effect = BEHAVIOR_ALLOW;
    rule.source = SOURCE_LOCAL;
    rule.base = d->call.project;
    return rule_is_about(f, &rule, action) && rule_reaches(f, &rule, action);
}

/* As wide as the program and subcommand, and as the host. A rule that has to name hosts besides
 * cannot be written on one line. */
static void widen(const warder_decision *d, const struct action *action,
                  const struct strs *suggested, struct strs *out)
{
    const struct facts *f = d->verdict.facts;
    const struct strs *hosts = &action->subject.hosts;
    struct general g;

    action_generalise(f, action, &g);
    if (g.kind != GENERAL_NEVER && !g.hosts.count && !strs_has(suggested, g.rule) &&
        clears(d, action, g.rule))
        LIST_PUSH(f->arena, out, g.rule);
    if (!hosts->count)
        return;
    struct str host = str_format(f->arena, "WebFetch(domain:%.*s)", STR_ARG(hosts->items[0]));
    if (!strs_has(suggested, host) && clears(d, action, host))
        LIST_PUSH(f->arena, out, host);
}

static size_t count_open(const struct verdict *v)
{
    size_t count = 0;

    for (size_t i = 0; i < v->facts->actions.count; i++)
        count += !v->cleared_by[i];
    return count;
}

/* For each suggested rule the wider ones, where there is one suggestion for each action that
 * nothing cleared: then both are in the same order. */
static void wider_rules(const warder_decision *d, struct panel *p)
{
    const struct verdict *v = &d->verdict;
    size_t at = 0;

    if (d->profile->dialect != DIALECT_WARDER || !v->facts || !v->cleared_by ||
        p->suggestions.count == 0 || count_open(v) != p->suggestions.count)
        return;
    p->wider = ARENA_ARRAY(v->facts->arena, struct strs, p->suggestions.count);
    for (size_t i = 0; i < v->facts->actions.count; i++) {
        if (v->cleared_by[i])
            continue;
        widen(d, &v->facts->actions.items[i], &p->suggestions, &p->wider[at++]);
    }
}

/* The same call would not be asked about again, if a person said so. */
static bool fits_session(const warder_decision *d)
{
    const struct verdict *v = &d->verdict;

    return d->call.session.len && !v->immune && v->facts && v->cleared_by && v->uncleared &&
           !panel_style(d->profile->name)->keeps_approvals;
}

void decision_panel(warder_decision *d, struct panel *out, struct always *always)
{
    const struct verdict *v = &d->verdict;
    const struct call *call = decision_call(d);
    struct arena *a = &d->arena;
    struct strs found = {0}; /* the secrets of the input, which every other text may quote */

    decision_word(d);
    *out = (struct panel){.profile = d->profile->name, .input = input_text(a, call, &found)};
    out->tool = redact_quoting(a, call->tool, &found);
    out->cwd = redact_quoting(a, call_directory(a, call, d->engine->home), &found);
    out->reason = redact_quoting(a, v->reason, &found);
    out->suggestions = shown_suggestions(a, v, &found);
    if (v->facts)
        out->risk = str_from(risk_name(v->risk));
    if (d->call.session.len)
        out->who = str_format(a, "session %.*s", STR_ARG(d->call.session));
    if (v->rule) {
        out->rule = v->rule->text;
        out->rule_place = rule_place(a, v->rule);
        out->comment = rule_about(v->rule)->comment.len ? rule_about(v->rule)->comment
                                                        : rule_about(v->rule)->reason;
    }
    findings(a, v, &found, &out->findings);
    const char *explained = warder_decision_explain_text(d, 0);
    if (!explained)
        arena_leave(a); /* a question that cannot be shown is not asked */
    wider_rules(d, out);
    out->session = fits_session(d);
    out->explanation = redact_quoting(a, str_from(explained), &found);
    always_parts(d, a, out, always);
}

/* ---- the panel as a file ---- */

struct approval_panel {
    warder_decision *decision;
    struct panel panel;
    struct always ignored;
    struct str changed; /* since an earlier approval; empty: nothing */
};

static void make_panel(void *arg)
{
    struct approval_panel *o = arg;

    decision_panel(o->decision, &o->panel, &o->ignored);
}

/* The person and the agent are told why the earlier yes does not count. */
static void add_outdated(void *arg)
{
    struct approval_panel *o = arg;
    struct arena *a = &o->decision->arena;

    o->changed =
        redact_text(a, str_format(a, "%.*s changed after it was approved", STR_ARG(o->changed)));
    LIST_PUSH(a, &o->panel.findings, o->changed);
}

/* After the question was written: it is bound to the reason as it was. */
static void say_outdated(void *arg)
{
    const struct approval_panel *o = arg;
    struct verdict *v = &o->decision->verdict;
    bool same = v->message.s == v->reason.s;

    v->reason =
        str_format(&o->decision->arena, "%.*s: %.*s", STR_ARG(o->changed), STR_ARG(v->reason));
    if (same)
        v->message = v->reason;
}

/* The name of the client is from our table, and the ID is ours: nothing of it is the agent's. */
static void notify_waiting(const warder_decision *d, struct str client, const char *id)
{
    char title[80], text[64], project[PATH_MAX];

    snprintf(title, sizeof(title), "Warder: %.*s waits for you", (int)(client.len % 40), client.s);
    snprintf(text, sizeof(text), "In a terminal: warder approve %s", id);
    snprintf(project, sizeof(project), "%.*s", STR_ARG(d->call.project));
    notify_desktop(project, title, text);
}

struct str decision_offer_approval(warder_decision *d, const struct call *call, struct str client,
                                   struct error *err)
{
    struct approval_call c = decision_approval_call(d, call, client);
    char id[APPROVAL_ID_MAX] = "";
    struct approval_panel o = {.decision = d};
    bool again;

    if (!d->book || !decision_try(d, make_panel, &o)) {
        fail(err, STATUS_NOMEM, "no memory to show the call");
        return (struct str){0};
    }
    o.changed = approval_outdated(&d->arena, &c);
    if (o.changed.len && !decision_try(d, add_outdated, &o)) {
        fail(err, STATUS_NOMEM, "no memory to show the call");
        return (struct str){0};
    }
    if (approval_offer(&d->arena, &c, &o.panel, id, &again, err))
        return (struct str){0};
    if (d->book->notify_desktop && !again)
        notify_waiting(d, client, id);
    if (o.changed.len)
        (void)decision_try(d, say_outdated, &o);
    return str_try_copy(&d->arena, str_from(id));
}
