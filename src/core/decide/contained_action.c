/* contained_action.c - of one action: what it needs that a cell lacks, and why it is asked about
 * even if it runs in one. */
#include "base/path.h"
#include "decide/contained.h"
#include "decide/contained_network.h"
#include "decide/contained_rules.h"
#include "decide/layer_shared.h"
#include "decide/reversible.h"
#include "facts/drivers.h"
#include "facts/host.h"
#include "facts/project.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

/* ---- what a cell lacks ---- */

static const struct {
    unsigned effects;
    const char *lacks;
} lacking[] = {
    {EFFECT_PRIVILEGE, "needs the rights of another user"},
    {EFFECT_SYSTEM, "changes the machine"},
    {EFFECT_SECRETS, "needs secrets"},
    {EFFECT_SEND, "sends to a server"},
    {EFFECT_PROCESS, "acts on processes outside"},
};

/* A file where the agent can write, or that was made of the project: whatever its name is, no row
 * is about it. What a program of that name fetches need not be what this one does. */
static bool is_own_file(const struct facts *f, const struct action *a)
{
    return a->program && (a->script == SCRIPT_OLD || a->session_build.state == BUILT_HERE ||
                          !project_has_program(f, a));
}

/* The effects that count. */
static unsigned effects_of(const struct facts *f, const struct action *a)
{
    const unsigned fetches = EFFECT_FETCH | EFFECT_NETWORK;

    return (a->effects & fetches) && is_own_file(f, a) ? a->effects & ~fetches : a->effects;
}

static const char *hosts_lack(const struct facts *f, const struct action *a)
{
    const unsigned effects = effects_of(f, a);

    for (size_t i = 0; i < a->subject.hosts.count; i++)
        if (!action_reaches(f, a, a->subject.hosts.items[i]))
            return "needs the network";
    if ((effects & (EFFECT_FETCH | EFFECT_INSTALL)) && !action_has_registry(f, a))
        return "needs the network";
    return (effects & EFFECT_NETWORK) && a->subject.hosts.count == 0 ? "needs the network" : NULL;
}

/* Every cell has these, and what is written to them is gone. */
static bool is_sink(const struct subject_path *p)
{
    static const char *const names[] = {"/dev/null", "/dev/full", "/dev/stdout", "/dev/stderr",
                                        "/dev/tty"};

    return !p->pattern && STR_IN(p->written, names);
}

/* Of the directories for temporary files a cell has this one. */
static bool is_temporary(const struct facts *f, const struct subject_path *p)
{
    return p->fresh || is_sink(p) ||
           (path_in_temporary(f, p) && path_is_inside(p->written, STR("/tmp")) &&
            !path_in_workspace(f, p));
}

static const char *path_lacks(const struct facts *f, const struct action *a,
                              const struct subject_path *p)
{
    if (p->below || path_unlikely(f, p, a->recursive))
        return NULL;
    if (((p->access & ACCESS_READ) || p->uncertain) && path_shows_secret(f, p))
        return "reads a secret, which is hidden there";
    /* Of a tree that is only listed a cell shows names, but none in a place that it hides. */
    if ((p->access & ACCESS_READ) && a->recursive && !p->uncertain &&
        (tree_doubt(f, a, p) || (!a->lists && !path_readable_below(f, p))))
        return "reads a whole directory, in which secrets may be";
    if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) && !p->uncertain && !is_temporary(f, p) &&
        !path_in_workspace(f, p))
        return "writes outside the workspace";
    return NULL;
}

bool action_is_outside(const struct facts *f, const struct action *a)
{
    return !a->redirect && !a->assignment && a->subject.forms_allow.count &&
           sandbox_is_outside(f->arena, &f->book->sandbox, a->subject.forms_allow.items[0]);
}

const char *action_lacks(const struct facts *f, const struct action *a)
{
    const char *lacks = hosts_lack(f, a);

    for (size_t i = 0; !lacks && i < COUNT(lacking); i++)
        if (a->effects & lacking[i].effects)
            lacks = lacking[i].lacks;
    for (size_t i = 0; !lacks && i < a->subject.paths.count; i++)
        lacks = path_lacks(f, a, &a->subject.paths.items[i]);
    if (!lacks && action_is_outside(f, a))
        lacks = "never runs in the sandbox";
    return lacks;
}

/* ---- what is at home there ---- */

/* Nobody knows what they do, and in a cell they can do no harm. Losing work is harm there, too. */
#define AT_HOME                                                                                    \
    (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_INNER | EFFECT_MODULES | EFFECT_EDITOR |                \
     EFFECT_PROJECT | EFFECT_NETWORK)
/* A word that its row does not explain may ask for more of what the row does. */
#define NEVER_WITH_UNKNOWN                                                                         \
    (EFFECT_SEND | EFFECT_SYSTEM | EFFECT_PRIVILEGE | EFFECT_SECRETS | EFFECT_INSTALL |            \
     EFFECT_FETCH | EFFECT_LOSS | EFFECT_PROCESS)

static bool may_edit(const struct facts *f)
{
    return f->mode == MODE_ACCEPT_EDITS;
}

/* The keeper of the cell hears of each name in the workspace that is deleted, known before or not,
 * and saves it. Not without namespaces, where the trash may be in the cell. */
static bool is_saved_there(const struct facts *f)
{
    return facts_cell(f)->tier == CELL_NAMESPACES && reversible_is_saved(f);
}

/* Is there no place but the workspace where the cell could lose something? What is not known before
 * run time may be in any: in other directories of policy, or where the git directory of a linked
 * work tree is. */
