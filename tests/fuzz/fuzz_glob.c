/* fuzz_glob.c - fuzzes base/glob*.c: compiling, matching, intersecting.
 *
 * Input: one byte of flags, the pattern, a newline, the text; the text is also used as a second
 * pattern. Properties: the matcher, the slow reference and glob_plain() agree; patterns that match
 * the same text intersect; every match starts with the literal prefix; a pattern without magic
 * matches itself, and so does an escaped text. */
#include <stdint.h>
#include <stdlib.h>

#include "../support/glob_twin.c" /* fuzz targets link only the product */

#define ALL_FLAGS 63

static struct arena arena;

struct input {
    unsigned flags;
    struct str pattern, text;
};

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* The reference is exponential in the number of runs. */
static bool is_short(struct str pattern, struct str text)
{
    size_t runs = 0;

    for (size_t i = 0; i < pattern.len; i++)
        runs += pattern.s[i] == '*' || pattern.s[i] == '{' || pattern.s[i] == ',';
    return pattern.len <= TWIN_MAX && text.len <= 24 && runs <= 6;
}

static void check_prefix(const struct glob *g, unsigned flags, struct str text)
{
    struct str prefix = glob_literal_prefix(&arena, g);
    struct str start = str_slice(text, 0, prefix.len);

    must(flags & GLOB_NOCASE ? str_eq_nocase(start, prefix) : str_eq(start, prefix));
}

static void check_meeting(const struct glob *g, struct str text)
{
    struct glob *other, *only;

    must(glob_compile(&arena, glob_escape(&arena, text), 0, &only, NULL) != STATUS_OK ||
         glob_match(only, text));
    if (text.len < GLOB_MAX_PATTERN / 2 && glob_match(g, text))
        must(glob_intersects(g, only));
    if (glob_compile(&arena, text, GLOB_PATH, &other, NULL) != STATUS_OK)
        return;
    must(glob_intersects(g, other) == glob_intersects(other, g));
    if (glob_match(g, text) && glob_match(other, text))
        must(glob_intersects(g, other));
}

static void run(void *arg)
{
    const struct input *in = arg;
    struct glob *g;

    if (glob_compile(&arena, in->pattern, in->flags, &g, NULL) != STATUS_OK)
        return;
    bool sure, matches = glob_match(g, in->text),
               plain = glob_plain(in->pattern, in->flags, in->text, &sure);
    must(!sure || plain == glob_match_or(g, in->text, plain)); /* which may hit its limit */
    if (matches)
        check_prefix(g, in->flags, in->text);
    if (is_short(in->pattern, in->text))
        must(matches == twin_match(in->pattern, in->flags, in->text));
    if (!glob_has_magic(in->pattern, in->flags) && !str_has(in->pattern, '\\'))
        must(glob_match(g, in->pattern));
    check_meeting(g, in->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {(const char *)data, size};
    struct input in = {0};

    if (size == 0 || size > 4096)
        return 0;
    in.flags = data[0] & ALL_FLAGS;
    str_cut(str_from_byte(all, 1), '\n', &in.pattern, &in.text);
    arena_init(&arena, (size_t)16 << 20);
    must(arena_try(&arena, run, &in));
    arena_release(&arena);
    return 0;
}
