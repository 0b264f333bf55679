#include "base/inflate.h"

#define BITS_MAX     15u /* of a code */
#define LITERALS     288u
#define DISTANCES    30u
#define END_OF_BLOCK 256u
#define NO_SYMBOL    UINT32_MAX

/* ---- bits, the lowest of a byte first ---- */

struct bits {
    const uint8_t *at, *end;
    uint32_t held;
    unsigned count;
    unsigned missing; /* bits that were taken and are not there */
};

static void hold(struct bits *b, unsigned count)
{
    while (b->count < count) {
        if (b->at < b->end)
            b->held |= (uint32_t)*b->at++ << b->count;
        else
            b->missing += 8;
        b->count += 8;
    }
}

static void drop(struct bits *b, unsigned count)
{
    b->held >>= count;
    b->count -= count;
}

static uint32_t take(struct bits *b, unsigned count)
{
    hold(b, count);
    uint32_t value = b->held & ((1u << count) - 1);
    drop(b, count);
    return value;
}

/* What was held ahead, beyond the end, does not count. */
static bool is_over(const struct bits *b)
{
    return b->missing > b->count;
}

/* ---- codes ---- */

/* Codes of one length are consecutive numbers, and those of a longer one come after them. So the
 * next 15 bits, as a number, say by one comparison for each length which it is. */
struct codes {
    bool fixed;                   /* the literals of 3.2.6, which have no `symbols` */
    uint32_t limit[BITS_MAX + 1]; /* the first number, of 15 bits, that is none of this length */
    int32_t base[BITS_MAX + 1];   /* from a code of this length to its place in `symbols` */
    uint16_t symbols[LITERALS];
};

static bool codes_make(struct codes *c, const uint8_t *lengths, size_t count)
{
    uint16_t counts[BITS_MAX + 1] = {0}, next[BITS_MAX + 1];
    uint32_t code = 0, before = 0;

    c->fixed = false;
    for (size_t i = 0; i < count; i++)
        counts[lengths[i]]++;
    counts[0] = 0;
    for (unsigned len = 1; len <= BITS_MAX; len++) {
        code = (code + counts[len - 1]) << 1;
        if (code + counts[len] > 1u << len)
            return false;
        c->limit[len] = (code + counts[len]) << (BITS_MAX - len);
        c->base[len] = (int32_t)before - (int32_t)code;
        next[len] = (uint16_t)before;
        before += counts[len];
    }
    for (size_t i = 0; i < count; i++)
        if (lengths[i])
            c->symbols[next[lengths[i]]++] = (uint16_t)i;
    return true;
}

/* The first bit of a code is its highest. */
static uint32_t turned(uint32_t bits)
{
    bits = (bits & 0x5555) << 1 | (bits >> 1 & 0x5555);
    bits = (bits & 0x3333) << 2 | (bits >> 2 & 0x3333);
    bits = (bits & 0x0f0f) << 4 | (bits >> 4 & 0x0f0f);
    bits = (bits & 0x00ff) << 8 | (bits >> 8 & 0x00ff);
    return bits >> 1;
}

/* 24 symbols of seven bits, 152 of eight and 112 of nine. */
static uint32_t fixed_symbol(uint32_t place)
{
    if (place < 24)
        return place + 256;
    if (place < 168)
        return place - 24;
    return place < 176 ? place + 112 : place - 32;
}

static uint32_t decode(struct bits *b, const struct codes *c)
{
    hold(b, BITS_MAX);
    const uint32_t ahead = turned(b->held & 0x7fff);
    for (unsigned len = 1; len <= BITS_MAX; len++) {
        if (ahead >= c->limit[len])
            continue;
        drop(b, len);
        const uint32_t place = (uint32_t)((int32_t)(ahead >> (BITS_MAX - len)) + c->base[len]);
        return c->fixed ? fixed_symbol(place) : c->symbols[place];
    }
    return NO_SYMBOL;
}

/* ---- blocks ---- */

struct inflating {
    struct bits bits;
    uint8_t *out;
    size_t len, room;
    struct codes literals, distances;
};

static enum inflate_end stored_block(struct inflating *z)
{
    struct bits *b = &z->bits;

    drop(b, b->count % 8);
    const uint32_t len = take(b, 16), other = take(b, 16);
    if (len != (other ^ 0xffff) || is_over(b))
        return INFLATE_WRONG;
    for (uint32_t i = 0; i < len; i++) {
        const uint32_t byte = take(b, 8);
        if (is_over(b))
            return INFLATE_WRONG;
        if (z->len == z->room)
            return INFLATE_FULL;
        z->out[z->len++] = (uint8_t)byte;
    }
    return INFLATE_WHOLE;
}

