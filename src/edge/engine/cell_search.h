/* cell_search.h - which of the places that tables name are on this disk.
 *
 * Each directory is listed once, and what is in it answers for many rows. A search can note what
 * its result depends on: the directories that it looked at, as they were before, and the links that
 * it met (cell_hidden.c remembers a result as long as these are the same). */
#ifndef ENGINE_CELL_SEARCH_H
#define ENGINE_CELL_SEARCH_H

#include <stdint.h>

#include "base/list.h"
#include "base/str.h"

/* A directory as it was; all zero: it could not be looked at. */
struct directory_stamp {
    uint64_t device, file;
    int64_t seconds, nanoseconds; /* of its last change, which no program can set */
};
struct directory_stamp directory_stamp_of(const char *path);

/* The names in a directory. */
struct listed {
    struct str directory;
    struct directory_stamp before; /* it was listed; of a search that notes links */
    bool read;                     /* else it cannot be, and what is in it is not known */
    struct strs names;
    uint64_t sum; /* of the names and the kinds of files; 0: a kind is not known */
};
struct listings LIST_OF(struct listed);

struct cell_search {
    struct arena *arena;
    struct strs real; /* directories that are known to be no links, nor below one */
    struct listings listings;
    const struct strs *only; /* NULL: all names are listed; else what matches one of these */
    struct strs *links;      /* NULL: links are followed; else noted here, and not added */
    struct str missing_in;   /* where the last one was that is not there, */
    size_t missing;          /* as so many before it */
    struct str absent;       /* a directory that is not there, nor anything below it */
};

/* As the disk has it, without links; empty if it is not there. */
struct str real_path(struct arena *a, struct str path);
/* The same; most places are names in few directories, which are resolved once. */
struct str cell_search_resolve(struct cell_search *s, struct str path);

const struct listed *cell_search_list(struct cell_search *s, struct str directory);

/* Adds a place to the list, if it is there. */
void cell_search_add(struct cell_search *s, struct strs *list, struct str path);
void cell_search_add_real(struct cell_search *s, struct strs *list, struct str real);
/* Adds what a row of a table names below a directory; its last part may have '*'. */
void cell_search_add_row(struct cell_search *s, struct strs *list, struct str base,
                         const char *row);
/* Adds the names in a directory that match; '*' within one component. */
void cell_search_add_matching(struct cell_search *s, struct strs *list, struct str directory,
                              struct str pattern);

#endif
