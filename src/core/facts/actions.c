#include "facts/actions.h"

#include "base/path.h"
#include "base/rare.h"
#include "base/utf8.h"
#include "facts/as_options.h"
#include "facts/call_builds.h"
#include "facts/environment.h"
#include "facts/fresh.h"
#include "facts/links.h"
#include "facts/mentions.h"
#include "facts/program_action.h"
#include "facts/scripts.h"
#include "facts/sensitive_paths.h"
#include "facts/session_builds.h"
#include "facts/shadows.h"
#include "facts/staged.h"
#include "facts/streams.h"
#include "facts/tool_action.h"
#include "facts/touch.h"
#include "programs/variables.h"

/* True if the locale may change the meaning of one of them. */
static bool add_words(struct facts *f, struct subject *s, const struct shell_words *words)
{
    size_t count = words->count;
    bool translated = false;

    s->words = strs_in(f->arena, count);
    s->words.count = count;
    for (size_t i = 0; i < count; i++) {
        s->words.items[i] = words->items[i].text;
        translated |= words->items[i].translated;
    }
    return translated;
}

static void name_program(struct action *a, struct str word)
{
    a->by_path = str_has(word, '/');
    a->name = a->by_path ? path_base(word) : word;
}

/* Each operand of an unknown program, where it may act. In a directory that is not known, which may
 * be the one where the call begins, most names could be any file. */
static void guess_operand(struct facts *f, struct action *a, const struct shell_word *w)
{
    if (a->remote)
        return;
    program_operand(f, &a->subject, a->cwd.len ? a->cwd : f->env.cwd, w);
    if (action_has_other_cwd(a))
        program_operand(f, &a->subject, a->cwd_other.path, w);
    a->adrift |= !a->cwd.len && w->text.len && !strchr("/~", w->text.s[0]) &&
                 (w->text.s[0] != '-' || str_has(w->text, '='));
}

static void shell_command(struct facts *f, struct shell_action *from, struct action *a)
{
    struct subject *s = &a->subject;

    /* A deny rule on the text must cover what the locale may turn it into; an allow rule was not
     * written for that. */
    if (!add_words(f, s, &from->words))
        s->forms_allow = from->allow_forms;
    s->forms_deny = from->deny_forms;
    if (from->words.count)
        name_program(a, s->words.items[0]);
    if (from->words.count == 0 || program_action(f, from, a))
        return;
    if (from->function) { /* the actions of its body follow it */
        a->program = true;
        return;
    }
    a->remote = !a->cwd.len && action_is_remote(f, from);
    for (size_t i = 1; i < from->words.count; i++)
        guess_operand(f, a, &from->words.items[i]);
}

/* A wrapper whose inner command the shell analysis did not list runs an unseen command. True if
 * there is one. */
RARE static bool check_wrappers(struct facts *f, const struct shell_actions *from)
{
    bool any = false;
    bool *wraps = ARENA_ARRAY(f->arena, bool, from->count + 1);
    for (size_t i = 0; i < from->count; i++)
        if (from->items[i].parent >= 0 && from->items[i].kind == SHELL_COMMAND &&
            !from->items[i].in_substitution)
            wraps[from->items[i].parent] = true;
    for (size_t i = 0; i < from->count; i++)
        if ((f->actions.items[i].effects & EFFECT_INNER) && !wraps[i]) {
            f->actions.items[i].effects |= EFFECT_CODE;
            any = true;
        }
    return any;
}

static void add_target(struct facts *f, struct action *a, const struct shell_action *from,
                       unsigned access)
{
    const struct shell_word *target = &from->words.items[0];
    struct str places[] = {from->directory.here.path, a->cwd_other.path};

    if (from->elsewhere && !places[0].len && target->text.len && !strchr("/~", target->text.s[0])) {
        a->remote = action_is_remote(f, from);
        if (a->remote || access == ACCESS_READ) {
            a->unknown |= access;
            return;
        }
    }
    for (size_t i = 0; i < (action_has_other_cwd(a) ? 2 : 1); i++)
        if (target->may_glob)
            touch_pattern(f, &a->subject, places[i], target->text, access, false);
        else
            touch_path(f, &a->subject, places[i], target->text, access);
}

