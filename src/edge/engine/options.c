/* options.c - what the embedder asked for, checked and copied. */
#include "engine/options.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "client/client.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "machine/guard.h"
#include "machine/shelf.h"
#include "policy/stored.h"

#define OPTIONS_MEMORY_MAX ((size_t)64 * 1024 * 1024)
#define OPTIONS_LIST_MAX   ((size_t)1 << 20) /* more is a count that went wrong: -1, rubbish */

struct options_copy {
    warder_engine *engine;
    const warder_options *options;
    struct error *err;
    enum status status;
};

static struct str keep(warder_engine *e, const char *s)
{
    return s ? str_copy(&e->arena, str_from(s)) : (struct str){0};
}

static enum status keep_directory(warder_engine *e, const char *name, const char *given,
                                  struct str otherwise, struct str *out, struct error *err)
{
    struct str path = given ? str_from(given) : otherwise;

    if (!path_absolute(&e->arena, e->cwd, e->home, path, out))
        return fail(err, STATUS_USAGE, "%s must be an absolute path", name);
    return STATUS_OK;
}

/* The process's own directory may have been removed, or be unreadable: it is asked for only where
 * it counts. */
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

bool engine_knows(enum policy_name kind, struct nearest *near)
{
    size_t count;
    const struct profile *rows = profile_rows(&count);

    switch (kind) {
    case NAME_PROFILE:
        for (size_t i = 0; i < count; i++)
            nearest_try(near, str_from(rows[i].name));
        return profile_find(near->typed) != NULL;
    case NAME_CLIENT:
        for (const struct client *c = clients; c->name; c++)
            nearest_try(near, str_from(c->name));
        return client_find(near->typed) != NULL;
    }
    return true;
}

static enum status refuse_mode(const char *name, struct error *err)
{
    struct nearest near = nearest_to(str_from(name));

    mode_nearest(&near);
    return fail(err, STATUS_USAGE, "unknown mode \"%.80s\"" NEAREST_FORMAT, name,
                NEAREST_ARG(near));
}

static enum status keep_mode(warder_engine *e, const warder_options *o, struct error *err)
{
    enum mode mode;

    if (!o->mode)
        return STATUS_OK;
    if (!mode_parse(str_from(o->mode), &mode) || mode == MODE_BUBBLE)
        return refuse_mode(o->mode, err);
    e->mode = str_from(mode_name(mode));
    e->bypass_flag = mode == MODE_BYPASS;
    return STATUS_OK;
}

static enum status keep_tier(warder_engine *e, const warder_options *o, struct error *err)
{
    e->tier_given = o->tier != NULL;
    if (o->tier && !cell_tier_parse(str_from(o->tier), &e->tier))
        return fail(err, STATUS_USAGE, "unknown tier \"%.60s\"", o->tier);
    return STATUS_OK;
}

static enum status keep_profile(warder_engine *e, const warder_options *o, struct error *err)
{
    struct nearest near = nearest_to(str_from(o->profile ? o->profile : "warder"));

    e->profile_given = o->profile != NULL;
    e->profile = profile_find(near.typed);
    if (!e->profile && !engine_knows(NAME_PROFILE, &near))
        return fail(err, STATUS_USAGE, "unknown profile \"%.100s\"" NEAREST_FORMAT, o->profile,
                    NEAREST_ARG(near));
    return STATUS_OK;
}

/* The environment counts only for the person's own home; a home that was named has its own places.
 */
static struct str place(struct arena *a, const warder_options *o, struct str home,
                        const char *variable, const char *below_home)
{
    const char *set = o->home ? NULL : getenv(variable);

    return set && set[0] == '/' ? str_copy(a, str_from(set))
                                : path_join(a, home, str_from(below_home));
}

static struct str state_directory(struct arena *a, const warder_options *o, struct str home)
{
    return path_join(a, place(a, o, home, "XDG_STATE_HOME", ".local/state"), STR("warder"));
}

struct str options_state_dir(struct arena *a, const warder_options *o)
{
    struct str home = str_from(o->home ? o->home : getenv("HOME"));

