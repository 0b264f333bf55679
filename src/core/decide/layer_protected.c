/* layer_protected.c - paths that are never changed, and programs that are never started, without
 * asking a person, in any mode. */
#include "base/path.h"
#include "call/agents.h"
#include "decide/layer.h"
#include "facts/copies_in.h"
#include "facts/fresh.h"
#include "facts/own_places.h"
#include "facts/own_programs.h"
#include "facts/own_reach.h"
#include "facts/sensitive_paths.h"

static bool changes(const struct subject_path *p)
{
    return p->access & (ACCESS_WRITE | ACCESS_DELETE);
}

/* tar xf x, cp -r x/. .: writing over a whole directory may overwrite the .git in it. Project code
 * and git itself do that all the time. */
static bool overwrites_repository(const struct facts *f, const struct action *a,
                                  const struct subject_path *p)
{
    if (!p->below || p->folded || !(p->access & ACCESS_WRITE) || !a->program ||
        (a->effects & EFFECT_PROJECT) || str_is(a->name, "git"))
        return false;
    struct str directory = path_dir(p->written);
    return str_eq(directory, f->workspace) || facts_has(f, directory, ".git");
}

/* If .git is a file, it names the directory of git's own files, which may have any name and be in
 * the workspace. A pattern may match them. */
static bool writes_repository(const struct facts *f, const struct subject_path *p)
{
    struct str path = p->resolved.len ? p->resolved : p->written, rest;

    if (p->below || f->workspace.len == 0 || !path_relative(f->workspace, path, &rest) ||
        (!p->pattern && !str_has(rest, '/')) || /* in no directory below the workspace */
        f->world->kind(f->world->context, path_join(f->arena, f->workspace, STR(".git")).s) !=
            FILE_REGULAR)
        return false;
    if (p->pattern && strcspn(rest.s, "*?[") < strcspn(rest.s, "/") && str_has(rest, '/'))
        return true;
    for (path = path_dir(path); path.len > f->workspace.len; path = path_dir(path))
        if (facts_has(f, path, "HEAD") && facts_has(f, path, "objects"))
            return true;
    return false;
}

/* mv d .vscode, ln -s d .vscode: brings files that are protected by their directory's name.
 * Creating it empty is fine. */
static bool brings_settings(const struct action *a, const struct subject_path *p)
{
    struct str name = path_base(p->written);

    return !p->below && (p->access & ACCESS_WRITE) && !(a->program && str_is(a->name, "mkdir")) &&
           (str_eq_nocase(name, STR(".vscode")) || str_eq_nocase(name, STR(".cargo")));
}

__attribute__((noinline)) static const struct said *protected_tree(const struct facts *f,
                                                                   size_t action)
{
    const struct action *a = &f->actions.items[action];

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        if (!changes(&a->subject.paths.items[i]))
            continue;
        if (overwrites_repository(f, a, &a->subject.paths.items[i]))
            return say_immune_ask(f, action, STR("may overwrite git's own files"));
        if (writes_repository(f, &a->subject.paths.items[i]))
            return say_immune_ask(f, action, STR("writes git's own files"));
        if (brings_settings(a, &a->subject.paths.items[i]))
            return say_immune_ask(f, action, STR("may copy in configuration that runs code"));
    }
    return NULL;
}

__attribute__((noinline)) static const struct said *
protected_path(const struct facts *f, size_t action,
               const char *(*place)(const struct facts *, const struct subject_path *))
{
    const struct subject_paths *paths = &f->actions.items[action].subject.paths;

    for (size_t i = 0; i < paths->count; i++) {
        const struct subject_path *p = &paths->items[i];
        if (p->below || !changes(p))
            continue;
        bool plan = f->call->plan_file.len && str_eq(p->resolved, f->call->plan_file);
        const char *what = plan ? NULL : place(f, p);
        if (what)
            return say_immune_ask(f, action,
                                  str_format(f->arena, "%.*s is protected from writing: %s",
                                             STR_ARG(p->written), what));
    }
    return NULL;
}

/* Whatever happens to a directory happens to what is below it. */
__attribute__((noinline)) static const struct said *protected_below(const struct facts *f,
                                                                    size_t action)
{
    const struct action *a = &f->actions.items[action];

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        const char *what = changes(p) ? own_place_below(f, a, p) : NULL;
        if (what)
            return say_immune_ask(
                f, action,
                str_format(f->arena, "changes a directory with protected files in it: %s", what));
    }
    return NULL;
}

/* Git commands that make later work go to another server. */
static const char *const git_redirections[] = {"add ", "set-url ", "rename ", "rm ", "remove "};

static bool redirects_git(struct str form)
{
    static const struct str remote = {"git remote ", 11};

    for (size_t i = 0; str_starts(form, remote) && i < COUNT(git_redirections); i++)
        if (str_starts(str_from_byte(form, remote.len), str_from(git_redirections[i])))
            return true;
    return false;
}

