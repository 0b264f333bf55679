/* processor.c - whether this processor has instructions for SHA-256. A cell lives long enough to
 * ask it, once. */
#include "base/sha256_parts.h"

#ifdef __x86_64__
#include <cpuid.h>

bool cell_has_sha256(void)
{
    static enum { UNKNOWN, MISSING, THERE } found;
    unsigned a, b, c = 0, d, more = 0;

    if (found == UNKNOWN) {
        const bool asked =
            __get_cpuid(1, &a, &b, &c, &d) && __get_cpuid_count(7, 0, &a, &more, &b, &d);
        found = asked && (c & bit_SSSE3) && (more & bit_SHA) ? THERE : MISSING;
    }
    return found == THERE;
}

#else

bool cell_has_sha256(void)
{
    return false;
}

#endif
