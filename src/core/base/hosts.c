#include "base/hosts.h"

#define PORT_HTTP  80
#define PORT_HTTPS 443

static bool has_port(struct str text)
{
    const size_t colon = str_last_index(text, ':'), bracket = str_last_index(text, ']');

    return colon != STR_NONE && (bracket == STR_NONE || colon > bracket);
}

bool host_parse(struct str text, struct host *out)
{
    *out = (struct host){.below = str_starts(text, STR("*."))};
    if (out->below)
        text = str_from_byte(text, 2);
    if (!destination_parse(text, PORT_HTTPS, &out->to))
        return false;
    if (!has_port(text))
        out->to.port = 0;
    /* one label alone is all of a top-level domain */
    return !out->below || (!out->to.is_address && strchr(out->to.name, '.'));
}

bool ports_parse(struct str text, struct ports *out)
{
    struct str first = text, last = text;

    if (str_has(text, '-'))
        (void)str_cut(text, '-', &first, &last);
    return port_parse(first, &out->first) && port_parse(last, &out->last) &&
           out->first <= out->last;
}

static bool covers_port(const struct host *host, uint16_t port)
{
    return host->to.port ? port == host->to.port : port == PORT_HTTP || port == PORT_HTTPS;
}

static bool is_below(struct str name, struct str domain)
{
    return name.len > domain.len + 1 && str_ends(name, domain) &&
           name.s[name.len - domain.len - 1] == '.';
}

bool host_covers(const struct host *host, const struct destination *to)
{
    const struct str name = str_from(to->name), named = str_from(host->to.name);

    if (!covers_port(host, to->port) || host->to.is_address != to->is_address)
        return false;
    return host->below ? is_below(name, named) : str_eq(name, named);
}
