/* sha256_has.c - whether this processor has instructions for the hash. glibc has found out before
 * main(); asking the processor each time would take longer, in a virtual machine, than a hook
 * hashes. A hook finds out in its own way. */
#include "base/sha256_parts.h"

#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>

bool sha256_has_x86(void)
{
    return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSSE3);
}

#else

bool sha256_has_x86(void)
{
    return false;
}

#endif
