/* kept.h - the policy files of a project as they were when a session began.
 *
 * Within a session a project's deny and ask rules only get stricter: what removes or changes their
 * files (a checkout, a stash, code of the project) takes none of them away. So the files are kept
 * beside the sessions, by the digest of the project's files (policy/project.h), and a session names
 * the digest that it began with. Of what was kept only deny and ask rules count. */
#ifndef POLICY_KEPT_H
#define POLICY_KEPT_H

#include "base/error.h"
#include "base/list.h"
#include "base/str.h"

#define KEPT_BELOW     "policies" /* the state directory */
#define KEPT_BYTES_MAX ((size_t)1024 * 1024)
#define KEPT_MAX       512u /* then the one that was used longest ago is removed */
#define KEPT_MARK      "kept from the start of the session: " /* before the name of a file */

struct shelf;

/* All of them: `shelf` is where the copies are, in place of the state directory; NULL: there. */

/* Is there a copy under this digest? */
bool kept_has(const char *state_dir, struct shelf *shelf, const char *digest);

/* Reads the project's files and keeps them, if their digest is still this one. STATUS_LIMIT: they
 * are too large; the session then has to do without: a change denies. */
enum status kept_write(const char *state_dir, struct shelf *shelf, const char *project,
                       const char *digest, struct error *err);

struct kept_file {
    struct str name, text; /* relative to the project */
};
struct kept_files LIST_OF(struct kept_file);

/* Into the arena; fails if there is no copy, or it cannot be read. Below an arena_try(). */
enum status kept_read(struct arena *a, const char *state_dir, struct shelf *shelf,
                      const char *digest, struct kept_files *out, struct error *err);

#endif
