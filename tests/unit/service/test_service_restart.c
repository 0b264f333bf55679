/* What happens to reviews and records when the process dies, the disk is full, the database is
 * locked or the clock goes back. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask/race.h"
#include "machine/clock.h"
#include "support/servicebox.h"

#include <cmocka.h>

static void reopen(void)
{
    box_close(&box);
    box_open(&box, NULL);
}

static const char *health(void)
{
    static char text[8192];
    warder_report *report = NULL;

    assert_int_equal(warder_service_health(box.service, &report, NULL), WARDER_DONE);
    snprintf(text, sizeof(text), "%s", warder_report_json(report));
    warder_report_free(report);
    return text;
}

static const char *review(const char *id)
{
    static char text[8192];
    warder_report *report = NULL;

    assert_int_equal(warder_service_review(box.service, &box.operator, id, &report, NULL),
                     WARDER_DONE);
    snprintf(text, sizeof(text), "%s", warder_report_json(report));
    warder_report_free(report);
    return text;
}

static void verify(void)
{
    warder_report *report = NULL;

    assert_int_equal(warder_log_verify(box.data, NULL, NULL, &report, NULL), WARDER_OK);
    if (warder_report_errors(report))
        fail_msg("%s", warder_report_text(report));
    warder_report_free(report);
}

#define APPROVE "{\"answer\":\"approve\"}"
#define DENY    "{\"answer\":\"deny\"}"
#define SECRET  "PGPASSWORD=hunter2y psql"

/* The call as it was asked, which is nowhere on the disk in clear. */
static bool on_disk(const char *text)
{
    char command[256];

    snprintf(command, sizeof(command), "grep -rqaF '%s' '%s'", text, box.data);
    return system(command) == 0; /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a test */
}

static int64_t number_of(const char *sql)
{
    struct database db;
    char *notice = NULL;
    sqlite3_stmt *q = NULL;
    bool row;

    assert_int_equal(state_db_open(&db, box.data, 0, &notice, NULL), STATUS_OK);
    assert_int_equal(database_prepare(&db, sql, &q, NULL), STATUS_OK);
    assert_int_equal(database_next(&db, q, &row, NULL), STATUS_OK);
    int64_t n = row ? sqlite3_column_int64(q, 0) : -1;
    sqlite3_finalize(q);
    database_close(&db);
    free(notice);
    return n;
}

static void change_state(const char *sql)
{
    struct database db;
    char *notice = NULL;

    assert_int_equal(state_db_open(&db, box.data, 0, &notice, NULL), STATUS_OK);
    assert_int_equal(database_run(&db, sql, NULL), STATUS_OK);
    database_close(&db);
    free(notice);
}

/* As after a rebuild: what is in the journal, and no more. */
static void reopen_without_calls(void)
{
    box_close(&box);
    change_state("UPDATE reviews SET sealed = NULL");
    box_open(&box, NULL);
}

static void ask_for_review(const char *command, char id[REVIEW_ID_SIZE])
{
    const char *json = box_ask(&box, &box.worker, command, "");

    assert_member(json, "status", "pending");
    snprintf(id, REVIEW_ID_SIZE, "%s", box_member(json, "review_id"));
}

static void reviews_survive_a_restart(void **state)
{
    char id[REVIEW_ID_SIZE];

    (void)state;
    ask_for_review(SECRET, id);
    assert_false(on_disk("hunter2y"));
    reopen();
    assert_int_equal(box.service->pending, 1);
    assert_member(review(id), "status", "pending");
    assert_member(review(id), "command", SECRET);
    assert_member(review(id), "approvable", "true");
    assert_false(on_disk("hunter2y"));
    assert_int_equal(number_of("SELECT count(*) FROM reviews WHERE sealed IS NOT NULL"), 1);
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    assert_int_equal(number_of("SELECT count(*) FROM reviews WHERE sealed IS NOT NULL"), 0);
    assert_member(box_ask(&box, &box.worker, SECRET, ""), "decision", "human-accept");
    assert_member(box_ask(&box, &box.worker, SECRET, ""), "status", "pending"); /* it was used */
    assert_false(on_disk("hunter2y"));
    verify();
}

/* A sealed call is that of its own review. */
static void a_sealed_call_opens_for_its_review_alone(void **state)
{
    char one[REVIEW_ID_SIZE], two[REVIEW_ID_SIZE];

    (void)state;
    ask_for_review("rm -r one", one);
    ask_for_review("rm -r two", two);
    box_close(&box);
    change_state("UPDATE reviews SET sealed = (SELECT sealed FROM reviews WHERE command LIKE "
                 "'%one') WHERE command LIKE '%two'");
    box_open(&box, NULL);
    assert_int_equal(box_answer(&box, two, APPROVE), WARDER_CONFLICT);
    assert_int_equal(box_answer(&box, one, APPROVE), WARDER_DONE);
    reopen();
    assert_int_equal(box_answer(&box, two, DENY), WARDER_DONE);
}

