/* fuzz_register.c - fuzzes src/edge/client/{register,splice}.c: writes a registration into an
 * agent's settings file.
 *
 * Properties: what was added is found again, adding it twice changes nothing, and removing it
 * leaves the same document. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "client/register.h"
#include "client/splice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static struct str as_json(struct str text)
{
    struct buf b = buf_in(&arena);
    struct value v;
    struct error err;

    if (splice_read(&arena, text, &v, &err) != STATUS_OK)
        abort();
    json_value(&b, &v);
    return buf_str(&b);
}

static void run(void *arg)
{
    const struct str *text = arg;
    struct registrar r = {.client = client_find(STR("claude")), .program = STR("/usr/bin/warder")};
    struct registered before, said;
    struct str added, again, back;
    struct error err;

    r.row = registration_of(r.client);
    if (register_look(&arena, &r, *text, &before, &err) != STATUS_OK || before.events ||
        register_add(&arena, &r, *text, &added, &err) != STATUS_OK)
        return;
    if (register_look(&arena, &r, added, &said, &err) != STATUS_OK || said.events != said.wanted)
        abort();
    if (register_add(&arena, &r, added, &again, &err) != STATUS_OK || !str_eq(added, again))
        abort();
    if (register_remove(&arena, &r, added, &back, &err) != STATUS_OK)
        abort();
    if (back.s && str_contains(as_json(back), STR("/usr/bin/warder")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    arena_init(&arena, (size_t)64 * 1024 * 1024);
    if (size < 100000)
        (void)arena_try(&arena, run, &text);
    arena_release(&arena);
    return 0;
}
