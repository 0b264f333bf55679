/* git_objects.h - the contents that git keeps, read from its own files: loose objects and packs,
 * gitformat-pack(5). Git is not run, and nothing of its settings is read.
 *
 * The files are the word of whoever could write into .git: a content counts only if it has the
 * name, the SHA-1 of it, under which it was asked for. */
#ifndef UNDO_GIT_OBJECTS_H
#define UNDO_GIT_OBJECTS_H

#include "base/str.h"

#define GIT_OBJECT_MAX ((uint64_t)64 << 20) /* bytes of a content that is read */

struct git_pack;

struct git_objects {
    int directory;          /* .git/objects; -1: there are none */
    struct git_pack *packs; /* malloc'ed */
    size_t count;
    size_t last;   /* in which pack the one before was found */
    uint64_t held; /* bytes, while one is read */
};

/* Of the repository in `workspace`/.git. False: they cannot be opened. git_objects_close() in
 * either case. Objects in other repositories (alternates) are not found. */
bool git_objects_open(struct git_objects *o, int workspace);
void git_objects_close(struct git_objects *o);

/* So many are about to be asked for: packs that are small for that are read at once, instead of in
 * as many small parts. */
void git_objects_expect(struct git_objects *o, size_t count);

/* Is there an object of this name? */
bool git_object_is(struct git_objects *o, const uint8_t *id);

/* How long the content is; false: it is not there. It is not read, and so not proved. */
bool git_object_size(struct git_objects *o, const uint8_t *id, uint64_t *size);

/* Bytes that are malloc'ed. */
struct git_content {
    char *bytes;
    size_t len;
};

/* False: it is not there, too large, or another one. */
bool git_object_read(struct git_objects *o, const uint8_t *id, struct git_content *out);

#endif
