/* What a token may claim: a name that it does not give is the only one there is, and everything
 * else that it claims beyond its bounds is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/list.h"
#include "engine/bounds.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

struct claim {
    const char *ids, *workers, *directories; /* of the token, with blanks between them */
    unsigned modes;
    const char *id, *worker, *project, *mode; /* of the call; NULL: it names none */
    const char *why;                          /* NULL: it may */
    const char *made_id, *made_worker, *made_mode;
};

#define PLAN    (1u << MODE_PLAN)
#define EDITS   (1u << MODE_ACCEPT_EDITS)
#define PROJECT "/srv/p"
#define SEVERAL "this token acts for several: the call must name its "

static const struct claim claims[] = {
    {"", "", "", 0, "x", "y", "/p", "plan", NULL, "x", "y", "plan"},
    {"", "", "", 0, NULL, NULL, "/p", NULL, NULL, "", "", ""},
    {"a", "", "", 0, "a", NULL, "/p", NULL, NULL, "a", "", ""},
    {"a", "", "", 0, NULL, NULL, "/p", NULL, NULL, "a", "", ""},
    {"a", "", "", 0, "b", NULL, "/p", NULL, "this token may not act for project \"b\"", 0, 0, 0},
    {"a b", "", "", 0, "b", NULL, "/p", NULL, NULL, "b", "", ""},
    {"a b", "", "", 0, NULL, NULL, "/p", NULL, SEVERAL "project", 0, 0, 0},
    {"", "v w", "", 0, NULL, "w", "/p", NULL, NULL, "", "w", ""},
    {"", "w", "", 0, NULL, NULL, "/p", NULL, NULL, "", "w", ""},
    {"", "v w", "", 0, NULL, NULL, "/p", NULL, SEVERAL "worker", 0, 0, 0},
    {"", "v", "", 0, NULL, "w", "/p", NULL, "this token may not act for worker \"w\"", 0, 0, 0},
    {"", "", "/srv/p /q", 0, NULL, NULL, "/srv/p", NULL, NULL, "", "", ""},
    {"", "", "/srv/p /q", 0, NULL, NULL, "/q/below", NULL, NULL, "", "", ""},
    {"", "", "/srv/p", 0, NULL, NULL, "/srv/px", NULL,
     "this token may not act for the directory \"/srv/px\"", 0, 0, 0},
    {"", "", "/srv/p", 0, NULL, NULL, "/srv", NULL,
     "this token may not act for the directory \"/srv\"", 0, 0, 0},
    {"", "", "", PLAN, NULL, NULL, "/p", "plan", NULL, "", "", "plan"},
    {"", "", "", PLAN, NULL, NULL, "/p", NULL, NULL, "", "", "plan"},
    {"", "", "", PLAN | EDITS, NULL, NULL, "/p", "acceptEdits", NULL, "", "", "acceptEdits"},
    {"", "", "", PLAN, NULL, NULL, "/p", "bypassPermissions",
     "this token may not act for mode \"bypassPermissions\"", 0, 0, 0},
    {"", "", "", PLAN, NULL, NULL, "/p", "no such mode", NULL, "", "", "no such mode"},
    {"a", "w", PROJECT, PLAN, NULL, NULL, "/srv/p/x", NULL, NULL, "a", "w", "plan"},
};

static void put_words(struct arena *a, struct strs *list, const char *words)
{
    struct str rest = str_from(words), word;

    for (bool more = rest.len > 0; more;) {
        more = str_cut(rest, ' ', &word, &rest);
        LIST_PUSH(a, list, word);
    }
}

static struct str given(const char *text)
{
    return str_from(text ? text : "");
}

static void keep(struct arena *a, size_t i)
{
    const struct claim *c = &claims[i];
    struct caller_bounds bounds = {.modes = c->modes, .first = MODE_PLAN};
    struct call call = {.project_id = given(c->id),
                        .worker_id = given(c->worker),
                        .project = given(c->project),
                        .mode = given(c->mode),
                        .mode_given = c->mode != NULL};
    struct str why = {0};

    put_words(a, &bounds.ids, c->ids);
    put_words(a, &bounds.workers, c->workers);
    put_words(a, &bounds.directories, c->directories);
    const bool may = bounds_keep(a, &bounds, &call, &why);
    if (may != !c->why || (c->why && !str_is(why, c->why)))
        fail_msg("claim %zu: %d, %.*s", i, may, STR_ARG(why));
    if (c->why)
        return;
    assert_true(str_is(call.project_id, c->made_id) && str_is(call.worker_id, c->made_worker) &&
                str_is(call.mode, c->made_mode));
    assert_int_equal(call.mode_given, c->made_mode[0] != '\0');
    /* what no token proves stays a claim */
    assert_int_equal(call.name_unproved, !c->ids[0]);
    assert_int_equal(call.worker_unproved, !c->workers[0]);
    assert_int_equal(call.project_unproved, !c->directories[0]);
    assert_true(call.client_unproved);
}

static void keep_all(void *arg)
{
    for (size_t i = 0; i < COUNT(claims); i++)
        keep(arg, i);
}

/* A name of 80 bytes is quoted whole, and no more of one that is longer. */
static void quote_long(void *arg)
{
    static char name[82];
    struct caller_bounds bounds = {0};
    struct call call = {.project = STR("/p")};
    struct str why;

    memset(name, 'n', sizeof(name));
    put_words(arg, &bounds.ids, "a");
    for (size_t len = 79; len <= 81; len++) {
        call.project_id = (struct str){name, len};
        assert_false(bounds_keep(arg, &bounds, &call, &why));
        assert_int_equal(why.len,
                         strlen("this token may not act for project \"\"") + (len < 80 ? len : 80));
    }
}

static void in_an_arena(void (*work)(void *arena))
{
    struct arena a;

    arena_init(&a, 1 << 20);
    assert_true(arena_try(&a, work, &a));
    arena_release(&a);
}

static void claims_are_kept(void **state)
{
    (void)state;
    in_an_arena(keep_all);
}

static void refusals_are_short(void **state)
{
    (void)state;
    in_an_arena(quote_long);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_are_kept),
        cmocka_unit_test(refusals_are_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
