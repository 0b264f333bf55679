/* kits.h - what package managers need of the world: the public servers of their registry, and the
 * places in the home where they keep what they have fetched.
 *
 * A program names its kit in its row (`kit`). A sandbox gives a call the kits of its programs, and
 * no other. No kit has a server that is made to show what anybody sends (GitHub); but whoever has
 * an account can publish in most of them, and Go's proxy asks the host that a module names. */
#ifndef PROGRAMS_KITS_H
#define PROGRAMS_KITS_H

#include "programs/programs.h"

#define KITS        8
#define KIT_EFFECTS (EFFECT_FETCH | EFFECT_INSTALL) /* of what needs the servers of one */

struct kit_cache {
    const char *place;    /* below the home */
    const char *variable; /* that names another place; NULL: none does */
};

struct kit {
    const char *name;
    const char *hosts; /* separated by blanks */
    struct kit_cache caches[6];
};
extern const struct kit kits[KITS];

/* NULL: there is none of this name. */
const struct kit *kit_find(struct str name);

/* Of the row, or of its program's. */
const struct kit *program_kit(const struct program_row *row);

#endif
