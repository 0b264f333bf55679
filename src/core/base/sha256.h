/* sha256.h - SHA-256 (FIPS 180-4), without a library. */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define SHA256_BYTES 32
#define SHA256_HEX   (2 * SHA256_BYTES + 1) /* with the NUL */

struct sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes hashed so far */
    uint8_t block[64];
};

void sha256_init(struct sha256 *h);
void sha256_add(struct sha256 *h, struct str bytes);
/* Preceded by its length, so that no two lists of parts give the same bytes. */
void sha256_add_part(struct sha256 *h, struct str part);
void sha256_end(struct sha256 *h, uint8_t out[SHA256_BYTES]); /* init again before the next use */

void sha256_hex(const uint8_t hash[SHA256_BYTES], char out[SHA256_HEX]); /* lower case */

#endif