static void without_its_call_its_worker_must_ask_again(void **state)
{
    char id[REVIEW_ID_SIZE];

    (void)state;
    ask_for_review(SECRET, id);
    reopen_without_calls();
    const char *json = review(id);
    assert_member(json, "status", "pending");
    assert_member(json, "command", "PGPASSWORD=[REDACTED] psql"); /* to operators, too */
    assert_member(json, "approvable", "false");
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"promote\"}"), WARDER_CONFLICT);
    /* Another caller asks: that is another question. */
    assert_string_not_equal(box_member(box_ask(&box, &box.other, SECRET, ""), "review_id"), id);
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    warder_case *item = box_put(&box, &box.worker, SECRET, "");
    box_commit(&box);
    assert_member(warder_case_json(item), "review_id", id);
    assert_member(review(id), "command", SECRET);
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    assert_member(warder_case_json(item), "decision", "human-accept");
    warder_case_free(item);
    reopen();
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    assert_member(box_ask(&box, &box.worker, SECRET, ""), "status", "pending"); /* it was used */
    verify();
}

static void remove_state(void)
{
    static const char *const tails[] = {"", "-wal", "-shm"};
    char path[160];

    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(path, sizeof(path), "%s/" STATE_DB_NAME "%s", box.data, tails[i]);
        (void)unlink(path);
    }
}

/* The record of a call has its input, whose members a worker chooses: they are not the record's. */
static void an_input_ends_no_review(void **state)
{
    char id[REVIEW_ID_SIZE], call[512];
    warder_case *item;

    (void)state;
    ask_for_review("rm -r x", id);
    int len = snprintf(call, sizeof(call),
                       "{\"tool\":\"Read\",\"input\":{\"file_path\":\"/etc/shadow\","
                       "\"review_id\":\"%s\",\"decision\":\"human-accept\",\"delivery\":"
                       "\"waiting\",\"id\":\"d_1\"},\"cwd\":\"%s\",\"review\":false}",
                       id, box.work);
    assert_int_equal(
        warder_service_check(box.service, &box.worker, call, (size_t)len, NULL, &item, NULL),
        WARDER_DONE);
    box_commit(&box);
    assert_int_equal(box_records(&box, "human-accept"), 1); /* in the input that it recorded */
    warder_case_free(item);
    for (int lost = 0; lost < 2; lost++) {
        reopen();
        assert_int_equal(box.service->pending, 1);
        assert_member(review(id), "status", "pending");
        assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "status", "pending");
        remove_state();
    }
}

/* ---- the state database is lost ---- */

static void tick(void)
{
    uint32_t next;

    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    box_commit(&box);
}

struct made_token {
    char text[96], id[32];
};

static struct made_token make_token(const char *role)
{
    struct made_token t = {0};
    warder_report *report = NULL;

    assert_int_equal(warder_token_create(box.data, box.home, role, "someone", NULL, &report, NULL),
                     WARDER_OK);
    snprintf(t.text, sizeof(t.text), "%s", box_member(warder_report_json(report), "token"));
    snprintf(t.id, sizeof(t.id), "%s", box_member(warder_report_json(report), "id"));
    warder_report_free(report);
    return t;
}

static warder_outcome login(const struct made_token *t)
{
    warder_caller caller;

    return warder_service_login(box.service, t->text, &caller, NULL);
}

/* A login is remembered only while the database is as it was. */
static void a_revocation_counts_at_once(void **state)
{
    const struct timespec settled = {0, 150000000}, soon = {0, 3000000};
    struct made_token tokens[8];
    const struct made_token stays = make_token("viewer");
    struct made_token wrong;

    (void)state;
    for (size_t i = 0; i < COUNT(tokens); i++)
        tokens[i] = make_token("worker");
    nanosleep(&settled, NULL);
    for (size_t i = 0; i < COUNT(tokens); i++) {
        for (int again = 0; again < 3; again++) {
            assert_int_equal(login(&stays), WARDER_DONE);
            assert_int_equal(login(&tokens[i]), WARDER_DONE);
        }
        wrong = tokens[i];
        wrong.text[strlen(wrong.text) - 1] ^= 1;
        assert_int_equal(login(&wrong), WARDER_FORBIDDEN);
        assert_int_equal(warder_token_revoke(box.data, box.home, tokens[i].id, NULL), WARDER_OK);
        assert_int_equal(login(&tokens[i]), WARDER_FORBIDDEN);
        assert_int_equal(login(&stays), WARDER_DONE);
        nanosleep(i % 2 ? &soon : &settled, NULL);
    }
    for (size_t i = 0; i < COUNT(tokens); i++)
        assert_int_equal(login(&tokens[i]), WARDER_FORBIDDEN);
}

