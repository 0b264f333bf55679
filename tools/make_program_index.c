/* make_program_index.c - writes program_index.inc: the tables of src/programs/index.h, from the rows. Run by the build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/index.h"
#include "programs/reading.h"

struct entry {
    size_t file, at;
    const struct program_row *row; /* NULL: the slot is empty */
    bool subcommands;
    size_t form; /* the first of its operands */
};

static struct entry slots[PROGRAM_SLOTS];
static struct option_slot options[OPTION_SLOTS];
static size_t option_count;

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
static bool add(size_t file, size_t at, const struct program_row *row)
{
    uint32_t slot = program_slot_of(program_hash(PROGRAM_HASH, row->name, strlen(row->name))) % PROGRAM_SLOTS;

    for (; slots[slot].row; slot = (slot + 1) % PROGRAM_SLOTS)
        if (strcmp(slots[slot].row->name, row->name) == 0)
            return false;
    slots[slot] = (struct entry){.file = file, .at = at, .row = row, .subcommands = has_subcommands(row->name)};
    return true;
}

/* ---- forms: rows with the same operands share them ---- */

static const struct entry *same_operands(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (slots[k].row && strcmp(slots[k].row->operands, slots[i].row->operands) == 0)
            return &slots[k];
    return NULL;
}

static void print_part(const char *name, struct part p)
{
    printf(".%s = {%u, %u}, ", name, p.at, p.len);
}

static void print_form(const struct form *f)
{
    printf("    {.options = %uu, ", f->options);
    print_part("text", f->text);
    print_part("conditions", f->conditions);
    print_part("cwd", f->cwd);
    print_part("input", f->input);
    printf(".effects = %u, .count = %u, .many = %u, .reads = %d, .names_roles = %d, .places = {", f->effects, f->count,
           f->many, f->reads, f->names_roles);
    for (size_t i = 0; i < PLACES_MAX; i++)
        printf("{%u, %u},", f->places[i].at, f->places[i].len);
    printf("}},\n");
}

static size_t print_operands(const struct program_row *row)
{
    const char *at = row->operands;
    size_t count = forms_count(at);
    struct form f;

    if (strlen(at) > UINT16_MAX || count > UINT8_MAX) {
        fprintf(stderr, "make_program_index: operands that are too long: %s\n", row->name);
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        at = form_parse(row->operands, at, &f);
        print_form(&f);
    }
    return count;
}

static void print_forms(void)
{
    size_t count = 0;

    printf("static const struct form program_forms[] = {\n");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++) {
        const struct entry *same = slots[i].row ? same_operands(i) : NULL;
        slots[i].form = same ? same->form : count;
        if (slots[i].row && !same)
            count += print_operands(slots[i].row);
    }
    printf("};\n");
}

/* ---- rows ---- */

static void print_slot(size_t i)
{
    const struct entry *e = &slots[i];

    printf("    [%zu] = {%zu, %zu, %d, %u, %d, %zu, %zu, %zu},\n", i, e->file, e->at + 1, e->subcommands,
           row_modes(e->row), row_reader(e->row).len > 0, strlen(e->row->name), forms_count(e->row->operands), e->form);
}

static void print(size_t taken)
{
    printf("/* Made by tools/make_program_index.c: %zu rows. */\n", taken);
    printf("static const struct program_slot program_slots[PROGRAM_SLOTS] = {\n");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].row)
            print_slot(i);
    printf("};\n");
}

/* ---- options: the language is that of src/programs/programs.h ---- */

static void add_name(uint32_t row, const char *text, const char *name, size_t len)
{
    uint32_t slot = option_hash(row, name, len) % OPTION_SLOTS;

    if (!len)
        return;
    if (name - text > UINT16_MAX || len > UINT8_MAX || ++option_count > OPTION_SLOTS / 2) {
        fprintf(stderr, "make_program_index: options that are too long, or too many of them: %s\n", text);
        exit(1);
    }
    while (options[slot].row)
        slot = (slot + 1) % OPTION_SLOTS;
    options[slot] = (struct option_slot){(uint16_t)row, (uint16_t)(name - text), (uint8_t)len};
}

/* "!", "%" and "^LETTERS" stand in front of the names. */
static const char *skip_marks(const char *at)
{
    while (*at == '!' || *at == '%' || *at == '^')
        if (*at++ == '^')
            while (*at >= 'A' && *at <= 'Z')
                at++;
    return at;
}

static void add_names(uint32_t row, const char *text, const char *at, size_t len)
{
    const char *names = skip_marks(at), *end = at + len, *equals = memchr(at, '=', len);

    if (!equals && *names != '-')
        return; /* a word such as "mixed" */
    if (equals)
        end = equals > names && equals[-1] == '?' ? equals - 1 : equals;
    while (names < end) {
        const char *comma = memchr(names, ',', (size_t)(end - names));
        const char *stop = comma ? comma : end;
        add_name(row, text, names, (size_t)(stop - names));
        names = stop + 1;
    }
}

static void add_options(uint32_t row, const char *text)
{
    if (text[0] == '=')
        return;
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, " ");
        if (len)
            add_names(row, text, at, len);
        at += len + strspn(at + len, " ");
    }
}

static void print_options(void)
{
    for (uint32_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].row)
            add_options(i + 1, slots[i].row->options);
    printf("/* %zu names of options. */\n", option_count);
    printf("static const struct option_slot option_slots[OPTION_SLOTS] = {\n");
    for (size_t i = 0; i < OPTION_SLOTS; i++)
        if (options[i].row)
            printf("    [%zu] = {%u, %u, %u},\n", i, options[i].row, options[i].at, options[i].len);
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
            taken += add(f, i, &files[f]->rows[i]);
        }
    print_forms();
    print(taken);
    print_options();
    return 0;
}
