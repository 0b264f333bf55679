#include "support/lock.h"

#include <endian.h>
#include <inttypes.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/scenes.h"
#include "support/shared.h"

#define LINE_MAX_BYTES 256
#define TRIM           ((int)256 * 1024 * 1024)
#define HASH           0xcbf29ce484222325u /* of nothing */

static struct {
    char file[64];     /* NAME.lock */
    const char *show;  /* the group to be shown; NULL: none */
    FILE *update;      /* where lines are written; NULL: they are compared */
    char *recorded;    /* the file */
    const char *group; /* that is being added to */
    size_t number;     /* of that group, from 1 */
    size_t counts[4];  /* by behavior; the last: LOCK_NO_VERDICT */
    uint64_t hash;
    size_t groups, different;
} lock;

static void hash(uint64_t *h, uint64_t word)
{
    *h = (*h ^ word) * 0x9e3779b97f4a7c15u;
    *h ^= *h >> 29;
}

/* Eight bytes at a time, in the same order on every machine. */
static uint64_t hash_of(const char *s, size_t len)
{
    uint64_t h = HASH, word;

    hash(&h, len);
    for (; len >= sizeof(word); s += sizeof(word), len -= sizeof(word)) {
        memcpy(&word, s, sizeof(word));
        hash(&h, le64toh(word));
    }
    word = 0;
    memcpy(&word, s, len);
    hash(&h, le64toh(word));
    return h;
}

/* In the trace of tools/mutants groups are lines of a file. */
bool lock_begin(const char *group)
{
    lock.group = group;
    lock.number++;
    lock.hash = 0;
    memset(lock.counts, 0, sizeof(lock.counts));
    if (lock.show)
        return strcmp(lock.show, group) == 0;
    return scene_wanted(lock.file, lock.number);
}

static void show(enum behavior behavior, struct str what, struct str result)
{
    printf("=== %s ", behavior == LOCK_NO_VERDICT ? "-" : behavior_name(behavior));
    for (size_t i = 0; i < what.len; i++)
        if (what.s[i] == '\n')
            printf("\\n");
        else if ((unsigned char)what.s[i] < ' ')
            printf("\\x%02x", (unsigned char)what.s[i]);
        else
            putchar(what.s[i]);
    putchar('\n');
    fwrite(result.s, 1, result.len, stdout); /* it may have a NUL in it */
    putchar('\n');
}

void lock_add(enum behavior behavior, struct str what, struct str result)
{
    lock.counts[behavior]++;
    lock.hash += hash_of(result.s, result.len) ^ hash_of(what.s, what.len); /* in any order */
    if (lock.show)
        show(behavior, what, result);
}

void lock_count(enum behavior behavior)
{
    lock.counts[behavior]++;
}

/* The recorded line of the group, without its end; NULL: there is none. */
static const char *line_of(const char *group, char line[LINE_MAX_BYTES])
{
    size_t len = strlen(group);

    for (const char *at = lock.recorded; at && *at;
         at = strchr(at, '\n') ? strchr(at, '\n') + 1 : "")
        if (strncmp(at, group, len) == 0 && at[len] == ' ')
            return snprintf(line, LINE_MAX_BYTES, "%.*s", (int)strcspn(at, "\n"), at) > 0 ? line
                                                                                          : NULL;
    return NULL;
}

static void tell(const char *was, const char *is)
{
    lock.different++;
    printf("tests/lock/%s:%zu: the group %s differs\n  was %s\n  is  %s\n", lock.file, lock.number,
           lock.group, was ? was : "not there", is);
    if (getenv("WARDER_FIRST_RED")) /* tools/mutants needs no more */
        exit(1);
}

void lock_end(void)
{
    char is[LINE_MAX_BYTES], was[LINE_MAX_BYTES];

    snprintf(is, sizeof(is), "%s  allow %zu  ask %zu  deny %zu  %zu other  %016" PRIx64, lock.group,
             lock.counts[BEHAVIOR_ALLOW], lock.counts[BEHAVIOR_ASK], lock.counts[BEHAVIOR_DENY],
             lock.counts[LOCK_NO_VERDICT], lock.hash);
    scene_ended(lock.file, lock.number);
    lock.groups++;
    if (lock.update)
        fprintf(lock.update, "%s\n", is);
    else if (!lock.show) {
        const char *line = line_of(lock.group, was);
        if (!line || strcmp(line, is) != 0)
            tell(line, is);
    }
}

static size_t recorded_groups(void)
{
    size_t n = 0;

    for (const char *at = lock.recorded; *at; at++)
        n += *at == '\n' && at > lock.recorded && at[-1] != '\n';
    return n;
}

static int result(void)
{
    if (lock.show)
        return lock.groups ? 0 : (fprintf(stderr, "there is no group %s\n", lock.show), 2);
    if (lock.update)
        return fclose(lock.update) == 0 ? 0 : 1;
    if (!getenv("WARDER_SCENES") && lock.groups != recorded_groups()) {
        printf("tests/lock/%s has %zu groups, the test %zu\n", lock.file, recorded_groups(),
               lock.groups);
        lock.different++;
    }
    printf("%zu groups, %zu differ\n", lock.groups, lock.different);
    if (lock.different)
        printf("What was decided has changed. Look at what, with a build of the old state:\n"
               "  tools/lock --show GROUP, from both builds, or tools/verdict-diff OLD NEW\n"
               "If all of it is meant: tools/lock --update, and the changed lines go into the same "
               "commit.\n");
    return lock.different != 0;
}

int lock_main(int argc, char **argv, const char *name, void (*run)(void))
{
    char file[128];
    size_t len;

    snprintf(lock.file, sizeof(lock.file), "%s.lock", name);
    snprintf(file, sizeof(file), "tests/lock/%s", lock.file);
    mallopt(M_TRIM_THRESHOLD, TRIM); /* one arena is filled and emptied over and over */
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        lock.show = argv[2];
    } else if (argc == 2 && strcmp(argv[1], "--update") == 0) {
        if (!(lock.update = fopen(source_path(file), "w")))
            return perror(file), 1;
    } else if (argc == 1) {
        lock.recorded = read_whole_file(source_path(file), &len);
    } else {
        fprintf(stderr, "usage: %s [--update | --show GROUP]\n", argv[0]);
        return 2;
    }
    run();
    const int status = result();
    free(lock.recorded);
    return status;
}
