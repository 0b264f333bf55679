/* One-time approvals: bound to exactly one call, used once, valid for ten minutes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/approve.h"
#include "engine/panel.h"
#include "machine/world.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail */

/* One call, judged. */
struct asked {
    warder_engine *engine;
    warder_decision *decision;
    struct panel panel;
    struct always always;
    struct approval_call call;
};

static struct tree tree;

struct made_of {
    const char *client, *session, *command, *cwd, *rule;
};

static void make_panel(void *arg)
{
    struct asked *q = arg;

    decision_panel(q->decision, &q->panel, &q->always);
}

static void judge(struct asked *q, const struct made_of *m, int64_t now)
{
    const warder_rule rule = {WARDER_ASK, m->rule ? m->rule : "Bash(true)"};
    warder_options options = WARDER_OPTIONS_INIT;
    char json[1024];

    options.home = tree.home;
    options.project = tree.project;
    options.rules = &rule;
    options.rule_count = 1;
    snprintf(json, sizeof(json),
             "{\"tool\": \"Bash\", \"input\": {\"command\": \"%s\"}, \"session\": \"%s\", \"cwd\": "
             "\"%s\"}",
             m->command, m->session, m->cwd ? m->cwd : tree.project);
    assert_int_equal(warder_engine_new(&options, &q->engine, NULL), WARDER_OK);
    assert_int_equal(warder_check_json(q->engine, json, strlen(json), &q->decision, NULL),
                     WARDER_OK);
    assert_true(arena_try(&q->decision->arena, make_panel, q));
    q->call = (struct approval_call){.state_dir = tree.state,
                                     .client = str_from(m->client),
                                     .call = &q->decision->call,
                                     .verdict = &q->decision->verdict,
                                     .book = q->decision->book,
                                     .profile = q->decision->profile,
                                     .world = &real_world,
                                     .home = str_from(tree.home),
                                     .now = now};
}

static void release(struct asked *q)
{
    warder_decision_free(q->decision);
    warder_engine_free(q->engine);
}

static enum status offer(const struct made_of *m, int64_t now, char id[APPROVAL_ID_MAX])
{
    struct asked q;

    judge(&q, m, now);
    enum status status = approval_offer(&q.decision->arena, &q.call, &q.panel, id, NULL, NULL);
    release(&q);
    return status;
}

static bool take(const struct made_of *m, int64_t now)
{
    struct asked q;
    bool taken;

    judge(&q, m, now);
    enum status status = approval_take(&q.decision->arena, &q.call, &taken, NULL);
    release(&q);
    return status == STATUS_OK && taken;
}

static enum status answer(const char *id, bool yes, int64_t now)
{
    struct arena a;
    struct approvals waiting;
    enum status status = STATUS_USAGE;

    arena_init(&a, (size_t)1 << 26);
    assert_int_equal(approval_list(&a, tree.state, now, &waiting, NULL), STATUS_OK);
    for (size_t i = 0; i < waiting.count; i++)
        if (strcmp(waiting.items[i].id, id) == 0)
            status = yes ? approval_grant(tree.state, &waiting.items[i], now, NULL)
                         : approval_refuse(tree.state, &waiting.items[i], NULL);
    arena_release(&a);
    return status;
}

static int64_t clock_now(void)
{
    return (int64_t)time(NULL);
}

static const struct made_of deploy = {"codex", "s1", "./deploy.sh production", NULL, NULL};

static int setup(void **state)
{
    (void)state;
    tree_make(&tree);
    tree_write(&tree, "project/deploy.sh", "echo deploy\n", 0755);
    tree_write(&tree, "project/sub/deploy.sh", "echo deploy\n", 0755);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tree_remove(&tree);
    return 0;
}

/* ---- the normal course ---- */

static void approved_once_runs_once(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX], again[APPROVAL_ID_MAX];

    (void)state;
    assert_false(take(&deploy, now));
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(strlen(id), APPROVAL_ID_MAX - 1);
    assert_int_equal(strspn(id, "0123456789abcdefghjkmnpqrstvwxyz"), APPROVAL_ID_MAX - 1);
    assert_int_equal(offer(&deploy, now + 1, again), STATUS_OK);
    assert_string_equal(id, again); /* a retry of the agent does not fill the list */
    assert_false(take(&deploy, now));
    assert_int_equal(answer("0000000000", true, now), STATUS_USAGE);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_USAGE);
    assert_true(take(&deploy, now));
    assert_false(take(&deploy, now));
    assert_int_equal(offer(&deploy, now, again), STATUS_OK);
    assert_string_not_equal(id, again);
}

