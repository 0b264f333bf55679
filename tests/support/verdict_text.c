#include "support/verdict_text.h"

#include <stdio.h>

#include "programs/programs.h"
#include "rule/effect.h"
#include "shell/shell.h"

/* A member that says nothing is left out: most do. */
static void text(struct buf *out, const char *name, struct str value)
{
    if (!value.len)
        return;
    buf_byte(out, ' '); /* buf_format() is not free, and this is called very often */
    buf_text(out, name);
    buf_text(out, "=<");
    buf_add(out, value);
    buf_byte(out, '>');
}

static void digits(struct buf *out, size_t value)
{
    if (value > 9)
        digits(out, value / 10);
    buf_byte(out, (char)('0' + value % 10));
}

static void number(struct buf *out, const char *name, size_t value)
{
    if (!value)
        return;
    buf_byte(out, ' ');
    buf_text(out, name);
    buf_byte(out, '=');
    digits(out, value);
}

static void list(struct buf *out, const char *name, const struct strs *values)
{
    for (size_t i = 0; i < values->count; i++) {
        buf_byte(out, ' ');
        buf_text(out, name);
        buf_byte(out, '[');
        digits(out, i);
        buf_text(out, "]=<");
        buf_add(out, values->items[i]);
        buf_byte(out, '>');
    }
}

static void place(struct buf *out, const char *name, struct shell_place p)
{
    if (p.kind != PLACE_NONE)
        buf_format(out, " %s=%d<%.*s>", name, (int)p.kind, STR_ARG(p.path));
}

/* ---- what is seen of an action ---- */

static void path(struct buf *out, const char *name, const struct subject_path *p)
{
    const struct {
        bool set;
        char letter;
    } marks[] = {{p->fresh, 'f'},     {p->unlikely, 'u'}, {p->climbs, 'c'}, {p->folded, 'F'},
                 {p->below, 'b'},     {p->listed, 'l'},   {p->tree, 't'},   {p->pattern, '*'},
                 {p->uncertain, '?'}, {p->visible, 'v'}};

    buf_format(out, " %s %u", name, p->access);
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i].set)
            buf_byte(out, marks[i].letter);
    buf_format(out, "<%.*s>", STR_ARG(p->written));
    if (!str_eq(p->written, p->resolved))
        text(out, "is", p->resolved.len ? p->resolved : STR("?"));
    for (size_t i = 0; p->files && i < p->files->count; i++)
        text(out, "file", p->files->items[i].written);
}

static void paths(struct buf *out, const char *name, const struct subject_paths *all)
{
    for (size_t i = 0; i < all->count; i++)
        path(out, name, &all->items[i]);
}

static void subject(struct buf *out, const struct subject *s)
{
    if (!s->shell) { /* all actions of a command have the same */
        list(out, "name", &s->names);
        list(out, "above", &s->above);
    }
    list(out, "form", &s->forms_allow);
    list(out, "denied", &s->forms_deny);
    for (size_t i = 0; !s->shell && i < s->fields.count; i++) {
        text(out, "field", s->fields.items[i].name);
        text(out, "value", s->fields.items[i].value);
    }
    if (!s->shell)
        text(out, "first", s->first);
    paths(out, "path", &s->paths);
    list(out, "host", &s->hosts);
    number(out, "does", s->does);
    number(out, "widely", s->does_widely);
    number(out, "perhaps", s->does_perhaps);
    buf_format(out, " subject=%d%d%d%d%d%d", s->shell, s->known_tool, s->whole, s->understood,
               s->fetches, s->does_unknown);
}

static void options(struct buf *out, const struct action_options *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct action_option *o = &all->items[i];
        text(out, "option", o->names);
        buf_format(out, " %u%d%d%d", o->effects, o->directory, o->deletes, o->unknown);
        paths(out, "value", &o->paths);
    }
}

static void code(struct buf *out, const struct action *a)
{
    list(out, "code", &a->codes);
    list(out, "loads", &a->loads);
    list(out, "starts", &a->starts_from);
    number(out, "script", a->script);
    number(out, "word", a->script_word);
    number(out, "build", a->session_build.state);
    text(out, "built", a->session_build.path);
    number(out, "fresh", a->fresh.kind);
    text(out, "what", a->fresh.what);
    number(out, "agreed", a->fresh.agreed.count);
    for (size_t i = 0; i < a->revisions.count; i++) {
        text(out, "revision", a->revisions.items[i].text);
        number(out, "kind", a->revisions.items[i].kind);
    }
}

