/* Sessions in files: the next process sees what one has written, and files written by other users
 * are ignored. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask/session_file.h"
#include "base/list.h"
#include "policy/state.h"
#include "support/policy_tree.h"

#include <cmocka.h>

struct fixture {
    struct tree tree;
    struct arena arena;
    struct session_id id;
};

static void open_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    tree_make(&f->tree);
    arena_init(&f->arena, (size_t)64 * 1024 * 1024);
    f->id = (struct session_id){f->tree.state, STR("claude"), STR("s1")};
}

static void close_fixture(struct fixture *f)
{
    arena_release(&f->arena);
    tree_remove(&f->tree);
}

static const char *file_of(const struct fixture *f, const struct session_id *id)
{
    static char path[TREE_PATH_MAX];
    char name[SESSION_NAME_MAX];

    session_name(id, name);
    snprintf(path, sizeof(path), "%s/sessions/%s", f->tree.state, name);
    return path;
}

static struct session load(struct fixture *f, const struct session_id *id)
{
    struct session s;
    struct error err = {0};

    if (session_load(&f->arena, id, &s, &err))
        fail_msg("%s", err.message);
    return s;
}

#define KEY "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"

static void change_all(struct arena *a, struct session *s, void *context)
{
    (void)context;
    s->workspace = STR("/w \"x\"\n");
    s->has_mode = s->has_prior = true;
    s->mode = MODE_PLAN;
    s->prior = MODE_ACCEPT_EDITS;
    s->denials = 7;
    s->denials_in_a_row = 2;
    LIST_PUSH(a, &s->grants, STR(KEY "0"));
    LIST_PUSH(a, &s->grants, STR(KEY "1"));
    LIST_PUSH(a, &s->approvals,
              (struct session_approval){
                  .id = STR("d_1"), .digest = STR(KEY "3"), .how = APPROVED_IN_CLIENT, .at = 5});
    struct session_approval second = {.id = STR("d_2"), .how = APPROVED_BY_ALLOW, .at = 6};
    LIST_PUSH(a, &second.keys, STR("0123456789abcdef"));
    LIST_PUSH(a, &s->approvals, second);
    s->brought = 3;
    s->agreed = 2;
    LIST_PUSH(a, &s->agreements, STR(KEY "2"));
    s->given = STR("/w/.env");
    LIST_PUSH(a, &s->programs, (struct session_program){.path = STR("/w/x"), .built = 12345});
    LIST_PUSH(a, &s->programs,
              (struct session_program){
                  .path = STR("/w/target/debug/"), .tree = STR("/w/target"), .seen = {1, 2, 3}});
}

static void count_one(struct arena *a, struct session *s, void *context)
{
    (void)a;
    (void)context;
    s->denials++;
}

static void change_nothing(struct arena *a, struct session *s, void *context)
{
    (void)a;
    (void)s;
    (void)context;
}

static void kept_whole(void **state)
{
    struct fixture f;
    struct session s, after;
    struct stat st;

    (void)state;
    open_fixture(&f);
    assert_int_equal(load(&f, &f.id).denials, 0); /* without a state directory, too */
    assert_int_equal(session_update(&f.id, change_all, NULL, &after, NULL), STATUS_OK);
    assert_int_equal(after.denials, 7);
    s = load(&f, &f.id);
    assert_true(str_is(s.workspace, "/w \"x\"\n"));
    assert_true(s.has_mode && s.has_prior && s.mode == MODE_PLAN && s.prior == MODE_ACCEPT_EDITS);
    assert_int_equal(s.denials, 7);
    assert_int_equal(s.denials_in_a_row, 2);
    assert_int_equal(s.grants.count, 2);
    assert_true(str_is(s.grants.items[1], KEY "1"));
    assert_int_equal(s.approvals.count, 2);
    assert_true(str_is(s.approvals.items[0].id, "d_1") &&
                str_is(s.approvals.items[0].digest, KEY "3") &&
                s.approvals.items[0].how == APPROVED_IN_CLIENT && s.approvals.items[0].at == 5);
    assert_true(s.approvals.items[1].how == APPROVED_BY_ALLOW &&
                s.approvals.items[1].keys.count == 1 && !s.approvals.items[1].digest.len);
    assert_true(s.brought == 3 && s.agreed == 2);
    assert_int_equal(s.agreements.count, 1);
    assert_true(str_is(s.agreements.items[0], KEY "2"));
    assert_true(str_is(s.given, "/w/.env"));
    assert_int_equal(s.programs.count, 2);
    const struct session_program *p = s.programs.items;
    assert_true(str_is(p[0].path, "/w/x") && p[0].tree.len == 0 && p[0].built == 12345 &&
                p[0].seen.changed == 0);
    assert_true(str_is(p[1].path, "/w/target/debug/") && str_is(p[1].tree, "/w/target") &&
                p[1].built == 0);
    assert_true(p[1].seen.device == 1 && p[1].seen.inode == 2 && p[1].seen.changed == 3);
    assert_int_equal(stat(file_of(&f, &f.id), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(stat(tree_path(&f.tree, "state/sessions"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    close_fixture(&f);
}

static void begin_at(struct arena *a, struct session *s, void *context)
{
    (void)a;
    s->began = *(int64_t *)context;
}

static void build_many(struct arena *a, struct session *s, void *context)
{
    for (size_t i = 0; i < *(size_t *)context; i++)
        LIST_PUSH(a, &s->programs,
                  (struct session_program){.path = str_format(a, "/w/%zu", i), .built = 1});
}

static void programs_are_limited(void **state)
{
    struct fixture f;
    size_t count = SESSION_PROGRAMS_MAX + 1;
    int64_t later = time(NULL) + 1000;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, build_many, &count, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &f.id).programs.count, SESSION_PROGRAMS_MAX);
    assert_int_equal(session_update(&f.id, begin_at, &later, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &f.id).programs.count, 0); /* the clock was set back */
    close_fixture(&f);
}

/* The start of a session holds from its first call on. Neither another session's start counts, nor
 * a time in the future. */
static void its_beginning(void **state)
{
    struct fixture f;
    struct session s;
    int64_t before = time(NULL), began = 1000, later = before + 1000, none = 0;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_meet(&f.arena, &f.id, &s, NULL), STATUS_OK);
    assert_true(s.fresh && s.began >= before && s.began <= time(NULL));
    assert_true(load(&f, &f.id).fresh);
    assert_int_equal(load(&f, &f.id).began, 0); /* reading alone starts nothing */
    assert_int_equal(session_update(&f.id, begin_at, &began, NULL, NULL), STATUS_OK);
    assert_int_equal(session_meet(&f.arena, &f.id, &s, NULL), STATUS_OK);
    assert_true(!s.fresh && s.began == 1000);
    assert_int_equal(session_update(&f.id, begin_at, &later, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &f.id).began, 0);
    assert_int_equal(session_update(&f.id, begin_at, &none, NULL, NULL), STATUS_OK);
    assert_int_equal(session_meet(&f.arena, &f.id, &s, NULL), STATUS_OK);
    assert_true(!s.fresh && s.began == 0);
    struct session_id unnamed = {f.tree.state, STR("claude"), STR("")};
    assert_int_equal(session_meet(&f.arena, &unnamed, &s, NULL), STATUS_OK);
    assert_int_equal(s.began, 0);
    close_fixture(&f);
}

static void each_for_itself(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    struct session_id others[] = {{f.tree.state, STR("claude"), STR("s2")},
                                  {f.tree.state, STR("codex"), STR("s1")},
                                  {f.tree.state, STR("claudes"), STR("1")},
                                  {f.tree.state, STR(""), STR("claudes1")}};
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < COUNT(others); i++)
        assert_int_equal(load(&f, &others[i]).denials, 0);
    assert_int_equal(load(&f, &f.id).denials, 1);

    struct session_id none = {f.tree.state, STR("claude"), STR("")};
    assert_int_equal(session_update(&none, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &none).denials, 0);
    struct session_id path = {f.tree.state, STR("../.."), STR("../../../etc/passwd")};
    assert_int_equal(session_update(&path, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &path).denials, 1);
    close_fixture(&f);
}

