#include "rule/mode.h"

static const char *const behaviors[] = {
    [BEHAVIOR_DENY] = "deny", [BEHAVIOR_ASK] = "ask", [BEHAVIOR_ALLOW] = "allow"};

static const char *const modes[] = {
    [MODE_DEFAULT] = "default",
    [MODE_ACCEPT_EDITS] = "acceptEdits",
    [MODE_BYPASS] = "bypassPermissions",
    [MODE_DONT_ASK] = "dontAsk",
    [MODE_PLAN] = "plan",
    [MODE_DELEGATE] = "delegate",
    [MODE_AUTO] = "auto",
    [MODE_BUBBLE] = "bubble",
};

static const char *const sources[] = {
    [SOURCE_MANAGED] = "managed", [SOURCE_USER] = "user",       [SOURCE_PROJECT] = "project",
    [SOURCE_LOCAL] = "local",     [SOURCE_CLI] = "cli",         [SOURCE_RUNTIME] = "runtime",
    [SOURCE_COMMAND] = "command", [SOURCE_SESSION] = "session", [SOURCE_BUILTIN] = "builtin",
};

_Static_assert(COUNT(modes) == MODE_COUNT, "every mode has a name");
_Static_assert(COUNT(sources) == SOURCE_COUNT, "every source has a name");

/* Other clients' names for the same modes. */
static const struct {
    const char *name;
    enum mode mode;
} mode_aliases[] = {
    {"manual", MODE_DEFAULT},        {"bypass", MODE_BYPASS},
    {"yolo", MODE_BYPASS},           {"auto_edit", MODE_ACCEPT_EDITS},
    {"autoEdit", MODE_ACCEPT_EDITS}, {"accept-edits", MODE_ACCEPT_EDITS},
    {"dont-ask", MODE_DONT_ASK},
};

static const struct {
    const char *name;
    enum behavior behavior;
} behavior_aliases[] = {
    {"accept", BEHAVIOR_ALLOW},
    {"approve", BEHAVIOR_ALLOW},
};

const char *behavior_name(enum behavior b)
{
    return behaviors[b];
}

const char *mode_name(enum mode m)
{
    return modes[m];
}

const char *source_name(enum source s)
{
    return sources[s];
}

void mode_nearest(struct nearest *n)
{
    for (enum mode m = MODE_DEFAULT; m < MODE_COUNT; m++)
        if (m != MODE_BUBBLE)
            nearest_try(n, str_from(mode_name(m)));
}

bool mode_parse(struct str name, enum mode *out)
{
    for (size_t i = 0; i < COUNT(modes); i++)
        if (str_is(name, modes[i])) {
            *out = (enum mode)i;
            return true;
        }
    for (size_t i = 0; i < COUNT(mode_aliases); i++)
        if (str_is(name, mode_aliases[i].name)) {
            *out = mode_aliases[i].mode;
            return true;
        }
    return false;
}

/* The place of a mode in the only order there is; 0: it has none. */
static const unsigned char steps[MODE_COUNT] = {
    [MODE_PLAN] = 1, [MODE_DEFAULT] = 2, [MODE_ACCEPT_EDITS] = 3, [MODE_BYPASS] = 4};

bool mode_is_milder(enum mode m, enum mode than)
{
    return steps[than] && steps[m] > steps[than];
}

bool behavior_parse(struct str name, enum behavior *out)
{
    for (size_t i = 0; i < COUNT(behaviors); i++)
        if (str_eq_nocase(name, str_from(behaviors[i]))) {
            *out = (enum behavior)i;
            return true;
        }
    for (size_t i = 0; i < COUNT(behavior_aliases); i++)
        if (str_eq_nocase(name, str_from(behavior_aliases[i].name))) {
            *out = behavior_aliases[i].behavior;
            return true;
        }
    return false;
}

bool source_parse(struct str name, enum source *out)
{
    for (size_t i = 0; i < COUNT(sources); i++)
        if (str_is(name, sources[i])) {
            *out = (enum source)i;
            return true;
        }
    return false;
}
