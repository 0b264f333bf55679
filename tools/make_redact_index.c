/* make_redact_index.c - writes redact_index.inc: one bit for each program of src/record/redact_rows.c. Run by the
 * build. */
#include <stdio.h>
#include <string.h>

#include "record/redact_rows.h"

static uint64_t bits[REDACT_BITS / 64];

static void add(const char *list)
{
    while (list && *list) {
        struct str name = {list, strcspn(list, " ")};
        uint32_t bit = redact_bit(name);
        bits[bit / 64] |= UINT64_C(1) << bit % 64;
        list += name.len;
        list += *list == ' ';
    }
}

int main(void)
{
    for (size_t i = 0; i < redact_argument_count; i++)
        add(redact_arguments[i].programs);
    add(redact_setters);
    printf("static const uint64_t redact_bits[] = {");
    for (size_t i = 0; i < REDACT_BITS / 64; i++)
        printf("%s0x%016llx,", i % 4 ? " " : "\n    ", (unsigned long long)bits[i]);
    printf("\n};\n");
    return 0;
}
