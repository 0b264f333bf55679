#include "cell/lookups.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "base/hosts.h"

#define HEARD_MS     200 /* that the question may take */
#define NAME_MAX_LEN 255

/* As libc sends it (nscd/nscd-client.h): then `length` bytes, the last of them a NUL. */
struct question {
    int32_t version, kind, length;
};
enum { VERSION = 2, HOST_BY_NAME = 4, HOST_BY_NAME_6 = 5, ADDRESSES = 14 };

bool lookups_are_heard(const struct answers *a, const char *path)
{
    static const char *const caches[] = {"/var/run/nscd/socket", "/run/nscd/socket"};

    for (size_t i = 0; a->plan->host_count == 0 && i < COUNT(caches); i++)
        if (strcmp(path, caches[i]) == 0)
            return true;
    return false;
}

/* All of it, or nothing: whoever sends it in pieces is not libc. */
static size_t hear(int end, char *out, size_t room)
{
    struct pollfd event = {end, POLLIN, 0};
    ssize_t got = poll(&event, 1, HEARD_MS) == 1 ? recv(end, out, room, MSG_DONTWAIT) : -1;

    return got > 0 ? (size_t)got : 0;
}

static void note_name(struct answers *a, int end)
{
    char text[sizeof(struct question) + NAME_MAX_LEN + 1];
    const size_t got = hear(end, text, sizeof(text));
    struct question q;
    struct host host;

    if (got <= sizeof(q))
        return;
    memcpy(&q, text, sizeof(q));
    const char *name = text + sizeof(q);
    if (q.version != VERSION ||
        (q.kind != HOST_BY_NAME && q.kind != HOST_BY_NAME_6 && q.kind != ADDRESSES) ||
        q.length <= 1 || (size_t)q.length != got - sizeof(q) || name[q.length - 1] ||
        strlen(name) + 1 != (size_t)q.length || !host_parse(str_from(name), &host) || host.below)
        return;
    report_refusal(a->report, REFUSED_CONNECT, str_from(host.to.name));
}

bool lookups_know(struct report *r)
{
    bool known = false;

    (void)pthread_mutex_lock(&r->lock);
    for (size_t i = 0; i < r->count; i++)
        known = known || (r->kept[i].kind == REFUSED_CONNECT && !strpbrk(r->kept[i].text, ":/ "));
    (void)pthread_mutex_unlock(&r->lock);
    return known;
}

void lookups_hear(struct answers *a, const struct seccomp_notif *call, int number)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0) {
        answer_send(a, call->id, -ENOENT);
        return;
    }
    AUTO_CLOSE int ours = ends[0];
    const int theirs = ends[1];
    struct seccomp_notif_addfd given = {.id = call->id,
                                        .flags = SECCOMP_ADDFD_FLAG_SETFD,
                                        .srcfd = (uint32_t)theirs,
                                        .newfd = (uint32_t)number,
                                        .newfd_flags = O_CLOEXEC};
    const bool put = kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given) >= 0;
    answer_send(a, call->id, put ? 0 : -ENOENT);
    close(theirs);
    if (put)
        note_name(a, ours);
}
