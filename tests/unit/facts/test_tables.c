/* The tables that verdicts rest on, row by row: tests/tables/rows.txt has a line for each row,
 * `table | name | what the table says of it`. Most rows are in no other test, and none of them
 * should go by mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/tool.h"
#include "facts/path_classes.h"
#include "programs/programs.h"
#include "programs/variables.h"
#include "rule/subject.h"
#include "rule/tool.h"
#include "support/shared.h"

#include <cmocka.h>

static const struct str home = {"/home/user", 10};

static struct str say_path(struct arena *a, enum path_class_list list, struct str path)
{
    const struct path_class_search search = {.list = list, .home = home, .hidden = true};
    size_t at = path_class_match(&search, path, false);

    if (at == path_class_tables[list].count)
        return STR("nothing");
    const struct path_class *row = &path_class_tables[list].rows[at];
    return str_trim(str_format(a, "%s%s%s%s", *row->what ? row->what : "readable",
                               row->own ? " own" : "", row->formatted ? " formatted" : "",
                               row->made ? " made" : ""));
}

static struct str say_protected(struct arena *a, struct str path)
{
    return say_path(a, PATHS_PROTECTED, path);
}

static struct str say_secret(struct arena *a, struct str path)
{
    return say_path(a, PATHS_SECRET, path);
}

static struct str say_public(struct arena *a, struct str path)
{
    return say_path(a, PATHS_PUBLIC, path);
}

static struct str say_open(struct arena *a, struct str path)
{
    return say_path(a, PATHS_OPEN, path);
}

static struct str say_variable(struct arena *a, struct str name)
{
    static const char *const words[] = {"steers", "noted", "harmless", "transparent", "text"};
    const unsigned uses = variable_uses(name);
    struct buf b = buf_in(a);

    for (unsigned i = 0; i < COUNT(words); i++)
        if (uses & 1U << i)
            buf_format(&b, "%s ", words[i]);
    if (uses & VARIABLE_AS_OPTION)
        buf_text(&b, variable_option(name));
    return str_trim(buf_str(&b));
}

static struct str say_module(struct arena *a, struct str name)
{
    (void)a;
    return program_is_module_name(name) ? STR("a module") : STR("no module");
}

static struct str say_tool(struct arena *a, struct str name)
{
    static const char *const contents[] = {[CONTENT_TEXT] = "text",
                                           [CONTENT_COMMAND] = "command",
                                           [CONTENT_PATH] = "path",
                                           [CONTENT_URL] = "url"};
    const struct rule_tool *tool = rule_tool_find(name);

    if (!tool)
        return STR("nothing");
    return str_trim(str_format(
        a, "%s%s%s%s%s", contents[tool->content], tool->access & ACCESS_READ ? " read" : "",
        tool->access & ACCESS_WRITE ? " write" : "", tool->access & ACCESS_DELETE ? " delete" : "",
        tool->family ? " family" : ""));
}

static struct str say_call(struct arena *a, struct str name)
{
    static const char *const kinds[] = {
        [TOOL_OTHER] = "other",       [TOOL_SHELL] = "shell",     [TOOL_STDIN] = "stdin",
        [TOOL_READ] = "read",         [TOOL_SEARCH] = "search",   [TOOL_EDIT] = "edit",
        [TOOL_PATCH] = "patch",       [TOOL_FETCH] = "fetch",     [TOOL_QUERY] = "query",
        [TOOL_AGENT] = "agent",       [TOOL_PLAN_ENTER] = "plan", [TOOL_PLAN_EXIT] = "planned",
        [TOOL_QUESTION] = "question", [TOOL_NOTE] = "note",       [TOOL_MCP] = "mcp"};
    const struct tool *tool = tool_find(name);

    if (!tool)
        return STR("nothing");
    return str_format(a, "%s %s, first %s, paths %s", kinds[tool->kind], risk_name(tool->risk),
                      tool->first.s, tool->paths.s);
}

static const struct table {
    const char *name;
    struct str (*say)(struct arena *a, struct str name);
} tables[] = {
    {"call", say_call},           {"module", say_module},     {"open", say_open},
    {"protected", say_protected}, {"public", say_public},     {"secret", say_secret},
    {"tool", say_tool},           {"variable", say_variable},
};

static const struct table *table_named(struct str name)
{
    for (size_t i = 0; i < COUNT(tables); i++)
        if (str_is(name, tables[i].name))
            return &tables[i];
    fail_msg("there is no table %.*s", STR_ARG(name));
    return NULL;
}

struct work {
    struct arena arena;
    struct str line;
    size_t wrong;
};

static void check_line(void *arg)
{
    struct work *w = arg;
    struct str table, name, want;

    if (!str_cut(w->line, '|', &table, &name) || !str_cut(name, '|', &name, &want))
        fail_msg("not a line of a table: %.*s", STR_ARG(w->line));
    struct str got = str_trim(table_named(str_trim(table))->say(&w->arena, str_trim(name)));
    if (str_eq(got, str_trim(want)))
        return;
    print_error("%.*s\n    but %.*s\n", STR_ARG(w->line), STR_ARG(got));
    w->wrong++;
}

static void rows_are_there(void **state)
{
    size_t len, count = 0, wrong = 0;
    char *text = read_whole_file(source_path("tests/tables/rows.txt"), &len);
    struct str line, rest = {text, len};

    (void)state;
    for (; rest.len; count += line.len && line.s[0] != '#') {
        str_cut(rest, '\n', &line, &rest);
        if (!line.len || line.s[0] == '#')
            continue;
        struct work w = {.line = line};
        arena_init(&w.arena, 1 << 20);
        assert_true(arena_try(&w.arena, check_line, &w));
        arena_release(&w.arena);
        wrong += w.wrong;
    }
    free(text);
    printf("%zu rows\n", count);
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_there)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
