/* blind.c - runs a fuzz target on very many changed texts, without libFuzzer: no counters in the
 * code, and no corpus that grows toward slow inputs, so that ten million texts under
 * AddressSanitizer and UBSan take less than an hour and not a day.
 *
 *     blind_analysis RUNS SEED LENGTH FILE...
 *
 * It begins with the lines of the files. Each run changes one of them a few times, cuts it to
 * LENGTH bytes and hands it to the target. When a sanitizer ends the process, the text is printed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/dice.h"

#define LENGTH_MAX  4096
#define CHANGES_MAX 6
#define MIX         0x9e3779b97f4a7c15u /* spreads the numbers of the runs over all seeds */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

struct text {
    uint8_t bytes[LENGTH_MAX];
    size_t len;
};

static struct text *seeds;
static size_t seed_count, seed_room;
static struct text now; /* what the target is judging */
static unsigned long long run;

static void say_last(void)
{
    fprintf(stderr, "run %llu, the text in hexadecimal: ", run);
    for (size_t i = 0; i < now.len; i++)
        fprintf(stderr, "%02x", now.bytes[i]);
    fputc('\n', stderr);
}

static int make_room(void)
{
    if (seed_count < seed_room)
        return 1;
    seed_room = seed_room ? 2 * seed_room : 1024;
    struct text *more = realloc(seeds, seed_room * sizeof(*seeds));
    if (more)
        seeds = more;
    return more != NULL;
}

static int read_lines(const char *path)
{
    char line[LENGTH_MAX];
    FILE *f = fopen(path, "rb");

    if (!f)
        return -1;
    while (fgets(line, sizeof(line), f)) {
        if (!make_room()) {
            fclose(f);
            return -1;
        }
        seeds[seed_count].len = strcspn(line, "\n");
        memcpy(seeds[seed_count].bytes, line, seeds[seed_count].len);
        seed_count++;
    }
    fclose(f);
    return 0;
}

/* Puts `len` bytes in the place of `gone` bytes; what does not fit is cut off at the end. */
static void replace(struct text *t, size_t at, size_t gone, const uint8_t *bytes, size_t len)
{
    struct text before = *t;
    size_t rest = before.len - at - gone;

    if (at + len > sizeof(t->bytes))
        len = sizeof(t->bytes) - at;
    if (len)
        memcpy(t->bytes + at, bytes, len);
    if (at + len + rest > sizeof(t->bytes))
        rest = sizeof(t->bytes) - at - len;
    memcpy(t->bytes + at + len, before.bytes + at + gone, rest);
    t->len = at + len + rest;
}

static void change(struct text *t, struct dice *d)
{
    static const char signs[] = "$`\"'\\{}()[]<>|&;*?!~#=:,.-+/@%^ \n\t0a";
    const struct text *other = &seeds[dice_below(d, seed_count)];
    size_t at = dice_below(d, t->len + 1), left = t->len - at;
    size_t from = dice_below(d, other->len + 1), part = dice_below(d, other->len - from + 1);
    uint8_t byte = (uint8_t)dice_next(d);

    switch (dice_below(d, 6)) {
    case 0: /* a sign of the shell */
    case 1:
        byte = (uint8_t)signs[dice_below(d, sizeof(signs) - 1)];
        replace(t, at, 0, &byte, 1);
        break;
    case 2: /* any byte */
        replace(t, at, left ? 1 : 0, &byte, 1);
        break;
    case 3: /* a part is gone */
        replace(t, at, dice_below(d, left + 1), NULL, 0);
        break;
    default: /* a part of another text */
        replace(t, at, dice_below(d, left + 1), other->bytes + from, part);
        break;
    }
}

static void make(struct dice *d, size_t length)
{
    now = seeds[dice_below(d, seed_count)];
    for (size_t i = dice_below(d, CHANGES_MAX) + 1; i > 0; i--)
        change(&now, d);
    if (now.len > length)
        now.len = length;
}

/* In a copy of the exact size, so that AddressSanitizer sees the first byte read past the end. */
static int hand_over(void)
{
    uint8_t *exact = malloc(now.len ? now.len : 1);

    if (!exact)
        return -1;
    memcpy(exact, now.bytes, now.len);
    LLVMFuzzerTestOneInput(exact, now.len);
    free(exact);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: %s RUNS SEED LENGTH FILE...\n", argv[0]);
        return 2;
    }
    unsigned long long runs = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
    size_t length = strtoul(argv[3], NULL, 10);
    for (int i = 4; i < argc; i++)
        if (read_lines(argv[i]) != 0) {
            perror(argv[i]);
            return 1;
        }
    if (!seed_count || !length || length > LENGTH_MAX)
        return 1;
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(say_last);
    for (run = 0; run < runs; run++) {
        struct dice d = {(seed * MIX) ^ ((run + 1) * MIX) ^ seed};
        if (!d.state)
            d.state = 1;
        make(&d, length);
        if (hand_over() != 0)
            return 1;
        if ((run + 1) % 100000 == 0)
            printf("%llu texts\n", run + 1), fflush(stdout);
    }
    printf("%llu texts, no crash\n", runs);
    free(seeds);
    return 0;
}
