/* seal.h - a call on the disk, so that only this data directory's service can read it.
 *
 * A pending review keeps its whole call, secrets and all, across a restart. It is encrypted and
 * authenticated (XChaCha20-Poly1305) with a key that is derived from record.key, and bound to the
 * review that it belongs to: moved to another row, it does not open. */
#ifndef RECORD_SEAL_H
#define RECORD_SEAL_H

#include "record/keyed.h"

/* `about`: what it is bound to. *out is malloc'ed. */
enum status seal_close(const struct record_key *key, struct str about, struct str text,
                       struct str *out, struct error *err);
/* STATUS_UNSAFE: it was not sealed with this key for this. *out is malloc'ed, with a NUL after
 * it. */
enum status seal_open(const struct record_key *key, struct str about, struct str sealed,
                      struct str *out, struct error *err);
void seal_free(struct str *text); /* wipes it */

#endif
