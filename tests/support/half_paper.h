/* half_paper.h - one directory as it is on the disk, and for all the rest the machine of
 * paper_disk.h. */
#ifndef TESTS_SUPPORT_HALF_PAPER_H
#define TESTS_SUPPORT_HALF_PAPER_H

#include "base/world.h"

struct half_paper {
    struct world disk;
    const char *root; /* of what is asked of the disk */
};

/* `h` must live as long as the result. */
struct world half_paper_world(struct half_paper *h);

#endif
