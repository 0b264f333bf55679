#include "cell/channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header; /* for its alignment */
};

bool channel_send(int channel, const struct message *message, int fd)
{
    struct message copy = *message;
    struct iovec part = {&copy, sizeof(copy)};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
    union control control = {0};
    ssize_t sent;

    if (fd >= 0) {
        head.msg_control = control.bytes;
        head.msg_controllen = sizeof(control.bytes);
        struct cmsghdr *passed = CMSG_FIRSTHDR(&head);
        passed->cmsg_level = SOL_SOCKET;
        passed->cmsg_type = SCM_RIGHTS;
        passed->cmsg_len = CMSG_LEN(sizeof(fd));
        memcpy(CMSG_DATA(passed), &fd, sizeof(fd));
    }
    do
        sent = sendmsg(channel, &head, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof(copy);
}

static int passed_descriptor(struct msghdr *head)
{
    int fd = -1;
    struct cmsghdr *passed = CMSG_FIRSTHDR(head);

    if (passed && passed->cmsg_level == SOL_SOCKET && passed->cmsg_type == SCM_RIGHTS &&
        passed->cmsg_len == CMSG_LEN(sizeof(fd)))
        memcpy(&fd, CMSG_DATA(passed), sizeof(fd));
    return fd;
}

struct message channel_receive(int channel, int *fd)
{
    struct message message = {0};
    struct iovec part = {&message, sizeof(message)};
    union control control = {0};
    struct msghdr head = {.msg_iov = &part,
                          .msg_iovlen = 1,
                          .msg_control = control.bytes,
                          .msg_controllen = sizeof(control.bytes)};
    ssize_t got;

    *fd = -1;
    do
        got = recvmsg(channel, &head, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got > 0)
        *fd = passed_descriptor(&head);
    if (got != (ssize_t)sizeof(message))
        return (struct message){0};
    message.text[sizeof(message.text) - 1] = '\0';
    return message;
}
