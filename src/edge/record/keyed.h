/* keyed.h - a keyed hash of a whole command: equal commands have equal hashes, and without the key
 * a hash reveals nothing.
 *
 * Redacted commands can no longer be compared; their hashes can. HMAC-SHA-256 with a key of this
 * data directory, built on base's SHA-256, so that a small static program computes the same (a test
 * compares it with libsodium's). */
#ifndef RECORD_KEYED_H
#define RECORD_KEYED_H

#include "base/error.h"
#include "base/sha256.h"

#define RECORD_KEY_NAME "record.key"

struct record_key {
    uint8_t bytes[SHA256_BYTES];
};

/* The file record.key in a directory that was checked; created if it is missing. Refused if it is a
 * link, belongs to another user, or others can read or write it. */
enum status record_key_load_at(int directory, struct record_key *out, struct error *err);

void record_key_hash(const struct record_key *key, struct str text, char out[SHA256_HEX]);

#endif
