#include "cell/answer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/auto.h"
#include "base/path.h"
#include "cell/behalf.h"
#include "cell/filter.h"
#include "cell/landlock.h"
#include "cell/left.h"
#include "cell/names.h"
#include "cell/processes.h"
#include "cell/protect.h"
#include "cell/recorder.h"
#include "cell/where.h"

#define PAGE 4096u

/* Where the path of a call is. */
struct called {
    int call;
    int directory, path; /* arguments; directory -1: relative to the working directory; path -1: the
                            descriptor is meant */
    enum change change;
    int directory2, path2; /* of the other name of a rename or link; path2 -1: none */
    int flags;             /* of an open(); -1: as creat() */
    enum recorded recorded;
};

/* clang-format off */
static const struct called calls[] = {
    {SYS_openat, 0, 1, CHANGE_OPEN, 0, -1, 2, RECORDED_WRITE},
    {SYS_mkdirat, 0, 1, CHANGE_MAKE, 0, -1, -1, RECORDED_MAKE},
    {SYS_mknodat, 0, 1, CHANGE_MAKE, 0, -1, -1, RECORDED_MAKE},
    {SYS_symlinkat, 1, 2, CHANGE_PUT, 0, -1, -1, RECORDED_MAKE},
    {SYS_linkat, 2, 3, CHANGE_PUT, 0, 1, -1, RECORDED_LINK},
    {SYS_unlinkat, 0, 1, CHANGE_ANY, 0, -1, -1, RECORDED_REMOVE},
    {SYS_renameat2, 2, 3, CHANGE_PUT, 0, 1, -1, RECORDED_MOVE},
    {SYS_truncate, -1, 0, CHANGE_ANY, 0, -1, -1, RECORDED_WRITE},
    {SYS_fchmod, 0, -1, CHANGE_ANY, 0, -1, -1, RECORDED_MODE},
    {SYS_fchmodat, 0, 1, CHANGE_ANY, 0, -1, -1, RECORDED_MODE},
    {KERNEL_SYS_FCHMODAT2, 0, 1, CHANGE_ANY, 0, -1, -1, RECORDED_MODE},
#ifdef SYS_renameat
    {SYS_renameat, 2, 3, CHANGE_PUT, 0, 1, -1, RECORDED_MOVE},
#endif
#ifdef SYS_open
    {SYS_open, -1, 0, CHANGE_OPEN, 0, -1, 1, RECORDED_WRITE},
    {SYS_creat, -1, 0, CHANGE_OPEN, 0, -1, -1, RECORDED_WRITE},
    {SYS_mkdir, -1, 0, CHANGE_MAKE, 0, -1, -1, RECORDED_MAKE},
    {SYS_mknod, -1, 0, CHANGE_MAKE, 0, -1, -1, RECORDED_MAKE},
    {SYS_symlink, -1, 1, CHANGE_PUT, 0, -1, -1, RECORDED_MAKE},
    {SYS_link, -1, 1, CHANGE_PUT, -1, 0, -1, RECORDED_LINK},
    {SYS_unlink, -1, 0, CHANGE_ANY, 0, -1, -1, RECORDED_REMOVE},
    {SYS_rmdir, -1, 0, CHANGE_ANY, 0, -1, -1, RECORDED_REMOVE},
    {SYS_rename, -1, 1, CHANGE_PUT, -1, 0, -1, RECORDED_MOVE},
    {SYS_chmod, -1, 0, CHANGE_ANY, 0, -1, -1, RECORDED_MODE},
#endif
};
/* clang-format on */

static const struct called *find_call(int number)
{
    for (size_t i = 0; i < COUNT(calls); i++)
        if (calls[i].call == number)
            return &calls[i];
    return NULL;
}

/* ---- the caller's memory ---- */

/* The number of a process may be given to another one: what was read counts only if the call is
 * still waiting. */
static bool is_waiting(const struct answers *a, const struct seccomp_notif *call)
{
    uint64_t id = call->id;

    return kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

bool answer_read(const struct answers *a, const struct seccomp_notif *call, uint64_t address,
                 void *out, size_t size)
{
    struct iovec here = {out, size}, there = {(void *)(uintptr_t)address, size};

    return process_vm_readv((pid_t)call->pid, &here, 1, &there, 1, 0) == (ssize_t)size &&
           is_waiting(a, call);
}

/* Page by page: the text may end right before memory that is not there. */
bool answer_text(const struct answers *a, const struct seccomp_notif *call, int argument,
                 char out[PATH_MAX])
{
    const uint64_t address = call->data.args[argument];

    for (size_t got = 0; got < PATH_MAX - 1;) {
        size_t part = PAGE - ((address + got) % PAGE);
        if (part > PATH_MAX - 1 - got)
            part = PATH_MAX - 1 - got;
        if (!answer_read(a, call, address + got, out + got, part))
            return false;
        if (memchr(out + got, '\0', part))
            return true;
        got += part;
    }
    return false;
}

int answer_take(const struct seccomp_notif *call, int number)
{
    /* only the process of a thread has a descriptor for it */
    AUTO_CLOSE int process = (int)syscall(SYS_pidfd_open, processes_of((pid_t)call->pid), 0);

    return process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, number, 0);
}

