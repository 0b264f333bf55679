#include "serve/request_filter.h"

#include <stdio.h>

bool filter_add(struct request_filter *gate, const char *name, unsigned port)
{
    size_t room = sizeof gate->hosts[0];
    int len;

    if (gate->count + 2 > GATE_NAMES_MAX)
        return false;
    len = snprintf(gate->hosts[gate->count++], room, "%s:%u", name, port);
    /* Who means the scheme's own port leaves it out. */
    if (port == (gate->tls ? 443 : 80))
        len = snprintf(gate->hosts[gate->count++], room, "%s", name);
    return len > 0 && (size_t)len < room;
}

void filter_init(struct request_filter *gate, unsigned port, bool tls)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

    *gate = (struct request_filter){.tls = tls};
    for (size_t i = 0; i < COUNT(names); i++)
        (void)filter_add(gate, names[i], port);
}

bool filter_host(const struct request_filter *gate, struct str host)
{
    for (size_t i = 0; i < gate->count; i++)
        if (str_eq_nocase(host, str_from(gate->hosts[i])))
            return true;
    return false;
}

bool filter_origin(const struct request_filter *gate, struct str origin)
{
    struct str scheme = gate->tls ? STR("https://") : STR("http://");

    return str_starts(origin, scheme) && filter_host(gate, str_from_byte(origin, scheme.len));
}

bool filter_site(struct str site)
{
    return str_is(site, "same-origin") || str_is(site, "none");
}

bool filter_is_json(struct str content_type)
{
    struct str type, parameters;

    str_cut(content_type, ';', &type, &parameters);
    return str_eq_nocase(str_trim(type), STR("application/json"));
}

struct str filter_bearer(struct str authorization)
{
    const struct str scheme = STR("bearer ");

    if (!str_eq_nocase(str_slice(authorization, 0, scheme.len), scheme))
        return STR("");
    return str_trim(str_from_byte(authorization, scheme.len));
}

struct str filter_protocol_token(struct str protocols)
{
    const struct str mark = STR("bearer.");
    struct str word, rest = protocols;
    bool more = true;

    while (more) {
        more = str_cut(rest, ',', &word, &rest);
        word = str_trim(word);
        if (str_starts(word, mark))
            return str_from_byte(word, mark.len);
    }
    return STR("");
}
