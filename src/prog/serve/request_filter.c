#include "serve/request_filter.h"

#include <stdio.h>

static bool add_host(struct request_filter *filter, struct str name, bool tls)
{
    struct filter_host *host = &filter->hosts[filter->count];

    if (filter->count == FILTER_NAMES_MAX || !name.len || name.len >= sizeof host->name)
        return false;
    snprintf(host->name, sizeof host->name, "%.*s", STR_ARG(name));
    host->tls = tls;
    filter->count++;
    return true;
}

bool filter_add(struct request_filter *filter, const char *name, unsigned port)
{
    char text[sizeof filter->hosts[0].name];
    int len = snprintf(text, sizeof text, "%s:%u", name, port);

    if (len <= 0 || (size_t)len >= sizeof text || !add_host(filter, str_from(text), filter->tls))
        return false;
    /* A client leaves out the scheme's default port. */
    return port != (filter->tls ? 443 : 80) || add_host(filter, str_from(name), filter->tls);
}

bool filter_add_url(struct request_filter *filter, const char *url)
{
    static const struct {
        struct str scheme;
        bool tls;
    } schemes[] = {{STR("https://"), true}, {STR("http://"), false}};
    struct str text = str_from(url);

    if (str_ends(text, STR("/")))
        text.len--;
    for (size_t i = 0; i < COUNT(schemes); i++) {
        struct str host = str_from_byte(text, schemes[i].scheme.len);
        if (str_starts(text, schemes[i].scheme))
            return !str_has(host, '/') && !str_has(host, '@') && !str_has(host, '?') &&
                   !str_has(host, '#') && add_host(filter, host, schemes[i].tls);
    }
    return false;
}

void filter_init(struct request_filter *filter, unsigned port, bool tls)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};

    *filter = (struct request_filter){.tls = tls};
    for (size_t i = 0; i < COUNT(names); i++)
        (void)filter_add(filter, names[i], port);
}

static const struct filter_host *find_host(const struct request_filter *filter, struct str host)
{
    for (size_t i = 0; i < filter->count; i++)
        if (str_eq_nocase(host, str_from(filter->hosts[i].name)))
            return &filter->hosts[i];
    return NULL;
}

bool filter_host(const struct request_filter *filter, struct str host)
{
    return find_host(filter, host) != NULL;
}

bool filter_is_secure(const struct request_filter *filter, struct str host)
{
    const struct filter_host *found = find_host(filter, host);

    return found && found->tls;
}

bool filter_origin(const struct request_filter *filter, struct str origin)
{
    for (size_t i = 0; i < filter->count; i++) {
        struct str scheme = filter->hosts[i].tls ? STR("https://") : STR("http://");
        if (str_starts(origin, scheme) &&
            str_eq_nocase(str_from_byte(origin, scheme.len), str_from(filter->hosts[i].name)))
            return true;
    }
    return false;
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

struct str filter_cookie(struct str cookies, struct str name)
{
    struct str one, key, value, found = STR(""), rest = cookies;
    size_t count = 0;
    bool more = cookies.len > 0;

    while (more) {
        more = str_cut(rest, ';', &one, &rest);
        if (str_cut(str_trim(one), '=', &key, &value) && str_eq(key, name)) {
            found = value;
            count++;
        }
    }
    return count == 1 ? found : STR("");
}
