/* SHA-1: the published vectors of FIPS 180-4, in two parts at every place, and the lengths where
 * the padding needs another block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/sha1.h"

static const struct {
    const char *text;
    size_t times;
    const char *want;
} vectors[] = {
    {"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    {"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    {"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
    {"a", 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
    {"a", 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
    {"a", 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},
    {"a", 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const size_t one = strlen(vectors[i].text), len = one * vectors[i].times;
        char *all = malloc(len + 1), hex[2 * SHA1_BYTES + 1];
        uint8_t hash[SHA1_BYTES];
        assert_non_null(all);
        for (size_t at = 0; at < len; at++)
            all[at] = vectors[i].text[at % one];
        for (size_t cut = 0; cut <= len; cut += 1 + len / 100) {
            sha1((struct str){all, cut}, (struct str){all + cut, len - cut}, hash);
            *str_hex(hex, hash, sizeof(hash)) = '\0';
            assert_string_equal(hex, vectors[i].want);
        }
        free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
