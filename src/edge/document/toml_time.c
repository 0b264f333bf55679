/* toml_time.c - the four kinds of date and time, as in RFC 3339. */
#include "base/ascii.h"
#include "document/toml_scan.h"

/* The two-digit and four-digit numbers of RFC 3339. A leap second is second 60. */
static const struct field {
    size_t digits;
    unsigned least, most;
    const char *rule;
} year = {4, 0, 9999, "a year has four digits"}, month = {2, 1, 12, "a month is 01 to 12"},
  day = {2, 1, 31, "a day is 01 to 31"}, hour = {2, 0, 23, "an hour is 00 to 23"},
  minute = {2, 0, 59, "a minute is 00 to 59"}, second = {2, 0, 60, "a second is 00 to 60"};

static bool take_field(struct str *rest, const struct field *field, unsigned *n, const char **why)
{
    *n = 0;
    *why = field->rule;
    for (size_t i = 0; i < field->digits; i++) {
        if (i >= rest->len || !ascii_is_digit(rest->s[i]))
            return false;
        *n = *n * 10 + (unsigned)(rest->s[i] - '0');
    }
    *rest = str_from_byte(*rest, field->digits);
    return *n >= field->least && *n <= field->most;
}

static bool take_byte(struct str *rest, const char *any, const char **why)
{
    *why = "a date or time is written as 1979-05-27, 07:32:00 or 1979-05-27T07:32:00Z";
    if (rest->len == 0 || !strchr(any, rest->s[0]))
        return false;
    *rest = str_from_byte(*rest, 1);
    return true;
}

static unsigned days_in(unsigned y, unsigned m)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

    return m == 2 && leap ? 29 : days[m - 1];
}

static bool take_date(struct str *rest, const char **why)
{
    unsigned y, m, d;

    if (!take_field(rest, &year, &y, why) || !take_byte(rest, "-", why) ||
        !take_field(rest, &month, &m, why) || !take_byte(rest, "-", why) ||
        !take_field(rest, &day, &d, why))
        return false;
    *why = "this month has no such day";
    return d <= days_in(y, m);
}

static bool take_time(struct str *rest, const char **why)
{
    unsigned n;

    if (!take_field(rest, &hour, &n, why) || !take_byte(rest, ":", why) ||
        !take_field(rest, &minute, &n, why) || !take_byte(rest, ":", why) ||
        !take_field(rest, &second, &n, why))
        return false;
    if (rest->len == 0 || rest->s[0] != '.')
        return true;

    size_t digits = 0;
    while (digits + 1 < rest->len && ascii_is_digit(rest->s[digits + 1]))
        digits++;
    *rest = str_from_byte(*rest, digits + 1);
    *why = "expected digits after the point in this time";
    return digits > 0;
}

static bool take_offset(struct str *rest, const char **why)
{
    unsigned n;

    if (take_byte(rest, "Zz", why))
        return true;
    return take_byte(rest, "+-", why) && take_field(rest, &hour, &n, why) &&
           take_byte(rest, ":", why) && take_field(rest, &minute, &n, why);
}

bool toml_time(struct str word, const char **why)
{
    struct str rest = word;

    if (word.len > 2 && word.s[2] == ':') {
        if (!take_time(&rest, why))
            return false;
    } else {
        if (!take_date(&rest, why))
            return false;
        if (rest.len == 0)
            return true;
        if (!take_byte(&rest, "Tt ", why) || !take_time(&rest, why))
            return false;
        if (rest.len == 0)
            return true;
        if (!take_offset(&rest, why))
            return false;
    }
    *why = "unexpected text after this date or time";
    return rest.len == 0;
}
