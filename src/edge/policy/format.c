#include "policy/format.h"

static const char *const names[] = {
    [FORMAT_UNKNOWN] = "",    [FORMAT_SETTINGS] = "settings", [FORMAT_CALIBAN] = "caliban",
    [FORMAT_GUILD] = "guild", [FORMAT_WARDER] = "warder",     [FORMAT_STORED] = "stored",
};

_Static_assert(COUNT(names) == FORMAT_COUNT, "every format has a name");

const char *format_name(enum format f)
{
    return names[f];
}

bool format_parse(struct str name, enum format *out)
{
    for (size_t i = FORMAT_UNKNOWN + 1; i < COUNT(names); i++)
        if (str_is(name, names[i])) {
            *out = (enum format)i;
            return true;
        }
    return false;
}
