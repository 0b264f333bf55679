#include "ask/cells.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "machine/brief.h"
#include "machine/entries.h"
#include "machine/own.h"
#include "machine/passwd.h"
#include "policy/image.h"
#include "policy/state.h"

#define BOOT_FILE      "/proc/sys/kernel/random/boot_id"
#define TIER_PLACE     ".cache/warder"
#define TIER_NAME      "cell"
#define TIER_MAX       ((size_t)1024)
#define STATE_PLACE    ".local/state/warder"
#define CELLS          "cells"
#define IGNORED        "ignored-"
#define HIDDEN         "hidden"
#define OUTSIDE        "outside-"
#define RAN            "ran-" /* as prog/cell/token.c names them */
#define RAN_DIGITS     12
#define LEFT           "left-" /* likewise */
#define PLAN_MAX       ((size_t)4000000)
#define HASH_DIGITS    16 /* of a name: enough to tell the calls of one user apart */
#define PAUSES         50 /* how often a token is looked at that should be used by now, */
#define PAUSE_NS       10000000L
#define TOKEN_LEN      (CELL_TOKEN_SIZE - 1)
#define CLIENT_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

/* ---- places ---- */

bool cells_are_in(const char *home)
{
    char own[PASSWD_LINE_MAX];

    if (!home || brief_has_home(home))
        return home != NULL;
    bool is = passwd_home(PASSWD_FILE, geteuid(), own, NULL) == STATUS_OK && strcmp(own, home) == 0;
    if (is)
        brief_keep_home(home);
    return is;
}

static bool place(const char *home, const char *below, char out[PATH_MAX])
{
    return cells_are_in(home) && snprintf(out, PATH_MAX, "%s/%s", home, below) < PATH_MAX;
}

/* -1: there is none, or it is not ours alone. Whose home it is, is asked last: most have none. */
static int find_cells(const char *home)
{
    char path[PATH_MAX];
    AUTO_CLOSE int directory = -1;

    if (!home || snprintf(path, sizeof(path), "%s/" STATE_PLACE, home) >= PATH_MAX ||
        state_find(path, CELLS, &directory, NULL) != STATUS_OK || directory < 0 ||
        !cells_are_in(home))
        return -1;
    int found = directory;
    directory = -1;
    return found;
}

/* ---- the machine ---- */

static bool read_boot(char out[CELL_BOOT_SIZE])
{
    AUTO_CLOSE int fd = openat(AT_FDCWD, BOOT_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, out, CELL_BOOT_SIZE - 1);

    out[len > 0 ? len : 0] = '\0';
    return len == CELL_BOOT_SIZE - 1 &&
           strspn(out, "0123456789abcdef-") == (size_t)(CELL_BOOT_SIZE - 1);
}

/* It is the same for as long as a process can live. */
bool cells_boot(char out[CELL_BOOT_SIZE])
{
    static _Thread_local char boot[CELL_BOOT_SIZE];

    if (!boot[0] && !read_boot(boot))
        boot[0] = '\0';
    memcpy(out, boot, sizeof(boot));
    return boot[0] != '\0';
}

void cells_build(char out[CELL_BUILD_SIZE])
{
    snprintf(out, CELL_BUILD_SIZE, "%016" PRIx64, image_build());
}

struct tier_reading {
    struct arena *arena;
    struct str text;
    enum cell_tier tier;
    bool counts; /* it is of this start of the machine and this build */
};

static void read_tier(void *arg)
{
    struct tier_reading *r = arg;
    char boot[CELL_BOOT_SIZE], build[CELL_BUILD_SIZE];
    struct value v = {0};

    cells_build(build);
    r->counts = json_read(r->arena, r->text, NULL, &v, NULL) == STATUS_OK && cells_boot(boot) &&
                str_is(value_text(&v, "boot"), boot) && str_is(value_text(&v, "build"), build) &&
                cell_tier_parse(value_text(&v, "tier"), &r->tier);
}

