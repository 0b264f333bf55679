/* The table of tools, and how a call is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "call/call.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

static const struct call_defaults defaults = {.cwd = {"/w", 2},
                                              .home = {"/home/u", 7},
                                              .mode = {"default", 7},
                                              .plan_file = {"/w/plan.md", 10}};

/* Runs the body of a test inside an arena_try(). */
static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, (size_t)16 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static enum status read_line(const char *json, struct call *out, struct error *err)
{
    struct value *v = ARENA_NEW(&arena, struct value);

    *err = (struct error){0};
    if (json_read(&arena, str_from(json), NULL, v, err) != STATUS_OK)
        fail_msg("the test's own JSON is wrong: %s: %s", json, err->message);
    return call_read(&arena, v, &defaults, out, err);
}

static struct call read_good(const char *json)
{
    struct call c;
    struct error err;

    if (read_line(json, &c, &err) != STATUS_OK)
        fail_msg("%s: %s", json, err.message);
    return c;
}

static void assert_text(struct str got, const char *want)
{
    if (!str_is(got, want))
        fail_msg("\"%.*s\", not \"%s\"", (int)got.len, got.s ? got.s : "", want);
}

/* -- the table ---------------------------------------------------------------- */

static size_t times_in_list(const char *list, struct str wanted)
{
    struct str rest = str_from(list), word;
    size_t n = 0;

    while (str_next_word(&rest, &word))
        n += str_eq(word, wanted);
    return n;
}

/* As a name or an alias, in all rows. */
static size_t times_in_table(struct str name)
{
    size_t count, n = 0;
    const struct tool *rows = tool_rows(&count);

    for (size_t i = 0; i < count; i++) {
        n += str_eq(name, rows[i].name);
        for (size_t k = 0; k < rows[i].alias_count; k++)
            n += str_eq(rows[i].aliases[k], name);
    }
    return n;
}

static void every_name_means_one_row(void **state)
{
    size_t count;
    const struct tool *rows = tool_rows(&count);

    (void)state;
    assert_true(count > 30);
    for (size_t i = 0; i < count; i++) {
        if (times_in_table(rows[i].name) != 1)
            fail_msg("%s is in the table more than once", rows[i].name.s);
        assert_ptr_equal(tool_find(rows[i].name), &rows[i]);
        for (size_t k = 0; k < rows[i].alias_count; k++) {
            const struct str *alias = &rows[i].aliases[k];
            if (times_in_table(*alias) != 1)
                fail_msg("%s, of %s, is in the table more than once", alias->s, rows[i].name.s);
            assert_ptr_equal(tool_find(*alias), &rows[i]);
        }
    }
}

static void no_row_names_a_field_twice(void **state)
{
    size_t count;
    const struct tool *rows = tool_rows(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct str lists[] = {rows[i].first, rows[i].paths, rows[i].others};
        for (size_t l = 0; l < COUNT(lists); l++) {
            struct str rest = lists[l], word;
            while (str_next_word(&rest, &word))
                if (times_in_list(lists[l].s, word) != 1)
                    fail_msg("%s: %.*s", rows[i].name.s, STR_ARG(word));
        }
    }
}

/* A file tool without path arguments would be judged as one that touches nothing. */
static void tools_of_files_have_paths(void **state)
{
    size_t count;
    const struct tool *rows = tool_rows(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool files =
            rows[i].kind == TOOL_READ || rows[i].kind == TOOL_SEARCH || rows[i].kind == TOOL_EDIT;
        if (files && !rows[i].paths.len)
            fail_msg("%s has no path", rows[i].name.s);
        if ((files || rows[i].kind == TOOL_SHELL || rows[i].kind == TOOL_PATCH) &&
            !rows[i].first.len)
            fail_msg("%s has no first argument", rows[i].name.s);
    }
}

static void names_are_exact(void **state)
{
    static const char *const unknown[] = {"",      "BASH",      "Bash ",   "bas",
                                          "bashh", "read file", "command", "Bash bash"};

    (void)state;
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_null(tool_find(str_from(unknown[i])));
    assert_null(tool_find(STR("Bash\0")));
}

