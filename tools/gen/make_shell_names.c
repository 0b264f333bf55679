/* make_shell_names.c - writes shell_names.inc: the names in the tables of src/core/shell by their
 * hash. Run by the build, with the sources as arguments. The rows contain functions, so it reads
 * them as text: the first string of each row of a table named by NAMES(). A test compares the
 * result with the tables. Wrappers are no such table: they are rows of programs/. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "programs/reading.h"
#include "shell/names.h"

struct entry {
    char name[NAME_SIZE];
    struct {
        char column[32];
        int row;
    } places[8];
    size_t count;
};

static struct entry entries[NAME_SLOTS];

static void die(const char *what, const char *where)
{
    fprintf(stderr, "make_shell_names: %s: %.60s\n", what, where);
    exit(1);
}

static char *read_all(const char *path)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "r");
    size_t len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

    if (!f || len == sizeof(text) - 1)
        die("cannot be read", path);
    fclose(f);
    text[len] = '\0';
    return text;
}

static void add(const char *name, size_t len, const char *column, int row)
{
    uint32_t at = name_hash(name, len);
    struct entry *e = &entries[at % NAME_SLOTS];

    if (len >= NAME_SIZE)
        die("a name that is too long", name);
    while (e->name[0] && (strncmp(e->name, name, len) != 0 || e->name[len]))
        e = &entries[++at % NAME_SLOTS];
    memcpy(e->name, name, len);
    if (e->count == sizeof(e->places) / sizeof(e->places[0]))
        die("a name in too many tables", name);
    snprintf(e->places[e->count].column, sizeof(e->places[0].column), "%s", column);
    e->places[e->count++].row = row;
}

/* From after the table's opening brace to its closing one. */
static void add_rows(const char *at, const char *column)
{
    int depth = 0, row = 0, named = 0;

    for (; depth > 0 || *at != '}'; at++) {
        if (!*at)
            die("a table that does not end", column);
        depth += (*at == '{') - (*at == '}');
        row += *at == '{' && depth == 1;
        if (*at != '"')
            continue;
        const char *name = ++at;
        while (*at && *at != '"')
            at += *at == '\\' && at[1] ? 2 : 1;
        row += depth == 0; /* a plain list of names */
        if (row > named)
            add(name, (size_t)(at - name), column, row);
        named = row;
    }
}

static void add_tables(const char *text)
{
    char table[32], column[32], opening[64];

    for (const char *at = text; (at = strstr(at, "= NAMES(")); at++) {
        if (sscanf(at, "= NAMES(%31[a-z_], %31[A-Z_])", table, column) != 2)
            die("a table that cannot be read", at);
        snprintf(opening, sizeof(opening), " %s[] = {", table);
        const char *from = strstr(text, opening);
        if (!from)
            die("there is no such table", table);
        add_rows(from + strlen(opening), column);
    }
}

static const struct program_row *find_row(const char *name)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++)
            if (strcmp(files[f]->rows[i].name, name) == 0)
                return &files[f]->rows[i];
    return NULL;
}

static bool wraps(const struct program_row *row)
{
    if (row->options[0] == '=')
        row = find_row(row->options + 1);
    return row && (row_modes(row) & MODE_WRAPS);
}

static bool is_runner(const char *name)
{
    uint32_t at = name_hash(name, strlen(name));
    const struct entry *e = &entries[at % NAME_SLOTS];

    while (e->name[0] && strcmp(e->name, name) != 0)
        e = &entries[++at % NAME_SLOTS];
    for (size_t i = 0; i < e->count; i++)
        if (strcmp(e->places[i].column, "NAMED_RUNNER") == 0)
            return true;
    return false;
}

/* The programs whose rows wrap a command. */
static void add_wrappers(void)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);

    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            const char *name = files[f]->rows[i].name;
            if (!strchr(name, ' ') && wraps(&files[f]->rows[i]) && !is_runner(name))
                add(name, strlen(name), "NAMED_WRAPPER", 1);
        }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        add_tables(read_all(argv[i]));
    add_wrappers();
    printf("/* Made by tools/gen/make_shell_names.c. */\nstatic const struct named "
           "named[NAME_SLOTS] = {\n");
    for (size_t i = 0; i < NAME_SLOTS; i++) {
        if (!entries[i].name[0])
            continue;
        printf("    [%zu] = {\"%s\", %zu, {", i, entries[i].name, strlen(entries[i].name));
        for (size_t n = 0; n < entries[i].count; n++)
            printf("%s[%s] = %d", n ? ", " : "", entries[i].places[n].column,
                   entries[i].places[n].row);
        printf("}},\n");
    }
    printf("};\n");
    return 0;
}
