#include "cell/filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/str.h"
#include "cell/kernel.h"
#include "cell/landlock.h"

#if defined(__x86_64__)
#define FILTER_ARCHITECTURE AUDIT_ARCH_X86_64
#define FILTER_X32          0x40000000u
#elif defined(__aarch64__)
#define FILTER_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "warder-cell knows the system calls of x86-64 and arm64"
#endif

#define ALLOWED    SECCOMP_RET_ALLOW
#define REFUSED    (SECCOMP_RET_ERRNO | EPERM)
#define NOT_PLACED (SECCOMP_RET_ERRNO | EACCES)
#define NOT_THERE  (SECCOMP_RET_ERRNO | ENOSYS)
#define NO_FAMILY  (SECCOMP_RET_ERRNO | EAFNOSUPPORT)
#define TOLD       SECCOMP_RET_USER_NOTIF
#define NAMESPACES                                                                                 \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)
#define CLONE_TIME  0x80u /* CLONE_NEWTIME: in clone() these bits are a signal */
#define OPENS_WRITE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#define TIOC_STI    0x5412u
#define TIOC_LINUX  0x541Cu

/* When a row counts: always, or when an argument has one of these bits, or none of them, or is this
 * value, or is not, or is an ioctl() of this kind. The kernel, too, looks at 32 bits of each of
 * these arguments. */
enum when { ALWAYS, HAS, LACKS, IS, IS_NOT, IS_KIND };

struct row {
    int call;
    uint32_t action;
    enum when when;
    unsigned argument;
    uint32_t value;
};

#define REFUSE(call)                                                                               \
    {                                                                                              \
        SYS_##call, REFUSED, ALWAYS, 0, 0                                                          \
    }
#define TELL(call)                                                                                 \
    {                                                                                              \
        SYS_##call, TOLD, ALWAYS, 0, 0                                                             \
    }
/* As a file system without attributes says: programs then do without. */
#define NO_ATTRIBUTE(call)                                                                         \
    {                                                                                              \
        SYS_##call, SECCOMP_RET_ERRNO | EOPNOTSUPP, ALWAYS, 0, 0                                   \
    }

/* clang-format off */
static const struct row rows[] = {
    /* mounts and namespaces */
    REFUSE(mount), REFUSE(umount2), REFUSE(pivot_root), REFUSE(chroot), REFUSE(setns),
    REFUSE(open_tree), REFUSE(move_mount), REFUSE(mount_setattr),
    REFUSE(fsopen), REFUSE(fsmount), REFUSE(fsconfig), REFUSE(fspick),
    {KERNEL_SYS_OPEN_TREE_ATTR, REFUSED, ALWAYS, 0, 0},
    {SYS_clone, REFUSED, HAS, 0, NAMESPACES},
    {SYS_unshare, REFUSED, HAS, 0, NAMESPACES | CLONE_TIME},
    /* its flags are in memory; libc then uses clone() */
    {SYS_clone3, NOT_THERE, ALWAYS, 0, 0},
    /* the kernel's own keys, programs, counters and settings */
    REFUSE(keyctl), REFUSE(add_key), REFUSE(request_key), REFUSE(bpf), REFUSE(perf_event_open),
    REFUSE(userfaultfd), REFUSE(kexec_load), REFUSE(init_module), REFUSE(finit_module),
    REFUSE(delete_module), REFUSE(swapon), REFUSE(swapoff), REFUSE(reboot), REFUSE(acct),
    REFUSE(settimeofday), REFUSE(clock_settime), REFUSE(clock_adjtime), REFUSE(adjtimex),
    REFUSE(quotactl), REFUSE(syslog), REFUSE(vhangup), REFUSE(sethostname), REFUSE(setdomainname),
    REFUSE(nfsservctl), REFUSE(lookup_dcookie), REFUSE(fanotify_init),
#ifdef SYS_kexec_file_load
    REFUSE(kexec_file_load),
#endif
#ifdef SYS_iopl
    REFUSE(iopl), REFUSE(ioperm), REFUSE(modify_ldt),
#endif
    /* files and descriptors by another way than their names */
    REFUSE(open_by_handle_at), REFUSE(pidfd_getfd),
    {SYS_io_uring_setup, NOT_THERE, ALWAYS, 0, 0}, {SYS_io_uring_enter, NOT_THERE, ALWAYS, 0, 0},
    {SYS_io_uring_register, NOT_THERE, ALWAYS, 0, 0},
    {SYS_openat2, NOT_THERE, ALWAYS, 0, 0}, /* as clone3() */
    /* what types into the terminal */
    {SYS_ioctl, REFUSED, IS, 1, TIOC_STI}, {SYS_ioctl, REFUSED, IS, 1, TIOC_LINUX},
    /* set-user-ID bits: outside the cell they would count */
    {SYS_fchmod, REFUSED, HAS, 1, FILTER_MODE_BITS},
    {SYS_fchmodat, REFUSED, HAS, 2, FILTER_MODE_BITS},
    {KERNEL_SYS_FCHMODAT2, REFUSED, HAS, 2, FILTER_MODE_BITS},
#ifdef SYS_chmod
    {SYS_chmod, REFUSED, HAS, 1, FILTER_MODE_BITS},
    {SYS_mknod, REFUSED, HAS, 1, FILTER_MODE_BITS}, {SYS_creat, REFUSED, HAS, 1, FILTER_MODE_BITS},
#endif
    {SYS_mknodat, REFUSED, HAS, 2, FILTER_MODE_BITS},
    /* what the keeper does, or hears of */
    TELL(connect),
    {SYS_openat, TOLD, HAS, 2, OPENS_WRITE},
    TELL(mkdirat), TELL(mknodat), TELL(symlinkat), TELL(linkat), TELL(unlinkat), TELL(renameat2),
    TELL(truncate),
#ifdef SYS_renameat
    TELL(renameat),
#endif
#ifdef SYS_open
    {SYS_open, TOLD, HAS, 1, OPENS_WRITE},
    TELL(creat), TELL(mkdir), TELL(mknod), TELL(symlink), TELL(link), TELL(unlink), TELL(rmdir),
    TELL(rename),
#endif
};