static void refused_stays_refused(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];

    (void)state;
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, false, now), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_USAGE);
    assert_false(take(&deploy, now));
}

/* ---- bound to exactly one call ---- */

static void change_script(void)
{
    tree_write(&tree, "project/deploy.sh", "echo other\n", 0755);
}

static void swap_script(void)
{
    tree_write(&tree, "project/evil.sh", "echo deploy\n", 0755);
    tree_link(&tree, "project/deploy.sh", "@/project/evil.sh");
}

static void add_rule(void)
{
    tree_write(&tree, "home/.claude/settings.json", "{\"permissions\": {\"deny\": [\"WebFetch\"]}}",
               0);
}

static void remove_script(void)
{
    unlink(tree_path(&tree, "project/deploy.sh"));
}

static const struct {
    const char *why;
    struct made_of call;
    void (*change)(void);
    bool counts;
} others[] = {
    {"the same", {"codex", "s1", "./deploy.sh production", NULL, NULL}, NULL, true},
    {"another client", {"gemini", "s1", "./deploy.sh production", NULL, NULL}, NULL, false},
    {"another session", {"codex", "s2", "./deploy.sh production", NULL, NULL}, NULL, false},
    {"another argument", {"codex", "s1", "./deploy.sh production2", NULL, NULL}, NULL, false},
    {"something after it", {"codex", "s1", "./deploy.sh production; id", NULL, NULL}, NULL, false},
    {"another blank", {"codex", "s1", "./deploy.sh  production", NULL, NULL}, NULL, false},
    {"another directory", {"codex", "s1", "./deploy.sh production", "sub", NULL}, NULL, false},
    {"another rule", {"codex", "s1", "./deploy.sh production", NULL, "Bash(false)"}, NULL, false},
    {"another content of the script",
     {"codex", "s1", "./deploy.sh production", NULL, NULL},
     change_script,
     false},
    {"a link in its place",
     {"codex", "s1", "./deploy.sh production", NULL, NULL},
     swap_script,
     false},
    {"the script is gone",
     {"codex", "s1", "./deploy.sh production", NULL, NULL},
     remove_script,
     false},
    {"another policy file", {"codex", "s1", "./deploy.sh production", NULL, NULL}, add_rule, false},
};

static void counts_for_the_very_call_only(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX], sub[TREE_PATH_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++) {
        struct made_of call = others[i].call;
        tree_make(&tree);
        tree_write(&tree, "project/deploy.sh", "echo deploy\n", 0755);
        tree_write(&tree, "project/sub/deploy.sh", "echo deploy\n", 0755);
        snprintf(sub, sizeof(sub), "%s/sub", tree.project);
        call.cwd = call.cwd ? sub : NULL;
        assert_int_equal(offer(&deploy, now, id), STATUS_OK);
        assert_int_equal(answer(id, true, now), STATUS_OK);
        if (others[i].change)
            others[i].change();
        if (take(&call, now) != others[i].counts)
            fail_msg("%s", others[i].why);
        tree_remove(&tree);
    }
    tree_make(&tree);
}

/* Scripts given to an interpreter count as run too. */
static void content_of_scripts_counts(void **state)
{
    static const struct made_of script = {"codex", "s1", "sudo bash ./deploy.sh", NULL, NULL};
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];

    (void)state;
    assert_int_equal(offer(&script, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    change_script();
    assert_false(take(&script, now));
    tree_write(&tree, "project/deploy.sh", "echo deploy\n", 0755);
    assert_true(take(&script, now)); /* the attempt did not use it up */
}

static void what_runs_must_be_known(void **state)
{
    static const char *const commands[] = {"$X deploy", "bash $X", "sudo bash ./*.sh",
                                           "sudo ./$X/deploy.sh"};
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(commands); i++) {
        struct made_of m = {"codex", "s1", commands[i], NULL, NULL};
        if (offer(&m, now, id) == STATUS_OK)
            fail_msg("%s was offered", commands[i]);
        assert_string_equal(id, "");
        assert_false(take(&m, now));
    }
}

