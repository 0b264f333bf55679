/* fuzz_hook.c - fuzzes src/edge/ask/hook_say.c: the output of a hook.
 *
 * The first byte is the exit code. Properties: an allow must be written in the output, nonsense
 * denies, and a reason is not too long. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ask/hook_say.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct hearing {
    struct arena arena;
    struct process process;
    struct hook hook;
    struct hook_word word;
};

static void hear(void *arg)
{
    struct hearing *h = arg;

    hook_hear(&h->arena, &h->hook, &h->process, &h->word);
}

static void look_at(const struct hearing *h, struct str text)
{
    const struct answer *a = &h->word.answer;
    bool says_yes = str_contains(text, STR("allow")) || str_contains(text, STR("approve")) ||
                    str_has(text, '\\');

    if (a->decided && a->behavior == BEHAVIOR_ALLOW &&
        (h->word.failed || h->process.code != 0 || !says_yes))
        abort();
    if (h->word.failed && (!a->decided || a->updated_input || a->reason.len == 0))
        abort();
    if (a->updated_input && a->updated_input->kind != VALUE_OBJECT)
        abort();
    if (!h->word.failed && a->reason.len > HOOK_TEXT_MAX)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum hook_event events[] = {HOOK_PRE_TOOL_USE, HOOK_PERMISSION_REQUEST};
    struct hearing h = {0};

    if (size == 0)
        return 0;
    for (size_t i = 0; i < COUNT(events); i++) {
        char *text = malloc(size);
        if (!text)
            return 0;
        memcpy(text, data + 1, size - 1);
        h.hook = (struct hook){.event = events[i], .file = STR("h.json"), .line = 1};
        h.process = (struct process){
            .end = PROCESS_EXITED, .code = data[0], .out = {-1, text, size - 1, size}};
        arena_init(&h.arena, (size_t)64 * 1024 * 1024);
        if (arena_try(&h.arena, hear, &h))
            look_at(&h, (struct str){text, size - 1});
        arena_release(&h.arena);
        free(text);
    }
    return 0;
}
