/* trust.h - which projects a person has read and trusts, by the content of their policy files.
 *
 * By content, so that equal worktrees share it and any change revokes it. The store is
 * <state_dir>/trust.json, readable and writable by us alone. */
#ifndef POLICY_TRUST_H
#define POLICY_TRUST_H

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

/* Revokes the present content and everything that was trusted under this path. Worktrees with equal
 * content lose it, too. */
enum status trust_remove(const char *state_dir, const char *project, struct error *err);

struct trust_entry {
    struct str digest;
    struct str project; /* where it was when it was trusted */
};

struct trust_store {
    struct arena arena;
    struct trust_entry *items;
    size_t count;
};

/* A store that does not exist is empty. Release *out in every case. */
enum status trust_load(const char *state_dir, struct trust_store *out, struct error *err);
void trust_release(struct trust_store *store);
bool trust_has(const struct trust_store *store, const char *digest); /* of project_files */

#endif
