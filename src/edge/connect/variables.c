/* variables.c - by which variables agents tell their hooks something: the project, and where their
 * settings are, which have to be protected there. */
#include <string.h>

#include "client/client.h"
#include "warder_admin.h"

const char *warder_client_variable(size_t number)
{
    for (const struct client *c = clients; c->name; c++) {
        if (c->project && number-- == 0)
            return c->project;
        if (c->attended && number-- == 0)
            return c->attended;
        /* what else is moved by that one is policy, which no project may move */
        if (c->moved && strcmp(c->moved, "XDG_CONFIG_HOME") != 0 && number-- == 0)
            return c->moved;
    }
    return NULL;
}
