/* beneath.h - looks up paths below the workspace: never through a link, never on another mount. */
#ifndef UNDO_BENEATH_H
#define UNDO_BENEATH_H

#include "base/error.h"
#include "undo/undo.h"

/* The directory of a path, and the last part of the path. */
struct beneath {
    int directory; /* -1: closed */
    const char *name;
};

/* A relative path without empty parts, "." and "..", that ends in NUL. */
bool beneath_is_path(struct str path);

/* False: it cannot be opened, and errno says why: ENOENT or ENOTDIR if it does not exist, ELOOP or
 * EXDEV if it leads elsewhere. beneath_close() in either case. */
bool beneath_open(int workspace, struct str path, struct beneath *out);
void beneath_close(struct beneath *b);

/* A directory in an open one, for listing it. -1, with EXDEV or ELOOP: another mount is there
 * (which may well be of the same file system), or a link. */
int beneath_enter(int directory, const char *name);
/* May a mount be below this directory? What cannot be known may be. */
bool beneath_has_mounts(int directory, const char *name);

/* A regular file below a directory, for reading: nothing else is opened for longer than it takes to
 * see what it is, and a FIFO blocks nobody. -1: it is none, or a link is on the way. */
int beneath_open_file(int directory, const char *path);

/* False: the disk does not say, and errno why. */
bool beneath_look_at(int directory, const char *name, struct undo_state *out);
bool beneath_look(int workspace, struct str path, struct undo_state *out);

/* The first directory on the way to a path in whose place a link is now, as a part of the path;
 * empty: there is none. */
struct str beneath_link_above(int workspace, struct str path);

/* For paths that come sorted: most are in the directory of the one before, which stays open. */
struct beneath_near {
    struct beneath at; /* beneath_close() in the end */
    struct str above;
};
#define BENEATH_NEAR ((struct beneath_near){.at.directory = -1})
bool beneath_look_near(struct beneath_near *n, int workspace, struct str path,
                       struct undo_state *out);

/* A digest of what is there: the content of a file, where a link leads, names, sizes and times of
 * everything below a directory. False: it cannot be read, or is too large. */
#define BENEATH_DIGEST 33
bool beneath_digest(int workspace, struct str path, const struct undo_state *seen,
                    char out[BENEATH_DIGEST]);

/* Is it as a call has left it? What undo gave back, or what a trash has linked, is the same file
 * with another change time: then its content decides. */
bool beneath_is_as_left(int workspace, const struct undo_end *end, const struct undo_state *now);

#endif
