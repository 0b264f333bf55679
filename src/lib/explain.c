/* explain.c - a decision for people: the call with carets, each action with what
 * it touches and who cleared or stopped it, what each layer said, what would
 * make it allowed. It prints what decide() left behind; it decides nothing. */
#include "lib/engine.h"

#define COLUMNS_MAX 200 /* of a source line that is shown */

struct page {
    struct buf b;
    bool colour;
    const warder_decision *decision;
};

static const char *paint(const struct page *p, enum behavior behavior)
{
    static const char *const colours[] = {
        [BEHAVIOR_DENY] = "\033[1;31m", [BEHAVIOR_ASK] = "\033[1;33m", [BEHAVIOR_ALLOW] = "\033[1;32m"};

    return p->colour ? colours[behavior] : "";
}

static const char *plain(const struct page *p)
{
    return p->colour ? "\033[0m" : "";
}

static void show(struct page *p, struct str text)
{
    show_text(&p->b, text);
}

static void headline(struct page *p)
{
    const struct verdict *v = &p->decision->verdict;

    buf_format(&p->b, "%s%s%s  ", paint(p, v->behavior), behavior_name(v->behavior), plain(p));
    show(p, v->reason);
    buf_format(&p->b, "\n\nlayer    %s\n", v->layer ? v->layer : "");
    buf_format(&p->b, "profile  %s", p->decision->engine->profile->name);
    if (v->facts)
        buf_format(&p->b, ", mode %s, risk %s", mode_name(v->mode), risk_name(v->risk));
    buf_byte(&p->b, '\n');
    if (v->rule) {
        buf_text(&p->b, "rule     ");
        show(p, v->rule->text);
        buf_text(&p->b, "  at ");
        show(p, rule_place(p->b.arena, v->rule));
        buf_byte(&p->b, '\n');
        if (v->rule->comment.len) {
            buf_text(&p->b, "comment  ");
            show(p, v->rule->comment);
            buf_byte(&p->b, '\n');
        }
    }
    if (v->interrupt)
        buf_text(&p->b, "the agent's loop is to be stopped\n");
}

/* The source line that holds byte `at`, and where in it. */
static struct str line_of(struct str text, size_t at, size_t *column)
{
    size_t start = at < text.len ? at : text.len, end = start;

    while (start > 0 && text.s[start - 1] != '\n')
        start--;
    while (end < text.len && text.s[end] != '\n')
        end++;
    *column = (at < text.len ? at : text.len) - start;
    return str_slice(text, start, end);
}

/* How wide `text` is once control characters have become escapes. */
static size_t width(struct page *p, struct str text)
{
    struct buf b = buf_in(p->b.arena);
    size_t wide = 0;

    show_text(&b, text);
    for (size_t i = 0; i < b.len; i++)
        wide += ((unsigned char)b.s[i] & 0xc0) != 0x80;
    return wide;
}

static void carets(struct page *p, struct str text, size_t at, size_t len)
{
    size_t column;
    struct str line = line_of(text, at, &column);
    struct str before = str_slice(line, 0, column), marked = str_slice(line, column, column + len);

    if (line.len > COLUMNS_MAX)
        return;
    buf_text(&p->b, "     ");
    show(p, line);
    buf_text(&p->b, "\n     ");
    for (size_t i = width(p, before); i > 0; i--)
        buf_byte(&p->b, ' ');
    for (size_t i = width(p, marked), n = 0; n < (i ? i : 1); n++)
        buf_byte(&p->b, n ? '~' : '^');
    buf_byte(&p->b, '\n');
}

static void touched(struct page *p, const struct subject_path *path)
{
    static const struct {
        unsigned bit;
        const char *verb;
    } verbs[] = {{ACCESS_READ, "reads"}, {ACCESS_WRITE, "writes"}, {ACCESS_DELETE, "deletes"}, {ACCESS_RUN, "runs"}};
    const char *comma = "";

    buf_text(&p->b, path->uncertain ? "     perhaps " : "     ");
    for (size_t i = 0; i < COUNT(verbs); i++)
        if (path->access & verbs[i].bit) {
            buf_format(&p->b, "%s%s", comma, verbs[i].verb);
            comma = ", ";
        }
    buf_byte(&p->b, ' ');
    show(p, path->written);
    if (path->resolved.len && !str_eq(path->resolved, path->written)) {
        buf_text(&p->b, " -> ");
        show(p, path->resolved);
    }
    buf_byte(&p->b, '\n');
}

/* The last thing the trace says of one action: who cleared it, or who stopped the call at it. */
static void fate(struct page *p, size_t i)
{
    const struct verdict *v = &p->decision->verdict;
    const struct trace_step *found = NULL;

    for (size_t n = 0; n < v->trace.count; n++)
        if (v->trace.items[n].said.opinion != NO_OPINION && v->trace.items[n].said.action == i)
            found = &v->trace.items[n];
    if (!found) {
        buf_text(&p->b, v->behavior == BEHAVIOR_ALLOW ? "" : "     not cleared by any layer\n");
        return;
    }
    bool cleared = found->said.opinion == SAY_ALLOW;
    buf_format(&p->b, "     %s%s by %s%s: ", paint(p, cleared ? BEHAVIOR_ALLOW : BEHAVIOR_DENY),
               cleared ? "cleared" : "stopped", found->layer, plain(p));
    show(p, found->said.reason.len ? found->said.reason : str_from(found->says));
    buf_byte(&p->b, '\n');
}

