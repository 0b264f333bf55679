#include "support/undo_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "undo/end.h"
#include "undo/whole.h"

#include <cmocka.h>

#define PATHS_MAX 512
#define NAMES     24

size_t undo_tree_places(const char *out[UNDO_TREE_PLACES])
{
    const char *given = getenv("WARDER_UNDO_PLACES"); /* blank-separated */
    static char room[512];
    size_t count = 0;

    if (!given) {
        if (access("/dev/shm", W_OK) == 0)
            out[count++] = "/dev/shm";
        out[count++] = "/tmp";
        return count;
    }
    (void)snprintf(room, sizeof(room), "%s", given);
    for (char *at = room, *end; *at && count < UNDO_TREE_PLACES; at = end) {
        end = at + strcspn(at, " ");
        if (*end)
            *end++ = '\0';
        out[count++] = at;
    }
    return count;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    return ftw->level == 0 ? 0 : remove(path);
}

static int open_up(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)ftw;
    if (kind == FTW_D || kind == FTW_DNR)
        (void)chmod(path, st->st_mode | S_IRWXU);
    return 0;
}

void undo_tree_make(struct undo_tree *t, const char *parent)
{
    (void)snprintf(t->root, sizeof(t->root), "%s/warder-undo-XXXXXX", parent);
    assert_non_null(mkdtemp(t->root));
    (void)snprintf(t->work, sizeof(t->work), "%s/work", t->root);
    (void)snprintf(t->state, sizeof(t->state), "%s/state", t->root);
    assert_int_equal(mkdir(t->work, S_IRWXU), 0);
    assert_int_equal(mkdir(t->state, S_IRWXU), 0);
    t->git = false;
}

/* The state on another file system: the trash is below .git then. */
bool undo_tree_part(struct undo_tree *t, const char *other)
{
    struct stat here, there;
    char git[300];

    if (stat(t->work, &here) < 0 || stat(other, &there) < 0 || here.st_dev == there.st_dev)
        return false;
    (void)rmdir(t->state);
    (void)snprintf(t->state, sizeof(t->state), "%s/warder-undo-XXXXXX", other);
    assert_non_null(mkdtemp(t->state));
    (void)snprintf(git, sizeof(git), "%s/.git", t->work);
    return mkdir(git, S_IRWXU) == 0;
}

