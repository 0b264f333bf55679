/* The index is derived from the journal and can be deleted; a decision that cannot be recorded
 * denies (promise 4). */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/record.h"
#include "record/database.h"
#include "record/index.h"
#include "record/journal_verify.h"

#include <cmocka.h>

static char dir[64];

static int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warder-record-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static void empty(const char *path)
{
    DIR *d = opendir(path);

    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' && unlinkat(dirfd(d), e->d_name, 0) < 0) {
            char inner[512];
            snprintf(inner, sizeof(inner), "%s/%s", path, e->d_name);
            empty(inner);
            rmdir(inner);
        }
    if (d)
        closedir(d);
}

static int remove_dir(void **state)
{
    (void)state;
    chmod(dir, 0700);
    empty(dir);
    return rmdir(dir);
}

static int clean(void **state)
{
    (void)state;
    empty(dir);
    return 0;
}

static void path_of(const char *name, char out[256])
{
    snprintf(out, 256, "%s/%s", dir, name);
}

/* ---- the index ---- */

static void append(const char *decision, const char *project, const char *command, int n)
{
    struct journal j;
    char body[512];
    uint64_t first;

    snprintf(body, sizeof(body),
             "\"kind\":\"decision\",\"id\":\"d_%d\",\"decision\":\"%s\",\"project_id\":\"%s\","
             "\"tool\":\"Bash\","
             "\"command\":\"%s\",\"response_time_ms\":1",
             n, decision, project, command);
    assert_int_equal(journal_open(&j, dir, NULL, NULL), STATUS_OK);
    struct str s = str_from(body);
    assert_int_equal(journal_append(&j, &s, 1, &first, NULL), STATUS_OK);
    journal_close(&j);
}

static struct index *open_index(char **notice)
{
    struct index *x;
    struct error err = {0};