static void mcp_names(void **state)
{
    static const struct {
        const char *name, *server; /* NULL: not an MCP tool */
    } cases[] = {
        {"mcp__github__create_issue", "github"},
        {"mcp__github", "github"},
        {"mcp__a_b__c_d", "a_b"},
        {"mcp__a__b__c", "a"},
        {"mcp__a__", "a"},
        {"mcp__a_", "a_"},
        {"mcp____tool", NULL},
        {"mcp__", NULL},
        {"mcp_github_x", NULL},
        {"MCP__github__x", NULL},
        {" mcp__github__x", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str server = {0};
        bool is = tool_mcp_server(str_from(cases[i].name), &server);
        if (is != (cases[i].server != NULL))
            fail_msg("%s", cases[i].name);
        if (is)
            assert_text(server, cases[i].server);
    }
    struct str server;
    assert_true(
        tool_mcp_server((struct str){"mcp__a__", 7}, &server)); /* what follows is not read */
    assert_text(server, "a_");
}

/* -- reading ------------------------------------------------------------------- */

static void both_spellings(void *arg)
{
    static const char *const lines[] = {
        "{\"tool\": \"Bash\", \"input\": {\"command\": \"ls\"}, \"mode\": \"plan\", \"session\": "
        "\"s\", "
        "\"cwd\": \"/w/a/..\", \"tool_use_id\": \"t\"}",
        "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"ls\"}, \"permission_mode\": "
        "\"plan\", "
        "\"session_id\": \"s\", \"cwd\": \"/w\", \"tool_use_id\": \"t\", \"hook_event_name\": "
        "\"PreToolUse\"}",
    };
    struct str command;

    (void)arg;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct call c = read_good(lines[i]);
        assert_int_equal(c.kind, TOOL_SHELL);
        assert_true(call_command(&arena, &c, &command));
        assert_text(command, "ls");
        assert_text(c.mode, "plan");
        assert_true(c.mode_given);
        assert_text(c.session, "s");
        assert_text(c.cwd, "/w");
        assert_text(c.project, "/w");
        assert_text(c.tool_use_id, "t");
        assert_text(c.plan_file, "/w/plan.md");
    }
}

static void takes_defaults(void *arg)
{
    struct call c = read_good("{\"tool\": \"TodoRead\"}");

    (void)arg;
    assert_int_equal(c.input->kind, VALUE_OBJECT);
    assert_int_equal(c.input->count, 0);
    assert_text(c.cwd, "/w");
    assert_text(c.project, "/w");
    assert_text(c.mode, "default");
    assert_false(c.mode_given);
    c = read_good("{\"tool\": \"TodoRead\", \"cwd\": \"~/p\", \"mode\": null, \"session\": null}");
    assert_text(c.cwd, "/home/u/p");
    assert_text(c.project, "/home/u/p");
    assert_false(c.mode_given);
}

