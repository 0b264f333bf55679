/* fuzz_redact.c - fuzzes src/edge/record/redact*.c: a command with or without secrets.
 *
 * Properties: the shortcut for plain commands removes and remembers the same as the shell reader,
 * and every byte that is left was in the source. */
#include <stdint.h>
#include <stdlib.h>

#include "record/redact.h"
#include "record/redact_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

/* Is `left` a subsequence of the source? */
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
