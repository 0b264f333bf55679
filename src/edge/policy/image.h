/* image.h - the policy of one project as it lies in memory, kept as a file: a hook maps it and need
 * not read any policy.
 *
 * The policy is loaded into memory at one fixed address, and what it takes up
 * there is written as it is. Whoever maps the file at that address has the
 * finished policy: rules, globs, index and texts, with every pointer in place.
 * There is nothing to decode, so nothing to get wrong but what is checked here:
 * who could have written the file, that it is whole, that the same build wrote
 * it, and that each place the policy came from is as it was.
 *
 * INVARIANT: no pointer leads out of the image (image_scan() proves it before
 * anything is written).
 * INVARIANT: compiled regular expressions, which cannot be kept, are pointers to
 * the image itself: not NULL, and never to be matched with.
 *
 * What is refused here is no failure: the policy is then read from its text. */
#ifndef POLICY_IMAGE_H
#define POLICY_IMAGE_H

#include <limits.h>

#include "policy/load.h"

/* Where nothing is: above programs that have a fixed address, below all that the kernel places.
 * Near the former, so that for a hook the tables of its pages reach this far, and none has to be
 * made for it. */
#define IMAGE_ADDRESS ((uintptr_t)0x10000000)
#define IMAGE_MAGIC   "WARDIMG" /* 8 bytes with its end */
#define IMAGE_MAX                                                                                  \
    ((size_t)128 * 1024 * 1024) /* bytes; a policy that takes more is read from its text */
#define IMAGES_MAX   64u        /* that are kept, one per project */
#define IMAGES_BYTES ((size_t)256 * 1024 * 1024) /* of all that are kept */
#define IMAGE_QUIET_MS                                                                             \
    20 /* file systems stamp by the tick: what changed in the same one looks as if it had not */
#define IMAGE_DIRECTORY                                                                            \
    ".cache/warder/images" /* below the home; no variable moves it: a project can set those */

/* What, beside the files, decides what is loaded. */
struct image_key {
    struct str home, config_home, state_dir, project;
};

/* One thing on the disk that the policy depends on. */
struct image_place {
    enum {
        PLACE_ABSENT, /* there is no such name */
        PLACE_SAME,   /* the same file or directory, not changed since */
        PLACE_GUARD,  /* a directory with the same owner and rights; its contents may change */
    } kind;
    const char *path;
    uint64_t device, inode;
    uint32_t mode, owner;
    int64_t size, changed, changed_ns; /* PLACE_SAME */
};
struct image_places LIST_OF(struct image_place);

/* What lies at IMAGE_ADDRESS, and at the beginning of the file. */
struct image {
    _Alignas(max_align_t) char magic[8];
    uint64_t build; /* of the program that wrote it */
    uint64_t size;  /* of all of it */
    uint64_t sum;   /* of all that follows */
    uint64_t uid;
    struct image_key key;
    struct image_places places;
    struct rulebook book;
    enum trust trust;
};

enum image_state {
    IMAGE_FRESH,
    IMAGE_NONE,     /* there is none */
    IMAGE_UNSAFE,   /* somebody else could have written it */
    IMAGE_FOREIGN,  /* another build wrote it, or it is none at all */
    IMAGE_DAMAGED,  /* it is not what was written */
    IMAGE_STALE,    /* something that it was made of has changed */
    IMAGE_NOT_HERE, /* the address is taken, or this system has no such address */
};
const char *image_state_name(enum image_state s); /* for tests and measurements */

/* What an image of this policy goes by. False: there can be none, its request names more than
 * places to look in. */
bool image_key(const struct policy_request *request, struct image_key *out);

/* The name of its file. False when the path is too long. */
bool image_path(const struct image_key *key, char out[PATH_MAX]);

/* Maps the image of this key; *out is NULL unless it is fresh. One at a time: there is one address.
 */
enum image_state image_map(const struct image_key *key, const struct image **out);
void image_unmap(const struct image *image); /* NULL is fine */

/* Loads the policy anew and writes its image, unless there is a fresh one. A policy that is broken
 * gets none. */
enum status image_write(const struct policy_request *request, struct error *err);

/* An image on its way, at its address: without a key and places; then complete, or refused because
 * it does not stand alone. */
struct image_draft {
    struct image *image;
    struct policy *policy; /* whose arena it is */
};
enum status image_draft_make(const struct policy_request *request, struct image_draft *out,
                             struct error *err);
enum status image_draft_seal(struct image_draft *d, struct error *err);
void image_draft_free(struct image_draft *d);

/* STATUS_UNSAFE when a word of this memory is an address in some other mapping of this process.
 * `numbers` is a part of it in which no address stands. */
enum status image_scan(const void *memory, size_t len, struct str numbers, struct error *err);

/* Fast, and every change of a single word changes it. Not against somebody who wants to deceive:
 * who could write the file could also write the policy. `len` is rounded up to 8, and so many bytes
 * must be there. */
uint64_t image_sum(const void *memory, size_t len);

/* What the place is like now, as one of this kind. False when that cannot be: nothing is there, or
 * something. */
bool image_place_look(struct image_place *p);

#endif