static void written_only_when_it_changes(void **state)
{
    struct fixture f;
    struct stat first, second;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(stat(file_of(&f, &f.id), &first), 0);
    assert_int_equal(session_update(&f.id, change_nothing, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(stat(file_of(&f, &f.id), &second), 0);
    assert_int_equal(first.st_ino, second.st_ino);
    assert_int_equal(first.st_ctim.tv_nsec, second.st_ctim.tv_nsec);
    close_fixture(&f);
}

/* ---- refusals ---- */

#define GOOD                                                                                       \
    "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":0,\"denials_in_a_" \
    "row\":0,\"grants\":["                                                                         \
    "]}"

#define APPROVED(list)                                                                             \
    "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":0,\"denials_in_a_" \
    "row\":0,\"grants\":[],\"approvals\":" list "}"

static const struct {
    const char *why, *text;
    mode_t mode;
    enum status want;
} files[] = {
    {"an approval",
     APPROVED("[{\"id\":\"d_1\",\"how\":\"allow\",\"at\":1,\"keys\":[\"0123456789abcdef\"]}]"),
     0600, STATUS_OK},
    {"approvals that are no list", APPROVED("{}"), 0600, STATUS_SYNTAX},
    {"an approval of nothing", APPROVED("[{\"id\":\"d_1\",\"how\":\"allow\",\"at\":1}]"), 0600,
     STATUS_SYNTAX},
    {"an approval in an unknown way",
     APPROVED("[{\"id\":\"d_1\",\"how\":\"x\",\"at\":1,\"keys\":[\"0123456789abcdef\"]}]"), 0600,
     STATUS_SYNTAX},
    {"an approval of a malformed digest",
     APPROVED("[{\"id\":\"d_1\",\"how\":\"client\",\"at\":1,\"digest\":\"00\"}]"), 0600,
     STATUS_SYNTAX},
    {"as we write it", GOOD, 0600, STATUS_OK},
    {"others may read it", GOOD, 0644, STATUS_OK},
    {"the group can write it", GOOD, 0620, STATUS_UNSAFE},
    {"all users can write it", GOOD, 0602, STATUS_UNSAFE},
    {"empty", "", 0600, STATUS_SYNTAX},
    {"cut off", "{\"version\":1,\"workspace\":\"\"", 0600, STATUS_SYNTAX},
    {"no object", "[]", 0600, STATUS_SYNTAX},
    {"an object", "{}", 0600, STATUS_SYNTAX},
    {"another version",
     "{\"version\":2,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":0,\"denials_in_a_"
     "row\":0,\"grants\":[]"
     "}",
     0600, STATUS_SYNTAX},
    {"a workspace that is not a path",
     "{\"version\":1,\"workspace\":\"w\",\"mode\":null,\"prior\":null,\"denials\":0,\"denials_in_a_"
     "row\":0,\"grants\":["
     "]}",
     0600, STATUS_SYNTAX},
    {"no such mode",
     "{\"version\":1,\"workspace\":\"\",\"mode\":\"x\",\"prior\":null,\"denials\":0,\"denials_in_a_"
     "row\":0,\"grants\":["
     "]}",
     0600, STATUS_SYNTAX},
    {"a negative count",
     "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":-1,\"denials_in_a_"
     "row\":0,\"grants\":["
     "]}",
     0600, STATUS_SYNTAX},
    {"a count that is too large",
     "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":4294967296,"
     "\"denials_in_a_row\":0,"
     "\"grants\":[]}",
     0600, STATUS_SYNTAX},
    {"a malformed grant",
     "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":0,\"denials_in_a_"
     "row\":0,\"grants\":["
     "\"x\"]}",
     0600, STATUS_SYNTAX},
    {"a key twice",
     "{\"version\":1,\"workspace\":\"\",\"mode\":null,\"prior\":null,\"denials\":9,\"denials\":0,"
     "\"denials_in_a_row\":"
     "0,"
     "\"grants\":[]}",
     0600, STATUS_SYNTAX},
};

static void both_refuse(struct fixture *f, const char *why, enum status want)
{
    struct session s = {.denials = 99};
    struct error err = {0};

    if (session_load(&f->arena, &f->id, &s, &err) != want || (want && !err.message[0]))
        fail_msg("%s: loading says %d %s", why, (int)err.status, err.message);
    assert_int_equal(s.denials, 0);
    if (session_update(&f->id, count_one, NULL, NULL, &err) != want)
        fail_msg("%s: changing says %d %s", why, (int)err.status, err.message);
}

static void unsafe_and_damaged_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        struct fixture f;
        open_fixture(&f);
        assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
        FILE *file = fopen(file_of(&f, &f.id), "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        fclose(file);
        assert_int_equal(chmod(file_of(&f, &f.id), files[i].mode), 0);
        both_refuse(&f, files[i].why, files[i].want);
        close_fixture(&f);
    }
}

static void other_things_in_its_place(void **state)
{
    struct fixture f;
    char path[TREE_PATH_MAX];

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    snprintf(path, sizeof(path), "%s", file_of(&f, &f.id));
    tree_write(&f.tree, "elsewhere", GOOD, 0600);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(tree_path(&f.tree, "elsewhere"), path), 0);
    both_refuse(&f, "a link", STATUS_IO);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    both_refuse(&f, "a pipe", STATUS_UNSAFE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    both_refuse(&f, "a directory", STATUS_UNSAFE);
    assert_int_equal(rmdir(path), 0);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(ftruncate(fd, (off_t)SESSION_FILE_MAX + 1), 0);
    close(fd);
    both_refuse(&f, "too large", STATUS_LIMIT);
    close_fixture(&f);
}

static void other_peoples_directories(void **state)
{
    struct fixture f;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(chmod(tree_path(&f.tree, "state/sessions"), 0770), 0);
    both_refuse(&f, "a directory that the group can write", STATUS_UNSAFE);
    assert_int_equal(chmod(tree_path(&f.tree, "state/sessions"), 0700), 0);
    assert_int_equal(chmod(f.tree.state, 0777), 0);
    both_refuse(&f, "a state directory that all users can write", STATUS_UNSAFE);
    assert_int_equal(chmod(f.tree.state, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(file_of(&f, &f.id), 12345, 12345), 0);
        both_refuse(&f, "another user's file", STATUS_UNSAFE);
        assert_int_equal(chown(tree_path(&f.tree, "state/sessions"), 12345, 12345), 0);
        both_refuse(&f, "another user's directory", STATUS_UNSAFE);
    }
    f.id.state_dir = "";
    both_refuse(&f, "no state directory", STATUS_USAGE);
    f.id.state_dir = "/dev/null/state";
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_IO);
    close_fixture(&f);
}

