#include "lib/engine.h"

#include <errno.h>
#include <unistd.h>

#include "base/json.h"
#include "base/path.h"
#include "base/utf8.h"
#include "lib/world.h"
#include "warder_admin.h"

#define OPTIONS_MEMORY_MAX ((size_t)64 * 1024 * 1024)

_Static_assert((int)WARDER_EUSAGE == (int)STATUS_USAGE && (int)WARDER_ENOMEM == (int)STATUS_NOMEM &&
                   (int)WARDER_EUNSAFE == (int)STATUS_UNSAFE && (int)WARDER_EIO == (int)STATUS_IO &&
                   (int)WARDER_ELIMIT == (int)STATUS_LIMIT && (int)WARDER_ESYNTAX == (int)STATUS_SYNTAX,
               "the public statuses are the inner ones");
_Static_assert((int)WARDER_ALLOW == (int)BEHAVIOR_ALLOW && (int)WARDER_ASK == (int)BEHAVIOR_ASK &&
                   (int)WARDER_DENY == (int)BEHAVIOR_DENY,
               "the public behaviours are the inner ones");

warder_status give_error(warder_error *out, const struct error *in)
{
    if (out) {
        out->status = (warder_status)in->status;
        out->line = in->line;
        out->column = in->column;
        snprintf(out->message, sizeof(out->message), "%s", in->message);
    }
    return (warder_status)in->status;
}

warder_status give_no_memory(warder_error *out)
{
    struct error err;

    fail(&err, STATUS_NOMEM, "out of memory");
    return give_error(out, &err);
}

/* ---- opening ---- */

struct opening {
    warder_engine *engine;
    const warder_options *options;
    struct error *err;
    enum status status;
};

static struct str keep(warder_engine *e, const char *s)
{
    return s ? str_copy(&e->arena, str_from(s)) : (struct str){0};
}

static enum status keep_directory(warder_engine *e, const char *name, const char *given, struct str otherwise,
                                  struct str *out, struct error *err)
{
    struct str path = given ? str_from(given) : otherwise;

    if (!path_absolute(&e->arena, e->cwd, e->home, path, out))
        return fail(err, STATUS_USAGE, "%s must be an absolute path", name);
    return STATUS_OK;
}

/* The process's own directory may be gone, or lie below one that it may not read: it is looked at only if it counts. */
static bool needs_here(const char *cwd)
{
    return !cwd || (cwd[0] != '/' && cwd[0] != '~');
}

static enum status keep_here(warder_engine *e, struct error *err)
{
    char here[WORLD_PATH_MAX];

    if (!getcwd(here, sizeof(here)))
        return fail(err, STATUS_IO, "cannot tell the current directory: %s", strerror(errno));
    e->cwd = str_copy(&e->arena, str_from(here));
    return STATUS_OK;
}

static enum status keep_places(warder_engine *e, const warder_options *o, struct error *err)
{
    const char *home = o->home ? o->home : getenv("HOME");
    enum status status;

    if (!home || home[0] != '/')
        return fail(err, STATUS_USAGE, "the home directory is not known: set HOME, or name it");
    e->home = path_clean(&e->arena, str_from(home));
    if (needs_here(o->cwd) && (status = keep_here(e, err)) != STATUS_OK)
        return status;
    if ((status = keep_directory(e, "the cwd", o->cwd, e->cwd, &e->cwd, err)) != STATUS_OK)
        return status;
    return keep_directory(e, "the project", o->project, e->cwd, &e->project, err);
}

static enum status keep_mode(warder_engine *e, const warder_options *o, struct error *err)
{
    enum mode mode;

    if (!o->mode)
        return STATUS_OK;
    if (!mode_parse(str_from(o->mode), &mode) || mode == MODE_BUBBLE)
        return fail(err, STATUS_USAGE, "there is no mode \"%s\"", o->mode);
    e->mode = str_from(mode_name(mode));
    e->bypass_flag = mode == MODE_BYPASS;
    return STATUS_OK;
}

