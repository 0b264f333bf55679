/* The disk memory compared with the disk: whatever changes between two decisions, the second one
 * sees it.
 *
 * The reference is real_world, which asks the disk every time, and for verdicts a new decision of
 * the engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "engine/engine.h"
#include "machine/regex.h"
#include "machine/world.h"
#include "support/dice.h"
#include "support/policy_tree.h"
#include "warder.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define STEPS    4000
#define VERDICTS 600

/* ---- a machine with a memory ---- */

struct machine {
    struct tree tree;
    struct arena arena;
    struct disk disk;
    struct world kept;
    struct disk_memory *memory;
};

static void start(struct machine *m)
{
    char real[WORLD_PATH_MAX];

    *m = (struct machine){0};
    tree_make(&m->tree);
    assert_non_null(realpath(m->tree.root, real)); /* below a link nothing is kept */
    assert_true(strlen(real) < sizeof(m->tree.root));
    memcpy(m->tree.root, real, strlen(real) + 1);
    arena_init(&m->arena, 64 << 20);
    m->memory = disk_memory_new();
    m->kept = world_of(&m->disk, regex_match);
}

static void stop(struct machine *m)
{
    disk_memory_free(m->memory);
    arena_release(&m->arena);
    tree_remove(&m->tree);
}

/* Starts the next decision. Twice, because after a change it learns nothing for one decision. */
static void begin(struct machine *m)
{
    arena_reset(&m->arena);
    disk_begin(&m->disk, &m->arena, m->memory);
}

static void settle(struct machine *m)
{
    begin(m);
    begin(m);
}

struct asking {
    struct machine *machine;
    const char *path;
    enum file_kind kind;
};

static void ask_kind(void *arg)
{
    struct asking *a = arg;

    a->kind = a->machine->kept.kind(&a->machine->disk, a->path);
}

static enum file_kind kind_of(struct machine *m, const char *path)
{
    struct asking a = {.machine = m, .path = path};

    assert_true(arena_try(&m->arena, ask_kind, &a));
    return a.kind;
}

static void compare_text(const char *what, const char *path, bool kept, const char *kept_text,
                         bool real, const char *real_text)
{
    if (kept != real || (real && strcmp(kept_text, real_text) != 0))
        fail_msg("%s of %s: kept \"%s\", real \"%s\"", what, path, kept ? kept_text : "-",
                 real ? real_text : "-");
}

static void compare_path(void *arg)
{
    const struct asking *a = arg;
    struct machine *m = a->machine;
    char kept[WORLD_PATH_MAX], real[WORLD_PATH_MAX];

    if (m->kept.kind(&m->disk, a->path) != real_world.kind(NULL, a->path))
        fail_msg("kind of %s: kept %d, real %d", a->path, m->kept.kind(&m->disk, a->path),
                 real_world.kind(NULL, a->path));
    bool known = m->kept.resolve(&m->disk, a->path, kept);
    compare_text("resolve", a->path, known, kept, real_world.resolve(NULL, a->path, real), real);
    known = m->kept.repository(&m->disk, a->path, kept);
    compare_text("repository", a->path, known, kept, real_world.repository(NULL, a->path, real),
                 real);
}

static void compare_program(void *arg)
{
    const struct asking *a = arg;
    struct machine *m = a->machine;
    char kept[WORLD_PATH_MAX], real[WORLD_PATH_MAX];
    bool known = m->kept.program(&m->disk, str_from(a->path), kept);

    compare_text("program", a->path, known, kept, real_world.program(NULL, str_from(a->path), real),
                 real);
}

static void compare(struct machine *m, const char *path)
{
    struct asking a = {.machine = m, .path = path};

    assert_true(arena_try(&m->arena, path[0] == '/' ? compare_path : compare_program, &a));
}

/* Is it remembered without asking again? */
static bool is_kept(struct machine *m, const char *path)
{
    size_t before = m->disk.unkept;

    kind_of(m, path);
    return m->disk.unkept == before;
}

static bool has_memory(const struct machine *m)
{
    if (!m->memory)
        printf("SKIPPED: this system has no inotify, or no /proc\n");
    return m->memory;
}

/* ---- random changes ---- */

static struct dice dice;

