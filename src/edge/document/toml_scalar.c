/* toml_scalar.c - values of one word: booleans and numbers; and which words are dates. */
#include "base/ascii.h"
#include "document/number.h"
#include "document/toml_scan.h"

/* Digits, with single underscores between them, which are dropped. */
static bool take_digits(struct str *rest, unsigned base, struct buf *plain)
{
    bool after_digit = false;
    size_t i = 0;

    for (; i < rest->len; i++) {
        char c = rest->s[i];
        if (number_digit(c, base) >= 0) {
            buf_byte(plain, c);
            after_digit = true;
        } else if (c == '_' && after_digit) {
            after_digit = false;
        } else {
            break;
        }
    }
    *rest = str_from_byte(*rest, i);
    return after_digit;
}

static bool take_integer(struct arena *a, struct str digits, unsigned base, bool negative,
                         struct value *out, const char **why)
{
    *why = "this integer does not fit in 64 bits";
    out->kind = VALUE_INTEGER;
    return number_plain(a, digits, base, negative, &out->text);
}

static bool with_prefix(struct arena *a, struct str word, struct value *out, const char **why)
{
    unsigned base = word.s[1] == 'x' ? 16 : word.s[1] == 'o' ? 8 : 2;
    struct str rest = str_from_byte(word, 2);
    struct buf digits = buf_in(a);

    *why = "these are not valid digits for this kind of integer";
    if (!take_digits(&rest, base, &digits) || rest.len > 0)
        return false;
    return take_integer(a, buf_str(&digits), base, false, out, why);
}

/* The part of a float after its integer part. */
static bool take_fraction(struct str *rest, struct buf *plain, const char **why)
{
    if (rest->s[0] == '.') {
        *why = "expected digits after the decimal point";
        buf_byte(plain, '.');
        *rest = str_from_byte(*rest, 1);
        if (!take_digits(rest, 10, plain))
            return false;
    }
    if (rest->len > 0 && (rest->s[0] == 'e' || rest->s[0] == 'E')) {
        *why = "expected digits in the exponent";
        size_t head = rest->len > 1 && (rest->s[1] == '+' || rest->s[1] == '-') ? 2 : 1;
        buf_add(plain, str_slice(*rest, 0, head));
        *rest = str_from_byte(*rest, head);
        return take_digits(rest, 10, plain);
    }
    return true;
}

static bool decimal(struct arena *a, struct str word, struct value *out, const char **why)
{
    struct str rest = word;
    struct buf plain = buf_in(a);
    size_t sign = word.len > 0 && (word.s[0] == '+' || word.s[0] == '-') ? 1 : 0;

    *why = "this is not a value; a string needs quotes";
    buf_add(&plain, str_slice(word, 0, sign));
    rest = str_from_byte(word, sign);
    if (str_is(rest, "inf") || str_is(rest, "nan")) {
        out->kind = VALUE_FLOAT;
        out->text = str_copy(a, word);
        return true;
    }
    if (!take_digits(&rest, 10, &plain))
        return false;
    struct str digits = str_from_byte(buf_str(&plain), sign);
    if (digits.len > 1 && digits.s[0] == '0') {
        *why = "a number must not start with a zero";
        return false;
    }
    if (rest.len == 0)
        return take_integer(a, digits, 10, sign && word.s[0] == '-', out, why);
    if (!take_fraction(&rest, &plain, why))
        return false;
    out->kind = VALUE_FLOAT;
    out->text = buf_str(&plain);
    *why = "this is not a number";
    return rest.len == 0;
}

static bool number(struct arena *a, struct str word, struct value *out, const char **why)
{
    if (word.len > 1 && word.s[0] == '0' && strchr("xob", word.s[1]))
        return with_prefix(a, word, out, why);
    return decimal(a, word, out, why);
}

static bool looks_like_time(struct str word)
{
    size_t digits = 0;

    while (digits < word.len && ascii_is_digit(word.s[digits]))
        digits++;
    return digits > 0 && digits < word.len && (word.s[digits] == ':' || word.s[digits] == '-');
}

static bool in_word(char c)
{
    return ascii_is_alnum(c) || (c != '\0' && strchr("_+-.:", c));
}

static size_t word_length(const struct scan *s, size_t from)
{
    while (in_word(scan_ahead(s, from)))
        from++;
    return from;
}

static struct str cut_word(struct scan *s)
{
    size_t len = word_length(s, 0);
    struct str word = str_slice(s->text, s->at, s->at + len);
    const char *why;

    /* A blank may replace the T between a date and a time. */
    if (scan_ahead(s, len) == ' ' && ascii_is_digit(scan_ahead(s, len + 1)) && word.len == 10 &&
        toml_time(word, &why))
        word.len = word_length(s, len + 1);
    scan_skip(s, word.len);
    return word;
}

void toml_scalar(struct scan *s, struct value *out)
{
    struct position start = scan_place(s);
    struct str word = cut_word(s);
    const char *why = "expected a value";

    if (str_is(word, "true") || str_is(word, "false")) {
        out->kind = VALUE_BOOL;
        out->boolean = word.s[0] == 't';
    } else if (looks_like_time(word)) {
        if (!toml_time(word, &why))
            scan_refuse(s, start, STATUS_SYNTAX, "%s", why);
        out->kind = VALUE_TIME;
        out->text = str_copy(s->arena, word);
    } else if (word.len == 0 || !number(s->arena, word, out, &why)) {
        scan_refuse(s, start, STATUS_SYNTAX, "%s", why);
    }
}
