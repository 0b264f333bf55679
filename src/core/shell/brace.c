/* brace.c - {a,b} and {1..3}, which bash expands before anything else.
 *
 * A word is taken apart into atoms: the bytes of its unquoted text, and
 * everything else (quoted text, expansions) as one atom each. */
#include <stdlib.h>

#include "shell/walk.h"

struct atom {
    char c; /* when opaque is NULL */
    const struct part *opaque;
};
struct atoms LIST_OF(struct atom);

struct braces {
    struct walk *w;
    const struct word *word;
    struct words *out;
};

static void take_apart(struct walk *w, const struct word *word, struct atoms *out)
{
    for (size_t i = 0; i < word->parts.count; i++) {
        const struct part *part = &word->parts.items[i];
        if (part->kind != PART_TEXT || part->quoted) {
            LIST_PUSH(w->arena, out, (struct atom){0, part});
            continue;
        }
        for (size_t j = 0; j < part->text.len; j++)
            LIST_PUSH(w->arena, out, (struct atom){part->text.s[j], NULL});
    }
}

static bool is_char(const struct atoms *a, size_t i, char c)
{
    return !a->items[i].opaque && a->items[i].c == c;
}

/* The brace that closes the one at `open`; commas says whether it holds a comma of its own. */
static size_t find_close(const struct atoms *a, size_t open, bool *commas)
{
    int depth = 0;

    *commas = false;
    for (size_t i = open; i < a->count; i++) {
        if (is_char(a, i, '{'))
            depth++;
        else if (is_char(a, i, ',') && depth == 1)
            *commas = true;
        else if (is_char(a, i, '}') && --depth == 0)
            return i;
    }
    return STR_NONE;
}

static void add_atoms(struct walk *w, struct atoms *to, const struct atoms *from, size_t begin,
                      size_t end)
{
    for (size_t i = begin; i < end; i++)
        LIST_PUSH(w->arena, to, from->items[i]);
}

static void put_together(struct braces *b, const struct atoms *a)
{
    struct word out = {.at = b->word->at, .len = b->word->len};
    struct buf text = buf_in(b->w->arena);

    for (size_t i = 0; i <= a->count; i++) {
        if (i < a->count && !a->items[i].opaque) {
            buf_byte(&text, a->items[i].c);
            continue;
        }
        if (text.len)
            LIST_PUSH(b->w->arena, &out.parts,
                      (struct part){.text = buf_str(&text), .at = b->word->at});
        text = buf_in(b->w->arena);
        if (i < a->count)
            LIST_PUSH(b->w->arena, &out.parts, *a->items[i].opaque);
    }
    if (out.parts.count)
        LIST_PUSH(b->w->arena, b->out, out);
}

static void expand(struct braces *b, const struct atoms *a, size_t from);

static void expand_with(struct braces *b, const struct atoms *a, size_t open, size_t close,
                        const struct atoms *middle)
{
    struct atoms all = {0};

    if (b->out->count >= SHELL_BRACES_MAX) {
        walk_fail(b->w, b->word->at, "a word whose braces make too many words");
        return;
    }
    add_atoms(b->w, &all, a, 0, open);
    add_atoms(b->w, &all, middle, 0, middle->count);
    add_atoms(b->w, &all, a, close + 1, a->count);
    expand(b, &all, open); /* the alternative itself may hold braces, so begin where it begins */
}

static void expand_alternatives(struct braces *b, const struct atoms *a, size_t open, size_t close)
{
    int depth = 0;
    struct atoms one = {0};

    for (size_t i = open + 1; i <= close; i++) {
        if ((i == close || is_char(a, i, ',')) && depth == 0) {
            expand_with(b, a, open, close, &one);
            one = (struct atoms){0};
            continue;
        }
        depth += is_char(a, i, '{') - is_char(a, i, '}');
        LIST_PUSH(b->w->arena, &one, a->items[i]);
    }
}

struct sequence {
    long ends[3];
    bool letters;
    int width; /* {01..10} pads with zeros */
};

/* a..b or 1..10, with an optional step; plain bytes only. */
static bool read_sequence(struct walk *w, const struct atoms *a, size_t open, size_t close,
                          struct sequence *out)
{
    struct buf text = buf_in(w->arena);
    struct str rest, ends_text[3] = {{0}};
    size_t n = 0;

