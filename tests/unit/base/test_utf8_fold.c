/* Names that a disk may treat as equal: composition and case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/utf8_fold.h"
#include "base/utf8_tables.h"

#include <cmocka.h>

static const struct {
    const char *why, *text, *want;
} cases[] = {
    {"ASCII stays as it is", "Abc/.SSH", "Abc/.SSH"},
    {"nothing", "", ""},
    {"one code point", "caf\u00e9", "caf\u00e9"},
    {"two code points", "cafe\u0301", "caf\u00e9"},
    {"a capital", "CAF\u00c9", "caf\u00e9"},
    {"a capital in two", "CAFE\u0301", "caf\u00e9"},
    {"two marks", "\u1ec7", "\u1ec7"},
    {"two marks in the other order", "e\u0302\u0323", "\u1ec7"},
    {"half composed", "\u00ea\u0323", "\u1ec7"},
    {"a long s is an s", ".\u017f\u017fh", ".ssh"},
    {"the sign of Kelvin is a k", ".\u212aube", ".kube"},
    {"the sign of Angstrom", "\u212b", "\u00e5"},
    {"Greek", "\u0391\u0301", "\u03ac"},
    {"the two small sigmas", "\u03c2\u03a3", "\u03c3\u03c3"},
    {"Cyrillic", "\u0418\u0306", "\u0439"},
    {"Hangul in three", "\u1112\u1161\u11ab", "\ud55c"},
    {"Hangul in two", "\ud558\u11ab", "\ud55c"},
    {"Hangul in one", "\ud55c", "\ud55c"},
    {"a mark of the same class blocks", "a\u0300\u0301", "\u00e0\u0301"},
    {"a mark alone", "\u0301x", "\u0301x"},
    {"an ideograph of another block", "\uf900", "\u8c48"},
    {"sharp s stays one letter", "\u1e9e", "\u00df"},
    {"a small letter of another plane", "\U00010400", "\U00010428"},
    {"never composed again", "\u0958", "\u0915\u093c"},
    {"bytes that are no UTF-8 stay", "\xff\u00c9\x80", "\xff\u00e9\x80"},
};

static struct arena arena;

static void run_cases(void *arg)
{
    size_t *failed = arg;

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str got = utf8_fold(&arena, str_from(cases[i].text));
        if (str_eq(got, str_from(cases[i].want)))
            continue;
        printf("%s: got \"%.*s\"\n", cases[i].why, STR_ARG(got));
        ++*failed;
    }
}

/* Folding a folded text changes nothing, and a letter folds like its decomposition. */
static void run_all(void *arg)
{
    size_t *failed = arg;
    char bytes[12];

    for (size_t i = 0; i < UTF8_PAIRS; i++) {
        const struct utf8_pair *p = &utf8_pairs[i];
        size_t len = utf8_encode(p->whole, bytes), parts = utf8_encode(p->first, bytes + 4);
        struct str whole = utf8_fold(&arena, (struct str){bytes, len});
        parts += p->second ? utf8_encode(p->second, bytes + 4 + parts) : 0;
        struct str both = utf8_fold(&arena, (struct str){bytes + 4, parts});
        if (p->second == 0 && p->first < 0x80)
            continue; /* ASCII alone is not folded */
        if (!str_eq(whole, both) || !str_eq(whole, utf8_fold(&arena, whole))) {
            printf("U+%04X does not fold like its decomposition\n", p->whole);
            ++*failed;
        }
    }
}

static void hold(void (*fn)(void *))
{
    size_t failed = 0;

    arena_init(&arena, 1 << 24);
    assert_true(arena_try(&arena, fn, &failed));
    arena_release(&arena);
    assert_int_equal(failed, 0);
}

static void one_spelling_for_all(void **state)
{
    (void)state;
    hold(run_cases);
}

static void every_letter_has_the_spelling_of_its_parts(void **state)
{
    (void)state;
    hold(run_all);
}

static void tables_ascend(void **state)
{
    (void)state;
    for (size_t i = 1; i < UTF8_PAIRS; i++)
        assert_true(utf8_pairs[i - 1].whole < utf8_pairs[i].whole);
    for (size_t i = 1; i < UTF8_MARKS; i++)
        assert_true(utf8_marks[i - 1].last < utf8_marks[i].first);
    for (size_t i = 1; i < UTF8_FOLD_RUNS; i++)
        assert_true(utf8_fold_runs[i - 1].last < utf8_fold_runs[i].first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_spelling_for_all),
        cmocka_unit_test(every_letter_has_the_spelling_of_its_parts),
        cmocka_unit_test(tables_ascend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
