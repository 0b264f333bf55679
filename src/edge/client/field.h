/* field.h - the small language of the table's columns: words separated by blanks, and paths into an
 * event. */
#ifndef CLIENT_FIELD_H
#define CLIENT_FIELD_H

#include "base/str.h"
#include "base/value.h"
#include "client/client.h"

/* "tool_call.name", "workspace_roots.0". NULL when it is not there, or null. */
const struct value *field_at(const struct value *event, struct str path);

/* The first of several that is there. */
const struct value *field_first(const struct value *event, const char *paths);

/* Which of the client's events this is; NULL when it is none of them. */
const struct client_event *client_event_of(const struct client *client, const struct value *event);

#endif
