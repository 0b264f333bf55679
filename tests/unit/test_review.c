/* Reviews are answered exactly once; tokens are known by their hash alone. */
#include <dirent.h>
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
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warder-review-XXXXXX");
    arena_init(&arena, (size_t)64 << 20);
    return mkdtemp(dir) && record_key_load(dir, &key, NULL) == STATUS_OK ? 0 : -1;
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

    if (database_open(&db, dir, 0, &notice, &err) != STATUS_OK)
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

static enum token_role role_of(struct database *db, const char *text)
{
    enum token_role role;
    char id[TOKEN_ID_SIZE];

    assert_int_equal(token_check(db, str_from(text), &role, id, NULL), STATUS_OK);
    assert_int_equal(role == TOKEN_NONE, id[0] == '\0');
    return role;
}

static void tokens_are_known_by_their_hash(void **state)
{
    struct database db = open_database();
    char worker[TOKEN_SIZE], operator[TOKEN_SIZE], wrong[TOKEN_SIZE];
    bool found;

    (void)state;
    assert_int_equal(token_create(&db, TOKEN_WORKER, STR("ci"), (struct str){0}, worker, NULL), STATUS_OK);
    assert_int_equal(token_create(&db, TOKEN_OPERATOR, STR("me"), (struct str){0}, operator, NULL), STATUS_OK);
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
    assert_int_equal(token_create(&db, TOKEN_NONE, STR("x"), (struct str){0}, worker, NULL), STATUS_USAGE);
    database_close(&db);
}

static void names_have_a_limit(void **state)
{
    struct database db = open_database();
    char token[TOKEN_SIZE], name[TOKEN_NAME_MAX + 1];

    (void)state;
    memset(name, 'x', sizeof(name));
    assert_int_equal(token_create(&db, TOKEN_VIEWER, (struct str){name, TOKEN_NAME_MAX}, (struct str){0}, token, NULL),
                     STATUS_OK);
    assert_int_equal(
        token_create(&db, TOKEN_VIEWER, (struct str){name, TOKEN_NAME_MAX + 1}, (struct str){0}, token, NULL),
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
        .expires_at = now + REVIEW_TIMEOUT_MS,
    };

    if (review_create(db, &arena, &r, &key, id, &err) != STATUS_OK)
        fail_msg("%s", err.message);
}

static enum review_outcome answer(struct database *db, const char *id, enum review_status status, int64_t now)
{
    const struct review_answer a = {.status = status, .by = STR("me")};
    enum review_outcome out;
    struct error err = {0};

