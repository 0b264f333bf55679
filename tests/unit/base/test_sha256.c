/* SHA-256: the published vectors of FIPS 180-4, and the lengths where the padding needs another
 * block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "base/sha256_parts.h"

static const struct {
    const char *text;
    size_t times; /* repetitions of the text */
    const char *want;
} vectors[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
     "qrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {"a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {"a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
};

static void hash_in_pieces(const char *text, size_t times, size_t piece, char out[SHA256_HEX])
{
    size_t len = strlen(text) * times;
    char *all = malloc(len + 1);
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];

    assert_non_null(all);
    for (size_t i = 0; i < len; i++)
        all[i] = text[i % strlen(text)];
    sha256_init(&h);
    for (size_t at = 0; at < len; at += piece)
        sha256_add(&h, str_slice((struct str){all, len}, at, at + piece));
    sha256_end(&h, hash);
    sha256_hex(hash, out);
    free(all);
}

static void vectors_hold_however_they_are_split(void **state)
{
    static const size_t pieces[] = {1, 7, 63, 64, 65, 2000000};
    char got[SHA256_HEX];

    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++)
        for (size_t j = 0; j < COUNT(pieces); j++) {
            hash_in_pieces(vectors[i].text, vectors[i].times, pieces[j], got);
            assert_string_equal(got, vectors[i].want);
        }
}

/* Any state, any bytes, any number of blocks that we use, at any alignment. */
static void both_versions_agree(void **state)
{
    static uint8_t bytes[64 * SHA256_BLOCK + 16];
    uint32_t random = 1;

    (void)state;
    if (!sha256_has_x86())
        skip();
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
    for (size_t blocks = 0; blocks <= 64; blocks++)
        for (size_t from = 0; from < 16; from++) {
            uint32_t plain[8], quick[8];
            for (size_t i = 0; i < 8; i++)
                plain[i] = quick[i] = random = random * 1664525u + 1013904223u;
            sha256_blocks_plain(plain, bytes + from, blocks);
            sha256_blocks_x86(quick, bytes + from, blocks);
            assert_memory_equal(plain, quick, sizeof(plain));
        }
}

/* Every length up to ten blocks, split once at every place, compared with the portable version over
 * a text that is padded by hand. */
static void every_length_ends_right(void **state)
{
    enum { MOST = 10 * SHA256_BLOCK };
    uint8_t text[MOST + 2 * SHA256_BLOCK], want[SHA256_BYTES], got[SHA256_BYTES];

    (void)state;
    for (size_t len = 0; len <= MOST; len++) {
        struct sha256 h;
        size_t blocks = (len + 9 + SHA256_BLOCK - 1) / SHA256_BLOCK;
        for (size_t i = 0; i < sizeof(text); i++)
            text[i] = i < len ? (uint8_t)(i * 7 + len) : 0;
        text[len] = 0x80;
        for (size_t i = 0; i < 4; i++)
            text[blocks * SHA256_BLOCK - 1 - i] = (uint8_t)(len * 8 >> (8 * i));
        sha256_init(&h);
        sha256_blocks_plain(h.state, text, blocks);
        for (size_t i = 0; i < SHA256_BYTES; i++)
            want[i] = (uint8_t)(h.state[i / 4] >> (24 - 8 * (i % 4)));
        for (size_t cut = 0; cut <= len; cut += 1 + len / 100) {
            sha256_init(&h);
            sha256_add(&h, (struct str){(char *)text, cut});
            sha256_add(&h, (struct str){0});
            sha256_add(&h, (struct str){(char *)text + cut, len - cut});
            sha256_end(&h, got);
            assert_memory_equal(got, want, sizeof(want));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_hold_however_they_are_split),
        cmocka_unit_test(both_versions_agree),
        cmocka_unit_test(every_length_ends_right),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
