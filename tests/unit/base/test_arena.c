/* The arena: memory is zeroed and aligned, the ceiling is an ordinary result, tries nest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/json.h"
#include "base/list.h"
#include "base/str.h"

/* After base/error.h: it defines a macro fail(). */
#include <cmocka.h>

static struct arena arena;

static void fill_for_ever(void *arg)
{
    size_t *count = arg;

    for (;;) {
        arena_alloc(&arena, 1, 1000);
        ++*count;
    }
}

static void ceiling_is_a_result(void **state)
{
    size_t count = 0;

    (void)state;
    arena_init(&arena, 1 << 20);
    assert_false(arena_try(&arena, fill_for_ever, &count));
    assert_in_range(count, 900, 1100);
    assert_true(arena.used <= arena.limit);
    arena_release(&arena);
}

static void take_some(void *arg)
{
    (void)arg;
    for (int i = 1; i < 100; i++) {
        unsigned char *p = arena_alloc(&arena, (size_t)i, 7);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        for (int j = 0; j < i * 7; j++)
            assert_int_equal(p[j], 0);
        memset(p, 0xff, (size_t)i * 7);
    }
}

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, take_some, NULL));
    arena_reset(&arena);
    assert_true(arena_try(&arena, take_some, NULL)); /* reused memory is zeroed again */
    arena_release(&arena);
}

static void take_large(void *arg)
{
    const size_t *each = arg;

    for (int i = 0; i < 8; i++)
        memset(arena_bytes(&arena, *each), 'x', *each);
}

/* The second use of an arena allocates nothing; the memory of one huge use is freed. */
static void reset_keeps_memory_up_to_a_limit(void **state)
{
    size_t each = 10000;

    (void)state;
    arena_init(&arena, 64 << 20);
    assert_true(arena_try(&arena, take_large, &each));
    arena_reset(&arena);
    size_t kept = arena.used;
    assert_true(kept >= 8 * each);
    assert_true(arena_try(&arena, take_large, &each));
    assert_int_equal(arena.used, kept);
    each = 1 << 20;
    assert_true(arena_try(&arena, take_large, &each));
    arena_reset(&arena);
    assert_true(arena.used <= 1 << 20);
    arena_release(&arena);
}

static void overflow(void *arg)
{
    (void)arg;
    arena_alloc(&arena, SIZE_MAX / 2, 3);
}

static void try_inside(void *arg)
{
    bool *went_on = arg;

    assert_false(arena_try(&arena, overflow, NULL));
    *went_on = true;
    arena_alloc(&arena, 1, 8);
}

static void tries_nest(void **state)
{
    bool went_on = false;

    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, try_inside, &went_on));
    assert_true(went_on);
    arena_release(&arena);
}

static void each_allocation_can_be_made_to_fail(void **state)
{
    (void)state;
    for (size_t n = 1; n < 99; n++) {
        arena_init(&arena, 1 << 20);
        arena_fail_at(&arena, n);
        assert_false(arena_try(&arena, take_some, NULL));
        assert_int_equal(arena.allocations, n);
        arena_release(&arena);
    }
}

static void build_strings(void *arg)
{
    struct buf b = buf_in(&arena);
    struct numbers LIST_OF(int) numbers = {0};

    (void)arg;
    for (int i = 0; i < 1000; i++) {
        buf_format(&b, "%d,", i);
        LIST_PUSH(&arena, &numbers, i);
    }
    assert_int_equal(buf_str(&b).len, 3890);
    assert_int_equal(numbers.count, 1000);
    assert_int_equal(numbers.items[999], 999);

    struct str head, tail;
    assert_true(str_cut(STR("a=b=c"), '=', &head, &tail));
    assert_true(str_is(head, "a") && str_is(tail, "b=c"));
    assert_false(str_cut(STR("abc"), '=', &head, &tail));
    assert_true(str_is(head, "abc") && tail.len == 0);
    assert_true(str_contains_nocase(STR("xNpM Test"), STR("npm test")));
    assert_false(str_contains_nocase(STR("npm"), STR("npm test")));
    assert_true(str_starts(STR("abc"), STR("ab")) && !str_starts(STR("a"), STR("ab")));
    assert_true(str_ends(STR("abc"), STR("bc")) && !str_ends(STR("c"), STR("bc")));
    assert_true(str_is(str_trim(STR("  a b\n")), "a b"));
    assert_true(str_compare(STR("a"), STR("ab")) < 0 && str_compare(STR("b"), STR("ab")) > 0);
    struct str long_text = str_format(&arena, "%0300d", 7);
    assert_int_equal(long_text.len, 300);
}

