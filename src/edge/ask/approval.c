#include "ask/approval.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "policy/state.h"

#define DIRECTORY     "approvals"
#define APPROVAL_NAME (SHA256_HEX + 8) /* DIGEST.json */

static void name_of(const char *digest, const char *ending, char out[APPROVAL_NAME])
{
    snprintf(out, APPROVAL_NAME, "%s%s", digest, ending);
}

/* A clock that was set back makes nothing fresh again. */
static bool is_fresh(int64_t since, int64_t now)
{
    return now >= since && now - since < APPROVAL_SECONDS;
}

/* ---- a question as a file ---- */

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

static void print(struct buf *out, const void *about)
{
    const struct approval *approval = about;
    struct panel panel = approval->panel;
    struct json_writer w = json_to_indented(out);

    json_begin_object(&w);
    json_text_member(&w, "id", str_from(approval->id));
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

static void parse(void *arg)
{
    struct question_file *p = arg;
    struct str id = value_text(p->document, "id");
    const struct value *asked = value_get(p->document, "asked");

    p->complete = id.len == APPROVAL_ID_MAX - 1 && asked && value_integer(asked, &p->out->asked) &&
                  value_get(p->document, "input");
    if (!p->complete)
        return;
    memcpy(p->out->id, id.s, APPROVAL_ID_MAX);
    p->out->client = value_text(p->document, "client");
    p->out->panel.profile = value_text(p->document, "profile").s;
    for (size_t i = 0; i < COUNT(texts); i++)
        *text_in(&p->out->panel, i) = value_text(p->document, texts[i].key);
    take_findings(p);
    p->out->panel.no_allow = p->out->panel.no_deny = STR("this answers one call, once");
}

/* *found is false if there is no such file, or it is not one of our questions. */
static enum status read_question(struct arena *a, int directory, const char *name,
                                 struct approval *out, bool *found, struct error *err)
{
    struct value document;
    char *text = NULL;
    size_t len = 0;
    const struct json_limits limits = {.bytes = APPROVAL_FILE_MAX};
    enum status status = state_read(directory, name, APPROVAL_FILE_MAX, &text, &len, err);

    *found = false;
    *out = (struct approval){0};
    if (status || !text)
        return status;
    status = json_read(a, (struct str){text, len}, &limits, &document, err);
    free(text);
    if (status)
        return status;
    struct question_file p = {.arena = a, .document = &document, .out = out};
    if (!arena_try(a, parse, &p))
        return fail(err, STATUS_NOMEM, "no memory to read a question");
    memcpy(out->digest, name, SHA256_HEX - 1);
    *found = p.complete;
    return STATUS_OK;
}

/* ---- offering ---- */

static enum status make_id(char out[APPROVAL_ID_MAX], struct error *err)
{
    static const char letters[] =
        "0123456789abcdefghjkmnpqrstvwxyz"; /* without characters that look alike */
    unsigned char bytes[APPROVAL_ID_MAX - 1];

    _Static_assert(sizeof(letters) == 33, "five bits each");
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return fail(err, STATUS_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof(bytes); i++)
        out[i] = letters[bytes[i] & 31];
    out[sizeof(bytes)] = '\0';
    return STATUS_OK;
}

static bool is_ours(const char *name)
{
    return strlen(name) > SHA256_HEX - 1 && strspn(name, "0123456789abcdef") == SHA256_HEX - 1 &&
           (strcmp(name + SHA256_HEX - 1, ".json") == 0 ||
            strcmp(name + SHA256_HEX - 1, ".ok") == 0);
}

typedef void each_name(int directory, const char *name, void *context);

static enum status for_each(int directory, each_name *visit, void *context, struct error *err)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = copy < 0 ? NULL : fdopendir(copy);
    struct dirent *e;

    if (!dir) {
        if (copy >= 0)
            close(copy);
        return fail(err, STATUS_IO, "cannot read " DIRECTORY ": %s", strerror(errno));
    }
    while ((e = readdir(dir)))
        if (is_ours(e->d_name))
            visit(directory, e->d_name, context);
    closedir(dir);
    return STATUS_OK;
}

struct sweep {
    int64_t now;
    size_t count;
};

/* By the file's own time, so that files that cannot be read are removed, too. */
static void sweep(int directory, const char *name, void *context)
{
    struct sweep *s = context;
    struct stat st;

    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        !is_fresh(st.st_mtim.tv_sec, s->now) && st.st_mtim.tv_sec < s->now)
        (void)unlinkat(directory, name, 0);
    else
        s->count++;
}

static enum status write_question(struct arena *a, int directory, const struct approval *approval,
                                  struct error *err)
{
    struct str text;
    char name[APPROVAL_NAME];

    name_of(approval->digest, ".json", name);
    if (!buf_try(a, print, approval, &text))
        return fail(err, STATUS_NOMEM, "no memory to write the question");
    if (text.len > APPROVAL_FILE_MAX)
        return fail(err, STATUS_LIMIT, "the question is larger than %zu bytes", APPROVAL_FILE_MAX);
    return state_replace(directory, name, text, err);
}

static enum status offer_in(struct arena *a, int directory, const struct approval_call *c,
                            struct approval *new, struct error *err)
{
    struct sweep s = {.now = c->now};
    struct approval old;
    char name[APPROVAL_NAME];
    bool found;
    enum status status = for_each(directory, sweep, &s, err);

