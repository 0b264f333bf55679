/* Which rules answered calls speak for: small lessons, as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/str.h"
#include "rule/learn.h"

#include <cmocka.h> /* last: it defines a macro fail */

static struct arena arena;

/* Calls are separated by blanks: a session (a digit), then the rules that it needs (letters; the
 * digit after one is its variant), or behind a '!' those that it speaks against. `w` is a rule that
 * three variants have to be seen of. A trailing '-': the call does not count. */
static const struct {
    const char *why, *calls, *heard, *want;
} cases[] = {
    {"two sessions are needed", "0a 1a", "", "a"},
    {"one is not enough, however often", "0a 0a 0a", "", ""},
    {"a rejection is a veto", "0a 1a 2!a", "", ""},
    {"... of its own rule alone", "0a 1a 0b 1b 2!a", "", "b"},
    {"what needs two rules speaks for both", "0ab 1ab", "", "ab"},
    {"... and for none if one of them is vetoed", "0ab 1ab 2!b", "", ""},
    {"a rule that loses its calls goes as well", "0ab 1ab 0b 1bc", "", "ab"},
    {"... down to the last one", "0ab 1bc 0cd 1d", "", ""},
    {"what does not count speaks for nothing", "0a 1a-", "", ""},
    {"a wrapper needs several commands", "0w1 0w2 1w1 1w2", "", ""},
    {"... and has them", "0w1 0w2 1w3", "", "w"},
    {"... of calls that the other rules let through", "0w1 0w2 1w3a", "", ""},
    {"only what was heard counts", "0a 1a 2a", "02", "a"},
    {"... for a rule", "0a 1a 2a", "0", ""},
    {"... and against it", "0a 1a 2!a", "01", "a"},
    {"nothing is nothing", "", "", ""},
};

struct lesson_calls LIST_OF(struct lesson_call);

static void take_call(struct str text, struct lesson_calls *out)
{
    struct lesson_call call = {.session = (size_t)(text.s[0] - '0'), .counts = true};
    bool against = false;

    for (size_t i = 1; i < text.len; i++) {
        char c = text.s[i];
        size_t variant = i + 1 < text.len && text.s[i + 1] <= '9' ? (size_t)text.s[i + 1] : 0;
        if (c == '!')
            against = true;
        else if (c == '-')
            call.counts = false;
        else if (c >= 'a')
            LIST_PUSH(&arena, against ? &call.vetoes : &call.needs,
                      (struct lesson_need){(size_t)(c - 'a'), variant});
    }
    call.counts &= !against;
    LIST_PUSH(&arena, out, call);
}

static void choosing(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        struct str rest = str_from(cases[n].calls), word;
        struct lesson_calls calls = {0};
        struct lesson_rule rules[26] = {0};
        bool heard[10] = {0};
        char got[27];
        size_t len = 0;
        while (str_next_word(&rest, &word))
            take_call(word, &calls);
        rules['w' - 'a'].variants = 3;
        for (const char *h = cases[n].heard; *h; h++)
            heard[*h - '0'] = true;
        struct lesson l = {.arena = &arena,
                           .calls = calls.items,
                           .call_count = calls.count,
                           .rules = rules,
                           .rule_count = COUNT(rules),
                           .sessions_least = 2,
                           .heard = cases[n].heard[0] ? heard : NULL,
                           .session_count = 10};
        lesson_choose(&l);
        for (size_t i = 0; i < COUNT(rules); i++)
            if (rules[i].chosen)
                got[len++] = (char)('a' + i);
        got[len] = '\0';
        if (strcmp(got, cases[n].want) != 0)
            fail_msg("%s: got \"%s\"", cases[n].why, got);
    }
}

static void run(void *arg)
{
    choosing(arg);
}

static void in_arena(void **state)
{
    arena_init(&arena, (size_t)1 << 24);
    assert_true(arena_try(&arena, run, state));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_arena)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
