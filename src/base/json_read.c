/* Recursive descent over bytes that were checked to be UTF-8 before. Items and
 * members are gathered on two stacks and copied out when their bracket closes,
 * so that a million small arrays do not cost a million growing lists. */
#include <endian.h>

#include "base/error.h"
#include "base/json.h"
#include "base/list.h"
#include "base/twin.h"
#include "base/utf8.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CHUNK       4096 /* small texts share an allocation: the arena would round each one up */
#define KEY_SHOWN   40   /* bytes of a key in a message */
#define END_OF_TEXT (-1)

struct reader {
    struct arena *arena;
    struct json_limits limits;
    struct str text;
    const char *at, *end;
    const char *line_start;
    uint32_t line, depth, seen; /* seen: values so far */
    struct value_stack LIST_OF(struct value) items;
    struct member_stack LIST_OF(struct member) members;
    char *chunk;
    size_t chunk_left;
    struct value *out;
    struct error *err;
    enum status status;
};

static enum status read_value(struct reader *r, struct value *out);

static uint32_t column(const struct reader *r, const char *at)
{
    return (uint32_t)(at - r->line_start) + 1;
}

/* Newlines stand between tokens only, so every refusal is on the reader's current line. */
#define REFUSE(r, at, ...)     fail_at((r)->err, STATUS_SYNTAX, (r)->line, column((r), (at)), __VA_ARGS__)
#define OVER_LIMIT(r, at, ...) fail_at((r)->err, STATUS_LIMIT, (r)->line, column((r), (at)), __VA_ARGS__)

static int peek(const struct reader *r)
{
    return r->at < r->end ? (unsigned char)*r->at : END_OF_TEXT;
}

static bool looking_at(const struct reader *r, struct str token)
{
    return str_starts((struct str){r->at, (size_t)(r->end - r->at)}, token);
}

static enum status expected(struct reader *r, const char *what)
{
    int c = peek(r);

    if (c == END_OF_TEXT)
        return REFUSE(r, r->at, "expected %s, but the text ends here", what);
    if (looking_at(r, STR("//")) || looking_at(r, STR("/*")))
        return REFUSE(r, r->at, "expected %s, found a comment, which JSON does not have", what);
    if (c > ' ' && c < 0x7f)
        return REFUSE(r, r->at, "expected %s, found '%c'", what, c);
    return REFUSE(r, r->at, "expected %s, found byte 0x%02x", what, (unsigned)c);
}

/* ---- blanks and comments ---- */

static void new_line(struct reader *r)
{
    r->line++;
    r->line_start = r->at + 1;
}

/* Where a line ends is not the same for all readers of JSONC: some end a line comment at a lone CR or at U+2028. What
 * one of them takes for a comment, another one takes for a rule, so these may not stand in a comment. */
static enum status check_comment_byte(struct reader *r)
{
    int c = peek(r);

    if (looking_at(r, STR("\xe2\x80\xa8")) || looking_at(r, STR("\xe2\x80\xa9")))
        return REFUSE(r, r->at, "a Unicode line separator may not stand in a comment");
    if (c == '\r' && !looking_at(r, STR("\r\n")))
        return REFUSE(r, r->at, "a carriage return without a line feed may not stand in a comment");
    if ((c < ' ' && c != '\t' && c != '\r' && c != '\n') || c == 0x7f)
        return REFUSE(r, r->at, "the control character 0x%02x may not stand in a comment", (unsigned)c);
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

/* Mostly there is one blank, or none. */
static inline enum status skip_blanks(struct reader *r)
{
    if (peek(r) == ' ')
        r->at++;
    return peek(r) > ' ' && peek(r) != '/' ? STATUS_OK : skip_blanks_and_comments(r);
}

/* ---- strings ---- */

/* Memory for a text of up to `len` bytes and its NUL. */
static char *text_room(struct reader *r, size_t len)
{
    if (len >= CHUNK)
        return arena_bytes(r->arena, len + 1);
    if (len >= r->chunk_left) {
        size_t rest = len + 1 + (size_t)(r->end - r->at); /* what is still to be read holds no more than this */
        r->chunk_left = rest < CHUNK ? rest : CHUNK;
        r->chunk = arena_bytes(r->arena, r->chunk_left);
    }
    char *room = r->chunk;
    r->chunk += len + 1;
    r->chunk_left -= len + 1;
    return room;
}

static struct str keep(struct reader *r, const char *s, size_t len)
{
    char *copy = text_room(r, len);

    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    return (struct str){copy, len};
}

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

/* Four digits behind \u. `close` is the closing quote; it is no digit. */
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

/* Takes \uXXXX, or both halves of a surrogate pair, and moves *at behind it. */
static enum status read_unicode(struct reader *r, const char **at, const char *close, uint32_t *cp)
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
        return REFUSE(r, *at, "\\u%04x is half of a surrogate pair and stands alone", *cp);
    s = read_unit(r, *at + 6, close, &low);
    if (s)
        return s;
    if (low < 0xdc00 || low > 0xdfff)
        return REFUSE(r, *at, "\\u%04x is half of a surrogate pair and stands alone", *cp);
    *cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
    *at += 12;
    return STATUS_OK;
}

