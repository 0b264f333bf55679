/* fuzz_import.c - fuzzes src/edge/client/import_codex.c, a reader of Codex rules. Property: an
 * error names a line of the text. */
#include <stdint.h>
#include <stdlib.h>

#include "client/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void run(void *arg)
{
    const struct str *text = arg;
    struct import to = {.arena = &arena};
    struct error err = {0};
    uint32_t lines = 1;

    for (size_t i = 0; i < text->len; i++)
        lines += text->s[i] == '\n' ? 1 : 0;
    if (import_codex(&to, *text, &err) != STATUS_OK && (err.line == 0 || err.line > lines))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    arena_init(&arena, (size_t)64 * 1024 * 1024);
    (void)arena_try(&arena, run, &text);
    arena_release(&arena);
    return 0;
}
