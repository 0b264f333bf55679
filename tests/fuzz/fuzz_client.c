/* fuzz_client.c - fuzzes src/edge/client/{read,clients,answer}.c: an agent's event.
 *
 * Properties: whatever the event, every answer is empty or JSON that the client reads as the
 * verdict given; a deny is never read as anything else. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "client/register.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void answer(const struct client_question *q, enum behavior behavior)
{
    const struct client_verdict v = {
        .behavior = behavior, .message = q->tool, .approval = q->session};
    struct client_answer said;

    if (q->event->kind == EVENT_CONFIG)
        return;
    client_answer(&arena, q, &v, &said);
    enum behavior heard = client_outcome(&arena, said.out, said.err, said.code);
    if (behavior == BEHAVIOR_DENY && heard != BEHAVIOR_DENY)
        abort();
    if (behavior == BEHAVIOR_ASK && heard == BEHAVIOR_ALLOW && q->event->kind != EVENT_PERMISSION)
        abort();
    if (behavior == BEHAVIOR_ALLOW && heard != BEHAVIOR_ALLOW)
        abort();
}

static void read_as(const struct client *client, const struct value *event)
{
    struct client_question q;
    struct error err;

    if (client_read(&arena, client, event, &q, &err) != STATUS_OK)
        return;
    if (q.event->kind != EVENT_CONFIG) {
        struct str call = client_call(&arena, &q, (struct str){0}, true, (struct str){0});
        struct value v;
        if (json_read(&arena, call, NULL, &v, &err) != STATUS_OK && err.status == STATUS_SYNTAX)
            abort();
    }
    for (int b = BEHAVIOR_DENY; b <= BEHAVIOR_ALLOW; b++)
        answer(&q, (enum behavior)b);
}

static void run(void *arg)
{
    const struct value *event = arg;

    (void)client_recognise(event);
    for (const struct client *c = clients; c->name; c++)
        read_as(c, event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct value event;
    struct error err;

    arena_init(&arena, (size_t)64 * 1024 * 1024);
    if (json_read(&arena, (struct str){(const char *)data, size}, NULL, &event, &err) == STATUS_OK)
        (void)arena_try(&arena, run, &event);
    arena_release(&arena);
    return 0;
}