static void action(struct buf *out, const struct action *a)
{
    const bool marks[] = {a->by_path,     a->redirect,   a->assignment, a->whole,    a->set,
                          a->idle,        a->number,     a->as_option,  a->program,  a->built,
                          a->runs_input,  a->awaits,     a->unseen,     a->built_in, a->remote,
                          a->recursive,   a->lists,      a->selects,    a->broad,    a->follows,
                          a->spares_tree, a->takes_tree, a->unhidden,   a->adrift,   a->brings};

    buf_format(out, "  action %zu+%zu ", a->at, a->len);
    for (size_t i = 0; i < COUNT(marks); i++)
        buf_byte(out, marks[i] ? '1' : '0');
    text(out, "program", a->name);
    text(out, "row", a->row ? str_from(a->row->name) : (struct str){0});
    number(out, "effects", a->effects);
    number(out, "unknown", a->unknown);
    number(out, "uses", a->uses);
    text(out, "cwd", a->cwd);
    place(out, "other", a->cwd_other);
    text(out, "directory", a->directory);
    text(out, "mention", a->mention ? str_from(a->mention) : (struct str){0});
    list(out, "chosen", &a->chosen);
    list(out, "only", &a->only);
    subject(out, &a->subject);
    options(out, &a->options);
    code(out, a);
    buf_byte(out, '\n');
}

/* ---- what the shell does ---- */

static void word(struct buf *out, const struct shell_word *w)
{
    buf_format(out, " <%.*s>%zu+%zu", STR_ARG(w->text), w->at, w->len);
    if (w->known && !w->may_glob && !w->shape && !w->home)
        return;
    buf_format(out, "%d%d%d%d%d%d%d%d%d%d:%u", w->known, w->may_glob, w->may_split, w->may_dash,
               w->no_dash, w->may_vanish, w->found, w->fresh, w->home, w->translated, w->shape);
    text(out, "like", w->like);
}

static void shell_action(struct buf *out, const struct shell_action *a)
{
    buf_format(out, "  shell %d %zu+%zu %d/%d", (int)a->kind, a->at, a->len, a->parent, a->after);
    for (size_t i = 0; i < a->words.count; i++)
        word(out, &a->words.items[i]);
    number(out, "access", a->access);
    number(out, "input", a->input);
    text(out, "reads", a->input_text);
    number(out, "loop", a->loop);
    place(out, "here", a->directory.here);
    place(out, "other", a->directory.other);
    buf_format(out, " %d%d%d%d%d%d%d%d%d%d%d%d\n", a->appends, a->directory.skipped,
               a->directory.should_be_other, a->in_background, a->in_pipe, a->in_substitution,
               a->elsewhere, a->secret, a->whole_environment, a->set, a->idle, a->function);
}

/* ---- the verdict ---- */

static void said(struct buf *out, const struct trace_step *t)
{
    const struct said *s = &t->said;

    buf_format(out, "  %s %s %d", t->layer->name, role_name(t->role), (int)s->opinion);
    if (s->action != WHOLE_CALL)
        buf_format(out, " of %zu", s->action);
    text(out, "rule", s->rule ? s->rule->text : (struct str){0});
    text(out, "reason", s->reason);
    text(out, "message", s->message);
    buf_format(out, " %d%d%d\n", s->immune, s->interrupt, s->blind);
}

static void seen(struct buf *out, const struct facts *f)
{
    buf_format(out, " facts %d%d%d%d%d%d%d%d%d", f->understood, f->splits, f->lasting, f->stays,
               f->exports, f->by_session, f->undo, f->trust_old_scripts, f->trust_builds);
    number(out, "effects", f->effects);
    number(out, "risk", f->risk);
    text(out, "enters", f->enters);
    text(out, "why", f->why);
    number(out, "at", f->why_at);
    text(out, "malformed", f->malformed);
    text(out, "gives", f->gives);
    list(out, "checkout", &f->checkouts);
    for (size_t i = 0; i < f->builds.count; i++)
        text(out, "builds", f->builds.items[i].path);
    buf_byte(out, '\n');
    for (size_t i = 0; i < f->findings.count; i++) {
        const struct finding *n = &f->findings.items[i];
        buf_format(out, "  finding %s %zu+%zu <%.*s>\n", n->name, n->at, n->len, STR_ARG(n->what));
    }
    for (size_t i = 0; f->shell && i < f->shell->actions.count; i++)
        shell_action(out, &f->shell->actions.items[i]);
    for (size_t i = 0; i < f->actions.count; i++)
        action(out, &f->actions.items[i]);
}

void verdict_text(struct buf *out, const struct verdict *v)
{
    buf_format(out, "%s %d by %s mode %s risk %s %d%d%d%d%d%d%d%d", behavior_name(v->behavior),
               (int)v->allowed_by, v->layer, mode_name(v->mode), risk_name(v->risk), v->immune,
               v->paused, v->interrupt, v->open, v->uncleared, v->cancelled, v->unanswered,
               v->vague);
    text(out, "rule", v->rule ? v->rule->text : (struct str){0});
    text(out, "reason", v->reason);
    text(out, "message", v->message);
    if (v->contained.yes)
        buf_format(out, " contained=%d<%.*s>", (int)v->contained.tier, STR_ARG(v->contained.why));
    if (v->reversible.yes)
        buf_format(out, " reversible=%d<%.*s>", v->reversible.by_cell, STR_ARG(v->reversible.why));
    list(out, "suggests", &v->suggestions);
    buf_byte(out, '\n');
    for (size_t i = 0; i < v->trace.count; i++)
        said(out, &v->trace.items[i]);
    if (v->facts)
        seen(out, v->facts);
}
