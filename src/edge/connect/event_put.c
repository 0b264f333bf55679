#include "connect/event_put.h"

#include <stdlib.h>
#include <unistd.h>

#include "ask/race.h"
#include "ask/service.h"
#include "base/json.h"
#include "engine/options.h"
#include "machine/clock.h"
#include "policy/managed.h"

/* Bytes. A longer event goes the whole way: the time for that is small beside its own. */
#define EVENT_SHORT_MAX ((size_t)256 * 1024)

const char *event_project(const warder_options *options, const struct client *client)
{
    const char *set = client->project ? getenv(client->project) : NULL;

    if (options->project)
        return options->project;
    return set && set[0] == '/' ? set : NULL;
}

struct event_line {
    const struct event_putting *p;
    warder_options options;
    struct str dirs[SERVICE_DIRS];
    struct str line;   /* what is sent */
    struct str answer; /* what has come */
};

/* ---- there ---- */

static void find_places(void *arg)
{
    struct event_line *s = arg;

    options_service_dirs(s->p->arena, &s->options, (struct str){0}, s->dirs);
}

/* The service does not know options that are given by hand; it has its own directory and home. */
static bool may_be_put(struct event_line *s)
{
    const struct event_putting *p = s->p;
    const warder_options *o = &s->options;

    return p->client && p->text.len <= EVENT_SHORT_MAX &&
           copy_versioned(&s->options, sizeof(s->options), p->options, p->options->struct_size) &&
           !options_by_hand(o) && !o->cwd && !o->headless && !o->session && !o->client &&
           !o->plan_file;
}

static enum status try_places(struct event_line *s, struct service_line *line)
{
    enum status status = STATUS_IO;

    if (!arena_try(s->p->arena, find_places, s))
        return STATUS_NOMEM;
    for (size_t i = 0; status == STATUS_IO && i < COUNT(s->dirs); i++) {
        if (!s->dirs[i].len)
            continue;
        service_close(line);
        status = service_open(line, s->dirs[i].s, NULL);
    }
    return status;
}

static enum status open_line(struct event_line *s, struct service_line *line)
{
    const enum status status = try_places(s, line);

    *s->p->nobody = status == STATUS_IO;
    return status;
}

static void write_line(struct buf *out, const void *about)
{
    const struct event_putting *p = about;
    const struct {
        const char *key;
        struct str text;
    } members[] = {
        {",\"cwd\":", p->from->cwd},
        {",\"project\":", p->from->project},
        {",\"shell\":", p->from->shell},
        {",\"event\":", p->text},
    };

    buf_text(out, WARDER_HOOK_LINE);
    json_string(out, str_from(p->client->name));
    for (size_t i = 0; i < COUNT(members); i++) {
        buf_text(out, members[i].key);
        json_string(out, members[i].text);
    }
    buf_text(out, "}\n");
}

/* ---- and back ---- */

static bool take_text(const struct value *v, const char *key, struct str *out)
{
    const struct value *member = value_get(v, key);

    if (!member || member->kind != VALUE_STRING)
        return false;
    *out = member->text;
    return true;
}

/* Only a complete answer counts: a client takes what is missing for consent. */
static bool take_answer(const struct event_putting *p, const struct value *said)
{
    const struct value *code = value_get(said, "code");
    int64_t number;

    if (!code || !value_integer(code, &number) || (number != 0 && number != CLIENT_BLOCKED))
        return false;
    p->out->code = (int)number;
    return take_text(said, "out", &p->out->out) && take_text(said, "err", &p->out->err);
}

struct line_answer {
    struct event_line *saying;
    struct error *err;
    enum event_end end;
};

/* An answer without "hook" is from an older service that knows no events and took this one for a
 * malformed call. */
static void hear(void *arg)
{
    struct line_answer *h = arg;
    const struct event_putting *p = h->saying->p;
    struct value *v = ARENA_NEW(p->arena, struct value);

    h->end = EVENT_LOST;
    if (json_read(p->arena, h->saying->answer, NULL, v, h->err) != STATUS_OK)
        return;
    const struct value *said = value_get(v, "hook");
    if (v->kind == VALUE_OBJECT && (!said || said->kind == VALUE_NULL))
        h->end = EVENT_UNDECIDED;
    else if (said && said->kind == VALUE_OBJECT && take_answer(p, said))
        h->end = EVENT_ANSWERED;
    else
        fail(h->err, STATUS_SYNTAX, "the service's answer cannot be understood");
}

static enum event_end exchange(struct event_line *s, struct service_line *line, struct error *err)
{
    const int64_t deadline =
        clock_ms() + (s->p->deadline_ms ? s->p->deadline_ms : WARDER_DEADLINE_MS);
    struct line_answer h = {.saying = s, .err = err};

    if (service_send(line, s->line, deadline, err) != STATUS_OK)
        return line->sent ? EVENT_LOST : EVENT_UNDECIDED;
    if (service_receive(line, deadline, &s->answer, err) != STATUS_OK)
        return EVENT_LOST;
    if (!arena_try(s->p->arena, hear, &h)) {
        fail(err, STATUS_NOMEM, "the service's answer is too large");
        return EVENT_LOST;
    }
    return h.end;
}

enum event_end event_put(const struct event_putting *p, struct error *err)
{
    struct event_line s = {.p = p};
    struct service_line line = {.fd = -1};
    char here[WORLD_PATH_MAX];
    enum event_end end = EVENT_UNDECIDED;

    /* Managed policy has to be read first: it says whether a service may decide. */
    if (may_be_put(&s) && open_line(&s, &line) == STATUS_OK && !managed_is_there("") &&
        getcwd(here, sizeof(here))) {
        p->from->cwd = str_from(here);
        p->from->project = str_from(event_project(&s.options, p->client));
        if (!p->from->project.len)
            p->from->project = p->from->cwd;
        if (buf_try(p->arena, write_line, p, &s.line))
            end = exchange(&s, &line, err);
        p->from->cwd = p->from->project = (struct str){0};
    }
    service_close(&line);
    if (end == EVENT_UNDECIDED)
        *err = (struct error){0};
    return end;
}
