/* approval_file.c - a question that waits for a person, as a file. */
#include <stdlib.h>
#include <string.h>

#include "ask/approval_parts.h"
#include "base/auto.h"
#include "base/json.h"
#include "policy/state.h"

/* The panel's texts, and their keys in the file. */
static const struct {
    const char *key;
    size_t offset;
} texts[] = {
    {"who", offsetof(struct panel, who)},
    {"tool", offsetof(struct panel, tool)},
    {"input", offsetof(struct panel, input)},
    {"cwd", offsetof(struct panel, cwd)},
    {"risk", offsetof(struct panel, risk)},
    {"reason", offsetof(struct panel, reason)},
    {"rule", offsetof(struct panel, rule)},
    {"rule_place", offsetof(struct panel, rule_place)},
    {"comment", offsetof(struct panel, comment)},
    {"explanation", offsetof(struct panel, explanation)},
};

static struct str *text_in(struct panel *p, size_t i)
{
    return (struct str *)(void *)((char *)p + texts[i].offset);
}

void question_print(struct buf *out, const void *about)
{
    const struct new_question *new = about;
    const struct approval *approval = &new->approval;
    struct panel panel = approval->panel;
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    json_text_member(&w, "id", str_from(approval->id));
    json_text_member(&w, "call", str_from(approval->call));
    json_text_member(&w, "session", str_from(approval->session));
    json_key(&w, "files");
    bound_write(&w, new->files);
    json_key(&w, "asked");
    json_int(&w, approval->asked);
    json_text_member(&w, "client", approval->client);
    json_text_member(&w, "profile", str_from(panel.profile));
    for (size_t i = 0; i < COUNT(texts); i++)
        json_text_member(&w, texts[i].key, *text_in(&panel, i));
    json_key(&w, "findings");
    json_begin_array(&w);
    for (size_t i = 0; i < panel.findings.count; i++)
        json_text(&w, panel.findings.items[i]);
    json_end_array(&w);
    json_end_object(&w);
    buf_byte(out, '\n');
}

struct question_file {
    struct arena *arena;
    const struct value *document;
    struct approval *out;
    bool complete;
};

static void take_findings(struct question_file *p)
{
    const struct value *list = value_get(p->document, "findings");

    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++)
        LIST_PUSH(p->arena, &p->out->panel.findings, list->items[i].text);
}

static bool take_hash(const struct question_file *p, const char *key, char out[SHA256_HEX])
{
    struct str text = value_text(p->document, key);

    if (text.len != SHA256_HEX - 1)
        return false;
    memcpy(out, text.s, SHA256_HEX);
    return true;
}

static void parse(void *arg)
{
    struct question_file *p = arg;
    struct str id = value_text(p->document, "id");
    const struct value *asked = value_get(p->document, "asked");

    p->complete = id.len == APPROVAL_ID_MAX - 1 && asked && value_integer(asked, &p->out->asked) &&
                  value_get(p->document, "input") && take_hash(p, "call", p->out->call) &&
                  take_hash(p, "session", p->out->session);
    if (!p->complete)
        return;
    memcpy(p->out->id, id.s, APPROVAL_ID_MAX);
    p->out->files = value_get(p->document, "files");
    p->out->client = value_text(p->document, "client");
    p->out->panel.profile = value_text(p->document, "profile").s;
    for (size_t i = 0; i < COUNT(texts); i++)
        *text_in(&p->out->panel, i) = value_text(p->document, texts[i].key);
    take_findings(p);
    p->out->panel.no_allow = p->out->panel.no_deny = STR("this answers one call, once");
}

struct document_room {
    struct arena *arena;
    struct value *out;
};

static void make_room(void *arg)
{
    struct document_room *room = arg;

    room->out = ARENA_NEW(room->arena, struct value);
}

enum status approval_document(struct arena *a, int directory, const char *name, struct value **out,
                              struct error *err)
{
    AUTO_FREE char *text = NULL;
    size_t len = 0;
    const struct json_limits limits = {.bytes = APPROVAL_FILE_MAX};
    struct document_room room = {.arena = a};
    enum status status = state_read(directory, name, APPROVAL_FILE_MAX, &text, &len, err);

    *out = NULL;
    if (status || !text)
        return status;
    if (!arena_try(a, make_room, &room))
        return fail(err, STATUS_NOMEM, "no memory to read an approval");
    status = json_read(a, (struct str){text, len}, &limits, room.out, err);
    if (!status)
        *out = room.out;
    return status;
}

enum status question_read(struct arena *a, int directory, const char *name, struct approval *out,
                          bool *found, struct error *err)
{
    struct value *document = NULL;
    enum status status = approval_document(a, directory, name, &document, err);

    *found = false;
    *out = (struct approval){0};
    if (status || !document)
        return status;
    struct question_file p = {.arena = a, .document = document, .out = out};
    if (!arena_try(a, parse, &p))
        return fail(err, STATUS_NOMEM, "no memory to read a question");
    memcpy(out->digest, name, SHA256_HEX - 1);
    *found = p.complete;
    return STATUS_OK;
}