static enum status keep_profile(warder_engine *e, const warder_options *o, struct error *err)
{
    e->profile_given = o->profile != NULL;
    e->profile = profile_find(str_from(o->profile ? o->profile : "warder"));
    if (!e->profile)
        return fail(err, STATUS_USAGE, "there is no profile \"%s\"", o->profile);
    return STATUS_OK;
}

/* The environment counts only for the person's own home; a home that was named brings its own places. */
static struct str place(warder_engine *e, const warder_options *o, const char *variable, const char *below_home)
{
    const char *set = o->home ? NULL : getenv(variable);

    return set && set[0] == '/' ? keep(e, set) : path_join(&e->arena, e->home, str_from(below_home));
}

static void keep_request(warder_engine *e, const warder_options *o)
{
    struct policy_request *r = &e->request;
    struct str state = place(e, o, "XDG_STATE_HOME", ".local/state");

    r->home = e->home;
    r->config_home = place(e, o, "XDG_CONFIG_HOME", ".config");
    r->state_dir = path_join(&e->arena, state, STR("warder"));
    r->settings_override = keep(e, getenv("CHIMERA_MINK_SETTINGS_PATH"));
    r->config_override = keep(e, getenv("WARDER_CONFIG"));
    for (size_t i = 0; i < o->policy_count; i++)
        LIST_PUSH(&e->arena, &r->files, keep(e, o->policies[i]));
    for (size_t i = 0; i < o->rule_count; i++)
        LIST_PUSH(&e->arena, &r->cli,
                  (struct cli_rule){(enum behavior)o->rules[i].behavior, keep(e, o->rules[i].text)});
}

static void fit_request(warder_engine *e)
{
    e->request.dialect = e->profile->dialect;
    e->request.order = e->profile->order;
    e->request.shipped = e->profile->shipped;
    e->request.caliban_paths = e->profile->caliban_paths;
}

static void open_engine(void *arg)
{
    struct opening *o = arg;
    warder_engine *e = o->engine;

    if ((o->status = keep_places(e, o->options, o->err)) != STATUS_OK ||
        (o->status = keep_mode(e, o->options, o->err)) != STATUS_OK ||
        (o->status = keep_profile(e, o->options, o->err)) != STATUS_OK)
        return;
    e->plan_file = keep(e, o->options->plan_file);
    if (e->plan_file.len && !path_absolute(&e->arena, e->cwd, e->home, e->plan_file, &e->plan_file)) {
        o->status = fail(o->err, STATUS_USAGE, "the plan file's place is not known");
        return;
    }
    e->headless = o->options->headless != 0;
    e->auto_allow = o->options->auto_allow != 0;
    keep_request(e, o->options);
}

/* The first policy is read at once, so that errors in rules given by hand show before the first call. A profile that
 * user or managed policy chose means reading again, in its dialect. */
static enum status open_policy(warder_engine *e, struct error *err)
{
    struct policy *policy;

    fit_request(e);
    if (engine_policy(e, e->project, &policy, err) != WARDER_OK)
        return err->status;
    if (e->profile_given || policy->book.profile.len == 0)
        return STATUS_OK;
    const struct profile *chosen = profile_find(policy->book.profile);
    if (!chosen)
        return fail(err, STATUS_USAGE, "there is no profile \"%.100s\", which the policy chose",
                    policy->book.profile.s);
    if (chosen == e->profile)
        return STATUS_OK;
    e->profile = chosen;
    policy_free(e->policies[0]);
    free(e->projects[0]);
    e->count = 0;
    fit_request(e);
    return engine_policy(e, e->project, &policy, err) == WARDER_OK ? STATUS_OK : err->status;
}

warder_status warder_engine_new(const warder_options *options, warder_engine **out, warder_error *err)
{
    warder_options given = WARDER_OPTIONS_INIT;
    struct error inner = {0};
    warder_engine *e = calloc(1, sizeof(*e));
    struct opening o = {.engine = e, .options = &given, .err = &inner};

    *out = NULL;
    if (!e)
        return give_no_memory(err);
    if (options)
        memcpy(&given, options, options->struct_size < sizeof(given) ? options->struct_size : sizeof(given));
    arena_init(&e->arena, OPTIONS_MEMORY_MAX);
    if (!arena_try(&e->arena, open_engine, &o))
        o.status = fail(&inner, STATUS_NOMEM, "out of memory");
    if (o.status == STATUS_OK)
        o.status = open_policy(e, &inner);
    if (o.status != STATUS_OK) {
        warder_engine_free(e);
        return give_error(err, &inner);
    }
    *out = e;
    return WARDER_OK;
}

