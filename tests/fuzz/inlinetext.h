/* inlinetext.h - what the targets for readers of inline code share: any bytes as a text, behind an
 * option of its program and on its standard input. */
#ifndef TESTS_FUZZ_INLINETEXT_H
#define TESTS_FUZZ_INLINETEXT_H

#include <stdint.h>
#include <stdlib.h>

#include "programs/programs.h"

struct inline_target {
    const char *program, *option;
    struct str comment; /* what may be added to any text */
    size_t most;        /* bytes of a text */
};

static struct arena arena;

static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline unsigned effects_of(const struct inline_target *t, struct str text)
{
    const struct shell_word words[] = {{.text = str_from(t->program), .known = true},
                                       {.text = str_from(t->option), .known = true},
                                       {.text = text, .known = true},
                                       {.text = STR("x"), .known = true}};
    struct program_use use;

    program_explain(&arena, words, COUNT(words), NULL, &use);
    return use.effects;
}

static inline unsigned effects_of_input(const struct inline_target *t, struct str text)
{
    const struct shell_word words[] = {{.text = str_from(t->program), .known = true},
                                       {.text = STR("-"), .known = true}};
    struct program_use use;

    program_explain(&arena, words, COUNT(words), NULL, &use);
    must(use.effects == EFFECT_CODE);
    program_explain_input(&arena, words, COUNT(words), text, &use);
    return use.effects;
}

/* What is accepted has no effect but the loading of modules; it is also accepted with a comment
 * behind it, and on the standard input; with a byte behind it that is not known it is not. */
static inline void check_text(const struct inline_target *t, struct str text)
{
    unsigned effects = effects_of(t, text);

    must(effects == EFFECT_CODE || effects == EFFECT_MODULES);
    must(effects_of_input(t, text) == effects);
    must(effects_of(t, str_join(&arena, text, WORD_UNKNOWN_STR)) == EFFECT_CODE);
    if (effects == EFFECT_MODULES && text.len + t->comment.len < t->most)
        must(effects_of(t, str_join(&arena, text, t->comment)) == EFFECT_MODULES);
}

static inline void fuzz_text(const uint8_t *data, size_t size, void (*run)(void *text))
{
    struct str text = {size ? (const char *)data : "", size};

    arena_init(&arena, (size_t)64 * 1024 * 1024);
    (void)arena_try(&arena, run, &text);
    arena_release(&arena);
}

#endif
