#include "report/diff.h"

#include "base/list.h"

#define CONTEXT 3 /* lines around a change */
#define LOOK                                                                                       \
    200 /* lines that are searched for a match; beyond that both texts are shown    \ whole */

struct lines LIST_OF(struct str);

static struct lines split(struct arena *a, struct str text)
{
    struct lines lines = {0};
    struct str line;

    while (text.len) {
        if (!str_cut(text, '\n', &line, &text))
            text = (struct str){0};
        LIST_PUSH(a, &lines, line);
    }
    return lines;
}

/* One line of the result. */
struct step {
    char mark;
    struct str line;
};
struct steps LIST_OF(struct step);

/* How many lines of `in`, from `at`, come before `line`; STR_NONE if it is not near. */
static size_t distance(const struct lines *in, size_t at, struct str line)
{
    for (size_t i = at; i < in->count && i - at < LOOK; i++)
        if (str_eq(in->items[i], line))
            return i - at;
    return STR_NONE;
}

static struct steps walk(struct arena *a, const struct lines *before, const struct lines *after)
{
    struct steps steps = {0};
    size_t i = 0, n = 0;

    while (i < before->count || n < after->count) {
        if (i < before->count && n < after->count && str_eq(before->items[i], after->items[n])) {
            LIST_PUSH(a, &steps, (struct step){' ', before->items[i++]});
            n++;
            continue;
        }
        size_t comes = i < before->count ? distance(after, n, before->items[i]) : 0;
        size_t goes = n < after->count ? distance(before, i, after->items[n]) : STR_NONE;
        bool adds = n < after->count && comes != STR_NONE && (goes == STR_NONE || comes <= goes);
        if (adds || i == before->count)
            LIST_PUSH(a, &steps, (struct step){'+', after->items[n++]});
        else
            LIST_PUSH(a, &steps, (struct step){'-', before->items[i++]});
    }
    return steps;
}

static bool is_near(const struct steps *steps, size_t at)
{
    size_t from = at > CONTEXT ? at - CONTEXT : 0,
           to = at + CONTEXT < steps->count ? at + CONTEXT : steps->count - 1;

    for (size_t i = from; i <= to; i++)
        if (steps->items[i].mark != ' ')
            return true;
    return false;
}

struct str diff_lines(struct arena *a, struct str before, struct str after)
{
    struct lines old = split(a, before), new = split(a, after);
    struct steps steps = walk(a, &old, &new);
    struct buf b = buf_in(a);
    bool gap = false;

    if (str_eq(before, after))
        return (struct str){"", 0};
    for (size_t i = 0; i < steps.count; i++) {
        if (!is_near(&steps, i)) {
            gap = true;
            continue;
        }
        if (gap)
            buf_text(&b, "  ...\n");
        gap = false;
        buf_format(&b, "%c %.*s\n", steps.items[i].mark, STR_ARG(steps.items[i].line));
    }
    return buf_str(&b);
}
