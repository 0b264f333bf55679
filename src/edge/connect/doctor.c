/* doctor.c - is each agent on this machine registered, does its registration hold, and does it
 * really block?
 *
 * Looking and running come first, into plain structs; what a person reads is made of them
 * afterwards. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/race.h"
#include "base/list.h"
#include "connect/place.h"
#include "engine/report.h"
#include "machine/clock.h"
#include "machine/process.h"
#include "policy/managed.h"

#define DOCTOR_MEMORY_MAX ((size_t)64 * 1024 * 1024)
#define PATIENTS_MAX      32

/* Must be stopped by every profile. Nobody runs it: only the hook gets to see it. */
#define BAD_CANARY  "rm -rf /"
#define GOOD_CANARY "echo warder-canary"

struct look {
    struct place place;
    struct error error;
    bool found;
    struct registered said;
    bool
        ours_to_change; /* we could write the file: so could what the agent's allowed actions run */
};

struct canary {
    bool fired;
    enum behavior bad, good;
    struct str said; /* what the hook complained of */
};

struct patient {
    const struct client *client;
    char seen[2 * PATH_MAX]; /* the program or directory that it was found by; "": it is not here */
    struct look looks[SCOPE_COUNT];
    const struct look *used; /* the strongest registration; NULL: none */
    struct canary canary;
    struct strs problems, remarks;
};

struct visit {
    struct arena arena;
    const warder_installation *where;
    struct patient patients[PATIENTS_MAX];
    size_t count;
    bool changeable; /* some registration, the program or the policy could be written by us */
};

/* ---- is it here ---- */

static bool find_in_path(const char *program, char *out, size_t room)
{
    struct str rest = str_from(getenv("PATH")), directory;

    while (rest.len) {
        if (!str_cut(rest, ':', &directory, &rest))
            rest = (struct str){0};
        snprintf(out, room, "%.*s/%s", STR_ARG(directory), program);
        if (directory.len && access(out, X_OK) == 0)
            return true;
    }
    out[0] = '\0';
    return false;
}

/* By its program, or by the directory of its settings. */
static void find_agent(struct patient *p)
{
    const struct place *user = &p->looks[SCOPE_USER].place;
    struct stat st;
    char *slash;

    if (find_in_path(user->registrar.row->program, p->seen, sizeof(p->seen)))
        return;
    snprintf(p->seen, sizeof(p->seen), "%s", user->path);
    /* The first directory below the home: ~/.cursor of ~/.cursor/hooks.json */
    const char *file = user->registrar.row->files[SCOPE_USER];
    size_t tail = strlen(strchr(file, '/'));
    slash = p->seen + (strlen(p->seen) > tail ? strlen(p->seen) - tail : 0);
    if (str_starts(str_from(file), STR(".config/")) || str_starts(str_from(file), STR(".codeium/")))
        slash = strchr(slash + 1, '/');
    if (slash)
        *slash = '\0';
    if (stat(p->seen, &st) != 0)
        p->seen[0] = '\0';
}

/* ---- is it registered ---- */

static bool could_write(const char *path)
{
    char directory[2 * PATH_MAX];
    char *slash;

    snprintf(directory, sizeof(directory), "%s", path);
    slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    return access(path, W_OK) == 0 || access(directory, W_OK) == 0;
}

static void look_at_file(struct visit *v, const struct client *client, enum scope scope,
                         struct look *out)
{
    if (place_find(client, scope, v->where, &out->place, &out->error) == STATUS_OK)
        (void)place_look(&v->arena, &out->place, &out->found, &out->said, &out->error);
    out->ours_to_change = could_write(out->place.path);
}

/* Only managed settings cannot be switched off; settings of the project alone protect nothing. */
static const struct look *strongest(const struct patient *p)
{
    static const enum scope order[] = {SCOPE_MANAGED, SCOPE_USER, SCOPE_PROJECT};

    for (size_t i = 0; i < COUNT(order); i++)
        if (p->looks[order[i]].said.events)
            return &p->looks[order[i]];
    return NULL;
}

/* ---- does it block ---- */

struct canary_text {
    struct visit *visit;
    const struct patient *patient;
    struct str bad, good, command;
    struct str out, err;
    int code;
    enum behavior outcome;
};

