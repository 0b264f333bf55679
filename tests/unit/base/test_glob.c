/* The glob matcher: named cases, a slow reference matcher on every short input, and the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/glob.h"
#include "support/glob_twin.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, (size_t)256 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static struct glob *compile(struct str pattern, unsigned flags)
{
    struct glob *g;
    struct error err = {0};

    if (glob_compile(&arena, pattern, flags, &g, &err) != STATUS_OK)
        fail_msg("\"%.*s\" (flags %u): %s", (int)pattern.len, pattern.s ? pattern.s : "", flags,
                 err.message);
    return g;
}

#define P  GLOB_PATH
#define N  GLOB_NOCASE
#define B  GLOB_BRACES
#define X  GLOB_PREFIX
#define PB (GLOB_PATH | GLOB_BRACES)
#define PX (GLOB_PATH | GLOB_PREFIX)

/* -- named cases ------------------------------------------------------------ */

static const struct {
    const char *pattern;
    unsigned flags;
    const char *text;
    bool want;
} cases[] = {
    /* plain text */
    {"", 0, "", true},
    {"", 0, "a", false},
    {"a", 0, "", false},
    {"git status", 0, "git status", true},
    {"git status", 0, "git status ", false},
    {"git status", 0, "git statu", false},
    {"Git", 0, "git", false},
    {"Git", N, "gIT", true},
    {"\xc3\x89", N, "\xc3\xa9", false}, /* only ASCII letters have two cases */

    /* stars */
    {"*", 0, "", true},
    {"*", 0, "a/b", true},
    {"*", P, "a/b", false},
    {"*", P, "", true},
    {"git *", 0, "git push", true},
    {"git *", 0, "git", false},
    {"git *", 0, "git ", true},
    {"npm run *", 0, "npm run a/b", true},
    {"npm run *", P, "npm run a/b", false},
    {"a*b*c", 0, "axxbyyc", true},
    {"a*b*c", 0, "axxcyyb", false},
    {"a*bc", 0, "abcbc", true},
    {"*.go", P, ".go", true},
    {"*.go", P, "main.go", true},
    {"*.go", P, "src/main.go", false},
    {"a**b", 0, "a/x/b", true},

    /* question marks: one code point, or one byte that is not UTF-8 */
    {"?", 0, "a", true},
    {"?", 0, "", false},
    {"?", 0, "ab", false},
    {"?", 0, "/", true},
    {"?", P, "/", false},
    {"?", 0, "\xc3\xa9", true},
    {"??", 0, "\xc3\xa9", false},
    {"?", 0, "\xf0\x9f\x98\x80", true},
    {"?", 0, "\xff", true},
    {"?", 0, "\xc3", true},
    {"??", 0, "\xc0\xaf", true}, /* an overlong slash is two bytes, not a slash */
    {"?", 0, "\xc0\xaf", false},
    {"???", 0, "\xed\xa0\x80", true},      /* a surrogate */
    {"????", 0, "\xf4\x90\x80\x80", true}, /* beyond U+10FFFF */
    {"?", 0, "\xf4\x8f\xbf\xbf", true},
    {"a?", GLOB_NO_QUESTION, "a?", true},
    {"a?", GLOB_NO_QUESTION, "ab", false},
    {"*?", 0, "\xc3\xa9", true},
    {"*[!\xc3\xa9]", 0, "\xc3\xa9", false}, /* a run does not stop within a code point */

    /* classes */
    {"[abc]", 0, "b", true},
    {"[abc]", 0, "d", false},
    {"[abc]", 0, "", false},
    {"[a-c]x", 0, "cx", true},
    {"[a-c]x", 0, "dx", false},
    {"[c-a]", 0, "b", false},
    {"[!a-c]", 0, "d", true},
    {"[!a-c]", 0, "b", false},
    {"[^a-c]", 0, "d", true},
    {"[^a-c]", 0, "^", true},
    {"[a^]", 0, "^", true},
    {"[]a]", 0, "]", true},
    {"[]a]", 0, "a", true},
    {"[!]a]", 0, "]", false},
    {"[!]a]", 0, "b", true},
    {"[a-]", 0, "-", true},
    {"[-a]", 0, "-", true},
    {"[a\\-c]", 0, "b", false},
    {"[a\\-c]", 0, "-", true},
    {"[\\]]", 0, "]", true},
    {"[\\\\]", 0, "\\", true},
    {"[\xc3\xa0-\xc3\xaf]", 0, "\xc3\xa9", true},
    {"[\xc3\xa0-\xc3\xaf]", 0, "\xc3\xbf", false},
    {"[!a]", 0, "\xc3\xa9", true},
    {"[!a]", 0, "/", true},
    {"[!a]", P, "/", false},
    {"a[/]b", P, "a/b", false},
    {"a[/]b", 0, "a/b", true},
    {"[a/b]c", P, "ac", true},
    {"[A-C]", N, "b", true},
    {"[a-c]", N, "B", true},
    {"[!a-c]", N, "B", false},
    {"[[:alpha:]]", 0, "q", true},
    {"[[:alpha:]]", 0, "4", false},
    {"[[:digit:][:upper:]_]", 0, "_", true},
    {"[[:digit:][:upper:]_]", 0, "a", false},
    {"[![:space:]]", 0, "\t", false},
    {"[[:lower:]]", N, "A", true},
    {"[[:alpha:]", 0, "[x", false}, /* unclosed, so '[' and a class of the letters in ":alph" */
    {"[[:alpha:]", 0, "[p", true},
    {"[", 0, "[", true},
    {"[a", 0, "[a", true},
    {"[a", 0, "a", false},
    {"[]", 0, "[]", true},
    {"[!]", 0, "[!]", true},
    {"[\\]", 0, "[]", true},
    {"[a]", GLOB_NO_CLASSES, "[a]", true},
    {"[a]", GLOB_NO_CLASSES, "a", false},

    /* backslashes */
    {"\\*", 0, "*", true},
    {"\\*", 0, "a", false},
    {"\\?", 0, "a", false},
    {"\\[a]", 0, "[a]", true},
    {"\\a", 0, "a", true},
    {"a\\", 0, "a\\", true},
    {"a\\\\", 0, "a\\", true},
    {"\\\xc3\xa9", 0, "\xc3\xa9", true},
    {"\\{a,b}", B, "{a,b}", true},
    {"a\\/b", P, "a/b", true},

    /* double stars */
    {"/src/**", P, "/src/pkg/foo.go", true},
    {"/src/**", P, "/src/main.go", true},
    {"/src/**", P, "/src", true},
    {"/src/**", P, "/src/", true},
    {"/src/**", P, "/srcs", false},
    {"/src/**", P, "/other/src/a", false},
    {"/src/**/*.go", P, "/src/main.go", true},
    {"/src/**/*.go", P, "/src/a/b/main.go", true},
    {"/src/**/*.go", P, "/src/a/b/main.c", false},
    {"a/**/b", P, "a/b", true},
    {"a/**/b", P, "a/x/b", true},
    {"a/**/b", P, "a/x/y/b", true},
    {"a/**/b", P, "ab", false},
    {"a/**/b", P, "a/xb", false},
    {"a/**/b/**/c", P, "a/b/x/b/c", true},
    {"a/**/b/**/c", P, "a/c/b", false},
    {"**", P, "", true},
    {"**", P, "a/b/c", true},
    {"**/x", P, "x", true},
    {"**/x", P, "a/b/x", true},
    {"**/x", P, "a/b/ax", false},
    {"**/.env", P, "a/.env", true},
    {"**/*", P, "a", true},
    {"path/to/**.txt", P, "path/to/a.txt", true},
    {"path/to/**.txt", P, "path/to/a/b.txt", false},
    {"a**/b", P, "ax/b", true},
    {"a**/b", P, "a/x/b", false},
    {"***", P, "a/b", false},
    {"a/**\\/b", P, "a/x/y/b", true},
    {"a/\\**", P, "a/*x", true},
    {"a/\\**", P, "a/x/y", false},
    {"*/x", P, "/x", true},
    {"a/*", P, "a", false},
    {"a/*", P, "a/", true},
    {"a/*/c", P, "a/b/c", true},
    {"a/*/c", P, "a/b/b/c", false},
    {"a/*x*/**/c", P, "a/bxb/q/c", true},
    {"a/*x*/**/c", P, "a/b/x/c", false},

    /* braces */
    {"{a,b}", 0, "{a,b}", true},
    {"{a,b}", 0, "a", false},
    {"{a,b}", B, "b", true},
    {"{a,b}", B, "c", false},
    {"{a,b,{c,d}e}f", B, "def", true},
    {"{a,b,{c,d}e}f", B, "df", false},
    {"*.{ts,tsx}", PB, "x.tsx", true},
    {"x{,y}", B, "x", true},
    {"x{a}", B, "xa", true},
    {"x{}", B, "x", true},
    {"{a", B, "{a", true},
    {"a}", B, "a}", true},
    {"{a,{b}", B, "{a,b", true},
    {"{a\\,b,c}", B, "a,b", true},
    {"{a\\},b}", B, "a}", true},
    {"[{a,b}]", B, ",", true}, /* a class comes first: braces in it are members */
    {"{src,**}/x", PB, "a/b/x", true},
    {"{a/b,c}/d", PB, "a/b/d", true},

    /* directories cover their contents */
    {"/etc", PX, "/etc", true},
    {"/etc", PX, "/etc/passwd", true},
    {"/etc", PX, "/etcetera", false},
    {"/etc/", PX, "/etc/passwd", true},
    {"/etc/", PX, "/etc", true},
    {"/e*", PX, "/etc/x/y", true},
    {"/", PX, "/etc", true},
    {"", PX, "/etc", false},
    {"", PX, "", true},
    {"", X, "/etc", false},
    {"a/*", PX, "a", false},
    {"a/*", PX, "a/b/c", true},
    {"**/x", PX, "a/x/b", true},
    {"**/x", PX, "a/ax/b", false},
    {"a/**/", PX, "a/b", true},
    {"/etc", X, "/etc/passwd", true},
    {"/etc", X, "/etcetera", false},
    {"/e?c/", X, "/etc/x", true},
    {"/e?c", X, "/e", false},
    {"e*c", X, "etc/x", true},
    {"{a,b}", X | B, "b/c", true},
};

