/* make_program_index.c - writes program_index.inc: the table of src/programs/index.h, from the rows. Run by the build.
 */
#include <stdio.h>
#include <string.h>

#include "programs/index.h"

struct entry {
    size_t file, at;
    const char *name;
    bool subcommands;
};

static struct entry slots[PROGRAM_SLOTS];

static bool goes_on(const char *longer, const char *name, size_t len)
{
    return strncmp(longer, name, len) == 0 && longer[len] == ' ';
}

static bool has_subcommands(const char *name)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++)
            if (goes_on(files[f]->rows[i].name, name, strlen(name)))
                return true;
    return false;
}

/* False: the name is there already. The first one counts, as in a search through the files. */
static bool add(size_t file, size_t at, const char *name)
{
    uint32_t slot = program_hash(name, strlen(name)) % PROGRAM_SLOTS;

    for (; slots[slot].name; slot = (slot + 1) % PROGRAM_SLOTS)
        if (strcmp(slots[slot].name, name) == 0)
            return false;
    slots[slot] = (struct entry){.file = file, .at = at, .name = name, .subcommands = has_subcommands(name)};
    return true;
}

static void print(size_t taken)
{
    printf("/* Made by tools/make_program_index.c: %zu rows. */\n", taken);
    printf("static const struct program_slot program_slots[PROGRAM_SLOTS] = {\n");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].name)
            printf("    [%zu] = {%zu, %zu, %d},\n", i, slots[i].file, slots[i].at + 1, slots[i].subcommands);
    printf("};\n");
}

int main(void)
{
    size_t count, taken = 0;
    const struct program_file *const *files = program_files(&count);

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            if (strlen(files[f]->rows[i].name) > PROGRAM_NAME_MAX || taken > PROGRAM_SLOTS / 2) {
                fprintf(stderr, "make_program_index: a name that is too long, or too many rows: %s\n",
                        files[f]->rows[i].name);
                return 1;
            }
            taken += add(f, i, files[f]->rows[i].name);
        }
    print(taken);
    return 0;
}
