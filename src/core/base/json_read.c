/* json_read.c - recursive descent over a copy of the text, which is first checked to be UTF-8. A
 * BLOCK of NULs follows the copy, so lookahead needs no bounds checks. Strings stay in the copy:
 * their closing quote becomes their NUL. Items and members are collected on two stacks and copied
 * out when their bracket closes, so that a million small arrays do not cost a million growing
 * lists. */
#include <endian.h>
#include <limits.h>

#include "base/block.h"
#include "base/error.h"
#include "base/json.h"
#include "base/list.h"
#include "base/twin.h"
#include "base/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define KEY_SHOWN 40 /* bytes of a key shown in a message */

struct reader {
    struct arena *arena;
    struct json_limits limits;
    struct str text; /* as given */
    char *at, *end;  /* in the copy */
    const char *line_start;
    uint32_t line, depth, seen; /* seen: number of values so far */
    struct value_stack LIST_OF(struct value) items;
    struct member_stack LIST_OF(struct member) members;
    struct value *out;
    struct error *err;
    enum status status;
};

static inline enum status read_value(struct reader *r, struct value *out);

static uint32_t column(const struct reader *r, const char *at)
{
    return (uint32_t)(at - r->line_start) + 1;
}

/* Newlines occur only between tokens, so every error is on the reader's current line. */
#define REFUSE(r, at, ...)                                                                         \
    fail_at((r)->err, STATUS_SYNTAX, (r)->line, column((r), (at)), __VA_ARGS__)
#define OVER_LIMIT(r, at, ...)                                                                     \
    fail_at((r)->err, STATUS_LIMIT, (r)->line, column((r), (at)), __VA_ARGS__)

static unsigned char peek(const struct reader *r) /* NUL at the end, too */
{
    return (unsigned char)*r->at;
}

static bool looking_at(const struct reader *r, struct str token)
{
    return str_starts((struct str){r->at, (size_t)(r->end - r->at)}, token);
}

static enum status expected(struct reader *r, const char *what)
{
    unsigned char c = peek(r);

    if (r->at == r->end)
        return REFUSE(r, r->at, "expected %s, but the text ends here", what);
    if (looking_at(r, STR("//")) || looking_at(r, STR("/*")))
        return REFUSE(r, r->at, "expected %s, found a comment, which JSON does not have", what);
    if (c > ' ' && c < 0x7f)
        return REFUSE(r, r->at, "expected %s, found '%c'", what, c);
    return REFUSE(r, r->at, "expected %s, found byte 0x%02x", what, c);
}

/* ---- blanks and comments ---- */

static void new_line(struct reader *r)
{
    r->line++;
    r->line_start = r->at + 1;
}

/* Readers of JSONC disagree about where a line ends: some end a line comment at a lone CR or at
 * U+2028. What one takes for a comment, another takes for a rule, so these are refused in
 * comments. */
static enum status check_comment_byte(struct reader *r)
{
    int c = peek(r);

    if (looking_at(r, STR("\xe2\x80\xa8")) || looking_at(r, STR("\xe2\x80\xa9")))
        return REFUSE(r, r->at, "a Unicode line separator is not allowed in a comment");
    if (c == '\r' && !looking_at(r, STR("\r\n")))
        return REFUSE(r, r->at,
                      "a carriage return without a line feed is not allowed in a comment");
    if ((c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f)
        return REFUSE(r, r->at, "the control character 0x%02x is not allowed in a comment",
                      (unsigned)c);
    return STATUS_OK;
}

static enum status skip_line_comment(struct reader *r)
{
    for (; r->at < r->end && *r->at != '\n'; r->at++) {
        enum status s = check_comment_byte(r);
        if (s)
            return s;
    }
    return STATUS_OK;
}

static enum status skip_block_comment(struct reader *r)
{
    uint32_t line = r->line, start = column(r, r->at);

    for (r->at += 2; r->at < r->end; r->at++) {
        if (looking_at(r, STR("*/"))) {
            r->at += 2;
            return STATUS_OK;
        }
        enum status s = check_comment_byte(r);
        if (s)
            return s;
        if (*r->at == '\n')
            new_line(r);
    }
    return fail_at(r->err, STATUS_SYNTAX, line, start, "this comment is not closed");
}

static enum status skip_blanks_and_comments(struct reader *r)
{
    enum status s = STATUS_OK;

