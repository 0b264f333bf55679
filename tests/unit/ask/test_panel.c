/* Parts of the prompt: the panel as lines, bytes as keys, the edited line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/line.h"
#include "ask/panel.h"
#include "base/utf8.h"

#include <cmocka.h> /* last: it defines a macro fail */

static struct arena arena;

static void in_arena(void (*fn)(void *), void *arg)
{
    arena_init(&arena, (size_t)1 << 28);
    assert_true(arena_try(&arena, fn, arg));
    arena_release(&arena);
}

static struct str joined(const struct strs *lines)
{
    struct buf b = buf_in(&arena);

    for (size_t i = 0; i < lines->count; i++) {
        buf_add(&b, lines->items[i]);
        buf_byte(&b, '\n');
    }
    return buf_str(&b);
}

/* ---- the panel ---- */

static struct panel sample(void)
{
    static struct str suggestion = {"Bash(rm -rf node_modules)", 25};

    return (struct panel){.profile = "warder",
                          .tool = STR("Bash"),
                          .input = STR("rm -rf node_modules"),
                          .risk = STR("high"),
                          .reason = STR("it deletes node_modules"),
                          .rule = STR("Bash(rm:*)"),
                          .rule_place = STR("/p/.claude/settings.json:3:7"),
                          .comment = STR("careful"),
                          .suggestions = {&suggestion, 1, 1},
                          .target = STR("/p/.claude/settings.local.json")};
}

static const struct {
    const char *why;
    const char *profile;
    size_t width;
    const char *want;
} layouts[] = {
    {"the default", "warder", 64,
     "--------------------- Permission required ----------------------\n"
     "Tool     Bash\n"
     "Input    | rm -rf node_modules\n"
     "Risk     high\n"
     "Reason   it deletes node_modules\n"
     "Rule     Bash(rm:*)  at /p/.claude/settings.json:3:7\n"
     "Comment  careful\n"
     "Suggest  Bash(rm -rf node_modules)\n"
     "[a] Allow once   [A] Always allow   [d] Deny once\n"
     "[D] Always deny   [c] Cancel   [?] Help   [v] View all of it\n"
     "----------------------------------------------------------------\n"},
    {"mink's six keys", "mink", 80,
     "----------------------------- Permission required ------------------------------\n"
     "Tool     Bash\n"
     "Input    | rm -rf node_modules\n"
     "Risk     high\n"
     "Reason   it deletes node_modules\n"
     "Rule     Bash(rm:*)  at /p/.claude/settings.json:3:7\n"
     "Comment  careful\n"
     "Suggest  Bash(rm -rf node_modules)\n"
     "[a] Approve once   [A] Always allow this command   [d] Deny once\n"
     "[D] Always deny this command   [c] Cancel turn   [?] Help   [v] View all of it\n"
     "--------------------------------------------------------------------------------\n"},
    {"narrow", "warder", 24,
     "- Permission required --\n"
     "Tool\n  Bash\n"
     "Input\n  | rm -rf node_modules\n"
     "Risk\n  high\n"
     "Reason\n  it deletes\n  node_modules\n"
     "Rule\n  Bash(rm:*)  at\n  /p/.claude/settings.js\n  on:3:7\n"
     "Comment\n  careful\n"
     "Suggest\n  Bash(rm -rf\n  node_modules)\n"
     "[a] Allow once\n[A] Always allow\n[d] Deny once\n[D] Always deny\n[c] Cancel   [?] Help\n[v] "
     "View all of it\n"
     "------------------------\n"},
};

static void check_layouts(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(layouts); i++) {
        struct panel p = sample();
        struct panel_layout layout = {.width = layouts[i].width, .input_rows = 12};
        struct strs lines = {0};
        p.profile = layouts[i].profile;
        panel_lines(&arena, &p, &layout, &lines);
        panel_keys(&arena, &p, &layout, &lines);
        if (!str_is(joined(&lines), layouts[i].want))
            fail_msg("%s:\n%s", layouts[i].why, joined(&lines).s);
    }
}

