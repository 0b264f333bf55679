/* openat2.h - openat2(2) as the kernel's own header declares it: musl has no kernel headers. */
#ifndef MACHINE_OPENAT2_H
#define MACHINE_OPENAT2_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RESOLVE_NO_XDEV       0x01u
#define RESOLVE_NO_MAGICLINKS 0x02u
#define RESOLVE_NO_SYMLINKS   0x04u
#define RESOLVE_BENEATH       0x08u

/* -1 with errno: a kernel before 5.6, and some containers, do not have the call. */
static inline int openat2_resolved(int at, const char *path, unsigned flags, unsigned resolve)
{
    const struct {
        uint64_t flags, mode, resolve;
    } how = {.flags = flags | O_CLOEXEC, .resolve = resolve};

    return (int)syscall(SYS_openat2, at, path, &how, sizeof(how));
}

#endif
