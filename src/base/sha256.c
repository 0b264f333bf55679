/* sha256.c - in C alone. The instructions that some processors have for it are eight times as fast, but the hook, which
 * hashes some two kilobytes, would have to ask for them first, and in a virtual machine asking takes longer than that.
 */
#include "base/sha256.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Likewise of the square roots of the first 8 primes (5.3.3). */
static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t x, unsigned by)
{
    return (x >> by) | (x << (32 - by));
}

static uint32_t big_endian(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void expand(const uint8_t block[64], uint32_t w[64])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = big_endian(block + 4 * t);
    for (size_t t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        uint32_t small0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3);
        uint32_t small1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10);
        w[t] = small1 + w[t - 7] + small0 + w[t - 16];
    }
}

/* One round of 6.2.2; the names are the standard's. Which variable is which moves on by one from round to round, so
 * that none has to be copied. */
static inline void turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f, uint32_t g,
                        uint32_t *h, uint32_t word)
{
    uint32_t big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t choose = g ^ (e & (f ^ g));
    uint32_t t1 = *h + big1 + choose + word;
    uint32_t big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t majority = (a & b) | (c & (a | b));

    *d += t1;
    *h = t1 + big0 + majority;
}

static void compress(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    expand(block, w);
    for (size_t t = 0; t < 64; t += 8) {
        turn(a, b, c, &d, e, f, g, &h, constants[t] + w[t]);
        turn(h, a, b, &c, d, e, f, &g, constants[t + 1] + w[t + 1]);
        turn(g, h, a, &b, c, d, e, &f, constants[t + 2] + w[t + 2]);
        turn(f, g, h, &a, b, c, d, &e, constants[t + 3] + w[t + 3]);
        turn(e, f, g, &h, a, b, c, &d, constants[t + 4] + w[t + 4]);
        turn(d, e, f, &g, h, a, b, &c, constants[t + 5] + w[t + 5]);
        turn(c, d, e, &f, g, h, a, &b, constants[t + 6] + w[t + 6]);
        turn(b, c, d, &e, f, g, h, &a, constants[t + 7] + w[t + 7]);
    }
    const uint32_t after[8] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; i++)
        state[i] += after[i];
}

void sha256_init(struct sha256 *h)
{
    *h = (struct sha256){0};
    memcpy(h->state, start, sizeof(start));
}

void sha256_add(struct sha256 *h, struct str bytes)
{
    while (bytes.len) {
        size_t filled = h->length % 64;
        size_t take = bytes.len < 64 - filled ? bytes.len : 64 - filled;
        memcpy(h->block + filled, bytes.s, take);
        h->length += take;
        bytes = str_from_byte(bytes, take);
        if (filled + take == 64)
            compress(h->state, h->block);
    }
}

void sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES])
{
    static const char padding[64] = {(char)0x80};
    uint64_t bits = h->length * 8;
    size_t filled = h->length % 64;
    char length[8];

    for (size_t i = 0; i < 8; i++)
        length[i] = (char)(bits >> (56 - 8 * i));
    sha256_add(h, (struct str){padding, filled < 56 ? 56 - filled : 120 - filled});
    sha256_add(h, (struct str){length, 8});
    for (size_t i = 0; i < SHA256_BYTES; i++)
        out[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}

void sha256_hex(const uint8_t hash[SHA256_BYTES], char out[SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < SHA256_BYTES; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[(size_t)2 * SHA256_BYTES] = '\0';
}