/* Without namespaces the cell shares with the machine what they would give it of its own. */
static const struct row landlock_rows[] = {
    /* when it ends nobody hears of calls any more, and none of these can be made: so all processes
     * can be ended */
    {SYS_clone, TOLD, LACKS, 0, CLONE_THREAD},
    /* what belongs to a file and not to its contents: Landlock does not know of it */
    TELL(fchmod), TELL(fchmodat), {KERNEL_SYS_FCHMODAT2, TOLD, ALWAYS, 0, 0},
    TELL(fchown), TELL(fchownat), TELL(utimensat),
    NO_ATTRIBUTE(setxattr), NO_ATTRIBUTE(lsetxattr), NO_ATTRIBUTE(fsetxattr),
    NO_ATTRIBUTE(removexattr), NO_ATTRIBUTE(lremovexattr), NO_ATTRIBUTE(fremovexattr),
    {KERNEL_SYS_SETXATTRAT, NOT_THERE, ALWAYS, 0, 0},
    {KERNEL_SYS_REMOVEXATTRAT, NOT_THERE, ALWAYS, 0, 0},
    {KERNEL_SYS_FILE_SETATTR, NOT_THERE, ALWAYS, 0, 0},
    /* ... also by ioctl(), for which a file need not be open for writing; btrfs makes and removes
     * whole trees by it */
    {SYS_ioctl, ALLOWED, IS, 1, 0x80086601u}, /* FS_IOC_GETFLAGS */
    {SYS_ioctl, ALLOWED, IS, 1, 0x801c581fu}, /* FS_IOC_FSGETXATTR */
    {SYS_ioctl, ALLOWED, IS, 1, 0xc020660bu}, /* FS_IOC_FIEMAP */
    {SYS_ioctl, ALLOWED, IS, 1, 0x40049409u}, /* FICLONE: into a file that is open for writing */
    {SYS_ioctl, ALLOWED, IS, 1, 0x4020940du}, /* FICLONERANGE */
    {SYS_ioctl, REFUSED, IS_KIND, 1, 'f'}, {SYS_ioctl, REFUSED, IS_KIND, 1, 'X'},
    {SYS_ioctl, REFUSED, IS_KIND, 1, 'v'}, {SYS_ioctl, REFUSED, IS_KIND, 1, 'r'},
    {SYS_ioctl, REFUSED, IS_KIND, 1, 0x94}, {SYS_ioctl, REFUSED, IS_KIND, 1, 0xf5},
    /* the other end of a terminal: all of them are in one directory */
    {SYS_ioctl, TOLD, IS, 1, KERNEL_TIOC_PEER},
    /* signals that a file sends */
    {SYS_fcntl, REFUSED, IS, 1, F_SETOWN}, {SYS_fcntl, REFUSED, IS, 1, 15u /* F_SETOWN_EX */},
    {SYS_ioctl, REFUSED, IS, 1, 0x8901u /* FIOSETOWN */},
    {SYS_ioctl, REFUSED, IS, 1, 0x8902u /* SIOCSPGRP */},
    /* other processes of the user: one's own is 0, or its number */
    {SYS_prlimit64, TOLD, IS_NOT, 0, 0}, {SYS_sched_setaffinity, TOLD, IS_NOT, 0, 0},
    {SYS_sched_setscheduler, TOLD, IS_NOT, 0, 0}, {SYS_sched_setparam, TOLD, IS_NOT, 0, 0},
    {SYS_sched_setattr, TOLD, IS_NOT, 0, 0},
    {SYS_setpriority, REFUSED, IS_NOT, 0, 0 /* PRIO_PROCESS */},
    {SYS_setpriority, TOLD, IS_NOT, 1, 0},
    {SYS_ioprio_set, REFUSED, IS_NOT, 0, 1 /* IOPRIO_WHO_PROCESS */},
    {SYS_ioprio_set, TOLD, IS_NOT, 1, 0},
    /* the network of the machine */
    TELL(bind), TELL(listen),
    {SYS_sendto, REFUSED, HAS, 3, MSG_FASTOPEN}, {SYS_sendmsg, REFUSED, HAS, 2, MSG_FASTOPEN},
    {SYS_sendmmsg, REFUSED, HAS, 3, MSG_FASTOPEN},
    /* memory and messages that have keys instead of paths */
    REFUSE(shmget), REFUSE(shmat), REFUSE(shmctl), REFUSE(semget), REFUSE(semop),
    REFUSE(semtimedop), REFUSE(semctl), REFUSE(msgget), REFUSE(msgsnd), REFUSE(msgrcv),
    REFUSE(msgctl), REFUSE(mq_open), REFUSE(mq_unlink),
#ifdef SYS_fork
    TELL(fork), {SYS_vfork, TOLD, ALWAYS, 0, 0}, TELL(chmod), TELL(chown), TELL(lchown), TELL(utime), TELL(utimes),
    TELL(futimesat),
#endif
};

