#include "support/inlinetext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "programs/programs.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define ROOM ((size_t)64 << 20)

struct work {
    struct arena arena;
    const struct inline_reader *reader;
    struct str text;
    bool argument; /* a word behind the text */
    bool taken;
};

static void explain(void *arg)
{
    struct work *w = arg;
    const struct shell_word words[] = {{.text = str_from(w->reader->program), .known = true},
                                       {.text = str_from(w->reader->option), .known = true},
                                       {.text = w->text, .known = true},
                                       {.text = STR("first"), .known = true}};
    struct program_use use;

    program_explain(&w->arena, words, COUNT(words) - !w->argument, NULL, &use);
    w->taken = use.effects == EFFECT_MODULES;
}

static bool takes(const struct inline_reader *reader, struct str text, bool argument)
{
    struct work w = {.reader = reader, .text = text, .argument = argument};

    arena_init(&w.arena, ROOM);
    assert_true(arena_try(&w.arena, explain, &w));
    arena_release(&w.arena);
    return w.taken;
}

bool inline_takes(const struct inline_reader *reader, struct str text)
{
    return takes(reader, text, false);
}

bool inline_takes_repeated(const struct inline_reader *reader, const char *before,
                           const char *middle, const char *after, size_t n)
{
    struct arena own;
    struct buf b;

    arena_init(&own, ROOM);
    b = buf_in(&own);
    for (size_t i = 0; i < n; i++)
        buf_text(&b, before);
    buf_text(&b, middle);
    for (size_t i = 0; i < n; i++)
        buf_text(&b, after);
    bool is = inline_takes(reader, buf_str(&b));
    arena_release(&own);
    return is;
}

bool inline_takes_numbered(const struct inline_reader *reader, const char *before,
                           const char *after, size_t n)
{
    struct arena own;
    struct buf b;

    arena_init(&own, ROOM);
    b = buf_in(&own);
    for (size_t i = 0; i < n; i++)
        buf_format(&b, "%s%zu%s\n", before, i, after);
    bool is = inline_takes(reader, buf_str(&b));
    arena_release(&own);
    return is;
}

size_t inline_edge(const struct inline_reader *reader, const char *before, const char *middle,
                   const char *after, size_t most)
{
    size_t low = 0, high = most;

    assert_true(inline_takes_repeated(reader, before, middle, after, 1));
    assert_false(inline_takes_repeated(reader, before, middle, after, most));
    while (low + 1 < high) {
        size_t n = (low + high) / 2;
        if (inline_takes_repeated(reader, before, middle, after, n))
            low = n;
        else
            high = n;
    }
    return low;
}

size_t inline_wrong_in(const struct inline_reader *reader, const char *file, bool taken)
{
    size_t len, wrong = 0;
    char *whole = read_whole_file(source_path(file), &len), *next;

    for (char *text = whole; text; text = next) {
        next = strstr(text, "\n%%\n");
        if (next) {
            *next = '\0';
            next += strlen("\n%%\n");
        }
        if (takes(reader, str_from(text), true) != taken) {
            print_error("%s: %s: %s\n", file, taken ? "refused" : "taken", text);
            wrong++;
        }
    }
    free(whole);
    return wrong;
}