static void panels_look_like_this(void **state)
{
    (void)state;
    in_arena(check_layouts, NULL);
}

/* A text in 30 columns (21 for the text, 19 after a bar). */
static const struct {
    const char *why, *input;
    size_t rows;
    bool ascii;
    const char *want;
} inputs[] = {
    {"escape sequences", "a\x1b[31m\x1b]0;x\x07", 0, false, "| a\\x1b[31m\\x1b]0;x\n  \\x07\n"},
    {"carriage return and backspace", "rm x\recho\b", 0, false, "| rm x\\x0decho\\x08\n"},
    {"tab", "a\tb", 0, false, "| a\\x09b\n"},
    {"C1 controls",
     "a\xc2\x9b"
     "31m",
     0, false, "| a<U+009B>31m\n"},
    {"bytes that are no characters", "a\xff\x9b", 0, false, "| a\\xff\\x9b\n"},
    {"bidirectional control",
     "a\xe2\x80\xae"
     "b",
     0, false, "| a<U+202E>b\n"},
    {"line breaks are seen", "a\nb", 0, false, "| a\n| b\n"},
    {"and differ from the width's", "aaaaaaaaaaaaaaaaaaaaaab", 0, false,
     "| aaaaaaaaaaaaaaaaaaa\n  aaab\n"},
    {"wide characters take two columns",
     "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2"
     "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
     0, false,
     "| "
     "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc"
     "\xa2\xe6\xbc\xa2\n"
     "  \xe6\xbc\xa2\n"},
    {"a terminal without UTF-8", "\xc5\x9b", 0, true, "| <U+015B>\n"},
    {"combining marks take none", "e\xcc\x81\x65\xcc\x81", 0, false, "| e\xcc\x81\x65\xcc\x81\n"},
    {"as many lines as fit", "1\n2\n3\n4", 4, false, "| 1\n| 2\n| 3\n| 4\n"},
    {"one more is cut, and the end is kept", "1\n2\n3\n4\n5", 4, false,
     "| 1\n... 2 more: v\n| 4\n| 5\n"},
    {"three", "1\n2\n3\n4\n5", 3, false, "| 1\n... 3 more: v\n| 5\n"},
};

static void check_inputs(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(inputs); i++) {
        struct panel p = {.input = str_from(inputs[i].input)};
        struct panel_layout layout = {
            .width = 23, .input_rows = inputs[i].rows, .ascii = inputs[i].ascii};
        struct strs lines = {0}, texts = {0};
        panel_lines(&arena, &p, &layout, &lines);
        assert_true(lines.count > 2 && str_is(lines.items[1], "Input"));
        for (size_t n = 2; n < lines.count; n++)
            LIST_PUSH(&arena, &texts, str_from_byte(lines.items[n], 2));
        if (!str_is(joined(&texts), inputs[i].want))
            fail_msg("%s:\n%s", inputs[i].why, joined(&texts).s);
    }
}

static void input_is_shown_and_not_obeyed(void **state)
{
    (void)state;
    in_arena(check_inputs, NULL);
}

static size_t columns(struct str line)
{
    size_t sum = 0;

    for (size_t at = 0, len; at < line.len; at += len) {
        uint32_t cp;
        len = utf8_next(line, at, &cp);
        assert_true(len > 0 && cp >= ' ' && cp != 0x7f && !utf8_suspicious_name(cp));
        int width = panel_width_of(cp);
        assert_true(width >= 0);
        sum += (size_t)width;
    }
    return sum;
}

/* Whatever the bytes: only printable characters, and no line too wide. Only the mark for cut lines
 * may be longer. */