/* Takes the escape at *at and appends what it means to *to. Always fewer bytes than it was written with. */
static enum status read_escape(struct reader *r, const char **at, const char *close, char **to)
{
    static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
    char name = (*at)[1];
    uint32_t cp;

    if (name == 'u') {
        enum status s = read_unicode(r, at, close, &cp);
        if (s)
            return s;
        *to += utf8_encode(cp, *to);
        return STATUS_OK;
    }
    const char *known = memchr(names, name, sizeof(names) - 1);
    if (!known)
        return REFUSE(r, *at, "a backslash must be followed by one of \" \\ / b f n r t u");
    *(*to)++ = bytes[known - names];
    *at += 2;
    return STATUS_OK;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

#ifdef __SSE2__
/* Of sixteen bytes, those that could end a string, begin an escape or be refused. */
static unsigned special_bytes(const char *at)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at), last_control = _mm_set1_epi8(' ' - 1);
    __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last_control), last_control);
    __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), escape = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));

    return (unsigned)_mm_movemask_epi8(_mm_or_si128(control, _mm_or_si128(quote, escape)));
}
#endif

/* Up to the first byte that could end a string, begin an escape or be refused. A subtraction may also mark bytes above
 * one that is meant, never below: so the lowest mark is right. */
static const char *skip_plain(const char *at, const char *end)
{
    uint64_t word;

#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        unsigned special = special_bytes(at);
        if (special)
            return at + __builtin_ctz(special);
    }
#endif
    for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        word = le64toh(word);
        uint64_t quote = word ^ EACH('"'), escape = word ^ EACH('\\');
        uint64_t hits = ((word - EACH(' ')) & ~word) | ((quote - EACH(1)) & ~quote) | ((escape - EACH(1)) & ~escape);
        hits &= EACH(0x80);
        if (hits)
            return at + __builtin_ctzll(hits) / 8;
    }
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= ' ')
        at++;
    return at;
}

static enum status decode(struct reader *r, const char *at, const char *close, struct str *out)
{
    char *room = text_room(r, (size_t)(close - at)), *to = room;

    while (at < close) {
        const char *escape = skip_plain(at, close);
        memcpy(to, at, (size_t)(escape - at));
        to += escape - at;
        at = escape;
        enum status s = at < close ? read_escape(r, &at, close, &to) : STATUS_OK;
        if (s)
            return s;
    }
    *to = '\0';
    *out = (struct str){room, (size_t)(to - room)};
    return STATUS_OK;
}

static enum status refuse_control(struct reader *r, const char *at)
{
    if (*at == '\n' || *at == '\r')
        return REFUSE(r, at, "a string must end on the line it begins on; write a line break as \\n");
    return REFUSE(r, at, "the control character 0x%02x in a string must be written as an escape", (unsigned)*at);
}

static enum status read_string(struct reader *r, struct str *out)
{
    const char *first = r->at + 1, *close = skip_plain(first, r->end);
    bool escapes = false;

