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

#include "ask/approval_parts.h"
#include "base/auto.h"
#include "base/json.h"
#include "policy/state.h"

#define DIRECTORY     "approvals"
#define SESSION_HEX   16                             /* of the session's hash, in a name */
#define APPROVAL_NAME (SHA256_HEX + SESSION_HEX + 8) /* DIGEST-SESSION.json */

static void question_name(const struct approval *approval, char out[APPROVAL_NAME])
{
    snprintf(out, APPROVAL_NAME, "%s-%.*s.json", approval->digest, SESSION_HEX, approval->session);
}

static void answer_name(const char *digest, char out[APPROVAL_NAME])
{
    snprintf(out, APPROVAL_NAME, "%s.ok", digest);
}

/* A clock that was set back makes nothing fresh again. */
static bool is_fresh(int64_t since, int64_t now)
{
    return now >= since && now - since < APPROVAL_SECONDS;
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

static const char hex_digits[] = "0123456789abcdef";

/* What follows the digest in the name of a question; NULL: it is none. */
static const char *session_in(const char *name)
{
    const char *rest = name + SHA256_HEX - 1;

    if (strspn(name, hex_digits) != SHA256_HEX - 1 || rest[0] != '-' ||
        strspn(rest + 1, hex_digits) != SESSION_HEX || strcmp(rest + 1 + SESSION_HEX, ".json") != 0)
        return NULL;
    return rest + 1;
}

static bool is_answer(const char *name)
{
    return strspn(name, hex_digits) == SHA256_HEX - 1 && strcmp(name + SHA256_HEX - 1, ".ok") == 0;
}

static bool is_ours(const char *name)
{
    return session_in(name) || is_answer(name);
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
    const char *session; /* whose questions are counted apart; NULL: none */
    size_t own;
    char oldest[APPROVAL_NAME];
    struct timespec since; /* of that one */
};

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

static void count_own(struct sweep *s, const char *name, const struct timespec *since)
{
    const char *session = session_in(name);

    if (!s->session || !session || strncmp(session, s->session, SESSION_HEX) != 0)
        return;
    if (s->own++ == 0 || is_before(since, &s->since)) {
        snprintf(s->oldest, sizeof(s->oldest), "%s", name);
        s->since = *since;
    }
}

/* By the file's own time, so that files that cannot be read are removed, too. */
static void sweep(int directory, const char *name, void *context)
{
    struct sweep *s = context;
    struct stat st;

    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    if (!is_fresh(st.st_mtim.tv_sec, s->now) && st.st_mtim.tv_sec < s->now) {
        (void)unlinkat(directory, name, 0);
        return;
    }
    s->count++;
    count_own(s, name, &st.st_mtim);
}

void approval_sweep(const char *state_dir, int64_t now)
{
    struct sweep s = {.now = now};
    AUTO_CLOSE int directory = -1;

    if (state_find(state_dir, DIRECTORY, &directory, NULL) == STATUS_OK && directory >= 0)
        (void)for_each(directory, sweep, &s, NULL);
}

static enum status write_question(struct arena *a, int directory, const struct new_question *new,
                                  struct error *err)
{
    struct str text;
    char name[APPROVAL_NAME];

    question_name(&new->approval, name);
    if (!buf_try(a, question_print, new, &text))
        return fail(err, STATUS_NOMEM, "no memory to write the question");
    if (text.len > APPROVAL_FILE_MAX)
        return fail(err, STATUS_LIMIT, "the question is larger than %zu bytes", APPROVAL_FILE_MAX);
    return state_replace(directory, name, text, err);
}

/* A session that asks without end takes the room of its own questions only. */
static enum status make_place(int directory, const struct sweep *s, struct error *err)
{
    if (s->own >= APPROVALS_SESSION_MAX && unlinkat(directory, s->oldest, 0) == 0)
        return STATUS_OK;
    if (s->count >= APPROVALS_MAX)
        return fail(err, STATUS_LIMIT, "more than %u questions are pending", APPROVALS_MAX);
    return STATUS_OK;
}

static enum status offer_in(struct arena *a, int directory, const struct approval_call *c,
                            struct new_question *new, struct error *err)
{
    struct sweep s = {.now = c->now, .session = new->approval.session};
    struct approval old;
    char name[APPROVAL_NAME];
    bool found;
    enum status status = for_each(directory, sweep, &s, err);

    question_name(&new->approval, name);
    if (!status)
        status = question_read(a, directory, name, &old, &found, err);
    if (!status && found && is_fresh(old.asked, c->now)) {
        memcpy(new->approval.id, old.id, sizeof(old.id));
        new->again = true;
        return STATUS_OK;
    }
    if (!status)
        status = make_place(directory, &s, err);
    if (!status)
        status = make_id(new->approval.id, err);
    return status ? status : write_question(a, directory, new, err);
}

enum status approval_offer(struct arena *a, const struct approval_call *c,
                           const struct panel *panel, char id[APPROVAL_ID_MAX], bool *again,
                           struct error *err)
{
    struct approval_bond bond;
    struct new_question new = {.approval = {.asked = c->now, .client = c->client, .panel = *panel},
                               .files = &bond.bound.files};
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    enum status status;

    id[0] = '\0';
    if (c->verdict->behavior != BEHAVIOR_ASK)
        return fail(err, STATUS_USAGE, "only what is asked can be approved");
    status = approval_bind(a, c, &bond, err);
    memcpy(new.approval.digest, bond.digest, sizeof(bond.digest));
    memcpy(new.approval.call, bond.call, sizeof(bond.call));
    memcpy(new.approval.session, bond.session, sizeof(bond.session));
    if (!status)
        status = state_open(c->state_dir, DIRECTORY, &directory, err);
    if (!status)
        status = state_lock(directory, "lock", &lock, err);
    if (!status)
        status = offer_in(a, directory, c, &new, err);
    if (!status)
        memcpy(id, new.approval.id, sizeof(new.approval.id));
    if (again)
        *again = new.again;
    return status;
}

/* ---- taking ---- */

/* {"granted": SECONDS, "call": HASH, "files": [...]} */
static bool is_granted(const struct value *document, int64_t now)
{
    const struct value *granted = value_get(document, "granted");
    int64_t since;

    return granted && value_integer(granted, &since) && is_fresh(since, now);
}

enum status approval_take(struct arena *a, const struct approval_call *c, bool *taken,
                          struct error *err)
{
    struct approval_bond bond;
    struct value *document = NULL;
    char name[APPROVAL_NAME];
    AUTO_CLOSE int directory = -1;

    *taken = false;
    if (c->verdict->behavior != BEHAVIOR_ASK)
        return STATUS_OK;
    enum status status = state_find(c->state_dir, DIRECTORY, &directory, err);
    if (status || directory < 0)
        return status;
    (void)for_each(directory, sweep, &(struct sweep){.now = c->now}, NULL);
    status = approval_bind(a, c, &bond, err);
    if (status)
        return status == STATUS_UNSAFE ? STATUS_OK : status; /* such a call is never offered */
    answer_name(bond.digest, name);
    status = approval_document(a, directory, name, &document, err);
    if (status || !document)
        return status;
    /* The process whose unlink() succeeds has it; an approval that is too old is removed in any
     * case. */
    *taken = unlinkat(directory, name, 0) == 0 && is_granted(document, c->now);
    return STATUS_OK;
}

struct search {
    struct arena *arena;
    const struct approval_bond *bond;
    int64_t now;
    struct str changed;
};

static void search_answer(int directory, const char *name, void *context)
{
    struct search *s = context;
    struct value *document = NULL;

    if (s->changed.len || !is_answer(name) ||
        approval_document(s->arena, directory, name, &document, NULL) || !document)
        return;
    if (str_is(value_text(document, "call"), s->bond->call) && is_granted(document, s->now))
        s->changed = bound_changed(value_get(document, "files"), &s->bond->bound.files);
}

struct str approval_outdated(struct arena *a, const struct approval_call *c)
{
    struct approval_bond bond;
    struct search s = {.arena = a, .bond = &bond, .now = c->now};
    AUTO_CLOSE int directory = -1;

    if (c->verdict->behavior != BEHAVIOR_ASK || approval_bind(a, c, &bond, NULL) != STATUS_OK ||
        state_find(c->state_dir, DIRECTORY, &directory, NULL) != STATUS_OK || directory < 0)
        return (struct str){0};
    (void)for_each(directory, search_answer, &s, NULL);
    return s.changed;
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

    if (session_in(name) &&
        question_read(l->arena, directory, name, &l->next, &found, NULL) == STATUS_OK && found &&
        is_fresh(l->next.asked, l->now))
        (void)arena_try(l->arena, push, l);
}

static int older_first(const void *a, const void *b)
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
    (void)for_each(directory, sweep, &(struct sweep){.now = now}, NULL);
    status = for_each(directory, list_one, &l, err);
    if (out->count)
        qsort(out->items, out->count, sizeof(out->items[0]), older_first);
    return status;
}