    while (!s && r->at < r->end) {
        if (*r->at == '\n')
            new_line(r);
        if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\n')
            r->at++;
        else if (r->limits.comments && looking_at(r, STR("//")))
            s = skip_line_comment(r);
        else if (r->limits.comments && looking_at(r, STR("/*")))
            s = skip_block_comment(r);
        else
            break;
    }
    return s;
}

/* Fast path: there is usually one blank, or none. */
static inline enum status skip_blanks(struct reader *r)
{
    unsigned char c = peek(r);

    if (c == ' ')
        c = (unsigned char)*++r->at;
    return c > ' ' && c != '/' ? STATUS_OK : skip_blanks_and_comments(r);
}

/* The same, if the next byte is not already the expected one. */
static inline enum status skip_blanks_to(struct reader *r, char c)
{
    return *r->at == c ? STATUS_OK : skip_blanks(r);
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits after \u. `close` is the closing quote. */
static enum status read_unit(struct reader *r, const char *at, const char *close, uint32_t *unit)
{
    *unit = 0;
    for (const char *p = at + 2; p < at + 6; p++) {
        int digit = p < close ? hex_digit(*p) : -1;
        if (digit < 0)
            return REFUSE(r, at, "four hexadecimal digits must follow \\u");
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return STATUS_OK;
}

/* Reads \uXXXX, or both halves of a surrogate pair, and moves *at past it. */
static enum status read_unicode(struct reader *r, char **at, const char *close, uint32_t *cp)
{
    uint32_t low;
    enum status s = read_unit(r, *at, close, cp);

    if (s)
        return s;
    if (*cp < 0xd800 || *cp > 0xdfff) {
        *at += 6;
        return STATUS_OK;
    }
    if (*cp > 0xdbff || !str_starts((struct str){*at + 6, (size_t)(close - *at) - 6}, STR("\\u")))
        return REFUSE(r, *at, "\\u%04x is half of a surrogate pair without the other half", *cp);
    s = read_unit(r, *at + 6, close, &low);
    if (s)
        return s;
    if (low < 0xdc00 || low > 0xdfff)
        return REFUSE(r, *at, "\\u%04x is half of a surrogate pair without the other half", *cp);
    *cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
    *at += 12;
    return STATUS_OK;
}

/* Reads the escape at *at and appends its meaning to *to. That is always shorter than the
 * escape. */
static enum status read_escape(struct reader *r, char **at, const char *close, char **to)
{
    static const char meanings[UCHAR_MAX + 1] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    unsigned char name = (unsigned char)(*at)[1];
    uint32_t cp;

    if (name == 'u') {
        enum status s = read_unicode(r, at, close, &cp);
        if (s)
            return s;
        *to += utf8_encode(cp, *to);
        return STATUS_OK;
    }
    if (!meanings[name])
        return REFUSE(r, *at, "a backslash must be followed by one of \" \\ / b f n r t u");
    *(*to)++ = meanings[name];
    *at += 2;
    return STATUS_OK;
}

/* Skips to the first byte that could end a string, start an escape or be refused. */
#ifdef __SSE2__
static char *skip_plain(char *at)
{
    const __m128i last_control = _mm_set1_epi8(' ' - 1);

    for (;; at += BLOCK) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
        __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last_control), last_control);
        __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                escape = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        unsigned special =
            (unsigned)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, escape)));
        if (special)
            return at + __builtin_ctz(special);
    }
}
#else
#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* A borrow may also mark bytes above a real hit, never below one: the lowest mark is exact. */
static char *skip_plain(char *at)
{
    for (uint64_t word;; at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        word = le64toh(word);
        uint64_t quote = word ^ EACH('"'), escape = word ^ EACH('\\');
        uint64_t hits = ((word - EACH(' ')) & ~word) | ((quote - EACH(1)) & ~quote) |
                        ((escape - EACH(1)) & ~escape);
        hits &= EACH(0x80);
        if (hits)
            return at + __builtin_ctzll(hits) / 8;
    }
}
#endif