static void the_journal_makes_the_state_again(void **state)
{
    char open[REVIEW_ID_SIZE], over[REVIEW_ID_SIZE];
    const struct made_token kept = make_token("worker"), revoked = make_token("operator");

    (void)state;
    assert_int_equal(warder_token_revoke(box.data, box.home, revoked.id, NULL), WARDER_OK);
    ask_for_review(SECRET, open);
    ask_for_review("rm -r x", over);
    assert_int_equal(box_answer(&box, over, APPROVE), WARDER_DONE);
    for (int running = 0; running < 2; running++) {
        if (!running)
            box_close(&box);
        remove_state();
        if (!running)
            box_open(&box, NULL);
        assert_int_equal(login(&kept), WARDER_DONE);
        assert_int_equal(login(&revoked), WARDER_FORBIDDEN);
        tick();
        assert_int_equal(box.service->pending, 1);
        assert_member(review(open), "status", "pending");
        assert_member(review(open), "task_id", "t1");
        assert_member(review(over), "status", "approved");
        assert_member(health(), "status", "ok");
        assert_int_equal(box_answer(&box, over, DENY), WARDER_CONFLICT);
    }
    assert_member(box_ask(&box, &box.worker, SECRET, ""), "review_id", open);
    tick(); /* the call is stored again */
    reopen();
    assert_int_equal(box_answer(&box, open, APPROVE), WARDER_DONE);
    assert_member(box_ask(&box, &box.worker, SECRET, ""), "decision", "human-accept");
    assert_false(on_disk("hunter2y"));
    verify();
}

/* Bytes in each page but the first, so that it still opens. */
static void damage_pages(const char *name)
{
    char path[160];
    struct stat st;

    snprintf(path, sizeof(path), "%s/%s", box.data, name);
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    for (long at = 4096; at < st.st_size; at += 4096) {
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
        for (int i = 0; i < 200; i++)
            fputc(0x5a, f);
    }
    fclose(f);
}

static void a_state_that_is_damaged_inside_is_rebuilt_by_a_command(void **state)
{
    char id[REVIEW_ID_SIZE];
    const struct made_token token = make_token("worker");
    warder_report *report = NULL;
    warder_error err = {0};

    (void)state;
    ask_for_review("rm -r x", id);
    assert_int_equal(warder_state_rebuild(box.data, box.home, &report, &err), WARDER_EIO);
    assert_non_null(strstr(err.message, "stop the service"));
    box_close(&box);
    damage_pages(STATE_DB_NAME);
    box_open(&box, NULL);
    assert_int_equal(login(&token), WARDER_FAILED); /* nothing is guessed */
    assert_member(health(), "status", "degraded");
    box_close(&box);
    assert_int_equal(warder_state_rebuild(box.data, box.home, &report, &err), WARDER_OK);
    assert_member(warder_report_json(report), "tokens", "1");
    assert_member(warder_report_json(report), "reviews", "1");
    warder_report_free(report);
    box_open(&box, NULL);
    assert_int_equal(login(&token), WARDER_DONE);
    assert_int_equal(box.service->pending, 1);
    assert_member(health(), "status", "ok");
}

/* A line that cannot be read may have revoked a token, or ended a review. */
static void a_damaged_journal_restores_nothing_from_before_it(void **state)
{
    char command[512], id[REVIEW_ID_SIZE];
    const struct made_token before = make_token("worker");

    (void)state;
    ask_for_review("rm -r x", id);
    box_ask(&box, &box.worker, "bun test", "");
    const struct made_token after = make_token("worker");
    box_close(&box);
    remove_state();
    snprintf(command, sizeof(command), "sed -i 's/auto-accept/auto-excuse/' %s/journal/*.jsonl",
             box.data);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a test */
    box_open(&box, NULL);
    assert_int_equal(login(&before), WARDER_FORBIDDEN);
    assert_int_equal(login(&after), WARDER_DONE);
    assert_int_equal(box.service->pending, 0);
}

/* ---- the layout of an older warder ---- */

