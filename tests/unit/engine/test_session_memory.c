/* The cache of sessions always agrees with their files, whichever process writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "engine/session_memory.h"
#include "machine/local.h"
#include "machine/stamp.h"
#include "support/policy_tree.h"

#include <cmocka.h>

static int64_t ahead; /* milliseconds by which the cache's clock is */

static int64_t later(void)
{
    return stamp_now() + ahead;
}

struct fixture {
    struct tree tree;
    struct arena arena;
    struct session_id id;
    struct session_memory *memory;
    char directory[TREE_PATH_MAX];
};

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    tree_make(&f->tree);
    arena_init(&f->arena, (size_t)64 * 1024 * 1024);
    f->id = (struct session_id){f->tree.state, STR("service uid:7"), STR("s1")};
    f->memory = session_memory_new(later);
    assert_non_null(f->memory);
    snprintf(f->directory, sizeof(f->directory), "%s/" SESSIONS_BELOW, f->tree.state);
    ahead = 10 * SESSION_MEMORY_RESTED;
}

static void close_fixture(struct fixture *f)
{
    session_memory_free(f->memory);
    arena_release(&f->arena);
    tree_remove(&f->tree);
}

static const char *file_of(const struct fixture *f, const struct session_id *id)
{
    static char path[TREE_PATH_MAX + SESSION_NAME_MAX];
    char name[SESSION_NAME_MAX];

    session_name(id, name);
    snprintf(path, sizeof(path), "%s/%s", f->directory, name);
    return path;
}

static struct session meet(struct fixture *f, const struct session_id *id)
{
    struct session s;
    struct error err = {0};

    if (session_memory_meet(f->memory, &f->arena, id, &s, &err))
        fail_msg("%s", err.message);
    return s;
}

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

static void begin(struct arena *a, struct session *s, void *context)
{
    (void)context;
    s->workspace = STR("/w");
    s->has_mode = true;
    s->mode = MODE_ACCEPT_EDITS;
    s->denials = 9;
    s->began = 5;
    LIST_PUSH(a, &s->grants, STR(KEY "0"));
    LIST_PUSH(a, &s->grants, STR(KEY "1"));
}

static void count_one(struct arena *a, struct session *s, void *context)
{
    (void)a, (void)context;
    s->denials++;
}

static void change(const struct session_id *id, session_change *how)
{
    struct error err = {0};

    if (session_update(id, how, NULL, NULL, &err))
        fail_msg("%s", err.message);
}

static void assert_begun(const struct session *s, uint32_t denials)
{
    assert_true(str_is(s->workspace, "/w"));
    assert_true(s->has_mode && s->mode == MODE_ACCEPT_EDITS && !s->has_prior && !s->fresh);
    assert_int_equal(s->denials, denials);
    assert_int_equal(s->began, 5);
    assert_int_equal(s->grants.count, 2);
    assert_true(str_is(s->grants.items[0], KEY "0") && str_is(s->grants.items[1], KEY "1"));
}

/* A session in a directory that others can write to is not read: whatever is still known was
 * cached. */
static bool is_remembered(struct fixture *f, const struct session_id *id)
{
    struct session s;

    assert_int_equal(chmod(f->directory, 0777), 0);
    enum status status = session_memory_meet(f->memory, &f->arena, id, &s, NULL);
    assert_int_equal(chmod(f->directory, 0700), 0);
    return status == STATUS_OK;
}

static void a_file_that_rests_is_read_once(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    change(&f.id, begin);
    if (!local_keeps_times(f.tree.state)) {
        close_fixture(&f);
        skip();
    }
    struct session first = meet(&f, &f.id);
    assert_begun(&first, 9);
    assert_true(is_remembered(&f, &f.id));
    struct session again = meet(&f, &f.id);
    assert_begun(&again, 9);
    session_memory_free(f.memory); /* results do not depend on it */
    f.memory = session_memory_new(later);
    assert_begun(&again, 9);
    assert_false(is_remembered(&f, &f.id));
    close_fixture(&f);
}

static void a_file_that_has_just_changed_is_not_remembered(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    ahead = 0;
    change(&f.id, begin);
    (void)meet(&f, &f.id);
    assert_false(is_remembered(&f, &f.id));
    close_fixture(&f);
}

/* With the real clock, so that the tick in which a file changes counts: a change by any process is
 * seen by the next reader. */
static void every_change_of_others_is_seen(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    ahead = 0;
    change(&f.id, begin);
    for (uint32_t i = 0; i < 500; i++) {
        if (i % 3)
            change(&f.id, count_one);
        struct session s = meet(&f, &f.id), on_disk;
        assert_int_equal(session_load(&f.arena, &f.id, &on_disk, NULL), STATUS_OK);
        assert_begun(&s, on_disk.denials);
    }
    close_fixture(&f);
}

