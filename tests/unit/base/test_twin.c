/* The search for duplicate keys, compared with the obvious one that compares all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/twin.h"
#include "base/value.h"

#include <cmocka.h>

#define MOST_KEYS 40

static struct arena arena;

static const struct member *find_by_pairs(const struct value *object, const struct member **before)
{
    for (size_t i = 1; i < object->count; i++)
        for (size_t j = 0; j < i; j++)
            if (str_eq(object->members[i].key, object->members[j].key)) {
                *before = &object->members[j];
                return &object->members[i];
            }
    return NULL;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Keys are slices of one text, so that many are prefixes of each other; few or many are
 * duplicates. */
static void make_keys(struct value *object, struct member *members, uint32_t *seed)
{
    static const char bytes[] = "aaab\0aab\xff"
                                "aabaaaaab";
    uint32_t variety = 1 + next_random(seed) % (COUNT(bytes) - 8);

    *object = (struct value){
        .kind = VALUE_OBJECT, .count = next_random(seed) % MOST_KEYS, .members = members};
    for (size_t i = 0; i < object->count; i++)
        members[i].key = (struct str){bytes + next_random(seed) % variety, next_random(seed) % 8};
}

static void compare(void *arg)
{
    unsigned *twins = arg;
    struct member members[MOST_KEYS];
    struct value object;
    uint32_t seed = 1;

    for (int round = 0; round < 50000; round++) {
        const struct member *before = NULL, *want_before = NULL;
        make_keys(&object, members, &seed);
        const struct member *want = find_by_pairs(&object, &want_before);
        assert_ptr_equal(value_find_twin(&arena, &object, &before), want);
        assert_ptr_equal(before, want_before);
        twins[want != NULL]++;
        arena_reset(&arena);
    }
}

static void agrees_with_all_pairs(void **state)
{
    unsigned twins[2] = {0};

    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, compare, twins));
    arena_release(&arena);
    assert_true(twins[0] > 1000 && twins[1] > 1000);
}

static const size_t sizes[] = {0, 1, 8, 9, 10, 63, 64, 65, 1000};

static void different_keys(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const struct member *before = NULL;
        struct member *members = ARENA_ARRAY(&arena, struct member, sizes[i] + 1);
        for (size_t j = 0; j < sizes[i]; j++)
            members[j].key = str_format(&arena, "%zu", j * 7919 % 10007);
        struct value object = {.kind = VALUE_OBJECT, .count = sizes[i], .members = members};
        assert_null(value_find_twin(&arena, &object, &before));
        assert_null(before);
    }
}

static void different_keys_have_no_twin(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, different_keys, NULL));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_pairs),
        cmocka_unit_test(different_keys_have_no_twin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
