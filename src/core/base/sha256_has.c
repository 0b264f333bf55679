/* sha256_has.c - does this processor have SHA instructions? glibc found out before main(): in a
 * virtual machine, asking the processor again would take longer than all the hashing of a hook.
 * warder-hook has no glibc: it names a function of its own (cmake/hook.cmake). */
#include "base/sha256_parts.h"

#if defined(SHA256_PROBE)

bool sha256_has_x86(void)
{
    return SHA256_PROBE();
}

#elif defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
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