static void run_cases(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str pattern = str_from(cases[i].pattern), text = str_from(cases[i].text);
        if (glob_match(compile(pattern, cases[i].flags), text) != cases[i].want)
            fail_msg("\"%s\" (flags %u) on \"%s\" is not %d", cases[i].pattern, cases[i].flags,
                     cases[i].text, cases[i].want);
        if (twin_match(pattern, cases[i].flags, text) != cases[i].want)
            fail_msg("the reference: \"%s\" on \"%s\"", cases[i].pattern, cases[i].text);
        assert_int_equal(glob_is_match(&arena, pattern, cases[i].flags, text), cases[i].want);
    }
}

static void named_cases(void **state)
{
    (void)state;
    in_arena(run_cases);
}

static void views_hold_nul(void *arg)
{
    (void)arg;
    assert_true(glob_match(compile(STR("a?b\0*"), 0), STR("a\0b\0c")));
    assert_false(glob_match(compile(STR("a\0b"), 0), STR("a\0c")));
    assert_false(glob_match(compile(STR("a"), 0), STR("a\0")));
    assert_true(glob_match(compile(STR("*"), 0), (struct str){0}));
    assert_true(glob_match(compile((struct str){0}, P | X), (struct str){0}));
}

static void nul_is_a_byte(void **state)
{
    (void)state;
    in_arena(views_hold_nul);
}

