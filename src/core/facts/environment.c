#include "facts/environment.h"

#include "base/ascii.h"
#include "programs/variables.h"

/* Values that name programs which do nothing, and switches that are files only if they look like
 * one. */
static const struct {
    const char *name, *value;
} harmless_values[] = {
    {"*EDITOR", "true"}, {"*EDITOR", ":"},    {"*PAGER", "cat"},      {"GIT_TRACE*", "0"},
    {"GIT_TRACE*", "1"}, {"GIT_TRACE*", "2"}, {"GIT_TRACE*", "true"},
};

static bool is_plain(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!ascii_is_alnum(value.s[i]) && (!value.s[i] || !strchr("_.,:+-", value.s[i])))
            return false;
    return value.len == 0 || value.s[0] != '-';
}

/* postgres://localhost/test */
static bool is_on_this_machine(struct str url)
{
    struct str rest = {0};
    size_t n = 0;

    while (n < url.len && ascii_is_alnum(url.s[n]))
        n++;
    if (n == 0 || !str_starts(str_from_byte(url, n), STR("://")))
        return false;
    for (size_t i = 0; i < url.len; i++)
        if (!ascii_is_alnum(url.s[i]) && (!url.s[i] || !strchr("_.:/@?=&-", url.s[i])))
            return false;
    rest = str_from_byte(url, n + 3);
    if (str_has(rest, '@'))
        rest = str_from_byte(rest, str_last_index(rest, '@') + 1);
    if (str_starts(rest, STR("localhost")))
        rest = str_from_byte(rest, strlen("localhost"));
    else if (str_starts(rest, STR("127.0.0.1")))
        rest = str_from_byte(rest, strlen("127.0.0.1"));
    else
        return false;
    return rest.len == 0 || rest.s[0] == ':' || rest.s[0] == '/';
}

bool environment_is_safe_for_code(struct str name, struct str value)
{
    return variable_uses(name) & (VARIABLE_TEXT | VARIABLE_HARMLESS) || is_plain(value) ||
           is_on_this_machine(value);
}

bool environment_is_dangerous(struct str name, const struct str *value)
{
    for (size_t i = 0; value && i < COUNT(harmless_values); i++)
        if (variable_fits(harmless_values[i].name, name) &&
            str_is(*value, harmless_values[i].value))
            return false;
    return (variable_uses(name) & (VARIABLE_STEERS | VARIABLE_HARMLESS)) == VARIABLE_STEERS;
}