/* The question is removed first: the process that removes it answers it. */
static enum status remove_question(int directory, const struct approval *approval,
                                   struct error *err)
{
    char name[APPROVAL_NAME];

    question_name(approval, name);
    if (unlinkat(directory, name, 0) < 0)
        return fail(err, STATUS_USAGE, "%s is no longer pending", approval->id);
    return STATUS_OK;
}

struct grant {
    const struct approval *approval;
    int64_t now;
};

static void print_grant(struct buf *out, const void *about)
{
    const struct grant *g = about;
    struct json_writer w = json_to(out);

    json_begin_object(&w);
    json_key(&w, "granted");
    json_int(&w, g->now);
    json_text_member(&w, "call", str_from(g->approval->call));
    if (g->approval->files) {
        json_key(&w, "files");
        json_any(&w, g->approval->files);
    }
    json_end_object(&w);
    buf_byte(out, '\n');
}

enum status approval_grant(const char *state_dir, const struct approval *approval, int64_t now,
                           struct error *err)
{
    AUTO_CLOSE int directory = -1;
    AUTO_UNLOCK int lock = -1;
    char name[APPROVAL_NAME];
    struct arena room;
    struct str text;
    struct grant grant = {approval, now};
    enum status status = state_open(state_dir, DIRECTORY, &directory, err);

    if (!status)
        status = state_lock(directory, "lock", &lock, err);
    if (!status && !is_fresh(approval->asked, now))
        status = fail(err, STATUS_USAGE, "%s has expired", approval->id);
    if (!status)
        status = remove_question(directory, approval, err);
    if (status)
        return status;
    answer_name(approval->digest, name);
    arena_init(&room, APPROVAL_FILE_MAX);
    status = buf_try(&room, print_grant, &grant, &text)
                 ? state_replace(directory, name, text, err)
                 : fail(err, STATUS_NOMEM, "no memory to write the approval");
    arena_release(&room);
    return status;
}

enum status approval_refuse(const char *state_dir, const struct approval *approval,
                            struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = state_open(state_dir, DIRECTORY, &directory, err);

    return status ? status : remove_question(directory, approval, err);
}
