/* brace.c - {a,b} and {1..3}, which bash expands before anything else.
 *
 * It does so on the bytes of the word as they are written, before it knows a name from the text
 * after it: $v{a,b} is $va and $vb. So the bytes are taken apart here, too, and what they make is
 * read again as words. */
#include <stdlib.h>

#include "base/ascii.h"
#include "shell/parse.h"
#include "shell/walk.h"

/* What a byte of the word is for braces. */
enum { BYTE_HIDDEN = 0, BYTE_PLAIN, BYTE_OPEN, BYTE_CLOSE, BYTE_COMMA, BYTE_PARAM /* ${ */ };

struct braces {
    struct walk *w;
    const struct word *word;
    struct str text;
    unsigned char *kinds; /* of its bytes */
    bool failed;
};

static void fail(struct braces *b, const char *why)
{
    if (!b->failed)
        walk_fail(b->w, b->word->at, why);
    b->failed = true;
}

static int byte_at(const struct braces *b, size_t i, size_t to)
{
    return i < to ? (unsigned char)b->text.s[i] : 0;
}

/* ---- which bytes count ---- */

static unsigned char kind_of(char c)
{
    return c == '{' ? BYTE_OPEN : c == '}' ? BYTE_CLOSE : c == ',' ? BYTE_COMMA : BYTE_PLAIN;
}

static bool begins_substitution(struct str text, size_t i, bool quoted)
{
    return i + 1 < text.len && text.s[i + 1] == '(' &&
           (text.s[i] == '$' || (!quoted && (text.s[i] == '<' || text.s[i] == '>')));
}

/* Quotes as bash counts them here: a double quote ends at the next one, even inside of "${x:-"y"}"
 * and in backticks, where other parts of bash go on. */
static void classify(struct braces *b)
{
    struct str text = b->text;
    char quote = 0;

    for (size_t i = 0; i < text.len && !b->failed; i++) {
        char c = text.s[i];
        bool param = c == '$' && i + 1 < text.len && text.s[i + 1] == '{';
        if (c == '\\' && quote != '\'') {
            i++;
        } else if (param && quote != '\'') {
            b->kinds[i++] = quote ? BYTE_HIDDEN : BYTE_PARAM;
        } else if (quote != '\'' && quote != '`' && begins_substitution(text, i, quote)) {
            size_t end = word_substitution_end(b->w->arena, text, i);
            if (end == STR_NONE)
                fail(b, "braces around a substitution that is not read here");
            i = end - 1;
        } else if (quote) {
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'' || c == '`') {
            quote = c;
        } else {
            b->kinds[i] = kind_of(c);
            if (c == '$' && i + 1 < text.len && (text.s[i + 1] == ',' || text.s[i + 1] == '}'))
                fail(b, "braces that put a dollar sign in front of other text");
        }
    }
}

/* ---- where they begin and end ---- */

/* A brace at the beginning with nothing in it is none: {} of find, {},x}. */
static bool is_empty_pair(const struct braces *b, size_t i, size_t from, size_t to)
{
    int before = i == from ? ' ' : byte_at(b, i - 1, to), after = byte_at(b, i + 1, to);

    return (ascii_is_blank((char)before) || before == '\n') &&
           (!after || after == '}' || ascii_is_blank((char)after) || after == '\n');
}

/* Two dots, unless they are the last thing before the brace. */
static bool begins_range(const struct braces *b, size_t i, size_t to)
{
    return byte_at(b, i, to) == '.' && byte_at(b, i + 1, to) == '.' && byte_at(b, i + 2, to) != '}';
}

/* The brace that closes what begins at `from`: the first at its level with a comma or two dots
 * before it. One without them is text. */
static size_t find_close(const struct braces *b, size_t from, size_t to)
{
    size_t level = 0, marks = 0;

    for (size_t i = from; i < to; i++) {
        unsigned char kind = b->kinds[i];
        if (kind == BYTE_CLOSE && !level && marks)
            return i;
        if (kind == BYTE_OPEN || kind == BYTE_PARAM)
            level++;
        else if (kind == BYTE_CLOSE && level)
            level--;
        else if (!level && (kind == BYTE_COMMA || (kind && begins_range(b, i, to))))
            marks++;
    }
    return STR_NONE;
}

static size_t find_open(const struct braces *b, size_t from, size_t to, size_t *close)
{
    size_t level = 0;

    for (size_t i = from; i < to; i++) {
        unsigned char kind = b->kinds[i];
        if (kind == BYTE_OPEN && !level) {
            if (is_empty_pair(b, i, from, to))
                continue;
            *close = find_close(b, i + 1, to);
            if (*close != STR_NONE)
                return i;
        } else if (kind == BYTE_OPEN || kind == BYTE_PARAM) {
            level++;
        } else if (kind == BYTE_CLOSE && level) {
            level--;
        }
    }
    return STR_NONE;
}

/* ---- what they make ---- */

