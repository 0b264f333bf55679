#include "base/str.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/ascii.h"

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.len != b.len || a.len == 0)
        return a.len == b.len;
    if (memcmp(a.s, b.s, a.len) == 0) /* equal texts mostly have equal bytes */
        return true;
    for (size_t i = 0; i < a.len; i++)
        if (a.s[i] != b.s[i] && ascii_lower(a.s[i]) != ascii_lower(b.s[i]))
            return false;
    return true;
}

int str_compare(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.s, b.s, shorter) : 0;

    if (order)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

size_t str_until(struct str s, const char *stops)
{
    uint64_t set[4] = {1}; /* the NUL byte */
    size_t i = 0;

    for (; *stops; stops++)
        set[(unsigned char)*stops / 64] |= (uint64_t)1 << ((unsigned char)*stops % 64);
    while (i < s.len && !(set[(unsigned char)s.s[i] / 64] >> ((unsigned char)s.s[i] % 64) & 1))
        i++;
    return i;
}

/* Up to this length, the tables that memmem() prepares cost more than they save. */
#define SHORT_PART 8

bool str_contains(struct str s, struct str part)
{
    if (part.len == 0 || s.len < part.len)
        return part.len == 0;
    if (part.len > SHORT_PART)
        return memmem(s.s, s.len, part.s, part.len) != NULL;
    const char *last = s.s + s.len - part.len;
    for (const char *at = s.s; at <= last && (at = memchr(at, part.s[0], (size_t)(last - at) + 1));
         at++)
        if (memcmp(at, part.s, part.len) == 0)
            return true;
    return false;
}

bool str_contains_nocase(struct str s, struct str part)
{
    for (size_t at = 0; at + part.len <= s.len; at++)
        if (str_eq_nocase(str_slice(s, at, at + part.len), part))
            return true;
    return false;
}

struct str str_trim(struct str s)
{
    while (s.len && ascii_is_space(s.s[0]))
        s = str_from_byte(s, 1);
    while (s.len && ascii_is_space(s.s[s.len - 1]))
        s.len--;
    return s;
}

static bool long_list_has(struct str list, struct str word)
{
    const char *end = list.s + list.len;

    for (const char *at = list.s; (at = memmem(at, (size_t)(end - at), word.s, word.len)); at++)
        if ((at == list.s || at[-1] == ' ') && (at + word.len == end || at[word.len] == ' '))
            return true;
    return false;
}

#define SHORT_LIST 64 /* bytes; as above */

/* Hot, and most lists are short: this loop takes a tenth of the time of cutting the list into
 * words. */
bool str_has_word(struct str list, struct str word)
{
    if (word.len == 0 || list.len < word.len || memchr(word.s, ' ', word.len))
        return false;
    if (list.len > SHORT_LIST)
        return long_list_has(list, word);
    for (size_t at = 0; at + word.len <= list.len;) {
        size_t end = at + word.len;
        if (list.s[at] == word.s[0] && memcmp(list.s + at, word.s, word.len) == 0 &&
            (end == list.len || list.s[end] == ' '))
            return true;
        while (at < list.len && list.s[at] != ' ')
            at++;
        at++;
    }
    return false;
}

/* The first byte rejects most names without a call of strlen(). */
bool str_in(struct str s, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i][0] == (s.len ? s.s[0] : '\0') && str_is(s, list[i]))
            return true;
    return false;
}

struct str str_copy(struct arena *a, struct str s)
{
    return (struct str){arena_copy(a, s.s, s.len), s.len};
}

struct str str_lower(struct arena *a, struct str s)
{
    char *copy = arena_copy(a, s.s, s.len);

    for (size_t i = 0; i < s.len; i++)
        copy[i] = ascii_lower(copy[i]);
    return (struct str){copy, s.len};
}

struct str str_join(struct arena *a, struct str x, struct str y)
{
    char *s = arena_bytes(a, x.len + y.len + 1);

    if (x.len)
        memcpy(s, x.s, x.len);
    if (y.len)
        memcpy(s + x.len, y.s, y.len);
    s[x.len + y.len] = '\0';
    return (struct str){s, x.len + y.len};
}

bool strs_has(const struct strs *list, struct str s)
{
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i], s))
            return true;
    return false;
}

/* Fast path for formats of only %s and %.*s, which is nearly all of them. False if there is
 * anything else. */
__attribute__((format(printf, 2, 0))) static bool join_texts(struct buf *b, const char *format,
                                                             va_list args)
{
    while (*format) {
        size_t literal = (size_t)(strchrnul(format, '%') - format);
        buf_add(b, (struct str){format, literal});
        format += literal;
        if (*format == '\0')
            break;
        bool cut = format[1] == '.' && format[2] == '*' && format[3] == 's';
        if (!cut && format[1] != 's')
            return false;
        int most = cut ? va_arg(args, int) : INT_MAX;
        const char *text = va_arg(args, const char *);
        if (most < 0 || (most > 0 && !text))
            return false;
        buf_add(b, (struct str){text, most ? strnlen(text, (size_t)most) : 0});
        format += cut ? 4 : 2;
    }
    return true;
}