/* -- every short input, and random longer ones, against the reference ------------ */

/* The n-th string over the alphabet, short ones first. False beyond `longest`. */
static bool nth(const char *alphabet, size_t longest, size_t n, char *out, size_t *len)
{
    size_t letters = strlen(alphabet), block = 1;

    for (*len = 0; n >= block; block *= letters, ++*len)
        n -= block;
    for (size_t i = 0; i < *len; i++, n /= letters)
        out[i] = alphabet[n % letters];
    return *len <= longest;
}

static void compare(const struct glob *g, struct str pattern, unsigned flags, struct str text)
{
    bool fast = glob_match(g, text), slow = twin_match(pattern, flags, text);
    bool sure, plain = glob_plain(pattern, flags, text, &sure);

    if (sure && plain != slow)
        fail_msg("\"%.*s\" (flags %u) on \"%.*s\" as it is: %d, the reference says %d",
                 STR_ARG(pattern), flags, STR_ARG(text), plain, slow);
    if (fast != slow)
        fail_msg("\"%.*s\" (flags %u) on \"%.*s\": %d, the reference says %d", STR_ARG(pattern),
                 flags, STR_ARG(text), fast, slow);
}

static const struct {
    unsigned flags;
    const char *pattern_letters;
    size_t pattern_longest;
    const char *text_letters;
    size_t text_longest;
} spaces[] = {
    {0, "a/*?[]b!{},\\", 3, "ab/", 4},
    {0, "a*?b", 5, "ab/", 5},
    {P, "a*/", 6, "ab/", 5},
    {P, "a/*?[]b!{},\\", 3, "ab/", 4},
    {P, "a/*?", 5, "ab/", 5},
    {P | N, "aB*/[]", 4, "aAb/", 3},
    {P | B, "a/*{},", 5, "ab/", 4},
    {B, "a{},[\\]", 5, "a,{]", 2},
    {B, "ab*{,}", 5, "ab,", 4},
    {B | N, "aB*{,}", 4, "abA", 3},
    {P | X, "a/*?\\", 5, "ab/", 4},
    {X, "a/*?", 5, "ab/", 4},
    {P | B | X, "a/*{,}", 4, "ab/", 4},
    {0, "ab[]!-\\", 5, "ab]-", 2},
    {N, "aB[]^-", 5, "abA-", 2},
    {GLOB_NO_CLASSES | GLOB_NO_QUESTION | P, "a[]?*/", 4, "a[?/", 4},
};

