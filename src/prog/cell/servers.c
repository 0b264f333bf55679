#include "cell/servers.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#include "base/auto.h"

#define OVERLAY_MAGIC 0x794c7630

/* One question at a time. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

int servers_open(void)
{
    return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

bool servers_add(struct servers_own *own, uint64_t number)
{
    bool added = true;

    (void)pthread_mutex_lock(&asking);
    if (own->count == own->room) {
        const size_t room = own->room ? own->room * 2 : 16;
        uint64_t *more =
            room > SERVERS_MAX ? NULL : realloc(own->numbers, room * sizeof(*own->numbers));
        added = more != NULL;
        if (added) {
            own->numbers = more;
            own->room = room;
        }
    }
    if (added)
        own->numbers[own->count++] = number;
    (void)pthread_mutex_unlock(&asking);
    return added;
}

static bool is_own(const struct servers_own *own, const uint32_t cookie[2])
{
    const uint64_t number = (uint64_t)cookie[1] << 32 | cookie[0];

    for (size_t i = 0; i < own->count; i++)
        if (own->numbers[i] == number)
            return true;
    return false;
}

/* What is looked for, and what was found. A file, as sock_diag names it: with 32 bits of its
 * number, and the kernel's own form of the device; two kinds of file systems show programs another
 * device than they have. Or a port. */
struct search {
    const struct servers_own *own; /* NULL: all are */
    uint32_t number, device;
    bool any_device;
    in_port_t port;
    bool found, others;
};

static bool describe(int name, struct search *out)
{
    struct stat st;
    struct statfs fs;

    if (fstat(name, &st) != 0 || fstatfs(name, &fs) != 0 || !S_ISSOCK(st.st_mode))
        return false;
    out->number = (uint32_t)st.st_ino;
    out->device = (uint32_t)(major(st.st_dev) << 20 | minor(st.st_dev));
    out->any_device =
        (unsigned long)fs.f_type == BTRFS_SUPER_MAGIC || (unsigned long)fs.f_type == OVERLAY_MAGIC;
    return true;
}

static void note(struct search *s, const uint32_t cookie[2])
{
    if (!s->own || is_own(s->own, cookie))
        s->found = true;
    else
        s->others = true;
}

/* ---- unix sockets ---- */

static bool is_bound_to(const struct nlmsghdr *message, const struct search *wanted)
{
    const struct unix_diag_msg *body = NLMSG_DATA(message);
    size_t left = message->nlmsg_len - NLMSG_LENGTH(sizeof(*body));
    const char *at = (const char *)body + NLMSG_ALIGN(sizeof(*body));

    while (left >= sizeof(struct rtattr)) {
        struct rtattr attribute;
        struct unix_diag_vfs file;
        memcpy(&attribute, at, sizeof(attribute));
        size_t size = RTA_ALIGN(attribute.rta_len);
        if (attribute.rta_len < sizeof(attribute) || size > left)
            return false;
        if (attribute.rta_type == UNIX_DIAG_VFS && attribute.rta_len >= RTA_LENGTH(sizeof(file))) {
            memcpy(&file, at + RTA_LENGTH(0), sizeof(file));
            return file.udiag_vfs_ino == wanted->number &&
                   (wanted->any_device || file.udiag_vfs_dev == wanted->device);
        }
        at += size;
        left -= size;
    }
    return false;
}

static void look_at_file(const struct nlmsghdr *message, struct search *s)
{
    const struct unix_diag_msg *body = NLMSG_DATA(message);

    if (is_bound_to(message, s))
        note(s, body->udiag_cookie);
}

/* ---- ports ---- */

static void look_at_port(const struct nlmsghdr *message, struct search *s)
{
    const struct inet_diag_msg *body = NLMSG_DATA(message);

    if (message->nlmsg_len >= NLMSG_LENGTH(sizeof(*body)) && ntohs(body->id.idiag_sport) == s->port)
        note(s, body->id.idiag_cookie);
}

