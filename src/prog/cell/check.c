#include "cell/check.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "cell/keeper.h"
#include "cell/own.h"
#include "cell/plan.h"
#include "cell/probes.h"

#define CHECK_MEMORY 1000000
#define CHECK_TEXT   "as it was\n"

static const char *const made_directories[] = {PROBES_WORK, PROBES_WORK "/kept", PROBES_HIDDEN};
static const char *const made_files[] = {PROBES_PROTECTED, PROBES_SECRET, PROBES_OUTSIDE};

/* The place that is probed is the working directory. */
struct check {
    char place[64], program[OWN_PATH_MAX], process[16], port[16];
    int listeners[2];
    const char *tier;
    char why[512]; /* ... and no better one */
    size_t why_len;
};

/* ---- the place ---- */

static bool put_file(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    return fd >= 0 && write(fd, CHECK_TEXT, strlen(CHECK_TEXT)) == (ssize_t)strlen(CHECK_TEXT);
}

static bool is_as_it_was(const char *path)
{
    char text[sizeof(CHECK_TEXT)] = "";
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

    return fd >= 0 && read(fd, text, sizeof(text)) == (ssize_t)strlen(CHECK_TEXT) &&
           strcmp(text, CHECK_TEXT) == 0;
}

static bool listen_at(int fd, const void *address, socklen_t size)
{
    return fd >= 0 && bind(fd, address, size) == 0 && listen(fd, 4) == 0;
}

static bool serve(struct check *c)
{
    const struct sockaddr_un named = {.sun_family = AF_UNIX, .sun_path = PROBES_SOCKET};
    struct sockaddr_in host = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(host);

    c->listeners[0] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    c->listeners[1] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!listen_at(c->listeners[0], &named, sizeof(named)) ||
        !listen_at(c->listeners[1], &host, sizeof(host)) ||
        getsockname(c->listeners[1], (struct sockaddr *)&host, &size) != 0)
        return false;
    (void)snprintf(c->port, sizeof(c->port), "%u", ntohs(host.sin_port));
    return true;
}

static bool make_place(struct check *c)
{
    memcpy(c->place, "/tmp/warder-check-XXXXXX", sizeof("/tmp/warder-check-XXXXXX"));
    if (!mkdtemp(c->place) || chdir(c->place) != 0)
        return false;
    for (size_t i = 0; i < COUNT(made_directories); i++)
        if (mkdir(made_directories[i], 0700) != 0)
            return false;
    for (size_t i = 0; i < COUNT(made_files); i++)
        if (!put_file(made_files[i]))
            return false;
    return serve(c);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void remove_place(const struct check *c)
{
    (void)chdir("/");
    (void)nftw(c->place, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    for (size_t i = 0; i < COUNT(c->listeners); i++)
        if (c->listeners[i] >= 0)
            close(c->listeners[i]);
}

/* ---- the cell ---- */

static struct str below(const struct check *c, const char *name, char room[128])
{
    (void)snprintf(room, 128, "%s/%s", c->place, name);
    return str_from(room);
}

/* What a probe got, or what the cell left as it was not. NULL: it held. */
static const char *judge(int code)
{
    if (code != PROBES_HELD)
        return probes_name(code);
    for (size_t i = 0; i < COUNT(made_files); i++)
        if (!is_as_it_was(made_files[i]))
            return "a file that is protected has changed";
    return access(PROBES_WORK "/" PROBES_REFUSED, F_OK) == 0 ? "a name that is refused is there"
                                                             : NULL;
}

/* Does a cell of this tier hold? */
static bool try_tier(struct check *c, enum tier tier)
{
    char room[3][128], name[] = "warder-cell", option[] = PROBES_OPTION, *none[] = {NULL};
    char tier_name[16];
    char *words[] = {name, option, c->place, c->process, c->port, tier_name, NULL};
    struct str refused = STR(PROBES_REFUSED), work = below(c, PROBES_WORK, room[0]),
               kept = below(c, PROBES_PROTECTED, room[1]),
               hidden = below(c, PROBES_HIDDEN, room[2]);
    const struct plan plan = {.tier = tier,
                              .program = c->program,
                              .words = words,
                              .directory = work.s,
                              .write = {&work, 1, 1},
                              .protect = {&kept, 1, 1},
                              .refuse = {&refused, 1, 1},
                              .hide = {&hidden, 1, 1}};
    struct error err = {0};

    (void)snprintf(tier_name, sizeof(tier_name), "%s", plan_tier_name(tier));
    int code = keeper_run(&plan, none, &err);
    const char *wrong = err.status == STATUS_OK ? judge(code) : err.message;

    if (!wrong)
        return true;
    c->why_len += (size_t)snprintf(c->why + c->why_len, sizeof(c->why) - c->why_len, "%s%s: %s",
                                   c->why_len ? "; " : "", plan_tier_name(tier), wrong);
    return false;
}

static void find_tier(struct check *c)
{
    const ssize_t len = readlink("/proc/self/exe", c->program, sizeof(c->program) - 1);

    if (len <= 0 || !make_place(c)) {
        (void)snprintf(c->why, sizeof(c->why), "cannot make a place to probe: %s", strerror(errno));
        return;
    }
    c->program[len] = '\0';
    for (enum tier tier = TIER_NAMESPACES; tier <= TIER_LAST && !c->tier; tier++)
        if (try_tier(c, tier))
            c->tier = plan_tier_name(tier);
}

static void put_result(struct json_writer *w, const void *about)
{
    const struct check *c = about;
    char boot[OWN_BOOT_ROOM];

    json_begin_object(w);
    json_text_member(w, "tier", str_from(c->tier ? c->tier : "none"));
    json_text_member(w, "why", str_from(c->why));
    json_text_member(w, "boot", own_boot(boot) ? str_from(boot) : STR(""));
    json_text_member(w, "build", str_from(own_build()));
    json_end_object(w);
}

int check_run(void)
{
    struct check c = {.listeners = {-1, -1}};
    struct arena arena;
    struct str json;

    (void)snprintf(c.process, sizeof(c.process), "%d", (int)getpid());
    find_tier(&c);
    if (c.place[0])
        remove_place(&c);
    arena_init(&arena, CHECK_MEMORY);
    if (json_try(&arena, put_result, &c, &json))
        printf("%.*s\n", (int)json.len, json.s);
    arena_release(&arena);
    return c.tier ? 0 : 1;
}