int answer_give(struct answers *a, const struct seccomp_notif *call, int fd, bool close_on_exec)
{
    struct seccomp_notif_addfd given = {.id = call->id,
                                        .flags = SECCOMP_ADDFD_FLAG_SEND,
                                        .srcfd = (uint32_t)fd,
                                        .newfd_flags = close_on_exec ? O_CLOEXEC : 0};

    return kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &given) < 0 ? -errno
                                                                                   : ANSWER_SENT;
}

/* ---- the path that is meant ---- */

static bool base_of(const struct seccomp_notif *call, int directory, char out[PATH_MAX])
{
    char link[64];
    int fd = directory < 0 ? AT_FDCWD : (int)call->data.args[directory];

    if (fd == AT_FDCWD)
        (void)snprintf(link, sizeof(link), "/proc/%u/cwd", call->pid);
    else
        (void)snprintf(link, sizeof(link), "/proc/%u/fd/%d", call->pid, fd);
    ssize_t len = readlink(link, out, PATH_MAX - 1);
    if (len <= 0)
        return false;
    out[len] = '\0';
    return out[0] == '/';
}

/* False: it is not known; *out is the text that was given, or nothing. */
static bool path_of(const struct answers *a, const struct seccomp_notif *call, int directory,
                    int argument, bool follow, char out[PATH_MAX])
{
    char text[PATH_MAX], whole[PATH_MAX];

    out[0] = '\0';
    if (argument < 0)
        return base_of(call, directory, whole) &&
               where_is(a->root, (pid_t)call->pid, whole, follow, out);
    if (!answer_text(a, call, argument, text))
        return false;
    if (text[0] == '/')
        return where_is(a->root, (pid_t)call->pid, text, follow, out);
    memcpy(out, text, strlen(text) + 1);
    if (!base_of(call, directory, whole))
        return false;
    size_t used = strlen(whole);
    int more = snprintf(whole + used, sizeof(whole) - used, "/%s", text);
    return more >= 0 && (size_t)more < sizeof(whole) - used &&
           where_is(a->root, (pid_t)call->pid, whole, follow, out);
}

/* ---- what is said of it ---- */

static bool is_outside(const struct plan *plan, struct str path)
{
    return !path_is_inside(path, STR("/dev")) && !path_is_inside(path, STR("/proc")) &&
           !plan_can_write(plan, path);
}

/* May a new name be made by this change? */
static bool is_refused(const struct plan *plan, bool known, const char *text, enum change change)
{
    struct str path = str_from(text);
    enum names_match match;

    if (change == CHANGE_ANY)
        return false;
    if (!known)
        return names_may_be(plan, path);
    match = names_match_path(plan, path);
    if (match == NAMES_LEADS) /* what is there now may be empty */
        return change == CHANGE_PUT;
    return match != NAMES_FREE && access(text, F_OK) != 0;
}

/* What covers a hidden directory has no name of its own, and the kernel calls it deleted. */
static void report_hidden(struct answers *a, struct str path)
{
    static const struct str mark = {" (deleted)", sizeof(" (deleted)") - 1};
    char text[REPORT_TEXT];

    for (size_t i = 0; i < a->plan->hide.count; i++) {
        const struct str place = a->plan->hide.items[i], rest = str_from_byte(path, place.len);
        if (!str_starts(path, place) || !str_starts(rest, mark))
            continue;
        (void)snprintf(text, sizeof(text), "%.*s%.*s", STR_ARG(place),
                       STR_ARG(str_from_byte(rest, mark.len)));
        path = str_from(text);
        break;
    }
    report_refusal(a->report, REFUSED_WRITE, path);
}

/* 0: it may go on. What cannot be read here cannot be read by the kernel either, or is a trick: it
 * meets the mounts, and the tripwire. */
static int judge(struct answers *a, bool known, const char *text, enum change change)
{
    struct str path = str_from(text);

    if (a->plan->tier == TIER_LANDLOCK && protect_is_meant(a->plan, known, text, change)) {
        report_refusal(a->report, REFUSED_WRITE, path);
        return -EACCES;
    }
    if (known && is_outside(a->plan, path)) {
        report_hidden(a, path);
        return 0; /* the mounts refuse it, with the error that programs know */
    }
    if (!is_refused(a->plan, known, text, change))
        return 0;
    report_refusal(a->report, REFUSED_NAME, path);
    return -EACCES;
}

