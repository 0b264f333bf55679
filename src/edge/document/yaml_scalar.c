#include "document/yaml_scalar.h"

#include "document/number.h"

static const struct {
    const char *word;
    enum value_kind kind;
    bool boolean;
} words[] = {
    {"", VALUE_NULL},           {"~", VALUE_NULL},          {"null", VALUE_NULL},
    {"Null", VALUE_NULL},       {"NULL", VALUE_NULL},       {"true", VALUE_BOOL, true},
    {"True", VALUE_BOOL, true}, {"TRUE", VALUE_BOOL, true}, {"false", VALUE_BOOL},
    {"False", VALUE_BOOL},      {"FALSE", VALUE_BOOL},      {".inf", VALUE_FLOAT},
    {".Inf", VALUE_FLOAT},      {".INF", VALUE_FLOAT},      {"+.inf", VALUE_FLOAT},
    {"+.Inf", VALUE_FLOAT},     {"+.INF", VALUE_FLOAT},     {"-.inf", VALUE_FLOAT},
    {"-.Inf", VALUE_FLOAT},     {"-.INF", VALUE_FLOAT},     {".nan", VALUE_FLOAT},
    {".NaN", VALUE_FLOAT},      {".NAN", VALUE_FLOAT},
};

static size_t count_digits(struct str s, size_t from, unsigned base)
{
    size_t at = from;

    while (at < s.len && number_digit(s.s[at], base) >= 0)
        at++;
    return at - from;
}

static bool has_sign(struct str s, size_t at)
{
    return at < s.len && (s.s[at] == '+' || s.s[at] == '-');
}

/* [-+]?[0-9]+, 0o[0-7]+ or 0x[0-9a-fA-F]+: the digits and the base; 0 if it is none of them. */
static unsigned integer_base(struct str s, struct str *digits)
{
    unsigned base = str_starts(s, STR("0x")) ? 16 : str_starts(s, STR("0o")) ? 8 : 10;

    *digits = str_from_byte(s, base != 10 ? 2 : has_sign(s, 0) ? 1 : 0);
    return digits->len > 0 && count_digits(*digits, 0, base) == digits->len ? base : 0;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool is_float(struct str s)
{
    size_t at = has_sign(s, 0) ? 1 : 0;
    size_t whole = count_digits(s, at, 10), fraction = 0;

    at += whole;
    if (at < s.len && s.s[at] == '.') {
        fraction = count_digits(s, at + 1, 10);
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (at < s.len && (s.s[at] == 'e' || s.s[at] == 'E')) {
        at += has_sign(s, at + 1) ? 2 : 1;
        size_t exponent = count_digits(s, at, 10);
        if (exponent == 0)
            return false;
        at += exponent;
    }
    return at == s.len;
}

bool yaml_resolve(struct arena *a, struct str plain, struct value *out)
{
    struct str digits;

    for (size_t i = 0; i < COUNT(words); i++) {
        if (!str_is(plain, words[i].word))
            continue;
        out->kind = words[i].kind;
        out->boolean = words[i].boolean;
        if (out->kind == VALUE_FLOAT)
            out->text = str_copy(a, plain);
        return true;
    }

    unsigned base = integer_base(plain, &digits);
    if (base) {
        out->kind = VALUE_INTEGER;
        return number_plain(a, digits, base, plain.s[0] == '-', &out->text);
    }
    out->kind = is_float(plain) ? VALUE_FLOAT : VALUE_STRING;
    out->text = str_copy(a, plain);
    return true;
}
