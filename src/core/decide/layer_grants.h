/* layer_grants.h - the key of an approved action: a hash, in hexadecimal digits. Sessions are kept
 * in files, which need not contain the text of commands. */
#ifndef DECIDE_LAYER_GRANTS_H
#define DECIDE_LAYER_GRANTS_H

#include "decide/layer.h"

struct str grant_key(struct arena *a, const struct facts *f, size_t action);

/* mini: the key of the text that a person was shown and confirmed. */
struct str confirm_key(struct arena *a, const struct facts *f, struct str shown);

#endif