static void add_names(struct facts *f, struct subject *s, const struct tool *row)
{
    if (!row)
        return;
    LIST_PUSH(f->arena, &s->names, row->name);
    for (size_t i = 0; i < row->alias_count; i++)
        LIST_PUSH(f->arena, &s->names, row->aliases[i]);
}

static const char *const connections[] = {"/dev/tcp/", "/dev/udp/"};

/* Bash opens no file there, but a connection to the host that comes next. */
static void shell_connection(struct facts *f, const struct shell_word *target, struct action *a)
{
    struct str host, port;

    for (size_t i = 0; i < COUNT(connections); i++) {
        if (!str_starts(target->text, str_from(connections[i])))
            continue;
        a->effects |= EFFECT_NETWORK;
        str_cut(str_from_byte(target->text, strlen(connections[i])), '/', &host, &port);
        if (target->known && host.len)
            touch_host(f, &a->subject, host);
    }
}

/* A redirection is judged as the file tool with the same effect. */
static void shell_redirect(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct subject *s = &a->subject;
    const struct shell_word *target = &from->words.items[0];
    unsigned access = 0;

    if (from->access & SHELL_READS)
        access |= ACCESS_READ;
    if (from->access & SHELL_WRITES)
        access |= ACCESS_WRITE;
    add_names(f, s, tool_find(access & ACCESS_WRITE ? STR("Write") : STR("Read")));
    if (access & ACCESS_WRITE)
        add_names(f, s, tool_find(STR("Edit")));
    if (!target->known && (!target->may_glob || str_has(target->text, WORD_UNKNOWN)))
        a->unknown |=
            touch_likely(f, &a->subject, from->directory.here.path, target, access) ? 0 : access;
    else
        add_target(f, a, from, access);
    shell_connection(f, target, a);
    a->redirect = true;
}

/* May an action found so far remove a directory? */
RARE static bool may_remove(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if ((a->effects & ~(unsigned)(EFFECT_INNER | EFFECT_FETCH)) || (a->unknown & ACCESS_DELETE))
            return true;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (a->subject.paths.items[n].access & ACCESS_DELETE)
                return true;
    }
    return false;
}

/* No `cd` before it has failed: an existing directory in the workspace can be entered. */
static bool is_where_it_should_be(struct facts *f, const struct shell_directory *d)
{
    struct shell_place should = d->should_be_other ? d->other : d->here;

    return place_is_known(should) && !d->skipped && f->workspace.len &&
           path_is_inside(should.path, f->workspace) &&
           f->world->kind(f->world->context, str_copy(f->arena, should.path).s) == FILE_DIRECTORY &&
           !may_remove(f);
}

/* Where it acts, and where else if an earlier `cd` failed unnoticed. */
static void find_places(struct facts *f, struct shell_directory *d, struct action *a)
{
    if (d->other.kind == PLACE_NONE || is_where_it_should_be(f, d))
        directory_settle(d);
    else
        a->cwd_other = d->other;
    a->cwd = d->here.path;
}

void action_become_project_code(struct facts *f, const struct shell_action *from, struct action *a)
{
    /* The operands of an unknown program were guesses, which only rules go on to see. */
    for (size_t i = 0; !a->program && i < a->subject.paths.count; i++)
        a->subject.paths.items[i].below = true;
    if (a->script_word)
        a->effects &= ~(unsigned)EFFECT_CODE;
    else
        touch_path(f, &a->subject, a->cwd, from->words.items[0].text, ACCESS_READ | ACCESS_RUN);
    a->program = true;
    program_script(f, from, a);
}

struct action action_with_words(struct facts *f, const struct shell_action *from,
                                struct shell_words words)
{
    struct action a = {
        .subject = f->shared, .at = from->at, .len = from->len, .cwd = from->directory.here.path};
    struct shell_action as = *from;

    as.words = words;
    as.use = NULL;
    a.subject.shell = true;
    shell_command(f, &as, &a);
    return a;
}

/* What the call itself has just built is the project's code, like anything that `go run` runs. */
static void explain_built(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        /* the words contain a secret or not, whichever program gets them */
        unsigned secrets = a->effects & EFFECT_SECRETS;
        struct shell_words words;
        if (!call_builds_program(f, all, i, &words))
            continue;
        struct shell_action as = all->items[i];
        as.words = words;
        as.use = NULL;
        a->subject.paths.count = a->subject.hosts.count = a->unknown = 0;
        a->built = program_action(f, &as, a);
        a->effects |= secrets;
    }
}

