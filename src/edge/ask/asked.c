#include "ask/asked.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "facts/session.h"
#include "policy/state.h"

#define DIRECTORY  "asked"
#define ASKED_NAME (SHA256_HEX + sizeof(".json"))

/* ---- names ---- */

/* Each part with its length, so that no two keys give the same bytes. */
static void add(struct sha256 *h, struct str part)
{
    char length[24];

    snprintf(length, sizeof(length), "%zu ", part.len);
    sha256_add(h, str_from(length));
    sha256_add(h, part);
}

static void end(struct sha256 *h, char out[SHA256_HEX])
{
    uint8_t hash[SHA256_BYTES];

    sha256_end(h, hash);
    sha256_hex(hash, out);
}

void asked_hash(struct arena *a, struct str tool, const struct value *input, char out[SHA256_HEX])
{
    struct buf text = buf_in(a);
    struct sha256 h;

    json_value(&text, input);
    sha256_init(&h);
    add(&h, tool);
    add(&h, buf_str(&text));
    end(&h, out);
}

static void name_of(const struct asked_key *key, char out[ASKED_NAME])
{
    struct sha256 h;
    char hex[SHA256_HEX];

    sha256_init(&h);
    add(&h, key->client);
    add(&h, key->session);
    add(&h, key->use_id.len ? STR("use") : STR("call"));
    add(&h, key->use_id.len ? key->use_id : str_from(key->call));
    end(&h, hex);
    snprintf(out, ASKED_NAME, "%s.json", hex);
}

static bool is_ours(const char *name)
{
    size_t len = strspn(name, "0123456789abcdef");

    return len == SHA256_HEX - 1 && strcmp(name + len, ".json") == 0;
}

static bool is_fresh(int64_t since, int64_t now)
{
    return now >= since && now - since < ASKED_SECONDS;
}

/* ---- keeping ---- */

/* Removes what is too old, and the oldest where there are too many. Under the lock. */
static void make_room(int directory, int64_t now)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    char oldest[ASKED_NAME] = "";
    struct stat st, first = {0};
    const struct dirent *e;
    size_t count = 0;

    if (!d && copy >= 0)
        close(copy);
    while (d && (e = readdir(d))) {
        if (!is_ours(e->d_name) || fstatat(directory, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        if (st.st_mtime < now && !is_fresh(st.st_mtime, now)) {
            (void)unlinkat(directory, e->d_name, 0);
            continue;
        }
        if (count++ == 0 || st.st_mtime < first.st_mtime) {
            memcpy(oldest, e->d_name, strlen(e->d_name) + 1); /* is_ours() fixes its length */
            first = st;
        }
    }
    if (d)
        closedir(d);
    if (count >= ASKED_MAX)
        (void)unlinkat(directory, oldest, 0);
}

/* The texts, and their keys in the file. */
static const struct {
    const char *key;
    size_t offset;
} texts[] = {
    {"id", offsetof(struct asked, id)},           {"worker", offsetof(struct asked, worker)},
    {"project", offsetof(struct asked, project)}, {"cwd", offsetof(struct asked, cwd)},
    {"mode", offsetof(struct asked, mode)},       {"profile", offsetof(struct asked, profile)},
    {"policy", offsetof(struct asked, policy)},   {"digest", offsetof(struct asked, digest)},
};

static struct str *text_in(struct asked *asked, size_t i)
{
    return (struct str *)(void *)((char *)asked + texts[i].offset);
}

struct asked_text {
    const struct asked_key *key;
    struct asked asked;
};

static void print(struct buf *out, const void *about)
{
    const struct asked_text *t = about;
    struct asked asked = t->asked;
    const struct {
        const char *key;
        int64_t number;
    } numbers[] = {{"at", asked.at},
                   {"pid", asked.from.pid},
                   {"started", asked.from.started},
                   {"brought", asked.brought}};
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    json_text_member(&w, "call", str_from(t->key->call));
    for (size_t i = 0; i < COUNT(texts); i++)
        json_text_member(&w, texts[i].key, *text_in(&asked, i));
    for (size_t i = 0; i < COUNT(numbers); i++) {
        json_key(&w, numbers[i].key);
        json_int(&w, numbers[i].number);
    }
    json_key(&w, "brings");
    json_bool(&w, asked.brings);
    json_strings(&w, "agreements", &asked.agreements);
    json_end_object(&w);
    buf_byte(out, '\n');
}

enum status asked_keep(struct arena *a, const struct asked_key *key, const struct asked *asked,
                       struct error *err)
{
    const struct asked_text t = {key, *asked};
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    char name[ASKED_NAME];
    struct str text;
    enum status status;

    if (!buf_try(a, print, &t, &text))
        return fail(err, STATUS_NOMEM, "no memory to write the question");
    if (text.len > ASKED_FILE_MAX)
        return fail(err, STATUS_LIMIT, "the question is larger than %zu bytes", ASKED_FILE_MAX);
    if ((status = state_open(key->state_dir, DIRECTORY, &directory, err)) != STATUS_OK ||
        (status = state_lock(directory, "lock", &lock, err)) != STATUS_OK)
        return status;
    make_room(directory, asked->at);
    name_of(key, name);
    return state_replace(directory, name, text, err);
}

void asked_drop(const struct asked_key *key)
{
    AUTO_CLOSE int directory = -1;
    char name[ASKED_NAME];

    if (state_find(key->state_dir, DIRECTORY, &directory, NULL) != STATUS_OK || directory < 0)
        return;
    name_of(key, name);
    (void)unlinkat(directory, name, 0);
}

/* ---- taking ---- */

struct asked_reading {
    struct arena *arena;
    struct str text;
    struct asked *out;
    struct str call;
    bool complete;
};

static bool read_number(const struct value *v, const char *key, int64_t *out)
{
    const struct value *n = value_get(v, key);

    return n && value_integer(n, out) && *out >= 0;
}

static bool read_agreements(struct arena *a, const struct value *list, struct strs *out)
{
    if (!list || list->kind != VALUE_ARRAY || list->count > SESSION_AGREEMENTS_MAX)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != VALUE_STRING || list->items[i].text.len != SHA256_HEX - 1)
            return false;
        LIST_PUSH(a, out, list->items[i].text);
    }
    return true;
}