static void check_random(void *arg)
{
    static const char *const bits[] = {
        "\x1b[2J",      "\xe6\xbc\xa2",     "a",  " ",        "\n",   "\xff", "\xc2\x9b",
        "\xe2\x80\xae", "\xf0\x9f\x98\x80", "\r", "\xcc\x81", "word", "\x7f", "\xef\xbb\xbf"};
    uint32_t seed = 1;
    (void)arg;
    for (size_t round = 0; round < 400; round++) {
        struct buf b = buf_in(&arena);
        for (size_t i = 0; i < round % 90; i++) {
            seed = seed * 1664525 + 1013904223;
            buf_text(&b, bits[(seed >> 16) % COUNT(bits)]);
        }
        struct str text = buf_str(&b);
        struct panel p = {.tool = text,
                          .input = text,
                          .reason = text,
                          .rule = text,
                          .rule_place = text,
                          .comment = text,
                          .findings = {&text, 1, 1},
                          .suggestions = {&text, 1, 1},
                          .who = text,
                          .risk = text};
        struct panel_layout layout = {.width = PANEL_WIDTH_MIN + round % 70};
        struct strs lines = {0};
        panel_lines(&arena, &p, &layout, &lines);
        panel_help(&arena, &p, &layout, &lines);
        for (size_t i = 0; i < lines.count; i++)
            if (columns(lines.items[i]) > layout.width)
                fail_msg("width %zu: %s", layout.width, lines.items[i].s);
    }
}

static void any_bytes_stay_in_their_width(void **state)
{
    (void)state;
    in_arena(check_random, NULL);
}

/* Each part by its own text, in the order in which a person reads them. */
static void check_parts(void *arg)
{
    static struct str finding = {"f!", 2}, suggestion = {"s!", 2};
    static const char *const wanted[] = {"From", "w!", "Tool",    "t!", "Input",   "i!",
                                         "In ",  "c!", "Risk",    "k!", "Reason",  "r!",
                                         "u!",   "p!", "Finding", "f!", "Suggest", "s!"};
    struct panel p = {.who = STR("w!"),
                      .tool = STR("t!"),
                      .input = STR("i!"),
                      .cwd = STR("c!"),
                      .risk = STR("k!"),
                      .reason = STR("r!"),
                      .rule = STR("u!"),
                      .rule_place = STR("p!"),
                      .findings = {&finding, 1, 1},
                      .suggestions = {&suggestion, 1, 1}};
    const struct panel_layout layout = {.width = 80};
    struct buf b = buf_in(&arena);

    (void)arg;
    for (int refused = 0; refused < 2; refused++) {
        struct strs lines = {0};
        p.no_allow = str_from(refused ? "n!" : "");
        panel_lines(&arena, &p, &layout, &lines);
        b.len = 0;
        for (size_t i = 0; i < lines.count; i++)
            buf_add(&b, lines.items[i]);
        const char *at = buf_str(&b).s;
        assert_int_equal(strstr(at, "No rule") && strstr(at, "n!"), refused);
        for (size_t i = 0; i < COUNT(wanted) - (refused ? 2 : 0); i++) {
            at = strstr(at, wanted[i]);
            if (!at)
                fail_msg("no %s in its place", wanted[i]);
        }
        assert_int_equal(strstr(at, "Suggest") != NULL, 0);
    }
}

static void every_part_is_shown(void **state)
{
    (void)state;
    in_arena(check_parts, NULL);
}

static void choices_are_the_profiles(void **state)
{
    (void)state;
    assert_int_equal(panel_choice(panel_style("warder"), 'a'), CHOICE_ALLOW);
    assert_int_equal(panel_choice(panel_style("mink"), 'A'), CHOICE_ALWAYS_ALLOW);
    assert_int_equal(panel_choice(panel_style("caliban"), 'D'), CHOICE_ALWAYS_DENY);
    assert_int_equal(panel_choice(panel_style("warder"), 'y'), CHOICE_NONE);
    assert_int_equal(panel_choice(panel_style("mini"), 'y'), CHOICE_ALLOW);
    assert_int_equal(panel_choice(panel_style("mini"), 'n'), CHOICE_DENY);
    assert_int_equal(panel_choice(panel_style(NULL), '\0'), CHOICE_NONE);
}

/* ---- keys ---- */

