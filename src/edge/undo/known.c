#include "undo/known.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"
#include "undo/beneath.h"
#include "undo/content.h"

#define KNOWN_NAME "known"
#define KNOWN_MAX  256u

bool known_read(const struct undo_store *s, struct undo_known *out)
{
    char *text = NULL;
    size_t len = 0;
    struct str id, digest, at;
    AUTO_CLOSE int fd = beneath_open_file(s->entries, KNOWN_NAME);
    bool good = fd >= 0 && content_read(fd, KNOWN_MAX, &text, &len) &&
                str_cut((struct str){text, len}, ' ', &id, &at) && str_cut(at, ' ', &digest, &at) &&
                undo_id_is(id) && digest.len == UNDO_SUMMED - 1 && at.len;

    if (good) {
        *out = (struct undo_known){.at = strtoll(at.s, NULL, 10)};
        memcpy(out->id, id.s, id.len);
        memcpy(out->digest, digest.s, digest.len);
    }
    free(text);
    return good;
}

void known_write(const struct undo_store *s, const struct undo_known *known)
{
    char text[KNOWN_MAX];
    int n = snprintf(text, sizeof(text), "%s %s %lld\n", known->id, known->digest,
                     (long long)known->at);
    AUTO_CLOSE int fd =
        openat(s->entries, KNOWN_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0)
        (void)own_write(fd, KNOWN_NAME, (struct str){text, (size_t)n}, NULL);
}

static bool is_known(const struct undo_known *known, const struct git_entry *then,
                     const struct git_entry *now)
{
    return str_eq(then->path, now->path) && now->plain && git_entry_same(then, now) &&
           memcmp(then->id, now->id, GIT_ID_BYTES) == 0 &&
           now->changed / 1000000 + UNDO_YOUNG_MS < known->at;
}

void known_mark(const struct undo_known *known, const struct tracked_kept *before,
                const struct git_index *x, uint8_t *bits)
{
    const struct git_entries *then = &before->before.entries, *now = &x->entries;
    size_t at = 0;

    for (size_t i = 0; i < now->count; i++) {
        while (at < then->count && str_compare(then->items[at].path, now->items[i].path) < 0)
            at++;
        if (at < then->count && before->bits[at / 8] >> at % 8 & 1 &&
            is_known(known, &then->items[at], &now->items[i]))
            bits[i / 8] |= (uint8_t)(1 << i % 8);
    }
}