    return home.len && home.s[0] == '/' ? state_directory(a, o, path_clean(a, home))
                                        : (struct str){0};
}

static void keep_request(warder_engine *e, const warder_options *o)
{
    struct policy_request *r = &e->request;

    r->home = e->home;
    r->config_home = place(&e->arena, o, e->home, "XDG_CONFIG_HOME", ".config");
    r->state_dir = state_directory(&e->arena, o, e->home);
    r->settings_override = keep(e, getenv("CHIMERA_MINK_SETTINGS_PATH"));
    r->config_override = keep(e, getenv("WARDER_CONFIG"));
    r->profile = keep(e, o->profile);
    r->named = o->policies || o->texts; /* also if they are empty: a list of none is a choice */
    for (size_t i = 0; i < o->policy_count; i++)
        LIST_PUSH(&e->arena, &r->files, keep(e, o->policies[i]));
    for (size_t i = 0; i < o->rule_count; i++)
        LIST_PUSH(
            &e->arena, &r->cli,
            (struct cli_rule){(enum behavior)o->rules[i].behavior, keep(e, o->rules[i].text)});
}

/* The rules of the service are beside the record. A caller that names its policy files gets no
 * others, except for the service itself. */
static void keep_rules_file(warder_engine *e, struct str data)
{
    if (e->serves || !e->request.named)
        e->request.rules_file = path_join(&e->arena, data, STR(STORED_NAME));
}

static enum status keep_texts(warder_engine *e, const warder_options *o, struct error *err)
{
    for (size_t i = 0; i < o->text_count; i++) {
        const warder_text *given = &o->texts[i];
        struct policy_text t = {.name = keep(e, given->name ? given->name : "policy")};
        if (given->format && !format_parse(str_from(given->format), &t.format))
            return fail(err, STATUS_USAGE, "unknown format \"%.100s\"", given->format);
        t.text = str_copy(&e->arena, (struct str){given->text, given->len});
        LIST_PUSH(&e->arena, &e->request.texts, t);
    }
    return STATUS_OK;
}

static enum status keep_sessions(warder_engine *e, const warder_options *o, struct error *err)
{
    if (!o->sessions_in_memory)
        return STATUS_OK;
    e->request.shelf = e->sessions = shelf_new();
    return e->sessions ? STATUS_OK : fail(err, STATUS_NOMEM, "out of memory");
}

static enum status keep_record(warder_engine *e, const warder_options *o, struct error *err)
{
    const struct journal_options options = {
        .sync = o->sync ? JOURNAL_ALWAYS : JOURNAL_CRASH,
        .retention_days = o->retention_days,
    };
    struct str data = e->request.state_dir;

    if (!o->record && (o->data || o->retention_days))
        return fail(err, STATUS_USAGE, "%s, but nothing is recorded",
                    o->data ? "a data directory" : "a number of days to keep records");
    if (o->data && !path_absolute(&e->arena, e->cwd, e->home, str_from(o->data), &data))
        return fail(err, STATUS_USAGE, "the data directory's place is not known");
    if (!str_eq(data, e->request.state_dir))
        e->request.guarded = data;
    keep_rules_file(e, data);
    if (!o->record)
        return STATUS_OK;
    return recorder_new(data, &options, &e->recorder, err);
}

bool options_by_hand(const warder_options *o)
{
    return o->policies || o->texts || o->rule_count || o->mode || o->profile || o->auto_allow;
}

void options_service_dirs(struct arena *a, const warder_options *o, struct str cwd,
                          struct str out[SERVICE_DIRS])
{
    const char *runtime = o->home ? NULL : getenv("XDG_RUNTIME_DIR");
    struct str home = str_from(o->home ? o->home : getenv("HOME"));

    if (home.len == 0 || home.s[0] != '/')
        return;
    home = path_clean(a, home);
    if (o->data) {
        (void)path_absolute(a, cwd, home, str_from(o->data), &out[0]);
        return;
    }
    if (runtime && runtime[0] == '/')
        out[0] = path_join(a, str_from(runtime), STR("warder"));
    out[1] = state_directory(a, o, home);
}

