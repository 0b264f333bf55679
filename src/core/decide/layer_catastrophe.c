/* layer_catastrophe.c - denied in any mode, however it is written: deleting everything, writing to
 * a raw disk, a fork bomb, changing the permissions of everything. */
#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/sensitive_paths.h"

/* Before the directory that they are about: "would delete" your home directory. */
static const struct catastrophe deletes = {"would delete",
                                           "Name the files or directories to delete"},
                                changes_rights = {"would change the permissions of everything in",
                                                  "Name the files whose permissions should change"},
                                moves = {"would move away", "Move its contents by name"};

static const struct catastrophe writes_to_disk = {"writes to a raw disk", "Write to a file"},
                                fork_bomb = {"fork bomb", "Start a fixed number of processes"};

static bool has_flag(const struct strs *words, const char *letters, const char *longer)
{
    for (size_t i = 1; i < words->count; i++) {
        struct str w = words->items[i];
        if (str_is(w, "--"))
            return false;
        if (w.len > 2 && w.s[0] == '-' && w.s[1] == '-' && w.len >= 5 &&
            str_starts(str_from(longer), w))
            return true; /* or an abbreviation: --recur */
        if (w.len > 1 && w.s[0] == '-' && w.s[1] != '-')
            for (const char *c = letters; *c; c++)
                if (str_has(w, *c))
                    return true;
    }
    return false;
}

/* The directory that an operand means: "/x/" and "/x/." are /x, and a star after the last slash is
 * all of it. */
static struct str whole_directory(const struct facts *f, const struct action *a, struct str operand)
{
    static const char *const tails[] = {"/*", "/**", "/.*", "/{*,.*}", "/."};
    struct str path;

    if (!path_absolute(f->arena, a->cwd, f->home, operand, &path))
        return str_starts(operand, STR("~")) && !str_has(operand, '/') ? STR("/home")
                                                                       : (struct str){0};
    for (size_t i = 0; i < COUNT(tails); i++)
        if (str_ends(path, str_from(tails[i])))
            path = str_slice(path, 0, path.len - strlen(tails[i]));
    return path.len ? path : STR("/");
}

/* Directories without which the machine does not work. */
static const char *const system_directories[] = {
    "/bin",  "/boot", "/dev", "/etc",  "/home", "/lib", "/lib64", "/opt",
    "/proc", "/root", "/run", "/sbin", "/srv",  "/sys", "/usr",   "/var"};

/* What would be gone with it, in words; NULL: it may be lost. */
static const char *everything(const struct facts *f, struct str directory)
{
    if (directory.len == 0)
        return NULL;
    if (str_is(directory, "/"))
        return "the whole file system";
    if (f->home.len && str_eq(directory, f->home))
        return "your home directory";
    for (size_t i = 0; i < COUNT(system_directories); i++)
        if (str_is(directory, system_directories[i]))
            return str_format(f->arena, "%s, a system directory", system_directories[i]).s;
    if (path_too_wide(directory, f->home))
        return "the directory that contains your home";
    return f->workspace.len && path_is_inside(f->workspace, directory) &&
                   !str_eq(f->workspace, directory)
               ? "a directory that contains the project"
               : NULL;
}

/* NULL: that is not lost with the directory that this operand means. */
static const struct catastrophe *with_directory(const struct facts *f, const struct action *a,
                                                struct str operand, const struct catastrophe *does)
{
    const char *what = everything(f, whole_directory(f, a, operand));
    struct catastrophe *c = what ? ARENA_NEW(f->arena, struct catastrophe) : NULL;

    if (c)
        *c = (struct catastrophe){str_format(f->arena, "%s %s", does->what, what).s, does->instead};
    return c;
}

static const struct catastrophe *targets_everything(const struct facts *f, const struct action *a,
                                                    const struct catastrophe *does)
{
    const struct strs *words = &a->subject.words;
    const struct catastrophe *found = NULL;
    bool options = true;

    for (size_t i = 1; !found && i < words->count; i++) {
        struct str w = words->items[i];
        if (options && str_is(w, "--"))
            options = false;
        else if (!(options && w.len > 1 && w.s[0] == '-'))
            found = with_directory(f, a, w, does);
    }
    return found;
}

