/* make_redact_index.c - writes redact_index.inc: the words of src/edge/record/redact_rows.c by
 * their hash, the letters that end the name of a secret there, and those that start a token in
 * src/edge/record/redact_shapes.c. Run by the build. */
#include <stdio.h>

#include "record/redact_rows.h"

static struct {
    uint32_t hash;
    unsigned roles;
    int several;
} slots[REDACT_SLOTS];

static void add(const char *list, enum redact_role role)
{
    for (; list && *list; list += *list == ' ') {
        uint32_t hash = REDACT_HASH;
        for (; *list && *list != ' '; list++)
            hash = redact_hash(hash, *list);
        uint32_t slot = redact_slot(hash);
        slots[slot].several |= slots[slot].roles && slots[slot].hash != hash;
        slots[slot].hash = hash;
        slots[slot].roles |= role;
    }
}

static void add_pair(const char *programs, const char *word)
{
    add(programs, word ? ROLE_WITH : ROLE_ALONE);
    add(word, programs ? ROLE_WORD : ROLE_ALONE);
}

/* For each last letter of a secret's name, one bit for each letter that may come before it. */
static void print_ends(void)
{
    uint32_t before[26] = {0};

    for (size_t i = 0; i < redact_key_end_count; i++) {
        struct str end = redact_key_ends[i].text;
        before[end.s[end.len - 1] - 'a'] |= UINT32_C(1) << (end.s[end.len - 2] - 'a');
    }
    printf("static const uint32_t letters_before[26] = {\n    ");
    for (size_t i = 0; i < 26; i++)
        printf("0x%x, ", (unsigned)before[i]);
    printf("\n};\n");
}

static void print_beginnings(void)
{
    uint64_t seconds[REDACT_FIRSTS] = {0};

    for (size_t i = 0; i < redact_shape_count; i++) {
        const char *prefix = redact_shapes[i].prefix;
        seconds[(unsigned char)prefix[0] % REDACT_FIRSTS] |= UINT64_C(1)
                                                             << redact_second(prefix[1]);
    }
    printf("static const uint64_t seconds[REDACT_FIRSTS] = {");
    for (size_t i = 0; i < REDACT_FIRSTS; i++)
        printf("%s0x%llx,", i % 4 ? " " : "\n    ", (unsigned long long)seconds[i]);
    printf("\n};\n");
}

int main(void)
{
    /* A row without programs is for an option that is followed by the name of a secret. */
    for (size_t i = 0; i < redact_argument_count; i++)
        add_pair(redact_arguments[i].programs, redact_arguments[i].sub);
    for (size_t i = 0; i < redact_reader_count; i++)
        add_pair(redact_readers[i].program, redact_readers[i].word);
    add(redact_setters, ROLE_SETTER);
    printf("static const uint16_t role_table[REDACT_SLOTS] = {");
    for (size_t i = 0; i < REDACT_SLOTS; i++)
        printf("%s0x%x,", i % 16 ? " " : "\n    ",
               slots[i].roles | (slots[i].several ? 0u : redact_rest(slots[i].hash)));
    printf("\n};\n");
    print_ends();
    print_beginnings();
    return 0;
}
