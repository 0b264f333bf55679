/* variables.c - by which variables agents tell their hooks something. */
#include "client/client.h"
#include "warder_admin.h"

/* Only where Warder is asked about new settings does it have to find them. */
static bool reports_settings(const struct client *c)
{
    for (size_t i = 0; i < CLIENT_EVENTS_MAX && c->events[i].name; i++)
        if (c->events[i].kind == EVENT_CONFIG)
            return true;
    return false;
}

const char *warder_client_variable(size_t number)
{
    for (const struct client *c = clients; c->name; c++) {
        if (c->project && number-- == 0)
            return c->project;
        if (c->moved && reports_settings(c) && number-- == 0)
            return c->moved;
    }
    return NULL;
}