static void make_canaries(void *arg)
{
    struct canary_text *t = arg;
    struct arena *a = &t->visit->arena;
    const struct look *used = t->patient->used;
    const struct registration *row = used->place.registrar.row;
    struct str here = str_from(used->place.project);

    t->bad = register_canary(a, row, STR(BAD_CANARY), here);
    t->good = register_canary(a, row, STR(GOOD_CANARY), here);
    t->command =
        row->executable ? str_format(a, "'%s'", used->place.path) : str_copy(a, used->said.command);
}

static void read_outcome(void *arg)
{
    struct canary_text *t = arg;

    t->outcome = client_outcome(&t->visit->arena, t->out, t->err, t->code);
    t->err = str_copy(&t->visit->arena, str_trim(t->err));
}

static void wait_for(struct process *p)
{
    struct pollfd fds[PROCESS_DESCRIPTORS];
    int64_t wake = p->deadline;

    for (;;) {
        size_t count = process_wait(p, fds, PROCESS_DESCRIPTORS, &wake);
        int64_t left = wake - clock_ms();
        (void)poll(fds, (nfds_t)count, left < 0 ? 0 : left > 1000 ? 1000 : (int)left);
        if (process_turn(p, clock_ms()))
            return;
    }
}

/* As the client would: through the shell, with its event on standard input. False: no memory. */
static bool fire(struct canary_text *t, struct str event)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *command = strndup(t->command.s, t->command.len);
    char *argv[] = {shell, option, command, NULL};
    const struct process_plan plan = {argv, environ, t->patient->used->place.project, event,
                                      clock_ms() + (int64_t)REGISTER_TIMEOUT * 1000};
    struct process p = {0};
    struct error err = {0};
    bool done;

    t->code = -1;
    if (command && process_start(&p, &plan, &err) == STATUS_OK)
        wait_for(&p);
    if (p.end == PROCESS_EXITED)
        t->code = p.code;
    t->out = (struct str){p.out.text, p.out.len};
    t->err = p.err.len ? (struct str){p.err.text, p.err.len} : str_from(err.message);
    done = command && arena_try(&t->visit->arena, read_outcome, t);
    t->out = (struct str){0}; /* what it said ends here, but for the copy */
    if (!done)
        t->err = (struct str){0};
    process_release(&p, clock_ms());
    free(command);
    return done;
}

static bool try_canaries(struct visit *v, struct patient *p)
{
    struct canary_text t = {.visit = v, .patient = p};

    if (!p->used || p->used->said.command.len == 0)
        return true;
    if (!arena_try(&v->arena, make_canaries, &t) || !fire(&t, t.bad))
        return false;
    p->canary.fired = true;
    p->canary.bad = t.outcome;
    p->canary.said = t.err;
    if (!fire(&t, t.good))
        return false;
    p->canary.good = t.outcome;
    if (t.outcome != BEHAVIOR_ALLOW)
        p->canary.said = t.err;
    return true;
}

/* ---- what is wrong ---- */

struct client_check {
    struct visit *visit;
    struct patient *patient;
};

#define PROBLEM(p, ...) LIST_PUSH(a, &(p)->problems, str_format(a, __VA_ARGS__))
#define REMARK(p, ...)  LIST_PUSH(a, &(p)->remarks, str_format(a, __VA_ARGS__))

