#include "decide/contained.h"
#include "decide/contained_network.h"

#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/drivers.h"
#include "facts/host.h"
#include "facts/sensitive_paths.h"
#include "facts/trees.h"

/* ---- whether there is a cell ---- */

static unsigned policy(const struct facts *f, enum sandbox_key key)
{
    return sandbox_value(&f->book->sandbox, key);
}

/* A project's word is not enough where it would make more run than before. */
static bool always_by_person(const struct facts *f)
{
    return sandbox_said_by_person(&f->book->sandbox, SANDBOX_USE, USE_ALWAYS);
}

static bool policy_wants(const struct facts *f)
{
    bool unasked = f->mode == MODE_PLAN || f->mode == MODE_DONT_ASK;

    return policy(f, SANDBOX_USE) != USE_OFF && !f->book->sandbox.unread &&
           (!unasked || always_by_person(f));
}

/* A client whose rules are not ours would not see what they are about in the text that it runs. */
static bool rules_count(const struct facts *f, const struct cell_facts *cell)
{
    return cell->rules_read || always_by_person(f);
}

/* A command cannot change the directory of the client's shell from inside a cell. Where it is sure
 * which one that would be, the client's shell is sent there as well (engine/cell.h), by a path that
 * needs no quotes. */
static bool place_fits(const struct facts *f)
{
    static const char plain[] =
        "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@";

    struct str path = str_copy(f->arena, f->enters);
    return f->stays && strspn(path.s, plain) == path.len;
}

static bool text_fits(const struct facts *f)
{
    return f->call->kind == TOOL_SHELL && f->call->row && str_is(f->call->row->name, "Bash") &&
           f->understood && !f->call->cwd_unknown && f->workspace.len && place_fits(f);
}

static bool has_cell(const struct facts *f)
{
    if (!policy_wants(f) || !text_fits(f))
        return false;
    const struct cell_facts *cell = facts_cell(f);
    return cell->rewrites && rules_count(f, cell) && cell->tier != CELL_NONE;
}

bool contained_is_on(const struct facts *f)
{
    return has_cell(f) && sandbox_has_tier(&f->book->sandbox, facts_cell(f)->tier);
}

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

/* What packages bring runs later: only where that is contained as well. */
static bool has_registry(const struct facts *f, const struct action *a)
{
    return action_kit(f, a) &&
           (!(a->effects & EFFECT_INSTALL) || policy(f, SANDBOX_CODE) == CODE_CONTAIN);
}

static const char *hosts_lack(const struct facts *f, const struct action *a)
{
    for (size_t i = 0; i < a->subject.hosts.count; i++)
        if (!action_reaches(f, a, a->subject.hosts.items[i]))
            return "needs the network";
    if ((a->effects & (EFFECT_FETCH | EFFECT_INSTALL)) && !has_registry(f, a))
        return "needs the network";
    return (a->effects & EFFECT_NETWORK) && a->subject.hosts.count == 0 ? "needs the network"
                                                                        : NULL;
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

static bool is_outside(const struct facts *f, const struct action *a)
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
    if (!lacks && is_outside(f, a))
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

/* What is deleted or overwritten in the workspace is lost, whoever does it. */
static bool path_is_at_home(const struct facts *f, const struct subject_path *p)
{
    if (p->below || p->uncertain || !(p->access & (ACCESS_WRITE | ACCESS_DELETE)) ||
        is_temporary(f, p))
        return true;
    return may_edit(f) && !(p->access & ACCESS_DELETE) && !path_is_driver(f, p) &&
           !path_overwrites_secret(f, p);
}

static bool paths_are_at_home(const struct facts *f, const struct action *a)
{
    if ((a->unknown & ACCESS_DELETE) || ((a->unknown & ACCESS_WRITE) && !may_edit(f)))
        return false;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (!path_is_at_home(f, &a->subject.paths.items[i]))
            return false;
    return true;
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
    if (has_registry(f, a))
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
static bool unknown_is_at_home(const struct action *a)
{
    if (str_is(a->name, "git"))
        return action_is_git(a) && only_reads(a->row);
    return !(a->row->effects & NEVER_WITH_UNKNOWN);
}

static bool command_is_at_home(const struct facts *f, const struct action *a)
{
    if (!a->program)
        return true; /* a program that nobody knows */
    if (a->effects & ~effects_at_home(f, a))
        return false;
    return !(a->effects & EFFECT_UNKNOWN) || !a->row || unknown_is_at_home(a);
}

bool action_is_at_home(const struct facts *f, const struct action *a)
{
    if (action_lacks(f, a) || !fresh_is_at_home(a) || !paths_are_at_home(f, a))
        return false;
    if (a->redirect)
        return true;
    return a->assignment ? !a->effects : command_is_at_home(f, a);
}

/* ---- the verdict ---- */

/* Everything that plainly only reads, prints or computes. */
static bool is_harmless(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (!action_is_harmless(f, &f->actions.items[i]))
            return false;
    return true;
}

/* By the layer for project code, or by a shipped rule for a runner of tests and builds. */
static bool is_cleared_as_code(const struct facts *f, const char *const *cleared_by, size_t action)
{
    const struct rule *rule;

    if (!cleared_by || !cleared_by[action])
        return false;
    if (cleared_by[action] == layers[LAYER_PROJECT].name)
        return true;
    return cleared_by[action] == layers[LAYER_ALLOW_RULES].name &&
           (f->actions.items[action].effects & EFFECT_PROJECT) && (rule = allow_rule(f, action)) &&
           rule->source == SOURCE_BUILTIN;
}

static bool is_cleared_by_cell(const char *const *cleared_by, size_t action)
{
    return cleared_by && cleared_by[action] == layers[LAYER_CONTAINED].name;
}

/* Project code, or an installation, that needs a registry of packages which its cell has not. */
static bool misses_registry(const struct facts *f, const struct action *a)
{
    return !has_registry(f, a) && ((a->effects & EFFECT_INSTALL) ||
                                   ((a->effects & EFFECT_PROJECT) && (a->effects & EFFECT_FETCH)));
}

/* The first action that must run in a cell, or the count: none. *as_code: because it is the
 * project's code. */
static size_t first_to_contain(const struct facts *f, const char *const *cleared_by, bool *as_code)
{
    const bool code = policy(f, SANDBOX_CODE) == CODE_CONTAIN;

    *as_code = false;
    for (size_t i = 0; i < f->actions.count; i++) {
        if (is_cleared_by_cell(cleared_by, i))
            return i;
        if (code && is_cleared_as_code(f, cleared_by, i) &&
            !misses_registry(f, &f->actions.items[i]) && !is_outside(f, &f->actions.items[i])) {
            *as_code = true;
            return i;
        }
    }
    return policy(f, SANDBOX_USE) == USE_ALWAYS && !is_harmless(f) ? 0 : f->actions.count;
}

static size_t first_that_lacks(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_lacks(f, &f->actions.items[i]))
            return i;
    return f->actions.count;
}

/* "git fetch" of a longer command. */
static struct str shown(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];
    struct str form = a->subject.forms_allow.count ? a->subject.forms_allow.items[0] : a->name;
    struct str text = str_slice(form, 0, 40);

    if (a->redirect)
        return STR("a redirection");
    return str_has(text, WORD_UNKNOWN) || !text.len ? a->name : text;
}