static uint64_t flags_of(const struct seccomp_notif *call, const struct called *row)
{
    return row->flags < 0 ? O_CREAT | O_WRONLY | O_TRUNC : call->data.args[row->flags];
}

static bool sets_bits(const struct seccomp_notif *call, const struct called *row)
{
    return row->flags >= 0 && (flags_of(call, row) & O_CREAT) &&
           (call->data.args[row->flags + 1] & FILTER_MODE_BITS);
}

/* What the registers alone say: the rest is in memory. */
static enum change change_of(const struct seccomp_notif *call, const struct called *row)
{
    if (row->change == CHANGE_OPEN && !(flags_of(call, row) & O_CREAT))
        return CHANGE_ANY;
    return row->change;
}

static bool follows(const struct seccomp_notif *call, const struct called *row)
{
    return (row->change == CHANGE_OPEN && !(flags_of(call, row) & (O_NOFOLLOW | O_EXCL))) ||
           row->call == SYS_truncate || row->recorded == RECORDED_MODE;
}

/* Then the old name is a new one, too. */
static bool exchanges(const struct seccomp_notif *call)
{
    return call->data.nr == SYS_renameat2 && (call->data.args[4] & KERNEL_RENAME_EXCHANGE);
}

/* What would stand at the old name is for file systems that lie over another one. */
static bool leaves_whiteout(const struct seccomp_notif *call)
{
    return call->data.nr == SYS_renameat2 && (call->data.args[4] & KERNEL_RENAME_WHITEOUT);
}

/* open() for reading that empties the file: Landlock did not know that at first. */
static bool empties_unseen(const struct answers *a, const struct seccomp_notif *call,
                           const struct called *row)
{
    const uint64_t flags = row->change == CHANGE_OPEN ? flags_of(call, row) : 0;

    return a->plan->tier == TIER_LANDLOCK && a->landlock < LANDLOCK_TRUNCATE && (flags & O_TRUNC) &&
           (flags & O_ACCMODE) == O_RDONLY;
}

/* A shell has run its text. The name is not there, and nobody makes it. */
static bool tells_its_end(struct answers *a, const struct seccomp_notif *call,
                          const struct called *row)
{
    char text[PATH_MAX], place[PATH_MAX];

    if (!a->plan->follow || change_of(call, row) != CHANGE_OPEN ||
        !answer_text(a, call, row->path, text) || !left_is_mark(text))
        return false;
    if (base_of(call, row->directory, place))
        memcpy(a->left, place, sizeof(a->left));
    return true;
}

/* The new name is not the old one: a link, or one that is moved. */
static bool is_renamed(const struct called *row)
{
    return row->recorded == RECORDED_MOVE;
}

/* ---- what is saved of it ---- */

static enum recorded recorded_of(const struct seccomp_notif *call, const struct called *row)
{
    const uint64_t exclusive = O_CREAT | O_EXCL;

    if (row->recorded == RECORDED_MOVE && exchanges(call))
        return RECORDED_EXCHANGE;
    if (row->flags >= 0 && (flags_of(call, row) & exclusive) == exclusive)
        return RECORDED_MAKE; /* what is there is not opened */
    return row->recorded;
}

/* A path that is not known leads nowhere, or is a trick. */
static int record(struct answers *a, const struct seccomp_notif *call, const struct called *row,
                  const char *path, const char *other)
{
    const bool makes = change_of(call, row) != CHANGE_ANY;

    const enum recorded what = recorded_of(call, row);

    if (recorder_save(a->recorder, what, str_from(path), str_from(other), makes))
        return 0;
    return what == RECORDED_EXCHANGE ? -EINVAL : -ENOSPC;
}

/* ---- each call ---- */

static int judge_call(struct answers *a, const struct seccomp_notif *call, const struct called *row)
{
    const enum change change = change_of(call, row);
    char path[PATH_MAX], other[PATH_MAX] = "";
    bool known, known2 = true;

    if (tells_its_end(a, call, row))
        return -ENOENT;
    if (sets_bits(call, row))
        return -EPERM;
    if (empties_unseen(a, call, row))
        return -EACCES;
    if (leaves_whiteout(call))
        return -EINVAL; /* as where the disk cannot do it */
    if (change != CHANGE_ANY)
        tripwire_arm(a->tripwire);
    known = path_of(a, call, row->directory, row->path, follows(call, row), path);
    int result = judge(a, known, path, change);
    if (!result && row->path2 >= 0 && (is_renamed(row) || a->recorder))
        known2 = path_of(a, call, row->directory2, row->path2, false, other);
    if (!result && is_renamed(row))
        result = judge(a, known2, other, exchanges(call) ? CHANGE_PUT : CHANGE_ANY);
    return result || !a->recorder || !known ? result
                                            : record(a, call, row, path, known2 ? other : "");
}