static const struct {
    const char *bytes;
    enum key keys[8];
    size_t left; /* bytes of an incomplete key */
} key_cases[] = {
    {"a", {KEY_TEXT}, 0},
    {"\x1b", {KEY_ESCAPE}, 0},
    {"\x1b[A\x1b[D", {KEY_UP, KEY_LEFT}, 0},
    {"\x1b[3~x", {KEY_DELETE, KEY_TEXT}, 0},
    {"\x1bOH", {KEY_HOME}, 0},
    {"\x1b[", {KEY_NONE}, 2},
    {"\x1b[1;5", {KEY_NONE}, 5},
    {"\x1b[1;5C", {KEY_OTHER}, 0},
    {"\x1b[200~ab\x1b[201~", {KEY_PASTE_BEGIN, KEY_TEXT, KEY_TEXT, KEY_PASTE_END}, 0},
    {"\x1bx", {KEY_ESCAPE, KEY_TEXT}, 0},
    {"\r\n\x04\x7f\x15\x17",
     {KEY_ENTER, KEY_ENTER, KEY_EOF, KEY_BACKSPACE, KEY_KILL_LEFT, KEY_KILL_WORD},
     0},
    {"\xc3\xa9", {KEY_TEXT}, 0},
    {"\xc3", {KEY_NONE}, 1},
    {"\xff"
     "a",
     {KEY_OTHER, KEY_TEXT},
     0},
    {"\xe2\x80\xae", {KEY_OTHER}, 0},
    {"\xe2x", {KEY_OTHER, KEY_TEXT}, 0},
    {"", {KEY_NONE}, 0},
};

static void bytes_are_keys(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(key_cases); i++) {
        struct str rest = str_from(key_cases[i].bytes), text;
        enum key key;
        for (size_t n = 0; (key = key_next(&rest, &text)) != KEY_NONE; n++)
            assert_int_equal(key, key_cases[i].keys[n]);
        assert_int_equal(rest.len, key_cases[i].left);
    }
}

/* ---- the line ---- */

static const struct {
    const char *before, *keys, *after;
} line_cases[] = {
    {"abc", "d", "abcd|"},
    {"abc", "\x1b[D\x1b[Dx", "ax|bc"},
    {"abc", "\x7f\x7f", "a|"},
    {"abc", "\x01\x1b[3~", "|bc"},
    {"abc", "\x01\x7f", "|abc"},
    {"Bash(npm run test)", "\x17\x17", "Bash(npm |"},
    {"abc", "\x1b[D\x0b", "ab|"},
    {"abc", "\x15x", "x|"},
    {"h\xc3\xa9llo", "\x01\x06\x06\x7f", "h|llo"},
    {"\xe6\xbc\xa2x", "\x1b[D\x1b[D\x04", "|x"},
    {"abc", "\x05\x04", "abc|"},
};

static void type_keys(struct line *l, const char *keys)
{
    struct str rest = str_from(keys), text;
    enum key key;

    while ((key = key_next(&rest, &text)) != KEY_NONE)
        line_key(l, key, text);
}

static void lines_are_edited(void **state)
{
    static struct line l;
    char got[64];

    (void)state;
    for (size_t i = 0; i < COUNT(line_cases); i++) {
        assert_true(line_set(&l, str_from(line_cases[i].before)));
        type_keys(&l, line_cases[i].keys);
        snprintf(got, sizeof(got), "%.*s|%.*s", (int)l.cursor, l.text, (int)(l.len - l.cursor),
                 l.text + l.cursor);
        assert_string_equal(got, line_cases[i].after);
    }
    /* As long as a rule may be, and not a byte more. */
    static char longest[RULE_MAX_TEXT + 1];
    memset(longest, 'x', sizeof(longest));
    assert_false(line_set(&l, (struct str){longest, RULE_MAX_TEXT + 1}));
    assert_true(line_set(&l, (struct str){longest, RULE_MAX_TEXT}));
    type_keys(&l, "y");
    assert_int_equal(l.len, RULE_MAX_TEXT);
}