static void run_spaces(void *arg)
{
    char pattern[16], text[16];
    struct str p = {pattern, 0}, t = {text, 0};

    (void)arg;
    for (size_t s = 0; s < COUNT(spaces); s++) {
        for (size_t i = 0;
             nth(spaces[s].pattern_letters, spaces[s].pattern_longest, i, pattern, &p.len); i++) {
            arena_reset(&arena);
            struct glob *g = compile(p, spaces[s].flags);
            for (size_t j = 0; nth(spaces[s].text_letters, spaces[s].text_longest, j, text, &t.len);
                 j++)
                compare(g, p, spaces[s].flags, t);
        }
    }
}

static void every_short_input(void **state)
{
    (void)state;
    in_arena(run_spaces);
}

static uint32_t seed;

static uint32_t roll(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

static size_t random_string(const char *const *pieces, size_t count, size_t most, char *out)
{
    size_t len = 0;

    for (size_t n = roll((uint32_t)most + 1); n > 0; n--) {
        const char *piece = pieces[roll((uint32_t)count)];
        memcpy(out + len, piece, strlen(piece));
        len += strlen(piece);
    }
    return len;
}

static void run_random(void *arg)
{
    static const char *const in_patterns[] = {
        "a", "b", "A",  "/",     "*", "**", "/**/", "?", "[ab]", "[!a]", "[a-\xc3\xa9]",
        "[", "]", "\\", "{a,b/", "}", ",",  "{",    "é", "\xa9", "\xc3", "[[:upper:]]"};
    static const char *const in_texts[] = {"a", "b", "A", "/", "é", "\xc3", "\xa9", "]", "a/b"};
    char pattern[128], text[128];

    (void)arg;
    seed = 1;
    for (int i = 0; i < 100000; i++) {
        struct str p = {pattern, random_string(in_patterns, COUNT(in_patterns), 7, pattern)};
        struct str t = {text, random_string(in_texts, COUNT(in_texts), 8, text)};
        unsigned flags = roll(64);
        arena_reset(&arena);
        if (p.len <= TWIN_MAX && t.len <= TWIN_MAX)
            compare(compile(p, flags), p, flags, t);
    }
}

static void random_longer_input(void **state)
{
    (void)state;
    in_arena(run_random);
}

/* Every ASCII symbol and every class name; the reference uses <ctype.h>. */
static void run_names(void *arg)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "digit",
                                        "graph", "lower", "print", "punct", "space",
                                        "upper", "word",  "xdigit"};

    (void)arg;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct str pattern = str_format(&arena, "[[:%s:]]", names[i]);
        struct glob *g = compile(pattern, 0);
        for (int c = 0; c < 256; c++) {
            char byte = (char)c;
            compare(g, pattern, 0, (struct str){&byte, 1});
        }
    }
}

static void names_of_classes(void **state)
{
    (void)state;
    in_arena(run_names);
}