static bool has_only_workspace(const struct facts *f)
{
    const enum file_kind git =
        f->world->kind(f->world->context, str_join(f->arena, f->workspace, STR("/.git")).s);

    return !f->book->directories.count && !f->book->sandbox.lists[SANDBOX_WRITE].count &&
           (git == FILE_ABSENT || git == FILE_DIRECTORY);
}

/* A part of the workspace, and no secret. */
static bool may_go(const struct facts *f, const struct subject_path *p)
{
    return path_is_inside(p->written, f->workspace) && !str_eq(p->written, f->workspace) &&
           (p->resolved.len && !p->pattern ? path_is_inside(p->resolved, f->workspace)
                                           : has_only_workspace(f)) &&
           !path_overwrites_secret(f, p) && !path_shows_secret(f, p);
}

static bool deletes(const struct facts *f, const struct subject_path *p)
{
    return (p->access & ACCESS_DELETE) && !p->below && !p->uncertain && !is_temporary(f, p);
}

/* What is deleted or overwritten in the workspace is lost, whoever does it. */
static const char *path_asks(const struct facts *f, const struct subject_path *p)
{
    if (p->below || p->uncertain || !(p->access & (ACCESS_WRITE | ACCESS_DELETE)) ||
        is_temporary(f, p))
        return NULL;
    if (deletes(f, p) && !(may_go(f, p) && is_saved_there(f)))
        return "deletes in the workspace";
    if (!(p->access & ACCESS_WRITE))
        return NULL;
    if (!may_edit(f))
        return "writes in the workspace";
    if (path_is_driver(f, p))
        return "changes which programs git runs";
    return path_overwrites_secret(f, p) ? "overwrites a secret" : NULL;
}

bool action_is_saved_in_cell(const struct facts *f, const struct action *a)
{
    if (a->unknown & ACCESS_DELETE)
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (deletes(f, &a->subject.paths.items[i]))
            return true;
    return false;
}

static const char *paths_ask(const struct facts *f, const struct action *a)
{
    const char *why = NULL;

    if ((a->unknown & ACCESS_DELETE) && !(has_only_workspace(f) && is_saved_there(f)))
        return "deletes what is not known before run time";
    if ((a->unknown & ACCESS_WRITE) && !may_edit(f))
        return "writes what is not known before run time";
    for (size_t i = 0; !why && i < a->subject.paths.count; i++)
        why = path_asks(f, &a->subject.paths.items[i]);
    return why;
}

/* Code that came in may run there; bringing it in is another thing. */
static bool fresh_is_at_home(const struct action *a)
{
    switch (a->fresh.kind) {
    case FRESH_NOT:
    case FRESH_BROUGHT:
    case FRESH_WRITTEN:
    case FRESH_ENTRY:
    case FRESH_UNREAD:
        return true;
    case FRESH_REVISION:
    case FRESH_DRIVER:
        break;
    }
    return false;
}

/* What git does to a repository can be undone; other programs make new ones, elsewhere. Packages
 * are installed in the workspace, which is an edit. */
static unsigned effects_at_home(const struct facts *f, const struct action *a)
{
    unsigned effects = AT_HOME;

    if (str_is(a->name, "git"))
        effects |= EFFECT_REPO;
    if (action_is_lifted_by_registry(f, a))
        effects |= EFFECT_FETCH | (may_edit(f) ? EFFECT_INSTALL : 0u);
    return effects;
}

/* Does nothing in the row change a repository or leave the machine, whatever option is meant? */
static bool only_reads(const struct program_row *row)
{
    static const char *const marks[] = {"^loss",    "^repository", "^send",    "^fetch",
                                        "^install", "^network",    "^process", "^system"};

    for (size_t i = 0; i < COUNT(marks); i++)
        if (strstr(row->options, marks[i]) || strstr(row->operands, marks[i]))
            return false;
    /* of one with subcommands of its own, the row says nothing of what they do */
    return !row->effects && row->leaves_input && !str_has_word(str_from(row->operands), STR("sub"));
}

/* A word that its row does not explain, where no option of it does more than a cell can bear. */
static bool unknown_is_at_home(const struct facts *f, const struct action *a)
{
    if (is_own_file(f, a))
        return true;
    if (str_is(a->name, "git"))
        return action_is_git(a) && only_reads(a->row);
    const unsigned lifted = action_is_lifted_by_registry(f, a) ? EFFECT_FETCH | EFFECT_INSTALL : 0u;
    return !(a->row->effects & NEVER_WITH_UNKNOWN & ~lifted);
}

/* Of an assignment, which sets what other programs see: any. */
static const char *effects_ask(const struct facts *f, const struct action *a)
{
    unsigned left = effects_of(f, a) & ~(a->assignment ? 0u : effects_at_home(f, a));

    return left ? program_effects_text(f->arena, left).s : NULL;
}

static const char *rule_asks(const struct facts *f, const struct action *a)
{
    const struct rule *r = contained_open_rule(f, a);

    return r ? str_format(f->arena, "could reach what the rule %.*s is about", STR_ARG(r->text)).s
             : NULL;
}

static const char *command_asks(const struct facts *f, const struct action *a)
{
    const char *why = rule_asks(f, a);

    if (why || !a->program) /* a program that nobody knows */
        return why;
    if ((why = effects_ask(f, a)))
        return why;
    return !(a->effects & EFFECT_UNKNOWN) || !a->row || unknown_is_at_home(f, a)
               ? NULL
               : "has an argument that Warder does not know, which may make it do more";
}

const char *action_asks_in_cell(const struct facts *f, const struct action *a)
{
    const char *why = action_lacks(f, a);

    if (!why && !fresh_is_at_home(a))
        why = "brings in code";
    if (!why)
        why = paths_ask(f, a);
    if (why || a->redirect)
        return why;
    return a->assignment ? effects_ask(f, a) : command_asks(f, a);
}
