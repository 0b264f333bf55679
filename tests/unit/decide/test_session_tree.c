/* What a session remembers of the code that came into the tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/session.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct action brings = {.brings = true};
static struct action plain = {0};

static struct verdict verdict_of(struct facts *f, struct action *a, enum behavior behavior)
{
    f->actions.items = a;
    f->actions.count = 1;
    return (struct verdict){.facts = f, .behavior = behavior};
}

static void unasked(void **state)
{
    struct facts f = {0};
    struct session s = {0};
    struct verdict v = verdict_of(&f, &brings, BEHAVIOR_ALLOW);

    (void)state;
    session_brings(&s, &v, false, &s);
    assert_true(s.brought == 1 && s.agreed == 0);
    v = verdict_of(&f, &brings, BEHAVIOR_ASK); /* it has not run */
    session_brings(&s, &v, false, &s);
    v = verdict_of(&f, &brings, BEHAVIOR_DENY);
    session_brings(&s, &v, false, &s);
    v = verdict_of(&f, &plain, BEHAVIOR_ALLOW);
    session_brings(&s, &v, false, &s);
    assert_true(s.brought == 1 && s.agreed == 0);
}

static void approved(void **state)
{
    struct facts f = {0};
    struct session s = {.brought = 2}, seen = s;
    struct verdict run = verdict_of(&f, &plain, BEHAVIOR_ALLOW);

    (void)state;
    session_brings(&s, &run, true, &seen);
    assert_true(s.brought == 2 && s.agreed == 2);
    seen = s;
    struct verdict pull = verdict_of(&f, &brings, BEHAVIOR_ALLOW);
    session_brings(&s, &pull, true, &seen);
    assert_true(s.brought == 3 && s.agreed == 3);
}

/* While a person thinks about one call, another one may bring more. */
static void meanwhile(void **state)
{
    struct facts f = {0};
    struct session seen = {.brought = 1}, s = {.brought = 2};
    struct verdict v = verdict_of(&f, &plain, BEHAVIOR_ALLOW);

    (void)state;
    session_brings(&s, &v, true, &seen);
    assert_true(s.brought == 2 && s.agreed == 1);
    v = verdict_of(&f, &brings, BEHAVIOR_ALLOW);
    session_brings(&s, &v, true, &seen);
    assert_true(s.brought == 3 && s.agreed == 1);
    s = (struct session){.brought = UINT32_MAX, .agreed = 5};
    session_brings(&s, &v, false, &s);
    assert_true(s.brought == UINT32_MAX && s.agreed == 5);
}

static void agreements(void **state)
{
    struct arena arena;
    struct facts f = {0};
    struct session s = {0}, other = {0};
    struct action a = {0};

    (void)state;
    arena_init(&arena, (size_t)1 << 20);
    LIST_PUSH(&arena, &a.fresh.agreed, STR("one"));
    LIST_PUSH(&arena, &a.fresh.agreed, STR("two"));
    struct verdict v = verdict_of(&f, &a, BEHAVIOR_ASK);
    session_agree(&arena, &s, &v);
    session_agree(&arena, &s, &v);
    assert_int_equal(s.agreements.count, 2);
    assert_false(session_same_tree(&s, &other));
    session_agree(&arena, &other, &v);
    assert_true(session_same_tree(&s, &other));
    other.brought++;
    assert_false(session_same_tree(&s, &other));
    arena_release(&arena);
}

/* Of a call that is asked about it is not known whether it ran. */
static void given(void **state)
{
    struct facts f = {.gives = STR("/p/.env")};
    struct session s = {0}, other = {0};
    struct action a = {0};
    struct verdict v = verdict_of(&f, &a, BEHAVIOR_DENY);

    (void)state;
    session_gives(&s, &v);
    assert_true(s.given.len == 0 && session_same_tree(&s, &other));
    v.behavior = BEHAVIOR_ASK;
    session_gives(&s, &v);
    assert_true(str_is(s.given, "/p/.env") && !session_same_tree(&s, &other));
    f.gives = STR("/p/other.key");
    session_gives(&s, &v);
    assert_true(str_is(s.given, "/p/.env"));
    v.facts = NULL;
    session_gives(&other, &v);
    assert_true(other.given.len == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unasked), cmocka_unit_test(approved),   cmocka_unit_test(meanwhile),
        cmocka_unit_test(given),   cmocka_unit_test(agreements),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
