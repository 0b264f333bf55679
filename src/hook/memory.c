/* memory.c - malloc() for a process that lives for one event: taken from the front, never given back.
 *
 * The first part is mapped with its pages in place: each one that is touched for
 * the first time would otherwise be a trap into the kernel, and each arena that
 * grows or goes another one. What is freed last is taken again, which is how
 * arenas go. What is more than fits comes from the kernel. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST     ((size_t)64 * 1024) /* bytes, in place at once */
#define MORE      ((size_t)4 * 1024 * 1024)
#define ALIGNMENT 16

/* Before each piece. */
struct head {
    size_t size;
    size_t unused; /* for the alignment */
};

/* What libc declares under its own names of parameters, and where a size of 0 is no mistake. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,clang-analyzer-optin.portability.UnixAPI) */

static char *free_from, *free_to;

/* What is left of the part before is not used any more. */
static int refill(size_t need)
{
    static int filled;
    size_t size = !filled && need <= FIRST ? FIRST : need > MORE ? need : MORE;
    void *more = mmap(NULL, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | (size == FIRST ? MAP_POPULATE : 0), -1, 0);

    if (more == MAP_FAILED)
        return 0;
    filled = 1;
    free_from = more;
    free_to = free_from + size;
    return 1;
}

void *malloc(size_t size)
{
    size_t need = (size + sizeof(struct head) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

    if (size > PTRDIFF_MAX - 2 * sizeof(struct head) ||
        (need > (size_t)(free_to - free_from) && !refill((need + 4095) & ~(size_t)4095))) {
        errno = ENOMEM;
        return NULL;
    }
    struct head *h = (struct head *)(void *)free_from;
    h->size = need - sizeof(*h);
    free_from += need;
    return h + 1;
}

/* Only the last piece can be given back: it is the next one then, with whatever stands in it. */
void free(void *p)
{
    struct head *h = p ? (struct head *)p - 1 : NULL;

    if (h && (char *)(h + 1) + h->size == free_from)
        free_from = (char *)h;
}

void *calloc(size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *realloc(void *p, size_t size)
{
    size_t old = p ? ((struct head *)p - 1)->size : 0;
    void *more = p && size <= old ? p : malloc(size);

    if (p && more && more != p) {
        memcpy(more, p, old);
        free(p);
    }
    return more;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,clang-analyzer-optin.portability.UnixAPI) */