static const char OLDER[] =
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), n INTEGER NOT NULL, hash TEXT, at "
    "TEXT);"
    "CREATE TABLE records (n INTEGER PRIMARY KEY, at TEXT NOT NULL, line TEXT NOT NULL);"
    "CREATE TABLE tokens (id TEXT PRIMARY KEY, role TEXT NOT NULL, name TEXT, policy TEXT, "
    "created_at TEXT NOT NULL, revoked_at TEXT, hash BLOB NOT NULL);"
    "CREATE TABLE reviews (id TEXT PRIMARY KEY, status TEXT NOT NULL, worker_id TEXT, task_id "
    "TEXT, project_id TEXT, session_id TEXT, tool TEXT, token_id TEXT, command TEXT, command_hash "
    "TEXT, call_hash TEXT, context TEXT, reason TEXT, requested_at TEXT NOT NULL, expires_at TEXT "
    "NOT NULL, responded_at TEXT, responded_by TEXT, message TEXT, rule TEXT, decision_id TEXT, "
    "delivered_at TEXT);"
    "ATTACH '%s/" STATE_DB_NAME "' AS now;"
    "INSERT INTO tokens SELECT id, role, name, policy, created_at, revoked_at, hash FROM "
    "now.tokens;"
    "INSERT INTO reviews SELECT id, status, worker_id, task_id, project_id, session_id, tool, "
    "token_id, command, command_hash, call_hash, context, reason, requested_at, expires_at, "
    "responded_at, responded_by, message, rule, decision_id, delivered_at FROM now.reviews;"
    "DETACH now; PRAGMA user_version = 2";

static void write_older_layout(void)
{
    char path[160], sql[sizeof(OLDER) + sizeof(box.data)];
    sqlite3 *db = NULL;

    snprintf(path, sizeof(path), "%s/" STATE_DB_OLDER, box.data);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL), SQLITE_OK);
    snprintf(sql, sizeof(sql), OLDER, box.data);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    remove_state();
}

/* And its journal, which had neither questions nor the hashes of tokens. */
static void empty_journal(void)
{
    char command[256];

    snprintf(command, sizeof(command), "rm -r %s/journal", box.data);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c,concurrency-mt-unsafe): a test */
}

static void an_older_layout_is_taken_over(void **state)
{
    char open[REVIEW_ID_SIZE], over[REVIEW_ID_SIZE], path[160];
    const struct made_token kept = make_token("worker"), revoked = make_token("operator");

    (void)state;
    assert_int_equal(warder_token_revoke(box.data, box.home, revoked.id, NULL), WARDER_OK);
    ask_for_review("rm -r x", open);
    ask_for_review("rm -r y", over);
    assert_int_equal(box_answer(&box, over, DENY), WARDER_DONE);
    box_close(&box);
    write_older_layout();
    empty_journal();
    for (int lost = 0; lost < 2; lost++) {
        box_open(&box, NULL);
        assert_int_equal(login(&kept), WARDER_DONE);
        assert_int_equal(login(&revoked), WARDER_FORBIDDEN);
        assert_int_equal(box.service->pending, 1);
        assert_member(review(open), "status", "pending");
        if (!lost)
            assert_member(review(over), "status", "denied");
        tick(); /* the journal has them from here on */
        box_close(&box);
        remove_state();
    }
    box_open(&box, NULL);
    snprintf(path, sizeof(path), "%s/" STATE_DB_OLDER, box.data);
    assert_int_not_equal(access(path, F_OK), 0);
    verify();
}

/* A service of that version still uses it: its tokens and reviews are not taken away from it. */
static void an_older_layout_in_use_is_left_alone(void **state)
{
    char path[160];
    sqlite3 *db = NULL;
    warder_report *report = NULL;
    warder_error err = {0};

    (void)state;
    make_token("worker");
    box_close(&box);
    write_older_layout();
    snprintf(path, sizeof(path), "%s/" STATE_DB_OLDER, box.data);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "SELECT * FROM tokens", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(warder_token_list(box.data, box.home, &report, &err), WARDER_EIO);
    assert_non_null(strstr(err.message, "older service"));
    assert_int_equal(access(path, F_OK), 0);
    sqlite3_close(db);
    assert_int_equal(warder_token_list(box.data, box.home, &report, &err), WARDER_OK);
    warder_report_free(report);
    box_open(&box, NULL);
}

static void what_is_not_known_can_be_denied(void **state)
{
    char id[REVIEW_ID_SIZE];
    warder_case *item;

    (void)state;
    snprintf(id, sizeof(id), "%s", box_member(box_ask(&box, &box.worker, SECRET, ""), "review_id"));
    reopen_without_calls();
    assert_int_equal(warder_service_await(box.service, &box.worker, id, NULL, &item, NULL),
                     WARDER_DONE);
    box_commit(&box);
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"deny\",\"reason\":\"no\"}"), WARDER_DONE);
    assert_member(warder_case_json(item), "behavior", "deny");
    assert_member(warder_case_json(item), "decision", "human-deny");
    warder_case_free(item);
    /* Its record is that of the whole command, redacted. */
    assert_int_equal(box_records(&box, "human-deny"), 1);
    assert_int_equal(box_records(&box, "\"command\":\"PGPASSWORD=[REDACTED] psql\""), 2);
    assert_int_equal(box_records(&box, id), 2); /* asked, and answered */
    assert_member(review(id), "status", "denied");
    verify();
}

