/* Attacks on undo: what a hostile workspace, a hostile journal or a full disk can make of it. The
 * numbers are those of the catalogue of attacks; E104 is test_undo_killed.c. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "support/undo_tree.h"

#include <cmocka.h>

#define OTHER_USER 12345

static struct undo_tree t;
static struct undo_store store;
static struct undo_entry entry;
static struct arena arena;
static struct undo_plan plan;
static char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE];

static int begin(void **state)
{
    (void)state;
    undo_tree_make(&t, "/tmp");
    arena_init(&arena, UNDO_MEMORY_MAX);
    alarm(60); /* a FIFO that is opened would block for ever */
    return 0;
}

static int finish(void **state)
{
    (void)state;
    undo_tree_remove(&t);
    arena_release(&arena);
    alarm(0);
    return 0;
}

static const char *at(const char *name)
{
    static char rooms[4][512];
    static size_t next;
    char *room = rooms[next++ % 4];

    (void)snprintf(room, sizeof(rooms[0]), "%s/%s", t.work, name);
    return room;
}

static const char *outside(const char *name)
{
    static char room[512];

    (void)snprintf(room, sizeof(room), "%s/%s", t.root, name);
    return room;
}

static void put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

static bool holds(const char *path, const char *text)
{
    char room[256] = "";
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, room, sizeof(room) - 1);

    auto_close(&fd);
    return n >= 0 && strcmp(room, text) == 0;
}

static void open_call(const struct undo_limits *limits)
{
    struct error err = {0};

    if (undo_store_open(&store, t.state, t.work, true, &err) ||
        undo_entry_begin(&entry, &store, &(struct undo_header){0}, limits, &err))
        fail_msg("%s", err.message);
    memcpy(id, entry.id, sizeof(id));
}

static void save_written(const char *path)
{
    assert_int_equal(undo_save(&entry, str_from(path), UNDO_WRITTEN, NULL), STATUS_OK);
}

static void close_call(void)
{
    undo_entry_close(&entry);
    assert_int_equal(undo_close_open(&store, NULL), STATUS_OK);
}

static enum status look(const struct undo_wish *wish)
{
    return undo_look(&arena, &store, id, wish, &plan, NULL);
}

static enum status apply(const struct undo_wish *wish)
{
    struct error err = {0};
    enum status status = undo_apply(&store, &plan, wish, own, &err);

    if (status && status != STATUS_USAGE)
        print_message("%s\n", err.message);
    return status;
}

static const struct undo_wish plain, force = {.force = true}, theirs = {.keep_theirs = true};

/* ---- E100: what is saved is replaced before ---- */

static void test_e100_other_kinds(void **state)
{
    struct stat st;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    put(outside("secret"), "key");
    assert_int_equal(symlink(outside("secret"), at("link")), 0);
    assert_int_equal(mkfifo(at("fifo"), 0600), 0);
    (void)snprintf(name.sun_path, sizeof(name.sun_path), "%s", at("socket"));
    assert_int_equal(bind(s, (struct sockaddr *)&name, sizeof(name)), 0);
    bool device = mknod(at("device"), S_IFCHR | 0600, makedev(1, 3)) == 0;

    open_call(NULL);
    save_written("link");
    save_written("fifo");
    save_written("socket");
    if (device)
        assert_int_equal(undo_save(&entry, STR("device"), UNDO_WRITTEN, NULL), STATUS_LIMIT);
    for (int64_t slot = 0; slot < entry.slots; slot++) {
        char name_of[UNDO_SLOT_SIZE];
        assert_int_equal(
            fstatat(entry.trash, undo_slot_name(slot, name_of), &st, AT_SYMLINK_NOFOLLOW), 0);
        assert_false(S_ISREG(st.st_mode)); /* the key was not copied */
    }
    unlink(at("link"));
    unlink(at("fifo"));
    unlink(at("socket"));
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(apply(&plain), STATUS_OK);
    assert_true(lstat(at("link"), &st) == 0 && S_ISLNK(st.st_mode));
    assert_true(lstat(at("fifo"), &st) == 0 && S_ISFIFO(st.st_mode));
    assert_true(holds(outside("secret"), "key"));
    undo_store_close(&store);
    close(s);
    unlink(outside("secret"));
}

