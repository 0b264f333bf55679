/* approve.c - the calls that wait for a person, and the person's answer. */
#include "engine/approve.h"

#include "ask/caller.h"
#include "ask/prompt.h"
#include "engine/report.h"
#include "machine/clock.h"
#include "warder_admin.h"

#define APPROVE_MEMORY_MAX ((size_t)512 * 1024 * 1024)
#define INPUT_SHOWN        60 /* bytes of an input in the list */

/* ---- the list ---- */

static const char *state_of(const warder_engine *engine)
{
    return engine->request.state_dir.s;
}

struct list {
    const struct approvals *approvals;
    int64_t now;
};

static void list_row(struct report *r, const struct approval *a, int64_t now)
{
    struct str line = a->panel.input;
    long minutes = (long)((now - a->asked) / 60);

    str_cut(line, '\n', &line, &(struct str){0});
    buf_format(&r->text, "%s  %2ld min  ", a->id, minutes);
    report_show(r, a->client.len ? a->client : STR("-"));
    buf_text(&r->text, "  ");
    report_show(r, a->panel.tool);
    buf_text(&r->text, "  ");
    report_show(r, str_slice(line, 0, INPUT_SHOWN));
    buf_text(&r->text, line.len > INPUT_SHOWN || line.len < a->panel.input.len ? " ...\n" : "\n");

    json_begin_object(&r->json);
    report_member(r, "id", str_from(a->id));
    report_number(r, "asked", a->asked);
    report_member(r, "client", a->client);
    report_member(r, "tool", a->panel.tool);
    report_member(r, "input", a->panel.input);
    report_member(r, "cwd", a->panel.cwd);
    report_member(r, "reason", a->panel.reason);
    json_end_object(&r->json);
}

static void fill_list(struct report *r, const void *about)
{
    const struct list *l = about;

    json_begin_array(&r->json);
    for (size_t i = 0; i < l->approvals->count; i++)
        list_row(r, &l->approvals->items[i], l->now);
    json_end_array(&r->json);
    if (l->approvals->count == 0)
        buf_text(&r->text, "no call is waiting for approval\n");
}

warder_status warder_approvals(warder_engine *engine, warder_report **out, warder_error *err)
{
    struct arena a;
    struct approvals waiting = {0};
    struct error inner = {0};
    struct list l = {&waiting, approval_now()};

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!engine)
        return give_usage(err, "missing argument: engine");
    arena_init(&a, APPROVE_MEMORY_MAX);
    warder_status status = approval_list(&a, state_of(engine), l.now, &waiting, &inner)
                               ? error_out(err, &inner)
                               : report_make(fill_list, &l, out, err);
    arena_release(&a);
    return status;
}

/* ---- the answer ---- */

/* `id`: its first letters are enough, where no other begins so. NULL: the only one. */
static enum status find(const struct approvals *waiting, const char *id,
                        const struct approval **out, struct error *err)
{
    const struct str front = str_from(id ? id : "");
    size_t found = 0;

    *out = NULL;
    for (size_t i = 0; (!id || front.len) && i < waiting->count; i++)
        if (str_starts(str_from(waiting->items[i].id), front)) {
            *out = &waiting->items[i];
            found++;
        }
    if (!*out)
        return fail(err, STATUS_USAGE,
                    id ? "no call with that ID is waiting; calls wait for %d minutes"
                       : "no call is waiting for approval (calls wait for %d minutes)",
                    APPROVAL_SECONDS / 60);
    if (found > 1)
        return fail(err, STATUS_USAGE,
                    "%zu calls are waiting%s: name one of them (warder approve --list)", found,
                    id ? " with IDs that begin like this" : "");
    return STATUS_OK;
}

static enum race_end put(struct arena *a, const struct approval *approval, struct reply *reply)
{
    static struct prompt
        prompt; /* large; a process has one terminal, and the terminal lets one prompt in */
    const int64_t left = APPROVAL_SECONDS - (approval_now() - approval->asked);
    struct race race;

    prompt = (struct prompt){
        .panel = &approval->panel, .arena = a, .in = -1, .out = -1, .grace_ms = RACE_GRACE_MS};
    const struct asker asker = {&prompt_asker, &prompt, RACE_GRACE_MS};
    const struct race_options options = {.deadline = clock_ms() + left * 1000, .cancel_fd = -1};
    race_run(&asker, 1, &options, &race);
    *reply = race.reply;
    return race.end;
}

static enum status take_answer(const warder_engine *engine, const struct approval *approval,
                               enum race_end end, const struct reply *reply, warder_approval *out,
                               struct error *err)
{
    enum status status = STATUS_OK;

    if (end == RACE_NOBODY)
        return fail(err, STATUS_UNSAFE, "approving needs a terminal: only a person can do it");
    if (end != RACE_ANSWERED || reply->cancelled)
        return STATUS_OK;
    if (reply->behavior == BEHAVIOR_ALLOW)
        status = approval_grant(state_of(engine), approval, approval_now(), err);
    else
        status = approval_refuse(state_of(engine), approval, err);
    if (!status)
        *out = reply->behavior == BEHAVIOR_ALLOW ? WARDER_APPROVED : WARDER_REFUSED;
    return status;
}

warder_status warder_approve(warder_engine *engine, const char *id, warder_approval *out,
                             warder_error *err)
{
    struct arena a;
    struct approvals waiting = {0};
    const struct approval *approval = NULL;
    struct reply reply = {0};
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: answer");
    *out = WARDER_LEFT_OPEN;
    if (!engine)
        return give_usage(err, "missing argument: engine");
    arena_init(&a, APPROVE_MEMORY_MAX);
    enum status status = caller_is_person(&inner);
    if (!status)
        status = approval_list(&a, state_of(engine), approval_now(), &waiting, &inner);
    if (!status)
        status = find(&waiting, id, &approval, &inner);
    if (!status && approval)
        status = take_answer(engine, approval, put(&a, approval, &reply), &reply, out, &inner);
    arena_release(&a);
    return status ? error_out(err, &inner) : WARDER_OK;
}