/* -- glob_intersects() ------------------------------------------------------------ */

static const struct {
    const char *a;
    unsigned a_flags;
    const char *b;
    unsigned b_flags;
    bool want;
} intersections[] = {
    {"/home/u/.s?h/id_*", P, "/home/u/.ssh/**", P, true},
    {"/home/u/.s?h/id_*", P, "/home/u/.aws/**", P, false},
    {"/home/u/*/id_rsa", P, "/home/u/.ssh/**", P, true},
    {"/home/u/*", P, "/home/u/.ssh/**", P, true},
    {"/home/u/*", P, "/home/u/.ssh/*", P, false},
    {"/home/u/*", 0, "/home/u/.ssh/*", P, true},
    {"/home/u/[a-r]*", P, "/home/u/ssh", PX, false},
    {"/home/u/[!a-r]*", P, "/home/u/ssh", PX, true},
    {"**/x", P, "a/**", P, true},
    {"**/x", P, "a/**/y", P, false},
    {"a", 0, "A", N, true},
    {"a", 0, "A", 0, false},
    {"[a-c]", N, "B", 0, true},
    {"[a-c]", 0, "[d-f]", 0, false},
    {"[a-d]", 0, "[d-f]", 0, true},
    {"[!a-d]", 0, "[b-c]", 0, false},
    {"[!a-d]", 0, "[b-e]", 0, true},
    {"[!a]", 0, "[!b]", 0, true},
    {"[5-Z]", N, "[x-y]", 0, true},
    {"[!5-Z]", N, "[x-y]", 0, false},
    /* the shared symbol is after a range, after the slash, or where a case starts or ends */
    {"[!a-bd-\xf4\x8f\xbf\xbf]", 0, "[b-e]", 0, true},
    {"[.-0]", P, "[/-0]", 0, true},
    {"[.-/]", P, "[/-0]", 0, false},
    {"[5-Z]", N, "[_-c]", 0, true},
    {"[5-Z]", N, "[_-`]", 0, false},
    {"[_-z]", N, "[@-C]", 0, true},
    {"[!5-Z~-\xf4\x8f\xbf\xbf]", N, "[z-{]", 0, true},
    {"[!_-\xf4\x8f\xbf\xbf]", N, "[Y-\\[]", 0, true},
    {"[!_-\xf4\x8f\xbf\xbf]", N, "[Y-Z]", 0, false},
    {"[c-a]", 0, "?", 0, false},
    {"[/]", P, "?", 0, false},
    {"[.-0]", P, "[/]", 0, false},
    {"{a,b}", B, "{b,c}", B, true},
    {"{a,b}", B, "{c,d}", B, false},
    {"/etc", PX, "/etc/pass*", 0, true},
    {"/etc", PX, "/et*", P, true},
    {"/etc", PX, "/opt/*", P, false},
    {"/etc", X, "/etc/p*", P, true},
    {"\xff", 0, "?", 0, true},
    {"\xff", 0, "[\xc3\xa0-\xc3\xbf]", 0, false},
    {"", 0, "", P, true},
    {"", 0, "?", P, false},
};

static void run_meetings(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(intersections); i++) {
        struct glob *a = compile(str_from(intersections[i].a), intersections[i].a_flags);
        struct glob *b = compile(str_from(intersections[i].b), intersections[i].b_flags);
        if (glob_intersects(a, b) != intersections[i].want ||
            glob_intersects(b, a) != intersections[i].want)
            fail_msg("\"%s\" and \"%s\": not %d", intersections[i].a, intersections[i].b,
                     intersections[i].want);
    }
}

static void named_intersections(void **state)
{
    (void)state;
    in_arena(run_meetings);
}

/* Which of all texts up to five letters a pattern matches, as a bit set. If two of the patterns
 * below share any text, they share one of these. */
#define TEXTS 9331
#define WORDS ((TEXTS + 63) / 64)

struct known {
    struct glob *glob;
    char pattern[8];
    unsigned flags;
    uint64_t texts[WORDS];
};

static void fill_known(struct known *k, struct str pattern, unsigned flags)
{
    char text[8];
    struct str t = {text, 0};

    *k = (struct known){.glob = compile(pattern, flags), .flags = flags};
    memcpy(k->pattern, pattern.s, pattern.len);
    for (size_t i = 0; nth("aAbBc/", 5, i, text, &t.len); i++)
        if (glob_match(k->glob, t))
            k->texts[i / 64] |= (uint64_t)1 << i % 64;
}