static void a_remembered_file_that_changes_is_read_again(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    change(&f.id, begin);
    (void)meet(&f, &f.id);
    change(&f.id, count_one); /* from 9 to 10, so that the size changes too */
    struct session s = meet(&f, &f.id);
    assert_begun(&s, 10);
    assert_int_equal(chmod(file_of(&f, &f.id), 0666), 0); /* now others may write it */
    assert_int_not_equal(session_memory_meet(f.memory, &f.arena, &f.id, &s, NULL), STATUS_OK);
    assert_int_equal(chmod(file_of(&f, &f.id), 0600), 0);
    (void)meet(&f, &f.id);
    assert_int_equal(unlink(file_of(&f, &f.id)), 0);
    s = meet(&f, &f.id);
    assert_true(s.fresh && s.began >= stamp_now() / 1000 - 60 && s.grants.count == 0);
    assert_false(is_remembered(&f, &f.id)); /* there is nothing yet */
    close_fixture(&f);
}

static void sessions_of_two_clients_are_two(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    const struct session_id ids[] = {{f.tree.state, STR("ab"), STR("c")},
                                     {f.tree.state, STR("a"), STR("bc")},
                                     {f.tree.state, STR("c"), STR("ab")}};
    change(&ids[0], begin);
    for (size_t round = 0; round < 3; round++) {
        struct session s = meet(&f, &ids[0]);
        assert_begun(&s, 9);
        for (size_t i = 1; i < COUNT(ids); i++) {
            s = meet(&f, &ids[i]);
            assert_true(s.fresh && s.denials == 0);
        }
    }
    close_fixture(&f);
}

static void more_sessions_than_slots_are_all_right(void **state)
{
    struct fixture f;
    char name[16];

    (void)state;
    open_fixture(&f);
    for (int round = 0; round < 2; round++)
        for (unsigned i = 0; i < 2 * SESSION_MEMORY_SLOTS; i++) {
            snprintf(name, sizeof(name), "s%u", i);
            const struct session_id id = {f.tree.state, STR("service"), str_from(name)};
            if (round == 0)
                change(&id, count_one);
            if (round == 0 && i % 2)
                change(&id, count_one);
            struct session s = meet(&f, &id);
            assert_int_equal(s.denials, 1 + i % 2);
        }
    close_fixture(&f);
}

static void name_workspace(struct arena *a, struct session *s, void *context)
{
    char *text = arena_bytes(a, SESSION_MEMORY_BYTES);

    (void)context;
    memset(text, 'w', SESSION_MEMORY_BYTES);
    text[0] = '/';
    s->workspace = (struct str){text, SESSION_MEMORY_BYTES};
}

static void what_is_too_large_is_read_each_time(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    change(&f.id, name_workspace);
    for (int i = 0; i < 2; i++) {
        struct session s = meet(&f, &f.id);
        assert_int_equal(s.workspace.len, SESSION_MEMORY_BYTES);
    }
    assert_false(is_remembered(&f, &f.id));
    close_fixture(&f);
}

static void build_one(struct arena *a, struct session *s, void *context)
{
    (void)context;
    LIST_PUSH(a, &s->programs, (struct session_program){.path = STR("/w/x"), .built = 1});
}

static void one_that_built_programs_is_read_each_time(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    change(&f.id, build_one);
    for (int i = 0; i < 2; i++) {
        struct session s = meet(&f, &f.id);
        assert_int_equal(s.programs.count, 1);
    }
    assert_false(is_remembered(&f, &f.id));
    close_fixture(&f);
}

static void a_session_that_began_in_the_future_is_not_remembered(void **state)
{
    struct fixture f;
    struct session s;

    (void)state;
    open_fixture(&f);
    change(&f.id, begin);
    (void)meet(&f, &f.id);
    ahead = -stamp_now() + 4000; /* the clock was set back to before it began */
    assert_false(is_remembered(&f, &f.id));
    assert_int_equal(session_memory_meet(f.memory, &f.arena, &f.id, &s, NULL), STATUS_OK);
    close_fixture(&f);
}

static void without_memory_nothing_is_made_up(void **state)
{
    struct fixture f;
    struct session s;
    size_t n = 0;

    (void)state;
    open_fixture(&f);
    change(&f.id, begin);
    (void)meet(&f, &f.id);
    do {
        arena_reset(&f.arena);
        arena_fail_at(&f.arena, ++n);
        if (session_memory_meet(f.memory, &f.arena, &f.id, &s, NULL) == STATUS_OK)
            assert_begun(&s, 9);
        else
            assert_true(s.grants.count == 0 && !s.has_mode);
    } while (f.arena.allocations >= n && n < 1000);
    assert_in_range(n, 2, 999);
    close_fixture(&f);
}

static void without_a_session_there_is_nothing(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    f.id.session = (struct str){0};
    struct session s = meet(&f, &f.id);
    assert_true(!s.fresh && s.began == 0 && s.workspace.len == 0);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_rests_is_read_once),
        cmocka_unit_test(a_file_that_has_just_changed_is_not_remembered),
        cmocka_unit_test(every_change_of_others_is_seen),
        cmocka_unit_test(a_remembered_file_that_changes_is_read_again),
        cmocka_unit_test(sessions_of_two_clients_are_two),
        cmocka_unit_test(more_sessions_than_slots_are_all_right),
        cmocka_unit_test(what_is_too_large_is_read_each_time),
        cmocka_unit_test(one_that_built_programs_is_read_each_time),
        cmocka_unit_test(a_session_that_began_in_the_future_is_not_remembered),
        cmocka_unit_test(without_memory_nothing_is_made_up),
        cmocka_unit_test(without_a_session_there_is_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