static bool behavior_is_known(warder_behavior b)
{
    return b == WARDER_ALLOW || b == WARDER_ASK || b == WARDER_DENY;
}

static enum status check_list(const char *name, const void *list, size_t count, struct error *err)
{
    if (count && !list)
        return fail(err, STATUS_USAGE, "there are no %s, but a count of them", name);
    if (count > OPTIONS_LIST_MAX)
        return fail(err, STATUS_USAGE, "more than %zu %s", OPTIONS_LIST_MAX, name);
    return STATUS_OK;
}

static enum status check_lists(const warder_options *o, struct error *err)
{
    enum status status;

    if ((status = check_list("policies", o->policies, o->policy_count, err)) != STATUS_OK ||
        (status = check_list("rules", o->rules, o->rule_count, err)) != STATUS_OK ||
        (status = check_list("texts", o->texts, o->text_count, err)) != STATUS_OK)
        return status;
    for (size_t i = 0; i < o->policy_count; i++)
        if (!o->policies[i])
            return fail(err, STATUS_USAGE, "the name of a policy file is missing");
    for (size_t i = 0; i < o->rule_count; i++)
        if (!o->rules[i].text || !behavior_is_known(o->rules[i].behavior))
            return fail(err, STATUS_USAGE, "a rule has no text, or no such behavior");
    for (size_t i = 0; i < o->text_count; i++)
        if (!o->texts[i].text && o->texts[i].len)
            return fail(err, STATUS_USAGE, "a policy text is missing, but has a length");
    return STATUS_OK;
}

static void keep_all(void *arg)
{
    struct options_copy *o = arg;
    warder_engine *e = o->engine;

    if ((o->status = check_lists(o->options, o->err)) != STATUS_OK ||
        (o->status = keep_places(e, o->options, o->err)) != STATUS_OK ||
        (o->status = keep_mode(e, o->options, o->err)) != STATUS_OK ||
        (o->status = keep_tier(e, o->options, o->err)) != STATUS_OK ||
        (o->status = keep_profile(e, o->options, o->err)) != STATUS_OK)
        return;
    e->session = keep(e, o->options->session);
    e->client = keep(e, o->options->client);
    e->plan_file = keep(e, o->options->plan_file);
    if (e->plan_file.len &&
        !path_absolute(&e->arena, e->cwd, e->home, e->plan_file, &e->plan_file)) {
        o->status = fail(o->err, STATUS_USAGE, "the plan file's place is not known");
        return;
    }
    e->headless = o->options->headless != 0;
    e->auto_allow = o->options->auto_allow != 0;
    e->pausable = o->options->pausable && !e->serves;
    e->contains = o->options->contain && !e->serves;
    e->saves = o->options->save && !e->serves;
    e->unguarded = o->options->no_fault_guard || !guard_install();
    keep_request(e, o->options);
    e->by_hand = options_by_hand(o->options);
    if (o->options->record)
        options_service_dirs(&e->arena, o->options, e->cwd, e->service_dirs);
    if ((o->status = keep_sessions(e, o->options, o->err)) == STATUS_OK &&
        (o->status = keep_texts(e, o->options, o->err)) == STATUS_OK)
        o->status = keep_record(e, o->options, o->err);
    engine_find_own(e);
}

enum status engine_keep_options(warder_engine *e, const warder_options *options, struct error *err)
{
    warder_options given = {0};
    struct options_copy o = {.engine = e, .options = &given, .err = err};

    if (options && !copy_versioned(&given, sizeof(given), options, options->struct_size))
        return fail(err, STATUS_USAGE,
                    "the options' struct_size is not set, or they have members that this version "
                    "does not know");
    arena_init(&e->arena, OPTIONS_MEMORY_MAX);
    return arena_try(&e->arena, keep_all, &o) ? o.status : fail(err, STATUS_NOMEM, "out of memory");
}