static const struct {
    const char *json;
    uint32_t line, column; /* 0: the error has no place */
    const char *says;
} refused[] = {
    {"[]", 1, 1, "a call must be an object, not"},
    {"\n  \"Bash\"", 2, 3, "a call must be an object, not"},
    {"{}", 0, 0, "names no tool"},
    {"{\"tool\": \"\"}", 0, 0, "names no tool"},
    {"{\"tool\": null}", 0, 0, "names no tool"},
    {"{\"input\": {\"command\": \"ls\"}}", 0, 0, "names no tool"},
    {"{\"tool\": 1}", 1, 10, "\"tool\" must be a string"},
    {"{\"tool\": [\"Bash\"]}", 1, 10, "\"tool\" must be a string"},
    {"{\"tool\": \"Bash\\u0000x\"}", 0, 0, "NUL"},
    {"{\"tool\": \"Bash\",\n \"tol\": 1}", 2, 2, "a call has no field \"tol\""},
    {"{\"tool\": \"Bash\",\n \"Tool\": \"Read\"}", 2, 2, "a call has no field \"Tool\""},
    {"{\"tool\": \"Bash\", \"tool\\u0000\": 1}", 1, 18, "a call has no field"},
    {"{\"tool\": \"Bash\",\n \"tool_name\": \"Read\"}", 2, 2, "\"tool_name\" contradicts"},
    {"{\"tool_name\": \"Bash\",\n \"tool\": \"bash\"}", 2, 2, "\"tool\" contradicts"},
    {"{\"tool\": \"Bash\", \"mode\": \"plan\",\n\"permission_mode\": \"default\"}", 2, 1,
     "contradicts"},
    {"{\"tool\": \"Bash\", \"session\": \"a\",\n\"session_id\": \"b\"}", 2, 1, "contradicts"},
    {"{\"tool\": \"Bash\", \"input\": {},\n  \"tool_input\": {}}", 2, 3, "given twice"},
    {"{\"tool\": \"Bash\", \"input\":\n \"ls\"}", 2, 2, "\"input\" must be an object"},
    {"{\"tool\": \"Bash\", \"tool_input\":\n null}", 2, 2, "\"tool_input\" must be an object"},
    {"{\"tool\": \"Bash\", \"cwd\": \"w\"}", 0, 0, "\"cwd\" must be an absolute path"},
    {"{\"tool\": \"Bash\", \"cwd\": \"~other/w\"}", 0, 0, "\"cwd\" must be an absolute path"},
    {"{\"tool\": \"Bash\", \"cwd\": \"/w\\u0000/x\"}", 0, 0, "\"cwd\" must be an absolute path"},
    {"{\"tool\": \"Bash\", \"cwd\":\n 7}", 2, 2, "\"cwd\" must be a string"},
    {"{\"tool\": \"Bash\", \"project\": \"../w\"}", 0, 0, "\"project\" must be an absolute path"},
    {"{\"tool\": \"Bash\", \"mode\":\n   true}", 2, 4, "\"mode\" must be a string"},
    {"{\"tool\": \"Bash\", \"annotations\":\n []}", 2, 2, "\"annotations\" must be an object"},
    {"{\"tool\": \"Bash\", \"wait\":\n -1}", 2, 2, "whole seconds, not below 0"},
    {"{\"tool\": \"Bash\", \"wait\":\n \"5\"}", 2, 2, "whole seconds, not "},
    {"{\"tool\": \"Bash\", \"wait\":\n 1.5}", 2, 2, "whole seconds, not "},
    {"{\"tool\": \"Bash\", \"subagent\":\n null}", 2, 2, "\"subagent\" must be true or false"},
    {"{\"tool\": \"mcp__a__b\", \"annotations\": {\"readOnly\":\n 1}}", 2, 2,
     "\"readOnly\" must be true or false"},
    {"{\"tool\": \"mcp__a__b\", \"annotations\": {\"destructiveHint\":\n \"no\"}}", 2, 2,
     "\"destructive\" must be"},
};

static void errors_have_places(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct call c;
        struct error err;
        if (read_line(refused[i].json, &c, &err) != STATUS_SYNTAX)
            fail_msg("%s is taken", refused[i].json);
        if (err.line != refused[i].line || err.column != refused[i].column ||
            !strstr(err.message, refused[i].says))
            fail_msg("%s: %u:%u: %s", refused[i].json, err.line, err.column, err.message);
    }
}

static const struct {
    const char *given; /* the value of "task_id" */
    const char *taken;
} recorded[] = {
    {"\"a\"", "a"}, {"7", "7"},   {"-7", "-7"},    {"1.5", ""},
    {"null", ""},   {"true", ""}, {"[\"a\"]", ""}, {"{\"a\": 1}", ""},
};

/* Other values are not refused: nothing depends on them. */
static void names_that_are_recorded(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(recorded); i++)
        assert_text(
            read_good(
                str_format(&arena, "{\"tool\": \"Bash\", \"task_id\": %s}", recorded[i].given).s)
                .task_id,
            recorded[i].taken);
}

