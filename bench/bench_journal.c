/* bench_journal.c - the cost of keeping a record.
 *
 *     bench_journal [FILE]     FILE gets the figures as lines of JSON
 *
 * Compared, interleaved in the same run, with a row in SQLite: over a connection that stays open,
 * and over one opened each time, as a process for a single call has to do. Wall time, because a
 * sync is mostly waiting. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lines.h"
#include "record/journal.h"

#define ROUNDS 101

static char directory[] = "./bench-journal-XXXXXX";
static struct journal relaxed, synced;
static sqlite3 *database;
static struct str bodies[256];

static void must(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "bench_journal: %s\n", what);
    exit(1);
}

static void append(struct journal *j, size_t count)
{
    uint64_t first;
    struct error err = {0};

    must(journal_append(j, bodies, count, &first, &err) == STATUS_OK, err.message);
}

static void append_one(void)
{
    append(&relaxed, 1);
}

static void append_synced(void)
{
    append(&synced, 1);
}

static void append_batch(void)
{
    append(&synced, COUNT(bodies));
}

static void open_and_append(void)
{
    struct journal j;

    must(journal_open(&j, directory, NULL, NULL) == STATUS_OK, "the journal does not open");
    append(&j, 1);
    journal_close(&j);
}

static void run_sql(sqlite3 *db, const char *sql)
{
    must(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, sqlite3_errmsg(db));
}

static sqlite3 *open_database(void)
{
    char path[128];
    sqlite3 *db;

    snprintf(path, sizeof(path), "%s/rows.sqlite", directory);
    must(sqlite3_open(path, &db) == SQLITE_OK, "the database does not open");
    run_sql(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
                "CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, body TEXT)");
    return db;
}

static void insert(sqlite3 *db)
{
    char sql[1024];

    snprintf(sql, sizeof(sql), "INSERT INTO rows (body) VALUES ('%.*s')", STR_ARG(bodies[0]));
    run_sql(db, sql);
}

static void insert_row(void)
{
    insert(database);
}

static void open_and_insert(void)
{
    sqlite3 *db = open_database();

    insert(db);
    sqlite3_close(db);
}

static const struct way {
    const char *name;
    size_t records;
    void (*run)(void);
} ways[] = {
    {"journal, open", 1, append_one},
    {"journal, opened for it", 1, open_and_append},
    {"journal, synced", 1, append_synced},
    {"journal, synced, a batch", COUNT(bodies), append_batch},
    {"SQLite, open", 1, insert_row},
    {"SQLite, opened for it", 1, open_and_insert},
};

static double wall(void (*run)(void))
{
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    run();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static void compare(void)
{
    static double samples[COUNT(ways)][ROUNDS];

    for (size_t round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < COUNT(ways); i++)
            samples[i][round] = wall(ways[i].run) / (double)ways[i].records;
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct measured m = measure_samples(samples[i], ROUNDS);
        printf("%-28s %9.2f us a record   (%.2f to %.2f)\n", ways[i].name, m.median * 1e6,
               m.low * 1e6, m.high * 1e6);
        lines_add("journal", ways[i].name, ways[i].records, "s", m);
    }
}

static void clean_up(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", directory);
    must(system(command) == 0, "the directory does not go");
}

int main(int argc, char **argv)
{
    const struct journal_options always = {.sync = JOURNAL_ALWAYS};

    lines_open(argc > 1 ? argv[1] : NULL);
    must(mkdtemp(directory) != NULL,
         "no directory"); /* here, not in /tmp, which is a RAM disk on many machines */
    for (size_t i = 0; i < COUNT(bodies); i++)
        bodies[i] = STR(
            "\"kind\":\"decision\",\"id\":\"d_0123456789abcdef0123456789abcdef\",\"decision\":"
            "\"auto-accept\","
            "\"tool\":\"Bash\",\"command\":\"npm test\",\"worker_id\":\"w\",\"project_id\":\"p\"");
    must(journal_open(&relaxed, directory, NULL, NULL) == STATUS_OK, "the journal does not open");
    must(journal_open(&synced, directory, &always, NULL) == STATUS_OK, "the journal does not open");
    database = open_database();
    compare();
    journal_close(&relaxed);
    journal_close(&synced);
    sqlite3_close(database);
    clean_up();
    lines_close();
    return 0;
}
