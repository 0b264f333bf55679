/* image.h - the policy of one project as it is in memory, stored as a file: a hook maps it and
 * reads no policy files.
 *
 * The policy is loaded into memory at one fixed address, and that memory is written as it is. A
 * program that maps the file at that address has the finished policy: rules, globs, index and
 * texts, with every pointer in place. There is nothing to decode. What is checked here: which users
 * could have written the file, that it is complete, that the same build wrote it, and that each
 * source of the policy is unchanged.
 *
 * INVARIANT: no pointer leads out of the image (image_scan() proves it before anything is written).
 * INVARIANT: compiled regular expressions, which cannot be kept, are pointers to the image itself:
 * not NULL, but never used for matching.
 *
 * A refused image is not a failure: the policy is then read from its text. */
#ifndef POLICY_IMAGE_H
#define POLICY_IMAGE_H

#include <limits.h>

#include "policy/load.h"

/* An unused range: above the programs with a fixed address, below everything that the kernel
 * places. It begins where the page table of a hook's variables goes on, so that most policies need
 * none of their own, which costs as much as a dozen system calls. */
#define IMAGE_ADDRESS ((uintptr_t)0x900000)
#define IMAGE_MAGIC   "WARDIMG"                   /* 8 bytes with the NUL */
#define IMAGE_MAX     ((size_t)128 * 1024 * 1024) /* bytes; a larger policy is read from its text */
#define IMAGES_MAX    64u                         /* that are kept, one per project */
#define IMAGES_BYTES  ((size_t)256 * 1024 * 1024) /* of all that are kept */
#define IMAGE_QUIET_MS                                                                             \
    20 /* file times have the resolution of a tick: a second change in the same tick is not        \
          visible */
#define IMAGE_DIRECTORY                                                                            \
    ".cache/warder/images" /* below the home; no variable moves it, because a project could set it \
                            */

/* What decides what is loaded, besides the files. */
struct image_key {
    struct str home, config_home, state_dir, project;
};

/* A file or directory that the policy depends on. */
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

/* The start of the memory at IMAGE_ADDRESS, and of the file. */
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
    IMAGE_UNSAFE,   /* another user could have written it; or we, though policy is managed */
    IMAGE_FOREIGN,  /* another build wrote it, or it is not an image */
    IMAGE_DAMAGED,  /* its content was damaged */
    IMAGE_STALE,    /* a source of it has changed */
    IMAGE_NOT_HERE, /* the address is taken, or this system has no such address */
};
uint64_t image_build(void); /* of this program: sources that differ give another one */
const char *image_state_name(enum image_state s); /* for tests and measurements */

/* The key of an image of this policy. False: there can be none, because the request has more than
 * places. */
bool image_key(const struct policy_request *request, struct image_key *out);

/* The name of its file. False if the path is too long. */
bool image_path(const struct image_key *key, char out[PATH_MAX]);

/* The sum in an image can be computed by anyone. Where policy is managed, its user must not be able
 * to replace it by an image of their own: only root's images, which belong to root, count then. */
bool image_is_believed(void);

/* Maps the image of this key; *out is NULL unless it is fresh. Only one at a time: there is one
 * address. */
enum image_state image_map(const struct image_key *key, const struct image **out);
void image_unmap(const struct image *image); /* NULL is fine */

/* Loads the policy again and writes its image, unless there is a fresh one. A broken policy, and
 * one whose image would not be believed, gets none. */
enum status image_write(const struct policy_request *request, struct error *err);

/* An image under construction, at its address: first without key and places; then complete, or
 * refused because it points outside itself. */
struct image_draft {
    struct image *image;
    struct policy *policy; /* whose arena it is */
};
enum status image_draft_make(const struct policy_request *request, struct image_draft *out,
                             struct error *err);
enum status image_draft_seal(struct image_draft *d, struct error *err);
void image_draft_free(struct image_draft *d);

/* STATUS_UNSAFE if a word of this memory is an address in another mapping of this process.
 * `numbers` is a part of it without addresses. */
enum status image_scan(const void *memory, size_t len, struct str numbers, struct error *err);

/* Fast, and every change of a single word changes it. Not secure against forgery: a user who can
 * write the file can also write the policy. `len` is rounded up to 8, and that many bytes must
 * exist. */
uint64_t image_sum(const void *memory, size_t len);

/* The present state of the place, for this kind. False if the kind does not fit: it is missing, or
 * it exists. */
bool image_place_look(struct image_place *p);

#endif
