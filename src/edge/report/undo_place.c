#include "report/undo_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define MEMORY_MAX ((size_t)16 << 20)

void undo_place_measure(const struct undo_store *s, struct undo_place *out)
{
    struct arena a;
    struct undo_ids ids;
    char link[64];

    *out = (struct undo_place){0};
    arena_init(&a, MEMORY_MAX);
    if (undo_store_list(&a, s, &ids, NULL) == STATUS_OK) {
        out->calls = ids.count;
        for (size_t i = 0; i < ids.count; i++)
            out->bytes += undo_entry_size(s, ids.items[i].s);
    }
    arena_release(&a);
    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", s->entries);
    ssize_t n = readlink(link, out->directory, sizeof(out->directory) - 1);
    out->directory[n > 0 ? n : 0] = '\0';
}

void undo_place_find(const char *state_dir, struct str near, struct undo_place *out)
{
    struct undo_store s;

    *out = (struct undo_place){0};
    if (undo_store_find(&s, state_dir, near, NULL) == STATUS_OK && s.entries >= 0)
        undo_place_measure(&s, out);
    undo_store_close(&s);
}

void undo_place_write(struct buf *b, const struct undo_place *p)
{
    static const char *const units[] = {"KB", "MB", "GB", "TB"};
    uint64_t size = (p->bytes + 1023) / 1024;
    size_t unit = 0;

    while (size >= 10240 && unit + 1 < COUNT(units)) {
        size /= 1024;
        unit++;
    }
    buf_format(b, "%zu %s, %" PRIu64 " %s", p->calls, p->calls == 1 ? "call" : "calls", size,
               units[unit]);
}
