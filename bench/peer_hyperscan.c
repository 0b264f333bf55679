/* peer_hyperscan.c - wraps Hyperscan in two functions for bench_rules. Built by tools/bench-peers,
 * never shipped. */
#include <hs/hs.h>
#include <stdlib.h>
#include <string.h>

static hs_database_t *database;
static hs_scratch_t *scratch;

int peer_load(const char *const *patterns, size_t count);
size_t peer_find(const char *text, size_t len);

static char *regex_of(const char *pattern)
{
    char *text = malloc(2 * strlen(pattern) + 3), *out = text;

    *out++ = '^';
    for (; *pattern; pattern++) {
        if (*pattern == '*')
            *out++ = '.';
        else if (strchr(".+?()[]{}|^$\\", *pattern))
            *out++ = '\\';
        *out++ = *pattern;
    }
    strcpy(out, "$");
    return text;
}

int peer_load(const char *const *patterns, size_t count)
{
    char **texts = calloc(count, sizeof(*texts));
    unsigned *flags = calloc(count, sizeof(*flags)), *ids = calloc(count, sizeof(*ids));
    hs_compile_error_t *error = NULL;

    for (size_t i = 0; i < count; i++) {
        texts[i] = regex_of(patterns[i]);
        flags[i] = HS_FLAG_DOTALL | HS_FLAG_SINGLEMATCH;
        ids[i] = (unsigned)i;
    }
    hs_free_database(database);
    int status = hs_compile_multi((const char *const *)texts, flags, ids, (unsigned)count,
                                  HS_MODE_BLOCK, NULL, &database, &error);
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
    free(flags);
    free(ids);
    return status == HS_SUCCESS ? hs_alloc_scratch(database, &scratch) : status;
}

static int count_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                       void *context)
{
    (void)id, (void)from, (void)to, (void)flags;
    ++*(size_t *)context;
    return 0;
}

size_t peer_find(const char *text, size_t len)
{
    size_t found = 0;

    hs_scan(database, text, (unsigned)len, 0, scratch, count_match, &found);
    return found;
}
