#include "engine/session_memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/list.h"
#include "base/sha256.h"
#include "machine/disk_memory.h"
#include "machine/local.h"

#define GRANT_LEN ((size_t)SHA256_HEX - 1)

/* An entry without a name is free. */
struct kept {
    struct stat seen; /* its file, before it was read */
    struct session session;
    char *text; /* malloc'ed: client, session, workspace, grants, and the path of the file */
    size_t client, name, workspace, grants;
};

struct session_memory {
    int64_t (*now)(void);
    struct kept slots[SESSION_MEMORY_SLOTS];
};

struct session_memory *session_memory_new(int64_t (*now)(void))
{
    struct session_memory *m = calloc(1, sizeof(*m));

    if (m)
        m->now = now;
    return m;
}

static void forget(struct kept *k)
{
    free(k->text);
    *k = (struct kept){0};
}

void session_memory_free(struct session_memory *m)
{
    for (size_t i = 0; m && i < SESSION_MEMORY_SLOTS; i++)
        forget(&m->slots[i]);
    free(m);
}

/* ---- the file ---- */

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           a->st_mode == b->st_mode && a->st_uid == b->st_uid && a->st_nlink == b->st_nlink &&
           is_same_time(a->st_ctim, b->st_ctim) && is_same_time(a->st_mtim, b->st_mtim);
}

/* If the clock was set back, the result of session_load() is not kept. */
static bool is_ahead(const struct session_memory *m, const struct session *s)
{
    return s->began > m->now() / 1000;
}

/* ---- what is kept ---- */

static struct kept *slot_of(struct session_memory *m, const struct session_id *id)
{
    return &m->slots[(str_hash(id->session) ^ str_hash(id->client)) % SESSION_MEMORY_SLOTS];
}

static bool is_of(const struct kept *k, const struct session_id *id)
{
    return k->text && str_eq((struct str){k->text, k->client}, id->client) &&
           str_eq((struct str){k->text + k->client, k->name}, id->session);
}

static const char *path_of(const struct kept *k)
{
    return k->text + k->client + k->name + k->workspace + k->grants * GRANT_LEN;
}

static char *put(char *at, struct str text)
{
    if (text.len)
        memcpy(at, text.s, text.len);
    return at + text.len;
}

static void keep(struct kept *k, const struct session_id *id, const struct session *s,
                 const char *path, const struct stat *seen)
{
    size_t path_size = strlen(path) + 1;
    size_t size = id->client.len + id->session.len + s->workspace.len +
                  s->grants.count * GRANT_LEN + path_size;

    forget(k);
    if (size > SESSION_MEMORY_BYTES || !(k->text = malloc(size)))
        return;
    *k = (struct kept){.seen = *seen,
                       .session = *s,
                       .text = k->text,
                       .client = id->client.len,
                       .name = id->session.len,
                       .workspace = s->workspace.len,
                       .grants = s->grants.count};
    char *at = put(put(put(k->text, id->client), id->session), s->workspace);
    for (size_t i = 0; i < s->grants.count; i++)
        at = put(at, s->grants.items[i]);
    memcpy(at, path, path_size);
}

/* ---- meeting ---- */

struct session_copy {
    struct arena *arena;
    const struct kept *kept;
    struct session *out;
};

static void recall(void *arg)
{
    struct session_copy *r = arg;
    const struct kept *k = r->kept;
    struct str text = str_copy(r->arena, (struct str){k->text + k->client + k->name,
                                                      k->workspace + k->grants * GRANT_LEN});

    *r->out = k->session;
    r->out->workspace = str_slice(text, 0, k->workspace);
    r->out->grants = (struct strs){0};
    for (size_t at = k->workspace; at < text.len; at += GRANT_LEN)
        LIST_PUSH(r->arena, &r->out->grants, str_slice(text, at, at + GRANT_LEN));
}

static bool remembers(const struct session_memory *m, struct kept *k, struct arena *a,
                      const struct session_id *id, struct session *out)
{
    struct session_copy r = {a, k, out};
    struct stat now;

    if (!is_of(k, id))
        return false;
    if (lstat(path_of(k), &now) != 0 || !is_same(&now, &k->seen) || is_ahead(m, &k->session)) {
        forget(k);
        return false;
    }
    return arena_try(a, recall, &r);
}

/* May what is read of the file from now on be kept? */
static bool has_rested(const struct session_memory *m, const char *path, struct stat *out)
{
    return lstat(path, out) == 0 && S_ISREG(out->st_mode) && out->st_nlink == 1 &&
           (int64_t)out->st_ctim.tv_sec * 1000 + out->st_ctim.tv_nsec / 1000000 <=
               m->now() - SESSION_MEMORY_RESTED &&
           local_keeps_times(path);
}

enum status session_memory_meet(struct session_memory *m, struct arena *a,
                                const struct session_id *id, struct session *out, struct error *err)
{
    char name[SESSION_NAME_MAX], path[PATH_MAX];
    struct stat seen;

    if (!m || id->session.len == 0)
        return session_meet(a, id, out, err);
    struct kept *k = slot_of(m, id);
    if (remembers(m, k, a, id, out))
        return STATUS_OK;
    session_name(id, name);
    int len = snprintf(path, sizeof(path), "%s/" SESSIONS_BELOW "/%s", id->state_dir, name);
    bool rested = len > 0 && len < (int)sizeof(path) && has_rested(m, path, &seen);
    enum status status = session_meet(a, id, out, err);
    if (rested && status == STATUS_OK && !out->fresh && !out->programs.count &&
        !out->agreements.count && !out->approvals.count && !out->given.len && !is_ahead(m, out))
        keep(k, id, out, path, &seen);
    return status;
}
