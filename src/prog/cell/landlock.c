#include "cell/landlock.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "cell/kernel.h"

#define READS                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define USES    (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE)
#define FIRST   ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) /* what the first version knows */
#define DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)

int landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version >= 0)
        return (int)version;
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -1;
}

static uint64_t known_rights(int version)
{
    return FIRST | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
           (version >= 3 ? KERNEL_LANDLOCK_TRUNCATE : 0) |
           (version >= 5 ? KERNEL_LANDLOCK_IOCTL_DEV : 0);
}

/* What a file can have of a directory's rights. */
static uint64_t file_rights(uint64_t rights)
{
    return rights & (LANDLOCK_ACCESS_FS_EXECUTE | USES | KERNEL_LANDLOCK_TRUNCATE |
                     KERNEL_LANDLOCK_IOCTL_DEV);
}

enum status landlock_add(int rules, int fd, const char *path, uint64_t rights, struct error *err)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = fd};
    struct stat st;

    if (fstat(fd, &st) != 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    if (!S_ISDIR(st.st_mode))
        rule.allowed_access = file_rights(rights);
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        return fail(err, STATUS_IO, "landlock: %s: %s", path, strerror(errno));
    return STATUS_OK;
}

static enum status add(int rules, const char *path, uint64_t rights, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_PATH | O_CLOEXEC);

    if (fd < 0 && errno == ENOENT)
        return STATUS_OK; /* no rule: less is allowed */
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    return landlock_add(rules, fd, path, rights, err);
}

struct place {
    const char *path;
    uint64_t rights;
};

/* Of everything but what the plan lets be written. */
static enum status add_fixed(int rules, const struct plan *plan, uint64_t all, struct error *err)
{
    const uint64_t writes = all & ~(uint64_t)DEVICES;
    const uint64_t device =
        all & (READS | USES | KERNEL_LANDLOCK_TRUNCATE | KERNEL_LANDLOCK_IOCTL_DEV);
    const struct place own[] = {
        {"/", READS},
        {"/dev", device},
        {"/dev/shm", writes},
        {"/proc", all & (READS | USES | KERNEL_LANDLOCK_TRUNCATE)},
    };
    /* Names can be listed everywhere: a right to list is one for all that is below. */
    const struct place shared[] = {
        {"/", LANDLOCK_ACCESS_FS_READ_DIR},
        {"/proc", READS},
        {"/dev/null", device},
        {"/dev/zero", device},
        {"/dev/full", device},
        {"/dev/random", device},
        {"/dev/urandom", device},
        {"/dev/tty", device},
        {"/dev/ptmx", device},
        {"/dev/shm", writes},
    };
    const bool is_own = plan->tier == TIER_NAMESPACES;
    const struct place *list = is_own ? own : shared;
    const size_t count = is_own ? COUNT(own) : COUNT(shared);
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add(rules, list[i].path, list[i].rights, err);
    return status == STATUS_OK && !is_own ? landlock_reads(rules, plan, err) : status;
}

static enum status add_all(int rules, const struct plan *plan, int version, struct error *err)
{
    const uint64_t all = known_rights(version), writes = all & ~(uint64_t)DEVICES;
    enum status status = add_fixed(rules, plan, all, err);

    for (size_t i = 0; i < plan->write.count && status == STATUS_OK; i++)
        status = add(rules, plan->write.items[i].s, writes, err);
    for (size_t i = 0; i < plan->cache_count && status == STATUS_OK; i++)
        status = add(rules, plan->caches[i].place ? plan->caches[i].place : plan->caches[i].store,
                     writes, err);
    return status;
}

/* Older kernels take a shorter struct. */
static size_t ruleset_size(int version)
{
    return version >= 6 ? 24 : version >= 4 ? 16 : 8;
}

enum status landlock_apply(const struct plan *plan, int version, struct error *err)
{
    const bool alone = plan->tier == TIER_LANDLOCK;
    struct kernel_landlock_ruleset wanted = {
        .files = known_rights(version),
        .network = alone && version >= LANDLOCK_TCP ? KERNEL_LANDLOCK_TCP : 0,
        .scoped = version >= LANDLOCK_SIGNALS ? KERNEL_LANDLOCK_SCOPES : 0};
    enum status status;

    if (version < 0)
        return fail(err, STATUS_IO, "landlock: the kernel does not say which version it has");
    if (version < LANDLOCK_NEEDED)
        return alone ? fail(err, STATUS_IO, "the kernel has no Landlock that would do") : STATUS_OK;
    AUTO_CLOSE int rules =
        (int)syscall(SYS_landlock_create_ruleset, &wanted, ruleset_size(version), 0);
    if (rules < 0)
        return fail(err, STATUS_IO, "landlock: %s", strerror(errno));
    status = add_all(rules, plan, version, err);
    if (status == STATUS_OK && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        status = fail(err, STATUS_IO, "landlock: %s", strerror(errno));
    return status;
}