static bool share_a_text(const struct known *a, const struct known *b)
{
    for (size_t i = 0; i < WORDS; i++)
        if (a->texts[i] & b->texts[i])
            return true;
    return false;
}

static size_t fill_all(struct known *all, size_t room)
{
    static const struct {
        unsigned flags;
        const char *letters;
        size_t longest;
    } kinds[] = {
        {0, "a/*?", 3}, {P, "a/*?", 3}, {P | N, "a/*b", 2}, {P | X, "a/*", 2}, {X, "a/*?", 2}};
    char pattern[8];
    struct str p = {pattern, 0};
    size_t count = 0;

    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t i = 0; nth(kinds[k].letters, kinds[k].longest, i, pattern, &p.len); i++) {
            assert_true(count < room);
            fill_known(&all[count++], p, kinds[k].flags);
        }
    static const char *const more[] = {"a/**",    "**/a",  "a/**/b",  "[ab]", "[!a]*",
                                       "a/[!ab]", "[B-a]", "**/a/**", "a**b"};
    for (size_t i = 0; i < COUNT(more) * 2; i++)
        fill_known(&all[count++], str_from(more[i / 2]), i % 2 ? P : P | N);
    return count;
}

static void run_brute_force(void *arg)
{
    size_t room = 512;
    struct known *all = ARENA_ARRAY(&arena, struct known, room);
    size_t count = fill_all(all, room);

    (void)arg;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (glob_intersects(all[i].glob, all[j].glob) != share_a_text(&all[i], &all[j]))
                fail_msg("\"%s\" (flags %u) and \"%s\" (flags %u): not %d", all[i].pattern,
                         all[i].flags, all[j].pattern, all[j].flags,
                         share_a_text(&all[i], &all[j]));
}

static void intersections_by_brute_force(void **state)
{
    (void)state;
    in_arena(run_brute_force);
}

/* -- prefixes, magic, escapes ------------------------------------------------- */

static const struct {
    const char *pattern;
    unsigned flags;
    const char *prefix;
    bool magic;
} prefixes[] = {
    {"", 0, "", false},
    {"git status", 0, "git status", false},
    {"git *", 0, "git ", true},
    {"Git *", N, "git ", true},
    {"*", 0, "", true},
    {"a\\*b?c", 0, "a*b", true},
    {"a\\*b", 0, "a*b", false},
    {"a[b", 0, "a[b", false},
    {"a[b]", 0, "a", true},
    {"a[b]", GLOB_NO_CLASSES, "a[b]", false},
    {"a?", GLOB_NO_QUESTION, "a?", false},
    {"a{b,c}", 0, "a{b,c}", false},
    {"a{b,c}", B, "a", true},
    {"a{bc,bd}", B, "ab", true},
    {"a{bc,b}", B, "ab", true},
    {"a{b", B, "a{b", false},
    {"/a/b", P, "/a/b", false},
    {"/a/**", P, "/a", true},
    {"/a/**/b", P, "/a/", true},
    {"/a/*", P, "/a/", true},
    {"/a", PX, "/a", false},
    {"/a/", X, "/a", false},
    {"\xc3\xa9\xff\xe2\x82\xac\xf0\x9f\x98\x80*", 0, "\xc3\xa9\xff\xe2\x82\xac\xf0\x9f\x98\x80",
     true},
};

static void run_prefixes(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(prefixes); i++) {
        struct str pattern = str_from(prefixes[i].pattern);
        struct str got = glob_literal_prefix(&arena, compile(pattern, prefixes[i].flags));
        if (!str_is(got, prefixes[i].prefix))
            fail_msg("\"%s\" begins with \"%.*s\"", prefixes[i].pattern, STR_ARG(got));
        if (glob_has_magic(pattern, prefixes[i].flags) != prefixes[i].magic)
            fail_msg("\"%s\": magic is not %d", prefixes[i].pattern, prefixes[i].magic);
    }
}

static void literal_prefix_and_magic(void **state)
{
    (void)state;
    in_arena(run_prefixes);
}