__attribute__((format(printf, 2, 0))) static void format_into(struct buf *b, const char *format,
                                                              va_list args)
{
    va_list again, texts;
    char small[256];
    size_t before = b->len;

    va_copy(texts, args);
    bool done = join_texts(b, format, texts);
    va_end(texts);
    if (done)
        return;
    b->len = before;
    va_copy(again, args);
    int len = vsnprintf(small, sizeof(small), format, args);
    if (len > 0 && (size_t)len < sizeof(small)) {
        buf_add(b, (struct str){small, (size_t)len});
    } else if (len > 0) {
        char *large = arena_bytes(b->arena, (size_t)len + 1);
        vsnprintf(large, (size_t)len + 1, format, again);
        buf_add(b, (struct str){large, (size_t)len});
    }
    va_end(again);
}

struct str str_format(struct arena *a, const char *format, ...)
{
    struct buf b = buf_in(a);
    va_list args;

    va_start(args, format);
    format_into(&b, format, args);
    va_end(args);
    return buf_str(&b);
}

char *str_hex(char *out, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < count; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    return out;
}

uint32_t str_hash(struct str s)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = s.len * odd, word = 0;
    size_t i = 0;

    for (; i + sizeof(word) <= s.len; i += sizeof(word)) {
        memcpy(&word, s.s + i, sizeof(word));
        hash = (hash ^ word) * odd;
        hash ^= hash >> 29;
    }
    word = 0;
    if (s.len >= sizeof(word)) /* the rest, together with bytes before it that are hashed already */
        memcpy(&word, s.s + s.len - sizeof(word), sizeof(word));
    for (; s.len < sizeof(word) && i < s.len; i++)
        word = word << 8 | (unsigned char)s.s[i];
    hash = (hash ^ word) * odd;
    /* The last bytes are at the top of the word: mix them into all bits. */
    hash = (hash ^ hash >> 32) * odd;
    return (uint32_t)(hash >> 32);
}

struct str str_number(uint64_t n, char room[STR_NUMBER_MAX])
{
    size_t at = STR_NUMBER_MAX;

    do
        room[--at] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    return (struct str){room + at, STR_NUMBER_MAX - at};
}

void buf_grow(struct buf *b, size_t more)
{
    size_t room = b->room ? b->room : 64;
    while (room <= b->len + more)
        room *= 2;
    char *s = arena_bytes(b->arena, room);
    if (b->len)
        memcpy(s, b->s, b->len);
    b->s = s;
    b->room = room;
}

void buf_text(struct buf *b, const char *s)
{
    buf_add(b, str_from(s));
}

void buf_number(struct buf *b, int64_t n)
{
    char room[STR_NUMBER_MAX];

    if (n < 0)
        buf_byte(b, '-');
    buf_add(b, str_number(n < 0 ? 0 - (uint64_t)n : (uint64_t)n, room));
}

void buf_format(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    format_into(b, format, args);
    va_end(args);
}

static bool is_plain_word(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alnum(word.s[i]) && !str_has(STR("_-./:@+,"), word.s[i]))
            return false;
    return word.len > 0;
}

void buf_quoted(struct buf *b, struct str word)
{
    buf_byte(b, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.s[i] == '\'')
            buf_text(b, "'\\''");
        else
            buf_byte(b, word.s[i]);
    }
    buf_byte(b, '\'');
}

void buf_shell_word(struct buf *b, struct str word)
{
    if (is_plain_word(word))
        buf_add(b, word);
    else
        buf_quoted(b, word);
}

struct str buf_str(struct buf *b)
{
    buf_need(b, 0);
    b->s[b->len] = '\0';
    return (struct str){b->s, b->len};
}

/* ---- with a door of their own ---- */

struct buf_call {
    struct buf b;
    void (*write)(struct buf *out, const void *about);
    const void *about;
    struct str text;
};

static void call_write(void *arg)
{
    struct buf_call *c = arg;

    c->write(&c->b, c->about);
    c->text = buf_str(&c->b);
}

bool buf_try(struct arena *a, void (*write)(struct buf *out, const void *about), const void *about,
             struct str *out)
{
    struct buf_call c = {.b = buf_in(a), .write = write, .about = about};
    bool fits = arena_try(a, call_write, &c);

    *out = fits ? c.text : (struct str){0};
    return fits;
}

static void write_copy(struct buf *out, const void *about)
{
    buf_add(out, *(const struct str *)about);
}

struct str str_try_copy(struct arena *a, struct str s)
{
    struct str copy;

    return buf_try(a, write_copy, &s, &copy) ? copy : (struct str){0};
}

struct format_call {
    const char *format;
    va_list *args;
};

static void write_format(struct buf *out, const void *about)
{
    const struct format_call *f = about;

    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): str_try_format()'s callers are checked */
    format_into(out, f->format, *f->args);
}

struct str str_try_format(struct arena *a, const char *format, ...)
{
    struct str text;
    va_list args;

    va_start(args, format);
    bool fits = buf_try(a, write_format, &(struct format_call){format, &args}, &text);
    va_end(args);
    return fits ? text : (struct str){0};
}
