/* world.h - what the core may ask about the machine.
 *
 * The core reads nothing by itself: same input, same verdict. What it must know
 * of the disk comes in as these functions, which lib/ fills with the real world
 * and tests fill by hand. */
#ifndef BASE_WORLD_H
#define BASE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum file_kind {
    FILE_UNKNOWN = 0, /* cannot be told: no permission, a loop, a name that is too long */
    FILE_ABSENT,
    FILE_REGULAR,
    FILE_DIRECTORY,
    FILE_OTHER,
};

/* A limit that was hit is its own answer: it counts as a match for deny and ask, and as none for
 * allow. */
enum regex_answer { REGEX_NO = 0, REGEX_YES, REGEX_LIMIT };

#define WORLD_PATH_MAX 4096

/* Which file it is, and when it last changed: what no program can set. */
struct file_mark {
    int64_t device, inode;
    int64_t changed; /* ctime, in nanoseconds; 0: there is no mark */
};

struct world {
    void *context;
    enum file_kind (*kind)(void *context, const char *path);

    /* Follows every symbolic link in an absolute path; the parts that do not
     * exist stay as they are written. False when it cannot be told. */
    bool (*resolve)(void *context, const char *path, char out[WORLD_PATH_MAX]);

    /* The names in a directory, "." and ".." apart, each ended by a NUL, and an empty one behind
     * the last; none when there is no such directory. False when it cannot be told, or they take
     * more than `size` bytes. */
    bool (*list)(void *context, const char *directory, char *out, size_t size);

    /* The git directory of the repository that git finds from here, the same for all its linked
     * worktrees. False when there is none, or it cannot be told: a bare one, a submodule. */
    bool (*repository)(void *context, const char *directory, char out[WORLD_PATH_MAX]);

    /* Who only looks at that repository runs nothing that it holds: no setting, hook or submodule
     * of it could. False when there is none, or it cannot be told. */
    bool (*plain)(void *context, const char *directory);

    /* Is it a regular file that has not changed since shortly before this time (seconds), and
     * neither has any link that leads to it? By the times that the kernel keeps and nobody can set
     * (ctime), so only on a disk of this machine. False when it cannot be told. */
    bool (*unchanged)(void *context, const char *path, int64_t since);

    /* Is it a program that a compiler wrote, no script: a regular file of this user, on a disk of
     * this machine, with no link on the way? False when it cannot be told. */
    bool (*compiled)(void *context, const char *path, struct file_mark *out);

    /* The file that a bare program name would start: the first hit of PATH; empty when that cannot
     * be told. False when there is none. */
    bool (*program)(void *context, struct str name, char out[WORLD_PATH_MAX]);

    /* `code` is what the policy loader compiled. */
    enum regex_answer (*regex)(void *context, const void *code, struct str text);
};

#endif