/* ---- answering ---- */

/* A caller that is gone needs no answer; one that waits for ever must not be. */
static void respond(struct answers *a, struct seccomp_notif_resp *response)
{
    if (kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_SEND, response) == 0)
        atomic_store(&a->answered, true);
    else if (errno != ENOENT)
        atomic_store(&a->broken, true);
}

void answer_send(struct answers *a, uint64_t id, int result)
{
    respond(a, &(struct seccomp_notif_resp){.id = id, .error = result});
}

static void go_on(struct answers *a, uint64_t id)
{
    respond(a, &(struct seccomp_notif_resp){.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE});
}

/* A new process is as confined as its parent. That the keeper is asked for it is what lets all of
 * them be ended (processes.h). */
static int go_on_always(struct answers *a, const struct seccomp_notif *call)
{
    (void)a, (void)call;
    return ANSWER_GO_ON;
}

/* What the keeper answers for a cell without namespaces. */
static const struct {
    int call;
    int (*answer)(struct answers *a, const struct seccomp_notif *call);
} behalves[] = {
    {SYS_bind, behalf_bind},
    {SYS_listen, behalf_listen},
    {SYS_socket, behalf_socket},
    {SYS_ioctl, behalf_terminal},
    {SYS_fchmod, behalf_change},
    {SYS_fchmodat, behalf_change},
    {KERNEL_SYS_FCHMODAT2, behalf_change},
    {SYS_fchown, behalf_change},
    {SYS_fchownat, behalf_change},
    {SYS_utimensat, behalf_change},
    {SYS_prlimit64, processes_set},
    {SYS_sched_setaffinity, processes_set},
    {SYS_sched_setscheduler, processes_set},
    {SYS_sched_setparam, processes_set},
    {SYS_sched_setattr, processes_set},
    {SYS_setpriority, processes_set},
    {SYS_ioprio_set, processes_set},
    {SYS_kill, processes_signal},
    {SYS_tkill, processes_signal},
    {SYS_tgkill, processes_signal},
    {SYS_rt_sigqueueinfo, processes_signal},
    {SYS_rt_tgsigqueueinfo, processes_signal},
    {SYS_clone, go_on_always},
#ifdef SYS_fork
    {SYS_fork, go_on_always},
    {SYS_vfork, go_on_always},
    {SYS_chmod, behalf_change},
    {SYS_chown, behalf_change},
    {SYS_lchown, behalf_change},
    {SYS_utime, behalf_change},
    {SYS_utimes, behalf_change},
    {SYS_futimesat, behalf_change},
#endif
};

/* What is done on behalf is saved before, too. */
static void record_change(struct answers *a, const struct seccomp_notif *call)
{
    const struct called *row = a->recorder ? find_call(call->data.nr) : NULL;
    char path[PATH_MAX];

    if (row && (row->recorded == RECORDED_MODE || call->data.nr == SYS_truncate) &&
        path_of(a, call, row->directory, row->path, true, path))
        (void)record(a, call, row, path, "");
}

/* ANSWER_NONE: it is not one of these. */
static int do_on_behalf(struct answers *a, const struct seccomp_notif *call)
{
    if (a->plan->tier != TIER_LANDLOCK)
        return ANSWER_NONE;
    record_change(a, call);
    if (call->data.nr == SYS_truncate && a->landlock < LANDLOCK_TRUNCATE)
        return behalf_change(a, call);
    for (size_t i = 0; i < COUNT(behalves); i++)
        if (behalves[i].call == call->data.nr)
            return behalves[i].answer(a, call);
    return ANSWER_NONE;
}

static int judge_row(struct answers *a, const struct seccomp_notif *call)
{
    const struct called *row = find_call(call->data.nr);
    const int result = row ? judge_call(a, call, row) : -ENOSYS;

    return result ? result : ANSWER_GO_ON;
}

void answer_next(struct answers *a)
{
    struct seccomp_notif call = {0};

    if (kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return; /* the caller is gone */
    if (call.data.nr == SYS_connect) {
        connect_answer(a, &call);
        return;
    }
    int result = do_on_behalf(a, &call);
    if (result == ANSWER_NONE)
        result = judge_row(a, &call);
    if (result == ANSWER_GO_ON)
        go_on(a, call.id);
    else if (result != ANSWER_SENT)
        answer_send(a, call.id, result);
}
