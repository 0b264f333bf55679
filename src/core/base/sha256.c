/* sha256.c - the portable version; sha256_x86.c has one for processors with SHA instructions. */
#include "base/sha256.h"

#include "base/sha256_parts.h"

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The same of the square roots of the first 8 primes (5.3.3). */
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

/* One round of 6.2.2, with the standard's names. The caller rotates the arguments from round to
 * round, so that no variable has to be copied. */
static inline void turn(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t word)
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
        turn(a, b, c, &d, e, f, g, &h, sha256_constants[t] + w[t]);
        turn(h, a, b, &c, d, e, f, &g, sha256_constants[t + 1] + w[t + 1]);
        turn(g, h, a, &b, c, d, e, &f, sha256_constants[t + 2] + w[t + 2]);
        turn(f, g, h, &a, b, c, d, &e, sha256_constants[t + 3] + w[t + 3]);
        turn(e, f, g, &h, a, b, c, &d, sha256_constants[t + 4] + w[t + 4]);
        turn(d, e, f, &g, h, a, b, &c, sha256_constants[t + 5] + w[t + 5]);
        turn(c, d, e, &f, g, h, a, &b, sha256_constants[t + 6] + w[t + 6]);
        turn(b, c, d, &e, f, g, h, &a, sha256_constants[t + 7] + w[t + 7]);
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

void sha256_blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t blocks)
{
    for (size_t i = 0; i < blocks; i++)
        compress(state, bytes + i * SHA256_BLOCK);
}

static void take_blocks(struct sha256 *h, const void *bytes, size_t blocks)
{
    if (sha256_has_x86())
        sha256_blocks_x86(h->state, bytes, blocks);
    else
        sha256_blocks_plain(h->state, bytes, blocks);
}

void sha256_add(struct sha256 *h, struct str bytes)
{
    size_t filled = h->length % SHA256_BLOCK, whole;

    if (!bytes.len)
        return; /* bytes.s may be NULL */
    h->length += bytes.len;
    if (filled) {
        size_t take = bytes.len < SHA256_BLOCK - filled ? bytes.len : SHA256_BLOCK - filled;
        memcpy(h->block + filled, bytes.s, take);
        bytes = str_from_byte(bytes, take);
        if (filled + take < SHA256_BLOCK)
            return;
        take_blocks(h, h->block, 1);
    }
    if ((whole = bytes.len / SHA256_BLOCK))
        take_blocks(h, bytes.s, whole);
    bytes = str_from_byte(bytes, whole * SHA256_BLOCK);
    if (bytes.len)
        memcpy(h->block, bytes.s, bytes.len);
}

static void put_big_endian(uint8_t *out, uint32_t word)
{
    for (size_t i = 0; i < 4; i++)
        out[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* The padding: one bit, zeros, and the length in the last eight bytes of a block, which may need a
 * second block. */
void sha256_add_part(struct sha256 *h, struct str part)
{
    char length[8];

    for (size_t i = 0; i < sizeof(length); i++)
        length[i] = (char)((uint64_t)part.len >> (56 - 8 * i));
    sha256_add(h, (struct str){length, sizeof(length)});
    sha256_add(h, part);
}

void sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES])
{
    uint8_t last[2 * SHA256_BLOCK] = {0};
    size_t filled = h->length % SHA256_BLOCK, blocks = filled < SHA256_BLOCK - 8 ? 1 : 2;
    uint8_t *length = last + blocks * SHA256_BLOCK - 8;

    memcpy(last, h->block, filled);
    last[filled] = 0x80;
    put_big_endian(length, (uint32_t)(h->length >> 29));
    put_big_endian(length + 4, (uint32_t)(h->length << 3));
    take_blocks(h, last, blocks);
    for (size_t i = 0; i < 8; i++)
        put_big_endian(out + 4 * i, h->state[i]);
}

void sha256_hex(const uint8_t hash[SHA256_BYTES], char out[SHA256_HEX])
{
    *str_hex(out, hash, SHA256_BYTES) = '\0';
}
