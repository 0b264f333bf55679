/* make_program_index.c - writes program_index.inc: the tables of src/core/programs/index.h, from
 * the rows. Run by the build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/index.h"
#include "programs/reading.h"

struct entry {
    size_t file, at;
    const struct program_row *row; /* NULL: empty slot */
    bool subcommands;
    size_t form;   /* of its first operand */
    size_t others; /* the place of the list of its other names */
};

static struct entry slots[PROGRAM_SLOTS];
static struct option_slot options[OPTION_SLOTS];
static size_t option_count;

#define KINDS_MAX ((size_t)UINT16_MAX + 1)
static struct option_kind kinds[KINDS_MAX];
static size_t kind_count;

#define TREES_MAX 1024
static uint32_t trees[TREES_MAX];
static size_t tree_count = 1;

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

/* False if the name exists already. The first one counts, as in a linear search. */
static bool add(size_t file, size_t at, const struct program_row *row)
{
    uint32_t slot =
        program_slot_of(program_hash(PROGRAM_HASH, row->name, strlen(row->name))) % PROGRAM_SLOTS;

    for (; slots[slot].row; slot = (slot + 1) % PROGRAM_SLOTS)
        if (strcmp(slots[slot].row->name, row->name) == 0)
            return false;
    slots[slot] = (struct entry){
        .file = file, .at = at, .row = row, .subcommands = has_subcommands(row->name)};
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
    printf(".effects = %u, .count = %u, .many = %u, .reads = %d, .runs = %d, .talks = %d, ",
           f->effects, f->count, f->many, f->reads, f->runs, f->talks);
    printf(".names_roles = %d, .places = {", f->names_roles);
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

/* ---- options that say how a program goes through directories ---- */

/* The place of the row's set among `trees`; most rows have the empty one, which is the first. */
static size_t trees_of(const struct program_row *row)
{
    uint32_t set = row_trees(row);
    size_t i = 0;

    while (i < tree_count && trees[i] != set)
        i++;
    if (i == TREES_MAX) {
        fprintf(stderr, "make_program_index: too many sets of options: %s\n", row->name);
        exit(1);
    }
    if (i == tree_count)
        trees[tree_count++] = set;
    return i;
}

static void print_trees(void)
{
    printf("static const uint32_t program_trees[] = {");
    for (size_t i = 0; i < tree_count; i++)
        printf("%uu, ", trees[i]);
    printf("};\n");
}

/* ---- other names of programs: npx for npm, because of npm exec ---- */

#define OTHERS_MAX 4096 /* bytes of one list */

static bool is_of_program(const char *name, const char *program)
{
    size_t len = strlen(program);

    return strncmp(name, program, len) == 0 && (name[len] == ' ' || name[len] == '\0');
}

static const struct program_row *row_named(const char *name)
{
    for (size_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].row && strcmp(slots[i].row->name, name) == 0)
            return slots[i].row;
    return NULL;
}

/* The first word of a name, if it is not the program itself and the list does not have it yet. */
static void add_other(char *list, const char *program, const char *name)
{
    size_t len = strcspn(name, " ,"), used = strlen(list);

    if (strlen(program) == len && strncmp(name, program, len) == 0)
        return;
    for (const char *at = list; *at; at += strcspn(at, " ") + 1)
        if (strncmp(at, name, len) == 0 && at[len] == ' ')
            return;
    if (used + len + 2 > OTHERS_MAX) {
        fprintf(stderr, "make_program_index: too many other names of %s\n", program);
        exit(1);
    }
    memcpy(list + used, name, len);
    memcpy(list + used + len, " ", 2);
}

static void add_names_of(char *list, const char *program, const struct program_row *row)
{
    add_other(list, program, row->name);
    for (const char *also = row->also; also; also = strchr(also, ',')) {
        also += *also == ',';
        add_other(list, program, also);
    }
}

/* Of all its commands, and of what they are read like. */
static void add_commands_of(char *list, const char *program, const char *as)
{
    for (size_t i = 0; i < PROGRAM_SLOTS; i++) {
        const struct program_row *row = slots[i].row, *like = NULL;
        if (!row || !is_of_program(row->name, as))
            continue;
        add_names_of(list, program, row);
        if (row->options[0] == '=')
            like = row_named(row->options + 1);
        if (like)
            add_names_of(list, program, like);
    }
}

/* One name too many costs a little time, one too few would be a hole: a test compares them with
 * program_rule_names(). */
static void print_others(void)
{
    size_t count = 0;

    printf("static const char *const program_others[] = {\"\",\n");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++) {
        char list[OTHERS_MAX] = "";
        const struct program_row *row = slots[i].row;
        if (!row || strchr(row->name, ' '))
            continue;
        add_commands_of(list, row->name, row->name);
        if (row->options[0] == '=' && row->options[1])
            add_commands_of(list, row->name, row->options + 1);
        if (row->name[0] == 'g' && row_named(row->name + 1)) /* gtar is tar */
            add_other(list, row->name, row->name + 1);
        if (list[0]) {
            slots[i].others = ++count;
            printf("    \"%s %s\",\n", row->name, list);
        }
    }
    printf("};\n");
}

/* ---- rows of programs whose options a variable may say: HUSKY*>--no-verify ---- */

static void print_told(void)
{
    printf("static const uint16_t programs_told[] = {");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].row && slots[i].row->set_by && strchr(slots[i].row->set_by, '>'))
            printf("%zu, ", i);
    printf("};\n");
}

/* ---- what the rows of programs may say, by the shape of their names ---- */

