/* index_parts.h - the index in memory: built by index_build.c, read by index_search.c
 * and index.c.
 *
 * A hash table from keys (see index_key.h) to rules, with a bit filter before it: a subject has
 * thousands of byte runs and nearly all of them are keys of no rule, so most look-ups must end
 * after one load. */
#ifndef RULE_INDEX_PARTS_H
#define RULE_INDEX_PARTS_H

#include "rule/index.h"
#include "rule/index_key.h"

struct rule_fronts;

/* Plain arrays of numbers, so that all of it can be written to a file and mapped again. */
struct slot {
    uint32_t key;
    uint32_t first, count; /* in `found`; count 0: the slot is free */
};

struct rule_index {
    size_t rules;
    uint32_t *found; /* indexes of rules, slot by slot */
    struct slot *slots;
    size_t slot_mask;
    uint64_t *filter;
    size_t filter_mask;
    /* Deny and ask rules on commands: see index_program.h. */
    uint32_t *by_program; /* indexes of rules: those that name no program, then name by name */
    uint32_t unnamed;     /* how many of them name none */
    struct slot *program_slots; /* by str_hash() of the name; in `by_program` */
    size_t program_mask;
    bool program_initials[256]; /* some name begins with this byte */
    uint64_t *named_lists; /* a bit for each list of names: one after the first is such a name */
    size_t list_count;
    bool listed_initials[256]; /* the first name of such a list begins with this byte */
    uint32_t *starts;          /* INDEX_STARTS of them: the lengths of start keys, by starts_at() */
    /* bytes of the block that contains filter, named_lists, slots, program_slots, found, by_program
     * and starts, in this order */
    size_t numbers;

    /* Which kinds of keys are in use: what no rule needs is not scanned for. */
    bool has_long, has_names;
    bool has_starts, has_inner;     /* at the start of texts; anywhere in texts */
    bool has_components, has_paths; /* at the start of path components; anywhere in paths */
    uint32_t start_lengths;         /* of all start keys; see length_bit() */

    struct rule_places always;   /* rules that could match without any known bytes */
    struct rule_fronts *fronts;  /* deny and ask rules on paths */
    struct rule_places on_paths; /* other rules that could match a path pattern */
    struct rule_places on_hosts; /* rules that could match a fetch from an unknown host */
    bool forbids_anywhere;       /* a deny or ask rule on paths is not among the fronts */
    bool by_name; /* some rule matches other tools by name alone, whatever its pattern says */
    uint32_t first_on_paths, first_on_commands, first_on_effects;
    bool on_effects, on_age; /* some rule is about effects; about the age of the session */
};

/* In start_lengths and `starts`: some start key has `len` bytes. */
static inline uint32_t length_bit(size_t len)
{
    return (uint32_t)1 << (len - 1);
}

#define INDEX_STARTS 256 /* a power of two */

/* Start keys with the same first bytes, by the hash that the filter has of these: few have the
 * first bytes of a text, and only their lengths have to be looked up. */
static inline size_t starts_at(uint32_t filter)
{
    return filter & (INDEX_STARTS - 1);
}

/* The slot of the key, or the free one where it would go. */
static inline struct slot *slot_for(const struct rule_index *x, uint32_t key)
{
    size_t at = key & x->slot_mask;

    while (x->slots[at].count && x->slots[at].key != key)
        at = (at + 1) & x->slot_mask;
    return &x->slots[at];
}

static inline bool passes_filter(const struct rule_index *x, uint32_t hash)
{
    size_t bit = hash & x->filter_mask;

    return x->filter[bit / 64] >> (bit % 64) & 1;
}

static inline bool subject_has_pattern(const struct subject *s)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.items[i].pattern)
            return true;
    return false;
}

/* Sorts, and removes duplicates. */
void places_sort_several(struct rule_places *p);
static inline void places_sort(struct rule_places *p)
{
    if (p->count > 1)
        places_sort_several(p);
}

/* The rules of all slots that were hit, and those that need no hit. */
struct rule_places index_gather(const struct rule_search *search, struct rule_places *slots,
                                const struct subject *s, const struct rule_env *env);
struct rule_places index_every_rule(struct arena *a, const struct rule_index *x);

#endif