/* ---- asking ---- */

static bool ask(int servers, uint32_t turn, uint8_t family)
{
    const struct {
        struct nlmsghdr head;
        struct unix_diag_req body;
    } files = {
        .head = {.nlmsg_len = sizeof(files),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                 .nlmsg_seq = turn},
        .body = {.sdiag_family = AF_UNIX,
                 .udiag_states = 1u << TCP_LISTEN,
                 .udiag_show = UDIAG_SHOW_VFS,
                 .udiag_cookie = {~0u, ~0u}},
    };
    const struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 body;
    } ports = {
        .head = {.nlmsg_len = sizeof(ports),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                 .nlmsg_seq = turn},
        .body = {.sdiag_family = family,
                 .sdiag_protocol = IPPROTO_TCP,
                 .idiag_states = 1u << TCP_LISTEN,
                 .id.idiag_cookie = {~0u, ~0u}},
    };
    const void *request = family == AF_UNIX ? (const void *)&files : (const void *)&ports;
    const size_t size = family == AF_UNIX ? sizeof(files) : sizeof(ports);

    return send(servers, request, size, 0) == (ssize_t)size;
}

/* All answers are read: what is left over would be taken for those of the next question. False: not
 * all of them came. */
static bool listen_for(int servers, uint32_t turn,
                       void (*look)(const struct nlmsghdr *, struct search *), struct search *s)
{
    _Alignas(struct nlmsghdr) char room[32768];

    for (;;) {
        ssize_t got = recv(servers, room, sizeof(room), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        unsigned left = (unsigned)got;
        for (struct nlmsghdr *m = (struct nlmsghdr *)room; NLMSG_OK(m, left);
             m = NLMSG_NEXT(m, left)) {
            if (m->nlmsg_seq != turn)
                continue;
            if (m->nlmsg_type != SOCK_DIAG_BY_FAMILY)
                return m->nlmsg_type == NLMSG_DONE;
            look(m, s);
        }
    }
}

static bool find(int servers, uint8_t family,
                 void (*look)(const struct nlmsghdr *, struct search *), struct search *s)
{
    static uint32_t turn;
    bool whole;

    (void)pthread_mutex_lock(&asking);
    turn++;
    whole = ask(servers, turn, family) && listen_for(servers, turn, look, s);
    (void)pthread_mutex_unlock(&asking);
    return whole;
}

bool servers_have(int servers, const struct servers_own *own, int name)
{
    struct search s = {.own = own};

    return servers >= 0 && describe(name, &s) && find(servers, AF_UNIX, look_at_file, &s) &&
           s.found;
}

bool servers_have_port(int servers, const struct servers_own *own, in_port_t port)
{
    struct search s = {.own = own, .port = port};

    return servers >= 0 && find(servers, AF_INET, look_at_port, &s) &&
           find(servers, AF_INET6, look_at_port, &s) && s.found && !s.others;
}

/* The number in hexadecimal digits behind the next colon. */
static unsigned long take_port(char **at)
{
    char *colon = strchr(*at, ':');

    return colon ? strtoul(colon + 1, at, 16) : 0;
}

/* "  0: 0100007F:1F90 00000000:0000 0A ...": the own end, the other one and the state. */
static bool is_listed(const char *table, in_port_t port)
{
    char line[256];
    bool found = false;
    FILE *in = fopen(table, "re");

    while (in && !found && fgets(line, sizeof(line), in)) {
        char *at = strchr(line, ':');
        if (!at)
            continue;
        at++;
        const unsigned long own = take_port(&at);
        (void)take_port(&at);
        found = own == port && strtoul(at, NULL, 16) == TCP_LISTEN;
    }
    if (in)
        (void)fclose(in);
    return found;
}

bool servers_outside(in_port_t port)
{
    return is_listed("/proc/self/net/tcp", port) || is_listed("/proc/self/net/tcp6", port);
}