static bool alarm_name(struct str client, char out[64])
{
    return client.len && client.len < 32 &&
           snprintf(out, 64, IGNORED "%.*s", STR_ARG(client)) < 64 &&
           strspn(out, CLIENT_LETTERS) == strlen(out);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* Has the client ignored an answer since a person has asked for `warder sandbox check`? */
static bool is_ignored(const char *home, int tier_directory, struct str client)
{
    char path[PATH_MAX], name[64];
    struct stat alarm, tier;

    if (!alarm_name(client, name) ||
        snprintf(path, sizeof(path), "%s/" STATE_PLACE "/" CELLS "/%s", home, name) >= PATH_MAX)
        return true;
    if (lstat(path, &alarm) != 0)
        return errno != ENOENT;
    return fstatat(tier_directory, TIER_NAME, &tier, AT_SYMLINK_NOFOLLOW) != 0 ||
           !is_later(&tier.st_mtim, &alarm.st_mtim);
}

/* False: there is no file, or it says nothing of this start of the machine and this build. */
static bool read_kept(int directory, enum cell_tier *out)
{
    AUTO_FREE char *text = NULL;
    struct arena arena;
    size_t len = 0;

    if (state_read(directory, TIER_NAME, TIER_MAX, &text, &len, NULL) != STATUS_OK || !text)
        return false;
    arena_init(&arena, TIER_MAX * 64);
    struct tier_reading r = {.arena = &arena, .text = {text, len}};
    const bool counts = arena_try(&arena, read_tier, &r) && r.counts;
    arena_release(&arena);
    *out = r.tier;
    return counts;
}

enum cell_tier cells_tier(const char *home, struct str client, bool *untried)
{
    char path[PATH_MAX];
    AUTO_CLOSE int directory = -1;
    enum cell_tier tier = CELL_NONE;

    *untried = false;
    if (!place(home, TIER_PLACE, path))
        return CELL_NONE;
    if (own_open_directory(path, &directory, NULL) != STATUS_OK || !read_kept(directory, &tier)) {
        *untried = true;
        return CELL_NONE;
    }
    return is_ignored(home, directory, client) ? CELL_NONE : tier;
}

bool cells_beside(struct str self, const char *name, char *out, size_t room)
{
    size_t slash = str_last_index(self, '/');

    return slash != STR_NONE &&
           snprintf(out, room, "%.*s/%s", (int)slash, self.s, name) < (int)room &&
           access(out, X_OK) == 0;
}

bool cells_program(struct str beside, char *out, size_t room)
{
    static const char plain[] =
        "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@";

    return cells_beside(beside, "warder-cell", out, room) && out[strspn(out, plain)] == '\0';
}

static bool is_token(const char *name)
{
    return strlen(name) == TOKEN_LEN && strspn(name, "0123456789abcdef") == TOKEN_LEN;
}

/* ran-UNTIL-TOKEN: the token; NULL: it is no such name. */
static const char *token_of_ran(const char *name, int64_t *until)
{
    const char *digits = name + strlen(RAN);

    if (strncmp(name, RAN, strlen(RAN)) != 0 || strspn(digits, "0123456789") != RAN_DIGITS ||
        digits[RAN_DIGITS] != '-' || !is_token(digits + RAN_DIGITS + 1))
        return NULL;
    *until = strtoll(digits, NULL, 10);
    return digits + RAN_DIGITS + 1;
}

static bool is_there(int directory, const char *name, struct stat *st)
{
    return fstatat(directory, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* ---- tokens ---- */

bool cells_new_token(char out[CELL_TOKEN_SIZE])
{
    uint8_t bytes[TOKEN_LEN / 2];

    out[0] = '\0';
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    *str_hex(out, bytes, sizeof(bytes)) = '\0';
    return true;
}

static void hash_of(struct str one, struct str two, char out[HASH_DIGITS + 1])
{
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    sha256_init(&h);
    sha256_add_part(&h, one);
    sha256_add_part(&h, two);
    sha256_end(&h, hash);
    *str_hex(out, hash, HASH_DIGITS / 2) = '\0';
}

void cells_name_call(const struct cell_call *call, char out[CELL_CALL_SIZE])
{
    char session[HASH_DIGITS + 1], use[HASH_DIGITS + 1];

    hash_of(call->client, call->session, session);
    hash_of(call->session, call->use, use);
    snprintf(out, CELL_CALL_SIZE, "%s.%s", session, use);
}

static enum status put_file(int directory, const char *name, struct str text, struct error *err)
{
    AUTO_CLOSE int fd =
        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0)
        return fail(err, STATUS_IO, "cannot make a token: %s", strerror(errno));
    enum status status = own_write(fd, name, text, err);
    if (status != STATUS_OK)
        (void)unlinkat(directory, name, 0);
    return status;
}

enum status cells_open(const char *home, int *directory, struct error *err)
{
    char path[PATH_MAX];

    *directory = -1;
    if (!place(home, STATE_PLACE, path))
        return fail(err, STATUS_USAGE, "the home is not the one of the user database");
    enum status status = state_find(path, CELLS, directory, err);
    return status == STATUS_OK && *directory < 0 ? state_open(path, CELLS, directory, err) : status;
}

bool cells_is_unused(const char *home, struct str token)
{
    AUTO_CLOSE int directory = -1;
    char name[CELL_TOKEN_SIZE];
    struct stat st;

    return token.len < sizeof(name) && cells_open(home, &directory, NULL) == STATUS_OK &&
           snprintf(name, sizeof(name), "%.*s", STR_ARG(token)) > 0 &&
           is_there(directory, name, &st);
}

enum status cells_put(int directory, const char *token, struct str plan, struct error *err)
{
    return put_file(directory, token, plan, err);
}

/* ---- outside, once ---- */

/* The name of the kept plan; false: it is not there. */
static bool find_ran(int directory, const char *token, char out[NAME_MAX + 1])
{
    struct entries all;
    const struct entry *entry;
    int64_t until;

    entries_of(&all, directory);
    while ((entry = entries_next(&all))) {
        const char *of = token_of_ran(entry->name, &until);
        if (of && strcmp(of, token) == 0 && until > (int64_t)time(NULL)) {
            snprintf(out, NAME_MAX + 1, "%s", entry->name);
            return true;
        }
    }
    return false;
}

enum status cells_find_plan(const char *home, const char *token, char **text, size_t *len,
                            struct error *err)
{
    AUTO_CLOSE int directory = find_cells(home);
    char name[NAME_MAX + 1];

    *text = NULL;
    if (directory < 0 || !is_token(token))
        return fail(err, STATUS_USAGE, "nothing is kept of that call");
    if (!find_ran(directory, token, name))
        snprintf(name, sizeof(name), "%s", token); /* it has not run yet */
    enum status status = state_read(directory, name, PLAN_MAX, text, len, err);
    return status == STATUS_OK && !*text
               ? fail(err, STATUS_USAGE,
                      "nothing is kept of that call any more: let the agent call it again")
               : status;
}

static bool outside_name(const char *id, char out[64])
{
    return strlen(id) == CELL_OUTSIDE_SIZE - 1 && strspn(id, "0123456789abcdef") == strlen(id) &&
           snprintf(out, 64, OUTSIDE "%s", id) < 64;
}

enum status cells_let_outside(const char *home, const char *id, const char *files,
                              struct error *err)
{
    char name[64];
    AUTO_CLOSE int directory = -1;

    if (!outside_name(id, name))
        return fail(err, STATUS_USAGE, "no call that ran in the sandbox has this ID");
    enum status status = cells_open(home, &directory, err);
    if (status != STATUS_OK)
        return status;
    (void)unlinkat(directory, name, 0); /* the last yes counts */
    return put_file(directory, name, str_from(files), err);
}

bool cells_take_outside(int directory, const char *id)
{
    char name[64];

    return outside_name(id, name) && unlinkat(directory, name, 0) == 0;
}

bool cells_see_outside(int directory, const char *id, char files[SHA256_HEX])
{
    char name[64];
    AUTO_FREE char *text = NULL;
    size_t len = 0;
    struct stat st;

    if (!outside_name(id, name) || !is_there(directory, name, &st))
        return false;
    const int64_t age = (int64_t)time(NULL) - (int64_t)st.st_mtim.tv_sec;
    if (age < 0 || age >= CELL_SECONDS) {
        (void)unlinkat(directory, name, 0);
        return false;
    }
    if (state_read(directory, name, SHA256_HEX, &text, &len, NULL) != STATUS_OK || !text ||
        len != SHA256_HEX - 1)
        return false;
    memcpy(files, text, SHA256_HEX);
    return true;
}

/* ---- between calls ---- */

void cells_recall(int directory, size_t most, char **text, size_t *len)
{
    if (state_read(directory, HIDDEN, most, text, len, NULL) != STATUS_OK)
        *text = NULL;
}

/* By a name of its own: two hooks may do so at a time. */
void cells_remember(int directory, const char *token, struct str text)
{
    char name[CELL_TOKEN_SIZE + sizeof(HIDDEN)];

    snprintf(name, sizeof(name), HIDDEN "-%s", token);
    if (!text.len || put_file(directory, name, text, NULL) != STATUS_OK)
        return;
    if (renameat(directory, name, directory, HIDDEN) != 0)
        (void)unlinkat(directory, name, 0);
}

/* ---- was it honoured? ---- */

/* A command that runs in the background may be about to take its token. */
static bool is_left(int directory, const char *token)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    struct stat st;

    for (int i = 0; i < PAUSES; i++) {
        if (!is_there(directory, token, &st))
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

struct watching {
    int directory;
    const struct cell_call *of;
    char call[CELL_CALL_SIZE]; /* as in plans; "" until a token is met */
    enum cell_event event;
    int64_t now, old_s;
    const struct cell_ends *ends;
};

/* Whose call it is, as the first member of the plan says. */
static bool read_call(int directory, const char *token, char out[CELL_CALL_SIZE])
{
    static const char before[] = CELL_PLAN_BEGIN;
    char text[sizeof(before) + CELL_CALL_SIZE];
    AUTO_CLOSE int fd =
        openat(directory, token, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const ssize_t len = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

    if (len != (ssize_t)sizeof(text) - 1 || memcmp(text, before, sizeof(before) - 1) != 0)
        return false;
    memcpy(out, text + sizeof(before) - 1, CELL_CALL_SIZE - 1);
    out[CELL_CALL_SIZE - 1] = '\0';
    return true;
}

/* Was this token left, though its call has run? */
static bool is_proof(struct watching *w, const char *token, int64_t age)
{
    char call[CELL_CALL_SIZE];

    if (!w->call[0])
        cells_name_call(w->of, w->call);
    if (!read_call(w->directory, token, call) || strncmp(call, w->call, HASH_DIGITS + 1) != 0)
        return false;
    if (w->event == CELL_RAN)
        return strcmp(call, w->call) == 0 && is_left(w->directory, token);
    return age >= w->old_s;
}

static bool look_at(struct watching *w, const char *token)
{
    struct stat st;

    if (!is_there(w->directory, token, &st))
        return false; /* it was used just now */
    const int64_t age = w->now - (int64_t)st.st_mtim.tv_sec;
    const bool proof = is_proof(w, token, age);
    if (proof || age >= CELL_SECONDS || age < 0)
        (void)unlinkat(w->directory, token, 0);
    return proof;
}

static bool is_old(const struct watching *w, const char *name)
{
    struct stat st;

    return is_there(w->directory, name, &st) &&
           (st.st_mtim.tv_sec > w->now || st.st_mtim.tv_sec + CELL_SECONDS <= w->now);
}

/* How a cell ended; and what nobody can let outside any more, whose name says so, so that it need
 * not be looked at. It is no proof of anything. */
static bool take_rest(const struct watching *w, const char *name)
{
    int64_t until = 0;

    if (w->ends && cell_ends_is(name))
        cell_ends_take(w->directory, name, w->ends);
    else if (token_of_ran(name, &until) && (until <= w->now || until > w->now + CELL_SECONDS))
        (void)unlinkat(w->directory, name, 0);
    else if (strncmp(name, LEFT, strlen(LEFT)) == 0 && is_old(w, name))
        (void)unlinkat(w->directory, name, 0);
    return false;
}

static void note_ignored(int directory, struct str client)
{
    char name[64];

    if (!alarm_name(client, name))
        return;
    (void)unlinkat(directory, name, 0); /* its time is when it last happened */
    (void)put_file(directory, name, (struct str){"", 0}, NULL);
}

bool cells_watch(const char *home, const struct cell_call *call, enum cell_event event,
                 int64_t old_s, const struct cell_ends *ends)
{
    AUTO_CLOSE int directory = find_cells(home);
    struct watching w = {.directory = directory,
                         .of = call,
                         .event = event,
                         .now = (int64_t)time(NULL),
                         .old_s = old_s,
                         .ends = ends};
    struct entries all;
    const struct entry *entry;
    bool found = false;

    if (directory < 0)
        return false;
    entries_of(&all, directory);
    while ((entry = entries_next(&all)))
        found |= is_token(entry->name) ? look_at(&w, entry->name) : take_rest(&w, entry->name);
    if (found)
        note_ignored(directory, call->client);
    return found;
}
