/* codex_trust.h - has a person trusted our hooks in Codex?
 *
 * Codex skips a hook without a word until a person has agreed to it in
 * Codex's own window. What was agreed to is in config.toml beside hooks.json: under
 * [hooks.state."FILE:EVENT:GROUP:HANDLER"] the SHA-256 of the entry, as JSON with sorted keys and
 * its defaults filled in (measured: 0.166). */
#ifndef CONNECT_CODEX_TRUST_H
#define CONNECT_CODEX_TRUST_H

#include "connect/place.h"

enum hook_trust {
    HOOK_TRUST_UNUSED = 0, /* this client asks no one */
    HOOK_TRUST_MISSING,    /* for one of our entries at least */
    HOOK_TRUST_OUTDATED,   /* an earlier form of it was trusted */
    HOOK_TRUST_OFF,        /* a person has switched it off */
    HOOK_TRUST_GIVEN,
};

/* Of what `said` says is registered at `place`. What cannot be read counts as missing. Not below an
 * arena_try(). */
enum hook_trust codex_trust(struct arena *a, const struct place *place,
                            const struct registered *said);

#endif