static void what_is_not_known_expires(void **state)
{
    uint32_t next;
    char id[REVIEW_ID_SIZE];

    (void)state;
    snprintf(id, sizeof(id), "%s", box_member(box_ask(&box, &box.worker, SECRET, ""), "review_id"));
    reopen_without_calls();
    box_mono = clock_ms() + (int64_t)SERVICE_TIMEOUT_S * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    box_commit(&box);
    assert_int_equal(box_records(&box, "timeout-deny"), 1);
    assert_member(review(id), "status", "expired");
    assert_int_equal(box.service->pending, 0);
}

static void an_answer_is_kept_over_a_restart(void **state)
{
    char id[REVIEW_ID_SIZE];

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    reopen();
    const char *json = box_ask(&box, &box.worker, "rm -r x", "");
    assert_member(json, "decision", "human-accept");
    assert_member(json, "review_id", id);
    reopen();
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "status", "pending");
    assert_string_not_equal(box_member(review(id), "delivered_at"), "");
}

static void two_services_are_one_too_many(void **state)
{
    warder_service_options o = WARDER_SERVICE_OPTIONS_INIT;
    warder_service *second = NULL;
    warder_error err = {0};
    char said[80];

    (void)state;
    o.data = box.data;
    o.home = box.home;
    assert_int_equal(warder_service_open(&o, &second, &err), WARDER_EIO);
    assert_null(second);
    assert_non_null(strstr(err.message, "already running here, with its record in "));
    warder_service_announce(box.service, "http://127.0.0.1:1");
    assert_int_equal(warder_service_open(&o, &second, &err), WARDER_EIO);
    snprintf(said, sizeof(said), "(pid %ld, http://127.0.0.1:1)", (long)getpid());
    assert_non_null(strstr(err.message, said));
    o.data = "relative";
    assert_int_equal(warder_service_open(&o, &second, &err), WARDER_EUSAGE);
    o.data = box.data;
    o.review_timeout_s = SERVICE_TIMEOUT_MAX + 1;
    assert_int_equal(warder_service_open(&o, &second, &err), WARDER_EUSAGE);
    o.struct_size = 0;
    assert_int_equal(warder_service_open(&o, &second, &err), WARDER_EUSAGE);
}

/* ---- the database ---- */

static struct database lock_database(void)
{
    struct database db;
    char *notice = NULL;

    assert_int_equal(state_db_open(&db, box.data, 0, &notice, NULL), STATUS_OK);
    assert_int_equal(database_run(&db, "BEGIN IMMEDIATE", NULL), STATUS_OK);
    return db;
}

static void a_locked_database_denies_what_must_be_asked(void **state)
{
    char id[REVIEW_ID_SIZE];
    struct database other;

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    box_mono = 1000;
    other = lock_database();
    const char *json = box_ask(&box, &box.worker, "rm -r y", "");
    assert_member(json, "behavior", "deny");
    assert_member(json, "decision", "auto-deny");
    assert_non_null(strstr(box_member(json, "reason"), "cannot ask a person"));
    assert_member(box_ask(&box, &box.worker, "bun test", ""), "decision",
                  "auto-accept"); /* the journal counts */
    assert_member(box_ask(&box, &box.worker, "curl x", ""), "decision", "auto-deny");
    assert_member(health(), "status", "degraded");
    assert_member(health(), "problems.0.name", "database");
    assert_int_equal(box.service->pending, 1);
    /* An answer counts as soon as it is in the journal; the database is updated later. */
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    assert_int_equal(box_records(&box, "human-accept"), 1);
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "decision", "human-accept");
    database_close(&other);
    uint32_t next;
    box_mono += SERVICE_RETRY_MS;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_member(health(), "status", "ok");
    assert_member(review(id), "status", "approved");
    assert_string_not_equal(box_member(review(id), "delivered_at"), "");
    assert_member(box_ask(&box, &box.worker, "rm -r y", ""), "status", "pending");
}

static void a_database_that_came_late_is_mended(void **state)
{
    char id[REVIEW_ID_SIZE];
    struct database other;

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    other = lock_database();
    assert_int_equal(box_answer(&box, id, DENY), WARDER_DONE);
    database_close(&other);
    /* As after kill -9: the journal has it, the database has not. */
    reopen();
    assert_int_equal(box.service->pending, 0);
    assert_member(review(id), "status", "denied");
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "decision",
                  "human-deny"); /* its worker was not told */
    assert_int_equal(box_records(&box, "human-deny"), 1);
}

/* ---- the journal ---- */

/* No file may grow: as on a full disk. */
static void fill_disk(bool full)
{
    struct rlimit l;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &l), 0);
    l.rlim_cur = full ? 1 : l.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

