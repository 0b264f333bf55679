#include "facts/selection.h"

#include "base/glob.h"
#include "base/path.h"

/* Tests of find that take a glob, and what it is matched with. */
static const struct name_test {
    const char *name;
    bool path;
} tests[] = {{"-name", false}, {"-iname", false},    {"-path", true},
             {"-ipath", true}, {"-wholename", true}, {"-iwholename", true}};

static const struct name_test *test_named(struct str word)
{
    for (size_t i = 0; i < COUNT(tests); i++)
        if (str_is(word, tests[i].name))
            return &tests[i];
    return NULL;
}

static bool is_not(struct str word)
{
    return str_is(word, "!") || str_is(word, "-not");
}

static bool is_or(struct str word)
{
    return str_is(word, "-o") || str_is(word, "-or") || str_is(word, ",");
}

/* An expression is read as alternatives, ignoring parentheses. One without a test of a name may
 * select anything; otherwise a file that is selected passes all tests of some alternative. That
 * also holds with parentheses, as long as none of them is negated: of a group whose last
 * alternative was not taken, the one that was taken ends at the next "or". */
static void read_tests(const struct facts *f, const struct strs *words, struct selection *s)
{
    bool named = false, negated = false;

    for (size_t i = 1; i < words->count; i++) {
        struct str word = words->items[i];
        const struct name_test *test = i + 1 < words->count ? test_named(word) : NULL;
        if (is_or(word)) {
            s->all |= !named;
            s->alternatives++;
            named = false;
        } else if (test) {
            struct selection_test t = {words->items[++i], test->path, s->alternatives};
            s->all |= str_has(t.glob, WORD_UNKNOWN);
            if (!negated)
                LIST_PUSH(f->arena, &s->tests, t);
            named |= !negated;
        }
        s->all |= negated && str_is(word, "(");
        negated = is_not(word);
    }
    s->alternatives++;
    s->all |= !named;
}

struct selection selection_of_find(const struct facts *f, const struct strs *words,
                                   struct str directory)
{
    struct selection s = {.from = directory, .root = STR(".")};
    struct str path;

    for (size_t i = 1; i < words->count; i++)
        if (path_absolute(f->arena, f->env.cwd, f->home, words->items[i], &path) &&
            str_eq(path, directory)) {
            s.root = words->items[i];
            break;
        }
    read_tests(f, words, &s);
    return s;
}

static bool passes(const struct facts *f, const struct selection *s, const struct selection_test *t,
                   struct str path)
{
    struct str rest, text = path_base(path);
    struct glob *g;

    if (t->path && !path_relative(s->from, path, &rest))
        return true;
    if (t->path)
        text = str_format(f->arena, "%.*s/%.*s", STR_ARG(s->root), STR_ARG(rest));
    return glob_compile(f->arena, t->glob, GLOB_NOCASE, &g, NULL) != STATUS_OK ||
           glob_match_or(g, text, true);
}

bool selection_has(const struct facts *f, const struct selection *s, struct str path)
{
    for (size_t n = 0; !s->all && n < s->alternatives; n++) {
        bool all = true;
        for (size_t i = 0; all && i < s->tests.count; i++)
            all = s->tests.items[i].alternative != n || passes(f, s, &s->tests.items[i], path);
        if (all)
            return true;
    }
    return s->all;
}