static size_t roll(size_t sides)
{
    return dice_below(&dice, sides);
}

static const char *const names[] = {"a", "b", "c", "A", ".git", "HEAD", "x\xc3\xa4"};

/* A path in the tree, of one to four names. */
static const char *any_path(const struct machine *m, bool climbs)
{
    char path[256];
    int len = 0;

    for (size_t n = 1 + roll(4); n > 0; n--) {
        const char *name = climbs && roll(12) == 0 ? ".." : names[roll(COUNT(names))];
        len += snprintf(path + len, sizeof(path) - (size_t)len, "%s%s", name, n > 1 ? "/" : "");
    }
    return tree_path(&m->tree, path);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");

    if (f)
        fputs(text, f);
    if (f)
        fclose(f);
}

/* Links in the tree lead above it and to /, and the user may be root: change nothing through
 * them. */
static bool stays_inside(const struct machine *m, const char *path)
{
    char parent[WORLD_PATH_MAX], real[WORLD_PATH_MAX];
    struct str root = str_from(m->tree.root);

    snprintf(parent, sizeof(parent), "%.*s", (int)(strrchr(path, '/') - path), path);
    if (!real_world.resolve(NULL, parent, real) || !path_is_inside(str_from(real), root))
        return false;
    return real_world.resolve(NULL, path, real) && path_is_inside(str_from(real), root) &&
           !str_is(root, real);
}

/* In addition, where links lead to /, root becomes a user who cannot change anything there. */
#define NOBODY 65534

static uid_t become_nobody(void)
{
    uid_t before = geteuid();

    if (before == 0)
        assert_int_equal(seteuid(NOBODY), 0);
    return before;
}

static void become(uid_t user)
{
    assert_int_equal(seteuid(user), 0);
}

/* One random change; most of them fail. */
static void change(const struct machine *m)
{
    static const mode_t modes[] = {0644, 0755, 0700, 0600, 0000};
    static const char *const targets[] = {"a",       "..",     "../b",         "/", ".", "a/b",
                                          "nowhere", "c/../a", "../../project"};
    const char *path = any_path(m, false), *other = any_path(m, false);

    if (!stays_inside(m, path) || !stays_inside(m, other))
        return;
    switch (roll(14)) {
    case 0:
    case 1:
    case 2:
        mkdir(path, 0755);
        break;
    case 3:
        write_text(path, "gitdir: /nowhere\n");
        break;
    case 4:
        rmdir(path);
        break;
    case 5:
        unlink(path);
        break;
    case 6:
        (void)!symlink(targets[roll(COUNT(targets))], path);
        break;
    case 7:
        (void)!symlink(other, path);
        break;
    case 8:
    case 9:
        (void)!rename(path, other);
        break;
    case 10:
        renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE);
        break;
    case 11:
        chmod(path, modes[roll(COUNT(modes))]);
        break;
    case 12:
        (void)!link(path, other);
        break;
    default:
        (void)!truncate(path, 1);
    }
}

static char *kept_path(void)
{
    const char *path = getenv("PATH");

    return strdup(path ? path : "/usr/bin");
}

/* Programs are searched in two directories of the tree, which change like all others. */
static void search_tree(const struct machine *m)
{
    char path[2 * TREE_PATH_MAX];

    snprintf(path, sizeof(path), "%s:%s:/usr/bin", tree_path(&m->tree, "a"),
             tree_path(&m->tree, "b/a"));
    setenv("PATH", path, 1);
}

static void sees_every_change(void **state)
{
    char *path = kept_path();
    uid_t user = become_nobody();
    struct machine m;
    size_t kept = 0;

    (void)state;
    start(&m);
    dice.state = 20;
    search_tree(&m);
    for (unsigned i = 0; i < STEPS; i++) {
        for (size_t n = roll(3) == 0 ? 1 + roll(3) : 0; n > 0; n--)
            change(&m);
        begin(&m);
        for (unsigned n = 0; n < 6; n++) {
            size_t unkept = m.disk.unkept;
            compare(&m, any_path(&m, true));
            kept += m.disk.unkept == unkept;
        }
        compare(&m, names[roll(COUNT(names))]);
    }
    if (has_memory(&m))
        assert_true(kept > STEPS);
    printf("%zu of %d questions were answered by the memory\n", kept, 6 * STEPS);
    setenv("PATH", path, 1);
    free(path);
    become(user); /* root can remove directories that no other user may read */
    stop(&m);
}