/* 3.2.5: from which length or distance on a symbol counts, and how many bits follow it. */
static const uint16_t length_bases[] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                        15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                        67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_bits[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_bases[] = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_bits[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                        6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

static enum inflate_end repeat(struct inflating *z, uint32_t symbol)
{
    struct bits *b = &z->bits;
    const uint32_t which = symbol - END_OF_BLOCK - 1;

    if (which >= COUNT(length_bases))
        return INFLATE_WRONG;
    const size_t len = length_bases[which] + take(b, length_bits[which]);
    const uint32_t far = decode(b, &z->distances);
    if (far >= COUNT(distance_bases))
        return INFLATE_WRONG;
    const size_t back = distance_bases[far] + take(b, distance_bits[far]);
    if (back > z->len || is_over(b))
        return INFLATE_WRONG;
    for (size_t i = 0; i < len; i++) {
        if (z->len == z->room)
            return INFLATE_FULL;
        z->out[z->len] = z->out[z->len - back];
        z->len++;
    }
    return INFLATE_WHOLE;
}

static enum inflate_end coded_block(struct inflating *z)
{
    for (;;) {
        const uint32_t symbol = decode(&z->bits, &z->literals);
        if (symbol == NO_SYMBOL || is_over(&z->bits))
            return INFLATE_WRONG;
        if (symbol == END_OF_BLOCK)
            return INFLATE_WHOLE;
        if (symbol > END_OF_BLOCK) {
            enum inflate_end end = repeat(z, symbol);
            if (end != INFLATE_WHOLE)
                return end;
        } else if (z->len == z->room) {
            return INFLATE_FULL;
        } else {
            z->out[z->len++] = (uint8_t)symbol;
        }
    }
}

/* Most streams are short, and have these: they are not made again for each. */
static void fixed_codes(struct inflating *z)
{
    struct codes *l = &z->literals, *d = &z->distances;

    l->fixed = true;
    memset(l->limit, 0, sizeof(l->limit));
    memset(d->limit, 0, sizeof(d->limit));
    l->limit[7] = 24u << 8;
    l->base[7] = 0;
    l->limit[8] = 200u << 7;
    l->base[8] = 24 - 48;
    l->limit[9] = 512u << 6;
    l->base[9] = 176 - 400;
    d->fixed = false;
    d->limit[5] = DISTANCES << 10;
    d->base[5] = 0;
    for (uint16_t i = 0; i < DISTANCES; i++)
        d->symbols[i] = i;
}

/* The lengths of both codes in a row, in a code of their own: 16 repeats the one before, 17 and 18
 * repeat 0. */
static bool read_lengths(struct inflating *z, const struct codes *c, uint8_t *lengths, size_t count)
{
    struct bits *b = &z->bits;

    for (size_t i = 0; i < count;) {
        const uint32_t symbol = decode(b, c);
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol > 18 || (symbol == 16 && i == 0))
            return false;
        const uint8_t again = symbol == 16 ? lengths[i - 1] : 0;
        size_t times = symbol == 16   ? 3 + take(b, 2)
                       : symbol == 17 ? 3 + take(b, 3)
                                      : 11 + take(b, 7);
        if (times > count - i)
            return false;
        while (times-- > 0)
            lengths[i++] = again;
    }
    return !is_over(b);
}

static bool own_codes(struct inflating *z)
{
    static const uint8_t order[] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    struct bits *b = &z->bits;
    uint8_t lengths[LITERALS + 32] = {0};
    const size_t literals = 257 + take(b, 5), distances = 1 + take(b, 5), few = 4 + take(b, 4);

    if (literals > LITERALS - 2 || distances > DISTANCES)
        return false;
    for (size_t i = 0; i < few; i++)
        lengths[order[i]] = (uint8_t)take(b, 3);
    if (!codes_make(&z->literals, lengths, COUNT(order)))
        return false;
    const struct codes first = z->literals;
    memset(lengths, 0, sizeof(lengths));
    return read_lengths(z, &first, lengths, literals + distances) && lengths[END_OF_BLOCK] &&
           codes_make(&z->literals, lengths, literals) &&
           codes_make(&z->distances, lengths + literals, distances);
}

static enum inflate_end block(struct inflating *z)
{
    const uint32_t kind = take(&z->bits, 2);

    if (kind == 0)
        return stored_block(z);
    if (kind == 1)
        fixed_codes(z);
    else if (kind == 3 || !own_codes(z))
        return INFLATE_WRONG;
    return coded_block(z);
}

/* ---- the stream ---- */

static uint32_t sum_of(const uint8_t *bytes, size_t len) /* Adler-32 */
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < len; i++) {
        a += bytes[i];
        b += a;
        if (i % 4096 == 4095) { /* before `b` could overflow */
            a %= 65521;
            b %= 65521;
        }
    }
    return (b % 65521) << 16 | a % 65521;
}

static bool ends_well(struct inflating *z)
{
    struct bits *b = &z->bits;
    uint32_t sum = 0;

    drop(b, b->count % 8);
    for (size_t i = 0; i < 4; i++)
        sum = sum << 8 | take(b, 8);
    return !is_over(b) && sum == sum_of(z->out, z->len);
}

static bool begins_well(struct bits *b)
{
    const uint32_t first = take(b, 8), second = take(b, 8);

    return !is_over(b) && (first & 15) == 8 && (first >> 4) <= 7 &&
           (first * 256 + second) % 31 == 0 && !(second & 32); /* no dictionary */
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written, by another name */
enum inflate_end inflate(struct str in, char *out, size_t room, size_t *len, size_t *used)
{
    struct inflating z = {.out = (uint8_t *)out, .room = room};
    enum inflate_end end = INFLATE_WHOLE;
    bool last = false;

    z.bits.at = (const uint8_t *)in.s;
    z.bits.end = z.bits.at + in.len;
    if (!begins_well(&z.bits))
        return INFLATE_WRONG;
    while (end == INFLATE_WHOLE && !last) {
        last = take(&z.bits, 1);
        end = is_over(&z.bits) ? INFLATE_WRONG : block(&z);
    }
    if (len)
        *len = z.len;
    if (end == INFLATE_WHOLE && !ends_well(&z))
        end = INFLATE_WRONG;
    if (used && end == INFLATE_WHOLE)
        *used = in.len - (size_t)(z.bits.end - z.bits.at) - (z.bits.count - z.bits.missing) / 8;
    return end;
}