static void what_cannot_be_recorded_denies(void **state)
{
    char id[REVIEW_ID_SIZE];
    warder_error err = {0};

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    box_mono = 1000;
    fill_disk(true);
    warder_case *item = box_put(&box, &box.worker, "bun test", "");
    size_t before = box.settled;
    assert_int_equal(warder_service_commit(box.service, &err), WARDER_EIO);
    fill_disk(false);
    assert_int_equal(box.settled, before + 1);
    assert_member(warder_case_json(item), "behavior", "deny");
    assert_member(warder_case_json(item), "layer", "record");
    assert_member(warder_case_json(item), "decision_id", "null");
    warder_case_free(item);
    assert_member(health(), "status", "failing");
    assert_member(health(), "problems.0.name", "record");
    /* An answer of a person does not count meanwhile. */
    warder_report *report = NULL;
    item = box_put(&box, &box.worker, "rm -r x", "");
    box_commit(&box);
    assert_int_equal(warder_service_answer(box.service, &box.operator, id, APPROVE, strlen(APPROVE),
                                           &report, NULL),
                     WARDER_DONE);
    warder_report_free(report);
    fill_disk(true);
    assert_int_equal(warder_service_commit(box.service, &err), WARDER_EIO);
    fill_disk(false);
    assert_true(warder_case_pending(item));
    assert_int_equal(box.service->pending, 1);
    assert_int_equal(box_records(&box, "human-accept"), 0);
    /* And then it continues. */
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    assert_member(warder_case_json(item), "decision", "human-accept");
    warder_case_free(item);
    assert_member(box_ask(&box, &box.worker, "bun test", ""), "decision", "auto-accept");
    box_mono += SERVICE_RETRY_MS;
    uint32_t next;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_member(health(), "status", "ok");
    verify();
}

/* From the first call on: others can read the key of the record, so nothing can be recorded. */
static void without_a_record_nothing_is_allowed(void **state)
{
    char path[160];
    warder_error err = {0};

    (void)state;
    snprintf(path, sizeof(path), "%s/" RECORD_KEY_NAME, box.data);
    box_write(path, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n");
    assert_int_equal(chmod(path, 0666), 0);
    for (int i = 0; i < 2; i++) {
        warder_case *item = box_put(&box, &box.worker, i ? "rm -r x" : "bun test", "");
        assert_int_not_equal(warder_service_commit(box.service, &err), WARDER_OK);
        assert_member(warder_case_json(item), "behavior", "deny");
        warder_case_free(item);
    }
    assert_member(health(), "status", "failing");
    assert_int_equal(unlink(path), 0);
    assert_member(box_ask(&box, &box.worker, "bun test", ""), "decision", "auto-accept");
}

static void waiting_calls_are_denied_if_a_timeout_cannot_be_recorded(void **state)
{
    uint32_t next;
    warder_error err = {0};

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    box_mono = 1000;
    warder_case *item = box_put(&box, &box.worker, "rm -r x", "");
    box_commit(&box);
    box_mono += (int64_t)SERVICE_TIMEOUT_S * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    fill_disk(true);
    assert_int_equal(warder_service_commit(box.service, &err), WARDER_EIO);
    fill_disk(false);
    assert_member(warder_case_json(item), "behavior", "deny");
    warder_case_free(item);
    assert_int_equal(box_records(&box, "timeout-deny"), 0);
    box_mono += SERVICE_RETRY_MS;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    box_commit(&box);
    assert_int_equal(box_records(&box, "timeout-deny"), 1);
    assert_int_equal(box.service->pending, 0);
}

static void an_answer_that_cannot_be_recorded_is_still_there(void **state)
{
    char id[REVIEW_ID_SIZE];
    warder_error err = {0};

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    warder_case *item = box_put(&box, &box.worker, "rm -r x", "");
    fill_disk(true);
    assert_int_equal(warder_service_commit(box.service, &err), WARDER_EIO);
    fill_disk(false);
    assert_member(warder_case_json(item), "behavior", "deny");
    warder_case_free(item);
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "decision", "human-accept");
}

static warder_case *put_rule(const char *pattern)
{
    char json[200];
    warder_report *report = NULL;
    warder_case *held = NULL;

    snprintf(json, sizeof(json), "{\"pattern\":\"%s\",\"type\":\"accept\",\"scope\":\"global\"}",
             pattern);
    assert_int_equal(
        warder_service_rule_add(box.service, &box.operator, json, strlen(json), &report, NULL),
        WARDER_DONE);
    warder_report_free(report);
    assert_int_equal(warder_service_hold(box.service, NULL, &held), WARDER_OK);
    return held;
}

