#include "cell/loopback.h"

#include <arpa/inet.h>
#include <string.h>

bool loopback_is_whole(const union address *a, socklen_t length)
{
    return (a->any.sa_family == AF_INET && length >= sizeof(a->four)) ||
           (a->any.sa_family == AF_INET6 && length >= sizeof(a->six));
}

static bool is_four(in_addr_t address)
{
    return ntohl(address) >> 24 == 127;
}

bool loopback_is(const union address *a)
{
    const struct in6_addr *six = &a->six.sin6_addr;
    in_addr_t inner;

    if (a->any.sa_family == AF_INET)
        return is_four(a->four.sin_addr.s_addr);
    if (a->any.sa_family != AF_INET6)
        return false;
    memcpy(&inner, &six->s6_addr[12], sizeof(inner));
    return IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && is_four(inner));
}

bool loopback_is_every(const union address *a)
{
    const struct in6_addr *six = &a->six.sin6_addr;
    in_addr_t inner;

    if (a->any.sa_family == AF_INET)
        return a->four.sin_addr.s_addr == htonl(INADDR_ANY);
    if (a->any.sa_family != AF_INET6)
        return false;
    memcpy(&inner, &six->s6_addr[12], sizeof(inner));
    return IN6_IS_ADDR_UNSPECIFIED(six) ||
           (IN6_IS_ADDR_V4MAPPED(six) && inner == htonl(INADDR_ANY));
}

in_port_t loopback_port(const union address *a)
{
    return ntohs(a->any.sa_family == AF_INET6 ? a->six.sin6_port : a->four.sin_port);
}

void loopback_set(union address *a, bool only_six)
{
    if (a->any.sa_family == AF_INET)
        a->four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        (void)inet_pton(AF_INET6, only_six ? "::1" : "::ffff:127.0.0.1", &a->six.sin6_addr);
}
