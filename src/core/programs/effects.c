/* effects.c - effects by their words. */
#include "programs/effects.h"

static const struct {
    unsigned bit;
    const char *word;
} effects[] = {
#define EFFECT_WORD(name, value, word, sentence) {value, word},
    EFFECTS(EFFECT_WORD)
#undef EFFECT_WORD
};

const char *program_effect_name(unsigned bit)
{
    for (size_t i = 0; i < COUNT(effects); i++)
        if (effects[i].bit == bit)
            return effects[i].word;
    return "unknown";
}

unsigned program_effect_named(struct str word)
{
    for (size_t i = 0; i < COUNT(effects); i++)
        if (str_is(word, effects[i].word))
            return effects[i].bit;
    return 0;
}

bool effect_take(struct str *text, unsigned *out)
{
    size_t len = 0;

    while (len < text->len && text->s[len] >= 'a' && text->s[len] <= 'z')
        len++;
    unsigned bit = program_effect_named(str_slice(*text, 0, len));
    *out |= bit ? bit : EFFECT_UNKNOWN;
    *text = str_from_byte(*text, len);
    return bit != 0;
}
