/* sha256_parts.h - the block function in two versions: portable C, and the SHA instructions of some
 * x86 processors. */
#ifndef BASE_SHA256_PARTS_H
#define BASE_SHA256_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK 64

extern const uint32_t sha256_constants[64];

/* Hash `blocks` whole blocks into the state. */
void sha256_blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t blocks);
void sha256_blocks_x86(uint32_t state[8], const uint8_t *bytes, size_t blocks);

/* Does this processor have the instructions that sha256_blocks_x86() needs? */
bool sha256_has_x86(void);

#ifdef SHA256_PROBE /* warder-hook answers that by a function of its own */
bool SHA256_PROBE(void);
#endif

#endif