static void run_escapes(void *arg)
{
    char text[8];
    struct str t = {text, 0};

    (void)arg;
    for (size_t i = 0; nth("a*?[]{},\\/", 4, i, text, &t.len); i++) {
        arena_reset(&arena);
        struct str escaped = glob_escape(&arena, t);
        assert_false(glob_has_magic(escaped, P | B));
        assert_true(glob_match(compile(escaped, P | B), t));
        assert_true(glob_match(compile(escaped, 0), t));
    }
}

static void escaped_text_matches_itself(void **state)
{
    (void)state;
    in_arena(run_escapes);
}

/* -- limits -------------------------------------------------------------------- */

static enum status status_of(struct str pattern, unsigned flags)
{
    struct glob *g;
    struct error err = {0};
    enum status status = glob_compile(&arena, pattern, flags, &g, &err);

    assert_int_equal(err.status, status);
    assert_int_equal(g == NULL, status != STATUS_OK);
    return status;
}

static struct str repeat(const char *unit, size_t times)
{
    struct buf b = buf_in(&arena);

    while (times-- > 0)
        buf_text(&b, unit);
    return buf_str(&b);
}

static struct str around(const char *before, struct str s, const char *after)
{
    return str_join(&arena, str_from(before), str_join(&arena, s, str_from(after)));
}

static void run_limits(void *arg)
{
    (void)arg;
    assert_int_equal(status_of(repeat("a", GLOB_MAX_PATTERN), 0), STATUS_OK);
    assert_int_equal(status_of(repeat("*/", GLOB_MAX_PATTERN / 2), PX), STATUS_OK);
    assert_int_equal(status_of(repeat("a", GLOB_MAX_PATTERN + 1), 0), STATUS_LIMIT);

    assert_int_equal(status_of(around("{", repeat(",", GLOB_MAX_BRANCHES - 1), "}"), B), STATUS_OK);
    assert_int_equal(status_of(around("{", repeat(",", GLOB_MAX_BRANCHES), "}"), B), STATUS_LIMIT);
    assert_int_equal(status_of(around("{", repeat(",", GLOB_MAX_BRANCHES), "}"), 0), STATUS_OK);
    assert_int_equal(status_of(repeat("{a,b}", 8), B), STATUS_OK);
    assert_int_equal(status_of(repeat("{a,b}", 9), B), STATUS_LIMIT);

    struct str nested = around("", repeat("{", GLOB_MAX_NESTING), "x");
    assert_int_equal(status_of(around("", nested, repeat("}", GLOB_MAX_NESTING).s), B), STATUS_OK);
    assert_int_equal(status_of(around("{", nested, repeat("}", GLOB_MAX_NESTING + 1).s), B),
                     STATUS_LIMIT);
    assert_int_equal(status_of(repeat("{", GLOB_MAX_PATTERN), B), STATUS_LIMIT);

    struct str sixteenth = repeat("x", GLOB_MAX_EXPANDED / 16);
    assert_int_equal(status_of(around("{,,,,,,,,,,,,,,,}", sixteenth, ""), B), STATUS_OK);
    assert_int_equal(status_of(around("{,,,,,,,,,,,,,,,y}", sixteenth, ""), B), STATUS_LIMIT);
    assert_int_equal(status_of(repeat("{a}", 2000), B), STATUS_LIMIT);

    assert_int_equal(status_of(around("[", repeat("a", GLOB_MAX_CLASS), "]"), 0), STATUS_OK);
    assert_int_equal(status_of(around("[", repeat("a", GLOB_MAX_CLASS + 1), "]"), 0), STATUS_LIMIT);
    assert_int_equal(status_of(around("[", repeat("a", GLOB_MAX_CLASS + 1), "{b]}"), B),
                     STATUS_LIMIT);
    assert_int_equal(status_of(around("[", repeat("a", GLOB_MAX_CLASS + 1), ""), 0), STATUS_OK);

    assert_int_equal(status_of(STR("[[:alfa:]]"), 0), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("[[=a=]]"), 0), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("x[[.hyphen.]]"), 0), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("[a-[:alpha:]]"), 0), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("[[:alfa:]"), 0), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("{a,b}[[:alfa:]]{c,d}"), B), STATUS_SYNTAX);
    assert_int_equal(status_of(STR("[[:alfa:]]"), GLOB_NO_CLASSES), STATUS_OK);
    assert_true(glob_has_magic(STR("[[:alfa:]]"), 0));
    assert_false(glob_is_match(&arena, STR("[[:alfa:]]"), 0, STR("a")));
}

