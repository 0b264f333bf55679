/* toml_string.c - strings: basic and literal, on one line and on several. */
#include "base/utf8.h"
#include "document/number.h"
#include "document/toml_scan.h"

/* \uXXXX and \UXXXXXXXX; the scan is after the letter. */
static void code_point(struct scan *s, struct position start, int digits, struct buf *out)
{
    uint32_t c = 0;

    for (int i = 0; i < digits; i++) {
        int digit = number_digit(scan_peek(s), 16);
        if (digit < 0) {
            scan_refuse(s, start, STATUS_SYNTAX, "this escape needs %d hexadecimal digits", digits);
            return;
        }
        c = c << 4 | (uint32_t)digit;
        scan_skip(s, 1);
    }
    if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
        scan_refuse(s, start, STATUS_SYNTAX, "U+%04X is not a character", c);
    else
        utf8_put(out, c);
}

/* A backslash at the end of a line removes all white space up to the next other character. */
static bool folds_line(struct scan *s)
{
    size_t ahead = 0;

    while (scan_ahead(s, ahead) == ' ' || scan_ahead(s, ahead) == '\t')
        ahead++;
    if (scan_ahead(s, ahead) != '\n' && scan_ahead(s, ahead) != '\r')
        return false;
    do
        scan_blanks(s);
    while (scan_newline(s));
    return true;
}

/* The scan is after the backslash. */
static void escape(struct scan *s, bool multi_line, struct buf *out)
{
    static const char letters[] = "btnfr\"\\", meanings[] = "\b\t\n\f\r\"\\";
    struct position start = scan_place(s);
    char c = scan_peek(s);

    start.column--;
    if (multi_line && folds_line(s))
        return;
    const char *letter = c ? strchr(letters, c) : NULL;
    if (!letter && c != 'u' && c != 'U') {
        scan_refuse(s, start, STATUS_SYNTAX,
                    "a backslash must be followed by one of b t n f r \" \\ u U");
        return;
    }
    scan_skip(s, 1);
    if (letter)
        buf_byte(out, meanings[letter - letters]);
    else
        code_point(s, start, c == 'u' ? 4 : 8, out);
}

static struct str one_line(struct scan *s, char quote)
{
    struct position start = scan_place(s);
    struct buf out = buf_in(s->arena);

    scan_skip(s, 1);
    while (!scan_accept(s, quote)) {
        char c = scan_peek(s);
        if (c == '\0' || scan_at_newline(s)) {
            scan_refuse(s, start, STATUS_SYNTAX, "this string is not closed on its line");
            break;
        }
        scan_skip(s, 1);
        if (quote == '"' && c == '\\')
            escape(s, false, &out);
        else
            buf_byte(&out, c);
    }
    return buf_str(&out);
}

/* Reads the quotes here. Three close the string; up to two more before them belong to its
 * contents. */
static bool closes(struct scan *s, char quote, struct buf *out)
{
    size_t run = 0;

    while (run < 5 && scan_ahead(s, run) == quote)
        run++;
    for (size_t i = run >= 3 ? 3 : 0; i < run; i++)
        buf_byte(out, quote);
    scan_skip(s, run);
    return run >= 3;
}

static struct str multi_line(struct scan *s, char quote)
{
    struct position start = scan_place(s);
    struct buf out = buf_in(s->arena);

    scan_skip(s, 3);
    scan_newline(s); /* a newline right after the opening is not part of the contents */
    while (!closes(s, quote, &out)) {
        char c = scan_peek(s);
        if (c == '\0') {
            scan_refuse(s, start, STATUS_SYNTAX, "this multi-line string is not closed");
            break;
        }
        if (scan_newline(s)) {
            /* the meaning must not depend on the line ends that an editor wrote */
            buf_byte(&out, '\n');
            continue;
        }
        scan_skip(s, 1);
        if (quote == '"' && c == '\\')
            escape(s, true, &out);
        else
            buf_byte(&out, c);
    }
    return buf_str(&out);
}

struct str toml_string(struct scan *s, bool in_key)
{
    char quote = scan_peek(s);

    if (scan_ahead(s, 1) != quote || scan_ahead(s, 2) != quote)
        return one_line(s, quote);
    if (in_key) {
        scan_refuse(s, scan_place(s), STATUS_SYNTAX, "a key cannot be a multi-line string");
        return (struct str){"", 0};
    }
    return multi_line(s, quote);
}
