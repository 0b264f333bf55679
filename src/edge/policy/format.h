/* format.h - the kinds of policy files: their vocabulary, independent of their syntax. */
#ifndef POLICY_FORMAT_H
#define POLICY_FORMAT_H

#include "base/str.h"

enum format {
    FORMAT_UNKNOWN = 0, /* recognise it by its content */
    FORMAT_SETTINGS,    /* settings.json: a "permissions" object; unknown keys are ignored */
    FORMAT_CALIBAN,     /* rows of tool and action; unknown keys are ignored */
    FORMAT_GUILD,  /* "deny" and "accept" lists of command patterns; unknown keys are ignored */
    FORMAT_WARDER, /* ours; unknown keys are errors */
    FORMAT_STORED, /* the rules of the service (stored.h); never recognised by content */
};
#define FORMAT_COUNT 6

const char *format_name(enum format f); /* "settings", "caliban", "guild", "warder", "stored" */
bool format_parse(struct str name, enum format *out);

#endif