/* ---- verdicts ---- */

static const char *const commands[] = {
    "cat a/id_rsa",       "cat a/b/c",      "ls -la a",         "git status",
    "git -C a log",       "rm -rf a/build", "cp a b/c",         "echo x > a/b",
    "cd a && cat b/c",    "grep -rn x a",   "cat b/*",          "a --version",
    "cat < A/id_ed25519", "npm test",       "cd b && make all", "touch .git/hooks/x"};

static warder_engine *open_engine(const struct machine *m)
{
    const warder_rule rules[] = {{WARDER_DENY, "Read(a/b/**)"}, {WARDER_ALLOW, "Bash(cp:*)"}};
    const warder_text none = {.name = "x.json", .format = "warder", .text = "{}", .len = 2};
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e;

    o.home = tree_path(&m->tree, "home");
    o.cwd = o.project = m->tree.root;
    o.rules = rules;
    o.rule_count = COUNT(rules);
    o.texts = &none;
    o.text_count = 1;
    assert_int_equal(warder_engine_new(&o, &e, NULL), WARDER_OK);
    return e;
}

static void link_secrets(const struct machine *m, const char *path)
{
    if (stays_inside(m, path))
        (void)!symlink(tree_path(&m->tree, "home/.ssh"), path);
}

static void judges_as_a_new_decision_does(void **state)
{
    uid_t user = become_nobody();
    struct machine m;
    warder_decision *used, *fresh;
    char call[256];

    (void)state;
    start(&m);
    dice.state = 21;
    tree_write(&m.tree, "home/.ssh/id_rsa", "x", 0600);
    warder_engine *e = open_engine(&m);
    assert_int_equal(warder_check_argument(e, "Bash", "ls", &used, NULL), WARDER_OK);
    for (unsigned i = 0; i < VERDICTS; i++) {
        for (size_t n = roll(3) == 0 ? 1 + roll(3) : 0; n > 0; n--)
            change(&m);
        if (roll(8) == 0)
            link_secrets(&m, any_path(&m, false));
        for (unsigned n = 0; n < 3; n++) {
            const char *command = commands[roll(COUNT(commands))];
            int len = snprintf(call, sizeof(call),
                               "{\"tool\": \"Bash\", \"input\": {\"command\": \"%s\"}}", command);
            assert_int_equal(warder_check_again(used, call, (size_t)len, NULL), WARDER_OK);
            assert_int_equal(warder_check_json(e, call, (size_t)len, &fresh, NULL), WARDER_OK);
            assert_string_equal(warder_decision_explain_json(used),
                                warder_decision_explain_json(fresh));
            warder_decision_free(fresh);
        }
    }
    warder_decision_free(used);
    warder_engine_free(e);
    become(user);
    stop(&m);
}

/* ---- what is kept and for how long ---- */

static void keeps_what_does_not_change(void **state)
{
    struct machine m;

    (void)state;
    start(&m);
    if (has_memory(&m)) {
        tree_write(&m.tree, "a/b/file", "x", 0);
        tree_link(&m.tree, "a/link", "b");
        settle(&m);
        assert_int_equal(kind_of(&m, tree_path(&m.tree, "a/b/file")), FILE_REGULAR);
        assert_int_equal(kind_of(&m, tree_path(&m.tree, "a/none/file")), FILE_ABSENT);
        begin(&m);
        assert_true(is_kept(&m, tree_path(&m.tree, "a/b/file")));
        assert_true(is_kept(&m, tree_path(&m.tree, "a/none/file")));
        assert_true(is_kept(&m, tree_path(&m.tree, "a")));
        assert_false(
            is_kept(&m, tree_path(&m.tree, "a/../a"))); /* only the kernel can follow ".." */
        assert_false(is_kept(&m, tree_path(&m.tree, "a/link/file")));
        assert_false(is_kept(&m, "/proc/self/status"));
        tree_write(&m.tree, "a/b/other", "x", 0); /* a name that was never looked up */
        begin(&m);
        assert_true(is_kept(&m, tree_path(&m.tree, "a/b/file")));
        unlink(tree_path(&m.tree, "a/b/file"));
        begin(&m);
        assert_int_equal(kind_of(&m, tree_path(&m.tree, "a/b/file")), FILE_ABSENT);
    }
    stop(&m);
}