static void judge_file(struct arena *a, struct patient *p, const struct look *l)
{
    const struct registration *row = l->place.registrar.row;
    const char *path = l->place.path;

    if (l->error.message[0]) {
        PROBLEM(p, "%s: %s", path, l->error.message);
        return;
    }
    if (l->said.hooks_off)
        PROBLEM(p, "%s switches all hooks off (disableAllHooks)", path);
    if (l->said.local_off)
        PROBLEM(p, "settings.local.json beside %s switches all hooks off (disableAllHooks)", path);
    if (l->said.odd_env.len)
        PROBLEM(p, "%s sets %.*s, which changes how the hook is run", path,
                STR_ARG(l->said.odd_env));
    if (l->said.events == 0)
        return;
    if (l->said.events < l->said.wanted)
        PROBLEM(p, "%s names Warder for %zu of %zu events: run `warder install %s` again", path,
                l->said.events, l->said.wanted, p->client->name);
    if (l->said.odd.len)
        PROBLEM(p,
                "%s: our entry has %.*s, which is not what was registered: run `warder install %s` "
                "again",
                path, STR_ARG(l->said.odd), p->client->name);
    if (l->said.narrow)
        PROBLEM(p, "%s: a matcher leaves tools out; Warder is not asked about them", path);
    if (l->said.dynamic)
        PROBLEM(p,
                "%s registers a program that needs libraries, so a project's environment could "
                "keep it from starting: run `warder install %s` again",
                path, p->client->name);
    if (l->said.fails_open)
        PROBLEM(p, "%s: \"failClosed\" is not set, so a hook that fails lets the call run", path);
    if (l->said.timeout && row->per_second &&
        l->said.timeout < (int64_t)REGISTER_TIMEOUT * row->per_second)
        PROBLEM(p, "%s waits %lld%s for the hook, which needs %u seconds; then the call runs", path,
                (long long)l->said.timeout, row->per_second == 1000 ? " ms" : " s",
                REGISTER_TIMEOUT);
}

static void judge_canary(struct arena *a, struct patient *p)
{
    const struct canary *c = &p->canary;

    if (!c->fired)
        return;
    if (c->bad == BEHAVIOR_ALLOW)
        PROBLEM(p, "the canary `%s` was not stopped: %s", BAD_CANARY,
                c->said.len ? c->said.s : "nothing was answered");
    else if (c->good != BEHAVIOR_ALLOW)
        REMARK(p, "the canary `%s` is not allowed%s%s", GOOD_CANARY, c->said.len ? ": " : "",
               c->said.len ? c->said.s : "");
}

/* Whoever moved their configuration would otherwise write a policy that no hook reads. */
static void judge_environment(struct arena *a, struct patient *p)
{
    static const char *const names[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "WARDER_CONFIG"};

    for (size_t i = 0; p->used && i < COUNT(names); i++)
        if (getenv(names[i]))
            REMARK(p, "%s is set: the hook does not look at it, since a project may set it, too",
                   names[i]);
}

static void judge_patient(void *arg)
{
    struct client_check *j = arg;
    struct arena *a = &j->visit->arena;
    struct patient *p = j->patient;

    for (size_t i = 0; i < SCOPE_COUNT; i++)
        judge_file(a, p, &p->looks[i]);
    if (p->seen[0] && !p->used)
        PROBLEM(p, "not registered: run `warder install %s`", p->client->name);
    if (p->used && p->used->place.scope == SCOPE_PROJECT)
        PROBLEM(p,
                "registered in the project only, where the agent can change it: run "
                "`warder install %s`",
                p->client->name);
    if (p->used && p->used->place.rival[0] && access(p->used->place.rival, F_OK) == 0)
        PROBLEM(p, "%s exists, so %s is ignored", p->used->place.rival, p->used->place.path);
    judge_canary(a, p);
    judge_environment(a, p);
    if (p->used && p->used->place.registrar.row->note)
        REMARK(p, "%s", p->used->place.registrar.row->note);
}

static bool visit_client(struct visit *v, const struct client *client)
{
    struct patient *p = &v->patients[v->count];
    struct client_check j = {v, p};

    p->client = client;
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        look_at_file(v, client, (enum scope)i, &p->looks[i]);
    find_agent(p);
    p->used = strongest(p);
    if (!p->seen[0] && !p->used)
        return true;
    v->count++;
    v->changeable = v->changeable || !managed_is_there("") ||
                    (p->used && (p->used->ours_to_change || could_write(p->used->place.program)));
    return try_canaries(v, p) && arena_try(&v->arena, judge_patient, &j);
}

/* ---- telling it ---- */

static const char *const scope_names[] = {
    [SCOPE_USER] = "user", [SCOPE_PROJECT] = "project", [SCOPE_MANAGED] = "managed"};

