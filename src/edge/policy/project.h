/* project.h - the files of a project that policy and trust depend on, read once.
 *
 * Trust is given to content. The hashed bytes are those that are then read as policy: the agent
 * cannot show one file to the hash and another to the reader. */
#ifndef POLICY_PROJECT_H
#define POLICY_PROJECT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/sha256.h"
#include "policy/file.h"

#define PROJECT_FILES_MAX       256u
#define PROJECT_DIRECTORIES_MAX 256u
#define PROJECT_DEPTH_MAX       8u /* directories inside each other below .warder/ */
#define PROJECT_BYTES_MAX       ((size_t)16 * 1024 * 1024) /* of all files together */

struct project_file {
    char *name; /* relative to the project */
    struct file_text text;
    struct error error; /* STATUS_OK, or why it could not be read */
};

/* Everything below .warder/, .claude/settings*.json and .caliban/permissions.toml, by name. */
struct project_files {
    struct project_file *items;
    size_t count, room, bytes;
    char **directories; /* that were listed, or are missing; relative to the project */
    size_t directory_count;
    bool complete;           /* each could be read: the hash covers all of them */
    char digest[SHA256_HEX]; /* of names and contents; empty unless complete */
};

/* Fails if the files cannot be listed (STATUS_IO, STATUS_LIMIT, STATUS_NOMEM); a single file that
 * cannot be read is not a failure. Release *out in every case. */
enum status project_read(const char *project, struct project_files *out, struct error *err);
void project_release(struct project_files *files);

const struct project_file *project_find(const struct project_files *files, const char *name);

#endif
