/* bound.h - the files that an answer to a call is bound to: each file that the call names and reads
 * or runs, by its content.
 *
 * Besides those: the program itself; of a directory that is read, the files in it; the files around
 * a command that runs code without naming its file (make, npm run, docker compose up, terraform
 * apply); and the branches, tags and settings of the repository for a command that sends to a
 * server (git push). Of the files that are run, those that they name in turn, too
 * (facts/named_in.h); not what these load, and nothing in directories below. A file
 * can still change between the check and the moment at which the client runs the call. */
#ifndef ASK_BOUND_H
#define ASK_BOUND_H

#include "base/json.h"
#include "base/list.h"
#include "base/sha256.h"
#include "base/world.h"
#include "decide/decide.h"

#define BOUND_FILES_MAX 4096u /* more cannot be bound */
/* A larger file counts by its inode and its times, which change with its content. */
#define BOUND_FILE_MAX ((off_t)16 * 1024 * 1024)

struct bound_file {
    struct str path, mark; /* the mark is equal as long as the file is the same */
};
struct bound_files LIST_OF(struct bound_file);

struct bound {
    struct bound_files files;
    const char *unbound; /* why the call cannot be bound; NULL: it can */
};

/* `budget`: bytes to be read of all files together; what is beyond counts as a large file does.
 * BOUND_STAMPS: no file is opened. Below an arena_try(). */
#define BOUND_STAMPS ((uint64_t)0)
void bound_find(struct arena *a, const struct verdict *v, const struct world *w, uint64_t budget,
                struct bound *out);

/* [["PATH", "MARK"], ...], without files that do not exist. */
void bound_write(struct json_writer *w, const struct bound_files *files);
/* The same, with all of them: for a file that nobody else reads. */
void bound_write_all(struct json_writer *w, const struct bound_files *files);

/* The files of such a list as they are now. False: it is none. Below an arena_try(). */
bool bound_again(struct arena *a, const struct value *list, uint64_t budget,
                 struct bound_files *out);
/* Over all of them: equal as long as they are. */
void bound_digest(const struct bound_files *files, char out[SHA256_HEX]);
/* A path that such a list has with another mark than `now`; empty: none. */
struct str bound_changed(const struct value *list, const struct bound_files *now);

#endif
