/* login.c - who speaks: a token becomes a caller.
 *
 * Each request has a token, and asking the database takes as long as judging a simple call. So what
 * it said is remembered, as long as nobody has written to it: a revocation counts at once. A write
 * changes the time of the file, or of its log. The kernel's time has a grain; only an answer that
 * was read well after the last write is remembered, so that the next write shows. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/sha256.h"
#include "record/state_db.h"
#include "record/token.h"
#include "service/service.h"

#define LOGINS_MAX 64  /* tokens that are remembered */
#define GRAIN_MS   100 /* far more than any grain of a file's time */

/* The database's file and its log, as they were. */
struct login_stamp {
    struct {
        dev_t device;
        ino_t number;
        off_t size;
        struct timespec written;
    } files[2];
};

struct logins {
    struct login {
        uint8_t digest[SHA256_BYTES]; /* of the token */
        struct login_stamp stamp;
        warder_caller caller;        /* WARDER_NOBODY: none */
        char expires_at[STAMP_SIZE]; /* "": never */
    } items[LOGINS_MAX];
};

struct logins *logins_new(void)
{
    return calloc(1, sizeof(struct logins));
}

/* ---- the database's files ---- */

static bool take_stamp(const warder_service *s, struct login_stamp *out)
{
    static const char *const ends[] = {"", "-wal"};
    char path[sizeof(s->data) + sizeof(STATE_DB_NAME) + 8];
    struct stat st;

    *out = (struct login_stamp){0}; /* it is compared as a whole */
    for (size_t i = 0; i < COUNT(ends); i++) {
        snprintf(path, sizeof(path), "%s/" STATE_DB_NAME "%s", s->data, ends[i]);
        if (lstat(path, &st) < 0)
            return false;
        out->files[i].device = st.st_dev;
        out->files[i].number = st.st_ino;
        out->files[i].size = st.st_size;
        out->files[i].written.tv_sec = st.st_mtim.tv_sec;
        out->files[i].written.tv_nsec = st.st_mtim.tv_nsec;
    }
    return true;
}

static int64_t to_ms(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000;
}

/* A write from now on will change the stamp. */
static bool is_settled(const struct login_stamp *stamp)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; i < COUNT(stamp->files); i++)
        if (to_ms(&now) - to_ms(&stamp->files[i].written) < GRAIN_MS)
            return false;
    return true;
}

/* ---- asking it ---- */

struct caller_lookup {
    warder_service *service;
    warder_caller *out;
    struct error err;
    bool failed;
    char *expires_at;
};

static bool recognise(const struct access_token *t, void *context)
{
    static const warder_role roles[] = {[TOKEN_NONE] = WARDER_NOBODY,
                                        [TOKEN_VIEWER] = WARDER_VIEWER,
                                        [TOKEN_WORKER] = WARDER_WORKER,
                                        [TOKEN_OPERATOR] = WARDER_OPERATOR};
    struct caller_lookup *r = context;

    r->failed = trusted_note(r->service->trusted, t->id, t->policy, &r->err) != STATUS_OK ||
                binding_note(r->service->bindings, t, &r->err) != STATUS_OK;
    if (r->failed)
        return false;
    r->out->role = roles[t->role];
    /* A session speaks for the token that it came from. */
    snprintf(r->out->id, sizeof(r->out->id), "%.*s",
             t->parent.len ? (int)t->parent.len : (int)strlen(t->id),
             t->parent.len ? t->parent.s : t->id);
    memcpy(r->expires_at, t->expires_at, sizeof(t->expires_at));
    snprintf(r->out->name, sizeof(r->out->name), "%.*s", (int)(t->name.len < 60 ? t->name.len : 60),
             t->name.len ? t->name.s : "");
    return true;
}

static warder_outcome look_up(warder_service *s, const char *token, warder_caller *out,
                              char expires_at[STAMP_SIZE], warder_error *err)
{
    struct caller_lookup r = {.service = s, .out = out, .expires_at = expires_at};
    struct error inner = {0};

    if (!store_readable(s, &inner) ||
        store_read(s, token_check(&s->db, str_from(token), recognise, &r, &inner), &inner) !=
            STATUS_OK)
        return outcome_failed(err, &inner);
    if (r.failed)
        return outcome_failed(err, &r.err);
    return out->role == WARDER_NOBODY ? outcome_say(err, WARDER_FORBIDDEN, "unknown token")
                                      : WARDER_DONE;
}

/* ---- the border ---- */

static struct login *place_of(struct logins *all, const char *token, uint8_t digest[SHA256_BYTES])
{
    struct sha256 h;

    sha256_init(&h);
    sha256_add(&h, str_from(token));
    sha256_end(&h, digest);
    return &all->items[digest[0] % LOGINS_MAX];
}

static bool has_expired(const char *at)
{
    char now[STAMP_SIZE];

    if (!at[0])
        return false;
    stamp_print(stamp_now(), now);
    return strcmp(at, now) <= 0;
}

warder_outcome warder_service_login(warder_service *s, const char *token, warder_caller *out,
                                    warder_error *err)
{
    uint8_t digest[SHA256_BYTES];
    char expires_at[STAMP_SIZE] = "";
    struct login_stamp now;
    enum token_kind kind;

    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or caller");
    *out = (warder_caller){0};
    if (!token)
        return outcome_say(err, WARDER_FORBIDDEN, "there is no token");
    if (token_kind_of(str_from(token), &kind) && kind == TOKEN_CODE)
        return outcome_say(err, WARDER_FORBIDDEN, "a code is not a token");
    struct login *known = place_of(s->logins, token, digest);
    bool stamped = take_stamp(s, &now);
    if (stamped && known->caller.role != WARDER_NOBODY &&
        memcmp(known->digest, digest, sizeof(digest)) == 0 &&
        memcmp(&known->stamp, &now, sizeof(now)) == 0 && !has_expired(known->expires_at)) {
        *out = known->caller;
        return WARDER_DONE;
    }
    bool settled = stamped && is_settled(&now); /* before it is read */
    warder_outcome outcome = look_up(s, token, out, expires_at, err);
    if (outcome == WARDER_DONE && settled) {
        memcpy(known->digest, digest, sizeof(digest));
        known->stamp = now;
        known->caller = *out;
        memcpy(known->expires_at, expires_at, sizeof(expires_at));
    }
    return outcome;
}