static void add_made(struct braces *b, struct strs *out, struct str text)
{
    if (out->count >= SHELL_BRACES_MAX)
        fail(b, "a word whose braces make too many words");
    if (!b->failed && walk_spend(b->w, 1 + text.len / SHELL_STEP_BYTES, b->word->at))
        LIST_PUSH(b->w->arena, out, text);
}

/* Each of `out` with each of `tails` behind it. */
static void append_each(struct braces *b, struct strs *out, const struct strs *tails)
{
    struct strs all = {0};

    for (size_t i = 0; i < out->count; i++)
        for (size_t j = 0; j < tails->count && !b->failed; j++)
            add_made(b, &all, str_join(b->w->arena, out->items[i], tails->items[j]));
    *out = all;
}

static struct strs expand(struct braces *b, size_t from, size_t to);

static struct strs expand_alternatives(struct braces *b, size_t from, size_t to)
{
    struct strs out = {0};
    size_t level = 0, start = from;

    for (size_t i = from; i <= to && !b->failed; i++) {
        unsigned char kind = i < to ? b->kinds[i] : BYTE_COMMA;
        if (kind == BYTE_OPEN || kind == BYTE_PARAM)
            level++;
        else if (kind == BYTE_CLOSE && level)
            level--;
        if (i < to && (kind != BYTE_COMMA || level))
            continue;
        struct strs some = expand(b, start, i);
        for (size_t j = 0; j < some.count; j++)
            add_made(b, &out, some.items[j]);
        start = i + 1;
    }
    return out;
}

/* One end of a sequence, or its step. */
struct term {
    bool number, letter;
    bool huge;   /* a number that is too long for us */
    bool padded; /* 01 */
    long value;
    size_t len;
};

#define DIGITS_MAX 9

static struct term read_term(struct walk *w, struct str s)
{
    size_t sign = s.len && (s.s[0] == '-' || s.s[0] == '+'), digits = s.len - sign;
    struct term t = {.number = digits > 0, .len = s.len};

    t.letter = s.len == 1 && ascii_is_letter((unsigned char)s.s[0]);
    for (size_t i = sign; i < s.len; i++)
        t.number &= s.s[i] >= '0' && s.s[i] <= '9';
    t.huge = t.number && digits > DIGITS_MAX;
    t.padded = t.number && digits > 1 && s.s[sign] == '0' && s.s[0] != '+';
    if (t.letter)
        t.value = (unsigned char)s.s[0];
    else if (t.number && !t.huge)
        t.value = strtol(str_copy(w->arena, s).s, NULL, 10);
    return t;
}

struct sequence {
    struct term ends[3];
    bool letters;
};

static size_t dots_in(struct str s)
{
    const char *dots = s.len ? memmem(s.s, s.len, "..", 2) : NULL;

    return dots ? (size_t)(dots - s.s) : STR_NONE;
}

/* a..b or 1..10, with a step perhaps: two ends of one kind. */
static bool read_sequence(struct braces *b, struct str text, struct sequence *out)
{
    size_t first = dots_in(text);

    if (first == STR_NONE)
        return false;
    struct str rest = str_from_byte(text, first + 2);
    size_t second = dots_in(rest);
    struct term *e = out->ends;
    e[0] = read_term(b->w, str_slice(text, 0, first));
    e[1] = read_term(b->w, str_slice(rest, 0, second));
    e[2] = (struct term){.number = true, .value = 1};
    if (second != STR_NONE)
        e[2] = read_term(b->w, str_from_byte(rest, second + 2));
    out->letters = e[0].letter && e[1].letter;
    if (!e[2].number || !(out->letters || (e[0].number && e[1].number)))
        return false;
    if (e[0].huge || e[1].huge || e[2].huge ||
        (out->letters && (e[0].value < 'a') != (e[1].value < 'a')))
        fail(b, "a sequence in braces that is not followed here"); /* {Z..a} has quotes in it */
    return true;
}

static struct strs expand_sequence(struct braces *b, const struct sequence *s)
{
    struct strs out = {0};
    long first = s->ends[0].value, last = s->ends[1].value, step = labs(s->ends[2].value);
    size_t width = 0;

    step = step ? step : 1;
    if (!s->letters && (s->ends[0].padded || s->ends[1].padded))
        width = s->ends[0].len > s->ends[1].len ? s->ends[0].len : s->ends[1].len;
    for (long n = 0; n <= labs(last - first) / step && !b->failed; n++) {
        long value = first <= last ? first + n * step : first - n * step;
        add_made(b, &out,
                 s->letters ? str_format(b->w->arena, "%c", (int)value)
                            : str_format(b->w->arena, "%0*ld", (int)width, value));
    }
    return out;
}

/* Any comma that has no backslash before it, in quotes, too. */
static bool has_comma(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.s[i] == ',')
            return true;
        i += s.s[i] == '\\';
    }
    return false;
}

