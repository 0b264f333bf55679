/* The hook's own versions of libc's functions compared with libc's: all lengths, alignments and
 * overlaps that take a different path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define memcpy  own_memcpy
#define memmove own_memmove
#define memset  own_memset
#define memcmp  own_memcmp
#define memchr  own_memchr
#define memrchr own_memrchr
#define strlen  own_strlen
#ifdef __SSE2__
void *own_memcpy(void *restrict to, const void *restrict from, size_t n);
void *own_memmove(void *to, const void *from, size_t n);
void *own_memset(void *to, int byte, size_t n);
int own_memcmp(const void *a, const void *b, size_t n);
void *own_memchr(const void *bytes, int byte, size_t n);
void *own_memrchr(const void *bytes, int byte, size_t n);
size_t own_strlen(const char *text);
#include "hook/bytes.c" /* NOLINT(bugprone-suspicious-include): under other names, which no other file may see */
#endif
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef memchr
#undef memrchr
#undef strlen

#define LENGTHS 130
#define PLACES  18
#define ROOM    (LENGTHS + 2 * PLACES)

#ifdef __SSE2__

static void fill(unsigned char *to, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(1 + (i * 7 + seed) % 251);
}

static void copies_exactly_what_is_asked_for(void **state)
{
    unsigned char from[ROOM], own[ROOM], theirs[ROOM];

    (void)state;
    fill(from, ROOM, 3);
    for (size_t n = 0; n <= LENGTHS; n++)
        for (size_t at = 0; at < PLACES; at++) {
            fill(own, ROOM, 90);
            fill(theirs, ROOM, 90);
            assert_ptr_equal(own_memcpy(own + at, from + (at * 5) % PLACES, n), own + at);
            memcpy(theirs + at, from + (at * 5) % PLACES, n);
            assert_memory_equal(own, theirs, ROOM);
        }
}

static void moves_over_itself(void **state)
{
    unsigned char own[ROOM], theirs[ROOM];

    (void)state;
    for (size_t n = 0; n <= LENGTHS; n++)
        for (size_t from = 0; from < PLACES; from++)
            for (size_t to = 0; to < PLACES; to++) {
                fill(own, ROOM, 5);
                fill(theirs, ROOM, 5);
                assert_ptr_equal(own_memmove(own + to, own + from, n), own + to);
                memmove(theirs + to, theirs + from, n);
                assert_memory_equal(own, theirs, ROOM);
            }
}

static void sets_exactly_what_is_asked_for(void **state)
{
    unsigned char own[ROOM], theirs[ROOM];

    (void)state;
    for (size_t n = 0; n <= LENGTHS; n++)
        for (size_t at = 0; at < PLACES; at++) {
            fill(own, ROOM, 8);
            fill(theirs, ROOM, 8);
            assert_ptr_equal(own_memset(own + at, 0x1e9, n), own + at);
            memset(theirs + at, 0x1e9, n);
            assert_memory_equal(own, theirs, ROOM);
        }
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

/* In memory of exactly this size, so that a sanitizer notices a byte too many. */
static void compares_by_the_first_difference(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LENGTHS; n++) {
        unsigned char *a = malloc(n), *b = malloc(n);
        assert_non_null(a);
        assert_non_null(b);
        fill(a, n, 1);
        memcpy(b, a, n);
        assert_int_equal(own_memcmp(a, b, n), 0);
        for (size_t at = 0; at < n; at++) {
            b[at] = 0xff;
            b[n - 1] = (unsigned char)(at == n - 1 ? 0xff : 0); /* a later difference the other way
                                                                   round does not count */
            assert_int_equal(sign(own_memcmp(a, b, n)), sign(memcmp(a, b, n)));
            assert_int_equal(sign(own_memcmp(b, a, n)), sign(memcmp(b, a, n)));
            memcpy(b, a, n);
        }
        assert_int_equal(own_memcmp(a, b, 0), 0);
        free(a);
        free(b);
    }
}

static void finds_the_first_one(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LENGTHS; n++) {
        char *text = calloc(n, 1);
        assert_non_null(text);
        assert_null(own_memchr(text, 'x', n));
        for (size_t at = n; at-- > 0;) {
            text[at] = (char)0xe9; /* a negative char, searched as an int */
            assert_ptr_equal(own_memchr(text, 0xe9, n), text + at);
            assert_null(own_memchr(text, 0xe9, at));
        }
        free(text);
    }
}

/* Behind the bytes is a page that cannot be read, and what is read beyond them in their own page
 * does not count. */
static void stays_in_its_page(void **state)
{
    const size_t page = 4096;
    char *pages = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(pages, MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
    assert_int_equal(mprotect(pages + 3 * page, page, PROT_NONE), 0);
    for (size_t n = 0; n <= PLACES; n++)
        for (size_t after = 0; after <= PLACES; after++) {
            char *a = pages + page - after - n, *b = pages + 3 * page - n;
            memset(a, 'a', n);
            memset(b, 'a', n);
            memset(a + n, 'x', after);
            assert_int_equal(own_memcmp(a, b, n), 0);
            assert_int_equal(own_memcmp(b, a, n), 0);
            assert_null(own_memchr(a, 'x', n));
            assert_null(own_memchr(b, 'x', n));
        }
    munmap(pages, 4 * page);
}

static void finds_the_last_one(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LENGTHS; n++) {
        char *text = calloc(n, 1);
        assert_non_null(text);
        assert_null(own_memrchr(text, 'x', n));
        for (size_t at = 0; at < n; at++) {
            text[at] = (char)0xe9;
            assert_ptr_equal(own_memrchr(text, 0xe9, n), text + at);
            assert_ptr_equal(own_memrchr(text, 0xe9, at), at ? text + at - 1 : NULL);
        }
        free(text);
    }
}

static void measures_texts_wherever_they_begin(void **state)
{
    _Alignas(16) char text[ROOM];

    (void)state;
    for (size_t at = 0; at < PLACES; at++)
        for (size_t n = 0; n <= LENGTHS; n++) {
            memset(text, 0,
                   sizeof(text)); /* also before the text: bytes outside of it do not end it */
            memset(text + at, 'x', n);
            assert_int_equal(own_strlen(text + at), n);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_exactly_what_is_asked_for),
        cmocka_unit_test(moves_over_itself),
        cmocka_unit_test(sets_exactly_what_is_asked_for),
        cmocka_unit_test(compares_by_the_first_difference),
        cmocka_unit_test(finds_the_first_one),
        cmocka_unit_test(stays_in_its_page),
        cmocka_unit_test(finds_the_last_one),
        cmocka_unit_test(measures_texts_wherever_they_begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
