/* Eight threads check while two change the policy: every verdict, to the last byte of its JSON, is
 * one of the first or of the second policy. A thread that saw half of each would get something
 * else.
 *
 * WARDER_CHECKS sets the total number of checks; `make tsan-threads` runs ten million. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/edges.h"
#include "warder_admin.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define CHECKERS 8
#define UPDATERS 2
#define CHECKS   20000 /* in total, unless the environment says otherwise */
#define WHOLE    16    /* one in so many verdicts is compared as a whole */
#define RELOADS  64    /* one reload per so many updates */
#define PATIENCE                                                                                   \
    1000 /* limit, as a multiple of the checks, for waiting until both policies were seen */

/* Each replaces all rules of its tools at once. */
static const char *const policies[] = {
    "[{\"type\":\"replaceRules\",\"rules\":[\"Bash(frob a)\",\"Bash(frob "
    "b)\"],\"behavior\":\"allow\"},"
    "{\"type\":\"replaceRules\",\"rules\":[\"mcp__s__t\"],\"behavior\":\"deny\"},"
    "{\"type\":\"setMode\",\"mode\":\"default\"}]",
    "[{\"type\":\"replaceRules\",\"rules\":[\"Bash(frob a)\"],\"behavior\":\"deny\"},"
    "{\"type\":\"addRules\",\"rules\":[\"Bash(frob b)\"],\"behavior\":\"ask\"},"
    "{\"type\":\"replaceRules\",\"rules\":[\"mcp__s__t\"],\"behavior\":\"allow\"},"
    "{\"type\":\"setMode\",\"mode\":\"acceptEdits\"}]",
};
#define POLICIES COUNT(policies)

/* The calls, and the verdicts of the two policies. Tools other than the shell are frequent because
 * they are quick. */
static const struct {
    const char *json;
    unsigned weight;
    const char *want[POLICIES];
} calls[] = {
    {"{\"tool\":\"mcp__s__t\",\"input\":{}}", 40, {"deny", "allow"}},
    {"{\"tool\":\"mcp__s__t\",\"input\":{\"x\":[1,2]},\"project\":\"/nonexistent/second\"}",
     20,
     {"deny", "allow"}},
    {"{\"tool\":\"Bash\",\"input\":{\"command\":\"frob b\"}}", 1, {"allow", "ask"}},
    {"{\"tool\":\"Bash\",\"input\":{\"command\":\"frob b && frob a\"}}", 1, {"allow", "deny"}},
    {"{\"tool\":\"Edit\",\"input\":{\"file_path\":\"/nonexistent/p/"
     "x\",\"old_string\":\"a\",\"new_string\":\"b\"}}",
     1,
     {"ask", "allow"}},
    {"{\"tool\":\"Bash\",\"input\":{\"command\":\"frob a\"},\"project\":\"/nonexistent/third\"}",
     1,
     {"allow", "deny"}},
    {"{\"tool\":", 1, {"deny", "deny"}},
};

struct scene {
    warder_engine *engine;
    char *texts[COUNT(calls)][POLICIES], *shorts[COUNT(calls)][POLICIES];
    size_t checks; /* of each thread */
    atomic_size_t wrong, failed, seen[POLICIES];
    atomic_bool done;
    _Atomic(char *) example; /* of a verdict that neither policy gives */
};

static warder_engine *open_engine(void)
{
    static const char text[] = "deny: ['Bash(frob z)']\n";
    warder_options options = WARDER_OPTIONS_INIT;
    warder_text given = {"p.yaml", "warder", text, sizeof(text) - 1};
    warder_engine *engine;

    options.home = "/nonexistent/home";
    options.cwd = "/nonexistent/p";
    options.texts = &given;
    options.text_count = 1;
    assert_int_equal(warder_engine_new(&options, &engine, NULL), WARDER_OK);
    return engine;
}

static warder_status update(warder_engine *engine, size_t which)
{
    return warder_engine_update(engine, policies[which], strlen(policies[which]), NULL);
}

#define BRIEF 128

static const char *brief(const warder_decision *d, char out[BRIEF])
{
    const char *rule = warder_decision_rule(d);

    snprintf(out, BRIEF, "%d %s %s", (int)warder_decision_behavior(d), warder_decision_layer(d),
             rule ? rule : "");
    return out;
}

