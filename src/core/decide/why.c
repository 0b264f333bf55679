#include "decide/why.h"

#include "base/path.h"
#include "base/utf8.h"
#include "decide/contained.h"
#include "decide/reversible.h"
#include "decide/rule_reach.h"
#include "facts/drivers.h"
#include "facts/fresh.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

#define SHOWN_MAX 60 /* bytes of a command that a reason quotes */

/* Replaces each part that is not known before run time. */
RARE static struct str with_placeholders(struct arena *a, struct str form)
{
    struct buf b = buf_in(a);
    struct str part;

    for (bool more = true; more;) {
        more = str_cut(form, WORD_UNKNOWN, &part, &form);
        buf_add(&b, part);
        buf_text(&b, more ? "<unknown>" : "");
    }
    return buf_str(&b);
}

static inline struct str shown(struct arena *a, struct str form)
{
    return str_has(form, WORD_UNKNOWN) ? with_placeholders(a, form) : form;
}

/* Which part of the call a reason is about: empty where there is only one. The command itself is
 * not repeated; whoever reads the reason sees it. */
static struct str part_of(const struct facts *f, const struct action *a)
{
    const struct subject *s = &a->subject;

    if (a->redirect)
        return STR("a redirection");
    if (!s->shell || f->actions.count == 1)
        return (struct str){0};
    if (a->assignment && s->words.count)
        return str_format(f->arena, "setting %.*s", STR_ARG(s->words.items[0]));
    return s->words.count ? utf8_cut(shown(f->arena, s->words.items[0]), SHOWN_MAX)
                          : (struct str){0};
}

/* As people at this project write it: src/a.c, ~/.ssh/id. */
static struct str shown_path(const struct facts *f, struct str path)
{
    struct str rest;

    if (f->workspace.len && path_relative(f->workspace, path, &rest))
        return rest.len ? rest : STR("the whole project");
    if (f->home.len && path_relative(f->home, path, &rest))
        return rest.len ? str_join(f->arena, STR("~/"), rest) : STR("your home directory");
    return path;
}

static const char *access_verb(unsigned access)
{
    return access & ACCESS_DELETE ? "deletes" : access & ACCESS_WRITE ? "writes" : "reads";
}

/* The first path that leads to a secret, or, below a whole directory, to something that no word
 * names. */
static struct str reached_why(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        const char *what = p->below || p->uncertain ? NULL : path_shows_secret(f, p);
        if (what)
            return str_format(f->arena, "%s %.*s (%s)", access_verb(p->access),
                              STR_ARG(shown_path(f, p->written)), what);
        what = p->below || p->uncertain ? NULL : tree_doubt(f, a, p);
        if (what)
            return str_format(f->arena, "%s %s",
                              p->access & ACCESS_WRITE ? "may write through" : "reaches", what);
    }
    return (struct str){0};
}

/* What is done to a path, if that is more than plainly reading it. */
static struct str touch_why(const struct facts *f, const struct action *a,
                            const struct subject_path *p)
{
    if (p->below || p->uncertain)
        return (struct str){0};
    if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) && f->mode == MODE_ACCEPT_EDITS &&
        path_in_workspace(f, p) && path_is_driver(f, p))
        return str_format(f->arena, "changes %.*s, which git runs by its settings",
                          STR_ARG(shown_path(f, p->written)));
    if (p->access & ACCESS_DELETE)
        return str_format(f->arena, "deletes %.*s", STR_ARG(shown_path(f, p->written)));
    if (p->access & ACCESS_WRITE)
        return str_format(f->arena, "writes %.*s%s", STR_ARG(shown_path(f, p->written)),
                          path_in_workspace(f, p) ? "" : ", outside the workspace");
    if (a->recursive && !path_readable_below(f, p))
        return str_format(f->arena, "reads everything below %.*s",
                          STR_ARG(shown_path(f, p->written)));
    return (struct str){0};
}

/* Read and written: the target of a link is, and what the command makes beside it says more. */
static bool is_both(const struct subject_path *p)
{
    return (p->access & ACCESS_READ) && (p->access & ACCESS_WRITE);
}

/* The first path that is more than plainly read. */
static struct str path_why(const struct facts *f, const struct action *a)
{
    const struct subject_paths *paths = &a->subject.paths;
    struct str why = reached_why(f, a);

    for (size_t i = 0; !why.len && i < paths->count; i++)
        if (!is_both(&paths->items[i]))
            why = touch_why(f, a, &paths->items[i]);
    for (size_t i = 0; !why.len && i < paths->count; i++)
        why = touch_why(f, a, &paths->items[i]);
    return why;
}

/* The file whose code it runs; empty: it is not known, or there is none. */
static struct str code_run(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_RUN) && !p->below && !p->uncertain)
            return shown_path(f, p->written);
    }
    return (struct str){0};
}

/* "runs SQL in a database": the row's own words for its code, and what else is worth a warning. */
static struct str says_why(const struct facts *f, const char *says, unsigned effects)
{
    unsigned more = effects & (EFFECT_PRIVILEGE | EFFECT_LOSS | EFFECT_SECRETS | EFFECT_INSTALL);

    if (!more)
        return str_from(says);
    return str_format(f->arena, "%s, %.*s", says, STR_ARG(program_effects_text(f->arena, more)));
}

