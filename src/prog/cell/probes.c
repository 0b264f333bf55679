#include "cell/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>

#include "base/auto.h"
#include "base/str.h"
#include "cell/kernel.h"

/* The working directory is the place: names below are relative to it. */
struct probe_world {
    pid_t process; /* outside */
    in_port_t port;
    enum tier tier;
};

static bool writes(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    return fd >= 0 && write(fd, "x", 1) == 1;
}

static bool reads(const char *path)
{
    char byte;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    return fd >= 0 && read(fd, &byte, 1) >= 0;
}

/* ---- files ---- */

static bool appends(const struct probe_world *w)
{
    (void)w;
    return writes(PROBES_OUTSIDE);
}

static bool writes_by_link(const struct probe_world *w)
{
    (void)w;
    return symlink("../" PROBES_OUTSIDE, PROBES_WORK "/link") == 0 && writes(PROBES_WORK "/link");
}

static bool links(const struct probe_world *w)
{
    (void)w;
    return link(PROBES_OUTSIDE, PROBES_WORK "/hard") == 0;
}

static bool moves_over(const struct probe_world *w)
{
    (void)w;
    return writes(PROBES_WORK "/mine") && rename(PROBES_WORK "/mine", PROBES_OUTSIDE) == 0;
}

static bool opens_again(const struct probe_world *w)
{
    char path[64];
    AUTO_CLOSE int fd = open(PROBES_OUTSIDE, O_RDONLY | O_CLOEXEC);

    (void)w;
    (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    AUTO_CLOSE int again = open(path, O_WRONLY | O_CLOEXEC);
    return fd >= 0 && again >= 0;
}

static bool changes_mode(const struct probe_world *w)
{
    (void)w;
    return chmod(PROBES_OUTSIDE, 0777) == 0;
}

static bool changes_times(const struct probe_world *w)
{
    (void)w;
    return utimensat(AT_FDCWD, PROBES_OUTSIDE, NULL, 0) == 0;
}

static bool removes(const struct probe_world *w)
{
    (void)w;
    return unlink(PROBES_OUTSIDE) == 0;
}

/* ---- protected and hidden ---- */

static bool writes_protected(const struct probe_world *w)
{
    (void)w;
    return writes(PROBES_PROTECTED);
}

static bool moves_protected(const struct probe_world *w)
{
    (void)w;
    return rename(PROBES_WORK "/kept", PROBES_WORK "/moved") == 0;
}

static bool makes_refused(const struct probe_world *w)
{
    (void)w;
    return writes(PROBES_WORK "/" PROBES_REFUSED);
}

static bool reads_hidden(const struct probe_world *w)
{
    (void)w;
    return reads(PROBES_SECRET);
}

static bool reads_device(const struct probe_world *w)
{
    (void)w;
    return reads("/dev/mem") || reads("/dev/kmsg");
}

/* It is opened, and not written: this must not harm where it succeeds. */
static bool opens_setting(const struct probe_world *w)
{
    AUTO_CLOSE int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY | O_CLOEXEC);

    (void)w;
    return fd >= 0;
}

static bool has_secret(const struct probe_world *w)
{
    (void)w;
    return getenv(PROBES_VARIABLE) != NULL;
}

static bool has_descriptor(const struct probe_world *w)
{
    (void)w;
    for (int fd = 3; fd < 256; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return true;
    return false;
}

/* ---- processes and privileges ---- */

static bool sees(const struct probe_world *w)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/%d", (int)w->process);
    return access(path, F_OK) == 0;
}

static bool gains(const struct probe_world *w)
{
    (void)w;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

static bool dumps(const struct probe_world *w)
{
    struct rlimit core;

    (void)w;
    return getrlimit(RLIMIT_CORE, &core) != 0 || core.rlim_max != 0;
}

static bool signals(const struct probe_world *w)
{
    return kill(w->process, 0) == 0;
}

static bool traces(const struct probe_world *w)
{
    return ptrace(PTRACE_SEIZE, w->process, NULL, NULL) == 0;
}

static bool limits(const struct probe_world *w)
{
    struct rlimit now;

    return prlimit(w->process, RLIMIT_NOFILE, NULL, &now) == 0;
}

static bool makes_namespace(const struct probe_world *w)
{
    (void)w;
    return unshare(CLONE_NEWUSER) == 0;
}

static bool mounts(const struct probe_world *w)
{
    (void)w;
    return mount("none", PROBES_WORK, "tmpfs", 0, NULL) == 0 ||
           umount2(PROBES_HIDDEN, MNT_DETACH) == 0;
}

static bool has_capability(const struct probe_world *w)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};

    (void)w;
    return syscall(SYS_capget, &header, sets) != 0 || sets[0].permitted || sets[1].permitted;
}

