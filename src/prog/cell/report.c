#include "cell/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/show.h"

#define REPORT_MEMORY 1000000

static const struct {
    const char *name, *shown;
    bool done; /* nevertheless */
} kinds[] = {
    [REFUSED_WRITE] = {"write", "write to", false},
    [REFUSED_CONNECT] = {"connect", "connect to", false},
    [REFUSED_NAME] = {"name", "make", false},
    [REFUSED_KEPT] = {"made", "keep, and moved away,", true},
    [REFUSED_STAYS] = {"stays", "keep, and could not move away,", true},
    [REFUSED_MENDED] = {"mended", "let be changed, and mended,", true},
    [REFUSED_BROKEN] = {"broken", "let be changed, and could not mend,", true},
};

static bool is_known(const struct report *r, enum refusal_kind kind, struct str text)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->kept[i].kind == kind && str_eq(str_from(r->kept[i].text), text))
            return true;
    return false;
}

/* What was done nevertheless comes first: a cell must not be able to push it out. */
static struct refusal *make_room(struct report *r, enum refusal_kind kind)
{
    if (r->count == REPORT_KEPT) {
        r->more++;
        if (!kinds[kind].done)
            return NULL;
        r->count--;
    }
    if (!kinds[kind].done)
        return &r->kept[r->count++];
    memmove(&r->kept[1], &r->kept[0], r->count++ * sizeof(r->kept[0]));
    return &r->kept[0];
}

void report_refusal(struct report *r, enum refusal_kind kind, struct str text)
{
    text = str_slice(text, 0, REPORT_TEXT - 1);
    (void)pthread_mutex_lock(&r->lock);
    struct refusal *new = is_known(r, kind, text) ? NULL : make_room(r, kind);
    if (new) {
        new->kind = kind;
        memcpy(new->text, text.s, text.len);
        new->text[text.len] = '\0';
    }
    (void)pthread_mutex_unlock(&r->lock);
}

void report_connection(struct report *r, const struct proxy_note *note)
{
    if (r->connected < REPORT_CONNECTIONS)
        r->connections[r->connected] = *note;
    r->connected++;
}

struct printing {
    const struct report *report;
    const struct plan *plan;
    int code;
    bool left;
    struct buf out;
};

static void add_network(struct printing *p)
{
    if (p->plan->host_count == 0)
        buf_text(&p->out, "no network");
    for (size_t i = 0; i < p->plan->host_count; i++) {
        const struct host *host = &p->plan->hosts[i];
        buf_format(&p->out, "%s%s%s", i ? ", " : "a network of ", host->below ? "*." : "",
                   host->to.name);
    }
}

static void add_lines(void *arg)
{
    struct printing *p = arg;
    const size_t all = p->report->count + p->report->more;
    const size_t room = REPORT_LINES - 1 - (p->plan->token != NULL);
    const size_t lines = all <= room ? p->report->count : room - 1;

    buf_text(&p->out, "warder: this ran in the sandbox: ");
    add_network(p);
    buf_text(&p->out, ", and only ");
    for (size_t i = 0; i < p->plan->write.count; i++) {
        buf_text(&p->out, i ? ", " : "");
        show_text(&p->out, p->plan->write.items[i]);
    }
    buf_text(&p->out, " can be written. It refused to\n");
    for (size_t i = 0; i < lines; i++) {
        buf_format(&p->out, "warder:   %s ", kinds[p->report->kept[i].kind].shown);
        show_text(&p->out, str_from(p->report->kept[i].text));
        buf_byte(&p->out, '\n');
    }
    if (all > lines)
        buf_format(&p->out, "warder:   and %zu more\n", all - lines);
    if (p->plan->token)
        buf_format(&p->out,
                   "warder: if it cannot do without, run: warder outside %s (a person is asked)\n",
                   p->plan->token);
}

static void add_connections(struct json_writer *w, const struct report *r)
{
    if (!r->connected)
        return;
    json_key(w, "connected");
    json_int(w, (int64_t)r->connected);
    json_key(w, "connections");
    json_begin_array(w);
    for (size_t i = 0; i < r->connected && i < REPORT_CONNECTIONS; i++) {
        const struct proxy_note *note = &r->connections[i];
        json_begin_object(w);
        json_text_member(w, "host", str_from(note->to.name));
        json_key(w, "port");
        json_int(w, note->to.port);
        json_key(w, "sent");
        json_int(w, (int64_t)note->sent);
        json_key(w, "received");
        json_int(w, (int64_t)note->received);
        json_key(w, "milliseconds");
        json_int(w, note->milliseconds);
        json_end_object(w);
    }
    json_end_array(w);
}

static void add_json(void *arg)
{
    struct printing *p = arg;
    struct json_writer w = json_to(&p->out);

    json_begin_object(&w);
    if (p->plan->token)
        json_text_member(&w, "token", str_from(p->plan->token));
    json_key(&w, "code");
    json_int(&w, p->code);
    json_true_member_if(&w, "left", p->left);
    json_true_member_if(&w, "unsaved", p->report->unsaved);
    json_key(&w, "refused");
    json_begin_array(&w);
    for (size_t i = 0; i < p->report->count; i++) {
        json_begin_object(&w);
        json_text_member(&w, "kind", str_from(kinds[p->report->kept[i].kind].name));
        json_text_member(&w, "what", str_from(p->report->kept[i].text));
        json_end_object(&w);
    }
    json_end_array(&w);
    json_key(&w, "more");
    json_int(&w, (int64_t)p->report->more);
    add_connections(&w, p->report);
    json_end_object(&w);
    buf_byte(&p->out, '\n');
}

static void write_out(struct printing *p, void (*add)(void *), int fd)
{
    struct arena arena;

    arena_init(&arena, REPORT_MEMORY);
    p->out = buf_in(&arena);
    if (arena_try(&arena, add, p)) {
        struct str text = buf_str(&p->out);
        ssize_t done = write(fd, text.s, text.len);
        (void)done; /* there is no one to tell */
    }
    arena_release(&arena);
}

static bool has_done(const struct report *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (kinds[r->kept[i].kind].done)
            return true;
    return false;
}

/* Does something that was refused stand in the command itself? */
static bool is_named(const struct report *r, const struct plan *plan)
{
    for (size_t i = 0; i < r->count; i++)
        for (char **word = plan->words; *word; word++)
            if (r->kept[i].kind == REFUSED_WRITE && strstr(*word, r->kept[i].text))
                return true;
    return false;
}

void report_print(const struct report *r, const struct plan *plan, int code)
{
    struct printing p = {.report = r, .plan = plan, .code = code};

    if (r->count && (code != 0 || has_done(r) || is_named(r, plan)))
        write_out(&p, add_lines, STDERR_FILENO);
}

void report_write(const struct report *r, const struct plan *plan, int code, bool left)
{
    struct printing p = {.report = r, .plan = plan, .code = code, .left = left};

    if (!plan->report)
        return;
    AUTO_CLOSE int fd =
        open(plan->report, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        write_out(&p, add_json, fd);
}