static void who_is_asking(void *arg)
{
    struct call c = read_good("{\"tool\": \"Bash\"}");

    (void)arg;
    assert_false(c.subagent || c.main_agent);
    c = read_good("{\"tool\": \"Bash\", \"subagent\": false}");
    assert_true(!c.subagent && c.main_agent);
    c = read_good("{\"tool\": \"Bash\", \"subagent\": true}");
    assert_true(c.subagent && !c.main_agent);
}

static const struct {
    const char *given;
    uint32_t seconds;
} waits[] = {
    {"null", 0},
    {"0", 0},
    {"5", 5},
    {"86400", CALL_WAIT_MAX},
    {"86401", CALL_WAIT_MAX},
    {"99999999999999999999999", CALL_WAIT_MAX},
};

static void how_long_an_answer_may_wait(void *arg)
{
    (void)arg;
    assert_int_equal(read_good("{\"tool\": \"Bash\"}").wait_ms, 0);
    for (size_t i = 0; i < COUNT(waits); i++)
        assert_int_equal(
            read_good(str_format(&arena, "{\"tool\": \"Bash\", \"wait\": %s}", waits[i].given).s)
                .wait_ms,
            1000 * waits[i].seconds);
}

/* A session that the call names itself need not be one of this client. */
static void a_session_comes_with_its_client(void *arg)
{
    const struct call_defaults with = {
        .cwd = STR("/w"), .home = STR("/home/u"), .session = STR("s"), .client = STR("codex")};
    static const struct {
        const char *json, *session, *client;
    } calls[] = {
        {"{\"tool\": \"Bash\"}", "s", "codex"},
        {"{\"tool\": \"Bash\", \"session\": \"own\"}", "own", ""},
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(calls); i++) {
        struct value *v = ARENA_NEW(&arena, struct value);
        struct call c;
        assert_int_equal(json_read(&arena, str_from(calls[i].json), NULL, v, NULL), STATUS_OK);
        assert_int_equal(call_read(&arena, v, &with, &c, NULL), STATUS_OK);
        assert_text(c.session, calls[i].session);
        assert_text(c.client, calls[i].client);
    }
}

/* The same value given twice is not a contradiction. */
static void given_twice(void *arg)
{
    struct call c =
        read_good("{\"tool\": \"Read\", \"tool_name\": \"Read\", \"mode\": \"plan\", "
                  "\"permission_mode\": \"plan\", \"session\": null, \"session_id\": \"s\"}");

    (void)arg;
    assert_text(c.tool, "Read");
    assert_text(c.mode, "plan");
    assert_text(c.session, "s");
}

static void kinds_and_annotations(void *arg)
{
    struct call c =
        read_good("{\"tool\": \"mcp__db__query\", \"annotations\": {\"readOnlyHint\": true}}");

    (void)arg;
    assert_int_equal(c.kind, TOOL_MCP);
    assert_null(c.row);
    assert_text(c.server, "db");
    assert_true(c.read_only);
    assert_false(c.destructive);
    c = read_good("{\"tool\": \"mcp__db__drop\", \"annotations\": {\"readOnly\": false, "
                  "\"destructive\": true}}");
    assert_false(c.read_only);
    assert_true(c.destructive);
    assert_int_equal(read_good("{\"tool\": \"run_shell_command\"}").kind, TOOL_SHELL);
    assert_int_equal(read_good("{\"tool\": \"NoSuchTool\"}").kind, TOOL_OTHER);
    assert_int_equal(read_good("{\"tool\": \"mcp__\"}").kind, TOOL_OTHER);
}

/* -- arguments --------------------------------------------------------------------- */