void undo_tree_clear(struct undo_tree *t)
{
    (void)nftw(t->work, open_up, 16, FTW_PHYS);
    (void)nftw(t->work, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    (void)nftw(t->state, open_up, 16, FTW_PHYS);
    (void)nftw(t->state, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void undo_tree_remove(struct undo_tree *t)
{
    undo_tree_clear(t);
    (void)rmdir(t->work);
    (void)rmdir(t->state);
    (void)rmdir(t->root);
}

/* ---- what is there ---- */

struct paths {
    char items[PATHS_MAX][300];
    mode_t modes[PATHS_MAX];
    size_t count;
};

/* Objects are only added, and the trash is not the workspace's. */
static bool is_left_out(const char *name, const char *above, bool git)
{
    static const char *const apart[] = {"objects", "warder-undo"};

    if (!strcmp(name, ".") || !strcmp(name, ".."))
        return true;
    return *above ? !strcmp(above, ".git") && STR_IN(str_from(name), apart)
                  : !strcmp(name, ".git") && !git;
}

static void list_below(int directory, const char *above, bool git, struct paths *out)
{
    struct stat st;
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;

    if (!d)
        auto_close(&again);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (is_left_out(e->d_name, above, git) || out->count == PATHS_MAX)
            continue;
        char *path = out->items[out->count];
        int n = snprintf(path, 300, "%s%s%s", above, *above ? "/" : "", e->d_name);
        if (n >= 300 || fstatat(again, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        out->modes[out->count++] = st.st_mode;
        int inner = S_ISDIR(st.st_mode) ? openat(again, e->d_name, O_RDONLY | O_NOFOLLOW) : -1;
        if (inner >= 0)
            list_below(inner, path, git, out);
        auto_close(&inner);
    }
    if (d)
        closedir(d);
}

static void list_all(const struct undo_tree *t, bool git, struct paths *out)
{
    int work = open(t->work, O_RDONLY | O_DIRECTORY);

    out->count = 0;
    list_below(work, "", git, out);
    close(work);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void show_content(FILE *out, const char *path, const struct stat *st)
{
    char room[65536], hex[SHA256_HEX], names[4096];
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;
    ssize_t n;
    int fd = S_ISREG(st->st_mode) ? open(path, O_RDONLY | O_NOFOLLOW) : -1;

    sha256_init(&h);
    while (fd >= 0 && (n = read(fd, room, sizeof(room))) > 0)
        sha256_add(&h, (struct str){room, (size_t)n});
    if (S_ISLNK(st->st_mode) && (n = readlink(path, room, sizeof(room))) > 0)
        sha256_add(&h, (struct str){room, (size_t)n});
    n = fd >= 0 || S_ISDIR(st->st_mode) ? llistxattr(path, names, sizeof(names)) : 0;
    char *sorted[64];
    size_t count = 0;
    for (char *name = names; n > 0 && name < names + n && count < 64; name += strlen(name) + 1)
        if (strncmp(name, "user.", 5) == 0)
            sorted[count++] = name;
    qsort(sorted, count, sizeof(*sorted), by_text);
    for (size_t i = 0; i < count; i++) {
        ssize_t len = lgetxattr(path, sorted[i], room, sizeof(room));
        sha256_add_part(&h, str_from(sorted[i]));
        sha256_add_part(&h, (struct str){room, len > 0 ? (size_t)len : 0});
    }
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    hex[12] = '\0';
    fprintf(out, " %s", hex);
    auto_close(&fd);
}

char *undo_tree_show(const struct undo_tree *t)
{
    static struct paths paths;
    char *sorted[PATHS_MAX], path[600], *text = NULL;
    ino_t inodes[PATHS_MAX];
    size_t len;
    FILE *out = open_memstream(&text, &len);
    struct stat st;

    list_all(t, t->git, &paths);
    for (size_t i = 0; i < paths.count; i++)
        sorted[i] = paths.items[i];
    qsort(sorted, paths.count, sizeof(*sorted), by_text);
    for (size_t i = 0; i < paths.count; i++) {
        size_t same = 0;
        (void)snprintf(path, sizeof(path), "%s/%s", t->work, sorted[i]);
        assert_int_equal(lstat(path, &st), 0);
        inodes[i] = st.st_ino;
        while (inodes[same] != st.st_ino)
            same++;
        fprintf(out, "%s %o %lld %lld.%09ld", sorted[i], st.st_mode,
                S_ISDIR(st.st_mode) ? 0LL : (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                st.st_mtim.tv_nsec);
        show_content(out, path, &st);
        if (same != i)
            fprintf(out, " = %s", sorted[same]);
        fputc('\n', out);
    }
    fclose(out);
    return text;
}

/* ---- changing it ---- */

static const char *const names[NAMES] = {
    "a",        "b",    "c",   "d",    "e",  "f.txt", "g",       "h",
    "\xff\xfe", "\xe4", "x y", "n\nl", "i1", "i2",    "-option", "\xc3\xa4",
    "'q\"",     "$(x)", "o1",  "o2",   "o3", "o4",    "o5",      "o6",
};

static const char *any(const struct paths *p, struct dice *dice, mode_t kind)
{
    for (size_t tries = 0; p->count && tries < 20; tries++) {
        size_t at = dice_below(dice, p->count);
        if (!kind || (p->modes[at] & S_IFMT) == kind)
            return p->items[at];
    }
    return NULL;
}

static const char *new_name(const struct paths *p, struct dice *dice, char out[400])
{
    const char *directory = dice_below(dice, 3) ? any(p, dice, S_IFDIR) : NULL;
    const char *name = names[dice_below(dice, NAMES)];

    (void)snprintf(out, 400, "%s%s%s", directory ? directory : "", directory ? "/" : "", name);
    return strlen(out) < 200 ? out : name;
}

static void whole(const struct undo_tree *t, const char *path, char out[800])
{
    (void)snprintf(out, 800, "%s/%s", t->work, path);
}

static void write_some(const char *path, struct dice *dice, int flags)
{
    char bytes[300];
    int fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | flags, 0644);
    size_t len = dice_below(dice, sizeof(bytes));

    if (fd < 0)
        return;
    for (size_t i = 0; i < len; i++)
        bytes[i] = (char)('a' + dice_below(dice, 26));
    if (dice_below(dice, 6) == 0)
        (void)lseek(fd, (off_t)dice_below(dice, (size_t)1 << 20), SEEK_SET); /* leaves a hole */
    if (write(fd, bytes, len) < 0)
        (void)len;
    if (dice_below(dice, 40) == 0) /* large, and empty */
        (void)!ftruncate(fd,
                         (off_t)dice_below(dice, (size_t)(dice_below(dice, 50) ? 3 : 60) << 20));
    close(fd);
}

static struct undo_entry *entry;
static enum undo_fate fates[] = {UNDO_REPLACED, UNDO_WRITTEN};

static void keep(const char *path, enum undo_fate fate)
{
    struct error err = {0};

    if (entry && undo_save(entry, str_from(path), fates[fate], &err))
        fail_msg("%s", err.message);
}

static void note_move(const char *from, const char *to)
{
    struct error err = {0};

    if (entry && undo_save_move(entry, str_from(from), str_from(to), &err))
        fail_msg("%s", err.message);
}

static bool is_absent(const struct undo_tree *t, const char *path)
{
    char p[800];
    struct stat st;

    whole(t, path, p);
    return lstat(p, &st) < 0;
}

static void move(const struct undo_tree *t, const char *from, const char *to)
{
    char x[800], y[800];

    if (!strcmp(from, to))
        return;
    whole(t, from, x);
    whole(t, to, y);
    if (!is_absent(t, to))
        keep(to, UNDO_REPLACED);
    note_move(from, to);
    (void)rename(x, y);
}

/* Moved away as a whole, and the link deleted that took its place; or everything in it. */
static void remove_tree(const struct undo_tree *t, const char *path, bool at_once)
{
    char p[800];
    struct error err = {0};

    whole(t, path, p);
    if (entry && at_once && undo_save_at_once(entry, str_from(path), &err) == STATUS_OK) {
        assert_int_equal(unlink(p), 0);
        return;
    }
    if (entry && undo_save_tree(entry, str_from(path), UNDO_REPLACED, &err))
        fail_msg("%s", err.message);
    (void)nftw(p, open_up, 16, FTW_PHYS);
    (void)nftw(p, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    (void)rmdir(p);
}

enum { KINDS = 19 };

static void change(const struct undo_tree *t, struct paths *all, struct dice *dice)
{
    char fresh[400], p[800], q[800];
    const char *file = any(all, dice, S_IFREG), *other = any(all, dice, S_IFREG),
               *directory = any(all, dice, S_IFDIR), *thing = any(all, dice, 0),
               *name = new_name(all, dice, fresh);
    size_t kind = dice_below(dice, KINDS);

    whole(t, file ? file : "none", p);
    whole(t, name, q);
    if ((kind < 6 || kind == 10 || (kind >= 12 && kind <= 15)) && !file)
        return;
    switch (kind) {
    case 0:
    case 1: /* over it, or at its end */
        keep(file, UNDO_WRITTEN);
        write_some(p, dice, kind ? O_APPEND : O_TRUNC);
        break;
    case 2: /* in the middle */
        keep(file, UNDO_WRITTEN);
        write_some(p, dice, 0);
        break;
    case 3:
        keep(file, UNDO_WRITTEN);
        (void)!truncate(p, (off_t)dice_below(dice, 500));
        break;
    case 4:
    case 5:
        keep(file, UNDO_REPLACED);
        (void)unlink(p);
        break;
    case 6:
        if (thing)
            move(t, thing, name);
        break;
    case 7:
        keep(name, UNDO_REPLACED);
        (void)mkdir(q, 0755);
        break;
    case 8:
        if (!directory)
            break;
        keep(directory, UNDO_REPLACED);
        whole(t, directory, q);
        (void)rmdir(q);
        break;
    case 9:
        if (!is_absent(t, name))
            break;
        keep(name, UNDO_REPLACED);
        (void)!symlink(dice_below(dice, 2) ? "/etc/passwd" : "a", q);
        break;
    case 10:
        keep(name, UNDO_REPLACED);
        (void)!link(p, q);
        break;
    case 11: /* written beside, and put in its place */
        if (!file || !is_absent(t, name))
            break;
        keep(name, UNDO_REPLACED);
        write_some(q, dice, O_CREAT | O_EXCL);
        move(t, name, file);
        break;
    case 12:
        keep(file, UNDO_WRITTEN);
        (void)chmod(p, (mode_t)(S_IRUSR | dice_below(dice, 512)));
        break;
    case 13:
        keep(file, UNDO_WRITTEN);
        (void)setxattr(p, dice_below(dice, 2) ? "user.one" : "user.two", "value",
                       dice_below(dice, 6), 0);
        break;
    case 14:
        keep(file, UNDO_WRITTEN);
        (void)removexattr(p, "user.one");
        break;
    case 15:
        if (other)
            move(t, file, other);
        break;
    case 16:
        if (directory)
            remove_tree(t, directory, dice_below(dice, 2));
        break;
    case 17:
        if (directory) {
            keep(directory, UNDO_WRITTEN);
            whole(t, directory, q);
            (void)chmod(q, (mode_t)(S_IRWXU | dice_below(dice, 64)));
        }
        break;
    default: /* a new file */
        keep(name, UNDO_WRITTEN);
        if (is_absent(t, name) || dice_below(dice, 2))
            write_some(q, dice, O_CREAT | O_TRUNC);
        break;
    }
}

void undo_tree_change(const struct undo_tree *t, struct undo_entry *e, struct dice *dice)
{
    static struct paths all;

    entry = e;
    list_all(t, false, &all);
    change(t, &all, dice);
}

void undo_tree_fill(const struct undo_tree *t, struct dice *dice)
{
    char p[800];

    for (size_t i = 0; i < 60; i++)
        undo_tree_change(t, NULL, dice);
    whole(t, "fifo", p);
    (void)mkfifo(p, 0600);
}

void undo_tree_call(const struct undo_tree *t, struct dice *dice, size_t count,
                    char id[UNDO_ID_SIZE])
{
    struct undo_store s;
    struct undo_entry e;
    struct undo_log log;
    struct arena a;
    struct error err = {0};
    struct undo_limits wide = {.file = (uint64_t)200 << 20};

    arena_init(&a, UNDO_MEMORY_MAX);
    if (undo_store_open(&s, t->state, t->work, true, &err) ||
        undo_entry_begin(&e, &s, &(struct undo_header){.text = STR("a program")}, &wide, &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < count; i++)
        undo_tree_change(t, &e, dice);
    memcpy(id, e.id, UNDO_ID_SIZE);
    if (undo_log_read(&a, e.directory, &log, &err) || undo_entry_end(&e, &log, &err))
        fail_msg("%s", err.message);
    undo_entry_close(&e);
    undo_store_close(&s);
    arena_release(&a);
}

/* ---- git ---- */

/* Nobody's settings; the times of commits do not matter. */
static void git(const struct undo_tree *t, const char *words)
{
    char room[600], *argv[24];
    size_t count = 0;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        (void)snprintf(room, sizeof(room), "git -C %s -c user.name=n -c user.email=e %s", t->work,
                       words);
        for (char *word = strtok(room, " "); word && count < 23; word = strtok(NULL, " "))
            argv[count++] = word;
        argv[count] = NULL;
        int null = open("/dev/null", O_RDWR);
        for (int fd = 0; fd < 3; fd++)
            (void)dup2(null, fd);
        (void)setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
        (void)setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
        (void)execvp("git", argv);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == 127)
        fail_msg("git cannot be run");
}

/* Files as most are: one name, the usual rights, no attributes. Some are written again, each time
 * with other bytes; some run. */
static void write_plain(const struct undo_tree *t, struct dice *dice, bool all)
{
    static const char *const directories[] = {"", "plain/", "plain/deep/"};
    char name[40], p[800];

    for (size_t i = 0; i < 15; i++) {
        if (!all && dice_below(dice, 2))
            continue;
        (void)snprintf(name, sizeof(name), "%splain%zu", directories[i % 3], i);
        whole(t, name, p);
        if (i < 3) {
            char *slash = strrchr(p, '/');
            *slash = '\0';
            (void)mkdir(p, 0755);
            *slash = '/';
        }
        if (!all && dice_below(dice, 6) == 0) {
            (void)unlink(p);
            continue;
        }
        write_some(p, dice, O_CREAT | O_TRUNC);
        if (i % 5 == 0)
            (void)chmod(p, 0755);
    }
}

void undo_tree_repository(struct undo_tree *t, struct dice *dice)
{
    static const char *const steps[] = {"init -q --template= -b main .",
                                        "add -A",
                                        "commit -qm one --allow-empty",
                                        "branch old",
                                        "add -A",
                                        "commit -qm two --allow-empty"};

    t->git = true;
    for (size_t i = 0; i < COUNT(steps); i++) {
        for (size_t n = i == 4 ? 5 : 0; n > 0; n--)
            undo_tree_change(t, NULL, dice);
        if (i == 0 || i == 4)
            write_plain(t, dice, i == 0);
        if (i == 1 || i == 4) /* no file is as young as the index */
            (void)nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
        git(t, steps[i]);
    }
    for (size_t n = dice_below(dice, 8); n > 0; n--)
        undo_tree_change(t, NULL, dice);
    if (dice_below(dice, 3) == 0)
        write_plain(t, dice, false);
    if (dice_below(dice, 2))
        git(t, dice_below(dice, 2) ? "add -A" : "gc -q");
    for (size_t n = dice_below(dice, 8); n > 0; n--)
        undo_tree_change(t, NULL, dice);
}

/* Two commands of one call are parted by a semicolon. */
static const char *const commands[] = {
    "reset -q --hard",
    "reset -q --hard old",
    "clean -fdxq",
    "checkout -q -- .",
    "restore .",
    "stash -q;stash drop",
    "branch -qD old",
    "rm -rfq .",
    "switch -qf old",
    "stash -qu;stash clear",
    "restore --staged -q .",
    "checkout -qf old;clean -fdq",
    "rebase -q old",
    "reset -q --hard;gc -q",
    "update-ref -d refs/heads/old",
    "mv a moved",
    "commit -qam three",
    "checkout -q -b new;branch -qD main",
};

void undo_tree_git(const struct undo_tree *t, struct dice *dice, char id[UNDO_ID_SIZE])
{
    const char *command = commands[dice_below(dice, COUNT(commands))];
    const struct undo_header header = {
        .text = STR("git"), .whole = UNDO_WHOLE_TREE, .alone = !strchr(command, ';')};
    struct undo_limits wide = {.file = (uint64_t)200 << 20};
    struct undo_store s;
    struct undo_entry e;
    struct error err = {0};
    char one[100];

    if (undo_store_open(&s, t->state, t->work, true, &err) ||
        undo_entry_begin(&e, &s, &header, &wide, &err) ||
        undo_save_whole(&e, UNDO_WHOLE_TREE, &err))
        fail_msg("%s", err.message);
    memcpy(id, e.id, UNDO_ID_SIZE);
    undo_entry_close(&e);
    for (const char *at = command; *at; at += strlen(one) + (at[strlen(one)] == ';')) {
        (void)snprintf(one, sizeof(one), "%.*s", (int)strcspn(at, ";"), at);
        git(t, one);
    }
    if (undo_close_open(&s, &err))
        fail_msg("%s", err.message);
    undo_store_close(&s);
}

void undo_tree_undo(const struct undo_tree *t, const char *id, char own[UNDO_ID_SIZE])
{
    struct undo_store s;
    struct undo_plan plan;
    struct arena a;
    struct error err = {0};
    struct undo_wish wish = {0};

    arena_init(&a, UNDO_MEMORY_MAX);
    if (undo_store_open(&s, t->state, t->work, false, &err) ||
        undo_look(&a, &s, id, &wish, &plan, &err))
        fail_msg("%s", err.message);
    if (plan.conflicts.count)
        fail_msg("undo of %s: %s: %s", id, plan.conflicts.items[0].path.s,
                 plan.conflicts.items[0].why);
    if (undo_apply(&s, &plan, &wish, own, &err))
        fail_msg("%s", err.message);
    undo_store_close(&s);
    arena_release(&a);
}
