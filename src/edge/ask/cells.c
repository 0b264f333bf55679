#include "ask/cells.h"

#include <dirent.h>
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
#include "base/sha256.h"
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
#define HASH_DIGITS    16 /* of a name: enough to tell the calls of one user apart */
#define NAME_SIZE      (CELL_TOKEN_SIZE + 2 * (HASH_DIGITS + 1))
#define PAUSES         50 /* how often a token is looked at that should be used by now, */
#define PAUSE_NS       10000000L
#define TOKEN_LEN      (CELL_TOKEN_SIZE - 1)
#define CLIENT_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

/* ---- places ---- */

static bool is_home(const char *home)
{
    char own[PASSWD_LINE_MAX];

    return home && passwd_home(PASSWD_FILE, geteuid(), own, NULL) == STATUS_OK &&
           strcmp(own, home) == 0;
}

static bool place(const char *home, const char *below, char out[PATH_MAX])
{
    return is_home(home) && snprintf(out, PATH_MAX, "%s/%s", home, below) < PATH_MAX;
}

/* -1: there is none, or it is not ours alone. */
static int find_cells(const char *home)
{
    char path[PATH_MAX];
    int directory = -1;

    if (!place(home, STATE_PLACE, path) || state_find(path, CELLS, &directory, NULL) != STATUS_OK)
        return -1;
    return directory;
}

/* ---- the machine ---- */

bool cells_boot(char out[CELL_BOOT_SIZE])
{
    AUTO_CLOSE int fd = open(BOOT_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, out, CELL_BOOT_SIZE - 1);

    out[len > 0 ? len : 0] = '\0';
    return len == CELL_BOOT_SIZE - 1 &&
           strspn(out, "0123456789abcdef-") == (size_t)(CELL_BOOT_SIZE - 1);
}

void cells_build(char out[CELL_BUILD_SIZE])
{
    snprintf(out, CELL_BUILD_SIZE, "%016" PRIx64, image_build());
}

struct tier_reading {
    struct arena *arena;
    struct str text;
    enum cell_tier tier;
};

static void read_tier(void *arg)
{
    struct tier_reading *r = arg;
    char boot[CELL_BOOT_SIZE], build[CELL_BUILD_SIZE];
    struct value v = {0};

    cells_build(build);
    if (json_read(r->arena, r->text, NULL, &v, NULL) != STATUS_OK || !cells_boot(boot) ||
        !str_is(value_text(&v, "boot"), boot) || !str_is(value_text(&v, "build"), build) ||
        !cell_tier_parse(value_text(&v, "tier"), &r->tier))
        r->tier = CELL_NONE;
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

/* Has the client ignored an answer since `warder sandbox check` wrote the file of the tier? */
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

enum cell_tier cells_tier(const char *home, struct str client)
{
    char path[PATH_MAX];
    AUTO_CLOSE int directory = -1;
    AUTO_FREE char *text = NULL;
    struct arena arena;
    size_t len = 0;

    if (!place(home, TIER_PLACE, path) || own_open_directory(path, &directory, NULL) != STATUS_OK ||
        state_read(directory, TIER_NAME, TIER_MAX, &text, &len, NULL) != STATUS_OK || !text ||
        is_ignored(home, directory, client))
        return CELL_NONE;
    arena_init(&arena, TIER_MAX * 64);
    struct tier_reading r = {.arena = &arena, .text = {text, len}};
    if (!arena_try(&arena, read_tier, &r))
        r.tier = CELL_NONE;
    arena_release(&arena);
    return r.tier;
}

bool cells_program(char *out, size_t room)
{
    static const char plain[] =
        "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+@";
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self));
    struct str path = {self, len > 0 && (size_t)len < sizeof(self) ? (size_t)len : 0};
    size_t slash = str_last_index(path, '/');

    return slash != STR_NONE &&
           snprintf(out, room, "%.*s/warder-cell", (int)slash, self) < (int)room &&
           out[strspn(out, plain)] == '\0' && access(out, X_OK) == 0;
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