/* As another user, without the right to read or write there. In a child, because the old identity
 * cannot be restored. */
static void without_rights(void **state)
{
    struct fixture f;
    int status;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(chmod(file_of(&f, &f.id), 0000), 0);
    if (geteuid() != 0) {
        both_refuse(&f, "a file that cannot be read", STATUS_IO);
    } else {
        pid_t child = fork();
        if (child == 0) {
            struct session s;
            _exit(setuid(12345) != 0 || session_load(&f.arena, &f.id, &s, NULL) == STATUS_OK);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    close_fixture(&f);
}

/* ---- failures while writing ---- */

static void a_full_disk(void **state)
{
    struct fixture f;
    int status;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    pid_t child = fork();
    if (child == 0) {
        struct error err = {0};
        struct rlimit none = {0, 0};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &none);
        _exit(session_update(&f.id, count_one, NULL, NULL, &err) != STATUS_IO || !err.message[0]);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(load(&f, &f.id).denials, 1); /* the old file is intact */
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &f.id).denials, 2);
    close_fixture(&f);
}

static void memory_runs_out(void **state)
{
    struct fixture f;
    size_t failed = 0;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, change_all, NULL, NULL, NULL), STATUS_OK);
    for (size_t n = 1;; n++) {
        struct session s;
        struct error err = {0};
        arena_fail_at(&f.arena, f.arena.allocations + n);
        enum status status = session_load(&f.arena, &f.id, &s, &err);
        if (f.arena.allocations < f.arena.fail_at) {
            assert_int_equal(status, STATUS_OK);
            break;
        }
        assert_int_not_equal(status, STATUS_OK);
        assert_int_equal(s.grants.count, 0);
        failed++;
    }
    assert_true(failed > 3);
    close_fixture(&f);
}