/* On a case-insensitive disk, the reported name may differ from the one that was looked up. */
static void notices_other_cases(void **state)
{
    struct machine m;

    (void)state;
    start(&m);
    if (has_memory(&m)) {
        settle(&m);
        kind_of(&m, tree_path(&m.tree, "file"));
        kind_of(&m, tree_path(&m.tree, "home/x\xc3\xa4"));
        begin(&m);
        assert_true(is_kept(&m, tree_path(&m.tree, "file")));
        tree_write(&m.tree, "FILE", "x", 0);
        begin(&m);
        assert_false(is_kept(&m, tree_path(&m.tree, "file")));
        settle(&m);
        kind_of(&m, tree_path(&m.tree, "home/x\xc3\xa4"));
        begin(&m);
        assert_true(is_kept(&m, tree_path(&m.tree, "home/x\xc3\xa4")));
        tree_write(&m.tree, "home/x\xc3\x84", "x", 0);
        begin(&m);
        assert_false(is_kept(&m, tree_path(&m.tree, "home/x\xc3\xa4")));
    }
    stop(&m);
}

/* The permissions of a program change through another link. */
static void notices_permissions_by_another_link(void **state)
{
    char *path = kept_path();
    struct machine m;

    (void)state;
    start(&m);
    search_tree(&m);
    tree_write(&m.tree, "a/tool", "x", 0644);
    tree_write(&m.tree, "b/a/tool", "x", 0755);
    assert_int_equal(link(tree_path(&m.tree, "a/tool"), tree_path(&m.tree, "project/other")), 0);
    settle(&m);
    compare(&m, "tool");
    begin(&m);
    compare(&m, "tool");
    assert_int_equal(chmod(tree_path(&m.tree, "project/other"), 0755), 0);
    begin(&m);
    compare(&m, "tool");
    begin(&m);
    compare(&m, "tool");
    setenv("PATH", "/usr/bin", 1);
    begin(&m);
    compare(&m, "tool");
    unsetenv("PATH");
    begin(&m);
    compare(&m, "tool");
    setenv("PATH", path, 1);
    free(path);
    stop(&m);
}

/* A file that names the repository is overwritten, which watches on directories do not report. */
static void reads_contents_again(void **state)
{
    struct machine m;
    char text[2 * TREE_PATH_MAX];

    (void)state;
    start(&m);
    tree_write(&m.tree, "c/file", "x", 0);
    for (int i = 0; i < 2; i++) {
        tree_write(&m.tree, i ? "b/.git/worktrees/w/commondir" : "a/.git/worktrees/w/commondir",
                   "../..\n", 0);
        tree_write(&m.tree, i ? "b/.git/HEAD" : "a/.git/HEAD", "x\n", 0);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof(text), "gitdir: %s\n",
                 tree_path(&m.tree, i < 3 ? "a/.git/worktrees/w" : "b/.git/worktrees/w"));
        write_text(tree_path(&m.tree, "c/.git"), text);
        begin(&m);
        compare(&m, tree_path(&m.tree, "c"));
        compare(&m, tree_path(&m.tree, "a"));
    }
    stop(&m);
}

/* ---- limits ---- */

static void too_many_names(void **state)
{
    struct machine m;
    char name[64];

    (void)state;
    start(&m);
    for (unsigned round = 0; round < 2; round++) {
        settle(&m);
        for (unsigned i = 0; i <= DISK_ENTRIES_MAX; i++) {
            snprintf(name, sizeof(name), "none-%u", i);
            assert_int_equal(kind_of(&m, tree_path(&m.tree, name)),
                             round && i == DISK_ENTRIES_MAX ? FILE_REGULAR : FILE_ABSENT);
        }
        tree_write(&m.tree, name, "x", 0);
    }
    settle(&m); /* it is full: it forgets everything and learns again */
    kind_of(&m, m.tree.root);
    begin(&m);
    if (has_memory(&m))
        assert_true(is_kept(&m, m.tree.root));
    stop(&m);
}

