/* say.c - outcomes of requests, and checks of their bodies. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "service/service.h"

int64_t service_micros(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

warder_outcome outcome_say(warder_error *err, warder_outcome outcome, const char *format, ...)
{
    va_list args;

    if (!err)
        return outcome;
    *err = (warder_error){.status = outcome == WARDER_DONE ? WARDER_OK : WARDER_EUSAGE};
    va_start(args, format);
    vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    return outcome;
}

warder_outcome outcome_failed(warder_error *err, const struct error *why)
{
    (void)error_out(err, why);
    return WARDER_FAILED;
}

bool caller_is(const warder_caller *caller, warder_role role)
{
    return caller && caller->role == role;
}

warder_outcome outcome_forbidden(warder_error *err, const char *who)
{
    return outcome_say(err, WARDER_FORBIDDEN, "only %s may do this", who);
}

/* ---- bodies ---- */

/* An unknown key may have been meant to make things stricter. */
warder_outcome service_known_keys(const struct value *object, const char *const *keys, size_t count,
                                  warder_error *err)
{
    for (size_t i = 0; i < object->count; i++)
        if (!str_in(object->members[i].key, keys, count))
            return outcome_say(err, WARDER_INVALID, "unknown member \"%.60s\"",
                               object->members[i].key.s);
    return WARDER_DONE;
}

warder_outcome service_body(struct arena *a, struct str json, const char *const *keys, size_t count,
                            struct value *out, warder_error *err)
{
    struct error inner = {0};

    if (!json.s)
        return outcome_say(err, WARDER_INVALID, "the body is empty");
    if (json.len > SERVICE_BODY_MAX)
        return outcome_say(err, WARDER_INVALID, "more than %zu bytes", SERVICE_BODY_MAX);
    enum status status = json_read(a, json, NULL, out, &inner);
    if (status == STATUS_NOMEM)
        return outcome_failed(err, &inner);
    if (status != STATUS_OK)
        return outcome_say(err, WARDER_INVALID, "%u:%u: %s", inner.line, inner.column,
                           inner.message);
    if (out->kind != VALUE_OBJECT)
        return outcome_say(err, WARDER_INVALID, "expected an object, not %s",
                           value_kind_name(out->kind));
    return service_known_keys(out, keys, count, err);
}

static void show_nothing(struct report *r, const void *about)
{
    (void)about;
    json_begin_object(&r->json);
    json_end_object(&r->json);
}

warder_outcome service_empty_report(warder_report **out, warder_error *err)
{
    return report_make_line(show_nothing, NULL, out, err) == WARDER_OK ? WARDER_DONE
                                                                       : WARDER_FAILED;
}
