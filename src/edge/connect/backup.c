#include "connect/backup.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "policy/file.h"

static struct str directory_of(struct str path)
{
    return str_slice(path, 0, path.len - path_base(path).len);
}

/* PATH.warder-20260101T000000Z.bak */
static bool is_copy(struct str name, struct str of)
{
    return str_starts(name, of) && str_starts(str_from_byte(name, of.len), STR(".warder-")) &&
           str_ends(name, STR(".bak"));
}

/* Oldest first: the names tell when. */
static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct str *)a)->s, ((const struct str *)b)->s);
}

static struct strs list_copies(struct arena *a, const struct place *place)
{
    struct str path = str_from(place->path), directory = str_copy(a, directory_of(path));
    struct strs found = {0};
    DIR *dir = opendir(directory.s);
    struct dirent *e;

    while (dir && (e = readdir(dir)))
        if (is_copy(str_from(e->d_name), path_base(path)))
            LIST_PUSH(a, &found, str_join(a, directory, str_from(e->d_name)));
    if (dir)
        closedir(dir);
    if (found.count)
        qsort(found.items, found.count, sizeof(found.items[0]), by_name);
    return found;
}

static bool read_copy(struct arena *a, const struct place *place, struct str path, struct str *out)
{
    const struct edit_target target = place_target(place);
    struct file_text text = {0};

    if (file_read(path.s, target.guard, target.inside, &text, NULL) != STATUS_OK || !text.text)
        return false;
    *out = str_try_copy(a, (struct str){text.text, text.len});
    free(text.text);
    return out->s != NULL;
}

static bool is_registered(struct arena *a, const struct place *place, struct str text)
{
    struct str without = text;

    return register_remove(a, &place->registrar, text, &without, NULL) == STATUS_OK &&
           !(without.s && str_eq(without, text));
}

bool backup_was_empty(struct arena *a, const struct place *place, struct str *text)
{
    struct strs copies = list_copies(a, place);

    for (size_t i = copies.count; i-- > 0;) {
        struct str old;
        if (!read_copy(a, place, copies.items[i], &old) || is_registered(a, place, old))
            continue;
        struct str inside = str_trim(old);
        if (inside.len && inside.s[0] == '{' && str_ends(inside, STR("}")))
            inside = str_trim(str_slice(inside, 1, inside.len - 1));
        *text = old;
        return inside.len == 0;
    }
    return false;
}

void backup_drop_registered(struct arena *a, const struct place *place)
{
    struct strs copies = list_copies(a, place);

    for (size_t i = 0; i < copies.count; i++) {
        struct str old;
        if (read_copy(a, place, copies.items[i], &old) && is_registered(a, place, old))
            (void)unlink(copies.items[i].s);
    }
}