static void rules_that_cannot_be_written_do_not_act(void **state)
{
    warder_error err = {0};

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    warder_case *first = put_rule("terraform plan"), *second = put_rule("terraform show");
    fill_disk(true);
    assert_int_not_equal(warder_service_commit(box.service, &err), WARDER_OK);
    fill_disk(false);
    assert_int_equal(warder_case_outcome(first), WARDER_FAILED);
    assert_int_equal(warder_case_outcome(second), WARDER_FAILED);
    assert_non_null(strstr(warder_case_json(first), "cannot record"));
    warder_case_free(first);
    warder_case_free(second);
    assert_member(box_ask(&box, &box.worker, "terraform plan", ""), "status", "pending");
    assert_member(box_ask(&box, &box.worker, "terraform show", ""), "status", "pending");
    first = put_rule("terraform fmt");
    box_commit(&box);
    assert_int_equal(warder_case_outcome(first), WARDER_DONE);
    warder_case_free(first);
    assert_member(box_ask(&box, &box.worker, "terraform fmt", ""), "decision", "auto-accept");
    assert_member(box_ask(&box, &box.worker, "terraform show -json", ""), "status", "pending");
}

/* Recorded, but the file cannot be written: it does not act, and the record says so. */
static void a_rule_whose_file_cannot_be_written_does_not_act(void **state)
{
    char path[300];

    (void)state;
    snprintf(path, sizeof(path), "%s/rules.json.new", box.data);
    assert_int_equal(mkdir(path, 0700),
                     0); /* cannot be unlinked, so nothing can be written there */
    warder_case *held = put_rule("terraform plan");
    box_commit(&box);
    assert_int_equal(warder_case_outcome(held), WARDER_FAILED);
    assert_non_null(strstr(warder_case_json(held), "rules.json"));
    warder_case_free(held);
    assert_member(box_ask(&box, &box.worker, "terraform plan", ""), "status", "pending");
    assert_int_equal(box_records(&box, "\"action\":\"not written\""), 1);
    assert_int_equal(rmdir(path), 0);
    held = put_rule("terraform plan");
    box_commit(&box);
    assert_int_equal(warder_case_outcome(held), WARDER_DONE);
    warder_case_free(held);
}

/* One that was judged against a file that did not come to be is not written. */
static void a_change_that_is_based_on_a_failed_one_fails(void **state)
{
    char path[300];

    (void)state;
    snprintf(path, sizeof(path), "%s/rules.json.new", box.data);
    assert_int_equal(mkdir(path, 0700), 0);
    warder_case *first = put_rule("terraform plan");
    assert_true(warder_service_hand_over(box.service));
    warder_case *second = put_rule("terraform show");
    assert_int_equal(rmdir(path), 0);
    box_commit(&box);
    assert_int_equal(warder_case_outcome(first), WARDER_FAILED);
    assert_int_equal(warder_case_outcome(second), WARDER_FAILED);
    assert_non_null(strstr(warder_case_json(second), "earlier change"));
    warder_case_free(first);
    warder_case_free(second);
    assert_member(box_ask(&box, &box.worker, "terraform plan", ""), "status", "pending");
    assert_member(box_ask(&box, &box.worker, "terraform show", ""), "status", "pending");
    assert_int_equal(box_records(&box, "terraform show"), 1); /* the question */
}

/* ---- the clock ---- */

static void a_clock_that_goes_back_stops_nothing(void **state)
{
    char id[REVIEW_ID_SIZE];
    uint32_t next;

    (void)state;
    box_wall = stamp_now();
    box_mono = 1000;
    box_ask(&box, &box.worker, "ls", "");
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    box_wall -= (int64_t)86400 * 1000;
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
    assert_int_equal(box_answer(&box, id, APPROVE), WARDER_DONE);
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "decision", "human-accept");
    /* A review lives as long as it should, whatever the wall clock says. */
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r y", ""), "review_id"));
    box_wall += (int64_t)2 * 86400 * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(warder_service_uncommitted(box.service), 0);
    box_wall -= (int64_t)4 * 86400 * 1000;
    box_mono += (int64_t)SERVICE_TIMEOUT_S * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(warder_service_uncommitted(box.service), 1);
    box_commit(&box);
    verify();
    /* After a restart it waits for one full period at most, however long ago it began by the
     * clock. */
    box_ask(&box, &box.worker, "rm -r z", "");
    box_wall -= (int64_t)86400 * 1000;
    reopen();
    assert_non_null(box.service->open.first);
    assert_true(box.service->open.first->deadline <=
                clock_ms() + (int64_t)SERVICE_TIMEOUT_S * 1000);
}

/* ---- kill -9 ---- */

#define ROUNDS 12

/* A worker and an operator work until they are killed; each line written is an answer that has
 * left. */
