/* doctor_judge.c - what is wrong with an agent's registration, and in which state it is. */
#include <stdlib.h>
#include <unistd.h>

#include "connect/doctor.h"
#include "connect/switched_off.h"
#include "machine/stamp.h"

#define PROBLEM(p, ...) LIST_PUSH(a, &(p)->problems, str_format(a, __VA_ARGS__))
#define REMARK(p, ...)  LIST_PUSH(a, &(p)->remarks, str_format(a, __VA_ARGS__))

/* What is registered for the whole machine may stay on. */
static void judge_off(struct arena *a, struct patient *p, const struct look *l, const char *file,
                      struct str setting)
{
    bool stays = l->place.registrar.row->managed_stays;
    bool managed = p->used && p->used->place.scope == SCOPE_MANAGED;

    if (!setting.len || (stays && managed && l->place.scope != SCOPE_MANAGED))
        return;
    if (stays && l->place.scope == SCOPE_PROJECT)
        PROBLEM(p,
                "%s switches the hook off (%.*s), which it cannot after: sudo warder install "
                "--managed %s",
                file, STR_ARG(setting), p->client->name);
    else
        PROBLEM(p, "%s switches the hook off (%.*s)", file, STR_ARG(setting));
}

static void judge_file(struct arena *a, struct patient *p, const struct look *l)
{
    const struct registration *row = l->place.registrar.row;
    const char *path = l->place.path;

    if (l->error.message[0]) {
        if (l->error.line)
            PROBLEM(p, "%s:%u:%u: %s", path, l->error.line, l->error.column, l->error.message);
        else
            PROBLEM(p, "%s: %s", path, l->error.message);
        return;
    }
    judge_off(a, p, l, path, l->said.off);
    judge_off(a, p, l, l->said.beside, l->said.local_off);
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
    if (!p->used ||
        (p->used->place.scope == SCOPE_MANAGED && p->used->place.registrar.row->managed_stays))
        return;
    struct str off = switched_off_here(p->used->place.registrar.row);
    if (off.len)
        PROBLEM(p, "%.*s is set here: started with it, %s runs no hooks", STR_ARG(off),
                p->client->title);
}

/* Codex and its like. */
static void judge_trust(struct arena *a, struct patient *p)
{
    switch (p->trust) {
    case HOOK_TRUST_UNUSED:
    case HOOK_TRUST_GIVEN:
        return;
    case HOOK_TRUST_OUTDATED:
        PROBLEM(p,
                "%s trusts an earlier form of the hook, and ignores this one: start it once and "
                "choose \"Trust all and continue\"",
                p->client->title);
        return;
    case HOOK_TRUST_OFF:
        PROBLEM(p, "the hook is switched off in %s: start it, and switch it on with /hooks",
                p->client->title);
        return;
    case HOOK_TRUST_MISSING:
        break;
    }
    PROBLEM(p,
            "%s has not trusted the hook yet, and ignores it: start it once and choose \"Trust all "
            "and continue\"",
            p->client->title);
}

static void judge_place(struct arena *a, struct patient *p)
{
    bool unreadable = false;

    for (size_t i = 0; i < SCOPE_COUNT; i++)
        unreadable = unreadable || p->looks[i].error.message[0];
    if (p->seen[0] && !p->used && !unreadable)
        PROBLEM(p, "not registered: run `warder install %s`", p->client->name);
    if (p->used && p->used->place.scope == SCOPE_PROJECT)
        PROBLEM(p,
                "registered in the project only, where the agent can change it: run "
                "`warder install %s`",
                p->client->name);
    if (p->used && p->used->place.rival[0] && access(p->used->place.rival, F_OK) == 0)
        PROBLEM(p, "%s exists, so %s is ignored", p->used->place.rival, p->used->place.path);
}

/* A call before the settings were changed does not show that the agent takes them as they are. */
static enum patient_state state_of(const struct patient *p)
{
    if (p->problems.count || !p->used)
        return NOT_PROTECTED;
    return p->called.at && p->called.at >= p->changed_at ? SEEN : REGISTERED;
}

/* The agent that ran and asked nothing may have used no tool: that is no proof against it, and none
 * for it either, whatever came before. */
/* Its calls ask from then on (ask/cells.h), so nothing ran that should not have. */
static void judge_cell(struct visit *v, struct patient *p)
{
    struct arena *a = &v->arena;

    if (p->live.cell == LIVE_CELL_NONE)
        REMARK(p,
               "policy uses the sandbox, and its call was not to run in one: warder sandbox "
               "check, and warder explain --client %s Bash %s, say why",
               p->client->name, WARDER_LIVE_CANARY);
    if (p->live.cell == LIVE_CELL_IGNORED)
        REMARK(p, "it was answered with a sandbox, and did not run that");
}

void doctor_judge_live(struct visit *v, struct patient *p)
{
    struct arena *a = &v->arena;
    const struct live *l = &p->live;

    p->state = l->end == LIVE_ASKED ? SEEN : REGISTERED;
    switch (l->end) {
    case LIVE_UNUSED:
        return;
    case LIVE_ASKED:
        p->called.at = stamp_now();
        judge_cell(v, p);
        return;
    case LIVE_SILENT:
        REMARK(p, "it ended without asking Warder: it used no tool, or it does not run the hook");
        break;
    case LIVE_FAILED:
        REMARK(p, "it failed before it asked Warder");
        break;
    case LIVE_TIMEOUT:
        REMARK(p, "it did not ask Warder within %u s, and was ended", v->order.live_seconds);
        break;
    case LIVE_UNABLE:
        REMARK(p, "it could not be started, or the record could not be read");
        break;
    }
    if (l->said.len)
        REMARK(p, "its last line: %.*s", STR_ARG(l->said));
}

void doctor_judge(struct visit *v, struct patient *p)
{
    struct arena *a = &v->arena;

    for (size_t i = 0; i < SCOPE_COUNT; i++)
        judge_file(a, p, &p->looks[i]);
    judge_place(a, p);
    judge_trust(a, p);
    if (v->policy.message[0])
        PROBLEM(p, "every call is denied, because the policy cannot be read: %s",
                v->policy.message);
    judge_canary(a, p);
    judge_environment(a, p);
    if (v->unread.message[0])
        REMARK(p, "the record cannot be searched for its calls: %s", v->unread.message);
    if (v->ignored[p->client - clients])
        REMARK(p,
               "it was answered with a sandbox once and ran its own command, so its calls do not "
               "run in one until `warder sandbox check` has run again");
    if (p->others.count)
        REMARK(
            p,
            "other hooks run before the same tools: they can change a call that Warder has judged, "
            "and allow what Warder leaves to %s",
            p->client->title);
    if (p->used && p->used->said.ran_missing)
        REMARK(p,
               "what you answer in %s is not noted, so the same call is asked about again: run "
               "`warder install %s` again",
               p->client->title, p->client->name);
    if (p->used && p->used->place.registrar.row->note && p->trust == HOOK_TRUST_UNUSED)
        REMARK(p, "%s", p->used->place.registrar.row->note);
    p->state = state_of(p);
}
