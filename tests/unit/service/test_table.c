/* Things are found by their keys, whatever else is in the table and however it has grown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "service/table.h"

#include <cmocka.h>

#define THINGS 1000 /* the table grows four times */

struct thing {
    int before;
    struct table_link link;
    char key[16];
};

static struct thing things[THINGS];

static void add(struct table *t, size_t i)
{
    (void)snprintf(things[i].key, sizeof(things[i].key), "key-%zu", i);
    assert_true(table_add(t, &things[i].link, things[i].key));
}

static struct thing *find(const struct table *t, size_t i)
{
    char key[32];

    (void)snprintf(key, sizeof(key), "key-%zu", i);
    return TABLE_THING(table_find(t, key), struct thing, link);
}

static void finds_what_is_there(void **state)
{
    struct table t = {0};

    (void)state;
    assert_null(find(&t, 0));
    for (size_t i = 0; i < THINGS; i++) {
        add(&t, i);
        assert_int_equal(t.count, i + 1);
        assert_true(t.room >= t.count); /* chains stay short */
        assert_ptr_equal(find(&t, i), &things[i]);
        assert_ptr_equal(find(&t, i / 2), &things[i / 2]);
    }
    assert_null(find(&t, THINGS));
    for (size_t i = 0; i < THINGS; i += 2)
        table_remove(&t, &things[i].link);
    assert_int_equal(t.count, THINGS / 2);
    for (size_t i = 0; i < THINGS; i++)
        assert_ptr_equal(find(&t, i), i % 2 ? &things[i] : NULL);
    table_release(&t);
    assert_int_equal(t.count + t.room, 0);
}

static void of_one_key_the_newest_is_first(void **state)
{
    struct table t = {0};
    struct table_link old = {0}, young = {0};

    (void)state;
    assert_true(table_add(&t, &old, "key"));
    assert_true(table_add(&t, &young, "key"));
    for (size_t i = 0; i < THINGS; i++)
        add(&t, i);
    assert_ptr_equal(table_find(&t, "key"), &young);
    table_remove(&t, &young);
    assert_ptr_equal(table_find(&t, "key"), &old);
    table_remove(&t, &old);
    assert_null(table_find(&t, "key"));
    table_release(&t);
}

static void what_is_not_there_is_not_removed(void **state)
{
    struct table t = {0};
    struct table_link one = {0}, other = {0}, never = {.key = "one"};

    (void)state;
    table_remove(&t, &never); /* an empty one */
    assert_true(table_add(&t, &one, "one"));
    table_remove(&t, &other);
    table_remove(&t, &never); /* the same key, another thing */
    assert_int_equal(t.count, 1);
    table_remove(&t, &one);
    table_remove(&t, &one);
    assert_int_equal(t.count, 0);
    assert_null(one.key);
    table_release(&t);
}

static void gives_any_until_it_is_empty(void **state)
{
    struct table t = {0};
    size_t seen = 0;

    (void)state;
    assert_null(table_any(&t));
    for (size_t i = 0; i < 200; i++)
        add(&t, i);
    for (struct table_link *l; (l = table_any(&t)) != NULL; seen++)
        table_remove(&t, l);
    assert_int_equal(seen, 200);
    table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_there),
        cmocka_unit_test(of_one_key_the_newest_is_first),
        cmocka_unit_test(what_is_not_there_is_not_removed),
        cmocka_unit_test(gives_any_until_it_is_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