static const struct {
    const char *tool, *input, *field; /* NULL: no contradiction */
} contradictions[] = {
    {"Bash", "{\"command\": \"ls\", \"cmd\": \"rm x\"}", "cmd"},
    {"Bash", "{\"cmd\": \"rm x\", \"command\": \"ls\"}", "cmd"},
    {"Bash", "{\"command\": \"ls\", \"cmd\": \"ls\"}", NULL},
    {"Bash", "{\"command\": \"ls\", \"cmd\": null}", NULL},
    {"Bash", "{\"command\": [\"ls\"], \"cmd\": \"ls\"}", "cmd"},
    {"Bash", "{\"command\": \"ls\", \"cwd\": \"/a\", \"workdir\": \"/b\"}", "workdir"},
    {"Bash", "{\"command\": \"ls\", \"cwd\": \"/a\", \"workdir\": \"/a\"}", NULL},
    {"Bash", "{\"command\": \"ls\", \"cwd\": \"/a\", \"dir_path\": \"/a\", \"directory\": \"/b\"}",
     "directory"},
    {"Read", "{\"file_path\": \"/a\", \"path\": \"/b\"}", "path"},
    {"Read", "{\"file_path\": \"/a\", \"absolute_path\": \"/a\"}", NULL},
    {"Write", "{\"path\": \"/a\", \"filePath\": \"/b\"}", "filePath"},
    {"Grep", "{\"pattern\": \"x\", \"path\": \"/a\", \"dir_path\": \"/b\"}", "dir_path"},
    {"Grep", "{\"pattern\": \"x\", \"path\": \"/a\"}", NULL},
    {"ApplyPatch", "{\"input\": \"a\", \"patch\": \"b\"}", "patch"},
    {"WriteStdin", "{\"chars\": \"a\", \"text\": \"b\"}", "text"},
    {"WebFetch", "{\"url\": \"https://a\", \"prompt\": \"b\"}",
     NULL}, /* two arguments, not two names of one */
    {"NoSuchTool", "{\"command\": \"ls\", \"cmd\": \"rm\"}", NULL},
    {"mcp__a__b", "{\"command\": \"ls\", \"cmd\": \"rm\"}", NULL},
};

static struct call call_of(const char *tool, const char *input)
{
    struct value *v = ARENA_NEW(&arena, struct value);
    struct call c;
    struct error err = {0};

    if (json_read(&arena, str_from(input), NULL, v, &err) != STATUS_OK ||
        call_from_input(&arena, str_from(tool), v, &defaults, &c, &err) != STATUS_OK)
        fail_msg("%s %s: %s", tool, input, err.message);
    return c;
}

static void two_names_of_one_argument(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(contradictions); i++) {
        struct call c = call_of(contradictions[i].tool, contradictions[i].input);
        const struct member *m = call_contradiction(&arena, &c);
        if (!m != !contradictions[i].field)
            fail_msg("%s %s", contradictions[i].tool, contradictions[i].input);
        if (m)
            assert_text(m->key, contradictions[i].field);
    }
}

static void unknown_fields(void *arg)
{
    static const struct {
        const char *tool, *input, *field;
    } cases[] = {
        {"Bash", "{\"command\": \"ls\", \"timeout\": 1, \"workdir\": \"/w\"}", NULL},
        {"Bash", "{\"command\": \"ls\", \"stdin\": \"x\"}", "stdin"},
        {"Bash", "{\"Command\": \"ls\"}", "Command"},
        {"Bash", "{\"\": \"ls\"}", ""},
        {"Bash", "{\"command cmd\": \"ls\"}", "command cmd"},
        {"Read", "{\"file_path\": \"/a\", \"command\": \"ls\"}", "command"},
        {"NoSuchTool", "{\"x\": 1}", NULL}, /* the fields of an unknown tool cannot be checked */
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call c = call_of(cases[i].tool, cases[i].input);
        const struct member *m = call_unknown_field(&c, &(size_t){0});
        if (!m != !cases[i].field)
            fail_msg("%s %s", cases[i].tool, cases[i].input);
        if (m)
            assert_text(m->key, cases[i].field);
    }
}

