#include "report/when.h"

#include <stdio.h>
#include <time.h>

/* The first moment of a day of the local calendar; days out of range are of the next or the last
 * month. */
static int64_t midnight(int year, int month, int day)
{
    struct tm t = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_isdst = -1};

    return (int64_t)mktime(&t) * 1000;
}

static bool read_day(struct str s, int64_t now, int64_t *ms)
{
    time_t seconds = (time_t)(now / 1000);
    struct tm t;
    int64_t days;
    int ago = str_is(s, "today") ? 0 : str_is(s, "yesterday") ? 1 : -1;

    if (ago >= 0 && localtime_r(&seconds, &t)) {
        *ms = midnight(t.tm_year + 1900, t.tm_mon + 1, t.tm_mday - ago);
        return true;
    }
    if (s.len != STR("2026-01-31").len || !stamp_parse_since(s, now, &days))
        return false;
    seconds = (time_t)(days / 1000);
    if (!gmtime_r(&seconds, &t))
        return false;
    *ms = midnight(t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
    return true;
}

/* "2 hours ago", "15 minutes": as stamp_parse_since() has it, the number and the unit's first
 * letter. */
static bool read_age(struct str s, int64_t now, int64_t *ms)
{
    static const char *const units[] = {"second", "minute", "hour", "day", "week"};
    struct str number, unit;
    char brief[16];

    if (str_ends(s, STR(" ago")))
        s = str_slice(s, 0, s.len - STR(" ago").len);
    if (!str_cut(s, ' ', &number, &unit) || !number.len || number.len > 9)
        return false;
    if (str_ends(unit, STR("s")))
        unit = str_slice(unit, 0, unit.len - 1);
    if (!STR_IN(unit, units))
        return false;
    snprintf(brief, sizeof(brief), "%.*s%c", STR_ARG(number), unit.s[0]);
    return stamp_parse_since(str_from(brief), now, ms);
}

bool when_read(struct str text, int64_t now, int64_t *ms)
{
    if (str_is(text, "now")) {
        *ms = now;
        return true;
    }
    return read_day(text, now, ms) || read_age(text, now, ms) || stamp_parse_since(text, now, ms);
}

void when_print(struct buf *b, struct str stamp)
{
    char text[32];
    int64_t ms;
    time_t seconds;
    struct tm t;

    if (!stamp_parse(stamp, &ms)) {
        buf_add(b, stamp);
        return;
    }
    seconds = (time_t)(ms / 1000);
    if (localtime_r(&seconds, &t) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &t))
        buf_text(b, text);
}
