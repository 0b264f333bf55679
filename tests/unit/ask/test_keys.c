/* The bytes of a terminal as keys, and what keys make of a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ask/keys.h"
#include "ask/line.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

/* ---- keys ---- */

struct one_key {
    const char *bytes;
    enum key key;
    size_t left; /* bytes that are not taken */
};

static const struct one_key keys[] = {
    {"", KEY_NONE, 0},
    {"a", KEY_TEXT, 0},
    {"ab", KEY_TEXT, 1},
    {" ", KEY_TEXT, 0},
    {"~", KEY_TEXT, 0},
    {"\x7f", KEY_BACKSPACE, 0},
    {"\x01", KEY_HOME, 0},
    {"\x02", KEY_LEFT, 0},
    {"\x03", KEY_OTHER, 0},
    {"\x04", KEY_EOF, 0},
    {"\x05", KEY_END, 0},
    {"\x06", KEY_RIGHT, 0},
    {"\x07", KEY_ESCAPE, 0},
    {"\x08", KEY_BACKSPACE, 0},
    {"\t", KEY_TAB, 0},
    {"\n", KEY_ENTER, 0},
    {"\x0b", KEY_KILL_RIGHT, 0},
    {"\r", KEY_ENTER, 0},
    {"\x0e", KEY_DOWN, 0},
    {"\x10", KEY_UP, 0},
    {"\x15", KEY_KILL_LEFT, 0},
    {"\x17", KEY_KILL_WORD, 0},
    {"\x1f", KEY_OTHER, 0},
    /* sequences */
    {"\x1b", KEY_ESCAPE, 0},
    {"\x1bx", KEY_ESCAPE, 1},
    {"\x1b[A", KEY_UP, 0},
    {"\x1b[B", KEY_DOWN, 0},
    {"\x1b[C", KEY_RIGHT, 0},
    {"\x1b[D", KEY_LEFT, 0},
    {"\x1b[H", KEY_HOME, 0},
    {"\x1b[F", KEY_END, 0},
    {"\x1b[1~", KEY_HOME, 0},
    {"\x1b[3~x", KEY_DELETE, 1},
    {"\x1b[4~", KEY_END, 0},
    {"\x1b[5~", KEY_PAGE_UP, 0},
    {"\x1b[6~", KEY_PAGE_DOWN, 0},
    {"\x1b[7~", KEY_HOME, 0},
    {"\x1b[8~", KEY_END, 0},
    {"\x1bOA", KEY_UP, 0},
    {"\x1bOB", KEY_DOWN, 0},
    {"\x1bOC", KEY_RIGHT, 0},
    {"\x1bOD", KEY_LEFT, 0},
    {"\x1bOH", KEY_HOME, 0},
    {"\x1bOF", KEY_END, 0},
    {"\x1b[200~", KEY_PASTE_BEGIN, 0},
    {"\x1b[201~", KEY_PASTE_END, 0},
    {"\x1b[99~", KEY_OTHER, 0},
    {"\x1b[1;5A", KEY_OTHER, 0},
    {"\x1bOZ", KEY_OTHER, 0},
    {"\x1b[@", KEY_OTHER, 0},
    {"\x1b[?x", KEY_OTHER, 0},
    /* more is needed */
    {"\x1b[", KEY_NONE, 2},
    {"\x1bO", KEY_NONE, 2},
    {"\x1b[20", KEY_NONE, 4},
    {"\x1b[12345678901234~", KEY_OTHER, 0},
    {"\x1b[123456789012345~", KEY_OTHER, 0},
    {"\x1b[1234567890123456~", KEY_OTHER, 1},
    /* UTF-8 */
    {"\xc3\xa4", KEY_TEXT, 0},
    {"\xc2\xa9x", KEY_TEXT, 1},
    {"\xe2\x82\xac", KEY_TEXT, 0},
    {"\xf0\x9f\x98\x80", KEY_TEXT, 0},
    {"\xc2", KEY_NONE, 1},
    {"\xc3", KEY_NONE, 1},
    {"\xdf", KEY_NONE, 1},
    {"\xe0\xa4", KEY_NONE, 2},
    {"\xe2\x82", KEY_NONE, 2},
    {"\xf0\x9f", KEY_NONE, 2},
    {"\xf0\x9f\x98", KEY_NONE, 3},
    {"\xf4", KEY_NONE, 1},
    {"\xf5", KEY_OTHER, 0},
    {"\xc1", KEY_OTHER, 0},
    {"\x80", KEY_OTHER, 0},
    {"\xe2x", KEY_OTHER, 1},
    {"\xe2\x82x", KEY_OTHER, 2},
    {"\xc3\xc3", KEY_OTHER, 1},
    {"\xe2\x80\xae", KEY_OTHER, 0}, /* turns the direction of writing */
    {"\xc2\x85", KEY_OTHER, 0},     /* a control */
};