static void read_file(void *arg)
{
    struct asked_reading *r = arg;
    struct value *v = ARENA_NEW(r->arena, struct value);
    const struct value *brings;
    int64_t brought;

    if (json_read(r->arena, r->text, NULL, v, NULL) != STATUS_OK)
        return;
    brings = value_get(v, "brings");
    r->call = value_text(v, "call");
    for (size_t i = 0; i < COUNT(texts); i++)
        *text_in(r->out, i) = value_text(v, texts[i].key);
    r->complete = r->out->id.len && brings && brings->kind == VALUE_BOOL &&
                  read_number(v, "at", &r->out->at) && read_number(v, "pid", &r->out->from.pid) &&
                  read_number(v, "started", &r->out->from.started) &&
                  read_number(v, "brought", &brought) && brought <= UINT32_MAX &&
                  read_agreements(r->arena, value_get(v, "agreements"), &r->out->agreements);
    if (!r->complete)
        return;
    r->out->brings = brings->boolean;
    r->out->brought = (uint32_t)brought;
}

enum status asked_take(struct arena *a, const struct asked_key *key, const struct proc_id *from,
                       int64_t now, struct asked *out, bool *found, struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_FREE char *text = NULL;
    char name[ASKED_NAME];
    struct asked_reading r = {.arena = a, .out = out};
    enum status status = state_find(key->state_dir, DIRECTORY, &directory, err);

    *found = false;
    *out = (struct asked){0};
    if (status != STATUS_OK || directory < 0)
        return status;
    name_of(key, name);
    status = state_read(directory, name, ASKED_FILE_MAX, &text, &r.text.len, err);
    if (status != STATUS_OK || !text)
        return status;
    r.text.s = text;
    if (!arena_try(a, read_file, &r))
        return fail(err, STATUS_NOMEM, "no memory to read the question");
    *found = r.complete && str_is(r.call, key->call) && is_fresh(out->at, now) &&
             out->from.pid == from->pid && out->from.started == from->started &&
             unlinkat(directory, name, 0) == 0;
    return STATUS_OK;
}