#define WRITERS 4
#define TIMES   25

static void many_processes(void **state)
{
    struct fixture f;
    pid_t children[WRITERS];
    int status;

    (void)state;
    open_fixture(&f);
    for (size_t i = 0; i < WRITERS; i++)
        if ((children[i] = fork()) == 0) {
            int failed = 0;
            for (int n = 0; n < TIMES; n++)
                failed |= session_update(&f.id, count_one, NULL, NULL, NULL) != STATUS_OK;
            _exit(failed);
        }
    for (size_t i = 0; i < WRITERS; i++) {
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(load(&f, &f.id).denials, WRITERS * TIMES);
    close_fixture(&f);
}

/* ---- limits ---- */

static void grant_many(struct arena *a, struct session *s, void *context)
{
    for (size_t i = 0; i < *(size_t *)context; i++)
        LIST_PUSH(a, &s->grants, str_format(a, "%064zx", i));
}

static void grants_are_limited(void **state)
{
    struct fixture f;
    size_t count = SESSION_GRANTS_MAX + 1;

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, grant_many, &count, NULL, NULL), STATUS_OK);
    assert_int_equal(load(&f, &f.id).grants.count, SESSION_GRANTS_MAX);
    close_fixture(&f);
}

static void set_age(const char *path, time_t seconds)
{
    struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};

    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void old_ones_are_forgotten(void **state)
{
    struct fixture f;
    char number[16];

    (void)state;
    open_fixture(&f);
    for (int i = 0; i < 3; i++) {
        struct session_id id = {f.tree.state, STR("c"), str_from(number)};
        snprintf(number, sizeof(number), "%d", i);
        id.session = str_from(number);
        assert_int_equal(session_update(&id, count_one, NULL, NULL, NULL), STATUS_OK);
        set_age(file_of(&f, &id), (time_t)(SESSION_DAYS - 1 + i) * 86400 + (i == 1 ? -60 : 60));
    }
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        snprintf(number, sizeof(number), "%d", i);
        struct session_id id = {f.tree.state, STR("c"), str_from(number)};
        assert_int_equal(load(&f, &id).denials, i < 2);
    }
    close_fixture(&f);
}

