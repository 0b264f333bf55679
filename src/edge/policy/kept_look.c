/* kept_look.c - the part of kept.h that a hook needs. */
#include "policy/kept.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "machine/shelf.h"
#include "policy/state.h"

bool kept_has(const char *state_dir, struct shelf *shelf, const char *digest)
{
    AUTO_CLOSE int directory = -1;

    if (shelf)
        return shelf_has(shelf, digest);
    /* its time says when it was used last */
    return state_find(state_dir, KEPT_BELOW, &directory, NULL) == STATUS_OK && directory >= 0 &&
           utimensat(directory, digest, NULL, AT_SYMLINK_NOFOLLOW) == 0;
}
