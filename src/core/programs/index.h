/* index.h - the shipped rows by the hash of their names, with what is asked about them for every
 * word, and their options by the hash of theirs. The tables are written while Warder is built, from
 * the rows, by tools/gen/make_program_index.c; a test compares them with a search through the rows.
 */
#ifndef PROGRAMS_INDEX_H
#define PROGRAMS_INDEX_H

#include <stdint.h>

#include "programs/programs.h"

#define PROGRAM_SLOTS    16384u /* a power of two; less than a third of them is taken */
#define PROGRAM_NAME_MAX 80     /* bytes; longer names have no row */

struct program_slot {
    uint16_t file;            /* which of program_files() */
    uint16_t row : 15;        /* which of its rows, counted from 1; 0: the slot is empty */
    uint16_t subcommands : 1; /* there are rows of its subcommands */
    uint16_t modes : 15;      /* enum row_mode */
    uint16_t whole : 1;       /* a reader takes all words */
    uint8_t len;              /* of its name */
    uint8_t form_count;       /* forms of its operands, */
    uint16_t form;            /* and the first of them; rows with the same operands share them */
    uint16_t trees;           /* which of program_trees is row_trees() */
    uint16_t others;          /* which of program_others are its other names; 0: none */
};

#define OPTION_SLOTS 65536u /* a power of two; less than half of them are taken */

/* One name of an option. */
struct option_slot {
    uint16_t row; /* whose: the place of its row in program_slots, counted from 1; 0: the slot is
                     empty */
    uint16_t at;  /* where the name is in the row's options */
    uint8_t len;
    uint8_t before; /* bytes of the option's other names in front of it */
    uint16_t kind;  /* which of option_kinds */
};

/* All of struct option (reading.h) but its place; options of several rows share it. The roles
 * follow the names. */
struct option_kind {
    uint32_t set;
    uint16_t effects;
    uint8_t names, roles; /* their lengths */
    bool value, optional, prints;
};

#define PROGRAM_HASH 2166136261u /* of no bytes */

/* FNV-1a, continued from `hash`. The names are shipped: an attacker cannot choose colliding ones.
 */
static inline uint32_t program_hash(uint32_t hash, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

/* Names of the same shape share what program_may_say() knows of them. */
#define PROGRAM_SHAPES 256

static inline uint8_t program_shape(struct str name)
{
    const unsigned char *s = (const unsigned char *)name.s;

    return name.len ? (uint8_t)((s[0] * 31u + s[name.len - 1]) * 31u + name.len) : 0;
}

/* Where the search for a name with this hash begins, modulo PROGRAM_SLOTS. */
static inline uint32_t program_slot_of(uint32_t hash)
{
    return hash ^ hash >> 15;
}

static inline uint32_t option_hash(uint32_t row, const char *name, size_t len)
{
    return program_slot_of(program_hash(PROGRAM_HASH, name, len)) ^ row * 2654435761u >> 7;
}

#endif