static void work(int out)
{
    char command[64], line[128];

    for (unsigned i = 0;; i++) {
        warder_case *items[3];
        snprintf(command, sizeof(command), "ls %u", i);
        items[0] = box_put(&box, &box.worker, command, "");
        snprintf(command, sizeof(command), "rm -r x%u", i);
        items[1] = box_put(&box, &box.worker, command, "");
        items[2] = box_put(&box, &box.worker, "curl x", "");
        box_commit(&box);
        char id[REVIEW_ID_SIZE];
        snprintf(id, sizeof(id), "%s", box_member(warder_case_json(items[1]), "review_id"));
        for (size_t k = 0; k < 3; k += 2) {
            int len = snprintf(line, sizeof(line), "d %s\n",
                               box_member(warder_case_json(items[k]), "decision_id"));
            if (write(out, line, (size_t)len) != len)
                _exit(1);
        }
        int len = snprintf(line, sizeof(line), "p %s\n", id);
        if (write(out, line, (size_t)len) != len)
            _exit(1);
        if (i % 2)
            warder_case_free(items[1]); /* its answer will wait */
        (void)box_answer(&box, id, i % 3 ? APPROVE : DENY);
        len = snprintf(line, sizeof(line), "a %s\n", id);
        if (write(out, line, (size_t)len) != len)
            _exit(1);
        for (size_t k = 0; k < 3; k++)
            if (k != 1 || !(i % 2))
                warder_case_free(items[k]);
    }
}

static void check_line(const char *line)
{
    const char *id = line + 2;

    if (line[0] == 'd' && box_records(&box, id) != 1)
        fail_msg("%s was answered, and is not in the log", id);
    if (line[0] == 'p')
        (void)review(id); /* none is lost */
    if (line[0] == 'a') {
        assert_string_not_equal(box_member(review(id), "status"), "pending");
        char text[64];
        snprintf(text, sizeof(text), "\"review_id\":\"%s\",\"review_requested", id);
        assert_int_equal(box_records(&box, text), 1); /* and none answered twice */
        assert_int_equal(box_answer(&box, id, APPROVE), WARDER_CONFLICT);
    }
}

static void killed_at_any_moment(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        int pipes[2];
        static char text[1 << 20];
        size_t len = 0;
        ssize_t n;

        box_close(&box);
        assert_int_equal(pipe(pipes), 0);
        pid_t child = fork();
        if (child == 0) {
            close(pipes[0]);
            signal(SIGSEGV, SIG_DFL);
            signal(SIGABRT, SIG_DFL);
            box_open(&box, NULL);
            work(pipes[1]);
        }
        close(pipes[1]);
        size_t most = (size_t)round * 400 + 50; /* bytes of answers that have left */
        while (len < most && (n = read(pipes[0], text + len, 64)) > 0)
            len += (size_t)n;
        assert_int_equal(kill(child, SIGKILL), 0);
        while (len < sizeof(text) - 1 &&
               (n = read(pipes[0], text + len, sizeof(text) - 1 - len)) > 0)
            len += (size_t)n;
        close(pipes[0]);
        assert_int_equal(waitpid(child, NULL, 0), child);
        text[len] = '\0';
        box_open(&box, NULL);
        (void)box_ask(&box, &box.worker, "ls",
                      ""); /* repairs the partial record that the kill may have left */
        verify();
        char *save = NULL;
        for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
            check_line(line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(reviews_survive_a_restart),
        CASE(a_sealed_call_opens_for_its_review_alone),
        CASE(without_its_call_its_worker_must_ask_again),
        CASE(an_input_ends_no_review),
        CASE(a_revocation_counts_at_once),
        CASE(the_journal_makes_the_state_again),
        CASE(a_state_that_is_damaged_inside_is_rebuilt_by_a_command),
        CASE(a_damaged_journal_restores_nothing_from_before_it),
        CASE(an_older_layout_is_taken_over),
        CASE(an_older_layout_in_use_is_left_alone),
        CASE(what_is_not_known_can_be_denied),
        CASE(what_is_not_known_expires),
        CASE(an_answer_is_kept_over_a_restart),
        CASE(two_services_are_one_too_many),
        CASE(a_locked_database_denies_what_must_be_asked),
        CASE(a_database_that_came_late_is_mended),
        CASE(what_cannot_be_recorded_denies),
        CASE(without_a_record_nothing_is_allowed),
        CASE(waiting_calls_are_denied_if_a_timeout_cannot_be_recorded),
        CASE(an_answer_that_cannot_be_recorded_is_still_there),
        CASE(rules_that_cannot_be_written_do_not_act),
        CASE(a_rule_whose_file_cannot_be_written_does_not_act),
        CASE(a_change_that_is_based_on_a_failed_one_fails),
        CASE(a_clock_that_goes_back_stops_nothing),
        CASE(killed_at_any_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
