/* trust.h - which projects a person has read and trusts: their place, and the content of their
 * policy files.
 *
 * By content, so that any change revokes it. By place, because a policy names programs that it does
 * not contain: a stranger who copies them brings other programs. The place is the
 * project's path; or the same directory in another work tree of its repository, as the repository
 * itself says (machine/worktree.h). The store is <state_dir>/trust.json, readable and writable by
 * us alone. */
#ifndef POLICY_TRUST_H
#define POLICY_TRUST_H

#include <limits.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#define TRUST_ENTRIES_MAX 4096u
#define TRUST_NAME        "trust.json"

/* Untrusted is zero: a missing answer trusts nothing. */
enum trust { TRUST_NO = 0, TRUST_YES, TRUST_NO_FILES };

enum status trust_check(const char *state_dir, const char *project, enum trust *out,
                        struct error *err);

/* Trusts the present content of the files. STATUS_USAGE if there is nothing to trust, STATUS_UNSAFE
 * if a file cannot be read: no person can have read it. */
enum status trust_add(const char *state_dir, const char *project, struct error *err);

/* Trusts the content with this digest (see policy/project.h): of files that the caller has
 * compared. */
enum status trust_add_digest(const char *state_dir, const char *digest, const char *project,
                             struct error *err);

/* Revokes everything that was trusted in this place; its other work trees lose it, too. */
enum status trust_remove(const char *state_dir, const char *project, struct error *err);

struct trust_entry {
    struct str digest;
    struct str project; /* where it was when it was trusted */
    struct str common;  /* the directory of its repository; empty: path alone counts */
    struct str below;   /* the project's path in the work tree: "" or "/sub" */
    int64_t at;         /* when, in seconds; 0: by an older version */
};

/* Where a project is now; links are resolved. */
struct trust_place {
    char project[PATH_MAX], common[PATH_MAX], below[PATH_MAX];
    char link[PATH_MAX]; /* the .git file of a linked work tree; "": none */
};

struct trust_store {
    struct arena arena;
    struct trust_entry *items;
    size_t count;
};

/* A store that does not exist is empty. Release *out in every case. */
enum status trust_load(const char *state_dir, struct trust_store *out, struct error *err);
void trust_release(struct trust_store *store);
enum status trust_locate(const char *project, struct trust_place *out, struct error *err);
bool trust_is_at(const struct trust_entry *entry, const struct trust_place *at);
/* `digest` is that of project_files. */
bool trust_has(const struct trust_store *store, const char *digest, const struct trust_place *at);
int64_t trust_time(const struct trust_store *store, const char *digest,
                   const struct trust_place *at); /* of that entry */
/* An entry of the same content in another place, so that it can be said why it does not count here;
 * NULL: none. */
const struct trust_entry *trust_elsewhere(const struct trust_store *store, const char *digest,
                                          const struct trust_place *at);

#endif
