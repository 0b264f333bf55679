#include "cell/servers.h"

#include <errno.h>
#include <linux/magic.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <pthread.h>
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

/* The file, as sock_diag names it: with 32 bits of its number, and the kernel's own form of the
 * device. Two kinds of file systems show programs another device than they have. */
struct wanted {
    uint32_t number, device;
    bool any_device;
};

static bool describe(int name, struct wanted *out)
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

static bool ask(int servers, uint32_t turn)
{
    const struct {
        struct nlmsghdr head;
        struct unix_diag_req body;
    } request = {
        .head = {.nlmsg_len = sizeof(request),
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
                 .nlmsg_seq = turn},
        .body = {.sdiag_family = AF_UNIX,
                 .udiag_states = 1u << TCP_LISTEN,
                 .udiag_show = UDIAG_SHOW_VFS,
                 .udiag_cookie = {~0u, ~0u}},
    };

    return send(servers, &request, sizeof(request), 0) == (ssize_t)sizeof(request);
}

static bool is_bound_to(const struct nlmsghdr *message, const struct wanted *wanted)
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

/* All answers are read: what is left over would be taken for those of the next question. */
static bool find(int servers, uint32_t turn, const struct wanted *wanted)
{
    _Alignas(struct nlmsghdr) char room[32768];
    bool found = false;

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
                return m->nlmsg_type == NLMSG_DONE && found;
            found = found || is_bound_to(m, wanted);
        }
    }
}

bool servers_have(int servers, int name)
{
    static uint32_t turn;
    struct wanted wanted;
    bool found;

    if (servers < 0 || !describe(name, &wanted))
        return false;
    (void)pthread_mutex_lock(&asking);
    turn++;
    found = ask(servers, turn) && find(servers, turn, &wanted);
    (void)pthread_mutex_unlock(&asking);
    return found;
}