static void there_are_not_too_many(void **state)
{
    struct fixture f;
    char path[TREE_PATH_MAX];

    (void)state;
    open_fixture(&f);
    assert_int_equal(session_update(&f.id, count_one, NULL, NULL, NULL), STATUS_OK);
    for (unsigned i = 0; i < SESSIONS_MAX - 1; i++) {
        snprintf(path, sizeof(path), "%s/sessions/%064x.json", f.tree.state, i);
        int fd = open(path, O_WRONLY | O_CREAT, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    set_age(path, 1000);
    struct session_id next = {f.tree.state, STR("c"), STR("next")};
    assert_int_equal(session_update(&next, count_one, NULL, NULL, NULL), STATUS_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(load(&f, &f.id).denials, 1);
    assert_int_equal(load(&f, &next).denials, 1);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_whole),
        cmocka_unit_test(its_beginning),
        cmocka_unit_test(each_for_itself),
        cmocka_unit_test(written_only_when_it_changes),
        cmocka_unit_test(unsafe_and_damaged_files),
        cmocka_unit_test(other_things_in_its_place),
        cmocka_unit_test(other_peoples_directories),
        cmocka_unit_test(without_rights),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(many_processes),
        cmocka_unit_test(grants_are_limited),
        cmocka_unit_test(programs_are_limited),
        cmocka_unit_test(old_ones_are_forgotten),
        cmocka_unit_test(there_are_not_too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
