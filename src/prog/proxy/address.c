#include "proxy/address.h"

/* 198.18.0.0/15 is where a cell's own names could lead. The single addresses are those of cloud
 * services that give credentials away. */
static const char *const refused[] = {
    "0.0.0.0/8",     "127.0.0.0/8",    "169.254.0.0/16", "192.0.0.0/24",
    "198.18.0.0/15", "224.0.0.0/4",    "240.0.0.0/4",    "100.100.100.200",
    "168.63.129.16", "::/96", /* the unspecified one, loopback, and IPv4 in an old spelling */
    "::ffff:0:0/96", "64:ff9b:1::/48", "2001::/32", /* tunnels: who is at the other end cannot be
                                                       seen */
    "fe80::/10",     "fec0::/10",      "ff00::/8",       "fd00:ec2::254",
    "fd20:ce::254",
};

/* IPv4 addresses inside others: where in them the four bytes are. */
static const struct {
    const char *range;
    size_t at;
} wrapped[] = {{"64:ff9b::/96", 12}, {"2002::/16", 2}};

static bool is_in_text(const uint8_t *bytes, bool six, const char *text)
{
    struct range r;

    return !range_parse(str_from(text), &r) || range_has(&r, bytes, six);
}

static bool are_refused(const uint8_t *bytes, bool six, const struct range *more, size_t count)
{
    for (size_t i = 0; i < COUNT(refused); i++)
        if (is_in_text(bytes, six, refused[i]))
            return true;
    for (size_t i = 0; i < count; i++)
        if (range_has(&more[i], bytes, six))
            return true;
    return false;
}

static bool is_refused_inside(const uint8_t *six, const struct range *more, size_t count)
{
    for (size_t i = 0; i < COUNT(wrapped); i++)
        if (is_in_text(six, true, wrapped[i].range) &&
            are_refused(six + wrapped[i].at, false, more, count))
            return true;
    return false;
}

bool address_is_refused(const struct sockaddr *address, const struct range *more, size_t count)
{
    uint8_t bytes[16];

    switch (address->sa_family) {
    case AF_INET:
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
        return are_refused(bytes, false, more, count);
    case AF_INET6:
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr, 16);
        return are_refused(bytes, true, more, count) || is_refused_inside(bytes, more, count);
    default:
        return true;
    }
}
