#include "base/destination.h"

#include <arpa/inet.h>

#define LABEL_MAX 63

bool port_parse(struct str text, uint16_t *out)
{
    uint32_t port = 0;

    if (text.len == 0 || text.len > 5)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
        port = port * 10 + (uint32_t)(text.s[i] - '0');
    }
    *out = (uint16_t)port;
    return port > 0 && port <= UINT16_MAX;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_label(struct str label)
{
    if (label.len == 0 || label.len > LABEL_MAX || label.s[0] == '-' ||
        label.s[label.len - 1] == '-')
        return false;
    for (size_t i = 0; i < label.len; i++) {
        const char c = label.s[i];
        if (!is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-' && c != '_')
            return false;
    }
    return true;
}

/* Some resolvers read a name whose last part is a number as an address. */
static bool may_be_number(struct str label)
{
    return is_digit(label.s[0]);
}

static bool is_name(struct str name)
{
    struct str label, rest = name;
    bool more;

    do {
        more = str_cut(rest, '.', &label, &rest);
        if (!is_label(label))
            return false;
    } while (more);
    return !may_be_number(label);
}

static void print_lower(struct str text, char *out)
{
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.s[i];
        out[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    out[text.len] = '\0';
}

static bool read_address(int family, struct destination *out)
{
    struct in6_addr address;

    out->is_address = inet_pton(family, out->name, &address) == 1 &&
                      inet_ntop(family, &address, out->name, sizeof(out->name));
    return out->is_address;
}

bool destination_read(struct str host, uint32_t port, bool bracketed, struct destination *out)
{
    *out = (struct destination){.port = (uint16_t)port};
    if (port == 0 || port > UINT16_MAX || host.len == 0 || str_has(host, '\0'))
        return false;
    bool six = str_has(host, ':');
    if (six && bracketed) {
        if (host.s[0] != '[' || host.s[host.len - 1] != ']')
            return false;
        host = str_slice(host, 1, host.len - 1);
    }
    if (!six && host.s[host.len - 1] == '.')
        host.len--;
    if (host.len == 0 || host.len > DESTINATION_NAME_MAX)
        return false;
    print_lower(host, out->name);
    if (six)
        return read_address(AF_INET6, out);
    return read_address(AF_INET, out) || is_name((struct str){out->name, host.len});
}

bool destination_parse(struct str text, uint16_t port, struct destination *out)
{
    const size_t colon = str_last_index(text, ':'), bracket = str_last_index(text, ']');
    const bool has_port = colon != STR_NONE && (bracket == STR_NONE || colon > bracket);

    if (has_port && !port_parse(str_from_byte(text, colon + 1), &port))
        return false;
    return destination_read(has_port ? str_slice(text, 0, colon) : text, port, true, out);
}
