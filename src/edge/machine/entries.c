#include "machine/entries.h"

#include <sys/syscall.h>
#include <unistd.h>

static bool read_more(struct entries *e)
{
    const long got = syscall(SYS_getdents64, e->directory, e->bytes, sizeof(e->bytes));

    e->at = 0;
    e->len = got > 0 ? (size_t)got : 0;
    e->failed = got < 0;
    return got > 0;
}

static bool is_dots(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

const struct entry *entries_next(struct entries *e)
{
    const struct entry *next;

    do {
        if (e->failed || (e->at == e->len && !read_more(e)))
            return NULL;
        next = (const struct entry *)(const void *)(e->bytes + e->at);
        e->at += next->len;
    } while (is_dots(next->name));
    return next;
}
