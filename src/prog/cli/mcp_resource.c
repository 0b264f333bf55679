#include "cli/mcp_resource.h"

#include "base/ascii.h"

static int digit(char c)
{
    static const char hex[] = "0123456789abcdef";
    const char *at = c ? strchr(hex, ascii_lower(c)) : NULL;

    return at ? (int)(at - hex) : -1;
}

static bool is_escape(struct str s, size_t at)
{
    return s.s[at] == '%' && at + 2 < s.len && digit(s.s[at + 1]) >= 0 && digit(s.s[at + 2]) >= 0;
}

/* False: an escape that is broken, hides a NUL, or hides another one. */
static bool decode(struct arena *a, struct str text, struct str *out)
{
    char *to = ARENA_ARRAY(a, char, text.len + 1);
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        bool escape = is_escape(text, i);
        if (text.s[i] == '%' && !escape)
            return false;
        to[len++] = escape ? (char)(digit(text.s[i + 1]) * 16 + digit(text.s[i + 2])) : text.s[i];
        i += escape ? 2 : 0;
    }
    *out = (struct str){to, len};
    for (size_t i = 0; i < len; i++)
        if (to[i] == '\0' || is_escape(*out, i))
            return false;
    return true;
}

static bool starts(struct str text, struct str front)
{
    return text.len >= front.len && str_eq_nocase(str_slice(text, 0, front.len), front);
}

/* file:///path, file://localhost/path, file:/path. A query or a fragment may count or not. */
static enum mcp_resource read_file_uri(struct arena *a, struct str rest, struct str *argument)
{
    if (str_has(rest, '?') || str_has(rest, '#') || !decode(a, rest, argument))
        return RESOURCE_UNCLEAR;
    if (starts(*argument, STR("//localhost/")))
        *argument = str_from_byte(*argument, sizeof("//localhost") - 1);
    else if (starts(*argument, STR("///")))
        *argument = str_from_byte(*argument, 2);
    return argument->len && argument->s[0] == '/' && !starts(*argument, STR("//"))
               ? RESOURCE_FILE
               : RESOURCE_UNCLEAR;
}

/* A scheme begins with a letter; a drive or a relative path has none. */
static bool has_scheme(struct str uri)
{
    size_t colon = str_index(uri, ':');

    if (colon == STR_NONE || colon < 2 || !ascii_is_letter(uri.s[0]))
        return false;
    for (size_t i = 1; i < colon; i++)
        if (!ascii_is_alnum(uri.s[i]) && !strchr("+-.", uri.s[i]))
            return false;
    return true;
}

enum mcp_resource mcp_resource_read(struct arena *a, struct str uri, struct str *argument)
{
    *argument = uri;
    if (!uri.len)
        return RESOURCE_UNCLEAR;
    for (size_t i = 0; i < uri.len; i++)
        if ((unsigned char)uri.s[i] <= ' ' || uri.s[i] == '\x7f' || uri.s[i] == '\\')
            return RESOURCE_UNCLEAR;
    if (starts(uri, STR("file:")))
        return read_file_uri(a, str_from_byte(uri, 5), argument);
    if (starts(uri, STR("http:")) || starts(uri, STR("https:")))
        return RESOURCE_WEB;
    if (has_scheme(uri))
        return RESOURCE_OWN;
    return decode(a, uri, argument) ? RESOURCE_FILE : RESOURCE_UNCLEAR;
}
