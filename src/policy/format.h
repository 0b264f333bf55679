/* format.h - the kinds of policy files: whose words they use, whatever their syntax. */
#ifndef POLICY_FORMAT_H
#define POLICY_FORMAT_H

#include "base/str.h"

enum format {
    FORMAT_UNKNOWN = 0, /* recognise it by its content */
    FORMAT_SETTINGS,    /* settings.json: a "permissions" object; unknown keys are ignored */
    FORMAT_CALIBAN,     /* rows of tool and action; unknown keys are ignored */
    FORMAT_GUILD,       /* "deny" and "accept" lists of command patterns; unknown keys are ignored */
    FORMAT_WARDER,      /* ours; unknown keys are errors */
};
#define FORMAT_COUNT 5

const char *format_name(enum format f); /* "settings", "caliban", "guild", "warder" */
bool format_parse(struct str name, enum format *out);

#endif