static void only_asks_are_offered(void **state)
{
    static const struct made_of denied = {"codex", "s1", "rm -rf /", NULL, NULL};
    static const struct made_of allowed = {"codex", "s1", "ls", NULL, NULL};
    char id[APPROVAL_ID_MAX];

    (void)state;
    assert_int_equal(offer(&denied, clock_now(), id), STATUS_USAGE);
    assert_int_equal(offer(&allowed, clock_now(), id), STATUS_USAGE);
}

/* ---- time, and the files ---- */

static void ten_minutes_and_no_longer(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX], later[APPROVAL_ID_MAX];

    (void)state;
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now + APPROVAL_SECONDS), STATUS_USAGE);
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now + APPROVAL_SECONDS - 1), STATUS_OK);
    assert_false(take(&deploy, now + 2 * APPROVAL_SECONDS - 1)); /* and it is gone */
    assert_false(take(&deploy, now + APPROVAL_SECONDS));

    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    assert_false(take(&deploy, now - 1)); /* a clock that was set back */

    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    assert_true(take(&deploy, now + APPROVAL_SECONDS - 1));

    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(offer(&deploy, now + APPROVAL_SECONDS, later), STATUS_OK);
    assert_string_not_equal(id, later);
}

static void directory_is_ours_alone(void **state)
{
    char id[APPROVAL_ID_MAX], path[TREE_PATH_MAX];
    struct stat st;

    (void)state;
    assert_int_equal(offer(&deploy, clock_now(), id), STATUS_OK);
    snprintf(path, sizeof(path), "%s/approvals", tree.state);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    assert_int_equal(chmod(path, 0777), 0);
    assert_int_not_equal(offer(&deploy, clock_now(), id), STATUS_OK);
    assert_false(take(&deploy, clock_now()));
}

static void waiting_approvals_are_limited(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX], command[64], session[16];
    struct made_of m = deploy;

    (void)state;
    m.command = command;
    m.session = session;
    for (unsigned i = 0; i < APPROVALS_MAX; i++) {
        snprintf(command, sizeof(command), "./deploy.sh %u", i);
        snprintf(session, sizeof(session), "s%u", 2 + i / APPROVALS_SESSION_MAX);
        assert_int_equal(offer(&m, now, id), STATUS_OK);
    }
    assert_int_equal(offer(&deploy, now, id), STATUS_LIMIT);
    assert_int_equal(offer(&m, now, id), STATUS_OK); /* one that waits already */
    assert_int_equal(offer(&deploy, now + 2 * APPROVAL_SECONDS, id), STATUS_OK);
}

