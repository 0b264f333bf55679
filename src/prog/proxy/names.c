#include "proxy/names.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *given[NAMES_MAX]; /* never changed once it is counted */
static atomic_size_t count;

uint32_t names_address(const char *name)
{
    const size_t known = atomic_load(&count);

    for (size_t i = 0; i < known; i++)
        if (strcmp(given[i], name) == 0)
            return NAMES_NETWORK + 1 + (uint32_t)i;
    if (known == NAMES_MAX || !(given[known] = strdup(name)))
        return 0;
    atomic_store(&count, known + 1);
    return NAMES_NETWORK + 1 + (uint32_t)known;
}

const char *names_of(uint32_t address)
{
    const size_t number = (size_t)address - NAMES_NETWORK - 1;

    return address > NAMES_NETWORK && number < atomic_load(&count) ? given[number] : NULL;
}