static struct str name_both(const struct facts *f, size_t inside, size_t outside)
{
    const char *lacks = action_lacks(f, &f->actions.items[outside]);

    if (inside == outside)
        return str_format(f->arena, "%.*s must run in the sandbox, and %s",
                          STR_ARG(shown(f, inside)), lacks);
    return str_format(f->arena, "%.*s %s, and %.*s must run in the sandbox: run them as two calls",
                      STR_ARG(shown(f, outside)), lacks, STR_ARG(shown(f, inside)));
}

/* Every part of it that cannot be contained is one that policy wants outside. */
static bool is_all_outside(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (action_lacks(f, &f->actions.items[i]) && !is_outside(f, &f->actions.items[i]))
            return false;
    return true;
}

/* Where nothing but its being project code wants it contained: code that comes with packages to
 * install runs as before there was a sandbox. */
static bool is_left_free(const struct facts *f, const char *const *cleared_by, size_t first,
                         size_t lacks)
{
    if (is_cleared_by_cell(cleared_by, first))
        return false;
    if (is_cleared_as_code(f, cleared_by, first) && !is_outside(f, &f->actions.items[first]))
        return misses_registry(f, &f->actions.items[lacks]);
    return !cleared_by || is_all_outside(f); /* policy alone wants it, by `use: always` */
}

static struct str why_contained(const char *const *cleared_by, size_t first, bool as_code)
{
    if (is_cleared_by_cell(cleared_by, first))
        return STR("Warder cannot tell what it does");
    return as_code ? STR("it runs the project's code") : STR("policy wants it");
}

enum containing contained_judge(const struct facts *f, const char *const *cleared_by,
                                struct contained *out)
{
    const size_t none = f->actions.count;
    bool as_code;

    *out = (struct contained){0};
    if (f->call->kind != TOOL_SHELL || !has_cell(f))
        return CONTAIN_NOT;
    const size_t first = first_to_contain(f, cleared_by, &as_code);
    /* A weaker cell than policy needs is better than none for the project's own code. */
    if (first < none && !as_code && !contained_is_on(f))
        return CONTAIN_NOT;
    const size_t lacks = first < none ? first_that_lacks(f) : none;
    if (first == none || (lacks < none && is_left_free(f, cleared_by, first, lacks)))
        return CONTAIN_NOT;
    if (lacks < none) {
        out->why = name_both(f, first, lacks);
        return CONTAIN_CANNOT;
    }
    *out = (struct contained){
        .yes = true, .tier = facts_cell(f)->tier, .why = why_contained(cleared_by, first, as_code)};
    return CONTAIN_CALL;
}

bool contained_is_missed(const struct facts *f, const char *const *cleared_by)
{
    if (policy(f, SANDBOX_UNAVAILABLE) != UNAVAILABLE_DENY || !policy_wants(f) || !text_fits(f) ||
        contained_is_on(f) || first_that_lacks(f) < f->actions.count)
        return false;
    for (size_t i = 0; i < f->actions.count; i++)
        if (!cleared_by[i] && !action_is_at_home(f, &f->actions.items[i]))
            return false;
    return true;
}

struct str contained_conflict(const struct facts *f, size_t open)
{
    if (!contained_is_on(f) || !action_is_at_home(f, &f->actions.items[open]))
        return (struct str){0};
    const size_t lacks = first_that_lacks(f);
    return lacks < f->actions.count ? name_both(f, open, lacks) : (struct str){0};
}