    name_of(new->digest, ".json", name);
    if (!status)
        status = read_question(a, directory, name, &old, &found, err);
    if (!status && found && is_fresh(old.asked, c->now)) {
        memcpy(new->id, old.id, sizeof(new->id));
        return STATUS_OK;
    }
    if (!status && s.count >= APPROVALS_MAX)
        status = fail(err, STATUS_LIMIT, "more than %u questions are pending", APPROVALS_MAX);
    if (!status)
        status = make_id(new->id, err);
    return status ? status : write_question(a, directory, new, err);
}

enum status approval_offer(struct arena *a, const struct approval_call *c,
                           const struct panel *panel, char id[APPROVAL_ID_MAX], struct error *err)
{
    struct approval new = {.asked = c->now, .client = c->client, .panel = *panel};
    AUTO_CLOSE int directory = -1;
    AUTO_CLOSE int lock = -1;
    enum status status;

    id[0] = '\0';
    if (c->verdict->behavior != BEHAVIOR_ASK)
        return fail(err, STATUS_USAGE, "only what is asked can be approved");
    status = approval_digest(a, c, new.digest, err);
    if (!status)
        status = state_open(c->state_dir, DIRECTORY, &directory, err);
    if (!status)
        status = state_lock(directory, "lock", &lock, err);
    if (!status)
        status = offer_in(a, directory, c, &new, err);
    if (!status)
        memcpy(id, new.id, sizeof(new.id));
    return status;
}

/* ---- taking ---- */

/* "SECONDS\n": when it was approved. */
static bool read_time(const char *text, int64_t *out)
{
    struct value v = {.kind = VALUE_INTEGER, .text = str_trim(str_from(text))};

    return value_integer(&v, out);
}

enum status approval_take(struct arena *a, const struct approval_call *c, bool *taken,
                          struct error *err)
{
    char digest[SHA256_HEX], name[APPROVAL_NAME];
    AUTO_CLOSE int directory = -1;
    AUTO_FREE char *text = NULL;
    size_t len;
    int64_t granted;

    *taken = false;
    if (c->verdict->behavior != BEHAVIOR_ASK)
        return STATUS_OK;
    enum status status = state_find(c->state_dir, DIRECTORY, &directory, err);
    if (status || directory < 0)
        return status;
    if (approval_digest(a, c, digest, err) == STATUS_UNSAFE)
        return STATUS_OK; /* it was never offered */
    if (!digest[0])
        return err ? err->status : STATUS_NOMEM;
    name_of(digest, ".ok", name);
    status = state_read(directory, name, 64, &text, &len, err);
    if (status || !text)
        return status;
    bool fresh = read_time(text, &granted) && is_fresh(granted, c->now);
    /* The process whose unlink() succeeds has it; an approval that is too old is removed in any
     * case. */
    *taken = unlinkat(directory, name, 0) == 0 && fresh;
    return STATUS_OK;
}

/* ---- for the person ---- */

struct listing {
    struct arena *arena;
    struct approvals *out;
    struct approval next;
    int64_t now;
};

static void push(void *arg)
{
    struct listing *l = arg;

    LIST_PUSH(l->arena, l->out, l->next);
}

/* A file that cannot be read is not listed: it cannot be approved either. */
static void list_one(int directory, const char *name, void *context)
{
    struct listing *l = context;
    bool found;

    if (strcmp(name + SHA256_HEX - 1, ".json") == 0 &&
        read_question(l->arena, directory, name, &l->next, &found, NULL) == STATUS_OK && found &&
        is_fresh(l->next.asked, l->now))
        (void)arena_try(l->arena, push, l);
}

static int trust_old_scripts(const void *a, const void *b)
{
    const struct approval *x = a, *y = b;

    return x->asked != y->asked ? (x->asked < y->asked ? -1 : 1) : strcmp(x->id, y->id);
}

enum status approval_list(struct arena *a, const char *state_dir, int64_t now,
                          struct approvals *out, struct error *err)
{
    struct listing l = {.arena = a, .out = out, .now = now};
    AUTO_CLOSE int directory = -1;
    enum status status = state_find(state_dir, DIRECTORY, &directory, err);

    *out = (struct approvals){0};
    if (status || directory < 0)
        return status;
    status = for_each(directory, list_one, &l, err);
    if (out->count)
        qsort(out->items, out->count, sizeof(out->items[0]), trust_old_scripts);
    return status;
}

/* The question is removed first: the process that removes it answers it. */
static enum status remove_question(int directory, const struct approval *approval,
                                   struct error *err)
{
    char name[APPROVAL_NAME];

    name_of(approval->digest, ".json", name);
    if (unlinkat(directory, name, 0) < 0)
        return fail(err, STATUS_USAGE, "%s is no longer pending", approval->id);
    return STATUS_OK;
}

enum status approval_grant(const char *state_dir, const struct approval *approval, int64_t now,
                           struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_CLOSE int lock = -1;
    char name[APPROVAL_NAME], text[32];
    enum status status = state_open(state_dir, DIRECTORY, &directory, err);

    if (!status)
        status = state_lock(directory, "lock", &lock, err);
    if (!status && !is_fresh(approval->asked, now))
        status = fail(err, STATUS_USAGE, "%s has expired", approval->id);
    if (!status)
        status = remove_question(directory, approval, err);
    if (status)
        return status;
    name_of(approval->digest, ".ok", name);
    snprintf(text, sizeof(text), "%lld\n", (long long)now);
    return state_replace(directory, name, str_from(text), err);
}

enum status approval_refuse(const char *state_dir, const struct approval *approval,
                            struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = state_open(state_dir, DIRECTORY, &directory, err);

    return status ? status : remove_question(directory, approval, err);
}
