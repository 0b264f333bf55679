#include "cell/answer.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/ascii.h"
#include "base/path.h"
#include "cell/filter.h"

#define PAGE 4096u

/* Where the path of a call is. */
struct called {
    int call;
    int directory, path;   /* arguments; directory -1: relative to the working directory */
    int directory2, path2; /* of the new name of a rename; path2 0: none */
    bool makes;            /* a name that may not have been there */
};

static const struct called calls[] = {
    {SYS_openat, 0, 1, 0, 0, true},    {SYS_mkdirat, 0, 1, 0, 0, true},
    {SYS_mknodat, 0, 1, 0, 0, true},   {SYS_symlinkat, 1, 2, 0, 0, true},
    {SYS_linkat, 2, 3, 0, 0, true},    {SYS_unlinkat, 0, 1, 0, 0, false},
    {SYS_renameat2, 0, 1, 2, 3, true}, {SYS_truncate, -1, 0, 0, 0, false},
#ifdef SYS_renameat
    {SYS_renameat, 0, 1, 2, 3, true},
#endif
#ifdef SYS_open
    {SYS_open, -1, 0, 0, 0, true},     {SYS_creat, -1, 0, 0, 0, true},
    {SYS_mkdir, -1, 0, 0, 0, true},    {SYS_mknod, -1, 0, 0, 0, true},
    {SYS_symlink, -1, 1, 0, 0, true},  {SYS_link, -1, 1, 0, 0, true},
    {SYS_unlink, -1, 0, 0, 0, false},  {SYS_rmdir, -1, 0, 0, 0, false},
    {SYS_rename, -1, 0, -1, 1, true},
#endif
};

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
static bool read_text(const struct answers *a, const struct seccomp_notif *call, uint64_t address,
                      char out[PATH_MAX])
{
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

/* The directory as the disk has it, and the last name as it was given. */
static bool resolve(char path[PATH_MAX], char out[PATH_MAX])
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    if (!realpath(path[0] ? path : "/", out))
        return false;
    size_t used = strlen(out);
    int more = snprintf(out + used, PATH_MAX - used, "%s%s", used > 1 ? "/" : "", slash + 1);
    return more >= 0 && (size_t)more < PATH_MAX - used;
}

static bool path_of(const struct answers *a, const struct seccomp_notif *call, int directory,
                    int argument, char out[PATH_MAX])
{
    char text[PATH_MAX], whole[PATH_MAX];

    if (!read_text(a, call, call->data.args[argument], text))
        return false;
    if (text[0] == '/')
        return resolve(text, out);
    if (!base_of(call, directory, whole))
        return false;
    size_t used = strlen(whole);
    int more = snprintf(whole + used, sizeof(whole) - used, "/%s", text);
    return more >= 0 && (size_t)more < sizeof(whole) - used && resolve(whole, out);
}

/* ---- what is said of it ---- */

static bool is_inside_any(const struct strs *list, struct str path)
{
    for (size_t i = 0; i < list->count; i++)
        if (path_is_inside(path, list->items[i]))
            return true;
    return false;
}

static bool part_is(struct str pattern, struct str part)
{
    struct str before, after;

    if (!str_cut(pattern, '*', &before, &after))
        return str_eq_nocase(pattern, part);
    return part.len >= before.len + after.len &&
           str_eq_nocase(before, str_slice(part, 0, before.len)) &&
           str_eq_nocase(after, str_from_byte(part, part.len - after.len));
}

static bool begins_with(struct str path, struct str pattern)
{
    struct str wanted, part;

    while (pattern.len) {
        if (!path.len)
            return false;
        str_cut(pattern, '/', &wanted, &pattern);
        str_cut(path, '/', &part, &path);
        if (!part_is(wanted, part))
            return false;
    }
    return true;
}

/* Has the path, anywhere below a writable directory, a name that must not be made? */
static bool is_refused_name(const struct plan *plan, struct str path)
{
    struct str rest = {0}, part;

    for (size_t i = 0; i < plan->write.count && !rest.len; i++)
        path_relative(plan->write.items[i], path, &rest);
    for (; rest.len; str_cut(rest, '/', &part, &rest))
        for (size_t i = 0; i < plan->refuse.count; i++)
            if (begins_with(rest, plan->refuse.items[i]))
                return true;
    return false;
}

static bool is_outside(const struct plan *plan, struct str path)
{
    return !path_is_inside(path, STR("/dev")) && !path_is_inside(path, STR("/proc")) &&
           (!is_inside_any(&plan->write, path) || is_inside_any(&plan->protect, path));
}

/* 0: it may go on. */
static int judge(struct answers *a, const struct called *row, char text[PATH_MAX])
{
    struct str path = str_from(text);

    if (is_outside(a->plan, path)) {
        report_refusal(a->report, REFUSED_WRITE, path);
        return 0; /* the mounts refuse it, with the error that programs know */
    }
    if (row->makes && is_refused_name(a->plan, path) && access(text, F_OK) != 0) {
        report_refusal(a->report, REFUSED_NAME, path);
        return -EACCES;
    }
    return 0;
}

static bool sets_bits(const struct seccomp_notif *call)
{
    const __u64 *args = call->data.args;

    if (call->data.nr == SYS_openat)
        return (args[2] & O_CREAT) && (args[3] & FILTER_MODE_BITS);
#ifdef SYS_open
    if (call->data.nr == SYS_open)
        return (args[1] & O_CREAT) && (args[2] & FILTER_MODE_BITS);
#endif
    return false;
}

static int judge_call(struct answers *a, const struct seccomp_notif *call, const struct called *row)
{
    char path[PATH_MAX];
    int result = 0;

    if (sets_bits(call))
        return -EPERM;
    /* What cannot be read here cannot be read by the kernel either, or is a trick: it goes on, and
     * meets the mounts. */
    if (path_of(a, call, row->directory, row->path, path))
        result = judge(a, row, path);
    if (!result && row->path2 && path_of(a, call, row->directory2, row->path2, path))
        result = judge(a, row, path);
    return result;
}

/* ---- answering ---- */

void answer_send(const struct answers *a, uint64_t id, int result)
{
    struct seccomp_notif_resp response = {.id = id, .error = result};

    (void)kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

static void go_on(const struct answers *a, uint64_t id)
{
    struct seccomp_notif_resp response = {.id = id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};

    (void)kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

void answer_next(struct answers *a)
{
    struct seccomp_notif call = {0};

    if (kernel_notification(a->listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return; /* the caller is gone */
    const struct called *row = find_call(call.data.nr);
    if (call.data.nr == SYS_connect) {
        connect_answer(a, &call);
        return;
    }
    int result = row ? judge_call(a, &call, row) : -ENOSYS;
    if (result)
        answer_send(a, call.id, result);
    else
        go_on(a, call.id);
}