static unsigned columns_of(const struct program_row *row)
{
    return (row->task_by_task || row->shares_scripts ? COLUMN_TASKS : 0u) |
           (row->brings != BRINGS_NOTHING ? COLUMN_BRINGS : 0u) |
           (row_modes(row) & MODE_WRAPS ? COLUMN_WRAPS : 0u);
}

static void print_columns(void)
{
    unsigned columns[PROGRAM_SHAPES] = {0};

    for (size_t i = 0; i < PROGRAM_SLOTS; i++) {
        const struct program_row *row = slots[i].row, *by = row;
        if (!row || strchr(row->name, ' ')) /* a subcommand is found by its program */
            continue;
        if (row->options[0] == '=' && row->options[1])
            by = row_named(row->options + 1);
        columns[program_shape(str_from(row->name))] |= columns_of(row) | (by ? columns_of(by) : 0u);
    }
    printf("static const uint8_t program_columns[PROGRAM_SHAPES] = {");
    for (size_t i = 0; i < PROGRAM_SHAPES; i++)
        printf("%u, ", columns[i]);
    printf("};\n");
}

/* ---- rows ---- */

static void print_slot(size_t i)
{
    const struct entry *e = &slots[i];

    printf("    [%zu] = {%zu, %zu, %d, %u, %d, %zu, %zu, %zu, %zu, %zu},\n", i, e->file, e->at + 1,
           e->subcommands, row_modes(e->row), row_reader(e->row).len > 0, strlen(e->row->name),
           forms_count(e->row->operands), e->form, trees_of(e->row), e->others);
}

static void print(size_t taken)
{
    printf("/* Made by tools/gen/make_program_index.c: %zu rows. */\n", taken);
    printf("static const struct program_slot program_slots[PROGRAM_SLOTS] = {\n");
    for (size_t i = 0; i < PROGRAM_SLOTS; i++)
        if (slots[i].row)
            print_slot(i);
    printf("};\n");
}

/* ---- options: the language is that of src/core/programs/programs.h ---- */

static bool same_kind(const struct option_kind *a, const struct option_kind *b)
{
    return a->set == b->set && a->effects == b->effects && a->names == b->names &&
           a->roles == b->roles && a->value == b->value && a->optional == b->optional &&
           a->prints == b->prints;
}

/* The index of the option's kind, shared because many options have the same kind. */
static uint16_t kind_of(const struct option *o, const char *text)
{
    size_t i = 0;
    struct option_kind kind = {names_set(o->names),
                               (uint16_t)o->effects,
                               (uint8_t)o->names.len,
                               (uint8_t)o->roles.len,
                               o->value,
                               o->optional,
                               o->prints};

    if (o->names.len > UINT8_MAX || o->roles.len > UINT8_MAX || o->effects > UINT16_MAX ||
        kind_count == KINDS_MAX) {
        fprintf(stderr, "make_program_index: an option that is too long, or too many of them: %s\n",
                text);
        exit(1);
    }
    while (i < kind_count && !same_kind(&kinds[i], &kind))
        i++;
    if (i == kind_count)
        kinds[kind_count++] = kind;
    return (uint16_t)i;
}

static void add_name(const struct option_slot *as, const char *text)
{
    const char *name = text + as->at;
    uint32_t slot = option_hash(as->row, name, as->len) % OPTION_SLOTS;

    if (++option_count > OPTION_SLOTS / 2) {
        fprintf(stderr, "make_program_index: too many options: %s\n", text);
        exit(1);
    }
    while (options[slot].row)
        slot = (slot + 1) % OPTION_SLOTS;
    options[slot] = *as;
}

static void add_option(uint32_t row, const char *text, const struct option *o)
{
    uint16_t kind = kind_of(o, text);
    struct str rest = o->names, name;

    if (o->names.s + o->names.len - text > UINT16_MAX) {
        fprintf(stderr, "make_program_index: options that are too long: %s\n", text);
        exit(1);
    }
    for (bool more = true; more;) {
        more = str_cut(rest, ',', &name, &rest);
        if (name.len)
            add_name(&(struct option_slot){(uint16_t)row, (uint16_t)(name.s - text),
                                           (uint8_t)name.len, (uint8_t)(name.s - o->names.s), kind},
                     text);
    }
}

static void add_options(uint32_t row, const char *text)
{
    struct str rest = str_from(text), token;
    struct option o;

    if (text[0] == '=')
        return;
    while (str_next_word(&rest, &token))
        if (option_parse(token, &o))
            add_option(row, text, &o);
}

static void print_kinds(void)
{
    printf("static const struct option_kind option_kinds[] = {\n");
    for (size_t i = 0; i < kind_count; i++)
        printf("    {%uu, %u, %u, %u, %d, %d, %d},\n", kinds[i].set, kinds[i].effects,
               kinds[i].names, kinds[i].roles, kinds[i].value, kinds[i].optional, kinds[i].prints);
    printf("};\n");
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
            printf("    [%zu] = {%u, %u, %u, %u, %u},\n", i, options[i].row, options[i].at,
                   options[i].len, options[i].before, options[i].kind);
    printf("};\n");
    print_kinds();
}

int main(void)
{
    size_t count, taken = 0;
    const struct program_file *const *files = program_files(&count);

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            if (strlen(files[f]->rows[i].name) > PROGRAM_NAME_MAX || taken > PROGRAM_SLOTS / 2) {
                fprintf(stderr,
                        "make_program_index: a name that is too long, or too many rows: %s\n",
                        files[f]->rows[i].name);
                return 1;
            }
            taken += add(f, i, &files[f]->rows[i]);
        }
    print_forms();
    print_others();
    print_told();
    print_columns();
    print(taken);
    print_trees();
    print_options();
    return 0;
}