bool action_may_write(const struct action *a, struct str file)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (p->pattern || path_is_inside(file, p->written) || path_is_inside(file, p->resolved)))
            return true;
    }
    return (a->unknown & (ACCESS_WRITE | ACCESS_DELETE)) != 0;
}

static void shell_assignment(struct facts *f, const struct shell_action *from, struct action *a)
{
    a->assignment = true;
    a->whole = from->whole_environment;
    a->set = from->set;
    a->idle = from->idle;
    a->number = from->words.count > 1 && (from->words.items[1].shape & SHAPE_DIGITS);
    a->subject.forms_deny = from->deny_forms;
    add_words(f, &a->subject, &from->words);
    if (from->words.count) {
        a->name = path_base(from->words.items[0].text);
        a->uses = environment_uses(f, from->words.items[0].text, from->uses);
    }
}

static void shell_action(struct facts *f, struct shell_action *from, struct action *a)
{
    switch (from->kind) {
    case SHELL_COMMAND:
        shell_command(f, from, a);
        break;
    case SHELL_REDIRECT:
        shell_redirect(f, from, a);
        break;
    case SHELL_ASSIGN:
        shell_assignment(f, from, a);
        break;
    }
    if (from->secret)
        a->effects |= EFFECT_SECRETS;
}

RARE static void explain_files(struct facts *f, const struct shell_actions *all)
{
    explain_built(f, all);
    if (f->trust_builds)
        session_builds_find(f, all);
    if (f->trust_old_scripts)
        scripts_find(f, all);
}

/* What the passes over all actions need to know first. Most calls give them nothing to do, so they
 * are skipped. */
struct call_summary {
    unsigned effects;
    bool exports;
    bool as_options; /* a variable may say what an option says */
    bool runs_file;  /* by its path, or as a script */
    bool builds;
    bool recursive, climbs;
    bool prints,
        devices; /* for streams.h: tee is used; a path may be a stream, or a pattern match one */
};

static bool may_be_device(const struct subject_path *p)
{
    return p->pattern || str_starts(p->written, STR("/dev/")) ||
           str_starts(p->resolved, STR("/dev/"));
}

static bool exports(struct str name)
{
    return str_is(name, "export") || str_is(name, "declare") || str_is(name, "typeset") ||
           str_is(name, "local");
}

static struct call_summary summarise(const struct facts *f, const struct shell_actions *all)
{
    struct call_summary sum = {0};

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        sum.effects |= a->effects;
        sum.as_options |= a->assignment && (a->uses & VARIABLE_AS_OPTION);
        sum.exports |= a->program && exports(a->subject.words.items[0]);
        sum.runs_file |= a->by_path || a->script_word;
        sum.builds |= build_is_named(&all->items[i]);
        sum.recursive |= a->recursive;
        sum.prints |= str_is(a->name, "tee");
        for (size_t n = 0; n < a->subject.paths.count; n++) {
            sum.climbs |= a->subject.paths.items[n].climbs;
            sum.devices |= may_be_device(&a->subject.paths.items[n]);
        }
    }
    return sum;
}

static void relate_actions(struct facts *f, const struct shell_actions *all)
{
    struct call_summary sum = summarise(f, all);

    if ((sum.effects & EFFECT_INNER) && check_wrappers(f, all))
        sum.effects |= EFFECT_CODE;
    if (sum.runs_file) {
        explain_files(f, all);
        sum = summarise(f, all);
    }
    /* a git command that changes nothing copies no files in */
    if (sum.builds || sum.runs_file || (sum.effects & ~(unsigned)(EFFECT_INNER | EFFECT_FETCH)))
        session_builds_settle(f, all);
    if (sum.effects & (EFFECT_MODULES | EFFECT_PROJECT))
        shadows_find(f, all);
    if (sum.climbs || sum.recursive)
        links_doubt(f);
    if (sum.prints || sum.devices)
        streams_doubt(f);
    if (sum.as_options)
        as_options_find(f, all);
    staged_find(f);
    mentions_find(f, all);
    if (sum.effects & (EFFECT_PROJECT | EFFECT_INSTALL | EFFECT_REPO | EFFECT_FETCH))
        fresh_find(f, all);
    f->exports = sum.exports;
    for (size_t i = 0; i < f->actions.count; i++)
        f->effects |= f->actions.items[i].effects;
}