static enum status refuse_control(struct reader *r, const char *at)
{
    if (*at == '\n' || *at == '\r')
        return REFUSE(r, at,
                      "a string must end on the line it begins on; write a line break as \\n");
    return REFUSE(r, at, "the control character 0x%02x in a string must be written as an escape",
                  (unsigned)*at);
}

/* Finds the closing quote, from the first special byte of a string on. */
static enum status find_close(struct reader *r, char *at, char **close)
{
    for (; at < r->end && *at != '"'; at = skip_plain(at)) {
        if (*at != '\\')
            return refuse_control(r, at);
        at += (unsigned char)at[1] >= ' ' ? 2 : 1;
    }
    *close = at;
    return at < r->end ? STATUS_OK : REFUSE(r, r->at, "this string is not closed");
}

/* Decodes escapes in place, from the first one on: the result is never longer than its source. */
static enum status decode(struct reader *r, char *at, const char *close, char **end)
{
    char *to = at;

    while (at < close) {
        enum status s = read_escape(r, &at, close, &to);
        if (s)
            return s;
        const char *run = at;
        at = skip_plain(at);
        memmove(to, run, (size_t)(at - run));
        to += at - run;
    }
    *end = to;
    return STATUS_OK;
}

/* A string whose first special byte is not its closing quote. Out of line because it needs more
 * registers than the usual case. */
__attribute__((noinline)) static enum status read_escaped(struct reader *r, char *special,
                                                          struct str *out)
{
    char *first = r->at + 1, *close = special, *end = special;
    enum status s = find_close(r, special, &close);

    if (!s)
        s = decode(r, special, close, &end);
    if (s)
        return s;
    *end = '\0';
    *out = (struct str){first, (size_t)(end - first)};
    r->at = close + 1;
    return STATUS_OK;
}

static inline enum status read_string(struct reader *r, struct str *out)
{
    char *first = r->at + 1, *special = skip_plain(first);

    if (*special != '"')
        return read_escaped(r, special, out);
    *special = '\0';
    *out = (struct str){first, (size_t)(special - first)};
    r->at = special + 1;
    return STATUS_OK;
}

/* ---- numbers and words ---- */

static size_t count_digits(struct str s, size_t from)
{
    size_t at = from;

    while (at < s.len && s.s[at] >= '0' && s.s[at] <= '9')
        at++;
    return at - from;
}

static bool is_one_of(struct str s, size_t at, char x, char y)
{
    return at < s.len && (s.s[at] == x || s.s[at] == y);
}

/* Measures the number at the start of `s`. Returns NULL, or what is wrong at byte *len. */
static const char *scan_number(struct str s, size_t *len, enum value_kind *kind)
{
    size_t digits;

    *kind = VALUE_INTEGER;
    *len = is_one_of(s, 0, '-', '-');
    digits = count_digits(s, *len);
    if (digits == 0)
        return "a digit must follow '-'";
    if (digits > 1 && s.s[*len] == '0')
        return "a number must not have leading zeros";
    *len += digits;

    if (is_one_of(s, *len, '.', '.')) {
        *kind = VALUE_FLOAT;
        digits = count_digits(s, ++*len);
        if (digits == 0)
            return "a digit must follow the decimal point";
        *len += digits;
    }
    if (is_one_of(s, *len, 'e', 'E')) {
        *kind = VALUE_FLOAT;
        ++*len;
        *len += is_one_of(s, *len, '+', '-');
        digits = count_digits(s, *len);
        if (digits == 0)
            return "a digit must follow in the exponent";
        *len += digits;
    }
    return NULL;
}

bool json_is_number(struct str s)
{
    enum value_kind kind;
    size_t len;

    return !scan_number(s, &len, &kind) && len == s.len;
}

static enum status read_number(struct reader *r, struct value *out)
{
    size_t len;
    const char *wrong =
        scan_number((struct str){r->at, (size_t)(r->end - r->at)}, &len, &out->kind);

    if (wrong)
        return REFUSE(r, r->at + len, "%s", wrong);
    out->text = str_copy(r->arena, (struct str){r->at, len});
    r->at += len;
    return STATUS_OK;
}

static enum status read_word(struct reader *r, struct value *out)
{
    static const struct {
        struct str word;
        enum value_kind kind;
        bool boolean;
    } words[] = {
        {{"null", 4}, VALUE_NULL, false},
        {{"true", 4}, VALUE_BOOL, true},
        {{"false", 5}, VALUE_BOOL, false},
    };