static void strings_and_lists_grow(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, build_strings, NULL));
    arena_release(&arena);
}

static void words_in_a_list(void **state)
{
    static const struct {
        const char *list, *word;
        bool there;
    } rows[] = {
        {"a bc d", "a", true},  {"a bc d", "bc", true}, {"a bc d", "d", true},
        {"a bc d", "b", false}, {"a bc d", "c", false}, {"a bc d", "", false},
        {"", "a", false},       {"", "", false},        {"bcd bc", "bc", true},
        {"bc", "bcd", false},   {"a b", "a b", false},  {"ab", "ab", true},
        {" a  b ", "b", true},  {"xa a", "a", true},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(str_has_word(str_from(rows[i].list), str_from(rows[i].word)),
                         rows[i].there);
    assert_false(str_has_word(STR("a"), (struct str){"a\0b", 3}));
}

static void takes_words_off_a_list(void **state)
{
    static const char *const words[] = {"a", "bc", "d"};
    struct str rest = STR("  a bc   d "), word;

    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        assert_true(str_next_word(&rest, &word));
        assert_true(str_is(word, words[i]));
        assert_true(STR_IN(word, words));
    }
    assert_false(str_next_word(&rest, &word));
    assert_int_equal(word.len, 0);
    assert_false(STR_IN(word, words));
    assert_false(STR_IN(STR("b"), words));
    rest = (struct str){0};
    assert_false(str_next_word(&rest, &word));
}

static void ends_are_in_no_class(void **state)
{
    (void)state;
    assert_int_equal(str_byte(STR("a\xff"), 1), 0xff);
    assert_int_equal(str_byte(STR("a"), 1), -1);
    assert_false(ascii_is_name(-1) || ascii_is_space(-1) || ascii_is_letter(0xff) ||
                 ascii_is_name((char)0xe1));
}

static void write_member(struct json_writer *w, const void *about)
{
    json_begin_object(w);
    json_text_member(w, "a", *(const struct str *)about);
    json_text_member_if(w, "b", (struct str){0});
    json_true_member_if(w, "c", true);
    json_true_member_if(w, "d", false);
    json_end_object(w);
}

/* Each of them fails at each of its allocations, says so, and leaves the arena usable. */
static void tries_without_a_door(void **state)
{
    const struct str text = STR("some text");
    struct str out = text;

    (void)state;
    arena_init(&arena, 1 << 16);
    out = str_try_copy(&arena, text);
    assert_true(str_eq(out, text) && out.s != text.s);
    assert_true(str_is(str_try_format(&arena, "%s %d", "x", 7), "x 7"));
    assert_true(json_try(&arena, write_member, &text, &out) &&
                str_is(out, "{\"a\":\"some text\",\"c\":true}"));
    out = str_try_copy(&arena, (struct str){0});
    assert_true(out.s && out.len == 0);
    arena_fail_at(&arena, arena.allocations + 1);
    assert_null(str_try_copy(&arena, text).s);
    arena_fail_at(&arena, arena.allocations + 1);
    assert_null(str_try_format(&arena, "%d", 7).s);
    arena_fail_at(&arena, arena.allocations + 1);
    assert_false(json_try(&arena, write_member, &text, &out));
    assert_true(out.s == NULL && out.len == 0);
    assert_true(arena.door == NULL && str_try_copy(&arena, text).s);
    arena_release(&arena);
}

/* All of it is in the caller's memory, it ends where that ends, and the caller still owns it. */
static void lives_in_the_callers_memory(void **state)
{
    static max_align_t memory[512];
    size_t count = 0;

    (void)state;
    arena_init_in(&arena, memory, sizeof(memory));
    size_t empty = arena_filled(&arena);
    assert_false(arena_try(&arena, fill_for_ever, &count));
    assert_in_range(count, 8, sizeof(memory) / 1000);
    assert_in_range(arena_filled(&arena), empty + count * 1000, sizeof(memory));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceiling_is_a_result),
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(reset_keeps_memory_up_to_a_limit),
        cmocka_unit_test(tries_nest),
        cmocka_unit_test(each_allocation_can_be_made_to_fail),
        cmocka_unit_test(strings_and_lists_grow),
        cmocka_unit_test(words_in_a_list),
        cmocka_unit_test(takes_words_off_a_list),
        cmocka_unit_test(ends_are_in_no_class),
        cmocka_unit_test(tries_without_a_door),
        cmocka_unit_test(lives_in_the_callers_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
