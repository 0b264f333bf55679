/* ascii.h - byte classes. Unlike <ctype.h> they do not depend on the locale: same input, same
 * verdict.
 *
 * They take an int, so that -1 can mean "the text has ended". It is in none of the classes. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_upper(int c)
{
    return c >= 'A' && c <= 'Z';
}

static inline char ascii_lower(char c)
{
    return ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline bool ascii_is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || ascii_is_upper(c);
}

static inline bool ascii_is_alnum(int c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* Of the names of variables, in most languages. */
static inline bool ascii_is_name_start(int c)
{
    return ascii_is_letter(c) || c == '_';
}

static inline bool ascii_is_name(int c)
{
    return ascii_is_alnum(c) || c == '_';
}

static inline bool ascii_is_blank(int c) /* inside a line */
{
    return c == ' ' || c == '\t';
}

static inline bool ascii_is_space(int c) /* as JSON and YAML know it: without FF and VT */
{
    return ascii_is_blank(c) || c == '\n' || c == '\r';
}

static inline bool ascii_is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

#endif