static void tell_files(struct report *r, const struct patient *p)
{
    json_key(&r->json, "registrations");
    json_begin_array(&r->json);
    for (size_t i = 0; i < SCOPE_COUNT; i++) {
        const struct look *l = &p->looks[i];
        if (!l->said.events)
            continue;
        buf_format(&r->text, "  registered  ");
        report_show(r, str_from(l->place.path));
        buf_format(&r->text, " (%s)\n", scope_names[i]);
        json_begin_object(&r->json);
        report_member(r, "scope", str_from(scope_names[i]));
        report_member(r, "file", str_from(l->place.path));
        report_member(r, "command", l->said.command);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void tell_list(struct report *r, const char *key, const char *mark, const struct strs *list)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < list->count; i++) {
        buf_format(&r->text, "  %-11s ", mark);
        report_show(r, list->items[i]);
        buf_byte(&r->text, '\n');
        json_text(&r->json, list->items[i]);
    }
    json_end_array(&r->json);
}

static void tell_canary(struct report *r, const struct canary *c)
{
    json_key(&r->json, "canary");
    if (!c->fired) {
        json_null(&r->json);
        return;
    }
    json_begin_object(&r->json);
    report_member(r, "harmful", str_from(behavior_name(c->bad)));
    report_member(r, "harmless", str_from(behavior_name(c->good)));
    json_end_object(&r->json);
    buf_format(&r->text, "  canary      the harmful call: %s; the harmless one: %s\n",
               behavior_name(c->bad), behavior_name(c->good));
}

static void tell_patient(struct report *r, const struct patient *p)
{
    buf_format(&r->text, "%s: %s\n", p->client->title,
               p->problems.count ? "NOT PROTECTED" : "protected");
    json_begin_object(&r->json);
    report_member(r, "client", str_from(p->client->name));
    report_member(r, "found", str_from(p->seen));
    if (p->seen[0]) {
        buf_text(&r->text, "  found       ");
        report_show(r, str_from(p->seen));
        buf_byte(&r->text, '\n');
    }
    tell_files(r, p);
    tell_canary(r, &p->canary);
    tell_list(r, "problems", "PROBLEM", &p->problems);
    tell_list(r, "remarks", "remark", &p->remarks);
    json_key(&r->json, "ok");
    json_bool(&r->json, p->problems.count == 0);
    json_end_object(&r->json);
    r->errors += p->problems.count;
    r->warnings += p->remarks.count;
}

static void tell(struct report *r, const void *about)
{
    const struct visit *v = about;
    static const char judged[] =
        "against what agents do by judged calls. Code that an allowed call runs could change the "
        "registration, the program or the policy: they belong to you. `warder install --managed` "
        "and policy in /etc/warder, as root, take that away";
    static const char system_wide[] =
        "also against files and sockets that code of an allowed call makes: registration, program "
        "and managed policy belong to another user. Such code could still stop the agent, act "
        "in its place or answer its questions: run it as another user where that matters";

    json_begin_object(&r->json);
    json_key(&r->json, "clients");
    json_begin_array(&r->json);
    for (size_t i = 0; i < v->count; i++)
        tell_patient(r, &v->patients[i]);
    json_end_array(&r->json);
    if (v->count == 0) {
        buf_text(&r->text, "No agent was found on this machine.\n");
        r->errors++;
    } else if (r->errors) {
        buf_text(&r->text, "What the verdicts depend on is not safe before these problems are "
                           "solved.\n");
    } else {
        buf_format(&r->text, "What the verdicts depend on is safe %s.\n",
                   v->changeable ? judged : system_wide);
    }
    report_member(r, "safe_against",
                  str_from(r->errors       ? "nothing"
                           : v->changeable ? "judged calls"
                                           : "files and sockets of code that calls run"));
    json_end_object(&r->json);
}

warder_status warder_doctor(const warder_installation *where, warder_report **out,
                            warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    warder_status status = WARDER_OK;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(
            err, "the installation's struct_size is not set, or it holds what this version lacks");
    const struct client *only = given.client ? client_find(str_from(given.client)) : NULL;
    struct visit *v = calloc(1, sizeof(*v));
    if (!v)
        return give_no_memory(err);
    v->where = &given;
    arena_init(&v->arena, DOCTOR_MEMORY_MAX);
    for (const struct client *c = clients; status == WARDER_OK && c->name; c++)
        if ((!only || c == only) && v->count < PATIENTS_MAX && !visit_client(v, c))
            status = give_no_memory(err);
    if (status == WARDER_OK)
        status = report_make(tell, v, out, err);
    arena_release(&v->arena);
    free(v);
    return status;
}
