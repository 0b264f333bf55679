/* redact_random.c - random-looking words.
 *
 * Names that people choose have runs of one kind of letter (camelCase, words with a number at the
 * end) and few rare letters; random text keeps changing between small letters, capitals and digits
 * and has as many q as e. The two counts together tell them apart within a few dozen bytes, without
 * a dictionary. */
#include "base/ascii.h"
#include "record/redact_parts.h"

#define RANDOM_MOST  256 /* longer ones are data for a pipe, and worth reading */
#define RANDOM_LOWER 24  /* without capitals it takes more bytes to be sure */
/* Changes and rare letters in a hundred bytes, at least. Random text has about 90 and 65, names
 * have 45 and 25. */
#define RANDOM_MIXED 55
#define RANDOM_SMALL 45

enum kind { KIND_LOWER = 0, KIND_UPPER, KIND_DIGIT, KIND_OTHER, KINDS };

static enum kind kind_of(char c)
{
    if (ascii_is_digit(c))
        return KIND_DIGIT;
    if (ascii_is_upper(c))
        return KIND_UPPER;
    return ascii_is_letter(c) ? KIND_LOWER : KIND_OTHER;
}

struct census {
    size_t of[KINDS];
    size_t changes, rare;
    bool hex; /* and dashes: a hash or an identifier, not a secret */
};

static struct census count(struct str run)
{
    struct census c = {.hex = true};

    for (size_t i = 0; i < run.len; i++) {
        enum kind kind = kind_of(run.s[i]);
        c.of[kind]++;
        c.rare += kind != KIND_DIGIT && strchr("jkqvwxyzJKQVWXYZ", run.s[i]) != NULL;
        c.changes += i > 0 && kind != kind_of(run.s[i - 1]);
        c.hex &= redact_in_charset(CHARS_HEX, run.s[i]) || run.s[i] == '-';
    }
    return c;
}

static int base64_value(char c)
{
    if (ascii_is_upper(c))
        return c - 'A';
    if (ascii_is_letter(c))
        return c - 'a' + 26;
    if (ascii_is_digit(c))
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

/* Base64 of readable text hides a command, not a key: readers of the log must see it. */
static bool hides_text(struct str run)
{
    unsigned bits = 0, held = 0;
    size_t bytes = 0;

    for (size_t i = 0; i < run.len && base64_value(run.s[i]) >= 0; i++) {
        bits = bits << 6 | (unsigned)base64_value(run.s[i]);
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        unsigned char byte = (unsigned char)(bits >> held);
        if ((byte < ' ' && byte != '\n' && byte != '\t') || byte > '~')
            return false;
        bytes++;
    }
    return bytes >= 12;
}

bool redact_is_random(struct str run)
{
    if (run.len < REDACT_RANDOM_LEAST || run.len > RANDOM_MOST)
        return false;
    struct census c = count(run);
    if (c.hex || !c.of[KIND_DIGIT] || hides_text(run))
        return false;
    if (c.of[KIND_UPPER] >= 2 && c.of[KIND_LOWER] >= 2)
        return (c.changes + c.rare) * 100 >= run.len * RANDOM_MIXED &&
               c.of[KIND_OTHER] * 6 <= run.len;
    return c.of[KIND_UPPER] == 0 && c.of[KIND_OTHER] == 0 && run.len >= RANDOM_LOWER &&
           (c.changes + c.rare) * 100 >= run.len * RANDOM_SMALL;
}