static void action(struct page *p, size_t i)
{
    const struct action *a = &p->decision->verdict.facts->actions.items[i];
    const struct subject *s = &a->subject;
    struct str what = s->forms_allow.count ? s->forms_allow.items[0] : s->first;

    buf_format(&p->b, "%3zu. ", i + 1);
    if (a->redirect && s->paths.count)
        what = s->paths.items[0].written;
    buf_text(&p->b, a->redirect ? "redirection " : "");
    show(p, what.len ? what : p->decision->call.tool);
    buf_byte(&p->b, '\n');
    if (s->shell)
        carets(p, s->first, a->at, a->len);
    for (size_t n = 0; n < s->paths.count; n++)
        touched(p, &s->paths.items[n]);
    if (a->effects)
        buf_format(&p->b, "     %s\n", program_effects_text(p->b.arena, a->effects).s);
    else if (s->shell && !a->redirect && !a->assignment && !a->program)
        buf_text(&p->b, "     nobody knows this program\n");
    for (size_t n = 0; n < s->hosts.count; n++) {
        buf_text(&p->b, "     talks to ");
        show(p, s->hosts.items[n]);
        buf_byte(&p->b, '\n');
    }
    fate(p, i);
}

static void actions(struct page *p)
{
    const struct facts *f = p->decision->verdict.facts;
    struct str command = f->actions.count ? f->actions.items[0].subject.first : (struct str){0};

    buf_format(&p->b, "\nactions of %.*s\n", STR_ARG(p->decision->call.tool));
    for (size_t i = 0; i < f->actions.count; i++)
        action(p, i);
    if (!f->understood) {
        buf_text(&p->b, "\nnot understood: ");
        show(p, f->why);
        buf_byte(&p->b, '\n');
        carets(p, command, f->why_at, 1);
    }
    for (size_t i = 0; i < f->findings.count; i++) {
        buf_format(&p->b, "\nfinding %s: ", f->findings.items[i].name);
        show(p, f->findings.items[i].what);
        buf_byte(&p->b, '\n');
        carets(p, command, f->findings.items[i].at, f->findings.items[i].len);
    }
}

static void layers_said(struct page *p)
{
    static const char *const words[] = {[SAY_ALLOW] = "allow", [SAY_ASK] = "ask", [SAY_DENY] = "deny"};
    const struct trace *t = &p->decision->verdict.trace;

    buf_text(&p->b, "\nlayers, in order\n");
    for (size_t i = 0; i < t->count; i++) {
        const struct said *s = &t->items[i].said;
        if (s->opinion == NO_OPINION) {
            buf_format(&p->b, "     %-14s -\n", t->items[i].layer);
            continue;
        }
        buf_format(&p->b, "     %-14s %-6s ", t->items[i].layer, words[s->opinion]);
        if (s->action != WHOLE_CALL)
            buf_format(&p->b, "action %zu: ", s->action + 1);
        show(p, s->reason.len ? s->reason : str_from(t->items[i].says));
        buf_byte(&p->b, '\n');
    }
}

static void advice(struct page *p)
{
    const struct verdict *v = &p->decision->verdict;

    if (v->behavior == BEHAVIOR_ALLOW)
        return;
    if (v->immune)
        buf_text(&p->b, "\nno rule and no mode lifts this; a person has to answer\n");
    if (v->suggestions.count == 0)
        return;
    buf_text(&p->b, "\nallowed, if these rules stood in an allow list\n");
    for (size_t i = 0; i < v->suggestions.count; i++) {
        buf_text(&p->b, "     ");
        show(p, v->suggestions.items[i]);
        buf_byte(&p->b, '\n');
    }
}

struct printing {
    warder_decision *decision;
    bool colour;
    struct str out;
};

static void print(void *arg)
{
    struct printing *job = arg;
    struct page p = {buf_in(&job->decision->arena), job->colour, job->decision};

    headline(&p);
    if (job->decision->verdict.facts)
        actions(&p);
    layers_said(&p);
    advice(&p);
    job->out = buf_str(&p.b);
}

const char *warder_decision_explain_text(warder_decision *decision, int colour)
{
    struct printing job = {.decision = decision, .colour = colour != 0};

    if (!decision)
        return "deny  there is no decision\n";
    struct str *kept = &decision->explain_text[colour != 0];
    if (kept->len)
        return kept->s;
    if (arena_try(&decision->arena, print, &job)) {
        *kept = job.out;
    } else {
        decision_overflow(decision);
        *kept = STR("deny  too large to be shown\n");
    }
    return kept->s;
}
