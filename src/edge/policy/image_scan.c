/* image_scan.c - the proof that an image is self-contained: no word of it is an address elsewhere.
 *
 * Which words are pointers is not known here, and need not be: a number that looks like an address
 * only prevents an image; it changes no verdict. Only the tables of the index are skipped, which
 * have many numbers of every size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/image.h"

/* The kernel places position-independent programs, their libraries, heaps and stacks above this. */
#define PROGRAMS_FROM ((uintptr_t)0x200000000000)

struct range {
    uintptr_t from, to;
};

struct ranges {
    struct range *items;
    size_t count, room;
};

static bool add(struct ranges *all, struct range r)
{
    if (all->count && all->items[all->count - 1].to == r.from) {
        all->items[all->count - 1].to = r.to;
        return true;
    }
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 64;
        struct range *items = realloc(all->items, room * sizeof(*items));
        if (!items)
            return false;
        all->items = items;
        all->room = room;
    }
    all->items[all->count++] = r;
    return true;
}

/* All mappings of a position-independent program, which the kernel lists in order. Below are only
 * the image and the tables of sanitizers, which no pointer refers to, nor to what is only
 * reserved: with a sanitizer that is so much that texts of six letters look like addresses. */
static bool list_mappings(struct ranges *out)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    bool whole = true, fits = maps != NULL;

    while (fits && fgets(line, sizeof(line), maps)) {
        char *end;
        struct range r = {.from = strtoull(line, &end, 16)};
        if (whole && *end == '-') {
            r.to = strtoull(end + 1, &end, 16);
            if (r.from >= PROGRAMS_FROM && strncmp(end, " ---", 4) != 0)
                fits = add(out, r);
        }
        whole = strchr(line, '\n') != NULL; /* a long path makes several pieces */
    }
    if (maps)
        fclose(maps);
    return fits && out->count > 0;
}

static bool is_in(const struct ranges *all, uintptr_t word)
{
    size_t low = 0, high = all->count;

    if (word < all->items[0].from || word >= all->items[high - 1].to)
        return false;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (word < all->items[middle].from)
            high = middle;
        else
            low = middle;
    }
    return word < all->items[low].to;
}

static bool is_number(const void *word, struct str numbers)
{
    return (const char *)word >= numbers.s && (const char *)word < numbers.s + numbers.len;
}

static enum status look(const struct ranges *all, const void *memory, size_t len,
                        struct str numbers, struct error *err)
{
    const uintptr_t *words = memory;

    for (size_t i = 0; i < len / sizeof(*words); i++)
        if (is_in(all, words[i]) && !is_number(&words[i], numbers))
            return fail(err, STATUS_UNSAFE,
                        "the policy cannot be kept as an image: byte %zu points out of it",
                        i * sizeof(*words));
    return STATUS_OK;
}

enum status image_scan(const void *memory, size_t len, struct str numbers, struct error *err)
{
    struct ranges all = {0};
    enum status status = STATUS_UNSAFE;

    if ((uintptr_t)image_scan < PROGRAMS_FROM) /* its own literals would not be noticed */
        fail(err, STATUS_UNSAFE,
             "this program is not position-independent, so it cannot make images");
    else if (!list_mappings(&all))
        fail(err, STATUS_IO, "cannot list the mappings of this process");
    else
        status = look(&all, memory, len, numbers, err);
    free(all.items);
    return status;
}
