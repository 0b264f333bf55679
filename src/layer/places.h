/* places.h - places on the disk that need care, as rows, and which of them a path lies in.
 *
 * Rows are found by the first component of their paths, through a table that the build makes of them
 * (tools/make_place_index.c): most paths meet no row at all. Compared without regard to case. */
#ifndef LAYER_PLACES_H
#define LAYER_PLACES_H

#include <stdint.h>

#include "base/ascii.h"
#include "base/str.h"

/* Where a row's path begins. */
enum place_where { PLACE_HOME, PLACE_ROOT, PLACE_ANYWHERE };

struct place {
    enum place_where where;
    const char *path; /* components; '*' stands for any part of one component; everything below is meant too */
    const char *what;
    bool own; /* verdicts depend on it */
};

enum place_list { PLACES_PROTECTED, PLACES_SECRET, PLACES_PUBLIC };
#define PLACE_TABLES 3

struct place_table {
    const struct place *rows;
    size_t count;
};
extern const struct place_table place_tables[PLACE_TABLES];

/* Can place_match() take this pattern? Classes, braces and escapes are for glob_intersects(). */
bool place_is_simple(struct str pattern);

/* The number of the first row that the path lies in, or could name something in; that of all rows when there is none.
 * `pattern`: '*', '?' and '**' stand for what glob.h says of them; no other wildcard is in it.
 * `hidden`: rows that begin with a dot count, too. `literal_names`: the path's wildcards stand for themselves where a
 * row may lie anywhere. */
struct place_search {
    enum place_list list;
    struct str home;
    bool hidden, literal_names;
};
size_t place_match(const struct place_search *s, struct str path, bool pattern);

/* Does a row that begins there lie in the directory, which is said from there, too? `names`: not one that is a file. */
bool place_lies_below(enum place_list list, enum place_where where, struct str directory, bool names);

/* '*' within one component. */
bool place_component_is(struct str pattern, struct str name);
/* Do the components of `pattern` begin `path`? */
bool place_begins(struct str pattern, struct str path);

/* ---- the index ---- */

#define PLACE_SLOTS 1024u /* a power of two, some three times the rows of the largest table */

/* Of one byte, in either case. Bit n: some row is found by a component of n bytes that begins with it, that ends with
 * it; some row with a wildcard may be by one that begins with it; some is by an ".ext" of n bytes that ends with it.
 * `rows`, bit n: such a row with a wildcard is number n of the index's. */
struct place_byte {
    uint32_t names, last, wild, ends, rows;
};
#define PLACE_BYTES 256

struct place_index {
    const uint16_t *heads; /* by hash of a first component, or of "*.ext": a row, counted from 1 */
    const uint16_t *next;  /* by row: another one of the same hash, counted from 1 */
    const uint16_t *wild;  /* rows whose first component has another wildcard, PLACE_WILD_MAX at most, ended by
                              PLACE_NO_ROW */
    const struct place_byte *bytes;
};
#define PLACE_NO_ROW   UINT16_MAX
#define PLACE_WILD_MAX 32
#define PLACE_LONG_BIT 31 /* or more bytes */

static inline uint32_t place_length_bit(size_t len)
{
    return (uint32_t)1 << (len < PLACE_LONG_BIT ? len : PLACE_LONG_BIT);
}

/* FNV-1a of the bytes in lower case. Rows are ours: nobody gains by making them collide. */
static inline uint32_t place_hash(struct str name)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)ascii_lower(name.s[i])) * 16777619u;
    return (hash ^ hash >> 15) % PLACE_SLOTS;
}

#endif