    for (size_t i = 0; i < COUNT(words); i++) {
        if (!looking_at(r, words[i].word))
            continue;
        out->kind = words[i].kind;
        out->boolean = words[i].boolean;
        r->at += words[i].word.len;
        return STATUS_OK;
    }
    return expected(r, "a value");
}

/* ---- arrays and objects ---- */

static enum status enter(struct reader *r)
{
    if (r->depth == r->limits.depth)
        return OVER_LIMIT(r, r->at, "the text is nested deeper than %u levels", r->limits.depth);
    r->depth++;
    r->at++;
    return STATUS_OK;
}

static inline bool closes(struct reader *r, char close)
{
    if (peek(r) != (unsigned char)close)
        return false;
    r->at++;
    r->depth--;
    return true;
}

/* Moves to the first item; or past the closing bracket, and sets *done. */
static inline enum status first_item(struct reader *r, char close, bool *done)
{
    enum status s = enter(r);

    if (!s)
        s = skip_blanks(r);
    *done = !s && closes(r, close);
    return s;
}

/* The same, from the end of an item to the next one. Remembers the place of the comma: that is
 * where a trailing one is reported, after the blanks that follow it are skipped. */
static inline enum status next_item(struct reader *r, char close, bool *done)
{
    enum status s = skip_blanks_to(r, ',');

    if (s || (*done = closes(r, close)))
        return s;
    if (peek(r) != ',')
        return expected(r, close == ']' ? "',' or ']'" : "',' or '}'");
    const char *comma = r->at++, *line_start = r->line_start;
    uint32_t line = r->line;
    s = skip_blanks(r);
    if (s || !(*done = closes(r, close)) || r->limits.commas)
        return s;
    return fail_at(r->err, STATUS_SYNTAX, line, (uint32_t)(comma - line_start) + 1,
                   "a comma is not allowed before '%c'", close);
}

static enum status read_array(struct reader *r, struct value *out)
{
    size_t base = r->items.count;
    bool done;
    enum status s = first_item(r, ']', &done);

    while (!s && !done) {
        struct value item = {0};
        s = read_value(r, &item);
        LIST_PUSH(r->arena, &r->items, item);
        if (!s)
            s = next_item(r, ']', &done);
    }
    if (s)
        return s;

    out->kind = VALUE_ARRAY;
    out->count = r->items.count - base;
    if (out->count) {
        out->items = arena_room(r->arena, out->count, sizeof(*out->items));
        memcpy(out->items, r->items.items + base, out->count * sizeof(*out->items));
    }
    r->items.count = base;
    return STATUS_OK;
}

/* The agent chooses the keys, and the message may be shown on a terminal: print plain ASCII
 * only. */
static enum status refuse_twin(struct reader *r, const struct member *twin,
                               const struct member *before)
{
    char shown[KEY_SHOWN + 1] = {0};
    struct str key = str_slice(twin->key, 0, KEY_SHOWN);

    for (size_t i = 0; i < key.len; i++)
        shown[i] = key.s[i] >= ' ' && key.s[i] < 0x7f ? key.s[i] : '?';
    return fail_at(r->err, STATUS_SYNTAX, twin->line, twin->column,
                   "duplicate key \"%s%s\"; the first one is on line %u, column %u", shown,
                   key.len < twin->key.len ? "..." : "", before->line, before->column);
}

static enum status read_member(struct reader *r, struct member *out)
{
    if (peek(r) != '"')
        return expected(r, "a key in double quotes");
    *out = (struct member){.line = r->line, .column = column(r, r->at)};
    enum status s = read_string(r, &out->key);
    if (!s)
        s = skip_blanks_to(r, ':');
    if (s)
        return s;
    if (peek(r) != ':')
        return expected(r, "':' after the key");
    r->at++;
    s = skip_blanks(r);
    return s ? s : read_value(r, &out->value);
}

static enum status read_object(struct reader *r, struct value *out)
{
    size_t base = r->members.count;
    bool done;
    enum status s = first_item(r, '}', &done);