static void limits_are_errors(void **state)
{
    (void)state;
    in_arena(run_limits);
}

/* Each of these is exponential, or at least cubic, for a matcher that backtracks. */
static void run_hostile(void *arg)
{
    struct str long_text = repeat("a", 65536), slashes = repeat("a/", 32768);
    struct str many = repeat("a*", GLOB_MAX_PATTERN / 2 - 1),
               trees = repeat("**/a/", GLOB_MAX_PATTERN / 5);

    (void)arg;
    assert_false(glob_match(compile(around("", many, "b"), 0), long_text));
    assert_false(glob_match(compile(around("", many, "b"), P), long_text));
    assert_true(glob_match(compile(many, 0), long_text));
    assert_false(glob_match(compile(around("*", repeat("a", 300), "b"), 0), long_text));
    assert_false(glob_match(compile(around("", trees, "b"), P), slashes));
    assert_true(glob_match(compile(around("", trees, "**"), P), slashes));
    assert_false(glob_match(compile(repeat("*a/", 2000), P), slashes));
    assert_int_equal(status_of(repeat("[", GLOB_MAX_PATTERN), B), STATUS_OK);
    assert_int_equal(status_of(around("", repeat("[", GLOB_MAX_PATTERN - 2), "\\]"), B),
                     STATUS_LIMIT);
    assert_false(glob_has_magic(around("]", repeat("[", 1 << 20), ""), B));
    assert_true(glob_has_magic(around("", repeat("[", 1 << 20), "]"), B));
    /* Beyond the limit the answer is yes. */
    assert_true(
        glob_intersects(compile(around("", many, "b"), 0), compile(around("", many, "c"), 0)));
    assert_false(glob_intersects(compile(around("", repeat("a*", 500), "b"), 0),
                                 compile(around("", repeat("a*", 500), "c"), 0)));
}

static void hostile_input_ends(void **state)
{
    (void)state;
    in_arena(run_hostile);
}

/* -- the step limit ------------------------------------------------ */

static struct str repeated(struct arena *a, const char *front, char c, size_t count,
                           const char *end)
{
    struct buf b = buf_in(a);

    buf_text(&b, front);
    for (size_t i = 0; i < count; i++)
        buf_byte(&b, c);
    buf_text(&b, end);
    return buf_str(&b);
}

static void run_dear(void *arg)
{
    static const struct {
        const char *front, *end;
    } dear[] = {{"*", "b"}, {"*?", "b*"}, {"*", "[bc]*"}, {"*a*", "b*"}};
    struct str text = repeated(&arena, "", 'a', 65536, "");

    (void)arg;
    for (size_t i = 0; i < COUNT(dear); i++)
        for (unsigned flags = 0; flags <= GLOB_NOCASE; flags += GLOB_NOCASE) {
            struct str pattern =
                repeated(&arena, dear[i].front, 'a', GLOB_MAX_PATTERN - 10, dear[i].end);
            struct glob *g = compile(pattern, flags);
            assert_true(glob_match_or(g, text, true));
            assert_false(glob_match_or(g, text, false));
            assert_false(glob_match(g, text));
        }
    /* Patterns that people write do not reach the limit. */
    struct glob *plain = compile(str_from("*a*b*c*"), 0);
    assert_false(glob_match_or(plain, text, true));
    assert_true(glob_match(plain, repeated(&arena, "bb", 'a', 65536, "bc")));
}

static void the_caller_chooses_the_answer_at_the_limit(void **state)
{
    (void)state;
    in_arena(run_dear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_cases),
        cmocka_unit_test(nul_is_a_byte),
        cmocka_unit_test(every_short_input),
        cmocka_unit_test(random_longer_input),
        cmocka_unit_test(the_caller_chooses_the_answer_at_the_limit),
        cmocka_unit_test(names_of_classes),
        cmocka_unit_test(named_intersections),
        cmocka_unit_test(intersections_by_brute_force),
        cmocka_unit_test(literal_prefix_and_magic),
        cmocka_unit_test(escaped_text_matches_itself),
        cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(hostile_input_ends),
    };

    return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
