/* Reviews are answered exactly once; only the hashes of tokens are stored. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/review.h"
#include "record/token.h"

#include <cmocka.h>

static char dir[64];
static struct arena arena;
static struct record_key key;

static int make_dir(void **state)
{
    int at;

    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warder-review-XXXXXX");
    arena_init(&arena, (size_t)64 << 20);
    if (!mkdtemp(dir) || (at = open(dir, O_RDONLY | O_DIRECTORY)) < 0)
        return -1;
    enum status status = record_key_load_at(at, &key, NULL);
    close(at);
    return status == STATUS_OK ? 0 : -1;
}

static int remove_dir(void **state)
{
    DIR *d = opendir(dir);

    (void)state;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    arena_release(&arena);
    return rmdir(dir);
}

static struct database open_database(void)
{
    struct database db;
    char *notice = NULL;
    struct error err = {0};

    if (state_db_open(&db, dir, 0, &notice, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    assert_null(notice);
    return db;
}

/* ---- tokens ---- */

static bool grep_files(const char *needle)
{
    DIR *d = opendir(dir);
    bool found = false;
    static char text[1 << 20];

    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "rb");
        size_t len = f ? fread(text, 1, sizeof(text), f) : 0;
        found |= len && memmem(text, len, needle, strlen(needle));
        if (f)
            fclose(f);
    }
    closedir(d);
    return found;
}

static bool take_role(const struct access_token *t, void *context)
{
    assert_int_equal(strlen(t->id), TOKEN_ID_SIZE - 1);
    *(enum token_role *)context = t->role;
    return true;
}

static enum token_role role_of(struct database *db, const char *text)
{
    enum token_role role = TOKEN_NONE;

    assert_int_equal(token_check(db, str_from(text), take_role, &role, NULL), STATUS_OK);
    return role;
}

static void tokens_are_known_by_their_hash(void **state)
{
    struct database db = open_database();
    char worker[TOKEN_SIZE], operator[TOKEN_SIZE], wrong[TOKEN_SIZE];
    bool found;

    (void)state;
    assert_int_equal(token_create(&db,
                                  &(struct access_token){.role = TOKEN_WORKER, .name = STR("ci")},
                                  worker, NULL),
                     STATUS_OK);
    assert_int_equal(
        token_create(
            &db, &(struct access_token){.role = TOKEN_OPERATOR, .name = STR("me")}, operator, NULL),
        STATUS_OK);
    assert_int_equal(strlen(worker), TOKEN_SIZE - 1);
    assert_int_equal(role_of(&db, worker), TOKEN_WORKER);
    assert_int_equal(role_of(&db, operator), TOKEN_OPERATOR);
    assert_false(grep_files(worker + 21)); /* its secret, in the database and its log */
    assert_true(grep_files("ci"));

    for (size_t i = 0; i < TOKEN_SIZE - 1; i++) { /* no byte of it may differ */
        memcpy(wrong, worker, sizeof(wrong));
        wrong[i] = wrong[i] == 'a' ? 'b' : 'a';
        assert_int_equal(role_of(&db, wrong), TOKEN_NONE);
    }
    memcpy(wrong, worker, sizeof(wrong));
    memcpy(wrong, operator, 21); /* one's id with another's secret */
    assert_int_equal(role_of(&db, wrong), TOKEN_NONE);
    assert_int_equal(role_of(&db, ""), TOKEN_NONE);
    assert_int_equal(role_of(&db, "wdr_"), TOKEN_NONE);

    assert_int_equal(token_revoke(&db, (struct str){worker + 4, 16}, &found, NULL), STATUS_OK);
    assert_true(found);
    assert_int_equal(role_of(&db, worker), TOKEN_NONE);
    assert_int_equal(role_of(&db, operator), TOKEN_OPERATOR);
    assert_int_equal(token_revoke(&db, (struct str){worker + 4, 16}, &found, NULL), STATUS_OK);
    assert_false(found);
    assert_int_equal(token_create(&db, &(struct access_token){.role = TOKEN_NONE, .name = STR("x")},
                                  worker, NULL),
                     STATUS_USAGE);
    database_close(&db);
}