/* Not inline: almost no path gets this far, and the hot code should stay together. */
__attribute__((noinline)) static bool is_disk_name(struct str path)
{
    static const char *const disks[] = {"/dev/sd", "/dev/nvme",   "/dev/vd",   "/dev/xvd",
                                        "/dev/hd", "/dev/mmcblk", "/dev/disk", "/dev/mapper",
                                        "/dev/md", "/dev/dm-"};

    for (size_t i = 0; i < COUNT(disks); i++)
        if (str_starts(path, str_from(disks[i])))
            return true;
    return false;
}

static inline bool is_raw_disk(struct str path)
{
    return str_starts(path, STR("/dev/")) && is_disk_name(path);
}

static const struct catastrophe *writes_disk(const struct action *a)
{
    const struct strs *words = &a->subject.words;

    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if (!p->uncertain && (p->access & ACCESS_WRITE) &&
            (is_raw_disk(p->written) || is_raw_disk(p->resolved)))
            return &writes_to_disk;
    }
    for (size_t i = 1; i < words->count; i++)
        if (str_starts(words->items[i], STR("of=")) &&
            is_raw_disk(str_from_byte(words->items[i], 3)))
            return &writes_to_disk;
    return NULL;
}

static bool names_disk(const struct strs *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (is_raw_disk(words->items[i]))
            return true;
    return false;
}

/* What to check in the words of a program. */
enum look { LOOK_RM, LOOK_FIND, LOOK_RIGHTS, LOOK_MV, LOOK_DISK };

static const struct {
    char name[14];
    unsigned char look;
    bool begins; /* a prefix of the name: mkfs.ext4 */
} programs[] = {
    {"rm", LOOK_RM},           {"find", LOOK_FIND},    {"chmod", LOOK_RIGHTS},
    {"chown", LOOK_RIGHTS},    {"chgrp", LOOK_RIGHTS}, {"mv", LOOK_MV},
    {"mkfs", LOOK_DISK, true}, {"wipefs", LOOK_DISK},  {"blkdiscard", LOOK_DISK},
    {"shred", LOOK_DISK},      {"tee", LOOK_DISK},     {"cp", LOOK_DISK},
};

__attribute__((noinline)) static const struct catastrophe *
judge_words(const struct facts *f, const struct action *a, enum look look)
{
    const struct strs *words = &a->subject.words;

    switch (look) {
    case LOOK_RM:
    case LOOK_FIND:
        if (look == LOOK_RM ? has_flag(words, "rR", "--recursive")
                            : strs_has(words, STR("-delete")))
            return targets_everything(f, a, &deletes);
        return NULL;
    case LOOK_RIGHTS:
        if (has_flag(words, "R", "--recursive"))
            return targets_everything(f, a, &changes_rights);
        return NULL;
    case LOOK_MV:
        return words->count > 2 ? with_directory(f, a, words->items[1], &moves) : NULL;
    case LOOK_DISK:
        return names_disk(words) ? &writes_to_disk : NULL;
    }
    return NULL;
}

static const struct catastrophe *judge(const struct facts *f, const struct action *a)
{
    const struct catastrophe *disk = writes_disk(a);

    if (disk || a->subject.words.count == 0 || a->name.len == 0)
        return disk;
    for (size_t i = 0; i < COUNT(programs); i++)
        if (programs[i].name[0] == a->name.s[0] &&
            (programs[i].begins ? str_starts(a->name, str_from(programs[i].name))
                                : str_is(a->name, programs[i].name)))
            return judge_words(f, a, programs[i].look);
    return NULL;
}

/* None of its actions is dangerous by itself: the shell analysis has seen what the function
 * does. */
static bool is_fork_bomb(const struct facts *f)
{
    for (size_t i = 0; i < f->findings.count; i++)
        if (strcmp(f->findings.items[i].name, "fork-bomb") == 0)
            return true;
    return false;
}

const struct catastrophe *call_catastrophe(const struct facts *f, size_t *action)
{
    for (*action = 0; *action < f->actions.count; ++*action) {
        const struct catastrophe *why = judge(f, &f->actions.items[*action]);
        if (why)
            return why;
    }
    *action = WHOLE_CALL;
    return is_fork_bomb(f) ? &fork_bomb : NULL;
}

const struct said *layer_catastrophe(const struct facts *f)
{
    size_t action;
    const struct catastrophe *why = call_catastrophe(f, &action);

    if (!why)
        return NULL;
    return say_all(
        f, (struct said){.opinion = SAY_DENY,
                         .action = action,
                         .reason = str_from(why->what),
                         .message = str_format(f->arena, "%s. %s", why->what, why->instead)});
}
