/* fuzz_redact.c - exercises src/edge/record/redact*.c: a command with secrets, or without.
 *
 * Beyond crashes: the shortcut for plain commands takes out and remembers the same as reading them
 * as shell, and no byte that is left is a new one. */
#include <stdint.h>
#include <stdlib.h>

#include "record/redact.h"
#include "record/redact_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

/* What is left stands in the source, in this order. */
static bool is_rest_of(struct str left, struct str source)
{
    size_t at = 0;

    for (size_t i = 0; i < left.len;) {
        if (str_starts(str_from_byte(left, i), STR(REDACTED)) &&
            !str_starts(str_from_byte(source, at), STR(REDACTED))) {
            i += sizeof(REDACTED) - 1;
            continue;
        }
        while (at < source.len && source.s[at] != left.s[i])
            at++;
        if (at++ == source.len)
            return false;
        i++;
    }
    return true;
}

static void redact(void *arg)
{
    struct str command = *(struct str *)arg;
    struct strs quick = {0}, full = {0};
    struct str left = redact_command(&arena, command, &quick);

    if (!is_rest_of(left, command))
        abort();
    if (!redact_is_plain(command))
        return;
    if (!str_eq(left, redact_command_fully(&arena, command, &full)) || quick.count != full.count)
        abort();
    for (size_t i = 0; i < full.count; i++)
        if (!strs_has(&quick, full.items[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str command = {(const char *)data, size};

    arena_init(&arena, (size_t)64 << 20);
    (void)arena_try(&arena, redact, &command);
    arena_release(&arena);
    return 0;
}