static bool has_keys(const struct probe_world *w)
{
    (void)w;
    return syscall(SYS_keyctl, 0, -3, 0, 0, 0) >= 0; /* KEYCTL_GET_KEYRING_ID of the session */
}

static bool loads_program(const struct probe_world *w)
{
    char room[128] = {0};

    (void)w;
    return syscall(SYS_bpf, 0, room, sizeof(room)) >= 0;
}

/* ---- sockets ---- */

static bool reaches(const void *address, socklen_t size)
{
    const struct sockaddr *to = address;
    AUTO_CLOSE int fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

    return fd >= 0 && connect(fd, to, size) == 0;
}

static bool reaches_socket(const struct probe_world *w)
{
    const struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = PROBES_SOCKET};

    (void)w;
    return reaches(&to, sizeof(to));
}

static bool reaches_host(const struct probe_world *w)
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(w->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    return reaches(&to, sizeof(to));
}

static bool types(const struct probe_world *w)
{
    (void)w;
    return ioctl(STDIN_FILENO, TIOCSTI, "") == 0;
}

/* The numbers are those of tests/cell/attempts.py. A Landlock cell mends what is protected when it
 * ends, and check.c looks whether it did; processes outside can be seen from it, and no more. */
static const struct {
    const char *name;
    bool (*escapes)(const struct probe_world *w);
    bool possible; /* without namespaces */
} probes[] = {
    {"E01 write outside", appends},
    {"E03 write outside by a link", writes_by_link},
    {"E05 hard link to a file outside", links},
    {"E07 move a file over one outside", moves_over},
    {"E10 remove a file outside", removes},
    {"E13 open again for writing", opens_again},
    {"E14 change the mode of a file outside", changes_mode},
    {"E15 change the times of a file outside", changes_times},
    {"E19 change a setting of the kernel", opens_setting},
    {"E23 write a protected file", writes_protected, .possible = true},
    {"E25 move a protected place", moves_protected, .possible = true},
    {"E27 make a name that is refused", makes_refused},
    {"E32 read what is hidden", reads_hidden},
    {"E36 read a device", reads_device},
    {"E37 see a secret variable", has_secret},
    {"E41 see a process outside", sees, .possible = true},
    {"E42 signal a process outside", signals},
    {"E43 trace a process outside", traces},
    {"E44 have a descriptor of somebody else", has_descriptor},
    {"E45 limit a process outside", limits},
    {"E50 make a namespace", makes_namespace},
    {"E52 mount", mounts},
    {"E54 gain privileges", gains},
    {"E56 have a capability", has_capability},
    {"E58 use the kernel's keys", has_keys},
    {"E59 load a program into the kernel", loads_program},
    {"E61 reach a unix socket outside", reaches_socket},
    {"E67 reach the host's network", reaches_host},
    {"E83 type into the terminal", types},
    {"E85 leave a core file", dumps},
};

const char *probes_name(int code)
{
    return code > 0 && (size_t)code <= COUNT(probes) ? probes[code - 1].name
                                                     : "ordinary work is not possible";
}

/* A cell in which nothing works holds everything: what must work is probed, too. */
static bool works(void)
{
    return writes(PROBES_WORK "/own") && mkdir(PROBES_WORK "/new", 0700) == 0 &&
           rename(PROBES_WORK "/own", PROBES_WORK "/new/own") == 0 && reads("/etc/passwd") &&
           writes("/dev/null");
}

int probes_run(int count, char **words)
{
    struct probe_world w;

    if (count != 4 || chdir(words[0]) != 0)
        return PROBES_BROKEN;
    w.process = (pid_t)strtol(words[1], NULL, 10);
    w.port = (in_port_t)strtol(words[2], NULL, 10);
    w.tier = strcmp(words[3], plan_tier_name(TIER_LANDLOCK)) == 0 ? TIER_LANDLOCK : TIER_NAMESPACES;
    if (!works())
        return PROBES_BROKEN;
    for (size_t i = 0; i < COUNT(probes); i++)
        if (probes[i].escapes(&w) && !(probes[i].possible && w.tier == TIER_LANDLOCK))
            return (int)i + 1;
    return PROBES_HELD;
}
