/* sha256_x86.c - four rounds in two instructions. sha256.c has the readable version; tests compare
 * the two. */
#include "base/sha256_parts.h"

#ifdef __x86_64__
#include <immintrin.h>

/* The instructions want the eight words of the state in this order. */
#define FIRST_HALF(s)  _mm_set_epi32((int)(s)[0], (int)(s)[1], (int)(s)[4], (int)(s)[5])
#define SECOND_HALF(s) _mm_set_epi32((int)(s)[2], (int)(s)[3], (int)(s)[6], (int)(s)[7])

/* words[] holds the last sixteen words of the schedule; the next four replace those of `group`. */
__attribute__((target("sha,ssse3"), always_inline)) static inline void schedule(__m128i words[4],
                                                                                size_t group)
{
    const __m128i before = words[(group + 3) % 4];
    __m128i next = _mm_sha256msg1_epu32(words[group % 4], words[(group + 1) % 4]);

    next = _mm_add_epi32(next, _mm_alignr_epi8(before, words[(group + 2) % 4], 4));
    words[group % 4] = _mm_sha256msg2_epu32(next, before);
}

__attribute__((target("sha,ssse3"))) void sha256_blocks_x86(uint32_t state[8], const uint8_t *bytes,
                                                            size_t blocks)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i first = FIRST_HALF(state), second = SECOND_HALF(state), words[4];
    uint32_t halves[2][4];

    for (; blocks; blocks--, bytes += SHA256_BLOCK) {
        const __m128i first_before = first, second_before = second;
        for (size_t i = 0; i < 4; i++)
            words[i] =
                _mm_shuffle_epi8(_mm_loadu_si128((const void *)(bytes + 16 * i)), big_endian);
#pragma GCC unroll 16
        for (size_t group = 0; group < 16; group++) {
            const __m128i constants = _mm_loadu_si128((const void *)(sha256_constants + 4 * group));
            const __m128i added = _mm_add_epi32(words[group % 4], constants);
            second = _mm_sha256rnds2_epu32(second, first, added);
            first = _mm_sha256rnds2_epu32(first, second, _mm_shuffle_epi32(added, 0x0e));
            if (group < 12)
                schedule(words, group);
        }
        first = _mm_add_epi32(first, first_before);
        second = _mm_add_epi32(second, second_before);
    }
    _mm_storeu_si128((void *)halves[0], first);
    _mm_storeu_si128((void *)halves[1], second);
    for (size_t i = 0; i < 2; i++) {
        state[2 * i] = halves[i][3];
        state[2 * i + 1] = halves[i][2];
        state[2 * i + 4] = halves[i][1];
        state[2 * i + 5] = halves[i][0];
    }
}

#else

void sha256_blocks_x86(uint32_t state[8], const uint8_t *bytes, size_t blocks)
{
    sha256_blocks_plain(state, bytes, blocks);
}

#endif