static const struct said *protected_program(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    const struct subject *s = &a->subject;

    if (!s->shell || s->words.count == 0)
        return NULL;
    struct str program = a->name;
    if (own_program_misused(a))
        return say_all(f,
                       (struct said){.opinion = SAY_DENY,
                                     .action = action,
                                     .reason = STR("an agent may only run warder check, explain, "
                                                   "parse and log"),
                                     .message = STR("an agent may only run warder check, explain, "
                                                    "parse and log. Leave the other commands to "
                                                    "a person")});
    if (own_program_stopped(f, a))
        return say_immune_ask(f, action, STR("may stop Warder itself"));
    /* What another agent does is not judged here. --help and --version have no effect. */
    if (!(a->program && a->effects == 0) && agent_is_program(program))
        return say_immune_ask(f, action,
                              str_format(f->arena, "starts another agent: %.*s", STR_ARG(program)));
    for (size_t i = 0; i < s->forms_deny.count; i++)
        if (redirects_git(s->forms_deny.items[i]))
            return say_immune_ask(f, action, STR("changes which server git talks to"));
    return NULL;
}

/* Another commit may have other settings, or none. Where only the project's make the agent ask,
 * that would end it; rules of the project go on holding for the session. */
static const struct said *loses_registration(const struct facts *f, size_t action)
{
    if (!f->book->registered_here || !copies_in_tracked(&f->actions.items[action]))
        return NULL;
    return say_immune_ask(f, action,
                          STR("may remove the settings that make the agent ask Warder: they are "
                              "only in the project"));
}

/* A commit of the project, and nothing is lost that was not committed: `repository` clears that.
 * In bypassPermissions no layer asks where a commit comes from. What a commit brought is gone after
 * a revert of it: perhaps all of the settings, if it is the first one. */
static bool brings_own_commit(const struct facts *f, const struct action *a)
{
    if (a->row && a->row->takes_back)
        return false;
    for (size_t i = 0; i < a->options.count; i++)
        if (a->options.items[i].effects & EFFECT_LOSS)
            return false;
    return f->mode != MODE_BYPASS && a->revisions.count && !action_is_fresh(a);
}

/* git writes what is tracked, or removes what is not: settings in its tree may be among it. */
static const struct said *rewrites_settings(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    const char *what =
        copies_in_rewrites(a) && !brings_own_commit(f, a) ? own_place_in_tree(f, a) : NULL;

    return what ? say_immune_ask(
                      f, action,
                      str_format(f->arena, "may change or remove %s in the work tree", what))
                : NULL;
}

/* What an action does with Warder's own places must be known. */
static const struct said *unexplained_mention(const struct facts *f, size_t action)
{
    const char *what = f->actions.items[action].mention;

    if (!what)
        return NULL;
    if (what == own_program_command)
        return say_immune_ask(f, action,
                              STR("may run a Warder command that only a person may run"));
    if (what == own_reach_any)
        return say_immune_ask(f, action,
                              STR("changes a file whose name is only known at run time: it may be "
                                  "one that Warder or an agent depends on"));
    return say_immune_ask(
        f, action,
        str_format(f->arena, "names a protected path, and it is not clear what it does with it: %s",
                   what));
}

static bool changes_some(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (changes(&a->subject.paths.items[i]))
            return true;
    return false;
}

static const struct said *protected_action(const struct facts *f, size_t action)
{
    const struct said *said = protected_program(f, action);

    if (!said && changes_some(&f->actions.items[action])) {
        said = protected_path(f, action, path_protected);
        said = said ? said : protected_tree(f, action);
        said = said ? said : protected_below(f, action);
    }
    said = said ? said : unexplained_mention(f, action);
    said = said ? said : loses_registration(f, action);
    return said ? said : rewrites_settings(f, action);
}

static const struct said *strongest_protection(const struct facts *f)
{
    const struct said *strongest = NULL;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct said *said = protected_action(f, i);
        if (said && (!strongest || said->opinion > strongest->opinion))
            strongest = said;
    }
    return strongest;
}

const struct said *layer_protected(const struct facts *f)
{
    return strongest_protection(f);
}

/* Promise 5, for models without protected paths: changing what verdicts depend on always asks. */
const struct said *layer_self(const struct facts *f)
{
    const struct said *said = NULL;

    for (size_t i = 0; !said && i < f->actions.count; i++) {
        said = protected_path(f, i, path_own_state);
        said = said ? said : protected_below(f, i);
        said = said ? said : unexplained_mention(f, i);
        said = said ? said : rewrites_settings(f, i);
    }
    return said;
}

/* Leaving plan mode means that a person approves the plan. */
const struct said *layer_interaction(const struct facts *f)
{
    if (f->call->kind != TOOL_PLAN_EXIT)
        return NULL;
    return say_immune_ask(f, WHOLE_CALL, STR("the plan needs a person's approval"));
}

/* mink, step 4: tools that need the user, and the safety check on paths. Both survive bypass. */
const struct said *layer_tool_hook(const struct facts *f)
{
    if (f->call->kind == TOOL_PLAN_EXIT || f->call->kind == TOOL_QUESTION)
        return say_immune_ask(f, WHOLE_CALL, STR("this tool requires user interaction"));
    return strongest_protection(f);
}
