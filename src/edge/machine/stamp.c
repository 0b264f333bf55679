#include "machine/stamp.h"

#include <time.h>

#include "base/ascii.h"

#define FIRST_MS (-62167219200000LL) /* 0000-01-01 */
#define LAST_MS  253402300799999LL   /* 9999-12-31T23:59:59.999Z */

int64_t stamp_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar, and back. Years begin in March here,
 * so that the leap day is the last one. */
static int64_t days_from(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_from(int64_t days, int *year, int *month, int *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t of_era = days - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t shifted = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = (int)(years + era * 400 + (*month <= 2));
}

static void print_number(char *out, size_t digits, int n)
{
    for (; digits-- > 0; n /= 10)
        out[digits] = (char)('0' + n % 10);
}

void stamp_print(int64_t ms, char out[STAMP_SIZE])
{
    int year, month, day;

    ms = ms < FIRST_MS ? FIRST_MS : ms > LAST_MS ? LAST_MS : ms;
    int64_t days = (ms >= 0 ? ms : ms - 86399999) / 86400000;
    int rest = (int)(ms - days * 86400000);
    date_from(days, &year, &month, &day);
    memcpy(out, "0000-00-00T00:00:00.000Z", STAMP_SIZE);
    print_number(out, 4, year);
    print_number(out + 5, 2, month);
    print_number(out + 8, 2, day);
    print_number(out + 11, 2, rest / 3600000);
    print_number(out + 14, 2, rest / 60000 % 60);
    print_number(out + 17, 2, rest / 1000 % 60);
    print_number(out + 20, 3, rest % 1000);
}

/* ---- reading ---- */

/* Takes `count` digits off the front. -1 if they are missing. */
static int64_t digits(struct str *s, size_t count)
{
    int64_t n = 0;

    if (s->len < count)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (!ascii_is_digit(s->s[i]))
            return -1;
        n = n * 10 + (s->s[i] - '0');
    }
    *s = str_from_byte(*s, count);
    return n;
}

static bool byte(struct str *s, const char *any_of)
{
    if (!s->len || !strchr(any_of, s->s[0]))
        return false;
    *s = str_from_byte(*s, 1);
    return true;
}

static int64_t days_in(int64_t year, int64_t month)
{
    return days_from(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1) -
           days_from(year, month, 1);
}

static bool read_date(struct str *s, int64_t *days)
{
    int64_t year = digits(s, 4), month, day;

    if (year < 0 || !byte(s, "-") || (month = digits(s, 2)) < 1 || month > 12 || !byte(s, "-"))
        return false;
    if ((day = digits(s, 2)) < 1 || day > days_in(year, month))
        return false;
    *days = days_from(year, month, day);
    return true;
}

static int64_t fraction(struct str *s)
{
    int64_t ms = 0, unit = 100;

    for (; s->len && ascii_is_digit(s->s[0]); *s = str_from_byte(*s, 1), unit /= 10)
        ms += (s->s[0] - '0') * unit;
    return ms;
}

static bool read_offset(struct str *s, int64_t *minutes)
{
    bool west = s->len && s->s[0] == '-';
    int64_t hour, minute;

    *minutes = 0;
    if (byte(s, "Zz"))
        return true;
    if (!byte(s, "+-") || (hour = digits(s, 2)) < 0 || hour > 23 || !byte(s, ":") ||
        (minute = digits(s, 2)) < 0 || minute > 59)
        return false;
    *minutes = (hour * 60 + minute) * (west ? -1 : 1);
    return true;
}

bool stamp_parse(struct str s, int64_t *ms)
{
    int64_t days, hour, minute, second, offset;

    if (!read_date(&s, &days) || !byte(&s, "Tt ") || (hour = digits(&s, 2)) < 0 || hour > 23 ||
        !byte(&s, ":") || (minute = digits(&s, 2)) < 0 || minute > 59 || !byte(&s, ":") ||
        (second = digits(&s, 2)) < 0 || second > 60)
        return false;
    int64_t part = byte(&s, ".") ? fraction(&s) : 0;
    if (!read_offset(&s, &offset) || s.len)
        return false;
    *ms = ((days * 24 + hour) * 60 + minute - offset) * 60000 + second * 1000 + part;
    return true;
}

static bool parse_ago(struct str s, int64_t now, int64_t *ms)
{
    static const struct {
        char letter;
        int64_t ms;
    } units[] = {{'s', 1000}, {'m', 60000}, {'h', 3600000}, {'d', 86400000}, {'w', 604800000}};
    int64_t count = 0;
    size_t i = 0;

    for (; i < s.len && i < 9 && ascii_is_digit(s.s[i]); i++)
        count = count * 10 + (s.s[i] - '0');
    for (size_t u = 0; i > 0 && i + 1 == s.len && u < COUNT(units); u++)
        if (s.s[i] == units[u].letter) {
            *ms = now - count * units[u].ms;
            return true;
        }
    return false;
}

bool stamp_parse_since(struct str s, int64_t now, int64_t *ms)
{
    struct str date = s;
    int64_t days;

    if (stamp_parse(s, ms) || parse_ago(s, now, ms))
        return true;
    if (!read_date(&date, &days) || date.len)
        return false;
    *ms = days * 86400000;
    return true;
}

bool stamp_is(struct str text)
{
    char again[STAMP_SIZE];
    int64_t ms;

    if (text.len != STAMP_LENGTH || !stamp_parse(text, &ms))
        return false;
    stamp_print(ms, again);
    return str_is(text, again);
}