    if (index_open_sqlite(dir, 50, &x, notice, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return x;
}

static struct index_progress sync_index(struct index *x, bool again)
{
    struct index_progress p;
    struct error err = {0};

    if (index_sync(x, dir, again, 0, &p, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return p;
}

struct seen {
    size_t count;
    uint64_t numbers[16];
};

static bool see(const struct index_row *row, void *context)
{
    struct seen *s = context;

    if (s->count < COUNT(s->numbers))
        s->numbers[s->count] = row->n;
    s->count++;
    return true;
}

static struct seen find(struct index *x, struct index_filter f)
{
    struct seen s = {0};

    assert_int_equal(x->kind->find(x, &f, see, &s, NULL), STATUS_OK);
    return s;
}

static void fill(void)
{
    append("auto-accept", "one", "ls -la", 1);   /* record 2 */
    append("auto-deny", "one", "curl x", 2);     /* 3 */
    append("human-deny", "two", "rm -r 50%", 3); /* 4 */
    append("auto-accept", "two", "git push", 4); /* 5 */
}

static void filters(void **state)
{
    char *notice;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    assert_int_equal(sync_index(x, false).rows, 5);
    assert_int_equal(find(x, (struct index_filter){0}).count, 4);
    assert_int_equal(find(x, (struct index_filter){.all_kinds = true}).count, 5);
    assert_int_equal(find(x, (struct index_filter){.decision = STR("auto-accept")}).count, 2);
    assert_int_equal(
        find(x, (struct index_filter){.project = STR("two"), .decision = STR("auto-accept")})
            .numbers[0],
        5);
    assert_int_equal(find(x, (struct index_filter){.text = STR("50%")}).count, 1);
    assert_int_equal(find(x, (struct index_filter){.text = STR("5%%")}).count, 0);
    assert_int_equal(find(x, (struct index_filter){.text = STR("CURL")}).count, 1);
    assert_int_equal(find(x, (struct index_filter){.since = "2001-01-01T00:00:00.000Z"}).count, 4);
    assert_int_equal(find(x, (struct index_filter){.until = "2001-01-01T00:00:00.000Z"}).count, 0);
    struct seen page = find(x, (struct index_filter){.limit = 2});
    assert_int_equal(page.count, 2);
    assert_int_equal(page.numbers[0], 5); /* the newest first */
    page = find(x, (struct index_filter){.limit = 2, .before = page.numbers[1]});
    assert_int_equal(page.numbers[0], 3);
    assert_int_equal(find(x, (struct index_filter){.after = 3, .oldest_first = true}).numbers[0],
                     4);
    index_close(x);
}

static void built_again_at_any_time(void **state)
{
    char *notice;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    assert_int_equal(sync_index(x, false).rows, 5);
    assert_int_equal(sync_index(x, false).rows, 0); /* nothing twice */
    assert_int_equal(sync_index(x, true).rows, 5);
    assert_int_equal(find(x, (struct index_filter){0}).count, 4);
    append("auto-accept", "one", "ls", 9);
    assert_int_equal(sync_index(x, false).rows, 1);
    index_close(x);

    char path[256];
    path_of("journal", path); /* another journal: nothing of the old one may remain */
    empty(path);
    append("auto-deny", "three", "x", 10);
    x = open_index(&notice);
    assert_true(sync_index(x, false).rebuilt); /* it is shorter */
    assert_int_equal(find(x, (struct index_filter){0}).count, 1);
    empty(path);
    append("auto-deny", "three", "y", 11);
    append("auto-deny", "three", "z", 12);
    append("auto-deny", "three", "z", 13);
    append("auto-deny", "three", "z", 14);
    append("auto-deny", "three", "z", 15);
    append("auto-deny", "three", "z", 16);
    assert_true(sync_index(x, false).rebuilt);
    assert_int_equal(find(x, (struct index_filter){0}).count, 6);
    index_close(x);
}

static void a_damaged_database_is_begun_again(void **state)
{
    char path[256], *notice;

    (void)state;
    fill();
    path_of(INDEX_NAME, path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 5000; i++)
        fputs("this is no database ", f);
    fclose(f);
    chmod(path, 0600);
    struct index *x = open_index(&notice);
    assert_non_null(notice);
    free(notice);
    assert_int_equal(sync_index(x, false).rows, 5);
    index_close(x);
}

/* Bytes in each page but the first, so that it still opens. */
static void damage_pages(const char *path)
{
    struct stat st;
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

static void a_database_that_is_damaged_inside_is_built_again(void **state)
{
    char path[256], *notice;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    sync_index(x, false);
    index_close(x);
    path_of(INDEX_NAME, path);
    damage_pages(path);
    x = open_index(&notice);
    append("auto-deny", "one", "x", 5);
    assert_int_equal(sync_index(x, false).rows, 6);
    assert_int_equal(find(x, (struct index_filter){0}).count, 5);
    index_close(x);
    damage_pages(path);
    x = open_index(&notice);
    assert_int_equal(sync_index(x, true).rows, 6);
    index_close(x);
}

static void a_database_may_be_removed_at_any_time(void **state)
{
    char path[256], *notice;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    sync_index(x, false);
    for (int i = 0; i < 3; i++) {
        static const char *const tails[] = {"", "-wal", "-shm"};
        for (size_t k = 0; k < COUNT(tails); k++) {
            char name[64];
            snprintf(name, sizeof(name), INDEX_NAME "%s", tails[k]);
            path_of(name, path);
            (void)unlink(path);
        }
        append("auto-deny", "one", "x", 5 + i);
        assert_int_equal(sync_index(x, false).rows, 6 + i);
        assert_int_equal(find(x, (struct index_filter){0}).count, 5 + i);
        path_of(INDEX_NAME, path);
        assert_int_equal(access(path, F_OK), 0);
    }
    index_close(x);
}

static void in_steps(void **state)
{
    char *notice;
    struct index_progress p;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    assert_int_equal(index_sync(x, dir, false, 3, &p, NULL), STATUS_OK);
    assert_int_equal(p.rows, 3);
    assert_true(p.more);
    assert_int_equal(index_sync(x, dir, false, 3, &p, NULL), STATUS_OK);
    assert_int_equal(p.rows, 2);
    assert_false(p.more);
    append("auto-deny", "one", "x", 5);
    assert_int_equal(sync_index(x, false).rows, 1);
    assert_int_equal(find(x, (struct index_filter){0}).count, 5);
    index_close(x);
}

static bool look_ahead(struct index *x)
{
    bool whole = false;

    assert_int_equal(index_look_ahead(x, dir, &whole, NULL), STATUS_OK);
    return whole;
}

static void append_answer(const char *to)
{
    struct journal j;
    char body[256];
    uint64_t first;

    snprintf(body, sizeof(body),
             "\"kind\":\"decision\",\"id\":\"d_9\",\"decision\":\"human-accept\","
             "\"project_id\":\"one\",\"command\":\"make\",\"answers\":\"%s\"",
             to);
    assert_int_equal(journal_open(&j, dir, NULL, NULL), STATUS_OK);
    struct str s = str_from(body);
    assert_int_equal(journal_append(&j, &s, 1, &first, NULL), STATUS_OK);
    journal_close(&j);
}

/* What index_last() reads is the file. */
static uint64_t in_file(void)
{
    uint64_t last;

    assert_true(index_last(dir, &last));
    return last;
}

static void a_look_ahead_writes_nothing(void **state)
{
    char *notice;
    struct index_progress p;
    struct seen s;

    (void)state;
    fill();
    append("ask", "one", "make", 8); /* 6 */
    struct index *x = open_index(&notice);
    assert_false(look_ahead(x)); /* there is no table yet */
    (void)sync_index(x, false);
    assert_true(look_ahead(x));
    append("auto-deny", "two", "wget x", 5); /* 7 */
    append_answer("d_8");                    /* 8 */
    assert_true(look_ahead(x));
    assert_true(look_ahead(x)); /* again: nothing is there twice */
    assert_int_equal(in_file(), 6);

    s = find(x, (struct index_filter){0});
    assert_int_equal(s.count, 6); /* the question is listed as its answer */
    assert_int_equal(s.numbers[0], 8);
    assert_int_equal(s.numbers[1], 7);
    assert_int_equal(s.numbers[2], 5);
    s = find(x, (struct index_filter){.oldest_first = true, .after = 4, .limit = 2});
    assert_int_equal(s.count, 2);
    assert_int_equal(s.numbers[0], 5);
    assert_int_equal(s.numbers[1], 7);
    s = find(x, (struct index_filter){.limit = 1, .before = 8});
    assert_int_equal(s.count, 1);
    assert_int_equal(s.numbers[0], 7);
    assert_int_equal(find(x, (struct index_filter){.project = STR("two")}).count, 3);
    assert_int_equal(find(x, (struct index_filter){.text = STR("wget")}).count, 1);
    bool found = false;
    s = (struct seen){0};
    assert_int_equal(x->kind->get(x, STR("d_5"), see, &s, &found, NULL), STATUS_OK);
    assert_true(found);
    assert_int_equal(s.count, 1);

    /* The file takes one of them, and then all. */
    assert_int_equal(index_sync(x, dir, false, 1, &p, NULL), STATUS_OK);
    assert_int_equal(find(x, (struct index_filter){0}).count, 6);
    assert_true(look_ahead(x));
    assert_int_equal(find(x, (struct index_filter){0}).count, 6);
    (void)sync_index(x, false);
    assert_int_equal(in_file(), 8);
    assert_int_equal(find(x, (struct index_filter){0}).count, 6);
    index_close(x);
}

static void a_look_ahead_knows_its_journal(void **state)
{
    char *notice, path[256], command[300];

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    (void)sync_index(x, false);
    append("auto-deny", "one", "x", 5);
    assert_true(look_ahead(x));
    path_of("journal", path);
    snprintf(command, sizeof(command), "rm -rf %s", path);
    assert_int_equal(system(command), 0);
    for (int i = 0; i < 8; i++)
        append("auto-deny", "other", "y", i);
    assert_false(look_ahead(x));
    assert_true(sync_index(x, false).rebuilt);
    assert_true(look_ahead(x));
    assert_int_equal(find(x, (struct index_filter){0}).count, 8);
    index_close(x);
}

/* A handle that was just opened, as an audit has one, knows that the table is there. */
static void following_writes_only_what_it_must(void **state)
{
    char *notice;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    assert_int_equal(index_follow(x, dir, NULL), STATUS_OK); /* there was no table yet */
    assert_int_equal(in_file(), 5);
    index_close(x);

    append("auto-deny", "two", "wget x", 5); /* 6 */
    x = open_index(&notice);
    assert_int_equal(index_follow(x, dir, NULL), STATUS_OK);
    assert_int_equal(find(x, (struct index_filter){0}).numbers[0], 6);
    assert_int_equal(in_file(), 5);
    index_close(x);
}

static void a_tool_and_something_else(void **state)
{
    char *notice;
    struct seen s;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    (void)sync_index(x, false);
    s = find(x, (struct index_filter){.tool = STR("Bash")});
    assert_true(s.count > 0);
    s = find(x, (struct index_filter){.tool = STR("Bash"), .project = STR("two")});
    assert_int_equal(s.count, find(x, (struct index_filter){.project = STR("two")}).count);
    s = find(x, (struct index_filter){.tool = STR("Read"), .project = STR("two")});
    assert_int_equal(s.count, 0);
    index_close(x);
}

static int64_t set_clock;

static int64_t clock_of_test(void)
{
    return set_clock;
}

static long size_of(const char *name)
{
    char path[256];
    struct stat st;

    path_of(name, path);
    return stat(path, &st) == 0 ? st.st_size : 0;
}

/* What retention has removed from the journal leaves the table, and the file becomes smaller. */
static void retention_gives_space_back(void **state)
{
    struct journal_options o = {
        .now = clock_of_test, .segment_bytes = 100000, .retention_days = 30};
    static char body[1200];
    struct journal j;
    struct str text;
    char *notice;
    uint64_t first;

    (void)state;
    set_clock = 1700000000000;
    snprintf(body, sizeof(body), "\"kind\":\"decision\",\"id\":\"d_1\",\"command\":\"%01000d\"", 0);
    text = str_from(body);
    assert_int_equal(journal_open(&j, dir, &o, NULL), STATUS_OK);
    for (int i = 0; i < 12000; i++)
        assert_int_equal(journal_append(&j, &text, 1, &first, NULL), STATUS_OK);
    struct index *x = open_index(&notice);
    sync_index(x, false);
    index_close(x);
    const long before = size_of(INDEX_NAME);
    assert_true(before > 12000L * 2000);
    set_clock += (int64_t)40 * 86400 * 1000;
    for (int i = 0; i < 200; i++)
        assert_int_equal(journal_append(&j, &text, 1, &first, NULL), STATUS_OK);
    journal_close(&j);
    x = open_index(&notice);
    sync_index(x, false);
    const struct seen oldest = find(x, (struct index_filter){.oldest_first = true});
    assert_true(oldest.numbers[0] > 11000);
    index_close(x);
    assert_true(size_of(INDEX_NAME) < before / 10);
    assert_true(size_of(INDEX_NAME "-wal") < before / 10);
}

static void a_locked_database_loses_nothing(void **state)
{
    char path[256], *notice;
    struct index_progress p;
    struct error err = {0};
    sqlite3 *other;

    (void)state;
    fill();
    struct index *x = open_index(&notice);
    sync_index(x, false);
    path_of(INDEX_NAME, path);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    append("auto-deny", "one", "x", 5); /* the journal does not depend on it */
    assert_int_equal(index_sync(x, dir, false, 0, &p, &err), STATUS_IO);
    assert_non_null(strstr(err.message, "locked"));
    sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(other);
    assert_int_equal(sync_index(x, false).rows, 1);
    index_close(x);
}

static void unsafe_databases_are_refused(void **state)
{
    char path[256], *notice;
    struct index *x;

    (void)state;
    path_of(INDEX_NAME, path);
    assert_int_equal(symlink("/tmp/elsewhere", path), 0);
    assert_int_equal(index_open_sqlite(dir, 50, &x, &notice, NULL), STATUS_UNSAFE);
    unlink(path);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    chmod(path, 0666);
    assert_int_equal(index_open_sqlite(dir, 50, &x, &notice, NULL), STATUS_UNSAFE);
}

/* ---- the key ---- */

static enum status load_key(struct record_key *out)
{
    int directory = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum status status = record_key_load_at(directory, out, NULL);

    close(directory);
    return status;
}

static void the_hash_is_that_of_libsodium(void **state)
{
    static const size_t lengths[] = {0, 1, 31, 63, 64, 65, 1000};
    char text[1000], ours[SHA256_HEX], theirs[SHA256_HEX];
    struct record_key key, again;
    unsigned char hash[crypto_auth_hmacsha256_BYTES];

    (void)state;
    assert_true(sodium_init() >= 0);
    memset(text, 'x', sizeof(text));
    assert_int_equal(load_key(&key), STATUS_OK);
    assert_int_equal(load_key(&again), STATUS_OK);
    assert_memory_equal(&key, &again, sizeof(key));
    for (size_t i = 0; i < COUNT(lengths); i++) {
        record_key_hash(&key, (struct str){text, lengths[i]}, ours);
        crypto_auth_hmacsha256(hash, (const unsigned char *)text, lengths[i], key.bytes);
        sha256_hex(hash, theirs);
        assert_string_equal(ours, theirs);
    }
}

static void a_key_that_others_can_read_is_refused(void **state)
{
    struct record_key key;
    char path[256];

    (void)state;
    path_of(RECORD_KEY_NAME, path);
    assert_int_equal(load_key(&key), STATUS_OK);
    chmod(path, 0640);
    assert_int_equal(load_key(&key), STATUS_UNSAFE);
    chmod(path, 0600);
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(load_key(&key), STATUS_SYNTAX);
}

/* ---- decisions ---- */

static warder_engine *open_engine(void)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e;
    warder_error err = {0};
    const warder_rule rules[] = {{WARDER_DENY, "Bash(curl *)"}};

    o.home = o.cwd = o.project = "/nowhere";
    o.rules = rules;
    o.rule_count = 1;
    o.record = 1;
    o.data = dir;
    if (warder_engine_new(&o, &e, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    return e;
}

static warder_decision *check(warder_engine *e, const char *json)
{
    warder_decision *d;

    assert_int_equal(warder_check_json(e, json, strlen(json), &d, NULL), WARDER_OK);
    return d;
}

#define LS                                                                                         \
    "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"worker_id\":\"w1\",\"task_id\":\"t1\","   \
    "\"session\":\"s1\"}"
#define CURL                                                                                       \
    "{\"tool\":\"Bash\",\"input\":{\"command\":\"curl -u bob:hunter2 "                             \
    "https://x.example\"},\"project_id\":\"p\"}"

static bool take_line(const struct index_row *row, void *context)
{
    snprintf(context, 4096, "%.*s", STR_ARG(row->line));
    return true;
}

static void read_back(const char *id, char line[4096])
{
    char *notice;
    bool found;
    struct index *x = open_index(&notice);

    sync_index(x, false);
    assert_int_equal(x->kind->get(x, str_from(id), take_line, line, &found, NULL), STATUS_OK);
    assert_true(found);
    index_close(x);
}

static void decisions_are_recorded_without_their_secrets(void **state)
{
    struct decision_ending plain = {.response_ms = 3},
                           person = {.how = ENDED_BY_PERSON, .answered_by = "terminal"};
    warder_engine *e = open_engine();
    warder_decision *ls = check(e, LS), *curl = check(e, CURL);
    char line[4096];

    (void)state;
    assert_int_equal(decision_record(ls, &plain, NULL), STATUS_OK);
    assert_int_equal(decision_record(curl, &person, NULL), STATUS_OK);
    assert_string_equal(warder_decision_name(ls), "auto-accept");
    assert_string_equal(warder_decision_name(curl), "human-deny");
    read_back(warder_decision_id(ls), line);
    assert_non_null(strstr(line, "\"worker_id\":\"w1\""));
    assert_non_null(strstr(line, "\"command\":\"ls\""));
    assert_non_null(strstr(line, "\"response_time_ms\":3"));
    read_back(warder_decision_id(curl), line);
    assert_null(strstr(line, "hunter2")); /* nor in the reason, which quotes the command */
    assert_non_null(strstr(line, "curl -u bob:[REDACTED] https://x.example"));
    assert_non_null(strstr(line, "\"matched_rule_id\":\"Bash(curl *)\""));
    assert_non_null(strstr(line, "\"project_id\":\"p\""));
    warder_decision_free(ls);
    warder_decision_free(curl);
    warder_engine_free(e);
}

static void promise_4_what_cannot_be_recorded_denies(void **state)
{
    struct decision_ending plain = {0};
    warder_engine *e = open_engine();
    char path[256];

    (void)state;
    path_of("journal", path);
    assert_int_equal(symlink("/tmp", path), 0); /* refused even for root */
    warder_decision *d = check(e, LS);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_string_not_equal(warder_decision_json(d), "");
    assert_int_not_equal(decision_record(d, &plain, NULL), STATUS_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    assert_non_null(strstr(warder_decision_reason(d), "could not be recorded"));
    assert_non_null(strstr(warder_decision_json(d), "\"behavior\":\"deny\""));
    assert_string_equal(warder_decision_id(d), "");
    warder_decision_free(d);

    unlink(path); /* it continues once that is repaired */
    d = check(e, LS);
    assert_int_equal(decision_record(d, &plain, NULL), STATUS_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
    warder_engine_free(e);
}

static void many_at_once_are_one_batch(void **state)
{
    struct decision_ending endings[20] = {{0}};
    warder_decision *all[20];
    warder_engine *e = open_engine();
    struct journal_verdict v;

    (void)state;
    for (size_t i = 0; i < COUNT(all); i++)
        all[i] = check(e, i % 2 ? LS : CURL);
    assert_int_equal(decisions_record(all, endings, COUNT(all), NULL), STATUS_OK);
    for (size_t i = 0; i < COUNT(all); i++) {
        assert_int_equal(strlen(warder_decision_id(all[i])), DECISION_ID_SIZE - 1);
        warder_decision_free(all[i]);
    }
    warder_engine_free(e);
    assert_int_equal(journal_verify(dir, NULL, 0, &v, NULL), STATUS_OK);
    assert_int_equal(v.records, COUNT(all) + 1);
    assert_int_equal(v.problem_count, 0);
}

static void what_is_no_call_is_recorded_too(void **state)
{
    struct decision_ending plain = {0};
    warder_engine *e = open_engine();
    warder_decision *d = check(e, "{\"tool\":7}");
    char line[4096];

    (void)state;
    assert_int_equal(decision_record(d, &plain, NULL), STATUS_OK);
    read_back(warder_decision_id(d), line);
    assert_non_null(strstr(line, "\"decision\":\"auto-deny\""));
    warder_decision_free(d);
    warder_engine_free(e);
}

static void ids_are_all_different(void **state)
{
    enum { MANY = 1000 };
    static char ids[MANY][DECISION_ID_SIZE];
    struct decision_ids from = {0};

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        assert_true(i % 10 ? decision_id_next(&from, ids[i]) : decision_id_make(ids[i]));
        assert_int_equal(strlen(ids[i]), DECISION_ID_SIZE - 1);
        assert_memory_equal(ids[i], "d_", 2);
        assert_int_equal(strspn(ids[i] + 2, "0123456789abcdef"), DECISION_ID_SIZE - 3);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(ids[i], ids[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(filters, clean),
        cmocka_unit_test_teardown(built_again_at_any_time, clean),
        cmocka_unit_test_teardown(a_damaged_database_is_begun_again, clean),
        cmocka_unit_test_teardown(a_database_that_is_damaged_inside_is_built_again, clean),
        cmocka_unit_test_teardown(a_database_may_be_removed_at_any_time, clean),
        cmocka_unit_test_teardown(in_steps, clean),
        cmocka_unit_test_teardown(a_look_ahead_writes_nothing, clean),
        cmocka_unit_test_teardown(a_look_ahead_knows_its_journal, clean),
        cmocka_unit_test_teardown(following_writes_only_what_it_must, clean),
        cmocka_unit_test_teardown(a_tool_and_something_else, clean),
        cmocka_unit_test_teardown(retention_gives_space_back, clean),
        cmocka_unit_test_teardown(a_locked_database_loses_nothing, clean),
        cmocka_unit_test_teardown(unsafe_databases_are_refused, clean),
        cmocka_unit_test_teardown(the_hash_is_that_of_libsodium, clean),
        cmocka_unit_test_teardown(a_key_that_others_can_read_is_refused, clean),
        cmocka_unit_test_teardown(decisions_are_recorded_without_their_secrets, clean),
        cmocka_unit_test_teardown(promise_4_what_cannot_be_recorded_denies, clean),
        cmocka_unit_test_teardown(many_at_once_are_one_batch, clean),
        cmocka_unit_test_teardown(what_is_no_call_is_recorded_too, clean),
        cmocka_unit_test(ids_are_all_different),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
