#include "base/twin.h"

#define FEW_KEYS 16 /* up to here comparing all pairs is cheaper than sorting */

static const struct member *among_few(const struct value *object, const struct member **before)
{
    for (size_t i = 1; i < object->count; i++)
        for (size_t j = 0; j < i; j++)
            if (str_eq(object->members[i].key, object->members[j].key)) {
                *before = &object->members[j];
                return &object->members[i];
            }
    return NULL;
}

/* Merges the sorted runs [x, y) and [y, end). */
static void merge(const struct member **to, const struct member **x, const struct member **y,
                  const struct member **end)
{
    const struct member **x_end = y;

    while (x < x_end && y < end)
        *to++ = str_compare((*x)->key, (*y)->key) <= 0 ? *x++ : *y++;
    while (x < x_end)
        *to++ = *x++;
    while (y < end)
        *to++ = *y++;
}

/* Stable merge sort. Not a hash table: an attacker who chooses the keys could make them collide,
 * and the core has no secret to seed it with. Not qsort(): its worst case is unspecified. */
static const struct member **sort(struct arena *a, const struct value *object)
{
    size_t n = object->count;
    const struct member **from = ARENA_ARRAY(a, const struct member *, n);
    const struct member **to = ARENA_ARRAY(a, const struct member *, n);

    for (size_t i = 0; i < n; i++)
        from[i] = &object->members[i];
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t middle = n - i > width ? i + width : n;
            size_t end = n - middle > width ? middle + width : n;
            merge(to + i, from + i, from + middle, from + end);
        }
        const struct member **sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

const struct member *value_find_twin(struct arena *a, const struct value *object,
                                     const struct member **before)
{
    const struct member *found = NULL;

    if (object->count <= FEW_KEYS)
        return among_few(object, before);

    /* Equal keys are now neighbours, in the order of the text. */
    const struct member **sorted = sort(a, object);
    for (size_t i = 1; i < object->count; i++)
        if ((!found || sorted[i] < found) && str_eq(sorted[i - 1]->key, sorted[i]->key)) {
            *before = sorted[i - 1];
            found = sorted[i];
        }
    return found;
}