static void too_many_directories(void **state)
{
    struct machine m;
    char name[64];

    (void)state;
    start(&m);
    settle(&m);
    for (unsigned i = 0; i <= DISK_WATCHES_MAX; i++) {
        snprintf(name, sizeof(name), "d%u", i);
        assert_int_equal(mkdir(tree_path(&m.tree, name), 0755), 0);
    }
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i <= DISK_WATCHES_MAX; i++) {
            snprintf(name, sizeof(name), "d%u/file", i);
            assert_int_equal(kind_of(&m, tree_path(&m.tree, name)),
                             round == 0 ? FILE_ABSENT : FILE_REGULAR);
        }
        for (unsigned i = 0; round == 0 && i <= DISK_WATCHES_MAX; i++) {
            snprintf(name, sizeof(name), "d%u/file", i);
            tree_write(&m.tree, name, "x", 0);
        }
        begin(&m);
    }
    stop(&m);
}

static void too_many_events(void **state)
{
    struct machine m;

    (void)state;
    start(&m);
    settle(&m);
    assert_int_equal(kind_of(&m, tree_path(&m.tree, "x")), FILE_ABSENT);
    for (unsigned i = 0; i < 20000;
         i++) /* the kernel's default queue is 16384 events; it merges equal neighbours */
        assert_int_equal(chmod(i % 2 ? m.tree.home : m.tree.project, 0755), 0);
    assert_int_equal(mkdir(tree_path(&m.tree, "x"), 0755), 0);
    begin(&m);
    assert_int_equal(kind_of(&m, tree_path(&m.tree, "x")), FILE_DIRECTORY);
    assert_int_equal(rmdir(tree_path(&m.tree, "x")), 0);
    begin(&m);
    assert_int_equal(kind_of(&m, tree_path(&m.tree, "x")), FILE_ABSENT);
    stop(&m);
}

/* ---- processes ---- */

/* Events that the child reads must still reach its parent. */
static void child_has_its_own(void **state)
{
    struct machine m;
    int status = 1;

    (void)state;
    start(&m);
    settle(&m);
    assert_int_equal(kind_of(&m, tree_path(&m.tree, "x")), FILE_ABSENT);
    assert_int_equal(mkdir(tree_path(&m.tree, "x"), 0755), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool right = true;
        for (int i = 0; i < 3; i++) {
            begin(&m);
            right &= kind_of(&m, tree_path(&m.tree, "x")) == FILE_DIRECTORY;
        }
        _exit(!right);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    begin(&m);
    assert_int_equal(kind_of(&m, tree_path(&m.tree, "x")), FILE_DIRECTORY);
    stop(&m);
}

/* How many descriptors of memories this process has; all must be close-on-exec. */
static size_t count_descriptors(void)
{
    DIR *open = opendir("/proc/self/fd");
    const struct dirent *e;
    char to[256];
    size_t found = 0;

    while (open && (e = readdir(open))) {
        ssize_t len = readlinkat(dirfd(open), e->d_name, to, sizeof(to) - 1);
        to[len > 0 ? len : 0] = '\0';
        if (!strstr(to, "inotify") && !strstr(to, "mountinfo") && !strstr(to, "eventpoll"))
            continue;
        assert_true(fcntl((int)strtol(e->d_name, NULL, 10), F_GETFD) & FD_CLOEXEC);
        found++;
    }
    if (open)
        closedir(open);
    return found;
}

#define ENGINES 4
#define EACH    8

/* All decisions of all engines of a process together have no more than their number, and the rest
 * are judged without. */
static void too_many_decisions(void **state)
{
    static const char call[] = "{\"tool\": \"Bash\", \"input\": {\"command\": \"ls\"}}";
    warder_decision *all[ENGINES * EACH];
    warder_engine *engines[ENGINES];
    size_t before = count_descriptors();
    struct machine m;

    (void)state;
    start(&m);
    size_t each = count_descriptors() - before;
    assert_int_equal(each, m.memory ? 3 : 0);
    for (size_t i = 0; i < ENGINES; i++)
        engines[i] = open_engine(&m);
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT(all); i++) {
            assert_int_equal(
                warder_check_argument(engines[i % ENGINES], "Bash", "ls", &all[i], NULL),
                WARDER_OK);
            assert_int_equal(warder_check_again(all[i], call, strlen(call), NULL), WARDER_OK);
            assert_int_equal(warder_decision_behavior(all[i]), WARDER_ALLOW);
        }
        assert_int_equal(count_descriptors(), before + each * DISK_MEMORIES_MAX);
        for (size_t i = 0; i < COUNT(all); i++)
            warder_decision_free(all[i]);
        assert_int_equal(count_descriptors(), before + each);
    }
    for (size_t i = 0; i < ENGINES; i++)
        warder_engine_free(engines[i]);
    stop(&m);
    assert_int_equal(count_descriptors(), before);
}