/* Another process swaps a file for a link to the key, and back, as fast as it can. */
static void test_e100_race(void **state)
{
    (void)state;
    put(outside("secret"), "key");
    put(at("file"), "text");
    put(at("spare"), "text");
    assert_int_equal(symlink(outside("secret"), at("evil")), 0);
    assert_int_equal(mkfifo(at("fifo"), 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        char file[512], evil[512], fifo[512];
        (void)snprintf(file, sizeof(file), "%s", at("file"));
        (void)snprintf(evil, sizeof(evil), "%s", at("evil"));
        (void)snprintf(fifo, sizeof(fifo), "%s", at("fifo"));
        for (;;) {
            (void)renameat2(AT_FDCWD, file, AT_FDCWD, evil, RENAME_EXCHANGE);
            (void)renameat2(AT_FDCWD, file, AT_FDCWD, fifo, RENAME_EXCHANGE);
        }
    }
    open_call(NULL);
    for (int i = 0; i < 2000; i++)
        (void)undo_save(&entry, STR("file"), UNDO_WRITTEN, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    for (int64_t slot = 0; slot < entry.slots; slot++) {
        char name[UNDO_SLOT_SIZE], text[16] = "";
        int fd =
            openat(entry.trash, undo_slot_name(slot, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
        if (fd >= 0)
            assert_true(read(fd, text, sizeof(text) - 1) >= 0);
        auto_close(&fd);
        assert_string_not_equal(text, "key");
    }
    close_call();
    undo_store_close(&store);
    unlink(outside("secret"));
}

/* ---- E101: a directory on the way becomes a link ---- */

static void swap_parent(bool after_look)
{
    struct stat st;

    assert_int_equal(mkdir(at("d"), 0755), 0);
    assert_int_equal(mkdir(outside("target"), 0755), 0);
    put(at("d/file"), "old");
    put(outside("target/file"), "theirs");
    open_call(NULL);
    save_written("d/file");
    save_written("d/new");
    put(at("d/file"), "new");
    put(at("d/new"), "new");
    close_call();
    if (after_look)
        assert_int_equal(look(&force), STATUS_OK);
    assert_int_equal(rename(at("d"), at("away")), 0);
    assert_int_equal(symlink("../target", at("d")), 0);
    if (!after_look) {
        assert_int_equal(look(&plain), STATUS_OK);
        assert_int_equal(plan.conflicts.count, 2);
    }
    assert_int_not_equal(undo_apply(&store, &plan, &force, own, NULL), STATUS_OK);
    if (!after_look) { /* a person who has seen it says so: the link goes, and nothing follows it */
        assert_int_equal(look(&force), STATUS_OK);
        assert_int_equal(undo_apply(&store, &plan, &force, own, NULL), STATUS_OK);
        assert_int_equal(lstat(at("d"), &st), 0);
        assert_true(S_ISDIR(st.st_mode));
        assert_true(holds(at("d/file"), "old"));
        assert_int_not_equal(lstat(at("d/new"), &st), 0);
    }
    assert_true(holds(outside("target/file"), "theirs"));
    assert_true(holds(at("away/file"), "new"));
    assert_int_not_equal(lstat(outside("target/new"), &st), 0);
    undo_store_close(&store);
    unlink(outside("target/file"));
    rmdir(outside("target"));
}

static void test_e101_before(void **state)
{
    (void)state;
    swap_parent(false);
}

static void test_e101_between(void **state)
{
    (void)state;
    swap_parent(true);
}

/* The workspace itself is another directory now. */
static void test_e101_workspace(void **state)
{
    char old[300];

    (void)state;
    put(at("file"), "old");
    open_call(NULL);
    save_written("file");
    close_call();
    undo_store_close(&store);
    (void)snprintf(old, sizeof(old), "%s.old", t.work);
    assert_int_equal(rename(t.work, old), 0);
    assert_int_equal(mkdir(t.work, 0755), 0);
    assert_int_equal(undo_store_open(&store, t.state, t.work, false, NULL), STATUS_OK);
    assert_int_equal(look(&force), STATUS_UNSAFE);
    undo_store_close(&store);
    assert_int_equal(rmdir(t.work), 0);
    assert_int_equal(rename(old, t.work), 0);
}

/* ---- E102: too much ---- */

static void test_e102_limits(void **state)
{
    struct undo_limits small = {.file = 100, .bytes = 150, .lines = 10};
    char text[200], name[20];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    put(at("large"), text);
    text[80] = '\0';
    put(at("one"), text);
    put(at("two"), text);
    open_call(&small);
    assert_int_equal(undo_save(&entry, STR("large"), UNDO_WRITTEN, NULL), STATUS_LIMIT);
    assert_int_equal(undo_save(&entry, STR("large"), UNDO_REPLACED, NULL), STATUS_OK);
    save_written("one");
    assert_int_equal(undo_save(&entry, STR("two"), UNDO_WRITTEN, NULL), STATUS_LIMIT);
    for (int i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof(name), "f%d", i);
        enum status status = undo_save(&entry, str_from(name), UNDO_WRITTEN, NULL);
        assert_true(status == (i < 3 ? STATUS_OK : STATUS_LIMIT));
    }
    assert_int_equal(entry.left, 2 + 97);
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_true(plan.lost.count >= 3); /* ... and it is said */
    assert_true(plan.log.ops.count <= 10);
    undo_store_close(&store);
}

/* A file of root's among one's own: the kernel makes no link to it, and a copy would be another's.
 */
static void save_foreign(void)
{
    struct error err = {0};

    open_call(NULL);
    assert_int_equal(undo_save(&entry, STR("mine"), UNDO_REPLACED, NULL), STATUS_OK);
    assert_int_equal(undo_save(&entry, STR("foreign"), UNDO_REPLACED, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.message, "belongs to another user"));
    assert_int_equal(undo_save_tree(&entry, STR("directory"), UNDO_REPLACED, NULL), STATUS_LIMIT);
    close_call();
    undo_store_close(&store);
}

static void test_e102_foreign(void **state)
{
    static const char *const all[] = {"", "mine", "foreign", "directory"};
    pid_t child;
    int status;

    (void)state;
    if (geteuid() != 0)
        skip();
    put(at("mine"), "m");
    put(at("foreign"), "f");
    assert_int_equal(chmod(at("foreign"), 04755), 0);
    assert_int_equal(mkdir(at("directory"), 0755), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(chown(at(all[i]), OTHER_USER, OTHER_USER), 0);
    assert_int_equal(chown(t.state, OTHER_USER, OTHER_USER), 0);
    assert_int_equal(chmod(t.root, 0755), 0);
    if ((child = fork()) == 0) {
        if (setgroups(0, NULL) || setgid(OTHER_USER) || setuid(OTHER_USER))
            _exit(1);
        save_foreign();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* An agent waits for its answer: saving ends at its deadline, and says so. */
static void test_e102_time(void **state)
{
    (void)state;
    put(at("file"), "old");
    open_call(NULL);
    entry.deadline = 1; /* long ago */
    assert_int_equal(undo_save(&entry, STR("file"), UNDO_WRITTEN, NULL), STATUS_LIMIT);
    assert_int_equal(undo_save(&entry, STR("new"), UNDO_WRITTEN, NULL), STATUS_LIMIT);
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_true(plan.lost.count >= 2);
    undo_store_close(&store);
}

static size_t saved_files(void)
{
    char slot[UNDO_SLOT_SIZE];
    struct undo_state seen;
    size_t count = 0;

    for (int64_t i = 0; i < 5000; i++)
        count += beneath_look_at(entry.trash, undo_slot_name(i, slot), &seen) &&
                 seen.kind != UNDO_ABSENT;
    return count;
}

/* ... and does not walk on through what is left of a large tree. */
static void test_e102_tree(void **state)
{
    struct undo_limits few = {.lines = 50};
    struct error err = {0};
    char name[32];

    (void)state;
    assert_int_equal(mkdir(at("tree"), 0755), 0);
    for (int i = 0; i < 1000; i++) {
        (void)snprintf(name, sizeof(name), "tree/%d", i);
        put(at(name), "x");
    }
    open_call(&few);
    assert_int_equal(undo_save_tree(&entry, STR("tree"), UNDO_REPLACED, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.message, "too many files"));
    assert_true(saved_files() <= 60);
    undo_entry_close(&entry);
    undo_store_close(&store);
    open_call(NULL);
    entry.deadline = 1;
    assert_int_equal(undo_save_tree(&entry, STR("tree"), UNDO_REPLACED, &err), STATUS_LIMIT);
    assert_non_null(strstr(err.message, "takes too long"));
    assert_true(saved_files() <= 100);
    undo_entry_close(&entry);
    undo_store_close(&store);
}

/* ---- directories that are moved away ---- */

static bool is_in_trash(const char *name)
{
    struct undo_ids ids;
    struct stat st;
    bool found = false;

    assert_int_equal(undo_store_open(&store, t.state, t.work, false, NULL), STATUS_OK);
    assert_int_equal(undo_store_list(&arena, &store, &ids, NULL), STATUS_OK);
    for (size_t i = 0; i < ids.count && !found; i++) {
        AUTO_CLOSE int trash = -1;
        found = !undo_trash_directory(&store, ids.items[i].s, false, false, &trash, NULL) &&
                fstatat(trash, name, &st, 0) == 0;
    }
    undo_store_close(&store);
    return found;
}

/* Another process exchanges the directory with a link to one outside, as fast as it can. */
static void test_away_race(void **state)
{
    struct stat st;

    (void)state;
    assert_int_equal(mkdir(outside("victim"), 0755), 0);
    assert_int_equal(mkdir(at("tree"), 0755), 0);
    put(at("tree/file"), "x");
    assert_int_equal(symlink(outside("victim"), at("link")), 0);
    pid_t child = fork();
    if (child == 0)
        for (prctl(PR_SET_PDEATHSIG, SIGKILL); getppid() != 1;)
            (void)renameat2(AT_FDCWD, at("tree"), AT_FDCWD, at("link"), RENAME_EXCHANGE);
    for (int i = 0; i < 100; i++) {
        open_call(NULL);
        (void)undo_save_at_once(&entry, STR("tree"), NULL);
        undo_entry_close(&entry);
        assert_int_equal(undo_close_open(&store, NULL), STATUS_OK);
        undo_store_close(&store);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_int_equal(lstat(outside("victim"), &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    assert_int_equal(rmdir(outside("victim")), 0); /* nothing came there */
    assert_true(holds(at("tree/file"), "x") || holds(at("link/file"), "x") ||
                is_in_trash("0/file"));
}

/* A link that project code has made is no sign that anything is to come back. */
static void test_away_forged(void **state)
{
    char other[600];

    (void)state;
    assert_int_equal(mkdir(at("tree"), 0755), 0);
    put(at("tree/file"), "x");
    open_call(NULL);
    assert_int_equal(undo_save_at_once(&entry, STR("tree"), NULL), STATUS_OK);
    assert_true(holds(at("tree/file"), "x")); /* through the link */
    assert_int_equal(unlink(at("tree")), 0);
    (void)snprintf(other, sizeof(other), "%s", outside("elsewhere"));
    assert_int_equal(mkdir(other, 0755), 0);
    assert_int_equal(symlink(other, at("tree")), 0);
    close_call();
    assert_false(holds(at("tree/file"), "x"));
    assert_int_equal(rmdir(other), 0); /* nothing came there */
    assert_int_equal(look(&force), STATUS_OK);
    assert_int_equal(apply(&force), STATUS_OK);
    assert_true(holds(at("tree/file"), "x"));
    undo_store_close(&store);
}

/* ---- E103: somebody edits a file afterwards ---- */

static void make_edited(void)
{
    put(at("file"), "old");
    put(at("other"), "old");
    open_call(NULL);
    save_written("file");
    save_written("other");
    put(at("file"), "new");
    put(at("other"), "new");
    close_call();
}

static void test_e103_conflict(void **state)
{
    struct stat st;

    (void)state;
    make_edited();
    assert_int_equal(stat(at("file"), &st), 0);
    put(at("file"), "own");
    const struct timespec times[2] = {st.st_atim, st.st_mtim}; /* with the old time, and size */
    assert_int_equal(utimensat(AT_FDCWD, at("file"), times, 0), 0);
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(plan.conflicts.count, 1);
    assert_int_equal(apply(&plain), STATUS_USAGE);
    assert_true(holds(at("file"), "own") && holds(at("other"), "new"));
    assert_int_equal(look(&theirs), STATUS_OK);
    assert_int_equal(apply(&theirs), STATUS_OK);
    assert_true(holds(at("file"), "own") && holds(at("other"), "old"));
    undo_store_close(&store);
}

static void test_e103_force(void **state)
{
    (void)state;
    make_edited();
    put(at("file"), "own");
    assert_int_equal(look(&force), STATUS_OK);
    assert_int_equal(apply(&force), STATUS_OK);
    assert_true(holds(at("file"), "old") && holds(at("other"), "old"));
    memcpy(id, own, sizeof(id)); /* what was forced away is not lost */
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(apply(&plain), STATUS_OK);
    assert_true(holds(at("file"), "own"));
    undo_store_close(&store);
}

/* A file that somebody put into a directory that the call has made. */
static void test_e103_made_directory(void **state)
{
    (void)state;
    open_call(NULL);
    save_written("made");
    assert_int_equal(mkdir(at("made"), 0755), 0);
    put(at("made/file"), "text");
    close_call();
    put(at("made/mine"), "mine");
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(plan.conflicts.count, 1);
    unlink(at("made/mine"));
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(apply(&plain), STATUS_OK);
    assert_int_not_equal(access(at("made"), F_OK), 0);
    undo_store_close(&store);
}

/* Of what a call has made itself it writes no more lines: its directory may have become a link when
 * the next one is written. */
static void test_made_directory_becomes_link(void **state)
{
    struct stat st;

    (void)state;
    open_call(NULL);
    save_written("made");
    assert_int_equal(mkdir(at("made"), 0755), 0);
    save_written("made/file");
    assert_int_equal(rmdir(at("made")), 0);
    assert_int_equal(symlink(".", at("made")), 0);
    assert_int_equal(undo_save(&entry, STR("made"), UNDO_REPLACED, NULL), STATUS_OK);
    assert_int_equal(unlink(at("made")), 0);
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(plan.conflicts.count, 0);
    assert_int_equal(apply(&plain), STATUS_OK);
    assert_int_not_equal(lstat(at("made"), &st), 0);
    undo_store_close(&store);
}

static void test_paths(void **state)
{
    struct str one = STR("other");
    struct strs list = {&one, 1, 1};
    struct undo_wish wish = {.paths = &list};

    (void)state;
    make_edited();
    assert_int_equal(look(&wish), STATUS_OK);
    assert_int_equal(apply(&wish), STATUS_OK);
    assert_true(holds(at("file"), "new") && holds(at("other"), "old"));
    undo_store_close(&store);
}

/* ---- E105: the client never ran the call ---- */

static void test_e105_never_ran(void **state)
{
    (void)state;
    assert_int_equal(mkdir(at("d"), 0755), 0);
    put(at("d/file"), "text");
    char *before = undo_tree_show(&t);
    open_call(NULL);
    assert_int_equal(undo_save_tree(&entry, STR("d"), UNDO_REPLACED, NULL), STATUS_OK);
    save_written("new");
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(plan.changes.count, 0);
    assert_int_equal(apply(&plain), STATUS_OK);
    char *after = undo_tree_show(&t);
    assert_string_equal(after, before);
    free(before);
    free(after);
    undo_store_close(&store);
}

/* ---- the journal ---- */

static void edit_journal(char from, char to)
{
    char text[8192];
    int fd = openat(store.entries, id, O_RDONLY | O_DIRECTORY);
    int journal = openat(fd, UNDO_JOURNAL_NAME, O_RDWR);
    ssize_t n = read(journal, text, sizeof(text));

    assert_true(n > 0);
    char *found = memchr(text, from, (size_t)n);
    assert_non_null(found);
    *found = to;
    assert_int_equal(pwrite(journal, text, (size_t)n, 0), n);
    close(journal);
    close(fd);
}

static void test_journal_edited(void **state)
{
    (void)state;
    make_edited();
    edit_journal('k', 'K'); /* an operation */
    assert_int_equal(look(&plain), STATUS_UNSAFE);
    assert_true(holds(at("file"), "new"));
    undo_store_close(&store);
}

/* Whoever can write the state directory can write sums, too: the paths are checked all the same. */
static void test_journal_forged(void **state)
{
    static const char *const paths[] = {"../secret", "/etc/passwd", "a/../../secret", ".", "a//b"};
    struct error err = {0};

    (void)state;
    put(outside("secret"), "key");
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct undo_op op = {.what = UNDO_NONE,
                             .path = str_from(paths[i]),
                             .link = UNDO_SLOT_NONE,
                             .copy = UNDO_SLOT_NONE};
        open_call(NULL);
        assert_int_equal(undo_write_op(&entry.writer, &op, &err), STATUS_OK);
        assert_int_equal(undo_write_ended(&entry.writer, &err), STATUS_OK);
        undo_entry_close(&entry);
        assert_int_equal(look(&force), STATUS_UNSAFE);
        undo_store_close(&store);
    }
    assert_true(holds(outside("secret"), "key"));
    unlink(outside("secret"));
}

static void test_journal_torn(void **state)
{
    (void)state;
    put(at("file"), "old");
    open_call(NULL);
    save_written("file");
    assert_true(write(entry.writer.fd, "{\"op\":\"none\",\"pa", 16) == 16);
    put(at("file"), "new");
    close_call();
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(apply(&plain), STATUS_OK);
    assert_true(holds(at("file"), "old"));
    undo_store_close(&store);
}

/* What lies in the trash is taken away, or is another kind of thing. */
static void test_trash_robbed(void **state)
{
    (void)state;
    make_edited();
    int trash = -1;
    assert_int_equal(undo_trash_directory(&store, id, false, false, &trash, NULL), STATUS_OK);
    assert_int_equal(unlinkat(trash, "1", 0), 0);
    assert_int_equal(symlinkat("/etc/passwd", trash, "1"), 0);
    close(trash);
    assert_int_equal(look(&force), STATUS_OK);
    assert_int_equal(plan.conflicts.count, 1);
    assert_true(plan.conflicts.items[0].hard);
    assert_int_equal(apply(&force), STATUS_USAGE);
    assert_true(holds(at("file"), "new"));
    undo_store_close(&store);
}

/* ---- a full disk ---- */

static void test_no_room(void **state)
{
    static char block[65536];
    struct error err = {0};

    (void)state;
    if (geteuid() != 0)
        skip();
    if (mount("tmpfs", t.root, "tmpfs", 0, "size=1m,mode=700") < 0)
        skip();
    assert_int_equal(mkdir(t.work, 0700), 0);
    assert_int_equal(mkdir(t.state, 0700), 0);
    put(at("file"), "old");
    open_call(NULL);
    save_written("file");
    put(at("file"), "new, and longer than before");
    close_call();
    int fill = open(at("fill"), O_WRONLY | O_CREAT, 0600);
    while (write(fill, block, sizeof(block)) > 0)
        ;
    while (write(fill, block, 1) > 0)
        ;
    close(fill);
    assert_int_equal(look(&plain), STATUS_OK);
    enum status status = undo_apply(&store, &plan, &plain, own, &err);
    if (status) /* it needed room for the present content: nothing has changed */
        assert_true(holds(at("file"), "new, and longer than before"));
    else
        assert_true(holds(at("file"), "old"));
    unlink(at("fill"));
    assert_int_equal(undo_recover(&store, NULL, NULL), STATUS_OK);
    assert_int_equal(look(&plain), STATUS_OK);
    assert_int_equal(apply(&plain), status ? STATUS_OK : STATUS_USAGE);
    assert_true(holds(at("file"), "old"));
    undo_store_close(&store);
    assert_int_equal(umount2(t.root, MNT_DETACH), 0);
}

/* ---- retention ---- */

static void test_prune(void **state)
{
    struct undo_keep keep = {.calls = 3};
    struct undo_ids ids;
    size_t removed;

    (void)state;
    for (int i = 0; i < 6; i++) {
        make_edited();
        undo_store_close(&store);
    }
    open_call(NULL); /* one that changes nothing leaves nothing */
    close_call();
    assert_int_equal(undo_store_list(&arena, &store, &ids, NULL), STATUS_OK);
    assert_int_equal(ids.count, 6);
    assert_int_equal(undo_prune(&store, &keep, 0, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 3);
    keep = (struct undo_keep){.days = 1};
    assert_int_equal(undo_prune(&store, &keep, INT64_MAX / 2, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 3);
    assert_int_equal(undo_store_list(&arena, &store, &ids, NULL), STATUS_OK);
    assert_int_equal(ids.count, 0);
    undo_store_close(&store);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_e100_other_kinds),
        TEST(test_e100_race),
        TEST(test_e101_before),
        TEST(test_e101_between),
        TEST(test_e101_workspace),
        TEST(test_e102_limits),
        TEST(test_e102_foreign),
        TEST(test_e102_time),
        TEST(test_e103_conflict),
        TEST(test_e103_force),
        TEST(test_e103_made_directory),
        TEST(test_made_directory_becomes_link),
        TEST(test_paths),
        TEST(test_e105_never_ran),
        TEST(test_journal_edited),
        TEST(test_journal_forged),
        TEST(test_journal_torn),
        TEST(test_trash_robbed),
        TEST(test_no_room),
        TEST(test_prune),
        TEST(test_e102_tree),
        TEST(test_away_race),
        TEST(test_away_forged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
