#include "base/range.h"

#include <arpa/inet.h>

#define BITS_FOUR 32
#define BITS_SIX  128

static bool bits_parse(struct str text, unsigned most, uint8_t *out)
{
    unsigned bits = 0;

    if (text.len == 0 || text.len > 3)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
        bits = bits * 10 + (unsigned)(text.s[i] - '0');
    }
    *out = (uint8_t)bits;
    return bits <= most;
}

bool range_parse(struct str text, struct range *out)
{
    char address[INET6_ADDRSTRLEN];
    struct str head = text, bits = {0};
    const bool cut = str_cut(text, '/', &head, &bits);

    *out = (struct range){.six = str_has(head, ':')};
    const unsigned most = out->six ? BITS_SIX : BITS_FOUR;
    out->bits = (uint8_t)most;
    if (head.len >= sizeof(address) || str_has(head, '\0') ||
        (cut && !bits_parse(bits, most, &out->bits)))
        return false;
    memcpy(address, head.s, head.len);
    address[head.len] = '\0';
    return inet_pton(out->six ? AF_INET6 : AF_INET, address, out->bytes) == 1;
}

bool range_has(const struct range *r, const uint8_t *bytes, bool six)
{
    const size_t whole = r->bits / 8, rest = r->bits % 8;

    if (six != r->six || memcmp(bytes, r->bytes, whole) != 0)
        return false;
    return rest == 0 || (bytes[whole] ^ r->bytes[whole]) >> (8 - rest) == 0;
}