    for (size_t i = open + 1; i < close; i++) {
        if (a->items[i].opaque)
            return false;
        buf_byte(&text, a->items[i].c);
    }
    rest = buf_str(&text);
    while (n < 3) {
        const char *dots = rest.len ? memmem(rest.s, rest.len, "..", 2) : NULL;
        size_t len = dots ? (size_t)(dots - rest.s) : rest.len;
        ends_text[n++] = str_slice(rest, 0, len);
        if (!dots)
            break;
        rest = str_from_byte(rest, len + 2);
    }
    if (n < 2 || !ends_text[0].len || !ends_text[1].len)
        return false;
    out->letters = ends_text[0].len == 1 && ends_text[1].len == 1 &&
                   !text_is_number(ends_text[0]) && !text_is_number(ends_text[1]);
    for (size_t i = 0; i < n; i++) {
        bool letter = out->letters && i < 2;
        if (!letter && (!text_is_number(ends_text[i]) || ends_text[i].len > 6))
            return false;
        out->ends[i] =
            letter ? ends_text[i].s[0] : strtol(str_copy(w->arena, ends_text[i]).s, NULL, 10);
        if (i < 2 && ends_text[i].len > 1 && ends_text[i].s[ends_text[i].s[0] == '-'] == '0')
            out->width = 1;
    }
    if (out->width)
        out->width =
            (int)(ends_text[0].len > ends_text[1].len ? ends_text[0].len : ends_text[1].len);
    return true;
}

static bool expand_sequence(struct braces *b, const struct atoms *a, size_t open, size_t close)
{
    struct sequence s = {.ends = {0, 0, 1}};
    const long *ends = s.ends;

    if (!read_sequence(b->w, a, open, close, &s))
        return false;
    long step = ends[2] < 0 ? -ends[2] : ends[2] ? ends[2] : 1;
    long count = (ends[1] > ends[0] ? ends[1] - ends[0] : ends[0] - ends[1]) / step + 1;
    for (long i = 0; i < count && i <= SHELL_BRACES_MAX; i++) {
        long n = ends[1] >= ends[0] ? ends[0] + i * step : ends[0] - i * step;
        struct str text = s.letters ? str_format(b->w->arena, "%c", (int)n)
                                    : str_format(b->w->arena, "%0*ld", s.width, n);
        struct atoms middle = {0};
        for (size_t j = 0; j < text.len; j++)
            LIST_PUSH(b->w->arena, &middle, (struct atom){text.s[j], NULL});
        expand_with(b, a, open, close, &middle);
    }
    return true;
}

static void expand(struct braces *b, const struct atoms *a, size_t from)
{
    bool commas;

    for (size_t i = from; i < a->count; i++) {
        if (!is_char(a, i, '{'))
            continue;
        size_t close = find_close(a, i, &commas);
        if (close == STR_NONE)
            continue;
        if (commas) {
            expand_alternatives(b, a, i, close);
            return;
        }
        if (expand_sequence(b, a, i, close))
            return;
    }
    put_together(b, a);
}

/* Longer or fuller words would cost more than they are worth. */
#define WORD_MAX   4096
#define BRACES_MAX 64

static bool has_braces(struct walk *w, const struct word *word)
{
    size_t open = 0, commas = 0, bytes = 0;

    for (size_t i = 0; i < word->parts.count; i++) {
        const struct part *part = &word->parts.items[i];
        if (part->kind != PART_TEXT || part->quoted)
            continue;
        for (size_t j = 0; j < part->text.len; j++) {
            open += part->text.s[j] == '{';
            commas += part->text.s[j] == ',' || part->text.s[j] == '.';
        }
        bytes += part->text.len;
    }
    if (!open || !commas || word->array)
        return false;
    if (open <= BRACES_MAX && bytes <= WORD_MAX && word->parts.count <= WORD_MAX)
        return true;
    walk_fail(w, word->at, "a word with too many braces");
    return false;
}

bool brace_expand(struct walk *w, const struct word *word, struct words *out)
{
    struct braces b = {w, word, out};
    struct atoms atoms = {0};

    if (!has_braces(w, word))
        return false;
    take_apart(w, word, &atoms);
    expand(&b, &atoms, 0);
    return true;
}