/* No descriptor is left, and so no memory: the verdict is the same. */
static void no_descriptors(void **state)
{
    static const char call[] = "{\"tool\": \"Bash\", \"input\": {\"command\": \"ls\"}}";
    struct rlimit limit, before;
    warder_decision *d = NULL;
    struct machine m;

    (void)state;
    start(&m);
    warder_engine *e = open_engine(&m);
    assert_int_equal(warder_check_argument(e, "Bash", "ls", &d, NULL), WARDER_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    limit = before;
    limit.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    warder_status status = warder_check_again(d, call, strlen(call), NULL);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(status, WARDER_OK);
    assert_null(d->disk.memory);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_int_equal(warder_check_again(d, call, strlen(call), NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
    warder_engine_free(e);
    stop(&m);
}

/* One directory in two places: a file created in one exists in the other. */
static bool notices_by_both_names(struct machine *m)
{
    tree_write(&m->tree, "b/file", "x", 0);
    if (mount(tree_path(&m->tree, "a"), tree_path(&m->tree, "b"), NULL, MS_BIND, NULL) != 0)
        return false;
    settle(m);
    bool right = kind_of(m, tree_path(&m->tree, "a/file")) == FILE_REGULAR &&
                 kind_of(m, tree_path(&m->tree, "b/new")) == FILE_ABSENT;
    tree_write(&m->tree, "a/new", "x", 0);
    begin(m);
    right &= kind_of(m, tree_path(&m->tree, "b/new")) == FILE_REGULAR;
    return umount(tree_path(&m->tree, "b")) == 0 && right;
}

/* In its own mount namespace; 77 if that is not allowed. */
static int check_mounts(void)
{
    struct machine m;

    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return 77;
    start(&m);
    tree_write(&m.tree, "a/file", "x", 0);
    settle(&m);
    bool right = kind_of(&m, tree_path(&m.tree, "a/file")) == FILE_REGULAR;
    if (mount("none", tree_path(&m.tree, "a"), "tmpfs", 0, NULL) != 0)
        right = false;
    begin(&m);
    right &= kind_of(&m, tree_path(&m.tree, "a/file")) == FILE_ABSENT;
    begin(&m);
    right &= kind_of(&m, tree_path(&m.tree, "a/file")) == FILE_ABSENT;
    right &= umount(tree_path(&m.tree, "a")) == 0;
    begin(&m);
    right &= kind_of(&m, tree_path(&m.tree, "a/file")) == FILE_REGULAR;
    right &= notices_by_both_names(&m);
    stop(&m);
    return !right;
}

static void notices_mounts(void **state)
{
    int status = 1;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0)
        _exit(check_mounts());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        printf("SKIPPED: nothing may be mounted here\n");
    else
        assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_does_not_change),
        cmocka_unit_test(notices_other_cases),
        cmocka_unit_test(notices_permissions_by_another_link),
        cmocka_unit_test(reads_contents_again),
        cmocka_unit_test(sees_every_change),
        cmocka_unit_test(judges_as_a_new_decision_does),
        cmocka_unit_test(too_many_names),
        cmocka_unit_test(too_many_directories),
        cmocka_unit_test(too_many_events),
        cmocka_unit_test(child_has_its_own),
        cmocka_unit_test(too_many_decisions),
        cmocka_unit_test(no_descriptors),
        cmocka_unit_test(notices_mounts),
    };

    return cmocka_run_group_tests_name("disk_memory", tests, NULL, NULL);
}
