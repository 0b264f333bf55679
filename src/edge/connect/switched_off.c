#include "connect/switched_off.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "document/document.h"

struct search {
    struct arena *arena;
    const struct registration *row;
    char path[2 * PATH_MAX];
    struct str text;
    struct registered *out;
    bool found; /* the file that was looked at is there */
};

static void found_off(struct search *s, struct str setting)
{
    s->out->local_off = str_copy(s->arena, setting);
    s->out->beside = str_copy(s->arena, str_from(s->path)).s;
}

/* Reads s->path, and looks at its text. */
static void look(struct search *s, enum file_guard guard, const char *inside, void (*judge)(void *))
{
    struct file_text text = {0};

    s->found = false;
    if (file_read(s->path, guard, inside, &text, NULL) != STATUS_OK)
        return;
    s->found = text.found;
    s->text = (struct str){text.text, text.len};
    if (text.found && !s->out->local_off.len)
        (void)arena_try(s->arena, judge, s);
    free(text.text);
}

/* ---- settings ---- */

static void judge_settings(void *arg)
{
    struct search *s = arg;
    struct value document;

    if (document_read(s->arena, document_syntax(str_from(s->path)), s->text, &document, NULL) !=
        STATUS_OK)
        return;
    struct str off = register_off_switch(&document);
    if (off.len)
        found_off(s, off);
}

static bool go_up(char *directory)
{
    char *slash = strrchr(directory, '/');

    if (!slash || slash == directory)
        return false;
    *slash = '\0';
    return true;
}

static bool is_root_of_repository(const char *directory)
{
    char git[PATH_MAX + 8];

    snprintf(git, sizeof(git), "%s/.git", directory);
    return access(git, F_OK) == 0;
}

static void find_root(const char *project, char root[PATH_MAX])
{
    snprintf(root, PATH_MAX, "%s", project);
    while (!is_root_of_repository(root))
        if (!go_up(root)) {
            snprintf(root, PATH_MAX, "%s", project);
            return;
        }
}

/* From the directory of the project up to the root of its repository. */
static void search_settings(struct search *s, const char *project)
{
    char directory[PATH_MAX], root[PATH_MAX];

    find_root(project, root);
    snprintf(directory, sizeof(directory), "%s", project);
    do {
        struct str rest = str_from(s->row->off_in), name;
        while (str_next_word(&rest, &name)) {
            snprintf(s->path, sizeof(s->path), "%s/%.*s", directory, STR_ARG(name));
            look(s, FILE_PROJECT, directory, judge_settings);
        }
    } while (strcmp(directory, root) != 0 && go_up(directory));
}

/* ---- variables ---- */

static bool is_on(struct str value)
{
    static const char *const off[] = {"", "0", "false", "no", "off"};

    for (size_t i = 0; i < COUNT(off); i++)
        if (str_eq_nocase(value, str_from(off[i])))
            return false;
    return true;
}

/* export NAME = "1" */
static void judge_line(struct search *s, struct str line)
{
    struct str name, value, rest = str_from(s->row->off_by), wanted;

    line = str_trim(line);
    if (str_starts(line, STR("export ")))
        line = str_trim(str_from_byte(line, 7));
    if (!str_cut(line, '=', &name, &value))
        return;
    value = str_trim(value);
    while (value.len && (str_has(STR("\"'`"), value.s[0])))
        value = str_from_byte(value, 1);
    while (value.len && (str_has(STR("\"'`"), value.s[value.len - 1])))
        value.len--;
    while (str_next_word(&rest, &wanted))
        if (str_eq(str_trim(name), wanted) && is_on(value))
            found_off(s, wanted);
}

static void judge_variables(void *arg)
{
    struct search *s = arg;
    struct str rest = s->text, line;

    while (rest.len) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        judge_line(s, line);
    }
}

/* The nearest one counts: the agent looks upwards, and reads no other of a project. */
static void search_variables(struct search *s, const char *project)
{
    char directory[PATH_MAX];

    snprintf(directory, sizeof(directory), "%s", project);
    do {
        struct str rest = str_from(s->row->off_env), name;
        while (str_next_word(&rest, &name)) {
            snprintf(s->path, sizeof(s->path), "%s/%.*s", directory, STR_ARG(name));
            look(s, FILE_PROJECT, directory, judge_variables);
            if (s->found)
                return;
        }
    } while (go_up(directory));
}

void switched_off_find(struct arena *a, const struct place *place, struct registered *out)
{
    struct search s = {.arena = a, .row = place->registrar.row, .out = out};

    if (place->scope == SCOPE_PROJECT && s.row->off_in)
        search_settings(&s, place->project);
    if (place->scope == SCOPE_PROJECT && s.row->off_env)
        search_variables(&s, place->project);
    if (place->scope == SCOPE_USER && s.row->trusts && place_beside(place, s.row->trusts, s.path))
        look(&s, FILE_PERSON, NULL, judge_settings);
}

struct str switched_off_here(const struct registration *row)
{
    struct str rest = str_from(row->off_by), one;
    char name[64];

    while (str_next_word(&rest, &one)) {
        snprintf(name, sizeof(name), "%.*s", STR_ARG(one));
        if (is_on(str_from(getenv(name))))
            return one;
    }
    return (struct str){0};
}
