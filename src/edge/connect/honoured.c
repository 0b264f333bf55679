#include "connect/honoured.h"

#include "base/json.h"
#include "call/tool.h"

/* A client that tells what has run proves more by that. */
#define OLD_IF_TOLD   60 /* seconds */
#define OLD_IF_UNTOLD 5

struct ignoring {
    struct arena *arena;
    const struct client_question *question;
    struct cell_call call;
    struct str body;
};

/* What tells the call from others where it has no ID: its command, as engine/cell.c has it. */
static struct str command_of(const struct client_question *q)
{
    const struct tool *row = tool_find(q->tool);
    struct str names = row ? row->first : (struct str){0}, name;

    while (q->input && str_next_word(&names, &name)) {
        const struct member *m = value_member(q->input, name);
        if (m)
            return m->value.kind == VALUE_STRING ? m->value.text : (struct str){0};
    }
    return (struct str){0};
}

static void write_body(void *arg)
{
    struct ignoring *i = arg;
    struct buf b = buf_in(i->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_text_member(&w, "kind", STR("sandbox-ignored"));
    json_text_member(&w, "client", i->call.client);
    json_text_member(&w, "session_id", i->call.session);
    json_end_object(&w);
    struct str all = buf_str(&b);
    i->body = str_slice(all, 1, all.len - 1);
}

/* ---- how cells ended ---- */

struct ending {
    struct arena *arena;
    struct recorder *recorder;
    struct str line, body;
};

/* An object of ours, with its kind in front. */
static void write_end(void *arg)
{
    struct ending *e = arg;
    struct value v;

    if (json_read(e->arena, e->line, NULL, &v, NULL) != STATUS_OK || v.kind != VALUE_OBJECT)
        return;
    e->body = str_format(e->arena, "\"kind\":\"cell-end\",%.*s",
                         STR_ARG(str_slice(e->line, 1, e->line.len - 1)));
}

static bool record_end(void *context, struct str line)
{
    struct ending *e = context;

    e->line = line;
    e->body = (struct str){0};
    if (!arena_try(e->arena, write_end, e))
        return false;
    return !e->body.len || recorder_append(e->recorder, NULL, &e->body, 1, NULL) == STATUS_OK;
}

void honoured_watch(struct arena *a, const char *home, const struct client_question *q,
                    enum cell_event event, struct recorder *recorder)
{
    struct ignoring i = {.arena = a, .question = q};
    struct ending e = {.arena = a, .recorder = recorder};
    const struct cell_ends ends = {record_end, &e};

    i.call = (struct cell_call){.client = str_from(q->client->name),
                                .session = q->session,
                                .use = q->use_id.len ? q->use_id : command_of(q)};
    if (!cells_watch(home, &i.call, event,
                     client_tells_ran(q->client) ? OLD_IF_TOLD : OLD_IF_UNTOLD,
                     recorder ? &ends : NULL))
        return;
    if (recorder && arena_try(a, write_body, &i))
        (void)recorder_append(recorder, NULL, &i.body, 1, NULL);
}
