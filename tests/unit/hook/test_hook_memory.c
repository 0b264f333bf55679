/* The hook's own malloc(): pieces do not overlap, whatever their sizes and however blocks end. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define malloc  own_malloc
#define calloc  own_calloc
#define realloc own_realloc
#define free    own_free
void *own_malloc(size_t size);
void *own_calloc(size_t count, size_t size);
void *own_realloc(void *p, size_t size);
void own_free(void *p);
#include "hook/memory.c" /* NOLINT(bugprone-suspicious-include): under other names, which no other file may see */
#undef malloc
#undef calloc
#undef realloc
#undef free

#define PIECES    4000
#define LARGEST   3000
#define THREE_MB  ((size_t)3 * 1024 * 1024)
#define UNALIGNED (ALIGNMENT - 1)

static struct {
    unsigned char *at;
    size_t size;
} pieces[PIECES];

static unsigned char mark(size_t i)
{
    return (unsigned char)(1 + i % 255);
}

static void keeps(size_t i)
{
    for (size_t n = 0; n < pieces[i].size; n++)
        if (pieces[i].at[n] != mark(i))
            fail_msg("piece %zu has another byte at %zu", i, n);
}

static void take(size_t i, size_t size)
{
    pieces[i].at = own_malloc(size);
    pieces[i].size = size;
    assert_non_null(pieces[i].at);
    assert_int_equal((uintptr_t)pieces[i].at & UNALIGNED, 0);
    memset(pieces[i].at, mark(i), size);
}

/* Through the first block and several others. */
static void pieces_do_not_overlap(void **state)
{
    (void)state;
    for (size_t i = 0; i < PIECES; i++)
        take(i, (i * 7919) % LARGEST);
    for (size_t i = 0; i < PIECES; i++)
        keeps(i);
}

static void a_piece_of_its_own_block(void **state)
{
    (void)state;
    take(0, THREE_MB);
    take(1, THREE_MB);
    take(2, 2 * THREE_MB);
    take(3, 10);
    for (size_t i = 0; i < 4; i++)
        keeps(i);
}

static void the_last_one_is_used_again(void **state)
{
    (void)state;
    char *first_piece = own_malloc(100), *second = own_malloc(100);
    own_free(first_piece); /* not the last */
    assert_ptr_not_equal(own_malloc(100), first_piece);
    char *last = own_malloc(100);
    own_free(last);
    assert_ptr_equal(own_malloc(90), last);
    own_free(NULL);
    assert_ptr_not_equal(own_malloc(1), second);
}

static void zeroed_also_where_something_was(void **state)
{
    (void)state;
    char *p = own_malloc(300);
    memset(p, 'x', 300);
    own_free(p);
    char *zeroed = own_calloc(3, 100);
    assert_ptr_equal(zeroed, p);
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(zeroed[i], 0);
    assert_non_null(own_calloc(0, 100));
    assert_non_null(own_calloc(100, 0));
}

static void grows_with_what_is_in_it(void **state)
{
    (void)state;
    char *p = own_realloc(NULL, 10);
    memcpy(p, "123456789", 10);
    assert_ptr_equal(own_realloc(p, 5), p);
    assert_ptr_equal(own_realloc(p, 16), p); /* as much as it has, with what is rounded */
    char *more = own_realloc(p, 1000);
    assert_ptr_not_equal(more, p);
    assert_string_equal(more, "123456789");
    memset(more, 'y', 1000);
    assert_string_equal(p, "123456789");
}

static void what_is_too_much_is_refused(void **state)
{
    static const size_t sizes[] = {SIZE_MAX, PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1,
                                   SIZE_MAX - sizeof(struct head), (size_t)1 << 62};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        errno = 0;
        assert_null(own_malloc(sizes[i]));
        assert_int_equal(errno, ENOMEM);
    }
    errno = 0;
    assert_null(own_calloc(SIZE_MAX / 2, 3));
    assert_int_equal(errno, ENOMEM);
    assert_null(own_calloc(3, SIZE_MAX / 2));
    assert_null(own_calloc((size_t)1 << 32, (size_t)1 << 32));
    char *p = own_malloc(10);
    memcpy(p, "123456789", 10);
    assert_null(own_realloc(p, PTRDIFF_MAX));
    assert_string_equal(p, "123456789");
    take(0, 10); /* and it goes on */
    keeps(0);
}

/* A first piece that is too large for the first block, in a process that has had none. */
static void a_large_piece_comes_first(void **state)
{
    int status;

    (void)state;
    assert_null(free_from);
    pid_t pid = fork();
    if (pid == 0) {
        char *large = own_malloc(FIRST), *small = own_malloc(10);
        memset(large, 'x', FIRST);
        memset(small, 'y', 10);
        _exit(large[0] == 'x' && large[FIRST - 1] == 'x' &&
                      (large < first || large >= first + FIRST)
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    pid = fork();
    if (pid == 0) { /* just as large as the first block is */
        char *whole = own_malloc(FIRST - ALIGNMENT - sizeof(struct head) - PAGE),
             *next = own_malloc(PAGE);
        memset(whole, 'x', FIRST - ALIGNMENT - sizeof(struct head) - PAGE);
        memset(next, 'y', PAGE);
        _exit(whole >= first && whole < first + FIRST && whole[0] == 'x' && next[0] == 'y' ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* It tells nobody that it tried: an older kernel has no such call. */
static void errors_of_others_stay(void **state)
{
    (void)state;
    errno = E2BIG;
    own_free(own_malloc(64));
    assert_int_equal(errno, E2BIG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_piece_comes_first), /* before any other */
        cmocka_unit_test(errors_of_others_stay),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(a_piece_of_its_own_block),
        cmocka_unit_test(the_last_one_is_used_again),
        cmocka_unit_test(zeroed_also_where_something_was),
        cmocka_unit_test(grows_with_what_is_in_it),
        cmocka_unit_test(what_is_too_much_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
