/* memory.c - malloc() for a process that lives for one event: it takes from the front of a block
 * and gives nothing back.
 *
 * The first block follows the program's own variables, which saves a mapping and its page tables,
 * and begins in the page that their last ones are in. A page costs as much as three system calls,
 * so there should be few. Those that most events need, and those of the stack, are put in place at
 * once, and more of them a few at a time, because each first touch of one would otherwise trap into
 * the kernel. The piece that was freed last is used again, which is all that arenas need. When the
 * block is full, the kernel gives another. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST     ((size_t)96 * 1024) /* little enough for a process that may have 256 KiB of data */
#define IN_PLACE  ((size_t)56 * 1024) /* of the first, at once: what most events take */
#define NEXT      ((size_t)20 * 1024) /* and then */
#define STACK     ((size_t)20 * 1024) /* of the stack: a path that is resolved takes a page */
#define PAGE      4096
#define MORE      ((size_t)4 * 1024 * 1024)
#define ALIGNMENT 16

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14 */
#endif

/* Before each piece. */
struct head {
    size_t size;
    size_t unused; /* for the alignment */
};

/* What libc declares under its own names of parameters, and where a size of 0 is no mistake. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,clang-analyzer-optin.portability.UnixAPI)
 */

static char *free_from, *free_to;
static char *in_place; /* up to here pages of the first block are in place */

static char *page_of(void *at)
{
    return (char *)at - (uintptr_t)at % PAGE;
}

/* Of the least alignment: the linker puts what needs more of it first (cmake/hook.cmake). */
static char first[FIRST] __attribute__((aligned(1)));

/* An older kernel does it page by page. */
static void put_in_place(char *from, size_t len)
{
    int before = errno;

    (void)madvise(from, len, MADV_POPULATE_WRITE);
    errno = before;
}

/* The stack of a new process is mapped further than this. */
static char *take_first(void)
{
    char here;

    in_place = page_of(first) + IN_PLACE;
    put_in_place(page_of(first), IN_PLACE);
    put_in_place(page_of(&here) - STACK, STACK);
    return first + (ALIGNMENT - (uintptr_t)first % ALIGNMENT) % ALIGNMENT;
}

static void put_next_in_place(void)
{
    size_t left = (size_t)(first + FIRST - in_place), len = left < NEXT ? left : NEXT;

    put_in_place(in_place, len);
    in_place += len;
}

/* The rest of the block before is not used any more. */
static int refill(size_t need)
{
    if (!free_from && need <= FIRST - ALIGNMENT) {
        free_from = take_first();
        free_to = first + FIRST;
        return 1;
    }
    size_t size = need > MORE ? need : MORE;
    char *more = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
        return 0;
    free_from = more;
    free_to = more + size;
    return 1;
}

void *malloc(size_t size)
{
    size_t need = (size + sizeof(struct head) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

    if (size > PTRDIFF_MAX - 2 * sizeof(struct head) ||
        (need > (size_t)(free_to - free_from) &&
         !refill((need + PAGE - 1) & ~(size_t)(PAGE - 1)))) {
        errno = ENOMEM;
        return NULL;
    }
    struct head *h = (struct head *)(void *)free_from;
    h->size = need - sizeof(*h);
    free_from += need;
    if ((char *)h >= in_place && free_to == first + FIRST)
        put_next_in_place();
    return h + 1;
}

/* Only the last piece can be given back; the next malloc() returns it, with its old contents. */
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

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,clang-analyzer-optin.portability.UnixAPI)
 */