static void check_window(void *arg)
{
    static struct line l;
    size_t column;

    (void)arg;
    assert_true(line_set(&l, STR("abcdefghijklmnopqrstuvwxyz")));
    assert_true(str_is(line_show(&arena, &l, 8, false, &column), "uvwxyz"));
    assert_int_equal(column, 6);
    l.cursor = 0;
    assert_true(str_is(line_show(&arena, &l, 8, false, &column), "abcdefgh"));
    assert_int_equal(column, 0);
    assert_true(line_set(&l, STR("a\x1b[31m")));
    assert_true(str_is(line_show(&arena, &l, 40, false, &column), "a\\x1b[31m"));
    assert_int_equal(column, 9);
}

static void long_lines_show_the_cursor(void **state)
{
    (void)state;
    in_arena(check_window, NULL);
}

/* ---- small screens ---- */

static bool has_line_with(const struct strs *lines, const char *text)
{
    for (size_t i = 0; i < lines->count; i++)
        if (str_contains(lines->items[i], str_from(text)))
            return true;
    return false;
}

/* Whatever the texts are, the keys are on the screen, and so is how the input begins. */
static void check_size(const struct panel *p, size_t width, size_t rows)
{
    struct strs lines = {0};
    struct panel_layout layout = {.width = width, .rows = rows, .input_rows = rows / 2};

    panel_question(&arena, p, &layout, &lines);
    assert_true(lines.count + 1 <= rows);
    assert_true(has_line_with(&lines, "| rm"));
    struct str last = lines.items[lines.count - 1];
    assert_true(str_contains(last, STR("v")) || str_starts(last, STR("-----")));
    for (size_t i = 0; i < lines.count; i++)
        assert_true(lines.items[i].len <= width);
}

static void small_sizes(void *arg)
{
    static char hostile[4096], long_reason[2048];
    struct panel p = sample();

    (void)arg;
    p.session = true;
    p.user_target = STR("/home/you/.config/warder/warder.yaml");
    for (size_t width = PANEL_WIDTH_MIN; width <= 90; width++)
        for (size_t rows = 5; rows <= 40; rows++)
            check_size(&p, width, rows);
    memset(hostile, '\n', sizeof(hostile));
    memcpy(hostile, "rm x", 4);
    memset(long_reason, 'r', sizeof(long_reason));
    p.input = (struct str){hostile, sizeof(hostile)};
    p.reason = (struct str){long_reason, sizeof(long_reason)};
    for (size_t width = PANEL_WIDTH_MIN; width <= 90; width += 7)
        for (size_t rows = 6; rows <= 40; rows += 3)
            check_size(&p, width, rows);
}

static void small_screens_show_the_question(void **state)
{
    (void)state;
    in_arena(small_sizes, NULL);
}

static void wider_rules_are_numbered(void *arg)
{
    struct str some[] = {STR("Bash(rm:*)"), STR("Bash")};
    struct strs wider = {some, 2, 2};
    struct panel p = sample();

    (void)arg;
    assert_int_equal(panel_numbered(&p, '1').len, 0);
    p.wider = &wider;
    assert_true(str_is(panel_numbered(&p, '1'), "Bash(rm -rf node_modules)"));
    assert_true(str_is(panel_numbered(&p, '2'), "Bash(rm:*)"));
    assert_true(str_is(panel_numbered(&p, '3'), "Bash"));
    assert_int_equal(panel_numbered(&p, '4').len, 0);
    assert_int_equal(panel_numbered(&p, '0').len, 0);
    assert_int_equal(panel_numbered(&p, 'a').len, 0);
    p.no_allow = STR("no rule lifts this");
    assert_int_equal(panel_numbered(&p, '1').len, 0);
}

static void digits_choose_rules(void **state)
{
    (void)state;
    in_arena(wider_rules_are_numbered, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(panels_look_like_this),
        cmocka_unit_test(input_is_shown_and_not_obeyed),
        cmocka_unit_test(any_bytes_stay_in_their_width),
        cmocka_unit_test(every_part_is_shown),
        cmocka_unit_test(choices_are_the_profiles),
        cmocka_unit_test(bytes_are_keys),
        cmocka_unit_test(lines_are_edited),
        cmocka_unit_test(long_lines_show_the_cursor),
        cmocka_unit_test(small_screens_show_the_question),
        cmocka_unit_test(digits_choose_rules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