    for (; close < r->end && *close != '"'; close = skip_plain(close, r->end)) {
        if (*close != '\\')
            return refuse_control(r, close);
        escapes = true;
        close += close + 1 < r->end && (unsigned char)close[1] >= ' ' ? 2 : 1;
    }
    if (close >= r->end)
        return REFUSE(r, r->at, "this string is not closed");
    if (escapes) {
        enum status s = decode(r, first, close, out);
        if (s)
            return s;
    } else {
        *out = keep(r, first, (size_t)(close - first));
    }
    r->at = close + 1;
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

/* Measures the number at the start of `s`. Returns what is wrong with it, at byte *len, or NULL. */
static const char *scan_number(struct str s, size_t *len, enum value_kind *kind)
{
    size_t digits;

    *kind = VALUE_INTEGER;
    *len = is_one_of(s, 0, '-', '-');
    digits = count_digits(s, *len);
    if (digits == 0)
        return "a digit must follow '-'";
    if (digits > 1 && s.s[*len] == '0')
        return "a number may not begin with a zero that has no meaning";
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
    const char *wrong = scan_number((struct str){r->at, (size_t)(r->end - r->at)}, &len, &out->kind);

    if (wrong)
        return REFUSE(r, r->at + len, "%s", wrong);
    out->text = keep(r, r->at, len);
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

/* Moves to the next item, or behind the closing bracket, which is *done. */
static enum status next_item(struct reader *r, char close, bool first, bool *done)
{
    enum status s = skip_blanks(r);

    if (s)
        return s;
    if (!first && peek(r) != close) {
        if (peek(r) != ',')
            return expected(r, close == ']' ? "',' or ']'" : "',' or '}'");
        const char *comma = r->at++;
        uint32_t line = r->line, place = column(r, comma);
        s = skip_blanks(r);
        if (s)
            return s;
        if (peek(r) == close && !r->limits.comments)
            return fail_at(r->err, STATUS_SYNTAX, line, place, "no comma may stand before '%c'", close);
    }
    *done = peek(r) == close;
    r->at += *done;
    r->depth -= *done;
    return STATUS_OK;
}

static enum status read_array(struct reader *r, struct value *out)
{
    size_t base = r->items.count;
    bool done = false;
    enum status s = enter(r);

    for (bool first = true; !s; first = false) {
        struct value item = {0};
        s = next_item(r, ']', first, &done);
        if (s || done)
            break;
        s = read_value(r, &item);
        LIST_PUSH(r->arena, &r->items, item);
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

/* A message may end on a terminal, and keys are the agent's: only plain ASCII of them is shown. */
static enum status refuse_twin(struct reader *r, const struct member *twin, const struct member *before)
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
        s = skip_blanks(r);
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
    bool done = false;
    enum status s = enter(r);

    for (bool first = true; !s; first = false) {
        struct member member;
        s = next_item(r, '}', first, &done);
        if (s || done)
            break;
        s = read_member(r, &member);
        if (!s)
            LIST_PUSH(r->arena, &r->members, member);
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

    const struct member *before, *twin = value_find_twin(r->arena, out, &before);
    return twin ? refuse_twin(r, twin, before) : STATUS_OK;
}

static enum status read_value(struct reader *r, struct value *out)
{
    int c = peek(r);

    if (r->seen == r->limits.values)
        return OVER_LIMIT(r, r->at, "the text holds more than %u values", r->limits.values);
    r->seen++;
    out->line = r->line;
    out->column = column(r, r->at);
    if (c == '{')
        return read_object(r, out);
    if (c == '[')
        return read_array(r, out);
    if (c == '"') {
        out->kind = VALUE_STRING;
        return read_string(r, &out->text);
    }
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r, out);
    return read_word(r, out);
}

/* ---- the document ---- */

static enum status check_bytes(struct reader *r)
{
    if (r->text.len > r->limits.bytes)
        return OVER_LIMIT(r, r->at, "the text is larger than %u bytes", r->limits.bytes);
    if (r->text.len == 0)
        return REFUSE(r, r->at, "the text is empty");
    if (str_starts(r->text, STR("\xef\xbb\xbf")))
        return REFUSE(r, r->at, "the text begins with a byte order mark, which JSON does not have");

    size_t bad = utf8_invalid_at(r->text);
    if (bad == STR_NONE)
        return STATUS_OK;
    for (; r->at < r->text.s + bad; r->at++)
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

enum status json_read(struct arena *a, struct str text, const struct json_limits *limits, struct value *out,
                      struct error *err)
{
    if (!text.s)
        text = STR("");
    struct reader r = {
        .arena = a,
        .limits = with_defaults(limits),
        .text = text,
        .at = text.s,
        .end = text.s + text.len,
        .line_start = text.s,
        .line = 1,
        .out = out,
        .err = err,
    };

    *out = (struct value){0};
    if (!arena_try(a, run, &r))
        return fail_at(err, STATUS_NOMEM, r.line, column(&r, r.at), "there is not enough memory to read on from here");
    return r.status;
}