/* "sends a request to example.com": what the effects say, with the host where it is known. */
static struct str effects_why(const struct facts *f, const struct action *a, unsigned effects)
{
    struct str code = effects & EFFECT_CODE ? code_run(f, a) : (struct str){0};
    bool sends = effects & EFFECT_SEND;

    if (code.len && (effects & ~(unsigned)EFFECT_CODE))
        return str_format(
            f->arena, "runs %.*s, %.*s", STR_ARG(code),
            STR_ARG(program_effects_text(f->arena, effects & ~(unsigned)EFFECT_CODE)));
    if (code.len)
        return str_format(f->arena, "runs %.*s", STR_ARG(code));
    if ((effects & EFFECT_CODE) && a->row && a->row->says)
        return says_why(f, a->row->says, effects);
    if (!a->subject.hosts.count || (effects & ~(unsigned)(EFFECT_NETWORK | EFFECT_SEND)))
        return program_effects_text(f->arena, effects);
    return str_format(f->arena, "sends %s to %.*s", sends ? "data" : "a request",
                      STR_ARG(shown(f->arena, a->subject.hosts.items[0])));
}

static struct str reason_of(const struct facts *f, const struct action *a)
{
    const unsigned quiet = EFFECT_INNER | EFFECT_FETCH;
    struct str path = path_why(f, a);

    if (a->assignment)
        return STR("changes what programs do");
    if (action_is_fresh(a))
        return fresh_why(f, a);
    if (path.len && (a->effects & (EFFECT_NETWORK | EFFECT_SEND)) && a->subject.hosts.count)
        return str_format(f->arena, "%.*s and talks to %.*s", STR_ARG(path),
                          STR_ARG(shown(f->arena, a->subject.hosts.items[0])));
    if (path.len)
        return path;
    if (a->unknown)
        return STR("touches a path that is not known before run time");
    if (a->session_build.state == BUILT_CHANGED)
        return STR("runs a program that the session built, but the file may have changed since");
    if (a->script == SCRIPT_CHANGED)
        return STR("runs a script that is new or may have changed since the session began");
    if (a->effects & ~quiet)
        return effects_why(f, a, a->effects & ~quiet);
    if (a->subject.hosts.count)
        return str_format(f->arena, "sends a request to %.*s",
                          STR_ARG(shown(f->arena, a->subject.hosts.items[0])));
    if (a->program && !project_has_program(f, a))
        return STR("runs a program from a directory that the agent can write to");
    if (a->program && str_is(a->name, "git") && !project_is_own_repository(f, a))
        return facts_too_many(f) ? STR("too many commands to tell which repository it works in")
                                 : STR("works in a repository that is not the session's own");
    return (struct str){0};
}

static struct str unknown_program(const struct facts *f, const struct action *a)
{
    const struct strs *words = &a->subject.words;
    struct str name = words->count ? shown(f->arena, words->items[0]) : STR("");

    return name.len ? str_format(f->arena, "runs %.*s, a program that Warder does not know",
                                 STR_ARG(utf8_cut(name, SHOWN_MAX)))
                    : STR("runs a program that Warder does not know");
}

/* "git push, but not to another host": the head of the rule's text, and what it falls short of. */
static struct str say_short(const struct facts *f, const struct rule *r, const char *but)
{
    struct str head = r->content;

    head.len = str_index(head, '*') == STR_NONE ? head.len : str_index(head, '*');
    while (head.len && strchr(" :", head.s[head.len - 1]))
        head.len--;
    return str_format(f->arena, "the rule %.*s covers %.*s, but not %s", STR_ARG(r->text),
                      STR_ARG(head), but);
}

/* An allow rule whose text matches, and that does not mean it. */
static struct str short_rule(const struct facts *f, const struct action *a)
{
    const struct rules *all = &f->book->rules;
    size_t count = f->book->index ? a->rules.count : all->count;
    struct rule_env room;

    for (size_t i = 0; i < count; i++) {
        const struct rule *r = &all->items[f->book->index ? a->rules.items[i] : i];
        if (r->effect != BEHAVIOR_ALLOW || r->source == SOURCE_BUILTIN || r->untrusted ||
            !rule_matches(f->arena, r, &a->subject, facts_env(f, a, &room)))
            continue;
        const char *but = rule_falls_short(f, r, a);
        if (but)
            return say_short(f, r, but);
    }
    return (struct str){0};
}

struct str why_action(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    struct str but = short_rule(f, a), why = but.len ? but : reason_of(f, a);

    if (why.len == 0)
        return a->subject.shell && !a->redirect && !a->program ? unknown_program(f, a) : why;
    struct str part = but.len ? (struct str){0} : part_of(f, a);
    return part.len ? str_format(f->arena, "%.*s: %.*s", STR_ARG(part), STR_ARG(why)) : why;
}

/* Where no part of the call says more than its tool does. */
static struct str tool_why(const struct facts *f)
{
    if (f->call->kind == TOOL_AGENT)
        return STR("starts a sub-agent");
    return str_format(f->arena, "no rule covers %.*s", STR_ARG(f->call->tool));
}

struct str why_open(const struct facts *f, const char *const *cleared_by)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        struct str why = cleared_by[i] ? (struct str){0} : contained_conflict(f, i);
        if (!cleared_by[i] && !why.len)
            why = reversible_problem(f, i);
        if (!cleared_by[i] && !why.len)
            why = why_action(f, i);
        if (why.len)
            return why;
    }
    return tool_why(f);
}
