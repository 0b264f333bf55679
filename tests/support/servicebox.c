#include "support/servicebox.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/race.h"
#include "machine/clock.h"
#include "record/journal_read.h"

#include <cmocka.h>

struct servicebox box;
int64_t box_wall, box_mono;

static int64_t wall(void)
{
    return box_wall ? box_wall : stamp_now();
}

static int64_t mono(void)
{
    return box_mono ? box_mono : clock_ms();
}

void box_make(struct servicebox *b)
{
    *b = (struct servicebox){.worker = {WARDER_WORKER, "w-token", "worker"},
                             .other = {WARDER_WORKER, "other-token", "other"},
                             .operator= {WARDER_OPERATOR, "op-token", "desk"},
                             .viewer = {WARDER_VIEWER, "view-token", "eve"}};
    box_wall = box_mono = 0;
    snprintf(b->root, sizeof(b->root), "/tmp/warder-service-XXXXXX");
    assert_non_null(mkdtemp(b->root));
    snprintf(b->home, sizeof(b->home), "%s/home", b->root);
    snprintf(b->data, sizeof(b->data), "%s/data", b->root);
    snprintf(b->work, sizeof(b->work), "%s/project", b->root);
    assert_int_equal(mkdir(b->home, 0700), 0);
    assert_int_equal(mkdir(b->work, 0700), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

void box_remove(struct servicebox *b)
{
    box_close(b);
    nftw(b->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    box_wall = box_mono = 0;
}

static void settled(void *context, warder_case *item, void *user)
{
    struct servicebox *b = context;

    b->settled++;
    b->last = item;
    if (user)
        ++*(int *)user;
}

static void happened(void *context, const warder_event *event)
{
    struct servicebox *b = context;

    b->events++;
    b->told_before = b->settled;
    snprintf(b->last_event, sizeof(b->last_event), "%s", event->json);
}

void box_open_with(struct servicebox *b, warder_service_options o)
{
    warder_error err = {0};

    o.struct_size = sizeof(o);
    o.data = b->data;
    o.home = b->home;
    o.no_sync = 1;
    o.context = b;
    o.settled = settled;
    o.event = happened;
    if (!o.profile)
        o.profile = "guild";
    if (warder_service_open(&o, &b->service, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    b->service->wall = wall;
    b->service->mono = mono;
}

void box_open(struct servicebox *b, const char *profile)
{
    box_open_with(b, (warder_service_options){.profile = profile});
}

void box_close(struct servicebox *b)
{
    warder_service_close(b->service);
    b->service = NULL;
}

warder_case *box_put(struct servicebox *b, const warder_caller *who, const char *command,
                     const char *more)
{
    static char json[1 << 20];
    warder_case *item = NULL;
    warder_error err = {0};
    int len = snprintf(
        json, sizeof(json),
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"worker_id\":\"w1\",\"task_id\":\"t1\","
        "\"project_id\":\"p1\",\"cwd\":\"%s\",\"context\":{\"task_description\":\"tidy up\","
        "\"worktree_path\":\"%s\"}%s}",
        command, b->work, b->work, more);

    assert_true(len > 0 && (size_t)len < sizeof(json));
    if (warder_service_check(b->service, who, json, (size_t)len, NULL, &item, &err) != WARDER_DONE)
        fail_msg("%s", err.message);
    return item;
}

void box_commit(struct servicebox *b)
{
    warder_error err = {0};

    if (warder_service_commit(b->service, &err) != WARDER_OK)
        fail_msg("%s", err.message);
}

const char *box_ask(struct servicebox *b, const warder_caller *who, const char *command,
                    const char *more)
{
    static char texts[4][65536];
    static size_t turn;
    char *text = texts[turn++ % COUNT(texts)];
    warder_case *item = box_put(b, who, command, more);

    box_commit(b);
    snprintf(text, sizeof(texts[0]), "%s", warder_case_json(item));
    warder_case_free(item);
    return text;
}

/* ---- JSON ---- */

static struct arena arena;

static void find(const struct value *v, const char *path, char *out, size_t room)
{
    struct str key, rest = str_from(path);
    struct buf b;

    while (v && rest.len) {
        if (!str_cut(rest, '.', &key, &rest))
            rest = (struct str){0};
        if (v->kind == VALUE_ARRAY) {
            size_t i = (size_t)strtoul(key.s, NULL, 10);
            v = i < v->count ? &v->items[i] : NULL;
        } else {
            const struct member *m = v->kind == VALUE_OBJECT ? value_member(v, key) : NULL;
            v = m ? &m->value : NULL;
        }
    }
    b = buf_in(&arena);
    if (v && v->kind != VALUE_STRING)
        json_value(&b, v);
    snprintf(out, room, "%s", !v ? "" : v->kind == VALUE_STRING ? v->text.s : buf_str(&b).s);
}

struct finding_member {
    const char *json, *path;
    char *out;
    size_t room;
};

static void find_member(void *arg)
{
    struct finding_member *f = arg;
    struct value v;
    struct error err = {0};

    if (json_read(&arena, str_from(f->json), NULL, &v, &err) != STATUS_OK)
        fail_msg("no JSON: %s: %s", err.message, f->json);
    find(&v, f->path, f->out, f->room);
}

const char *box_member(const char *json, const char *path)
{
    static char texts[32][16384];
    static size_t turn;
    struct finding_member f = {json, path, texts[turn++ % COUNT(texts)], sizeof(texts[0])};

    arena_init(&arena, (size_t)64 << 20);
    assert_true(arena_try(&arena, find_member, &f));
    arena_release(&arena);
    return f.out;
}

warder_outcome box_answer(struct servicebox *b, const char *id, const char *json)
{
    warder_report *report = NULL;
    warder_outcome outcome =
        warder_service_answer(b->service, &b->operator, id, json, strlen(json), &report, NULL);

    warder_report_free(report);
    box_commit(b);
    return outcome;
}

size_t box_records(const struct servicebox *b, const char *text)
{
    struct journal_reader r;
    struct journal_line line;
    bool got = true;
    size_t count = 0;

    assert_int_equal(journal_reader_open(&r, b->data, 0, NULL), STATUS_OK);
    while (got) {
        assert_int_equal(journal_next(&r, false, &line, &got, NULL), STATUS_OK);
        count += got && memmem(line.text.s, line.text.len, text, strlen(text));
    }
    journal_reader_close(&r);
    return count;
}

void box_write(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, 0600), 0);
}

int box_setup(void **state)
{
    (void)state;
    box_make(&box);
    box_open(&box, NULL);
    return 0;
}

int box_teardown(void **state)
{
    (void)state;
    box_remove(&box);
    return 0;
}