    while (!s && !done) {
        struct member member;
        if ((s = read_member(r, &member)) != STATUS_OK)
            break;
        LIST_PUSH(r->arena, &r->members, member);
        s = next_item(r, '}', &done);
    }
    if (s)
        return s;

    out->kind = VALUE_OBJECT;
    out->count = r->members.count - base;
    if (out->count) {
        out->members = arena_room(r->arena, out->count, sizeof(*out->members));
        memcpy(out->members, r->members.items + base, out->count * sizeof(*out->members));
    }
    r->members.count = base;

    const struct member *before,
        *twin = out->count > 1 ? value_find_twin(r->arena, out, &before) : NULL;
    return twin ? refuse_twin(r, twin, before) : STATUS_OK;
}

/* Reads any value that is not a string. */
__attribute__((noinline)) static enum status read_other(struct reader *r, struct value *out)
{
    unsigned char c = peek(r);

    if (c == '{')
        return read_object(r, out);
    if (c == '[')
        return read_array(r, out);
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r, out);
    return read_word(r, out);
}

static inline enum status read_value(struct reader *r, struct value *out)
{

    if (r->seen == r->limits.values)
        return OVER_LIMIT(r, r->at, "the text has more than %u values", r->limits.values);
    r->seen++;
    out->line = r->line;
    out->column = column(r, r->at);
    if (peek(r) != '"')
        return read_other(r, out);
    out->kind = VALUE_STRING;
    return read_string(r, &out->text);
}

/* ---- the document ---- */

static void copy_text(struct reader *r)
{
    r->at = arena_bytes(r->arena, r->text.len + BLOCK);
    r->end = r->at + r->text.len;
    memcpy(r->at, r->text.s, r->text.len);
    memset(r->end, 0, BLOCK);
    r->line_start = r->at;
}

static enum status check_bytes(struct reader *r)
{
    if (r->text.len > r->limits.bytes)
        return OVER_LIMIT(r, r->at, "the text is larger than %u bytes", r->limits.bytes);
    if (r->text.len == 0)
        return REFUSE(r, r->at, "the text is empty");
    copy_text(r);
    if (looking_at(r, STR("\xef\xbb\xbf")))
        return REFUSE(r, r->at, "the text begins with a byte order mark, which JSON does not have");

    size_t bad = utf8_invalid_at(r->text);
    if (bad == STR_NONE)
        return STATUS_OK;
    for (const char *at = r->at + bad; r->at < at; r->at++)
        if (*r->at == '\n')
            new_line(r);
    return REFUSE(r, r->at, "byte 0x%02x is not UTF-8 here", (unsigned char)*r->at);
}

static enum status read_text(struct reader *r)
{
    struct value found = {0};
    enum status s = check_bytes(r);

    if (!s)
        s = skip_blanks(r);
    if (!s)
        s = read_value(r, &found);
    if (!s)
        s = skip_blanks(r);
    if (s)
        return s;
    if (r->at < r->end)
        return expected(r, "nothing more after the value");
    *r->out = found;
    return STATUS_OK;
}

static void run(void *arg)
{
    struct reader *r = arg;

    r->status = read_text(r);
}

static struct json_limits with_defaults(const struct json_limits *given)
{
    struct json_limits l = given ? *given : (struct json_limits){0};

    if (l.bytes == 0)
        l.bytes = JSON_MAX_BYTES;
    if (l.depth == 0)
        l.depth = JSON_MAX_DEPTH;
    if (l.depth > JSON_DEPTH_CEILING)
        l.depth = JSON_DEPTH_CEILING;
    if (l.values == 0)
        l.values = JSON_MAX_VALUES;
    return l;
}

enum status json_read(struct arena *a, struct str text, const struct json_limits *limits,
                      struct value *out, struct error *err)
{
    char nothing[] = ""; /* until copy_text() there is nothing to point at */
    struct reader r = {
        .arena = a,
        .limits = with_defaults(limits),
        .text = text,
        .at = nothing,
        .end = nothing,
        .line_start = nothing,
        .line = 1,
        .out = out,
        .err = err,
    };

    *out = (struct value){0};
    if (!arena_try(a, run, &r))
        return fail_at(err, STATUS_NOMEM, r.line, column(&r, r.at), "out of memory from here on");
    return r.status;
}
