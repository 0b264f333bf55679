#include "base/sha1.h"

#define BLOCK 64u

static uint32_t rotate(uint32_t x, unsigned by)
{
    return (x << by) | (x >> (32 - by));
}

static void expand(const uint8_t *block, uint32_t w[80])
{
    for (size_t t = 0; t < 16; t++) {
        const uint8_t *p = block + 4 * t;
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (size_t t = 16; t < 80; t++)
        w[t] = rotate(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
}

/* The function and the constant of 4.1.1 and 4.2.1 for round t. */
static uint32_t mix(size_t t, uint32_t b, uint32_t c, uint32_t d)
{
    if (t < 20)
        return (d ^ (b & (c ^ d))) + 0x5a827999;
    if (t < 40)
        return (b ^ c ^ d) + 0x6ed9eba1;
    if (t < 60)
        return ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    return (b ^ c ^ d) + 0xca62c1d6;
}

static void compress(uint32_t state[5], const uint8_t *block)
{
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

    expand(block, w);
    for (size_t t = 0; t < 80; t++) {
        const uint32_t next = rotate(a, 5) + mix(t, b, c, d) + e + w[t];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

struct hashing {
    uint32_t state[5];
    uint8_t block[BLOCK];
    uint64_t length;
};

static void add(struct hashing *h, struct str bytes)
{
    size_t filled = h->length % BLOCK;

    h->length += bytes.len;
    while (bytes.len) {
        const size_t take = bytes.len < BLOCK - filled ? bytes.len : BLOCK - filled;
        if (take == BLOCK) {
            compress(h->state, (const uint8_t *)bytes.s);
        } else {
            memcpy(h->block + filled, bytes.s, take);
            if (filled + take == BLOCK)
                compress(h->state, h->block);
        }
        filled = (filled + take) % BLOCK;
        bytes = str_from_byte(bytes, take);
    }
}

static void put(char *out, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (char)(value >> (8 * (bytes - 1 - i)));
}

void sha1(struct str first, struct str second, uint8_t out[SHA1_BYTES])
{
    struct hashing h = {.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
    char end[BLOCK + 8] = {(char)0x80};

    add(&h, first);
    add(&h, second);
    const uint64_t bits = h.length * 8;
    const size_t zeros = (2 * BLOCK - 8 - h.length % BLOCK) % BLOCK;
    add(&h, (struct str){end, zeros ? zeros : BLOCK});
    put(end, bits, 8);
    add(&h, (struct str){end, 8});
    for (size_t i = 0; i < COUNT(h.state); i++)
        put((char *)out + 4 * i, h.state[i], 4);
}
