/* clients.c - the table of clients, made of the rows of call/agents.def. */
#include "base/list.h"
#include "call/tool.h"
#include "client/client.h"
#include "client/field.h"

/* clang-format off */
#define ASKS_ALL "*"

/* Claude Code's own names, which many others adopted. */
#define CLAUDE_FIELDS \
    .event = "hook_event_name", .tool = "tool_name", .input = "tool_input", .session = "session_id", \
    .use_id = "tool_use_id", .cwd = "cwd", .mode = "permission_mode", .agent = "agent_type agent_id"

const struct client clients[] = {
#define MOVED(variable, directory, file) .moved = (variable), .moved_from = (directory),
#define CLIENT(...) __VA_ARGS__
#define AGENT(id, shown, sections) {.name = #id, .title = (shown), sections},
#include "call/agents.def"
    {0},
};
/* clang-format on */

const struct client *client_find(struct str name)
{
    for (const struct client *c = clients; c->name; c++)
        if (str_is(name, c->name) || str_has_word(str_from(c->aliases), name))
            return c;
    return NULL;
}

bool client_tells_ran(const struct client *client)
{
    for (size_t i = 0; i < CLIENT_EVENTS_MAX && client->events[i].name; i++)
        if (client->events[i].kind == EVENT_RAN)
            return true;
    return false;
}

bool client_contains(const struct client *client)
{
    for (size_t i = 0; i < CLIENT_EVENTS_MAX; i++)
        if (client->events[i].contains)
            return true;
    return false;
}

static bool has_all(const struct value *event, const char *fields)
{
    struct str rest = str_from(fields), field;

    while (str_next_word(&rest, &field))
        if (!field_at(event, field))
            return false;
    return true;
}

static bool has_any(const struct value *event, const char *fields)
{
    struct str rest = str_from(fields), field;

    while (str_next_word(&rest, &field))
        if (field_at(event, field))
            return true;
    return false;
}

const struct client *client_recognise(const struct value *event)
{
    const struct client *found = NULL;

    for (const struct client *c = clients; c->name; c++) {
        if (!has_all(event, c->has) || has_any(event, c->lacks) || !client_event_of(c, event))
            continue;
        if (found)
            return NULL;
        found = c;
    }
    return found;
}