static void bytes_are_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(keys); i++) {
        struct str bytes = str_from(keys[i].bytes), text;
        const size_t all = bytes.len;
        enum key key = key_next(&bytes, &text);
        if (key != keys[i].key || bytes.len != keys[i].left)
            fail_msg("key %zu is %d and leaves %zu", i, (int)key, bytes.len);
        if (key == KEY_TEXT)
            assert_int_equal(text.len, all - bytes.len);
    }
}

/* ---- the line ---- */

/* Letters are keys: < left, > right, ( home, ) end, b backspace, d delete, e end of input, w a
 * word, l what is left of the cursor, r what is right; capitals are typed. The cursor is the bar.
 */
struct edit {
    const char *text, *keys, *wanted;
    bool changes; /* by the last key */
};

static const struct edit edits[] = {
    {"", "AB", "AB|", true},
    {"", "b", "|", false},
    {"", "d", "|", false},
    {"", "<", "|", false},
    {"", ">", "|", false},
    {"AB", "<C", "AC|B", true},
    {"AB", "<b", "|B", true},
    {"AB", "(b", "|AB", false},
    {"AB", "(d", "|B", true},
    {"AB", "(e", "|B", true},
    {"AB", "(>", "A|B", true},
    {"AB", ")", "AB|", false},
    {"AB", "()", "AB|", true},
    {"AB", ">", "AB|", false},
    {"AB", "((", "|AB", false},
    {"ABC", "<l", "|C", true},
    {"ABC", "<<r", "A|", true},
    {"ABC", "r", "ABC|", false},
    {"ABC", "(l", "|ABC", false},
    {"one two", "w", "one |", true},
    {"one two  ", "w", "one |", true},
    {"one", "w", "|", true},
    {"one two", "<w", "one |o", true},
    {"", "w", "|", false},
    {"x\xc3\xa4", "<", "x|\xc3\xa4", true},
    {"x\xc3\xa4", "b", "x|", true},
    {"x\xe2\x82\xacy", "(>d", "x|y", true},
    {"x\xe2\x82\xacy", "(>>", "x\xe2\x82\xac|y", true},
    {"\xff", "(d", "|", true},
};

static enum key key_of(char c)
{
    static const struct {
        char c;
        enum key key;
    } names[] = {{'<', KEY_LEFT},      {'>', KEY_RIGHT},     {'(', KEY_HOME}, {')', KEY_END},
                 {'b', KEY_BACKSPACE}, {'d', KEY_DELETE},    {'e', KEY_EOF},  {'w', KEY_KILL_WORD},
                 {'l', KEY_KILL_LEFT}, {'r', KEY_KILL_RIGHT}};

    for (size_t i = 0; i < COUNT(names); i++)
        if (names[i].c == c)
            return names[i].key;
    return KEY_TEXT;
}

