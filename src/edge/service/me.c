/* me.c - who asks, and of what: the first thing that a page must know. */
#include "decide/profiles.h"
#include "machine/stamp.h"
#include "service/service.h"

struct me {
    const warder_service *service;
    const warder_caller *caller;
};

static void write_profiles(struct json_writer *w)
{
    size_t count;
    const struct profile *rows = profile_rows(&count);

    json_key(w, "profiles");
    json_begin_array(w);
    for (size_t i = 0; i < count; i++)
        json_text(w, str_from(rows[i].name));
    json_end_array(w);
}

static void write_modes(struct json_writer *w)
{
    json_key(w, "modes");
    json_begin_array(w);
    for (enum mode m = MODE_DEFAULT; m < MODE_BUBBLE; m++)
        json_text(w, str_from(mode_name(m)));
    json_end_array(w);
}

static void write_me(struct report *r, const void *about)
{
    const struct me *me = about;
    struct json_writer *w = &r->json;
    char now[STAMP_SIZE];

    stamp_print(me->service->wall(), now);
    json_begin_object(w);
    json_text_member(w, "name", str_from(me->caller->name));
    json_text_member(w, "role",
                     caller_is(me->caller, WARDER_OPERATOR) ? STR("operator") : STR("viewer"));
    json_text_member(w, "now", str_from(now));
    json_text_member(w, "version", str_from(warder_version()));
    json_text_member(w, "profile", str_from(me->service->profile));
    write_profiles(w);
    write_modes(w);
    json_key(w, "features");
    json_begin_object(w);
    json_end_object(w);
    json_end_object(w);
}

warder_outcome warder_service_me(warder_service *s, const warder_caller *caller,
                                 warder_report **out, warder_error *err)
{
    const struct me me = {s, caller};

    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    return report_make_line(write_me, &me, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}
