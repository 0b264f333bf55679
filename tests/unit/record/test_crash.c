/* kill -9 at random moments while several processes append: every acknowledged record exists, and
 * the chain verifies. A dozen kills by default; WARDER_CRASHES sets their number (make test-crash:
 * 200). */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/journal_verify.h"

#include <cmocka.h>

#define WRITERS   3
#define BATCH     3
#define ACKS_MAX  200000
#define DELAY_MAX 30000000L /* nanoseconds until the kill, at most */

static char dir[64];
static uint32_t seed;

static int make_dir(void **state)
{
    (void)state;
    seed = (uint32_t)time(NULL);
    snprintf(dir, sizeof(dir), "/tmp/warder-crash-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    char path[128];

    (void)state;
    snprintf(path, sizeof(path), "%s/journal", dir);
    DIR *d = opendir(path);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    rmdir(path);
    return rmdir(dir);
}

static uint32_t next_number(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* A writer's report of a record: which one it was, and its number. */
struct ack {
    uint64_t n;
    unsigned writer, i, k;
};
static struct ack acks[ACKS_MAX];
static size_t ack_count;

/* Appends forever, in batches of different lengths, and reports each record once it is durable. */
static void write_for_ever(int to, int writer, int round)
{
    struct journal j;
    struct journal_options small = {.segment_bytes = 20000,
                                    .sync = round % 4 ? JOURNAL_CRASH : JOURNAL_ALWAYS};
    char body[BATCH][160];
    struct str bodies[BATCH];
    uint64_t first;

    if (journal_open(&j, dir, &small, NULL) != STATUS_OK)
        _exit(1);
    for (unsigned i = 0;; i++) {
        size_t count = 1 + i % BATCH;
        for (size_t k = 0; k < count; k++) {
            int len =
                snprintf(body[k], sizeof(body[k]),
                         "\"kind\":\"decision\",\"id\":\"r%d-w%d-%u-%zu\",\"filler\":\"%.*s\"",
                         round, writer, i, k, (int)(i % 60),
                         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl");
            bodies[k] = (struct str){body[k], (size_t)len};
        }
        if (journal_append(&j, bodies, count, &first, NULL) != STATUS_OK)
            _exit(1);
        for (size_t k = 0; k < count; k++) {
            const struct ack ack = {first + k, (unsigned)writer, i, (unsigned)k};
            if (write(to, &ack, sizeof(ack)) != sizeof(ack))
                _exit(1);
        }
    }
}

static void read_acks(int from)
{
    struct ack ack;

    while (read(from, &ack, sizeof(ack)) == sizeof(ack)) {
        assert_true(ack_count < ACKS_MAX);
        acks[ack_count++] = ack;
    }
}

static void kill_all(const pid_t *writers)
{
    struct timespec delay = {0, (long)(next_number() % DELAY_MAX)};

    nanosleep(&delay, NULL);
    for (int w = 0; w < WRITERS; w++)
        kill(writers[w], SIGKILL);
    for (int w = 0; w < WRITERS; w++)
        waitpid(writers[w], NULL, 0);
}

static void one_round(int round)
{
    pid_t writers[WRITERS];
    int pipes[WRITERS][2];

    for (int w = 0; w < WRITERS; w++) {
        assert_int_equal(pipe(pipes[w]), 0);
        writers[w] = fork();
        assert_true(writers[w] >= 0);
        if (writers[w] == 0)
            write_for_ever(pipes[w][1], w, round);
        close(pipes[w][1]);
    }
    kill_all(writers);
    for (int w = 0; w < WRITERS; w++) {
        read_acks(pipes[w][0]);
        close(pipes[w][0]);
    }
}

static int by_number(const void *a, const void *b)
{
    const struct ack *x = a, *y = b;

    return (x->n > y->n) - (x->n < y->n);
}

/* Each acknowledged record has its number and the acknowledged content. */
static void check_acks(int round)
{
    struct journal_reader reader;
    struct journal_line line;
    struct chain_link link;
    bool got = true;
    size_t seen = 0;
    char id[64];

    qsort(acks, ack_count, sizeof(*acks), by_number);
    assert_int_equal(journal_reader_open(&reader, dir, ack_count ? acks[0].n : 0, NULL), STATUS_OK);
    while (seen < ack_count && got) {
        assert_int_equal(journal_next(&reader, false, &line, &got, NULL), STATUS_OK);
        if (!got || chain_read(line.text, &link) || link.n != acks[seen].n)
            continue;
        snprintf(id, sizeof(id), "r%d-w%u-%u-%u", round, acks[seen].writer, acks[seen].i,
                 acks[seen].k);
        assert_true(str_is(chain_member(link.body, "id"), id));
        seen++;
    }
    journal_reader_close(&reader);
    assert_int_equal(seen, ack_count);
}

/* Repairs what the kill has left, and verifies everything. */
static void check_chain(void)
{
    struct journal j;
    struct journal_verdict v;
    struct str body = STR("\"kind\":\"decision\",\"id\":\"after\"");
    struct error err = {0};
    uint64_t n;

    assert_int_equal(journal_open(&j, dir, NULL, NULL), STATUS_OK);
    if (journal_append(&j, &body, 1, &n, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    journal_close(&j);
    assert_int_equal(journal_verify(dir, NULL, 0, &v, NULL), STATUS_OK);
    if (v.problem_count)
        fail_msg("record %" PRIu64 " (segment %" PRIu64 "): %s", v.problems[0].n,
                 v.problems[0].segment, v.problems[0].why);
    assert_int_equal(v.first, 1);
}

static void acknowledged_records_survive(void **state)
{
    const char *given = getenv("WARDER_CRASHES");
    int rounds = given ? (int)strtol(given, NULL, 10) : 12;
    size_t total = 0;

    (void)state;
    for (int round = 0; round < rounds; round++) {
        ack_count = 0;
        one_round(round);
        check_chain();
        check_acks(round);
        total += ack_count;
    }
    print_message("%d kills, %zu acknowledged records, seed %u\n", rounds, total, seed);
    assert_true(total > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acknowledged_records_survive),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
