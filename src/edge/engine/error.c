/* error.c - the border for errors and for structs that callers fill. */
#include <stdio.h>

#include "engine/engine.h"

_Static_assert((int)WARDER_EUSAGE == (int)STATUS_USAGE && (int)WARDER_ENOMEM == (int)STATUS_NOMEM &&
                   (int)WARDER_EUNSAFE == (int)STATUS_UNSAFE && (int)WARDER_EIO == (int)STATUS_IO &&
                   (int)WARDER_ELIMIT == (int)STATUS_LIMIT &&
                   (int)WARDER_ESYNTAX == (int)STATUS_SYNTAX,
               "the public statuses are the inner ones");
_Static_assert((int)WARDER_ALLOW == (int)BEHAVIOR_ALLOW && (int)WARDER_ASK == (int)BEHAVIOR_ASK &&
                   (int)WARDER_DENY == (int)BEHAVIOR_DENY,
               "the public behaviours are the inner ones");

const char *warder_status_name(warder_status status)
{
    static const char *const names[] = {"ok", "syntax", "limit", "io", "unsafe", "nomem", "usage"};

    return (unsigned)status < sizeof(names) / sizeof(names[0]) ? names[status] : "unknown";
}

warder_status error_out(warder_error *out, const struct error *in)
{
    if (out) {
        out->status = (warder_status)in->status;
        out->line = in->line;
        out->column = in->column;
        snprintf(out->message, sizeof(out->message), "%s", in->message);
    }
    return (warder_status)in->status;
}

warder_status give_no_memory(warder_error *out)
{
    struct error err;

    fail(&err, STATUS_NOMEM, "out of memory");
    return error_out(out, &err);
}

warder_status give_usage(warder_error *out, const char *what)
{
    struct error err;

    fail(&err, STATUS_USAGE, "%s", what);
    return error_out(out, &err);
}

bool copy_versioned(void *to, size_t size, const void *from, size_t given)
{
    const char *bytes = from;

    if (given < sizeof(size_t))
        return false;
    memcpy(to, from, given < size ? given : size);
    for (size_t i = size; i < given; i++)
        if (bytes[i])
            return false;
    return true;
}
