/* chain.h - one record as one line of JSON, and the chain that the lines form.
 *
 *     {"n":7,"prev":"<hash of 6>","at":"2026-01-31T12:34:56.789Z","kind":"decision",...,
 *      "hash":"<hash of this>"}
 *
 * The hash is SHA-256 over everything before it in the line, and so over the hash of the line
 * before, too. Numbers begin at 1 and have no gap; times do not go back. Changing, removing or
 * moving a line breaks the chain at that line unless everything after it is rewritten, and a head
 * that was kept elsewhere shows that.
 *
 * Needs only base and stamp, so that a small static program can write records. */
#ifndef RECORD_CHAIN_H
#define RECORD_CHAIN_H

#include <stdint.h>

#include "base/sha256.h"
#include "base/str.h"
#include "machine/stamp.h"

#define CHAIN_LINE_MAX                                                                             \
    ((size_t)1024 * 1024) /* bytes of a line; a record that would be longer is refused */
#define CHAIN_START "0000000000000000000000000000000000000000000000000000000000000000"

/* The last link: what the next line must follow. Zeroed: nothing was written yet. */
struct chain_head {
    uint64_t n;
    char hash[SHA256_HEX];
    char at[STAMP_SIZE];
};

/* A line that was read. Views of the line. */
struct chain_link {
    uint64_t n;
    struct str prev, at, hash;
    struct str body; /* its members between the time and the hash, as JSON without braces */
};

/* The bytes that a line adds around its body, at most. */
#define CHAIN_FRAME                                                                                \
    (sizeof("{\"n\":18446744073709551615,\"prev\":\"\",\"at\":\"\",,\"hash\":\"\"}\n") +           \
     (size_t)2 * SHA256_HEX + STAMP_SIZE + 48)

/* Writes the line that follows *head, with its newline, and moves *head on to it. `out` has room
 * for the body and CHAIN_FRAME bytes. If the clock went back, the record keeps the last time and
 * also says what the clock showed. */
size_t chain_write(struct chain_head *head, int64_t now, struct str body, char *out);

/* NULL, or what is wrong with the line itself: its form or its hash. `line` has no newline. */
const char *chain_read(struct str line, struct chain_link *out);

/* NULL, or why this line does not follow *head. */
const char *chain_follow(const struct chain_head *head, const struct chain_link *link);

void chain_take(struct chain_head *head, const struct chain_link *link);

/* The text of a string member of the body: kind, id. Only for members whose text has no escapes;
 * empty otherwise. */
struct str chain_member(struct str body, const char *key);

#endif
