/* signature.h - a text that only the service of this data directory can have signed.
 *
 * HMAC-SHA-256 with a key that is derived from record.key; printed in the letters of URLs. */
#ifndef RECORD_SIGNATURE_H
#define RECORD_SIGNATURE_H

#include "record/keyed.h"

#define SIGNATURE_SIZE 44 /* with the NUL */

enum status signature_make(const struct record_key *key, struct str text, char out[SIGNATURE_SIZE],
                           struct error *err);
/* Compared in constant time. STATUS_UNSAFE: it is not the signature of this text. */
enum status signature_check(const struct record_key *key, struct str text, struct str given,
                            struct error *err);

#endif