/* By a single thread, before the others start. */
static void learn(struct scene *s)
{
    for (size_t p = 0; p < POLICIES; p++) {
        assert_int_equal(update(s->engine, p), WARDER_OK);
        for (size_t i = 0; i < COUNT(calls); i++) {
            warder_decision *d;
            assert_int_equal(
                warder_check_json(s->engine, calls[i].json, strlen(calls[i].json), &d, NULL),
                WARDER_OK);
            assert_string_equal(warder_behavior_name(warder_decision_behavior(d)),
                                calls[i].want[p]);
            s->texts[i][p] = strdup(warder_decision_json(d));
            s->shorts[i][p] = strdup(brief(d, (char[BRIEF]){0}));
            warder_decision_free(d);
        }
    }
}

static void compare(struct scene *s, char *const *wanted, const char *said)
{
    char *none = NULL, *copy;

    for (size_t p = 0; p < POLICIES; p++)
        if (strcmp(said, wanted[p]) == 0) {
            atomic_fetch_add(&s->seen[p], 1);
            return;
        }
    atomic_fetch_add(&s->wrong, 1);
    copy = strdup(said);
    if (!atomic_compare_exchange_strong(&s->example, &none, copy))
        free(copy);
}

/* A change of policy takes as long as many checks: on a busy machine all checks may be over before
 * the second policy arrives. */
static bool goes_on(struct scene *s, size_t done)
{
    bool both = atomic_load(&s->seen[0]) > 0 && atomic_load(&s->seen[1]) > 0;

    return done < s->checks || (!both && done < s->checks * PATIENCE);
}

static void *check(void *arg)
{
    struct scene *s = arg;
    warder_decision *kept =
        NULL; /* one decision outlives the next checks, and policies that arrive meanwhile */
    size_t call = 0, kept_call = 0;

    for (size_t n = 0, left = calls[0].weight; goes_on(s, n); n++, left--) {
        warder_decision *d;
        if (left == 0) {
            call = (call + 1) % COUNT(calls);
            left = calls[call].weight;
        }
        if (warder_check_json(s->engine, calls[call].json, strlen(calls[call].json), &d, NULL) !=
            WARDER_OK) {
            atomic_fetch_add(&s->failed, 1);
            continue;
        }
        if (kept && n % WHOLE == 0)
            compare(s, s->texts[kept_call], warder_decision_json(kept));
        else if (kept)
            compare(s, s->shorts[kept_call], brief(kept, (char[BRIEF]){0}));
        warder_decision_free(kept);
        kept = d;
        kept_call = call;
    }
    warder_decision_free(kept);
    return NULL;
}

static void *change(void *arg)
{
    struct scene *s = arg;
    uint64_t before = 0;

    for (size_t n = 0; !atomic_load(&s->done); n++) {
        uint64_t now = warder_engine_generation(s->engine);
        bool fine = now > before && update(s->engine, n % POLICIES) == WARDER_OK;
        before = now;
        if (n % RELOADS == 0)
            fine = fine && warder_engine_reload(s->engine, NULL) == WARDER_OK;
        if (!fine)
            atomic_fetch_add(&s->failed, 1);
    }
    return NULL;
}

static void every_verdict_is_one_of_the_two(void **state)
{
    const char *given = getenv("WARDER_CHECKS");
    size_t count = given ? strtoul(given, NULL, 10) : CHECKS;
    struct scene s = {.engine = open_engine(), .checks = count / CHECKERS};
    pthread_t checkers[CHECKERS], updaters[UPDATERS];

    (void)state;
    learn(&s);
    for (size_t i = 0; i < UPDATERS; i++)
        assert_int_equal(pthread_create(&updaters[i], NULL, change, &s), 0);
    for (size_t i = 0; i < CHECKERS; i++)
        assert_int_equal(pthread_create(&checkers[i], NULL, check, &s), 0);
    for (size_t i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], NULL);
    atomic_store(&s.done, true);
    for (size_t i = 0; i < UPDATERS; i++)
        pthread_join(updaters[i], NULL);

    print_message("%zu checks, %zu by the first policy, %zu by the second, %llu policies\n",
                  s.checks * CHECKERS, s.seen[0], s.seen[1],
                  (unsigned long long)warder_engine_generation(s.engine));
    if (s.wrong)
        fail_msg("%zu verdicts that neither policy gives: %s", s.wrong, s.example);
    assert_int_equal(s.failed, 0);
    assert_true(s.seen[0] > 0 && s.seen[1] > 0);
    for (size_t i = 0; i < COUNT(calls); i++)
        for (size_t p = 0; p < POLICIES; p++) {
            free(s.texts[i][p]);
            free(s.shorts[i][p]);
        }
    warder_engine_free(s.engine);
}

/* Many threads use a project for the first time at once: each reads it, and all judge by the same
 * reading. */
struct meeting {
    warder_engine *engine;
    pthread_barrier_t barrier;
};

#define MEETINGS 8

