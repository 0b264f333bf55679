/* Fuzzes programs/js_*.c and programs/read_js.c: any bytes as the text behind `node -e`.
 *
 * Properties: what is accepted has no effect but the loading of modules; it is also accepted with a comment behind it,
 * and on the standard input; with a byte behind it that is not known, or a call of what is never called, it is not. */
#include <stdint.h>
#include <stdlib.h>

#include "programs/js.h"

static struct arena arena;

static void must(bool holds)
{
    if (!holds)
        abort();
}

static unsigned effects_of(struct str text)
{
    const struct program_word words[] = {{.text = STR("node"), .known = true},
                                         {.text = STR("-e"), .known = true},
                                         {.text = text, .known = true},
                                         {.text = STR("x"), .known = true}};
    struct program_use use;

    program_explain(&arena, words, COUNT(words), NULL, &use);
    return use.effects;
}

static unsigned effects_of_input(struct str text)
{
    const struct program_word words[] = {{.text = STR("node"), .known = true}, {.text = STR("-"), .known = true}};
    struct program_use use;

    program_explain(&arena, words, COUNT(words), NULL, &use);
    must(use.effects == EFFECT_CODE);
    program_explain_input(&arena, words, COUNT(words), text, &use);
    return use.effects;
}

static void run(void *arg)
{
    const struct str *text = arg;
    unsigned effects = effects_of(*text);

    must(effects == EFFECT_CODE || effects == EFFECT_MODULES);
    must(effects_of_input(*text) == effects);
    must(effects_of(str_join(&arena, *text, STR("\x01"))) == EFFECT_CODE);
    must(effects_of(str_join(&arena, *text, STR("\n;eval(1)"))) == EFFECT_CODE);
    if (effects == EFFECT_MODULES && text->len + 10 < JS_TEXT_MAX)
        must(effects_of(str_join(&arena, *text, STR("\n// more\n"))) == EFFECT_MODULES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {size ? (const char *)data : "", size};

    arena_init(&arena, (size_t)64 * 1024 * 1024);
    (void)arena_try(&arena, run, &text);
    arena_release(&arena);
    return 0;
}