/* What is saved before it changes (recorder.h), and need not be asked otherwise. */
static const struct row record_rows[] = {
    TELL(fchmod), TELL(fchmodat), {KERNEL_SYS_FCHMODAT2, TOLD, ALWAYS, 0, 0},
#ifdef SYS_chmod
    TELL(chmod),
#endif
};

/* On the machine's own network the keeper looks at what kind of socket it is. */
static const struct row socket_rows[] = {
    {SYS_socket, TOLD, IS, 0, AF_INET}, {SYS_socket, TOLD, IS, 0, AF_INET6},
    {SYS_socket, TOLD, IS, 0, AF_NETLINK},
};

/* Where Landlock lets signals through. */
static const struct row signal_rows[] = {
    TELL(kill), TELL(tkill), TELL(tgkill), TELL(rt_sigqueueinfo), TELL(rt_tgsigqueueinfo),
    {SYS_pidfd_send_signal, NOT_THERE, ALWAYS, 0, 0}, /* programs then use kill() */
};
/* Where processes have numbers of their own, and Landlock lets signals through: the group may have
 * members outside, and two calls need no number to name it. */
static const struct row group_rows[] = {
    {SYS_kill, TOLD, IS, 0, 0},
    {SYS_pidfd_send_signal, REFUSED, HAS, 3, KERNEL_PIDFD_SIGNAL_PROCESS_GROUP},
};
/* clang-format on */

#define ROW_STEPS 7

struct program {
    struct sock_filter steps[(COUNT(rows) + COUNT(socket_rows) + COUNT(landlock_rows) +
                              COUNT(signal_rows) + COUNT(group_rows) + COUNT(record_rows)) *
                                 ROW_STEPS +
                             64];
    unsigned short count;
};

