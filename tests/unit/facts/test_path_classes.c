/* Which class a path has: the index compared with a search through all rows, and patterns compared
 * with globs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/glob.h"
#include "base/path.h"
#include "facts/path_classes.h"
#include "facts/sensitive_paths.h"
#include "support/dice.h"

#include <cmocka.h>

static const struct str home = {"/home/user", 10};

static bool begins_somewhere(struct str pattern, struct str path)
{
    struct str part;

    for (; path.len; str_cut(path, '/', &part, &path))
        if (path_class_begins(pattern, path))
            return true;
    return false;
}

static bool row_has(const struct path_class *row, struct str path)
{
    struct str name = str_from(row->path);

    switch (row->where) {
    case PATH_CLASS_HOME:
        return path.len > home.len && str_eq_nocase(str_slice(path, 0, home.len), home) &&
               path.s[home.len] == '/' &&
               path_class_begins(name, str_from_byte(path, home.len + 1));
    case PATH_CLASS_ROOT:
        return path_class_begins(name, str_from_byte(path, 1));
    case PATH_CLASS_ANYWHERE:
        return begins_somewhere(name, str_from_byte(path, 1));
    }
    return false;
}

static bool row_meets(struct arena *a, const struct path_class *row, struct str pattern)
{
    const char *const forms[] = {[PATH_CLASS_HOME] = "/home/user/%s{,/**}",
                                 [PATH_CLASS_ROOT] = "/%s{,/**}",
                                 [PATH_CLASS_ANYWHERE] = "/**/%s{,/**}"};
    const unsigned flags = GLOB_PATH | GLOB_NOCASE | GLOB_BRACES;
    struct glob *x = NULL, *y = NULL;
    char text[256];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof(text), forms[row->where], row->path);
#pragma GCC diagnostic pop
    assert_int_equal(glob_compile(a, str_from(text), flags, &x, NULL), STATUS_OK);
    assert_int_equal(glob_compile(a, pattern, flags, &y, NULL), STATUS_OK);
    return glob_intersects(x, y);
}

static size_t slow_match(struct arena *a, enum path_class_list list, struct str path, bool pattern)
{
    const struct path_class_table *table = &path_class_tables[list];

    for (size_t i = 0; i < table->count; i++)
        if (pattern ? row_meets(a, &table->rows[i], path) : row_has(&table->rows[i], path))
            return i;
    return table->count;
}

/* A component similar to some row's, in other case and with something before or after it. */
static void add_component(struct buf *b, struct dice *d, bool pattern)
{
    const struct path_class_table *table = &path_class_tables[dice_below(d, PATH_CLASS_TABLES)];
    struct str name = str_from(table->rows[dice_below(d, table->count)].path);
    static const char *const others[] = {"src",   "x.c",  "home", "user", "etc",
                                         "a.pem", "ROOT", ".pem", "proc", "1"};
    static const char *const wild[] = {"*",  "**",  "?",     "*.p*", ".e?v*",
                                       "s*", "***", "*e*t*", "??",   "id_*"};

    buf_byte(b, '/');
    if (dice_below(d, 2))
        name = str_from(others[dice_below(d, COUNT(others))]);
    if (pattern && dice_below(d, 3) == 0)
        name = str_from(wild[dice_below(d, COUNT(wild))]);
    for (size_t i = 0; i < name.len; i++)
        if (pattern || name.s[i] != '*')
            buf_byte(b, dice_below(d, 12)
                            ? name.s[i]
                            : (char)(name.s[i] ^ (ascii_is_letter(name.s[i]) ? 0x20 : 0)));
        else if (dice_below(d, 2))
            buf_text(b, "ab");
    if (dice_below(d, 20) == 0)
        buf_text(b, pattern ? "*" : "x");
}

struct work {
    struct arena *arena;
    struct dice *dice;
    bool pattern;
};

static void compare_one(void *arg)
{
    struct work *w = arg;
    struct buf b = buf_in(w->arena);
    enum path_class_list list = (enum path_class_list)dice_below(w->dice, PATH_CLASS_TABLES);
    const struct path_class_search search = {.list = list, .home = home, .hidden = true};

    if (dice_below(w->dice, 3) == 0)
        buf_text(&b, dice_below(w->dice, 8) ? "/home/user" : "/Home/USER");
    for (size_t n = 1 + dice_below(w->dice, 4); n > 0; n--)
        add_component(&b, w->dice, w->pattern);
    struct str path = path_clean(w->arena, buf_str(&b));
    size_t fast = path_class_match(&search, path, w->pattern),
           slow = slow_match(w->arena, list, path, w->pattern);
    if (fast != slow)
        fail_msg("%s: row %zu, and by the walk %zu", path.s, fast, slow);
}

static void compare(bool pattern, unsigned rounds)
{
    struct arena arena;
    struct dice dice = {7};
    struct work w = {&arena, &dice, pattern};

    arena_init(&arena, (size_t)64 << 20);
    for (unsigned i = 0; i < rounds; i++) {
        assert_true(arena_try(&arena, compare_one, &w));
        arena_reset(&arena);
    }
    arena_release(&arena);
}

static void paths_lie_where_the_walk_says(void **state)
{
    (void)state;
    compare(false, 20000);
}

static void patterns_meet_where_globs_do(void **state)
{
    (void)state;
    compare(true, 2000);
}

static void homes_lie_where_they_are_said_to(void **state)
{
    static const struct {
        const char *home, *path;
        bool secret;
    } rows[] = {
        {"/", "/.mutt/x", true},
        {"/home/user", "/home/user/.mutt", true},
        {"/home/user", "/HOME/user/.MUTT/x", true},
        {"/home/user", "/home/user//.mutt/x", true},
        {"/home/user", "/home//user/.mutt/x", true},
        {"/home/user", "/home/users/.mutt", false},
        {"/home/user", "/home/user", false},
        {"/home/user", "/home/use/.mutt", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct path_class_search search = {
            .list = PATHS_SECRET, .home = str_from(rows[i].home), .hidden = true};
        bool secret = path_class_match(&search, str_from(rows[i].path), false) <
                      path_class_tables[PATHS_SECRET].count;
        if (secret != rows[i].secret)
            fail_msg("%s, home %s", rows[i].path, rows[i].home);
    }
}

struct last_glob {
    struct arena arena;
    bool before, behind, plain;
};

static void ask_at_the_limit(void *arg)
{
    struct last_glob *l = arg;
    const struct call call = {.kind = TOOL_SHELL};
    struct decision_cache found = {.globbed = SENSITIVE_GLOBS_MAX -
                                              2}; /* one for each of the first two questions */
    static const struct rulebook book;
    const struct facts f = {
        .arena = &l->arena, .call = &call, .home = home, .cache = &found, .book = &book};
    const struct subject_path dear = {.written = STR("/w/[ab]c"), .pattern = true},
                              cheap = {.written = STR("/w/?c"), .pattern = true};

    l->before = path_secret(&f, &dear) || path_protected(&f, &dear);
    l->behind = path_secret(&f, &dear) && path_protected(&f, &dear);
    l->plain = path_secret(&f, &cheap) || path_protected(&f, &cheap);
}

static void too_many_dear_patterns_could_name_anything(void **state)
{
    struct last_glob l = {0};

    (void)state;
    arena_init(&l.arena, (size_t)1 << 20);
    assert_true(arena_try(&l.arena, ask_at_the_limit, &l));
    arena_release(&l.arena);
    assert_false(l.before);
    assert_true(l.behind);
    assert_false(l.plain);
}

/* A star of the row stands for any name. */
static bool begins_with(struct str row, struct str directory)
{
    struct str name, want;

    while (directory.len) {
        if (row.len == 0)
            return false;
        str_cut(directory, '/', &name, &directory);
        str_cut(row, '/', &want, &row);
        if (!path_class_component_is(want, name))
            return false;
    }
    return true;
}

static bool slowly_below(enum path_class_list list, enum path_class_where where,
                         struct str directory)
{
    for (size_t i = 0; i < path_class_tables[list].count; i++)
        if (path_class_tables[list].rows[i].where == where &&
            begins_with(str_from(path_class_tables[list].rows[i].path), directory))
            return true;
    return false;
}

/* For each row every directory above it, and names that only begin alike. */
static void rows_lie_below_their_directories(void **unused)
{
    static const enum path_class_where wheres[] = {PATH_CLASS_HOME, PATH_CLASS_ROOT};
    size_t found = 0;

    (void)unused;
    for (size_t n = 0; n < PATH_CLASS_TABLES * COUNT(wheres); n++) {
        const enum path_class_list list = (enum path_class_list)(n / COUNT(wheres));
        const enum path_class_where where = wheres[n % COUNT(wheres)];
        for (size_t i = 0; i < path_class_tables[list].count; i++) {
            struct str path = str_from(path_class_tables[list].rows[i].path);
            for (size_t len = 1; len <= path.len; len++) {
                struct str directory = str_slice(path, 0, len);
                if (str_is(directory, ".")) /* is no name */
                    continue;
                bool below = path_class_lies_below(list, where, directory, PICK_ALL);
                if (below != slowly_below(list, where, directory))
                    fail_msg("%.*s", STR_ARG(directory));
                found += below;
            }
        }
    }
    assert_true(found > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_lie_below_their_directories),
        cmocka_unit_test(too_many_dear_patterns_could_name_anything),
        cmocka_unit_test(homes_lie_where_they_are_said_to),
        cmocka_unit_test(paths_lie_where_the_walk_says),
        cmocka_unit_test(patterns_meet_where_globs_do),
    };

    return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