void warder_engine_free(warder_engine *e)
{
    if (!e)
        return;
    for (size_t i = 0; i < e->count; i++) {
        policy_free(e->policies[i]);
        free(e->projects[i]);
    }
    free(e->policies);
    free(e->projects);
    arena_release(&e->arena);
    free(e);
}

static bool make_room(warder_engine *e)
{
    size_t room = e->room ? e->room * 2 : 4;

    if (e->count < e->room)
        return true;
    struct policy **policies = realloc(e->policies, room * sizeof(*policies));
    if (!policies)
        return false;
    e->policies = policies;
    char **projects = realloc(e->projects, room * sizeof(*projects));
    if (!projects)
        return false;
    e->projects = projects;
    e->room = room;
    return true;
}

warder_status engine_policy(warder_engine *e, struct str project, struct policy **out, struct error *err)
{
    for (size_t i = 0; i < e->count; i++)
        if (str_is(project, e->projects[i])) {
            *out = e->policies[i];
            return WARDER_OK;
        }
    if (e->count >= ENGINE_PROJECTS_MAX)
        return (warder_status)fail(err, STATUS_LIMIT, "more than %d projects in one run", ENGINE_PROJECTS_MAX);
    char *name = strndup(project.s, project.len);
    if (!name || !make_room(e)) {
        free(name);
        return (warder_status)fail(err, STATUS_NOMEM, "out of memory");
    }
    struct policy_request request = e->request;
    request.project = (struct str){name, project.len};
    enum status status = policy_open(&request, out, err);
    if (status != STATUS_OK) {
        free(name);
        return (warder_status)status;
    }
    e->policies[e->count] = *out;
    e->projects[e->count++] = name;
    return WARDER_OK;
}

/* ---- deciding ---- */

/* What one question brings. */
struct question {
    warder_engine *engine;
    warder_decision *decision;
    const char *tool;
    struct str text;
    enum { ASKED_BY_JSON, ASKED_BY_INPUT, ASKED_BY_ARGUMENT } how;
    struct error *err;
    enum status status;
};

static enum status read_question(struct question *q)
{
    struct arena *a = &q->decision->arena;
    const warder_engine *e = q->engine;
    const struct call_defaults defaults = {e->cwd, e->home, e->project, e->mode, e->plan_file};
    struct value *v = ARENA_NEW(a, struct value);
    struct str tool = str_from(q->tool);
    enum status status;

    if (q->how == ASKED_BY_ARGUMENT)
        return call_make(a, tool, q->text, &defaults, &q->decision->call, q->err);
    if ((status = json_read(a, q->text, NULL, v, q->err)) != STATUS_OK)
        return status;
    if (q->how == ASKED_BY_INPUT)
        return call_from_input(a, tool, v, &defaults, &q->decision->call, q->err);
    return call_read(a, v, &defaults, &q->decision->call, q->err);
}

static void refuse(struct question *q)
{
    struct str why = str_format(&q->decision->arena, "%s", q->err->message);

    if (q->err->line)
        why = str_format(&q->decision->arena, "%u:%u: %s", q->err->line, q->err->column, q->err->message);
    decide_malformed(&q->decision->arena, why, &q->decision->verdict);
}

static void answer(void *arg)
{
    struct question *q = arg;
    warder_engine *e = q->engine;
    struct policy *policy;

    q->status = read_question(q);
    if (q->status == STATUS_USAGE)
        return; /* the caller's mistake, not the agent's */
    if (q->status != STATUS_OK || engine_policy(e, q->decision->call.project, &policy, q->err) != WARDER_OK) {
        refuse(q);
        q->status = STATUS_OK;
        return;
    }
    const struct decide_options o = {
        .profile = e->profile,
        .book = &policy->book,
        .world = &real_world,
        .home = e->home,
        .bypass_flag = e->bypass_flag,
        .headless = e->headless,
        .auto_allow = e->auto_allow,
    };
    decide(&q->decision->arena, &o, &q->decision->call, &q->decision->verdict);
}