static void name_of(const char *token, const struct cell_call *call, char out[NAME_SIZE])
{
    char session[HASH_DIGITS + 1], use[HASH_DIGITS + 1];

    hash_of(call->client, call->session, session);
    hash_of(call->session, call->use, use);
    snprintf(out, NAME_SIZE, "%s.%s.%s", token, session, use);
}

static enum status put_file(int directory, const char *name, struct str text, struct error *err)
{
    AUTO_CLOSE int fd =
        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd < 0 || fchmod(fd, 0600) != 0)
        return fail(err, STATUS_IO, "cannot make a token: %s", strerror(errno));
    enum status status = own_write(fd, name, text, err);
    if (status != STATUS_OK)
        (void)unlinkat(directory, name, 0);
    return status;
}

enum status cells_put(const char *home, const char *token, struct str plan,
                      const struct cell_call *call, struct error *err)
{
    char path[PATH_MAX], name[NAME_SIZE];
    AUTO_CLOSE int directory = -1;

    if (!place(home, STATE_PLACE, path))
        return fail(err, STATUS_USAGE, "the home is not the one of the user database");
    enum status status = state_open(path, CELLS, &directory, err);
    if (status != STATUS_OK)
        return status;
    name_of(token, call, name);
    /* First whose it is: a token without that would never be missed. */
    if ((status = put_file(directory, name, (struct str){"", 0}, err)) != STATUS_OK)
        return status;
    if ((status = put_file(directory, token, plan, err)) != STATUS_OK)
        (void)unlinkat(directory, name, 0);
    return status;
}

/* ---- was it honoured? ---- */

static bool is_there(int directory, const char *name, struct stat *st)
{
    return fstatat(directory, name, st, AT_SYMLINK_NOFOLLOW) == 0;
}

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
    const char *session, *use; /* as in names */
    enum cell_event event;
    int64_t now, old_s;
};

/* Was this token left, though its call has run? */
static bool is_proof(const struct watching *w, const char *name, const char *token, int64_t age)
{
    const char *session = name + TOKEN_LEN + 1, *use = session + HASH_DIGITS + 1;

    if (strncmp(session, w->session, HASH_DIGITS) != 0)
        return false;
    if (w->event == CELL_RAN)
        return strcmp(use, w->use) == 0 && is_left(w->directory, token);
    return age >= w->old_s;
}

static bool is_name(const char *name)
{
    return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == TOKEN_LEN &&
           name[TOKEN_LEN] == '.' && name[TOKEN_LEN + 1 + HASH_DIGITS] == '.';
}

static bool look_at(const struct watching *w, const char *name)
{
    char token[CELL_TOKEN_SIZE];
    struct stat st;

    memcpy(token, name, TOKEN_LEN);
    token[TOKEN_LEN] = '\0';
    if (!is_there(w->directory, token, &st)) { /* it was used */
        (void)unlinkat(w->directory, name, 0);
        return false;
    }
    const int64_t age = w->now - (int64_t)st.st_mtim.tv_sec;
    const bool proof = is_proof(w, name, token, age);
    if (proof || age >= CELL_SECONDS || age < 0) {
        (void)unlinkat(w->directory, token, 0);
        (void)unlinkat(w->directory, name, 0);
    }
    return proof;
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
                 int64_t old_s)
{
    char session[HASH_DIGITS + 1], use[HASH_DIGITS + 1];
    int directory = find_cells(home);
    DIR *open = directory < 0 ? NULL : fdopendir(directory);
    const struct dirent *entry;
    bool found = false;

    if (!open) {
        if (directory >= 0)
            close(directory);
        return false;
    }
    hash_of(call->client, call->session, session);
    hash_of(call->session, call->use, use);
    const struct watching w = {directory, session, use, event, (int64_t)time(NULL), old_s};
    while ((entry = readdir(open)))
        if (is_name(entry->d_name) && look_at(&w, entry->d_name))
            found = true;
    if (found)
        note_ignored(directory, call->client);
    closedir(open);
    return found;
}