static void commands(void *arg)
{
    static const struct {
        const char *tool, *input, *command; /* NULL: there is none */
    } cases[] = {
        {"Bash", "{\"command\": \"ls -l\"}", "ls -l"},
        {"exec_command", "{\"cmd\": \"ls -l\"}", "ls -l"},
        {"shell", "{\"command\": [\"bash\", \"-lc\", \"ls | wc\"]}", "'bash' '-lc' 'ls | wc'"},
        {"shell", "{\"command\": [\"echo\", \"it's\", \"\"]}", "'echo' 'it'\\''s' ''"},
        {"shell", "{\"command\": []}", NULL},
        {"shell", "{\"command\": [\"ls\", 1]}", NULL},
        {"Bash", "{\"command\": 1}", NULL},
        {"Bash", "{\"command\": null, \"cmd\": \"ls\"}", NULL},
        {"Bash", "{}", NULL},
        {"Skill", "{\"command\": \"ls\"}", NULL}, /* not a shell */
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call c = call_of(cases[i].tool, cases[i].input);
        struct str command = {0};
        bool is = call_command(&arena, &c, &command);
        if (is != (cases[i].command != NULL))
            fail_msg("%s %s", cases[i].tool, cases[i].input);
        if (is)
            assert_text(command, cases[i].command);
    }
}

static void directories(void *arg)
{
    static const struct {
        const char *tool, *input, *directory;
    } cases[] = {
        {"Bash", "{\"command\": \"ls\"}", "/w"},
        {"Bash", "{\"command\": \"ls\", \"workdir\": \"/tmp/x/..\"}", "/tmp"},
        {"Bash", "{\"command\": \"ls\", \"cwd\": \"sub\"}", "/w/sub"},
        {"Bash", "{\"command\": \"ls\", \"directory\": \"~/p\"}", "/home/u/p"},
        {"Bash", "{\"command\": \"ls\", \"dir_path\": \"~other\"}", ""}, /* not known */
        {"Read", "{\"path\": \"/tmp/x\"}", "/w"},
    };

    (void)arg;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct call c = call_of(cases[i].tool, cases[i].input);
        assert_text(call_directory(&arena, &c, defaults.home), cases[i].directory);
    }
}

/* Paths, each after a blank. */
static const struct {
    const char *tool, *input, *paths;
} paths[] = {
    {"Read", "{\"file_path\": \"/a\"}", " /a"},
    {"read_file", "{\"absolute_path\": \"/a\", \"offset\": 1}", " /a"},
    {"Read", "{\"file_path\": \"/a\", \"path\": \"/b\"}",
     " /a /b"}, /* both, whichever the client reads */
    {"Read", "{\"file_path\": 7}", ""},
    {"ReadMany", "{\"paths\": [\"/a\", [\"/b\"], 1, \"c\"], \"include\": [\"d\"]}", " /a /b c d"},
    {"Grep", "{\"pattern\": \"/x\", \"path\": \"/a\"}", " /a"},
    {"Bash", "{\"command\": \"ls\", \"cwd\": \"/a\"}",
     ""}, /* the directory is not a path that is touched */
    {"NoSuchTool", "{\"path\": \"/a\"}", ""},
    {"apply_patch",
     "{\"input\": \"*** Begin Patch\\n*** Add File: new.c\\n+int x;\\n*** Update File: old.c\\n*** "
     "Move to: "
     "moved/old.c\\n@@\\n-a\\n+b\\n*** Delete File: /etc/gone\\n*** End Patch\\n\"}",
     " new.c old.c moved/old.c /etc/gone"},
    {"apply_patch", "{\"patch\": \"--- a/x.c\\n+++ b/y.c\\n@@ -1 +1 @@\\n-a\\n+b\\n\"}",
     " x.c y.c"},
    {"apply_patch", "{\"patchText\": \"--- /dev/null\\n+++ /etc/passwd\\n\"}",
     " /dev/null /etc/passwd"},
    {"apply_patch", "{\"input\": \"*** Add File: no-newline\"}", " no-newline"},
    {"apply_patch", "{\"input\": \"*** Add File:   blanks.c  \\r\\n\"}", " blanks.c"},
    {"apply_patch", "{\"command\": [\"apply_patch\", \"*** Add File: x\"]}",
     ""}, /* a list is not read as a patch */
    {"apply_patch", "{\"input\": \"\"}", ""},
    {"apply_patch", "{}", ""},
};

