/* world.h - what the core may ask about the machine.
 *
 * The core reads nothing by itself: same input, same verdict. What it must know about the disk
 * comes through these functions, which edge/machine implements for real and tests implement by
 * hand. */
#ifndef BASE_WORLD_H
#define BASE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum file_kind {
    FILE_UNKNOWN = 0, /* not known: no permission, a loop, a name that is too long */
    FILE_ABSENT,
    FILE_REGULAR,
    FILE_DIRECTORY,
    FILE_OTHER,
};

/* Reaching a limit is an answer of its own: it counts as a match for deny and ask, and as no match
 * for allow. */
enum regex_answer { REGEX_NO = 0, REGEX_YES, REGEX_LIMIT };

#define WORLD_PATH_MAX 4096
#define WORLD_DIGEST   65 /* bytes of a digest in hexadecimal, with its NUL */

/* Which file it is, and when it last changed, by fields that no program can set. */
struct file_mark {
    int64_t device, inode;
    int64_t changed; /* ctime, in nanoseconds; 0: no mark */
    int64_t written; /* mtime: a program can set it, and a link does not. No part of the mark */
};

/* What a name in a directory is by itself: links are not followed. */
enum entry_kind { ENTRY_OTHER = 0, ENTRY_DIRECTORY, ENTRY_LINK };

/* What is known of a ref of git; the greater, the less. */
enum ref_state {
    REF_UNKNOWN = 0, /* cannot be read */
    REF_ABSENT,
    REF_OLD,
    REF_NEW, /* it has changed since the time that was asked about, or may have */
};

/* Is called for each name; false ends the listing. */
typedef bool world_entry(void *to, const char *name, enum entry_kind kind);

struct world {
    void *context;
    enum file_kind (*kind)(void *context, const char *path);

    /* Follows every symbolic link in an absolute path; parts that do not exist stay as written.
     * False when not known. */
    bool (*resolve)(void *context, const char *path, char out[WORLD_PATH_MAX]);

    /* Is it known already that resolve() would return this path as it is? A short cut, since nearly
     * every path is so: false only means that resolve() must be asked, and so does NULL. */
    bool (*as_written)(void *context, struct str path);

    /* The names in a directory without "." and "..", each NUL-terminated, with an empty one after
     * the last; none if the directory does not exist. False when not known, or if they need more
     * than `size` bytes. */
    bool (*list)(void *context, const char *directory, char *out, size_t size);

    /* Tells each name in a directory, without "." and "..". False when not known, and when `each`
     * ended it; an absent directory has no names. */
    bool (*scan)(void *context, const char *directory, world_entry *each, void *to);

    /* The git directory of the repository that git finds from here; the same for all linked
     * worktrees. False when there is none, or it is not known (a bare repository, a submodule). */
    bool (*repository)(void *context, const char *directory, char out[WORLD_PATH_MAX]);

    /* A ref of the repository that git finds from here, by its full name (refs/heads/main), of
     * which one part may be a star; or a file that git takes for one (FETCH_HEAD). since: seconds;
     * 0: all that exist are old. Where there is no repository all are absent. */
    enum ref_state (*ref)(void *context, const char *directory, const char *name, int64_t since);

    /* Has a commit with this id, of which the first digits are given, been the tip of a local
     * branch or checked out there, by the logs of that repository? False when not known. */
    bool (*logged)(void *context, const char *directory, struct str id);

    /* Is it safe to read that repository with git? That is, no setting, hook or submodule in it
     * would make git run something. False when there is none, or it is not known. */
    bool (*plain)(void *context, const char *directory);

    /* The files and directories that settings of that repository, or those in the home, may make
     * git run or read more settings from, each an absolute path that need not exist,
     * NUL-terminated, with an empty one after the last. False when not known, or if they need more
     * than `size` bytes; without a repository there are none. */
    bool (*drivers)(void *context, const char *directory, const char *home, char *out, size_t size);

    /* Does this file with settings of git hold a password or token: in a URL, or as a setting of
     * its own? True also if it cannot be read; false if there is none. */
    bool (*tokens)(void *context, const char *file);

    /* Is it a regular file that has not changed since shortly before this time (seconds), and
     * neither has any link that leads to it? Goes by ctime, which no program can set, so only for
     * local disks. False when not known. */
    bool (*unchanged)(void *context, const char *path, int64_t since);

    /* A digest of what is in this regular file, links followed. False when it cannot be read, or is
     * too large. */
    bool (*digest)(void *context, const char *path, char out[WORLD_DIGEST]);

    /* What is in this regular file, links followed. False when it cannot be read, or has more than
     * `size` bytes. */
    bool (*text)(void *context, const char *path, char *out, size_t size, size_t *len);

    /* Is it a compiled program, not a script: a regular file of this user, on a local disk, reached
     * without a link? False when not known. */
    bool (*compiled)(void *context, const char *path, struct file_mark *out);

    /* Does git ignore this file, by the .gitignore files of its repository or .git/info/exclude?
     * False when not known. Git may track it all the same. */
    bool (*ignored)(void *context, const char *path);

    /* The file that a bare program name would start: the first hit in PATH; empty when not known.
     * False when there is none. */
    bool (*program)(void *context, struct str name, char out[WORLD_PATH_MAX]);

    /* `code` was compiled by the policy loader. */
    enum regex_answer (*regex)(const void *code, struct str text);
};

#endif
