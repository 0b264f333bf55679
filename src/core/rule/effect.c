#include "rule/effect.h"

static const struct {
    unsigned bit;
    const char *word, *sentence;
} rows[] = {
#define RULE_EFFECT_ROW(name, value, word, sentence) {value, word, sentence},
    RULE_EFFECTS(RULE_EFFECT_ROW)
#undef RULE_EFFECT_ROW
};

unsigned rule_effect_named(struct str word)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (str_is(word, rows[i].word))
            return rows[i].bit;
    return 0;
}

static struct str print(struct arena *a, unsigned effects, bool sentences)
{
    struct buf b = buf_in(a);
    bool more = false;

    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!(effects & rows[i].bit))
            continue;
        buf_text(&b, more ? ", " : "");
        buf_text(&b, sentences ? rows[i].sentence : rows[i].word);
        more = true;
    }
    return buf_str(&b);
}

struct str rule_effects_print(struct arena *a, unsigned effects)
{
    return print(a, effects, false);
}

struct str rule_effects_phrase(struct arena *a, unsigned effects)
{
    return print(a, effects, true);
}