static void *meet(void *arg)
{
    struct meeting *m = arg;
    char json[128];
    size_t wrong = 0;

    for (int i = 0; i < MEETINGS; i++) {
        warder_decision *d = NULL;
        snprintf(json, sizeof(json),
                 "{\"tool\":\"mcp__s__t\",\"input\":{},\"project\":\"/nonexistent/%d\"}", i);
        pthread_barrier_wait(&m->barrier);
        if (warder_check_json(m->engine, json, strlen(json), &d, NULL) != WARDER_OK || !d->book)
            wrong++;
        warder_decision_free(d);
    }
    return wrong ? arg : NULL;
}

static void a_project_is_met_by_many(void **state)
{
    struct meeting m = {.engine = open_engine()};
    pthread_t threads[CHECKERS];

    (void)state;
    assert_int_equal(pthread_barrier_init(&m.barrier, NULL, CHECKERS), 0);
    for (size_t i = 0; i < CHECKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, meet, &m), 0);
    for (size_t i = 0; i < CHECKERS; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
    struct snapshot *s = snapshot_slot_take(&m.engine->slot);
    assert_int_equal(atomic_load(&s->count), 1 + MEETINGS);
    snapshot_drop(s);
    pthread_barrier_destroy(&m.barrier);
    warder_engine_free(m.engine);
}

/* Snapshots are replaced as fast as possible: no thread holds one that is gone, and none goes back
 * in time. */
struct turnstile {
    struct snapshot_slot slot;
    struct policy_request request;
    atomic_bool done;
};

#define PUTS 500

static struct snapshot *numbered(const struct turnstile *t, uint64_t n)
{
    struct snapshot *s = snapshot_new(&whole_edges, profile_find(STR("warder")), &t->request);

    s->generation = n;
    return s;
}

static void *pass(void *arg)
{
    struct turnstile *t = arg;
    uint64_t last = 0;
    bool back = false;

    while (!atomic_load(&t->done)) {
        struct snapshot *s = snapshot_slot_take(&t->slot);
        back = back || s->generation < last;
        last = s->generation;
        snapshot_drop(s);
    }
    return back ? arg : NULL;
}

static void no_thread_holds_a_freed_snapshot(void **state)
{
    struct turnstile t = {0};
    pthread_t threads[CHECKERS];

    (void)state;
    atomic_init(&t.slot.now, numbered(&t, 0));
    for (size_t i = 0; i < CHECKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, pass, &t), 0);
    for (uint64_t n = 1; n <= PUTS; n++)
        snapshot_slot_put(&t.slot, numbered(&t, n));
    atomic_store(&t.done, true);
    for (size_t i = 0; i < CHECKERS; i++) {
        void *back;
        pthread_join(threads[i], &back);
        assert_null(back);
    }
    struct snapshot *s = atomic_load(&t.slot.now);
    assert_int_equal(atomic_load(&s->holders), 1);
    snapshot_drop(s);
}

/* A reader that has read the pointer but not yet taken a reference is suspended. The writer must
 * wait for it, whichever counter it uses. */
struct replacing {
    struct snapshot_slot slot;
    struct snapshot *next;
    atomic_bool finished;
};

#define PATIENCE 1000 /* opportunities for the writer to do the wrong thing */

static void *replace(void *arg)
{
    struct replacing *r = arg;

    snapshot_slot_put(&r->slot, r->next);
    atomic_store(&r->finished, true);
    return NULL;
}

static void the_writer_waits_for_readers(void **state)
{
    const struct turnstile none = {0};

    (void)state;
    for (unsigned side = 0; side < 2; side++)
        for (unsigned came_by = 0; came_by < 2; came_by++) {
            struct replacing r = {.next = numbered(&none, 2)};
            struct snapshot *seen = numbered(&none, 1);
            pthread_t writer;
            atomic_init(&r.slot.now, seen);
            atomic_store(&r.slot.side, side);
            atomic_store(&r.slot.inside[came_by], 1);
            assert_int_equal(pthread_create(&writer, NULL, replace, &r), 0);
            while (atomic_load(&r.slot.now) != r.next)
                sched_yield();
            for (int i = 0; i < PATIENCE; i++)
                sched_yield();
            assert_false(atomic_load(&r.finished));
            snapshot_hold(seen);
            atomic_store(&r.slot.inside[came_by], 0);
            pthread_join(writer, NULL);
            assert_int_equal(atomic_load(&seen->holders), 1);
            snapshot_drop(seen);
            snapshot_drop(r.next);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_is_one_of_the_two),
        cmocka_unit_test(a_project_is_met_by_many),
        cmocka_unit_test(no_thread_holds_a_freed_snapshot),
        cmocka_unit_test(the_writer_waits_for_readers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
