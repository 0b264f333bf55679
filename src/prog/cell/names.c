#include "cell/names.h"

#include "base/ascii.h"
#include "base/path.h"

/* In any case of letters: a disk may not tell them apart. */
static bool part_is(struct str pattern, struct str part)
{
    struct str before, after;

    if (!str_cut(pattern, '*', &before, &after))
        return str_eq_nocase(pattern, part);
    return part.len >= before.len + after.len &&
           str_eq_nocase(before, str_slice(part, 0, before.len)) &&
           str_eq_nocase(after, str_from_byte(part, part.len - after.len));
}

/* `path` from its first part on. */
static enum names_match compare(struct str path, struct str pattern)
{
    struct str wanted, part;

    while (pattern.len) {
        if (!path.len)
            return NAMES_LEADS;
        str_cut(pattern, '/', &wanted, &pattern);
        str_cut(path, '/', &part, &path);
        if (!part_is(wanted, part))
            return NAMES_FREE;
    }
    return path.len ? NAMES_BELOW : NAMES_IS;
}

enum names_match names_match(const struct plan *plan, struct str relative)
{
    enum names_match best = NAMES_FREE;
    struct str part;

    for (; relative.len; str_cut(relative, '/', &part, &relative))
        for (size_t i = 0; i < plan->refuse.count; i++) {
            enum names_match match = compare(relative, plan->refuse.items[i]);
            if (match > best)
                best = match;
        }
    return best;
}

enum names_match names_match_path(const struct plan *plan, struct str path)
{
    enum names_match best = NAMES_FREE;
    struct str relative;

    for (size_t i = 0; i < plan->write.count; i++)
        if (path_relative(plan->write.items[i], path, &relative)) {
            enum names_match match = names_match(plan, relative);
            if (match > best)
                best = match;
        }
    return best;
}

bool names_may_be(const struct plan *plan, struct str path)
{
    struct str last = path_base(path), pattern, part;

    for (size_t i = 0; i < plan->refuse.count; i++)
        for (pattern = plan->refuse.items[i]; pattern.len;) {
            str_cut(pattern, '/', &part, &pattern);
            if (part_is(part, last))
                return true;
        }
    return false;
}

static bool ends(struct str path, struct str pattern)
{
    while (pattern.len) {
        size_t from = str_last_index(path, '/'), wanted = str_last_index(pattern, '/');
        if (!path.len || !part_is(str_from_byte(pattern, wanted == STR_NONE ? 0 : wanted + 1),
                                  str_from_byte(path, from == STR_NONE ? 0 : from + 1)))
            return false;
        path = str_slice(path, 0, from == STR_NONE ? 0 : from);
        pattern = str_slice(pattern, 0, wanted == STR_NONE ? 0 : wanted);
    }
    return true;
}

bool names_end(const struct plan *plan, struct str relative)
{
    for (size_t i = 0; i < plan->refuse.count; i++)
        if (ends(relative, plan->refuse.items[i]))
            return true;
    return false;
}
