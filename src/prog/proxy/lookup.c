#include "proxy/lookup.h"

#define HEAD        12
#define LABEL_MAX   63
#define KIND_FOUR   1
#define CLASS_IN    1
#define FLAG_ANSWER 0x80
#define FLAG_AGAIN  0x80 /* we would ask others */
#define NO_SUCH     3
#define SECONDS     60

static unsigned number_at(struct str s, size_t at)
{
    return (unsigned)(unsigned char)s.s[at] << 8 | (unsigned char)s.s[at + 1];
}

/* The labels as one name; *at is then after them. */
static bool read_name(struct str m, size_t *at, char name[DESTINATION_NAME_MAX + 1])
{
    size_t len = 0;

    while (*at < m.len && m.s[*at]) {
        const size_t label = (unsigned char)m.s[*at];
        if (label > LABEL_MAX || *at + 1 + label >= m.len || len + label + 1 > DESTINATION_NAME_MAX)
            return false;
        if (len)
            name[len++] = '.';
        memcpy(name + len, m.s + *at + 1, label);
        len += label;
        *at += 1 + label;
    }
    name[len] = '\0';
    (*at)++;
    return len > 0 && strlen(name) == len;
}

bool lookup_read(struct str message, struct lookup *out)
{
    struct destination to;
    size_t at = HEAD;

    *out = (struct lookup){0};
    if (message.len < HEAD || message.len > LOOKUP_MAX || (message.s[2] & (char)0xf8) ||
        number_at(message, 4) != 1 || number_at(message, 6) != 0)
        return false;
    out->id = (uint16_t)number_at(message, 0);
    if (!read_name(message, &at, out->name) || at + 4 > message.len ||
        number_at(message, at + 2) != CLASS_IN)
        return false;
    out->four = number_at(message, at) == KIND_FOUR;
    out->question = at + 4;
    if (!destination_read(str_from(out->name), 1, false, &to) || to.is_address)
        return false;
    memcpy(out->name, to.name, sizeof(out->name));
    return true;
}

static size_t put(char *out, size_t at, const void *bytes, size_t count)
{
    memcpy(out + at, bytes, count);
    return at + count;
}

size_t lookup_print(const struct lookup *asked, enum lookup_answer answer, uint32_t address,
                    char out[LOOKUP_MAX])
{
    /* the name of the question; A, IN, how long it counts, four bytes */
    static const unsigned char found[] = {0xc0, HEAD, 0, KIND_FOUR, 0, CLASS_IN,
                                          0,    0,    0, SECONDS,   0, 4};
    const bool has = answer == LOOKUP_FOUND;
    size_t len = asked->question;

    out[2] = (char)(FLAG_ANSWER | (out[2] & 1));
    out[3] = (char)(FLAG_AGAIN | (answer == LOOKUP_REFUSED ? NO_SUCH : 0));
    out[7] = has;
    memset(out + 8, 0, 4); /* no further parts, whatever the question had */
    if (has && len + sizeof(found) + sizeof(address) <= LOOKUP_MAX) {
        len = put(out, len, found, sizeof(found));
        len = put(out, len, &address, sizeof(address));
    }
    return len;
}