/* The oldest question of a session gives way to its next one, and no one else's does. */
static void a_session_fills_only_its_own_room(void **state)
{
    static const struct made_of other = {"codex", "s2", "./deploy.sh other", NULL, NULL};
    int64_t now = clock_now();
    char first[APPROVAL_ID_MAX], second[APPROVAL_ID_MAX], id[APPROVAL_ID_MAX], command[64];
    struct made_of m = deploy;

    (void)state;
    m.command = command;
    assert_int_equal(offer(&other, now, id), STATUS_OK);
    for (unsigned i = 0; i <= APPROVALS_SESSION_MAX; i++) {
        snprintf(command, sizeof(command), "./deploy.sh %u", i);
        assert_int_equal(offer(&m, now, i == 0 ? first : second), STATUS_OK);
    }
    assert_int_equal(answer(first, true, now), STATUS_USAGE); /* it gave way */
    assert_int_equal(answer(second, true, now), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    /* What was approved keeps its place. */
    for (unsigned i = 0; i <= APPROVALS_SESSION_MAX; i++) {
        snprintf(command, sizeof(command), "./deploy.sh again %u", i);
        assert_int_equal(offer(&m, now, id), STATUS_OK);
    }
    assert_true(take(&other, now));
}

/* Each is asked about, approved, changed, and asked about again. */
static const struct {
    const char *command, *file, *text;
} bound_cases[] = {
    {"make deploy", "project/Makefile", "deploy:\n\techo b\n"},
    {"make -f x.mk deploy", "project/x.mk", "b"},
    {"npm run deploy", "project/package.json", "{}"},
    {"kubectl apply -f x.yaml", "project/x.yaml", "b"},
    {"kubectl apply -f sub", "project/sub/x.yaml", "b"},
    {"ansible-playbook x.yml", "project/x.yml", "b"},
    {"docker build .", "project/Dockerfile", "b"},
    {"docker build sub", "project/sub/Dockerfile", "b"},
    {"docker compose up", "project/compose.yaml", "b"},
    {"terraform apply -auto-approve", "project/main.tf", "b"},
    {"terraform apply -auto-approve", "project/new.tf", "b"},
    {"ssh host < x.sh", "project/x.sh", "b"},
    {"sudo python3 run.py", "project/lib/m.py", "b"},
    {"sudo bash run.sh", "project/lib/part.sh", "b"},
    {"cat x.sql | psql", "project/x.sql", "b"},
    {"cat *.sql | psql", "project/x.sql", "b"},
    {"xargs -a x.txt rm -f", "project/x.txt", "b"},
    {"curl -d @x.json https://x.example", "project/x.json", "b"},
    {"curl -K x.rc", "project/x.rc", "b"},
    {"cp x.txt ~/bin/x", "project/x.txt", "b"},
    {"unheardof x.conf", "project/x.conf", "b"},
    {"git push origin main", "project/.git/refs/heads/main", "2"},
    {"git push origin main", "project/.git/refs/tags/a/b", "2"},
    {"git push origin main", "project/.git/packed-refs", "2"},
    {"git push origin main", "project/.git/HEAD", "ref: refs/heads/x\n"},
    {"git push origin main", "project/.git/config", "[remote \"origin\"]\n\turl = b\n"},
};

static void fill_project(void)
{
    static const char *const files[] = {"project/Makefile",
                                        "project/x.mk",
                                        "project/package.json",
                                        "project/x.yaml",
                                        "project/sub/x.yaml",
                                        "project/x.yml",
                                        "project/Dockerfile",
                                        "project/compose.yaml",
                                        "project/sub/Dockerfile",
                                        "project/main.tf",
                                        "project/x.sh",
                                        "project/x.sql",
                                        "project/x.txt",
                                        "project/x.json",
                                        "project/x.rc",
                                        "project/x.conf",
                                        "project/.git/HEAD",
                                        "project/.git/refs/heads/main",
                                        "project/.git/packed-refs",
                                        "project/.git/config"};

    for (size_t i = 0; i < COUNT(files); i++)
        tree_write(&tree, files[i], "a", 0644);
    tree_write(&tree, "project/run.py", "import lib.m\n", 0644);
    tree_write(&tree, "project/lib/m.py", "a", 0644);
    tree_write(&tree, "project/run.sh", ". lib/part.sh\n", 0644);
    tree_write(&tree, "project/lib/part.sh", "a", 0644);
}

static void what_is_read_or_run_is_bound(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];

    (void)state;
    for (size_t i = 0; i < COUNT(bound_cases); i++) {
        const struct made_of m = {"codex", "s1", bound_cases[i].command, NULL, NULL};
        tree_make(&tree);
        fill_project();
        if (offer(&m, now, id) != STATUS_OK || answer(id, true, now) != STATUS_OK)
            fail_msg("%s: cannot be approved", m.command);
        tree_write(&tree, bound_cases[i].file, bound_cases[i].text, 0644);
        if (take(&m, now))
            fail_msg("%s: %s changed, and it counts", m.command, bound_cases[i].file);
        /* Another file does not matter, and the approval is still there. */
        tree_remove(&tree);
        tree_make(&tree);
        fill_project();
        if (offer(&m, now, id) != STATUS_OK || answer(id, true, now) != STATUS_OK)
            fail_msg("%s: cannot be approved", m.command);
        tree_write(&tree, "project/other/file", "b", 0644);
        if (!take(&m, now))
            fail_msg("%s: does not count", m.command);
        tree_remove(&tree);
    }
    tree_make(&tree);
}

