#include "machine/statedir.h"

#include <stdio.h>
#include <stdlib.h>

enum status statedir_find(const char *home, char out[STATEDIR_MAX], struct error *err)
{
    const char *state = home ? NULL : getenv("XDG_STATE_HOME");
    int len;

    if (!home)
        home = getenv("HOME");
    if (state && state[0] == '/')
        len = snprintf(out, STATEDIR_MAX, "%s/warder", state);
    else if (home && home[0] == '/')
        len = snprintf(out, STATEDIR_MAX, "%s/.local/state/warder", home);
    else
        return fail(err, STATUS_USAGE,
                    "the home directory is not known: set HOME or pass it explicitly");
    if (len < 0 || len >= STATEDIR_MAX)
        return fail(err, STATUS_LIMIT, "the path of the home directory is too long");
    return STATUS_OK;
}