static void shell_actions(struct facts *f, struct shell_analysis *analysis)
{
    struct shell_actions *all = &analysis->actions;

    f->actions.room = all->count + 1; /* one more for an opaque action */
    f->actions.items = arena_room(f->arena, f->actions.room, sizeof(*f->actions.items));
    for (size_t i = 0; i < all->count; i++) {
        struct shell_action *from = &all->items[i];
        struct action *a = &f->actions.items[i];
        *a = (struct action){.subject = f->shared, .at = from->at, .len = from->len};
        find_places(f, &from->directory, a);
        a->subject.shell = true;
        a->subject.understood = analysis->understood;
        a->subject.whole = all->count == 1;
        shell_action(f, from, a);
        f->actions.count++;
    }
    relate_actions(f, all);
}

/* A command that could not be taken apart is one opaque action: deny and ask rules still match its
 * text. */
RARE static void opaque_action(struct facts *f, struct str command)
{
    struct action a = {.subject = f->shared, .len = command.len, .cwd = f->call->cwd};

    a.subject.shell = true;
    LIST_PUSH(f->arena, &a.subject.forms_deny, command);
    a.subject.understood = false;
    LIST_PUSH(f->arena, &f->actions, a);
}

static void shell_call(struct facts *f)
{
    struct str command = f->shared.first;
    struct shell_analysis *analysis = ARENA_NEW(f->arena, struct shell_analysis);
    struct shell_context context = {.cwd = call_directory(f->arena, f->call, f->home),
                                    .home = f->home,
                                    .programs = f->book->programs};

    if (!f->shared.has_first) {
        f->malformed = STR("shell call without a command");
        return;
    }
    shell_analyse(f->arena, command, &context, analysis);
    if (analysis->understood && str_is(f->call->row->name, "PowerShell") &&
        !shell_is_powershell_too(command)) {
        analysis->understood = false;
        analysis->why = STR("PowerShell may read this differently");
    }
    f->shell = analysis;
    f->understood = analysis->understood;
    f->splits = analysis->splits;
    f->lasting = analysis->lasting;
    f->stays = analysis->stays;
    f->enters = analysis->enters;
    f->why = analysis->why;
    f->why_at = analysis->why_at;
    shell_actions(f, analysis);
    for (size_t i = 0; i < analysis->findings.count; i++) {
        const struct shell_finding *from = &analysis->findings.items[i];
        LIST_PUSH(f->arena, &f->findings,
                  (struct finding){from->name, from->what, from->at, from->len});
    }
    /* A command without any action (a comment, ":") still needs one thing to judge. */
    if (f->actions.count == 0 || !analysis->understood)
        opaque_action(f, command);
    if (f->actions.count == 1 && analysis->understood)
        f->actions.items[0].subject.whole = true;
}

struct facts *actions_of_text(const struct facts *f, struct str text, struct str cwd)
{
    struct facts *inner = ARENA_NEW(f->arena, struct facts);
    struct call *call = ARENA_NEW(f->arena, struct call);

    *call = *f->call;
    call->cwd = cwd.len ? cwd : call->cwd;
    *inner = *f;
    inner->call = call;
    inner->env.cwd = call->cwd;
    inner->actions = (struct actions){0};
    inner->findings = (struct findings){0};
    inner->builds = (struct session_programs){0};
    inner->checkouts = (struct strs){0};
    inner->effects = 0;
    inner->cache = ARENA_NEW(f->arena, struct decision_cache);
    inner->shared.first = text;
    inner->shared.has_first = true;
    shell_call(inner);
    return inner;
}

void actions_find(struct facts *f)
{
    const struct member *second = call_contradiction(f->arena, f->call);

    f->understood = true;
    tool_share(f);
    if (second)
        f->malformed = str_format(f->arena, "the input field \"%.*s\" contradicts another one",
                                  STR_ARG(second->key));
    if (f->call->kind == TOOL_SHELL) {
        shell_call(f);
    } else {
        tool_action(f);
        staged_find(f);
    }
    /* The client will do something with it that its words do not show. */
    if (f->call->doubt.len && f->understood) {
        f->understood = false;
        f->why = f->call->doubt;
    }
}
