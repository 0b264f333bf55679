#include "ask/session_later.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "policy/state.h"

#define LATER_FIRST 64u

bool session_later_add(struct session_later *later, const char *name)
{
    if (later->count && strcmp(later->names[later->count - 1], name) == 0)
        return true;
    if (later->count == later->capacity) {
        size_t capacity = later->capacity ? later->capacity * 2 : LATER_FIRST;
        void *names = reallocarray(later->names, capacity, sizeof(*later->names));
        if (!names)
            return false;
        later->names = names;
        later->capacity = capacity;
    }
    memcpy(later->names[later->count++], name, strlen(name) + 1);
    return true;
}

/* One that was forgotten meanwhile has nothing to keep. */
static enum status sync_one(int directory, const char *name, struct error *err)
{
    AUTO_CLOSE int fd =
        openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);

    if (fd < 0 && errno == ENOENT)
        return STATUS_OK;
    if (fd < 0 || fsync(fd) < 0)
        return fail(err, STATUS_IO, "the session cannot be written: %s", strerror(errno));
    return STATUS_OK;
}

static enum status sync_all(const struct session_later *later, int directory, struct error *err)
{
    for (size_t i = 0; i < later->count; i++) {
        enum status status = sync_one(directory, later->names[i], err);
        if (status != STATUS_OK)
            return status;
    }
    if (fsync(directory) < 0)
        return fail(err, STATUS_IO, "the session cannot be written: %s", strerror(errno));
    return STATUS_OK;
}

enum status session_later_sync(struct session_later *later, const char *state_dir,
                               struct error *err)
{
    AUTO_CLOSE int directory = -1;
    enum status status = STATUS_OK;

    if (later->count &&
        (status = state_open(state_dir, SESSIONS_BELOW, &directory, err)) == STATUS_OK)
        status = sync_all(later, directory, err);
    session_later_release(later);
    return status;
}

void session_later_release(struct session_later *later)
{
    free(later->names);
    *later = (struct session_later){0};
}