static void names_have_a_limit(void **state)
{
    struct database db = open_database();
    char token[TOKEN_SIZE], name[TOKEN_NAME_MAX + 1];

    (void)state;
    memset(name, 'x', sizeof(name));
    assert_int_equal(
        token_create(&db,
                     &(struct access_token){.role = TOKEN_VIEWER,
                                            .name = (struct str){name, TOKEN_NAME_MAX}},
                     token, NULL),
        STATUS_OK);
    assert_int_equal(
        token_create(&db,
                     &(struct access_token){.role = TOKEN_VIEWER,
                                            .name = (struct str){name, TOKEN_NAME_MAX + 1}},
                     token, NULL),
        STATUS_LIMIT);
    database_close(&db);
}

/* ---- reviews ---- */

static void create(struct database *db, int64_t now, char id[REVIEW_ID_SIZE])
{
    struct error err = {0};
    const struct review_request r = {
        .worker_id = STR("w1"),
        .project_id = STR("p1"),
        .tool = STR("Bash"),
        .command = STR("mysql -phunter2x -e 'drop table a'"),
        .shell = true,
        .call_hash = STR("abc"),
        .task_description = STR("clean up; the password is hunter2x"),
        .worktree_path = STR("/w/p1"),
        .recent = {STR("ls"), STR("PGPASSWORD=hunter2y psql")},
        .recent_count = 2,
        .requested_at = now,
        .expires_at = now + 900000,
    };

    struct review made;

    if (review_make(&arena, &r, &key, &made, &err) != STATUS_OK ||
        review_insert(db, &made, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    snprintf(id, REVIEW_ID_SIZE, "%.*s", STR_ARG(made.id));
}

static bool end(struct database *db, const char *id, enum review_status status)
{
    const struct review r = {.id = str_from(id),
                             .status = status,
                             .responded_by = STR("me"),
                             .responded_at = STR("2026-01-01T00:00:00.000Z")};
    bool taken;
    struct error err = {0};

    if (review_end(db, &r, &taken, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return taken;
}

static bool copy_review(const struct review *r, void *context)
{
    char *out = context;

    snprintf(out, 2000, "%s %.*s %.*s", review_status_name(r->status), STR_ARG(r->command),
             STR_ARG(r->context));
    return true;
}

static void get(struct database *db, const char *id, char out[2000])
{
    bool found;

    assert_int_equal(review_find(db, str_from(id), copy_review, out, &found, NULL), STATUS_OK);
    assert_true(found);
}

static void the_first_answer_wins(void **state)
{
    struct database db = open_database();
    char id[REVIEW_ID_SIZE], text[2000];
    int64_t now = stamp_now();

    (void)state;
    create(&db, now, id);
    get(&db, id, text);
    assert_string_equal(
        text, "pending mysql -p[REDACTED] -e 'drop table a' {\"task_description\":\"clean up; the "
              "password is [REDACTED]\",\"recent_commands\":[\"ls\",\"PGPASSWORD=[REDACTED] "
              "psql\"],\"worktree_path\":\"/w/p1\"}");
    assert_false(grep_files("hunter2"));
    assert_true(end(&db, id, REVIEW_DENIED));
    assert_false(end(&db, id, REVIEW_APPROVED));
    assert_false(end(&db, id, REVIEW_EXPIRED));
    get(&db, id, text);
    assert_memory_equal(text, "denied", 6);
    assert_false(end(&db, "r_0", REVIEW_APPROVED));
    const struct review bad = {.id = str_from(id), .status = REVIEW_PENDING};
    bool taken;
    assert_int_equal(review_end(&db, &bad, &taken, NULL), STATUS_USAGE);
    database_close(&db);
}

#define OPERATORS 6

static void of_many_operators_one_wins(void **state)
{
    struct database db = open_database();
    char id[REVIEW_ID_SIZE];
    int64_t now = stamp_now();
    int winners = 0, how;

    (void)state;
    create(&db, now, id);
    database_close(&db);
    for (int i = 0; i < OPERATORS; i++)
        if (fork() == 0) {
            struct database mine;
            char *notice = NULL;
            const struct review r = {.id = str_from(id),
                                     .status = i % 2 ? REVIEW_DENIED : REVIEW_APPROVED};
            bool taken;
            if (state_db_open(&mine, dir, 10000, &notice, NULL) != STATUS_OK ||
                review_end(&mine, &r, &taken, NULL) != STATUS_OK)
                _exit(7);
            _exit(taken ? 1 : 0);
        }
    for (int i = 0; i < OPERATORS; i++) {
        assert_true(wait(&how) > 0);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) < 2);
        winners += WEXITSTATUS(how);
    }
    assert_int_equal(winners, 1);
}

struct seen {
    uint64_t last;
    size_t count;
    char first[REVIEW_ID_SIZE];
};

static bool see(const struct review *r, void *context)
{
    struct seen *c = context;

    assert_true(!c->last || r->row < c->last); /* the newest first, none twice */
    if (!c->count++)
        snprintf(c->first, sizeof(c->first), "%.*s", STR_ARG(r->id));
    c->last = r->row;
    return true;
}

static struct seen list(struct database *db, struct review_filter f)
{
    struct seen c = {0};

    assert_int_equal(reviews_visit(db, &f, see, &c, NULL), STATUS_OK);
    return c;
}

static void lists_go_on_where_they_ended(void **state)
{
    struct database db = open_database();
    char id[3][REVIEW_ID_SIZE];
    int64_t now = stamp_now();
    size_t before = list(&db, (struct review_filter){0}).count;

    (void)state;
    for (int i = 0; i < 3; i++)
        create(&db, now + i, id[i]);
    struct seen c = list(&db, (struct review_filter){.limit = 2});
    assert_int_equal(c.count, 2);
    assert_string_equal(c.first, id[2]);
    c = list(&db, (struct review_filter){.before = c.last, .limit = 1});
    assert_string_equal(c.first, id[0]);
    assert_int_equal(list(&db, (struct review_filter){0}).count, before + 3);
    assert_true(end(&db, id[1], REVIEW_DENIED));
    assert_string_equal(
        list(&db, (struct review_filter){.by_status = true, .status = REVIEW_DENIED}).first, id[1]);
    assert_int_equal(list(&db, (struct review_filter){.token_id = STR("nobody")}).count, 0);
    database_close(&db);
}

static void answers_wait_until_they_are_delivered(void **state)
{
    struct database db = open_database();
    char id[REVIEW_ID_SIZE];
    int64_t ended;
    bool taken;
    const struct review_filter waiting = {.undelivered_since = 1};

    (void)state;
    size_t before = list(&db, waiting).count;
    create(&db, stamp_now(), id);
    assert_int_equal(list(&db, waiting).count, before); /* it has not ended */
    assert_true(end(&db, id, REVIEW_APPROVED));
    assert_int_equal(list(&db, waiting).count, before + 1);
    assert_true(stamp_parse(STR("2026-01-01T00:00:00.000Z"), &ended));
    assert_int_equal(list(&db, (struct review_filter){.undelivered_since = ended}).count,
                     0); /* too long ago */
    assert_int_equal(review_deliver(&db, str_from(id), stamp_now(), &taken, NULL), STATUS_OK);
    assert_true(taken);
    assert_int_equal(review_deliver(&db, str_from(id), stamp_now(), &taken, NULL), STATUS_OK);
    assert_false(taken);
    assert_int_equal(list(&db, waiting).count, before);
    database_close(&db);
}

static void old_ones_are_forgotten_when_they_have_ended(void **state)
{
    struct database db = open_database();
    char old[REVIEW_ID_SIZE], open[REVIEW_ID_SIZE], text[2000];
    bool found, more;

    (void)state;
    create(&db, 1000, old);
    create(&db, 1000, open);
    assert_true(end(&db, old, REVIEW_EXPIRED));
    assert_int_equal(review_forget(&db, 1000, &more, NULL), STATUS_OK);
    assert_false(more);
    get(&db, old, text);
    assert_int_equal(review_forget(&db, 1001, &more, NULL), STATUS_OK);
    assert_int_equal(review_find(&db, str_from(old), copy_review, text, &found, NULL), STATUS_OK);
    assert_false(found);
    get(&db, open, text);
    database_close(&db);
}

/* ---- several connections ---- */

/* What a command beside the service sees, and what its end does to the files: it opens the database
 * for each question, and closes it. Forked while nothing is open, because SQLite must not be. */
struct beside {
    pid_t pid;
    int ask, answer;
};

static void answer_beside(int ask, int answer)
{
    char token[TOKEN_SIZE] = "";

    while (read(ask, token, TOKEN_SIZE - 1) == TOKEN_SIZE - 1) {
        struct database mine;
        char *notice = NULL, role = TOKEN_NONE;
        enum token_role found = TOKEN_NONE;
        if (state_db_open(&mine, dir, 10000, &notice, NULL) != STATUS_OK ||
            token_check(&mine, str_from(token), take_role, &found, NULL) != STATUS_OK)
            _exit(1);
        database_close(&mine);
        role = (char)found;
        if (write(answer, &role, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

static struct beside start_beside(void)
{
    int ask[2], answer[2];

    assert_int_equal(pipe(ask), 0);
    assert_int_equal(pipe(answer), 0);
    struct beside b = {.pid = fork(), .ask = ask[1], .answer = answer[0]};
    if (b.pid == 0) {
        close(ask[1]);
        answer_beside(ask[0], answer[1]);
    }
    close(ask[0]);
    close(answer[1]);
    return b;
}

static enum token_role role_beside(const struct beside *b, const char *token)
{
    char role = TOKEN_NONE;

    assert_int_equal(write(b->ask, token, TOKEN_SIZE - 1), TOKEN_SIZE - 1);
    assert_int_equal(read(b->answer, &role, 1), 1);
    return (enum token_role)role;
}

static void end_beside(struct beside *b)
{
    int how;

    close(b->ask);
    close(b->answer);
    assert_int_equal(waitpid(b->pid, &how, 0), b->pid);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

/* A second connection of the same process must not take the locks of the first: another process
 * would believe that it is the last one, and remove the log that the first one writes. */
static void another_connection_keeps_the_locks(void **state)
{
    struct beside beside = start_beside();
    struct database service = open_database(), other;
    char first[TOKEN_SIZE], second[TOKEN_SIZE];
    bool found;

    (void)state;
    assert_int_equal(
        token_create(&service, &(struct access_token){.role = TOKEN_WORKER}, first, NULL),
        STATUS_OK);
    other = open_database();
    assert_int_equal(role_beside(&beside, first), TOKEN_WORKER);
    database_close(&other);
    assert_int_equal(role_beside(&beside, first), TOKEN_WORKER);
    assert_int_equal(
        token_create(&service, &(struct access_token){.role = TOKEN_VIEWER}, second, NULL),
        STATUS_OK);
    assert_int_equal(role_beside(&beside, second), TOKEN_VIEWER);
    assert_int_equal(token_revoke(&service, (struct str){second + 4, 16}, &found, NULL), STATUS_OK);
    assert_int_equal(role_beside(&beside, second), TOKEN_NONE);
    database_close(&service);
    assert_int_equal(role_beside(&beside, first), TOKEN_WORKER);
    assert_int_equal(role_beside(&beside, second), TOKEN_NONE);
    end_beside(&beside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_connection_keeps_the_locks),
        cmocka_unit_test(tokens_are_known_by_their_hash),
        cmocka_unit_test(names_have_a_limit),
        cmocka_unit_test(the_first_answer_wins),
        cmocka_unit_test(of_many_operators_one_wins),
        cmocka_unit_test(lists_go_on_where_they_ended),
        cmocka_unit_test(answers_wait_until_they_are_delivered),
        cmocka_unit_test(old_ones_are_forgotten_when_they_have_ended),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
