#include "rule/sandbox.h"

#include "base/glob.h"
#include "base/hosts.h"

static const char *const tiers[] = {
    [CELL_NONE] = "none", [CELL_LANDLOCK] = "landlock", [CELL_NAMESPACES] = "namespaces"};

const struct sandbox_row sandbox_rows[SANDBOX_KEYS] = {
    [SANDBOX_USE] = {"use", {"off", "auto", "always"}, USE_OFF},
    [SANDBOX_NEED] = {"need", {"landlock", "namespaces"}, NEED_NAMESPACES},
    [SANDBOX_CODE] = {"code", {"free", "contain"}, CODE_CONTAIN},
    [SANDBOX_ASKS] = {"asks", {"lift", "keep"}, ASKS_LIFT},
    [SANDBOX_RETRY] = {"retry", {"ask", "deny"}, RETRY_ASK},
    [SANDBOX_BACKGROUND] = {"background", {"keep", "end"}, BACKGROUND_KEEP},
    [SANDBOX_UNAVAILABLE] = {"unavailable", {"ask", "deny"}, UNAVAILABLE_ASK},
    [SANDBOX_CACHES] = {"caches", {"shared", "private", "off"}, CACHES_PRIVATE},
};

/* Commands that talk to a server of their own on this machine, or need the keys that a cell hides:
 * there they would only fail. */
static const char *const outside_always[] = {
    "docker", "docker *", "docker-compose *", "podman *", "nerdctl *", "gh *", "glab *"};

const char *cell_tier_name(enum cell_tier t)
{
    return tiers[t];
}

bool cell_tier_parse(struct str name, enum cell_tier *out)
{
    for (size_t i = 0; i < COUNT(tiers); i++)
        if (str_is(name, tiers[i])) {
            *out = (enum cell_tier)i;
            return true;
        }
    return false;
}

unsigned sandbox_value(const struct sandbox_policy *p, enum sandbox_key key)
{
    const unsigned char *said = p->said[key];
    unsigned value = sandbox_rows[key].otherwise;
    bool given = false;

    for (size_t i = 0; i < SANDBOX_VOICES; i++) {
        if (!said[i] || (given && key == SANDBOX_USE && value == USE_OFF))
            continue;
        if (!given || said[i] - 1u > value)
            value = said[i] - 1u;
        given = true;
    }
    return value;
}

enum sandbox_use sandbox_use(const struct sandbox_policy *p, bool otherwise)
{
    for (size_t i = 0; i < SANDBOX_VOICES; i++)
        if (p->said[SANDBOX_USE][i])
            return (enum sandbox_use)sandbox_value(p, SANDBOX_USE);
    return otherwise ? USE_AUTO : USE_OFF;
}

bool sandbox_said_by_person(const struct sandbox_policy *p, enum sandbox_key key, unsigned value)
{
    return sandbox_value(p, key) == value &&
           (p->said[key][VOICE_MANAGED] == value + 1u || p->said[key][VOICE_USER] == value + 1u);
}

bool sandbox_has_tier(const struct sandbox_policy *p, enum cell_tier tier)
{
    return tier >=
           (sandbox_value(p, SANDBOX_NEED) == NEED_LANDLOCK ? CELL_LANDLOCK : CELL_NAMESPACES);
}

bool sandbox_has_kit(const struct sandbox_policy *p, const char *kit)
{
    return !p->kits_named || strs_has(&p->lists[SANDBOX_KITS], str_from(kit));
}

/* Whatever port it is that the entry names. */
static bool names_host(struct str entry, struct str host)
{
    struct destination to;
    struct host named;

    if (!host_parse(entry, &named))
        return false;
    return destination_parse(host, named.to.port ? named.to.port : 443, &to) &&
           host_covers(&named, &to);
}

bool sandbox_has_host(const struct sandbox_policy *p, struct str host)
{
    for (size_t i = 0; i < p->lists[SANDBOX_HOSTS].count; i++)
        if (names_host(p->lists[SANDBOX_HOSTS].items[i], host))
            return true;
    return false;
}

/* Most patterns already differ in the bytes before their first wildcard. */
static bool is_match(struct arena *a, struct str pattern, struct str command)
{
    struct str plain = str_slice(pattern, 0, str_until(pattern, "*?[{\\"));

    return str_starts(command, plain) && glob_is_match(a, pattern, 0, command);
}

bool sandbox_is_outside(struct arena *a, const struct sandbox_policy *p, struct str command)
{
    const struct strs *given = &p->lists[SANDBOX_OUTSIDE];

    for (size_t i = 0; i < COUNT(outside_always); i++)
        if (is_match(a, str_from(outside_always[i]), command))
            return true;
    for (size_t i = 0; i < given->count; i++)
        if (is_match(a, given->items[i], command))
            return true;
    return false;
}
