/* zlib streams of each kind of block, whole, cut off, with too little room and damaged. That real
 * ones are read is seen in test_git_objects.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/inflate.h"

/* Made by zlib 1.2.13. */
static const struct {
    const char *what;
    struct str stream;
} streams[] = {
    {"nothing", STR("\x78\xda\x03\x00\x00\x00\x00\x01")},
    {"stored", STR("\x78\x01\x01\x08\x00\xf7\xff\x61\x73\x20\x69\x74\x20\x69\x73\x0c\x77\x02"
                   "\xce")},
    {"fixed codes", STR("\x78\x01\x4b\xca\xc9\x4f\x52\x30\x66\x48\x4c\x4a\x86\x23\x00\x3e\xee\x06"
                        "\x8b")},
    {"own codes", STR("\x78\xda\x55\x92\x41\x0e\xc3\x20\x0c\x04\xef\x79\x05\x0f\xe8\x21\xd8\x40"
                      "\xe0\x39\x3d\x24\x52\xa4\xa8\xfd\xff\xad\xaa\x58\x4b\xcc\x75\x64\x16\x8f"
                      "\xed\xe7\xfe\x9c\x69\x4f\xdf\x2b\xbd\xd3\x75\x3f\xe7\x2b\xed\xdb\xf3\x67"
                      "\x79\x65\x79\x32\x5b\x59\x99\xcc\x57\x36\x26\x2b\x78\xdb\x26\xac\x2b\xb4"
                      "\x3a\x61\x5b\xa1\xab\xf2\xc0\x37\xca\xec\x2b\x6c\xfa\x7c\xac\xb0\xab\xcb"
                      "\x0c\x1d\x17\x84\x8f\xe9\x7d\xa6\xd1\x21\x0a\xa7\xc3\x44\x61\x15\x10\x56"
                      "\x1e\x1d\x40\xab\x45\x2d\xbc\x86\x26\x90\x21\xe6\xd1\x2e\xcc\x0e\xed\xc4"
                      "\x60\x96\x95\x6b\x50\xab\x4a\x30\xa8\x0d\x8d\xd6\xa0\x56\x34\x06\x83\xda"
                      "\x88\x6d\xc3\xad\x44\x2e\xdc\x46\x24\xc0\xad\x46\xbf\x70\xeb\x82\x50\x6b"
                      "\x1a\x83\x43\xcd\xb4\x09\x87\x5a\x57\x82\x43\xad\xc6\x21\x42\xcd\x34\x1c"
                      "\x87\x5a\xd7\x31\x39\xd4\x9a\x84\x9d\xd7\x18\x9d\x41\x2d\x47\x2d\xd5\x34"
                      "\x5e\xa7\x5b\xdb\x7e\x15\xdb\xf2\x26")},
    {"one distance", STR("\x78\xda\x4b\x4c\x1c\x05\xa3\x80\xfa\x00\x00\xee\xba\xe3\x59")},
};

/* The last four bytes of a stream are a sum of what it holds. */
static size_t content_of(size_t which, char *out, size_t room)
{
    size_t len = 0;

    switch (which) {
    case 0:
        break;
    case 1:
        len = (size_t)snprintf(out, room, "as it is");
        break;
    case 2:
        memcpy(out, "blob 3\0abcabcabcabc", len = 19);
        break;
    case 3:
        for (int i = 0; i < 40; i++)
            len +=
                (size_t)snprintf(out + len, room - len, "line %d of a file, %d\n", i, i * i % 97);
        break;
    default:
        memset(out, 'a', len = 600);
    }
    return len;
}

static void test_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(streams); i++) {
        char want[1000], got[1000];
        size_t len = content_of(i, want, sizeof(want)), found = 0, used = 0;
        struct str s = streams[i].stream;
        assert_int_equal(inflate(s, got, len, &found, &used), INFLATE_WHOLE);
        assert_int_equal(found, len);
        assert_int_equal(used, s.len);
        assert_memory_equal(got, want, len);
        char *longer = malloc(s.len + 3);
        assert_non_null(longer);
        memcpy(longer, s.s, s.len);
        memcpy(longer + s.len, "xyz", 3);
        assert_int_equal(inflate((struct str){longer, s.len + 3}, got, sizeof(got), &found, &used),
                         INFLATE_WHOLE);
        assert_int_equal(used, s.len);
        free(longer);
    }
}

/* At the end of memory of its own, so that a byte too far is seen by a sanitizer. */
static enum inflate_end on_heap(struct str s, size_t room, char *want)
{
    char *in = malloc(s.len + !s.len), *out = malloc(room + !room);
    size_t len = 0;

    assert_non_null(in);
    assert_non_null(out);
    memcpy(in, s.s, s.len);
    enum inflate_end end = inflate((struct str){in, s.len}, out, room, &len, NULL);
    assert_true(len <= room);
    if (want && end != INFLATE_WRONG)
        assert_memory_equal(out, want, len);
    free(in);
    free(out);
    return end;
}

static void test_cut_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(streams); i++) {
        char want[1000];
        size_t len = content_of(i, want, sizeof(want));
        for (size_t cut = 0; cut < streams[i].stream.len; cut++)
            assert_int_equal(on_heap(str_slice(streams[i].stream, 0, cut), sizeof(want), want),
                             INFLATE_WRONG);
        for (size_t room = 0; room < len; room++)
            assert_int_equal(on_heap(streams[i].stream, room, want), INFLATE_FULL);
    }
}

static void test_damaged(void **state)
{
    char bytes[1000], want[1000];

    (void)state;
    for (size_t i = 0; i < COUNT(streams); i++) {
        const struct str s = streams[i].stream;
        content_of(i, want, sizeof(want));
        for (size_t bit = 16; bit < s.len * 8; bit++) {
            memcpy(bytes, s.s, s.len);
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
            enum inflate_end end = on_heap((struct str){bytes, s.len}, sizeof(want), NULL);
            if (end == INFLATE_WHOLE) /* the bits that fill the last byte mean nothing */
                assert_int_equal(on_heap((struct str){bytes, s.len}, sizeof(want), want), end);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_cut_off),
                                       cmocka_unit_test(test_damaged)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