static warder_status ask_engine(struct question *q, warder_decision **out, warder_error *err)
{
    struct error inner = {0};

    *out = NULL;
    q->decision = calloc(1, sizeof(*q->decision));
    if (!q->decision)
        return give_no_memory(err);
    q->decision->engine = q->engine;
    q->err = &inner;
    arena_init(&q->decision->arena, DECISION_MEMORY_MAX);
    if (!arena_try(&q->decision->arena, answer, q))
        q->status = fail(&inner, STATUS_NOMEM, "too large to be judged");
    if (q->status != STATUS_OK) {
        warder_decision_free(q->decision);
        return give_error(err, &inner);
    }
    *out = q->decision;
    return WARDER_OK;
}

warder_status warder_check_json(warder_engine *engine, const char *json, size_t len, warder_decision **out,
                                warder_error *err)
{
    struct question q = {.engine = engine, .text = {json, len}, .how = ASKED_BY_JSON};

    return ask_engine(&q, out, err);
}

warder_status warder_check_input(warder_engine *engine, const char *tool, const char *input, size_t len,
                                 warder_decision **out, warder_error *err)
{
    struct question q = {.engine = engine, .tool = tool, .text = {input, len}, .how = ASKED_BY_INPUT};

    return ask_engine(&q, out, err);
}

warder_status engine_ask(warder_engine *e, const char *tool, struct str argument, warder_decision **out,
                         warder_error *err)
{
    struct question q = {.engine = e, .tool = tool, .text = argument, .how = ASKED_BY_ARGUMENT};

    return ask_engine(&q, out, err);
}

warder_status warder_check_argument(warder_engine *engine, const char *tool, const char *argument,
                                    warder_decision **out, warder_error *err)
{
    return engine_ask(engine, tool, str_from(argument), out, err);
}

void warder_decision_free(warder_decision *decision)
{
    if (!decision)
        return;
    arena_release(&decision->arena);
    free(decision);
}

void decision_overflow(warder_decision *decision)
{
    const struct str why = STR("too large to be shown");

    decision->verdict = (struct verdict){.behavior = BEHAVIOR_DENY, .layer = "limit", .reason = why, .message = why};
    decision->json = decision->explain_json = (struct str){0}; /* what was written before may say allow */
    decision->explain_text[0] = decision->explain_text[1] = (struct str){0};
}

/* ---- accessors ---- */

warder_behavior warder_decision_behavior(const warder_decision *decision)
{
    return decision ? (warder_behavior)decision->verdict.behavior : WARDER_DENY;
}

const char *warder_decision_layer(const warder_decision *decision)
{
    return decision->verdict.layer ? decision->verdict.layer : "";
}

const char *warder_decision_rule(const warder_decision *decision)
{
    return decision->verdict.rule ? decision->verdict.rule->text.s : NULL;
}

const char *warder_decision_reason(const warder_decision *decision)
{
    return decision->verdict.reason.len ? decision->verdict.reason.s : "";
}

const char *warder_decision_message(const warder_decision *decision)
{
    return decision->verdict.message.len ? decision->verdict.message.s : "";
}

int warder_decision_interrupt(const warder_decision *decision)
{
    return decision->verdict.interrupt;
}

size_t warder_decision_suggestion_count(const warder_decision *decision)
{
    return decision->verdict.suggestions.count;
}

const char *warder_decision_suggestion(const warder_decision *decision, size_t i)
{
    return i < decision->verdict.suggestions.count ? decision->verdict.suggestions.items[i].s : NULL;
}

const char *warder_behavior_name(warder_behavior behavior)
{
    return behavior_name((enum behavior)behavior);
}

const char *warder_version(void)
{
    return WARDER_VERSION;
}