static struct strs expand_inside(struct braces *b, size_t open, size_t close)
{
    struct str inside = str_slice(b->text, open + 1, close);
    struct sequence s;
    struct strs out = {0};

    if (has_comma(inside))
        return expand_alternatives(b, open + 1, close);
    if (read_sequence(b, inside, &s))
        return expand_sequence(b, &s);
    add_made(b, &out, str_slice(b->text, open, close + 1));
    return out;
}

static struct strs expand(struct braces *b, size_t from, size_t to)
{
    struct strs out = {0};
    size_t close, open = find_open(b, from, to, &close);

    if (open == STR_NONE) {
        add_made(b, &out, str_slice(b->text, from, to));
        return out;
    }
    add_made(b, &out, str_slice(b->text, from, open));
    struct strs middle = expand_inside(b, open, close);
    append_each(b, &out, &middle);
    if (close + 1 < to) {
        struct strs tails = expand(b, close + 1, to);
        append_each(b, &out, &tails);
    }
    return out;
}

/* ---- words ---- */

/* Longer or fuller words would cost more than they are worth. */
#define WORD_MAX   4096
#define BRACES_MAX 64

/* Can bash see a brace in it that is not quoted? In some quotations it loses count. */
static bool may_show_braces(const struct part *part)
{
    if (part->kind == PART_TEXT)
        return !part->quoted && str_has(part->text, '{');
    return part->quoted &&
           (part->kind == PART_BACKTICK || (part->kind == PART_PARAM && part->param->op.len));
}

static bool has_braces(struct braces *b)
{
    size_t open = 0, marks = 0, shown = 0;

    for (size_t i = 0; i < b->word->parts.count; i++)
        shown += may_show_braces(&b->word->parts.items[i]);
    if (!shown || b->word->array)
        return false;
    for (size_t i = 0; i < b->text.len; i++) {
        open += b->text.s[i] == '{';
        marks += b->text.s[i] == ',' || b->text.s[i] == '.';
    }
    if (!open || !marks)
        return false;
    if (open > BRACES_MAX || b->text.len > WORD_MAX)
        fail(b, "a word with too many braces");
    return !b->failed;
}

/* As bash has it when it comes to braces: continued lines are joined, and $'...' is what it stands
 * for. */
static void read_bytes(struct braces *b)
{
    struct buf out = buf_in(b->w->arena);
    struct str s = b->text;
    bool slash = str_has(s, '\\');

    if (slash && (str_contains(s, STR("$'")) ||
                  (str_contains(s, STR("\\\n")) && (str_has(s, '\'') || str_has(s, '#')))))
        fail(b, "braces and escapes in one word");
    if (!slash || b->failed)
        return;
    for (size_t i = 0; i < s.len; i++) {
        if (s.s[i] == '\\' && i + 1 < s.len && s.s[i + 1] == '\n') {
            i++;
            continue;
        }
        buf_byte(&out, s.s[i]);
        if (s.s[i] == '\\' && i + 1 < s.len)
            buf_byte(&out, s.s[++i]);
    }
    b->text = buf_str(&out);
}

static void read_again(struct braces *b, struct str text, struct words *out)
{
    struct word word;

    if (!text.len)
        return;
    if (!word_read_again(b->w->arena, text, b->word->at, &word)) {
        fail(b, "braces that make something other than words");
        return;
    }
    word.at = b->word->at;
    word.len = b->word->len;
    word.name = (struct str){0}; /* it looked like no assignment when it was read */
    word.value_from = 0;
    LIST_PUSH(b->w->arena, out, word);
}

bool brace_expand(struct walk *w, const struct word *word, struct words *out)
{
    struct braces b = {.w = w, .word = word, .text = word->source};

    if (!b.text.len && word->parts.count == 1)
        b.text = word->parts.items[0].text; /* it was read in one step */
    if (!has_braces(&b))
        return false;
    read_bytes(&b);
    b.kinds = ARENA_ARRAY(w->arena, unsigned char, b.text.len + 1);
    classify(&b);
    struct strs made = {0};
    if (!b.failed)
        made = expand(&b, 0, b.text.len);
    if (made.count == 1 && str_eq(made.items[0], b.text))
        return false;
    for (size_t i = 0; i < made.count; i++)
        read_again(&b, made.items[i], out);
    return !b.failed;
}

const struct node *node_without_braces(struct walk *w, const struct node *n, struct node *copy)
{
    struct words words = {0};
    bool any = false;

    for (size_t i = 0; i < n->words.count; i++) {
        struct words many = {0};
        if (!brace_expand(w, &n->words.items[i], &many)) {
            LIST_PUSH(w->arena, &words, n->words.items[i]);
            continue;
        }
        any = true;
        for (size_t j = 0; j < many.count; j++)
            LIST_PUSH(w->arena, &words, many.items[j]);
    }
    *copy = *n;
    copy->words = words;
    return any ? copy : n;
}