    if (review_answer(db, str_from(id), &a, now, &out, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return out;
}

static bool copy_review(const struct review *r, void *context)
{
    char *out = context;

    snprintf(out, 2000, "%s %.*s %.*s", review_status_name(r->status), STR_ARG(r->command), STR_ARG(r->context));
    return true;
}

static void get(struct database *db, const char *id, char out[2000])
{
    bool found;

    assert_int_equal(review_get(db, str_from(id), copy_review, out, &found, NULL), STATUS_OK);
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
    assert_string_equal(text, "pending mysql -p[REDACTED] -e 'drop table a' {\"task_description\":\"clean up; the "
                              "password is [REDACTED]\",\"recent_commands\":[\"ls\",\"PGPASSWORD=[REDACTED] "
                              "psql\"],\"worktree_path\":\"/w/p1\"}");
    assert_false(grep_files("hunter2"));
    assert_int_equal(answer(&db, id, REVIEW_DENIED, now), REVIEW_TAKEN);
    assert_int_equal(answer(&db, id, REVIEW_APPROVED, now), REVIEW_OVER);
    get(&db, id, text);
    assert_memory_equal(text, "denied", 6);
    assert_int_equal(answer(&db, "r_0", REVIEW_APPROVED, now), REVIEW_UNKNOWN);
    const struct review_answer bad = {.status = REVIEW_PENDING};
    enum review_outcome out;
    assert_int_equal(review_answer(&db, str_from(id), &bad, now, &out, NULL), STATUS_USAGE);
    database_close(&db);
}

static void what_has_run_out_is_not_answered(void **state)
{
    struct database db = open_database();
    char first[REVIEW_ID_SIZE], second[REVIEW_ID_SIZE], text[2000];
    int64_t now = stamp_now();
    size_t count;

    (void)state;
    create(&db, now, first);
    create(&db, now + 1, second);
    assert_int_equal(answer(&db, first, REVIEW_APPROVED, now + REVIEW_TIMEOUT_MS),
                     REVIEW_OVER); /* to the millisecond */
    assert_int_equal(review_expire(&db, now + REVIEW_TIMEOUT_MS, &count, NULL), STATUS_OK);
    assert_int_equal(count, 1);
    get(&db, first, text);
    assert_memory_equal(text, "expired", 7);
    assert_int_equal(answer(&db, second, REVIEW_APPROVED, now + REVIEW_TIMEOUT_MS), REVIEW_TAKEN);
    assert_int_equal(review_expire(&db, now + 2 * REVIEW_TIMEOUT_MS, &count, NULL), STATUS_OK);
    assert_int_equal(count, 0);
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
            const struct review_answer a = {.status = i % 2 ? REVIEW_DENIED : REVIEW_APPROVED};
            enum review_outcome out;
            if (database_open(&mine, dir, 10000, &notice, NULL) != STATUS_OK ||
                review_answer(&mine, str_from(id), &a, now, &out, NULL) != STATUS_OK)
                _exit(7);
            _exit(out == REVIEW_TAKEN ? 1 : 0);
        }
    for (int i = 0; i < OPERATORS; i++) {
        assert_true(wait(&how) > 0);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) < 2);
        winners += WEXITSTATUS(how);
    }
    assert_int_equal(winners, 1);
}

struct changes {
    uint64_t last;
    size_t count;
    char first[REVIEW_ID_SIZE];
};

static bool follow(const struct review *r, void *context)
{
    struct changes *c = context;

    assert_true(r->change > c->last); /* ascending, none twice */
    if (!c->count++)
        snprintf(c->first, sizeof(c->first), "%.*s", STR_ARG(r->id));
    c->last = r->change;
    return true;
}

static void changes_can_be_followed(void **state)
{
    struct database db = open_database();
    struct changes c = {0};
    char id[3][REVIEW_ID_SIZE];
    int64_t now = stamp_now();
    size_t expired;

    (void)state;
    for (struct changes all = {0}; c.last == 0; c.last = all.last ? all.last : 1) /* what earlier tests left */
        assert_int_equal(review_list(&db, &(struct review_filter){.limit = REVIEW_LIST_MAX}, follow, &all, NULL),
                         STATUS_OK);
    uint64_t start = c.last;
    for (int i = 0; i < 3; i++)
        create(&db, now + i, id[i]);
    c = (struct changes){.last = start};
    assert_int_equal(review_list(&db, &(struct review_filter){.after = start}, follow, &c, NULL), STATUS_OK);
    assert_int_equal(c.count, 3);
    answer(&db, id[1], REVIEW_DENIED, now);
    c = (struct changes){.last = c.last};
    assert_int_equal(review_list(&db, &(struct review_filter){.after = c.last}, follow, &c, NULL), STATUS_OK);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.first, id[1]);
    assert_int_equal(review_expire(&db, now + 2 * REVIEW_TIMEOUT_MS, &expired, NULL), STATUS_OK);
    assert_true(expired >= 2);
    c = (struct changes){.last = c.last};
    assert_int_equal(review_list(&db,
                                 &(struct review_filter){.after = c.last, .by_status = true, .status = REVIEW_EXPIRED},
                                 follow, &c, NULL),
                     STATUS_OK);
    assert_int_equal(c.count, expired);
    assert_int_equal(review_list(&db, &(struct review_filter){.limit = REVIEW_LIST_MAX + 1}, follow, &c, NULL),
                     STATUS_USAGE);
    database_close(&db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_are_known_by_their_hash), cmocka_unit_test(names_have_a_limit),
        cmocka_unit_test(the_first_answer_wins),          cmocka_unit_test(what_has_run_out_is_not_answered),
        cmocka_unit_test(of_many_operators_one_wins),     cmocka_unit_test(changes_can_be_followed),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