static void the_changed_file_is_named(void **state)
{
    static const struct made_of m = {"codex", "s1", "curl -K x.rc", NULL, NULL};
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];
    struct asked q;

    (void)state;
    tree_write(&tree, "project/x.rc", "a", 0644);
    assert_int_equal(offer(&m, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    judge(&q, &m, now);
    assert_int_equal(approval_outdated(&q.decision->arena, &q.call).len, 0);
    tree_write(&tree, "project/x.rc", "b", 0644);
    struct str changed = approval_outdated(&q.decision->arena, &q.call);
    assert_string_equal(changed.s, tree_path(&tree, "project/x.rc"));
    release(&q);
}

/* Nothing of a call stays longer than it can be answered. */
static void old_questions_are_swept(void **state)
{
    char id[APPROVAL_ID_MAX];
    struct arena a;
    struct approvals waiting;
    int64_t now = clock_now();

    (void)state;
    arena_init(&a, (size_t)1 << 26);
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    approval_sweep(tree.state, now + APPROVAL_SECONDS - 2);
    assert_int_equal(approval_list(&a, tree.state, now, &waiting, NULL), STATUS_OK);
    assert_int_equal(waiting.count, 1);
    approval_sweep(tree.state, now + APPROVAL_SECONDS + 2);
    assert_int_equal(approval_list(&a, tree.state, now, &waiting, NULL), STATUS_OK);
    assert_int_equal(waiting.count, 0);
    arena_release(&a);
}

#define PROCESSES 8

static void one_process_gets_it(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];
    int winners = 0;

    (void)state;
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            _exit(take(&deploy, now) ? 1 : 0);
    }
    for (int i = 0, status; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0 && WIFEXITED(status));
        winners += WEXITSTATUS(status);
    }
    assert_int_equal(winners, 1);
}

/* Whichever allocation fails, nothing is used up. */
static void memory_runs_out(void **state)
{
    int64_t now = clock_now();
    char id[APPROVAL_ID_MAX];
    struct asked q;
    bool taken = false;

    (void)state;
    assert_int_equal(offer(&deploy, now, id), STATUS_OK);
    assert_int_equal(answer(id, true, now), STATUS_OK);
    judge(&q, &deploy, now);
    for (size_t n = 1; !taken; n++) {
        arena_fail_at(&q.decision->arena, q.decision->arena.allocations + n);
        enum status status = approval_take(&q.decision->arena, &q.call, &taken, NULL);
        assert_true(status == STATUS_NOMEM ? !taken : taken);
        assert_true(n < 1000);
    }
    release(&q);
}

/* "Always" writes the rule that was shown; a secret is neither shown nor written. */
static void no_rule_keeps_a_secret(void **state)
{
    const struct made_of plain = {.command = "deploy --to east", .client = "c", .session = "s"};
    const struct made_of secret = {
        .command = "deploy --password hunter2hunter2", .client = "c", .session = "s"};
    struct asked q;

    (void)state;
    judge(&q, &plain, clock_now());
    assert_int_equal(q.panel.suggestions.count, 1);
    assert_int_equal(q.panel.no_allow.len, 0);
    release(&q);
    judge(&q, &secret, clock_now());
    assert_int_equal(q.panel.suggestions.count, 0);
    assert_true(str_contains(q.panel.no_allow, STR("secret")));
    release(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(approved_once_runs_once, setup, teardown),
        cmocka_unit_test_setup_teardown(refused_stays_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(counts_for_the_very_call_only, NULL, teardown),
        cmocka_unit_test_setup_teardown(content_of_scripts_counts, setup, teardown),
        cmocka_unit_test_setup_teardown(what_runs_must_be_known, setup, teardown),
        cmocka_unit_test_setup_teardown(only_asks_are_offered, setup, teardown),
        cmocka_unit_test_setup_teardown(ten_minutes_and_no_longer, setup, teardown),
        cmocka_unit_test_setup_teardown(directory_is_ours_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(waiting_approvals_are_limited, setup, teardown),
        cmocka_unit_test_setup_teardown(a_session_fills_only_its_own_room, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_read_or_run_is_bound, NULL, teardown),
        cmocka_unit_test_setup_teardown(the_changed_file_is_named, setup, teardown),
        cmocka_unit_test_setup_teardown(old_questions_are_swept, setup, teardown),
        cmocka_unit_test_setup_teardown(one_process_gets_it, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_runs_out, setup, teardown),
        cmocka_unit_test_setup_teardown(no_rule_keeps_a_secret, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