static void keys_change_the_line(void **state)
{
    static struct line line;

    (void)state;
    for (size_t i = 0; i < COUNT(edits); i++) {
        char shown[64];
        bool changed = false;
        assert_true(line_set(&line, str_from(edits[i].text)));
        for (const char *k = edits[i].keys; *k; k++)
            changed = line_key(&line, key_of(*k), (struct str){k, 1});
        snprintf(shown, sizeof(shown), "%.*s|%.*s", (int)line.cursor, line.text,
                 (int)(line.len - line.cursor), line.text + line.cursor);
        assert_string_equal(shown, edits[i].wanted);
        assert_int_equal(changed, edits[i].changes);
    }
}

static void other_keys_change_nothing(void **state)
{
    static const enum key others[] = {KEY_NONE,        KEY_ENTER,     KEY_TAB,     KEY_ESCAPE,
                                      KEY_UP,          KEY_DOWN,      KEY_PAGE_UP, KEY_PAGE_DOWN,
                                      KEY_PASTE_BEGIN, KEY_PASTE_END, KEY_OTHER};
    static struct line line;

    (void)state;
    assert_true(line_set(&line, STR("AB")));
    for (size_t i = 0; i < COUNT(others); i++)
        assert_false(line_key(&line, others[i], STR("x")));
    assert_true(str_is(line_text(&line), "AB"));
}

static void a_line_has_an_end(void **state)
{
    static struct line line;
    static char text[sizeof(line.text) + 1];

    (void)state;
    memset(text, 'x', sizeof(text));
    assert_false(line_set(&line, (struct str){text, sizeof(text)}));
    assert_int_equal(line.len, 0);
    assert_true(line_set(&line, (struct str){text, sizeof(line.text)}));
    assert_false(line_key(&line, KEY_TEXT, STR("y")));
    assert_true(line_key(&line, KEY_BACKSPACE, STR("")));
    assert_true(line_key(&line, KEY_TEXT, STR("y")));
    assert_int_equal(line.len, sizeof(line.text));
}

/* ---- what is seen of it ---- */

struct shown {
    const char *text;
    size_t cursor, width;
    const char *wanted;
    size_t column;
};

static const struct shown views[] = {
    {"", 0, 8, "", 0},
    {"abc", 3, 8, "abc", 3},
    {"abc", 0, 8, "abc", 0},
    {"abcdefgh", 0, 8, "abcdefgh", 0},
    {"abcdefghi", 0, 8, "abcdefgh", 0},
    {"abcdefgh", 6, 8, "abcdefgh", 6},
    {"abcdefgh", 7, 8, "bcdefgh", 6},
    {"abcdefghijkl", 8, 8, "cdefghij", 6},
    {"abcdefghijkl", 12, 8, "ghijkl", 6},
    {"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 0, 5, "\xe4\xb8\xad\xe4\xb8\xad", 0}, /* wide */
    {"\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 9, 8, "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad", 6},
};

static void show_all(void *arg)
{
    struct arena *a = arg;
    static struct line line;

    for (size_t i = 0; i < COUNT(views); i++) {
        size_t column;
        assert_true(line_set(&line, str_from(views[i].text)));
        line.cursor = views[i].cursor;
        struct str shown = line_show(a, &line, views[i].width, false, &column);
        if (!str_is(shown, views[i].wanted) || column != views[i].column)
            fail_msg("view %zu: %.*s, column %zu", i, STR_ARG(shown), column);
    }
    assert_true(line_set(&line, STR("abcdefgh")));
    assert_true(str_is(line_draw(a, &line, "> ", 20, false), "\r> abcdefgh\033[K\r\033[10C"));
    assert_true(str_is(line_draw(a, &line, "> ", 7, false), "\r> fgh\033[K\r\033[5C"));
    assert_true(str_is(line_draw(a, &line, "> ", 6, false), "\r> fgh\033[K\r\033[5C"));
}

static void a_window_follows_the_cursor(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_true(arena_try(&a, show_all, &a));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_keys),
        cmocka_unit_test(keys_change_the_line),
        cmocka_unit_test(other_keys_change_nothing),
        cmocka_unit_test(a_line_has_an_end),
        cmocka_unit_test(a_window_follows_the_cursor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
