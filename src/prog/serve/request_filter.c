#include "serve/request_filter.h"

#include <stdio.h>

bool filter_add(struct request_filter *filter, const char *name, unsigned port)
{
    size_t room = sizeof filter->hosts[0];
    int len;

    if (filter->count + 2 > FILTER_NAMES_MAX)
        return false;
    len = snprintf(filter->hosts[filter->count++], room, "%s:%u", name, port);
    /* A client leaves out the scheme's default port. */
    if (port == (filter->tls ? 443 : 80))
        len = snprintf(filter->hosts[filter->count++], room, "%s", name);
    return len > 0 && (size_t)len < room;
}

void filter_init(struct request_filter *filter, unsigned port, bool tls)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

    *filter = (struct request_filter){.tls = tls};
    for (size_t i = 0; i < COUNT(names); i++)
        (void)filter_add(filter, names[i], port);
}

bool filter_host(const struct request_filter *filter, struct str host)
{
    for (size_t i = 0; i < filter->count; i++)
        if (str_eq_nocase(host, str_from(filter->hosts[i])))
            return true;
    return false;
}

bool filter_origin(const struct request_filter *filter, struct str origin)
{
    struct str scheme = filter->tls ? STR("https://") : STR("http://");

    return str_starts(origin, scheme) && filter_host(filter, str_from_byte(origin, scheme.len));
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
