#include "cell/route.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"

struct request {
    struct nlmsghdr head;
    struct rtmsg route;
    struct {
        struct rtattr head;
        uint32_t value;
    } to, device;
};

static bool is_done(int fd)
{
    struct {
        struct nlmsghdr head;
        struct nlmsgerr result;
    } answer = {0};

    if (recv(fd, &answer, sizeof(answer), 0) < (ssize_t)sizeof(answer.head) ||
        answer.head.nlmsg_type != NLMSG_ERROR) {
        errno = EPROTO;
        return false;
    }
    errno = -answer.result.error;
    return answer.result.error == 0 || answer.result.error == -EEXIST;
}

bool route_to_self(uint32_t address, unsigned bits)
{
    const struct request request = {
        .head = {.nlmsg_len = sizeof(request),
                 .nlmsg_type = RTM_NEWROUTE,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL},
        .route = {.rtm_family = AF_INET,
                  .rtm_dst_len = (unsigned char)bits,
                  .rtm_table = RT_TABLE_LOCAL,
                  .rtm_protocol = RTPROT_BOOT,
                  .rtm_scope = RT_SCOPE_HOST,
                  .rtm_type = RTN_LOCAL},
        .to = {{sizeof(request.to), RTA_DST}, htonl(address)},
        .device = {{sizeof(request.device), RTA_OIF}, if_nametoindex("lo")},
    };
    AUTO_CLOSE int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

    return fd >= 0 && send(fd, &request, sizeof(request), 0) == (ssize_t)sizeof(request) &&
           is_done(fd);
}