static void put(struct program *p, uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    p->steps[p->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct program *p, size_t offset)
{
    put(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *p, uint32_t action)
{
    put(p, BPF_RET | BPF_K, action, 0, 0);
}

static void load_argument(struct program *p, unsigned argument) /* its lower half */
{
    load(p, offsetof(struct seccomp_data, args) + 8 * argument);
}

static void load_call(struct program *p)
{
    load(p, offsetof(struct seccomp_data, nr));
}

/* The number of the call is in the accumulator before and after. */
static void put_row(struct program *p, const struct row *row)
{
    static const struct {
        uint16_t jump;
        bool holds; /* when the jump is taken */
    } tests[] = {[HAS] = {BPF_JSET, true},
                 [LACKS] = {BPF_JSET, false},
                 [IS] = {BPF_JEQ, true},
                 [IS_NOT] = {BPF_JEQ, false},
                 [IS_KIND] = {BPF_JEQ, true}};
    const bool kind = row->when == IS_KIND;

    if (row->when == ALWAYS) {
        put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->call, 0, 1);
        answer(p, row->action);
        return;
    }
    put(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)row->call, 0, kind ? 5 : 4);
    load_argument(p, row->argument);
    if (kind)
        put(p, BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
    put(p, (uint16_t)(BPF_JMP | BPF_K | tests[row->when].jump), kind ? row->value << 8 : row->value,
        !tests[row->when].holds, tests[row->when].holds);
    answer(p, row->action);
    load_call(p);
}

static void put_rows(struct program *p, const struct row *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_row(p, &list[i]);
}

/* Sockets of the families that the cell's own network has, and unix sockets that belong to one
 * peer: a datagram can name another one each time, and a raw unix socket is one for datagrams. */
static void put_sockets(struct program *p)
{
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 2, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 1, 0);
    put(p, BPF_JMP | BPF_JA, 13, 0, 0);
    load_argument(p, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 4, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 3, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 2, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 2, 0);
    answer(p, NO_FAMILY);
    answer(p, SECCOMP_RET_ALLOW);
    load_argument(p, 1);
    put(p, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0); /* without SOCK_CLOEXEC and SOCK_NONBLOCK */
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 2, 0);
    put(p, BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 1, 0);
    answer(p, NOT_PLACED);
    answer(p, SECCOMP_RET_ALLOW);
}

static void make(struct program *p, const struct plan *plan, int landlock)
{
    const enum tier tier = plan->tier;

    load(p, offsetof(struct seccomp_data, arch));
    put(p, BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCHITECTURE, 1, 0);
    answer(p, SECCOMP_RET_KILL_PROCESS);
    load_call(p);
#ifdef FILTER_X32
    put(p, BPF_JMP | BPF_JGE | BPF_K, FILTER_X32, 0, 1);
    answer(p, NOT_THERE);
#endif
    if (tier == TIER_LANDLOCK)
        put_rows(p, socket_rows, COUNT(socket_rows));
    put_sockets(p);
    put_rows(p, rows, COUNT(rows));
    if (tier == TIER_LANDLOCK)
        put_rows(p, landlock_rows, COUNT(landlock_rows));
    if (tier == TIER_LANDLOCK && landlock < LANDLOCK_SIGNALS)
        put_rows(p, signal_rows, COUNT(signal_rows));
    if (tier != TIER_LANDLOCK && landlock < LANDLOCK_SIGNALS)
        put_rows(p, group_rows, COUNT(group_rows));
    if (plan->undo.entry && tier != TIER_LANDLOCK)
        put_rows(p, record_rows, COUNT(record_rows));
    answer(p, SECCOMP_RET_ALLOW);
}

enum status filter_apply(const struct plan *plan, int landlock, int *listener, struct error *err)
{
    const unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
    struct program program = {0};

    make(&program, plan, landlock);
    struct sock_fprog all = {program.count, program.steps};
    /* Signals that arrive while the keeper thinks would restart the call for ever (Go sends them
     * all the time); kernels before 5.19 do not know the flag. */
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      flags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &all);
    if (fd < 0 && errno == EINVAL)
        fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &all);
    if (fd < 0)
        return fail(err, STATUS_IO, "seccomp: %s", strerror(errno));
    *listener = (int)fd;
    return STATUS_OK;
}