static void paths_of_a_call(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(paths); i++) {
        struct call c = call_of(paths[i].tool, paths[i].input);
        struct strs found = {0};
        struct buf b = buf_in(&arena);
        call_paths(&arena, &c, &found);
        for (size_t n = 0; n < found.count; n++)
            buf_format(&b, " %.*s", STR_ARG(found.items[n]));
        if (!str_is(buf_str(&b), paths[i].paths))
            fail_msg("%s %s:%s", paths[i].tool, paths[i].input, buf_str(&b).s);
    }
}

/* As many as fit into an event: they must not be removed by recursion. */
static void blanks_around_a_path(void *arg)
{
    static const char ideographic[] = "\u3000";
    struct buf b = buf_in(&arena);
    struct strs found = {0};
    struct call c;

    (void)arg;
    buf_byte(&b, ' ');
    for (size_t i = 0; i < 300000; i++)
        buf_text(&b, ideographic);
    buf_text(&b, "/a b");
    buf_text(&b, ideographic);
    assert_int_equal(call_make(&arena, STR("Read"), buf_str(&b), &defaults, &c, NULL), STATUS_OK);
    call_paths(&arena, &c, &found);
    assert_int_equal(found.count, 2);
    assert_text(found.items[1], "/a b");
}

static void calls_by_hand(void *arg)
{
    struct call c;
    struct error err = {0};
    struct str field, value;

    (void)arg;
    assert_int_equal(call_make(&arena, STR("Read"), STR("/a b"), &defaults, &c, &err), STATUS_OK);
    assert_true(call_first(&arena, &c, &field, &value));
    assert_text(field, "file_path");
    assert_text(value, "/a b");
    assert_int_equal(call_make(&arena, STR("Bash"), STR("ls"), &defaults, &c, &err), STATUS_OK);
    assert_true(call_first(&arena, &c, &field, &value));
    assert_text(value, "ls");
    assert_int_equal(call_make(&arena, STR("NoSuchTool"), STR("x"), &defaults, &c, &err),
                     STATUS_USAGE);
    assert_int_equal(call_make(&arena, STR("TodoRead"), STR("x"), &defaults, &c, &err),
                     STATUS_USAGE);
}

#define TEST_IN_ARENA(name)                                                                        \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        in_arena(name);                                                                            \
    }
TEST_IN_ARENA(both_spellings)
TEST_IN_ARENA(takes_defaults)
TEST_IN_ARENA(errors_have_places)
TEST_IN_ARENA(names_that_are_recorded)
TEST_IN_ARENA(who_is_asking)
TEST_IN_ARENA(how_long_an_answer_may_wait)
TEST_IN_ARENA(a_session_comes_with_its_client)
TEST_IN_ARENA(given_twice)
TEST_IN_ARENA(kinds_and_annotations)
TEST_IN_ARENA(two_names_of_one_argument)
TEST_IN_ARENA(unknown_fields)
TEST_IN_ARENA(commands)
TEST_IN_ARENA(directories)
TEST_IN_ARENA(paths_of_a_call)
TEST_IN_ARENA(blanks_around_a_path)
TEST_IN_ARENA(calls_by_hand)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_means_one_row),
        cmocka_unit_test(no_row_names_a_field_twice),
        cmocka_unit_test(tools_of_files_have_paths),
        cmocka_unit_test(names_are_exact),
        cmocka_unit_test(mcp_names),
        cmocka_unit_test(test_both_spellings),
        cmocka_unit_test(test_takes_defaults),
        cmocka_unit_test(test_errors_have_places),
        cmocka_unit_test(test_names_that_are_recorded),
        cmocka_unit_test(test_who_is_asking),
        cmocka_unit_test(test_how_long_an_answer_may_wait),
        cmocka_unit_test(test_a_session_comes_with_its_client),
        cmocka_unit_test(test_given_twice),
        cmocka_unit_test(test_kinds_and_annotations),
        cmocka_unit_test(test_two_names_of_one_argument),
        cmocka_unit_test(test_unknown_fields),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_directories),
        cmocka_unit_test(test_paths_of_a_call),
        cmocka_unit_test(test_blanks_around_a_path),
        cmocka_unit_test(test_calls_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
