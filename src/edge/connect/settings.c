/* settings.c - the event of a client that is about to take new settings: it may only do so if it
 * goes on asking Warder. */
#include "connect/event_put.h"
#include "connect/hook.h"
#include "connect/place.h"

/* Settings of the project do not count: the agent may have written them. */
static struct str complaint_about(const struct registered said[SCOPE_COUNT])
{
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        if (said[i].off.len || said[i].local_off.len)
            return STR("the new settings switch all hooks off");
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        if (said[i].odd_env.len)
            return STR("the new settings set a variable that changes how Warder is run");
    if (said[SCOPE_USER].events < said[SCOPE_USER].wanted &&
        said[SCOPE_MANAGED].events < said[SCOPE_MANAGED].wanted)
        return STR("with the new settings Warder would no longer be asked");
    if (said[SCOPE_USER].odd.len || said[SCOPE_MANAGED].odd.len)
        return STR("with the new settings Warder would not run as it was registered");
    if (said[SCOPE_USER].narrow)
        return STR("with the new settings Warder would not be asked about all tools");
    return (struct str){0};
}

/* What the settings of each scope say; the error is the first one of them. */
static void read_scopes(const warder_options *options, warder_reply *w,
                        struct registered said[SCOPE_COUNT], struct error *err)
{
    const struct client *client = w->event.question.client;
    const warder_installation where = {.struct_size = sizeof(where),
                                       .home = options->home,
                                       .project = event_project(options, client)};

    for (size_t i = 0; i < SCOPE_COUNT && err->status == STATUS_OK; i++) {
        struct place place;
        bool found = false;
        if (place_find(client, (enum scope)i, &where, &place, err) == STATUS_OK)
            (void)place_look(&w->arena, &place, &found, &said[i], err);
        if (!found)
            said[i].wanted = 1; /* and no event of it is registered */
    }
}

enum status settings_answer(const warder_options *options, warder_reply *w, struct error *err)
{
    struct registered said[SCOPE_COUNT] = {0};
    struct error unread = {0};
    struct verdict v = {0};
    char why[sizeof(unread.message) + 64];

    read_scopes(options, w, said, &unread);
    struct str complaint = complaint_about(said);
    if (unread.status != STATUS_OK) {
        snprintf(why, sizeof(why), "the new settings cannot be read: %s", unread.message);
        complaint = str_from(why);
    }
    if (complaint.len)
        verdict_refuse(&v, BEHAVIOR_DENY, "settings", complaint);
    else
        verdict_allow(&v, ALLOWED_BY_SETTINGS, "settings", (struct str){0});
    return event_answer(&w->arena, &w->event, &v, &(struct event_words){0}, &w->answer, err);
}
