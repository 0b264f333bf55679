/* The journal: acknowledged records exist, in one chain, whichever process wrote them and however
 * it ended. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "record/journal_verify.h"

#include <cmocka.h>

static char dir[64];

static int make_dir(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warder-journal-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static void journal_path(char out[256], const char *name)
{
    snprintf(out, 256, "%s/journal/%s", dir, name);
}

static void empty_journal(void)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/journal", dir);
    DIR *d = opendir(path);

    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    if (d)
        closedir(d);
    rmdir(path);
    unlink(path);
}

static int remove_dir(void **state)
{
    (void)state;
    empty_journal();
    return rmdir(dir);
}

/* ---- helpers ---- */

static void open_with(struct journal *j, const struct journal_options *o)
{
    struct error err = {0};

    if (journal_open(j, dir, o, &err) != STATUS_OK)
        fail_msg("%s", err.message);
}

static enum status try_append(struct journal *j, const char *body, uint64_t *n, struct error *err)
{
    struct str s = str_from(body);

    return journal_append(j, &s, 1, n, err);
}

static uint64_t append(struct journal *j, const char *body)
{
    struct error err = {0};
    uint64_t n;

    if (try_append(j, body, &n, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return n;
}

static struct journal_verdict verdict_of(const struct journal_anchor *anchors, size_t count)
{
    struct journal_verdict v;
    struct error err = {0};

    if (journal_verify(dir, anchors, count, &v, &err) != STATUS_OK)
        fail_msg("%s", err.message);
    return v;
}

static struct journal_verdict verify_clean(void)
{
    struct journal_verdict v = verdict_of(NULL, 0);

    if (v.problem_count)
        fail_msg("record %" PRIu64 " (segment %" PRIu64 " line %" PRIu64 "): %s", v.problems[0].n,
                 v.problems[0].segment, v.problems[0].line, v.problems[0].why);
    return v;
}

static char *read_segment(uint64_t first, size_t *len)
{
    char name[JOURNAL_NAME_SIZE], path[256];

    segment_name(first, name);
    journal_path(path, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *len = fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}

static void write_segment(uint64_t first, const char *text, size_t len)
{
    char name[JOURNAL_NAME_SIZE], path[256];

    segment_name(first, name);
    journal_path(path, name);
    chmod(path, 0600);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    fclose(f);
}

static void add_bytes(const char *bytes, size_t len)
{
    char path[256];

    journal_path(path, "00000000000000000001.jsonl");
    FILE *f = fopen(path, "ab");
    assert_non_null(f);
    fwrite(bytes, 1, len, f);
    fclose(f);
}

/* ---- appending ---- */

static void records_form_a_chain(void **state)
{
    struct journal j;
    struct str bodies[3] = {STR("\"kind\":\"a\""), STR("\"kind\":\"b\",\"x\":1"),
                            STR("\"kind\":\"c\"")};
    uint64_t first;

    (void)state;
    open_with(&j, NULL);
    assert_int_equal(append(&j, "\"kind\":\"decision\""), 2); /* 1 is the segment's own */
    assert_int_equal(journal_append(&j, bodies, 3, &first, NULL), STATUS_OK);
    assert_int_equal(first, 3);
    journal_close(&j);

    open_with(&j, NULL); /* another process continues where this one ended */
    assert_int_equal(append(&j, "\"kind\":\"decision\""), 6);
    journal_close(&j);
    struct journal_verdict v = verify_clean();
    assert_int_equal(v.records, 6);
    assert_int_equal(v.head.n, 6);
    empty_journal();
}

static void two_that_are_open_take_turns(void **state)
{
    struct journal a, b;
    struct journal_options small = {.segment_bytes = 2000};

    (void)state;
    open_with(&a, &small);
    open_with(&b, &small);
    for (int i = 0; i < 40; i++)
        append(i % 3 ? &a : &b, "\"kind\":\"decision\",\"filler\":\"abcdefghijklmnopqrstuvwxyz\"");
    journal_close(&a);
    journal_close(&b);
    verify_clean();
    empty_journal();
}

#define WRITERS 4
#define EACH    60

static void many_processes_write_one_chain(void **state)
{
    struct journal_options small = {.segment_bytes = 8000};

    (void)state;
    for (int w = 0; w < WRITERS; w++)
        if (fork() == 0) {
            struct journal j;
            uint64_t n;
            struct str body =
                STR("\"kind\":\"decision\",\"x\":\"some text that fills the line a little\"");
            if (journal_open(&j, dir, &small, NULL) != STATUS_OK)
                _exit(1);
            for (int i = 0; i < EACH; i++)
                if (journal_append(&j, &body, 1, &n, NULL) != STATUS_OK)
                    _exit(1);
            _exit(0);
        }
    for (int w = 0; w < WRITERS; w++) {
        int how;
        assert_true(wait(&how) > 0);
        assert_int_equal(how, 0);
    }
    struct journal_verdict v = verify_clean();
    assert_true(v.records > (uint64_t)WRITERS * EACH); /* segments have a record of their own */
    empty_journal();
}

/* ---- crashes ---- */

static void torn_ends_are_set_aside(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
    } tails[] = {
        {"{\"n\":3,\"prev\":\"abc", 17}, {"x", 1}, {"\0\0\0\0\0\0\0\0", 8}, {"\0\0\0\0\n", 5}};

    (void)state;
    for (size_t i = 0; i < COUNT(tails); i++) {
        struct journal j;
        open_with(&j, NULL);
        append(&j, "\"kind\":\"decision\"");
        add_bytes(tails[i].bytes, tails[i].len);
        assert_int_equal(append(&j, "\"kind\":\"decision\""), 4); /* 3 records the repair */
        assert_int_equal(j.repaired, tails[i].len);
        journal_close(&j);
        struct journal_verdict v = verify_clean();
        assert_int_equal(v.repairs, 1);
        assert_int_equal(v.records, 4);
        empty_journal();
    }
}

static void an_empty_segment_follows_the_one_before(void **state)
{
    struct journal j;
    char path[256];

    (void)state;
    open_with(&j, NULL);
    append(&j, "\"kind\":\"decision\"");
    journal_close(&j);
    journal_path(path, "00000000000000000003.jsonl"); /* its maker died before it wrote */
    close(open(path, O_CREAT | O_WRONLY, 0600));
    open_with(&j, NULL);
    assert_int_equal(append(&j, "\"kind\":\"decision\""), 4);
    journal_close(&j);
    verify_clean();
    empty_journal();
}

static void a_changed_last_record_stops_it(void **state)
{
    struct journal j;
    struct error err = {0};
    size_t len, moved;
    uint64_t n;

    (void)state;
    open_with(&j, NULL);
    append(&j, "\"kind\":\"decision\",\"who\":\"bob\"");
    char *text = read_segment(1, &len);
    memcpy(strstr(text, "bob"), "eve", 3);
    write_segment(1, text, len);
    free(text);
    journal_close(&j);
    open_with(&j, NULL);
    assert_int_equal(try_append(&j, "\"kind\":\"decision\"", &n, &err), STATUS_UNSAFE);
    assert_non_null(strstr(err.message, "warder log repair"));
    assert_int_equal(journal_repair(&j, &moved, NULL), STATUS_OK);
    assert_true(moved > 0);
    assert_int_equal(append(&j, "\"kind\":\"decision\""), 3);
    journal_close(&j);
    assert_int_equal(verify_clean().repairs, 1);
    empty_journal();
}

/* Appends until it cannot any more. */
static void fill(void)
{
    struct journal j;
    struct rlimit small = {3000, RLIM_INFINITY};
    struct str body = STR("\"kind\":\"decision\",\"filler\":\"abcdefghijklmnopqrstuvwxyz\"");
    enum status status = STATUS_OK;
    uint64_t n;

    setrlimit(RLIMIT_FSIZE, &small);
    if (journal_open(&j, dir, NULL, NULL) != STATUS_OK)
        _exit(1);
    for (int i = 0; i < 100 && status == STATUS_OK; i++)
        status = journal_append(&j, &body, 1, &n, NULL);
    _exit(status == STATUS_IO ? 0 : 2);
}

static void a_full_disk_is_an_error_and_passes(void **state)
{
    struct journal j;
    int how;

    (void)state;
    if (fork() == 0)
        fill();
    assert_true(wait(&how) > 0);
    assert_int_equal(how, 0);
    uint64_t before = verify_clean().records;
    open_with(&j, NULL);
    append(&j, "\"kind\":\"decision\"");
    journal_close(&j);
    assert_int_equal(verify_clean().records, before + 1);
    empty_journal();
}

/* ---- time ---- */

static int64_t set_clock;

static int64_t clock_of_test(void)
{
    return set_clock;
}

#define DAY ((int64_t)86400000)

static void a_clock_that_goes_back_does_not_take_records_back(void **state)
{
    struct journal j;
    struct journal_options o = {.now = clock_of_test};

    (void)state;
    set_clock = 1700000000000;
    open_with(&j, &o);
    append(&j, "\"kind\":\"decision\"");
    set_clock -= 3600000;
    append(&j, "\"kind\":\"decision\"");
    assert_string_equal(j.head.at, "2023-11-14T22:13:20.000Z");
    set_clock += 2 * 3600000;
    append(&j, "\"kind\":\"decision\"");
    assert_string_equal(j.head.at, "2023-11-14T23:13:20.000Z");
    journal_close(&j);
    assert_int_equal(verify_clean().clocks, 1);
    empty_journal();
}

static size_t count_segments(uint64_t *oldest)
{
    struct segments list;
    char path[256];

    journal_path(path, "");
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(segments_list(fd, &list, NULL), STATUS_OK);
    size_t count = list.count;
    *oldest = count ? list.first[0] : 0;
    segments_release(&list);
    close(fd);
    return count;
}

static void old_segments_go_and_the_rest_verifies(void **state)
{
    struct journal j;
    struct journal_options o = {.now = clock_of_test, .segment_bytes = 1500, .retention_days = 30};
    uint64_t oldest;
    char name[JOURNAL_NAME_SIZE], path[256];

    (void)state;
    set_clock = 1700000000000;
    open_with(&j, &o);
    for (int day = 0; day < 60; day++, set_clock += DAY)
        append(&j, "\"kind\":\"decision\",\"filler\":"
                   "\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\"");
    journal_close(&j);
    size_t count = count_segments(&oldest);
    assert_true(oldest > 1);
    struct journal_verdict v = verify_clean();
    assert_int_equal(v.removed, oldest - 1);
    assert_int_equal(v.first, oldest);
    assert_true(v.records >= 30); /* a record a day, thirty days at least */

    segment_name(oldest, name); /* one more, which no record mentions */
    journal_path(path, name);
    unlink(path);
    assert_int_equal(count_segments(&oldest), count - 1);
    v = verdict_of(NULL, 0);
    assert_int_equal(v.problem_count, 1);
    assert_non_null(strstr(v.problems[0].why, "missing"));
    empty_journal();
}

static uint64_t journal_bytes(void)
{
    uint64_t all = 0;
    char path[256], name[JOURNAL_NAME_SIZE];
    struct segments list;
    struct stat st;
    AUTO_CLOSE int fd = -1;

    journal_path(path, "");
    fd = open(path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(segments_list(fd, &list, NULL), STATUS_OK);
    for (size_t i = 0; i < list.count; i++) {
        segment_name(list.first[i], name);
        assert_int_equal(fstatat(fd, name, &st, 0), 0);
        all += (uint64_t)st.st_size;
    }
    segments_release(&list);
    return all;
}

/* The oldest ones go when there are too many bytes, however young they are; but not those that are
 * younger than the time that they must stay. */
static void too_many_bytes_are_too_old(void **state)
{
    const uint64_t most = JOURNAL_BYTES_MIN;
    struct journal_options o = {
        .now = clock_of_test, .retention_bytes = most, .retention_least_s = 60};
    static char body[4096];
    struct journal j;
    uint64_t oldest;

    (void)state;
    snprintf(body, sizeof(body), "\"kind\":\"decision\",\"filler\":\"%03900d\"", 0);
    set_clock = 1700000000000;
    open_with(&j, &o);
    for (int i = 0; i < 600; i++)
        append(&j, body);
    count_segments(&oldest);
    assert_int_equal(oldest, 1);
    assert_true(journal_bytes() > 2 * most);
    set_clock += 61000;
    for (int i = 0; i < 600; i++, set_clock += 1000)
        append(&j, body);
    journal_close(&j);
    count_segments(&oldest);
    assert_true(oldest > 600);
    assert_true(journal_bytes() <= most + most / JOURNAL_SEGMENTS_LEAST);
    assert_int_equal(verify_clean().removed, oldest - 1);

    o.retention_bytes = most - 1;
    assert_int_equal(journal_open(&j, dir, &o, NULL), STATUS_USAGE);
    empty_journal();
}

/* ---- permissions ---- */

static void unsafe_places_are_refused(void **state)
{
    struct journal j;
    struct error err = {0};
    char path[256], other[256];
    uint64_t n;

    (void)state;
    open_with(&j, NULL);
    append(&j, "\"kind\":\"decision\"");
    journal_close(&j);

    journal_path(path, "00000000000000000001.jsonl");
    chmod(path, 0622);
    open_with(&j, NULL);
    assert_int_equal(try_append(&j, "\"kind\":\"x\"", &n, &err), STATUS_UNSAFE);
    journal_close(&j);
    chmod(path, 0600);

    snprintf(other, sizeof(other), "%s/second-name", dir);
    assert_int_equal(link(path, other), 0);
    open_with(&j, NULL);
    assert_int_equal(try_append(&j, "\"kind\":\"x\"", &n, &err), STATUS_UNSAFE);
    journal_close(&j);
    unlink(other);

    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    open_with(&j, NULL);
    assert_int_not_equal(try_append(&j, "\"kind\":\"x\"", &n, &err), STATUS_OK);
    journal_close(&j);
    unlink(path);
    unlink(other);

    journal_path(path, "");
    chmod(path, 0777);
    assert_int_equal(journal_open(&j, dir, NULL, &err), STATUS_UNSAFE);
    journal_close(&j);
    chmod(path, 0700);
    empty_journal();
    snprintf(path, sizeof(path), "%s/journal", dir);
    assert_int_equal(symlink("/tmp", path), 0);
    assert_int_equal(journal_open(&j, dir, NULL, &err), STATUS_UNSAFE);
    journal_close(&j);
    unlink(path);
    chmod(dir, 0770);
    assert_int_equal(journal_open(&j, dir, NULL, &err), STATUS_UNSAFE);
    journal_close(&j);
    chmod(dir, 0700);
    empty_journal();
}

/* ---- limits ---- */

static void limits_at_their_edges(void **state)
{
    struct journal j;
    struct journal_options short_retention = {.retention_days = JOURNAL_RETENTION_MIN - 1};
    char *body = malloc(CHAIN_LINE_MAX + 1);
    struct str *many = calloc(JOURNAL_BATCH_MAX + 1, sizeof(*many));
    uint64_t n;
    size_t most = CHAIN_LINE_MAX - CHAIN_FRAME;

    (void)state;
    assert_non_null(body);
    assert_non_null(many);
    memset(body, 'x', CHAIN_LINE_MAX + 1);
    memcpy(body, "\"kind\":\"", 8);
    body[most - 1] = body[most] = '"';
    open_with(&j, NULL);
    assert_int_equal(journal_append(&j, &(struct str){body, most}, 1, &n, NULL), STATUS_OK);
    assert_int_equal(journal_append(&j, &(struct str){body, most + 1}, 1, &n, NULL), STATUS_LIMIT);
    assert_int_equal(try_append(&j, "\"kind\":\"a\nb\"", &n, NULL), STATUS_USAGE);
    assert_int_equal(try_append(&j, "", &n, NULL), STATUS_USAGE);
    for (size_t i = 0; i <= JOURNAL_BATCH_MAX; i++)
        many[i] = STR("\"kind\":\"a\"");
    assert_int_equal(journal_append(&j, many, JOURNAL_BATCH_MAX, &n, NULL), STATUS_OK);
    assert_int_equal(journal_append(&j, many, JOURNAL_BATCH_MAX + 1, &n, NULL), STATUS_USAGE);
    assert_int_equal(journal_append(&j, many, 0, &n, NULL), STATUS_USAGE);
    journal_close(&j);
    assert_int_equal(journal_open(&j, dir, &short_retention, NULL), STATUS_USAGE);
    journal_close(&j);
    verify_clean();
    free(body);
    free(many);
    empty_journal();
}

/* ---- every change is found ---- */

static uint32_t seed = 1;

static size_t choose(size_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static void make_journal(struct chain_head *head)
{
    struct journal j;
    struct journal_options small = {.segment_bytes = 1600};

    open_with(&j, &small);
    for (int i = 0; i < 24; i++)
        append(&j, i % 2 ? "\"kind\":\"decision\",\"command\":\"ls -la\""
                         : "\"kind\":\"decision\",\"command\":\"git push\"");
    *head = j.head;
    journal_close(&j);
}

struct lines {
    size_t start[64], count;
};

static struct lines split(const char *text, size_t len)
{
    struct lines l = {.start = {0}, .count = 0};

    for (size_t i = 0; i < len; i++)
        if (i == 0 || text[i - 1] == '\n')
            l.start[l.count++] = i;
    l.start[l.count] = len;
    return l;
}

/* One change of one segment. True if whole records at the very end were removed, which a chain
 * cannot show. */
static bool change(char *text, size_t *len, bool last_segment)
{
    struct lines l = split(text, *len);
    size_t a = choose(l.count), b = choose(l.count), from = l.start[a],
           size = l.start[a + 1] - from;

    switch (choose(5)) {
    case 0: /* changes a byte */
        from = choose(*len);
        text[from] = (char)(text[from] ^ (1 + (int)choose(127)));
        return false;
    case 1: /* removes a record */
        memmove(text + from, text + from + size, *len - from - size);
        *len -= size;
        return last_segment && a + 1 == l.count;
    case 2: { /* swaps two */
        if (a == b)
            b = (a + 1) % l.count;
        char copy[4096];
        size_t lo = a < b ? a : b, hi = a < b ? b : a, n = 0;
        for (size_t i = 0; i < l.count; i++) {
            size_t which = i == lo ? hi : i == hi ? lo : i;
            memcpy(copy + n, text + l.start[which], l.start[which + 1] - l.start[which]);
            n += l.start[which + 1] - l.start[which];
        }
        memcpy(text, copy, *len);
        return false;
    }
    case 3: /* cuts off the end */
        *len = choose(*len);
        return last_segment && (*len == 0 || text[*len - 1] == '\n');
    default: /* repeats one */
        memmove(text + from + size, text + from, *len - from);
        *len += size;
        return false;
    }
}

#define CHANGES 600

static void every_change_is_found(void **state)
{
    struct chain_head head;
    struct segments list;
    struct journal_anchor anchor;
    size_t ends = 0, len;
    char path[256];

    (void)state;
    make_journal(&head);
    anchor.n = head.n;
    memcpy(anchor.hash, head.hash, sizeof(head.hash));
    verify_clean();
    assert_int_equal(verdict_of(&anchor, 1).anchored, head.n);
    journal_path(path, "");
    int fd = open(path, O_RDONLY | O_DIRECTORY);
    assert_int_equal(segments_list(fd, &list, NULL), STATUS_OK);
    close(fd);
    assert_true(list.count > 3);
    for (int i = 0; i < CHANGES; i++) {
        size_t which = choose(list.count);
        char *text = read_segment(list.first[which], &len), *whole = malloc(len);
        size_t before = len;
        memcpy(whole, text, len);
        bool end = change(text, &len, which + 1 == list.count);
        write_segment(list.first[which], text, len);
        if (len != before || memcmp(text, whole, len) != 0) {
            if (!end && verdict_of(NULL, 0).problem_count == 0)
                fail_msg("change %d of segment %" PRIu64 " was not found", i, list.first[which]);
            assert_true(verdict_of(&anchor, 1).problem_count >
                        0); /* with an anchor the end is no exception */
            ends += end;
        }
        write_segment(list.first[which], whole, before);
        free(text);
        free(whole);
    }
    assert_true(ends > 0);
    verify_clean();
    segments_release(&list);
    empty_journal();
}

static void the_record_is_named(void **state)
{
    struct chain_head head;
    size_t len;

    (void)state;
    make_journal(&head);
    char *text = read_segment(1, &len);
    struct lines l = split(text, len);
    text[l.start[2] + 130] ^= 1; /* in the body of the third */
    write_segment(1, text, len);
    struct journal_verdict v = verdict_of(NULL, 0);
    assert_int_equal(v.problem_count, 1);
    assert_int_equal(v.problems[0].n, 3);
    assert_int_equal(v.problems[0].segment, 1);
    assert_int_equal(v.problems[0].line, 3);
    free(text);
    empty_journal();
}

static void anchors_are_lines(void **state)
{
    struct chain_head head = {.n = 17, .at = "2026-01-31T12:34:56.789Z"};
    struct journal_anchor anchor;
    char line[ANCHOR_SIZE], wide[ANCHOR_SIZE + 40];

    (void)state;
    memcpy(head.hash, CHAIN_START, SHA256_HEX);
    anchor_print(&head, line);
    assert_true(anchor_parse(str_from(line), &anchor));
    assert_int_equal(anchor.n, 17);
    snprintf(wide, sizeof(wide), "Jan 31 host warder[7]: head %s\n", line);
    assert_true(anchor_parse(str_from(wide), &anchor));
    assert_int_equal(anchor.n, 17);
    assert_false(anchor_parse(STR("17 abc 2026-01-31T12:34:56.789Z"), &anchor));
    assert_false(anchor_parse(STR(""), &anchor));
}

static void times(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } good[] = {{"1970-01-01T00:00:00Z", 0},
                {"2026-01-31T12:34:56.789Z", 1769862896789},
                {"2026-01-31T13:34:56.789+01:00", 1769862896789},
                {"2000-02-29T00:00:00Z", 951782400000},
                {"1969-12-31T23:59:59.999Z", -1}};
    static const char *const bad[] = {"",
                                      "2026-02-29T00:00:00Z",
                                      "2026-13-01T00:00:00Z",
                                      "2026-01-01T24:00:00Z",
                                      "2026-01-01T00:00:00",
                                      "2026-01-01T00:00:00Zx",
                                      "now"};
    char out[STAMP_SIZE];
    int64_t ms;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(stamp_parse(str_from(good[i].text), &ms));
        assert_int_equal(ms, good[i].ms);
        stamp_print(ms, out);
        assert_true(stamp_is(str_from(out)));
        assert_true(stamp_parse(str_from(out), &ms));
        assert_int_equal(ms, good[i].ms);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(stamp_parse(str_from(bad[i]), &ms));
    assert_true(stamp_parse_since(STR("24h"), 100000000, &ms) && ms == 13600000);
    assert_true(stamp_parse_since(STR("2026-01-31"), 0, &ms) && ms == 1769817600000);
    assert_false(stamp_parse_since(STR("24"), 0, &ms));
    assert_false(stamp_parse_since(STR("h"), 0, &ms));
    assert_false(stamp_parse_since(STR("9999999999h"), 0, &ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_form_a_chain),
        cmocka_unit_test(two_that_are_open_take_turns),
        cmocka_unit_test(many_processes_write_one_chain),
        cmocka_unit_test(torn_ends_are_set_aside),
        cmocka_unit_test(an_empty_segment_follows_the_one_before),
        cmocka_unit_test(a_changed_last_record_stops_it),
        cmocka_unit_test(a_full_disk_is_an_error_and_passes),
        cmocka_unit_test(a_clock_that_goes_back_does_not_take_records_back),
        cmocka_unit_test(old_segments_go_and_the_rest_verifies),
        cmocka_unit_test(too_many_bytes_are_too_old),
        cmocka_unit_test(unsafe_places_are_refused),
        cmocka_unit_test(limits_at_their_edges),
        cmocka_unit_test(every_change_is_found),
        cmocka_unit_test(the_record_is_named),
        cmocka_unit_test(anchors_are_lines),
        cmocka_unit_test(times),
    };

    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
