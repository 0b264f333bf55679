#include "base/nearest.h"

#include "base/ascii.h"

#define LONGEST_COMPARED 32
#define SHORTEST_TYPED   3
#define TOO_FAR          3 /* mistakes */

/* Levenshtein distance, for short names. */
static size_t distance(struct str a, struct str b)
{
    size_t row[LONGEST_COMPARED + 1];

    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 0; i < a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t k = 0; k < b.len; k++) {
            size_t change = diagonal + (ascii_lower(a.s[i]) != ascii_lower(b.s[k]));
            size_t add = row[k] + 1, drop = row[k + 1] + 1;
            diagonal = row[k + 1];
            row[k + 1] = add < drop ? add : drop;
            if (change < row[k + 1])
                row[k + 1] = change;
        }
    }
    return row[b.len];
}

/* Bsah for Bash: one mistake, although two bytes differ. */
static bool is_swapped(struct str a, struct str b)
{
    size_t i = 0;

    while (i < a.len && i < b.len && a.s[i] == b.s[i])
        i++;
    return a.len == b.len && i + 1 < a.len && a.s[i] == b.s[i + 1] && a.s[i + 1] == b.s[i] &&
           str_eq(str_from_byte(a, i + 2), str_from_byte(b, i + 2));
}

struct nearest nearest_to(struct str typed)
{
    return (struct nearest){.typed = typed, .distance = TOO_FAR};
}

void nearest_try(struct nearest *n, struct str name)
{
    if (n->typed.len < SHORTEST_TYPED || n->typed.len > LONGEST_COMPARED ||
        name.len > LONGEST_COMPARED)
        return;
    size_t d = is_swapped(n->typed, name) ? 1 : distance(n->typed, name);
    if (d < n->distance && d * 3 < name.len) {
        n->best = name;
        n->distance = d;
    }
}
