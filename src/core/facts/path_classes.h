/* path_classes.h - places on the disk that need care, as rows, and which of them a path lies in.
 *
 * Rows are found by the first component of their paths, through a table that the build makes of
 * them (tools/gen/make_path_class_index.c): most paths meet no row at all. Compared without regard
 * to case. */
#ifndef FACTS_PATH_CLASSES_H
#define FACTS_PATH_CLASSES_H

#include <stdint.h>

#include "base/ascii.h"
#include "base/str.h"

/* Where a row's path begins. */
enum path_class_where { PATH_CLASS_HOME, PATH_CLASS_ROOT, PATH_CLASS_ANYWHERE };

struct path_class {
    enum path_class_where where;
    const char *path; /* components; '*' stands for any part of one component; everything below is
                         meant too */
    const char *what;
    bool own; /* verdicts depend on it */
};

enum path_class_list { PATHS_PROTECTED, PATHS_SECRET, PATHS_PUBLIC };
#define PATH_CLASS_TABLES 3

struct path_class_table {
    const struct path_class *rows;
    size_t count;
};
extern const struct path_class_table path_class_tables[PATH_CLASS_TABLES];

/* Can path_class_match() take this pattern? Classes, braces and escapes are for glob_intersects().
 */
bool path_class_is_simple(struct str pattern);

/* The number of the first row that the path lies in, or could name something in; that of all rows
 * when there is none. `pattern`: '*', '?' and '**' stand for what glob.h says of them; no other
 * wildcard is in it. `hidden`: rows that begin with a dot count, too. `literal_names`: the path's
 * wildcards stand for themselves where a row may lie anywhere. */
struct path_class_search {
    enum path_class_list list;
    struct str home;
    bool hidden, literal_names;
};
size_t path_class_match(const struct path_class_search *s, struct str path, bool pattern);

/* Does a row that begins there lie in the directory, which is said from there, too? `names`: not
 * one that is a file. */
bool path_class_lies_below(enum path_class_list list, enum path_class_where where,
                           struct str directory, bool names);

/* '*' within one component. */
bool path_class_component_is(struct str pattern, struct str name);
/* Do the components of `pattern` begin `path`? */
bool path_class_begins(struct str pattern, struct str path);

/* ---- the index ---- */

#define PATH_CLASS_SLOTS                                                                           \
    1024u /* a power of two, some three times the rows of the largest table                        \
           */

/* Of one byte, in either case. Bit n: some row is found by a component of n bytes that begins with
 * it, that ends with it; some row with a wildcard may be by one that begins with it; some is by an
 * ".ext" of n bytes that ends with it. `rows`, bit n: such a row with a wildcard is number n of the
 * index's. */
struct path_class_byte {
    uint32_t names, last, wild, ends, rows;
};
#define PATH_CLASS_BYTES 256

struct path_class_index {
    const uint16_t *heads; /* by hash of a first component, or of "*.ext": a row, counted from 1 */
    const uint16_t *next;  /* by row: another one of the same hash, counted from 1 */
    const uint16_t *wild; /* rows whose first component has another wildcard, PATH_CLASS_WILD_MAX at
                             most, ended by PATH_CLASS_NO_ROW */
    const struct path_class_byte *bytes;
};
#define PATH_CLASS_NO_ROW   UINT16_MAX
#define PATH_CLASS_WILD_MAX 32
#define PATH_CLASS_LONG_BIT 31 /* or more bytes */

static inline uint32_t path_class_length_bit(size_t len)
{
    return (uint32_t)1 << (len < PATH_CLASS_LONG_BIT ? len : PATH_CLASS_LONG_BIT);
}

/* FNV-1a of the bytes in lower case. Rows are ours: nobody gains by making them collide. */
static inline uint32_t path_class_hash(struct str name)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)ascii_lower(name.s[i])) * 16777619u;
    return (hash ^ hash >> 15) % PATH_CLASS_SLOTS;
}

#endif
