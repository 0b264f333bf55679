#include "document/number.h"

#include <inttypes.h>

int number_digit(char c, unsigned base)
{
    int digit = -1;

    if (c >= '0' && c <= '9')
        digit = c - '0';
    else if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
    else if (c >= 'A' && c <= 'F')
        digit = c - 'A' + 10;
    return digit < (int)base ? digit : -1;
}

bool number_plain(struct arena *a, struct str digits, unsigned base, bool negative, struct str *out)
{
    uint64_t most = (uint64_t)INT64_MAX + (negative ? 1 : 0), n = 0;

    for (size_t i = 0; i < digits.len; i++) {
        uint64_t digit = (uint64_t)number_digit(digits.s[i], base);
        if (n > (most - digit) / base)
            return false;
        n = n * base + digit;
    }
    *out = str_format(a, "%s%" PRIu64, negative && n ? "-" : "", n);
    return true;
}
