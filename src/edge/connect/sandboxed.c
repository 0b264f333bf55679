#include "connect/sandboxed.h"

#include "ask/cells.h"
#include "engine/snapshot.h"
#include "warder_admin.h"

void sandboxed_find(const warder_engine *engine, const struct held *held, struct sandboxed *out)
{
    const struct sandbox_policy *p = &held->project->book->sandbox;
    bool untried;

    *out = (struct sandboxed){0};
    if (!cells_are_in(engine->home.s))
        return;
    out->state = SANDBOXED_OFF;
    if (sandbox_use(p, held->snapshot->profile->contains) == USE_OFF || p->unread)
        return;
    out->tier = cells_tier(engine->home.s, STR("run"), &untried);
    out->state = untried ? SANDBOXED_UNTRIED : SANDBOXED_TRIED;
    out->lifts = sandbox_has_tier(p, out->tier) && sandbox_value(p, SANDBOX_ASKS) == ASKS_LIFT &&
                 held->snapshot->profile->contains;
    out->code = sandbox_value(p, SANDBOX_CODE) == CODE_CONTAIN;
}

bool sandboxed_ignored(const warder_engine *engine, const struct client *client)
{
    bool untried;

    return cells_tier(engine->home.s, STR("run"), &untried) != CELL_NONE &&
           cells_tier(engine->home.s, str_from(client->name), &untried) == CELL_NONE;
}

/* ---- in words ---- */

static const char *meaning(const struct sandboxed *s)
{
    if (s->tier == CELL_NONE)
        return "none on this machine, and `warder sandbox check` says why: what nobody can judge "
               "is asked about";
    if (s->lifts && s->code)
        return "what nobody can judge runs in it without a question, and so does the project's own "
               "code";
    if (s->lifts)
        return "what nobody can judge runs in it without a question";
    if (s->code)
        return "the project's own code runs in it; what nobody can judge is asked about";
    return "policy lets nothing run in it by itself";
}

void sandboxed_tell(struct report *r, const struct sandboxed *s)
{
    static const char *const untold[] = {[SANDBOXED_NOT_HERE] = NULL,
                                         [SANDBOXED_OFF] = "off: policy does not use it",
                                         [SANDBOXED_UNTRIED] =
                                             "not known: run `warder sandbox check`"};

    if (s->state == SANDBOXED_TRIED && s->tier != CELL_NONE)
        buf_format(&r->text, "Sandbox: %s: %s (to switch it off: warder help sandbox check).\n",
                   cell_tier_name(s->tier), meaning(s));
    else if (s->state == SANDBOXED_TRIED)
        buf_format(&r->text, "Sandbox: %s.\n", meaning(s));
    else if (untold[s->state])
        buf_format(&r->text, "Sandbox: %s.\n", untold[s->state]);
    report_member(r, "sandbox",
                  s->state == SANDBOXED_TRIED ? str_from(cell_tier_name(s->tier))
                  : s->state == SANDBOXED_OFF ? STR("off")
                                              : (struct str){0});
}

struct telling {
    struct sandboxed found;
    bool contained; /* the client */
};

static void fill(struct report *r, const void *about)
{
    const struct telling *t = about;

    json_begin_object(&r->json);
    if (t->contained)
        sandboxed_tell(r, &t->found);
    json_end_object(&r->json);
}

warder_status warder_sandbox_says(const warder_installation *where, warder_report **out,
                                  warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = NULL;
    struct telling t = {0};
    struct held held;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(err, INSTALLATION_TOO_NEW);
    const struct client *client = given.client ? client_find(str_from(given.client)) : NULL;
    t.contained = !client || client_contains(client);
    options.home = given.home;
    options.project = given.project;
    warder_status status = warder_engine_new(&options, &engine, err);
    if (status == WARDER_OK)
        status = policy_borrow(engine, &held, err);
    if (status == WARDER_OK) {
        sandboxed_find(engine, &held, &t.found);
        snapshot_drop(held.snapshot);
        status = report_make(fill, &t, out, err);
    }
    warder_engine_free(engine);
    return status;
}
