/* effect_text.c - effects as a sentence. */
#include "programs/effects.h"

static const struct {
    unsigned bit;
    const char *sentence;
} effects[] = {
#define EFFECT_SENTENCE(name, value, word, sentence) {value, sentence},
    EFFECTS(EFFECT_SENTENCE)
#undef EFFECT_SENTENCE
};

struct str program_effects_text(struct arena *a, unsigned bits)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < COUNT(effects); i++)
        if (bits & effects[i].bit)
            buf_format(&b, "%s%s", b.len ? ", " : "", effects[i].sentence);
    return buf_str(&b);
}
