/* What `warder install` writes: everything else is unchanged, installing twice is the same as once,
 * and uninstalling restores the old text. */
#include "base/path.h"
#include "call/agents.h"
#include "client/register.h"
#include "client/splice.h"
#include "facts/own_places.h"
#include "facts/path_classes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY ((size_t)16 * 1024 * 1024)

/* Files as users have them. */
static const struct {
    const char *text;
    unsigned needs; /* bits of enum reads, without which a client drops the file */
} texts[] = {
    {"{}", 0},
    {"{}\n", 0},
    {"{ }\n", 0},
    {"{\"a\": 1}", 0},
    {"{\n  \"a\": 1\n}\n", 0},
    {"{\n\t\"a\": 1,\n\t\"b\": [1, 2]\n}\n", 0},
    {"{\r\n  \"a\": 1\r\n}\r\n", 0},
    {"{\n    // a comment, with a } in it\n    \"a\": \"}\" /* and { one */\n}\n", READS_COMMENTS},
    {"{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say "
     "done\"}]}]\n  },\n  "
     "\"z\": 1\n}\n",
     0},
    {"{\"hooks\": {\"Stop\": []}}", 0},
    {"{\n  \"a\": 1,\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", "
     "\"hooks\": [{\"type\": "
     "\"command\", "
     "\"command\": \"mine\"}]}\n    ]\n  }\n}\n",
     0},
    {"{\n  \"hooks\": {\n    \"beforeShellExecution\": [\n      {\"command\": \"mine\"}\n    ],\n  "
     " "
     " \"preToolUse\": "
     "[{\"command\": "
     "\"mine\"}, {\"command\": \"other\"}]\n  }\n}\n",
     0},
    {"{\n  \"hooks\": {\n    \"BeforeTool\": [{\"hooks\": [{\"command\": \"mine\"}]}]\n  },\n}\n",
     READS_COMMAS},
};

struct work {
    struct arena *arena;
    const struct client *client;
    const char *text;
    const char *program, *behind; /* what is registered, and the word that stands behind it */
    bool managed;                 /* in the form for the whole machine, if it has one */
    size_t failed;
};

static void complain(struct work *w, const char *what, struct str text)
{
    w->failed++;
    print_message("%s, %s: %s:\n%.*s\n", w->client->name, w->text ? w->text : "(no file)", what,
                  STR_ARG(text));
}

static struct registrar registrar_for(const struct client *c, const char *program)
{
    return (struct registrar){c, registration_of(c), str_from(program)};
}

static struct registrar registrar_of(const struct work *w, const char *program)
{
    struct registrar r = registrar_for(w->client, program);

    if (w->managed && r.row->managed)
        r.row = r.row->managed;
    return r;
}

static void there_and_back_by(struct work *w)
{
    struct arena *a = w->arena;
    struct registrar r = registrar_of(w, w->program), older = registrar_of(w, "/old/warder");
    struct str text = {w->text, w->text ? strlen(w->text) : 0}, added, again, back, moved;
    struct registered said;
    struct error err = {0};

    if (register_add(a, &r, text, &added, &err) != STATUS_OK) {
        complain(w, err.message, text);
        return;
    }
    if (register_look(a, &r, added, &said, &err) != STATUS_OK || said.events != said.wanted ||
        said.events == 0 || said.fails_open || said.narrow)
        complain(w, "is not found again", added);
    if (!str_contains(said.command, str_format(a, "'%s'%s --client ", w->program, w->behind)))
        complain(w, "another command", said.command);
    if (register_add(a, &r, added, &again, &err) != STATUS_OK || !str_eq(again, added))
        complain(w, "twice is not once", again);
    if (register_remove(a, &r, added, &back, &err) != STATUS_OK ||
        !(text.s ? str_eq(back, text) : back.s == NULL))
        complain(w, "taking it out leaves something else", back);
    /* Our older entry is replaced, not kept next to the new one. */
    if (register_add(a, &older, text, &moved, &err) != STATUS_OK ||
        register_add(a, &r, moved, &moved, &err) != STATUS_OK ||
        str_contains(moved, STR("/old/")) ||
        register_look(a, &r, moved, &said, &err) != STATUS_OK || said.events != said.wanted)
        complain(w, "an older registration stays", moved);
    if (register_remove(a, &r, moved, &back, &err) != STATUS_OK ||
        !(text.s ? str_eq(back, text) : back.s == NULL))
        complain(w, "replacing an older one changed something else", back);
}

/* With both programs; and a file with one of them also counts as registered for the other. */
static void there_and_back(void *arg)
{
    struct work *w = arg;
    struct registrar hook = registrar_of(w, "/opt/my tools/warder-hook"),
                     warder = registrar_of(w, "/opt/my tools/warder");
    struct str text = {w->text, w->text ? strlen(w->text) : 0}, added;
    struct registered said;
    struct error err = {0};

    w->program = "/opt/my tools/warder";
    w->behind = " hook";
    there_and_back_by(w);
    w->program = "/opt/my tools/warder-hook";
    w->behind = "";
    there_and_back_by(w);
    hook.other = warder.program;
    if (register_add(w->arena, &warder, text, &added, &err) != STATUS_OK ||
        register_look(w->arena, &hook, added, &said, &err) != STATUS_OK ||
        said.events != said.wanted)
        complain(w, "the other program's is not found", added);
}

static bool is_json(const struct client *c)
{
    return registration_of(c)->entry != NULL;
}

/* Would the client ignore the file, and us in it? Codex takes no other key than "hooks". */
static bool is_dropped(const struct client *c, size_t i)
{
    const struct registration *row = registration_of(c);

    return (texts[i].needs & ~row->reads) ||
           (row->only && (strstr(texts[i].text, "\"a\"") || strstr(texts[i].text, "\"z\"")));
}

static void every_client_there_and_back(void **state)
{
    struct arena arena;

    (void)state;
    for (const struct client *c = clients; c->name; c++) {
        assert_non_null(registration_of(c));
        for (size_t i = 0; i <= COUNT(texts); i++) {
            arena_init(&arena, MEMORY);
            struct work w = {
                .arena = &arena, .client = c, .text = i < COUNT(texts) ? texts[i].text : NULL};
            /* A file with nothing but what a new one contains is removed. */
            bool blank = i < 3;
            if (w.text && (!is_json(c) || blank || is_dropped(c, i)))
                continue;
            assert_true(arena_try(&arena, there_and_back, &w));
            assert_int_equal(w.failed, 0);
            arena_release(&arena);
        }
    }
}

static void toml_there_and_back(void **state)
{
    static const char *const files[] = {"", "model = \"k\"\n",
                                        "a = 1\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"x\"\n"};
    static const char *const names[] = {"kimi", "codex"};
    struct arena arena;

    (void)state;
    for (size_t i = 0; i < COUNT(files) * COUNT(names); i++) {
        arena_init(&arena, MEMORY);
        struct work w = {.arena = &arena,
                         .client = client_find(str_from(names[i % COUNT(names)])),
                         .text = files[i / COUNT(names)],
                         .managed = true};
        if (!w.text[0]) /* such a file is removed */
            continue;
        assert_true(arena_try(&arena, there_and_back, &w));
        assert_int_equal(w.failed, 0);
        arena_release(&arena);
    }
}

/* Wherever a person has moved our block: what is around it stays as it is. */
static void a_block_goes_and_all_else_stays(void **state)
{
    static const struct {
        const char *before, *after, *left;
    } places[] = {{"", "", ""},
                  {"a = 1\n", "", "a = 1\n"},
                  {"a = 1\n\n", "", "a = 1\n"},
                  {"\n", "", ""}, /* nothing of the file is left */
                  {"\n\n", "", ""},
                  {"a = 1\n", "[other]\nb = 2\n", "a = 1\n[other]\nb = 2\n"},
                  {"a = 1\n\n", "[other]\n", "a = 1\n[other]\n"},
                  {"[[hooks]]\nevent = \"Stop\"\n", "[[hooks]]\nevent = \"Stop\"\n",
                   "[[hooks]]\nevent = \"Stop\"\n[[hooks]]\nevent = \"Stop\"\n"}};
    struct arena arena;

    (void)state;
    for (size_t i = 0; i < COUNT(places); i++) {
        arena_init(&arena, MEMORY);
        struct registrar r = registrar_for(client_find(STR("kimi")), "/usr/bin/warder-hook");
        struct str block, out;
        assert_int_equal(register_add(&arena, &r, (struct str){0}, &block, NULL), STATUS_OK);
        struct str text = str_format(&arena, "%s%.*s%s", places[i].before, STR_ARG(str_trim(block)),
                                     places[i].after[0] ? "\n" : "");
        text = str_format(&arena, "%.*s%s", STR_ARG(text), places[i].after);
        assert_int_equal(register_remove(&arena, &r, text, &out, NULL), STATUS_OK);
        if (!str_is(out, places[i].left))
            fail_msg("place %zu: %.*s", i, STR_ARG(out));
        arena_release(&arena);
    }
}

/* What follows a block whose end is gone may be somebody else's. */
static void a_block_without_its_end_is_left_alone(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, MEMORY);
    struct registrar r = registrar_for(client_find(STR("codex")), "/usr/bin/warder-hook");
    struct str text, cut, out;
    r.row = r.row->managed;
    assert_int_equal(register_add(&arena, &r, STR("a = 1\n"), &text, NULL), STATUS_OK);
    cut = str_slice(text, 0, str_last_index(str_slice(text, 0, text.len - 1), '\n') + 1);
    cut = str_format(&arena, "%.*s[other]\n", STR_ARG(cut));
    assert_int_equal(register_remove(&arena, &r, cut, &out, NULL), STATUS_OK);
    assert_true(str_eq(cut, out));
    arena_release(&arena);
}

static const struct {
    const char *client, *text, *why;
} refused[] = {
    {"claude", "[]", "must hold an object"},
    {"claude", "{\"hooks\": []}", "\"hooks\" must be an object"},
    {"claude", "{\"hooks\": {\"PreToolUse\": {}}}", "the hooks for \"PreToolUse\""},
    {"claude", "{\"a\": 1, \"a\": 2}", "key"},
    {"claude", "{", "text ends"},
    /* Each was measured: the agent drops the whole file, or does not start. */
    {"claude", "{ // hi\n}",
     "would ignore this file: expected a key in double quotes, found a comment"},
    {"claude", "{\"model\": \"x\",}", "would ignore this file: a comma"},
    {"claude", "\xef\xbb\xbf{}", "would ignore this file"},
    {"claude", "{\"model\": 5}", "does not accept this value of \"model\""},
    {"claude", "{\"model\": null}", "does not accept this value of \"model\""},
    {"claude", "{\"permissions\": {\"allow\": \"Bash\"}}", "\"permissions.allow\""},
    {"claude", "{\"permissions\": {\"defaultMode\": \"foo\"}}", "\"permissions.defaultMode\""},
    {"claude", "{\"disableAllHooks\": \"true\"}", "\"disableAllHooks\""},
    {"claude", "{\"cleanupPeriodDays\": \"7\"}", "\"cleanupPeriodDays\""},
    {"claude", "{\"cleanupPeriodDays\": \"number\"}", "\"cleanupPeriodDays\""},
    {"claude", "{\"cleanupPeriodDays\": true}", "\"cleanupPeriodDays\""},
    {"claude", "{\"hooks\": {\"PreToolUse\": [5]}}", "entry of the hooks for \"PreToolUse\""},
    {"claude", "{\"hooks\": {\"PreToolUse\": [{\"matcher\": 5, \"hooks\": []}]}}", "entry"},
    {"claude", "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"x\"}]}]}}", "entry"},
    {"codex", "{\"model\": 1}", "does not know \"model\""},
    {"codex", "{\"hooks\": {\"Stop\": [5]}}", "entry of the hooks for \"Stop\""},
    {"codex", "{\"hooks\": {\"Stop\": {}}}", "the hooks for \"Stop\""},
    {"copilot", "{ /* hi */ }", "would ignore this file"},
    {"gemini", "{\"a\": 1,}", "would not start with this file"},
    {"gemini", "{\"hooks\": {\"BeforeTool\": [{\"matcher\": 5}]}}", "entry"},
    {"qwen", "{\"a\": 1,}", "would not start with this file"},
    {"cursor", "{ // hi\n}", "may ignore this file"},
    {"cursor", "{\"hooks\": 7}", "\"hooks\" must be an object"},
};

struct refusal {
    struct arena *arena;
    size_t i;
};

static void refuse(void *arg)
{
    struct refusal *r = arg;
    struct registrar registrar =
        registrar_for(client_find(str_from(refused[r->i].client)), "/usr/bin/warder");
    struct str out;
    struct error err = {0};

    assert_int_not_equal(
        register_add(r->arena, &registrar, str_from(refused[r->i].text), &out, &err), STATUS_OK);
    if (!strstr(err.message, refused[r->i].why))
        fail_msg("%s: %s", refused[r->i].text, err.message);
}

static void what_cannot_be_read_is_not_written(void **state)
{
    struct arena arena;

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct refusal r = {&arena, i};
        arena_init(&arena, MEMORY);
        assert_true(arena_try(&arena, refuse, &r));
        arena_release(&arena);
    }
}

/* A user's group that contains our handler and another one stays. */
static void look_at_changed(void *arg)
{
    struct arena *a = arg;
    struct registrar r = registrar_for(client_find(STR("cursor")), "/usr/bin/warder");
    struct registered said;
    struct error err = {0};

    assert_int_equal(register_look(a, &r,
                                   STR("{\"hooks\": {\"preToolUse\": [{\"command\": "
                                       "\"/usr/bin/warder hook\", \"matcher\": "
                                       "\"Shell\", \"timeout\": 3}]}}"),
                                   &said, &err),
                     STATUS_OK);
    assert_int_equal(said.events, 1);
    assert_int_equal(said.wanted, 4);
    assert_true(said.fails_open);
    assert_true(said.narrow);
    assert_int_equal(said.timeout, 3);
    r = registrar_for(client_find(STR("claude")), "/usr/bin/warder");
    assert_int_equal(register_look(a, &r, STR("{\"disableAllHooks\": true}"), &said, &err),
                     STATUS_OK);
    assert_true(str_is(said.off, "disableAllHooks"));
    assert_int_equal(said.events, 0);
}

/* Values of the kinds that the agent takes: they stay, and we are added. */
static void look_at_accepted(void *arg)
{
    static const char *const taken[] = {
        "{\"cleanupPeriodDays\": 7}", "{\"cleanupPeriodDays\": 7.5}",
        "{\"disableAllHooks\": false}",
        "{\"permissions\": {\"allow\": [\"Bash\"], \"defaultMode\": \"plan\"}}",
        "{\"model\": \"x\"}"};
    struct arena *a = arg;
    struct registrar r = registrar_for(client_find(STR("claude")), "/usr/bin/warder-hook");
    struct error err = {0};
    struct str out;

    for (size_t i = 0; i < COUNT(taken); i++)
        if (register_add(a, &r, str_from(taken[i]), &out, &err) != STATUS_OK)
            fail_msg("%s: %s", taken[i], err.message);
}

static void what_the_agent_takes_is_taken(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, MEMORY);
    assert_true(arena_try(&arena, look_at_accepted, &arena));
    arena_release(&arena);
}

static void a_changed_registration_is_seen(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, MEMORY);
    assert_true(arena_try(&arena, look_at_changed, &arena));
    arena_release(&arena);
}

static const struct {
    const char *out, *err;
    int code;
    enum behavior want;
} outcomes[] = {
    {"", "", 0, BEHAVIOR_ALLOW},
    {"", "", 1, BEHAVIOR_ALLOW},
    {"", "why", 2, BEHAVIOR_DENY},
    {"", "", 2, BEHAVIOR_ALLOW},
    {"", "not found", 127, BEHAVIOR_ALLOW},
    {"garbage", "", 0, BEHAVIOR_ALLOW},
    {"{\"hookSpecificOutput\":{\"permissionDecision\":\"deny\"}}", "", 0, BEHAVIOR_DENY},
    {"{\"hookSpecificOutput\":{\"permissionDecision\":\"ask\"}}", "", 0, BEHAVIOR_ASK},
    {"{\"decision\":\"deny\"}", "", 0, BEHAVIOR_DENY},
    {"{\"decision\":\"sideways\"}", "", 0, BEHAVIOR_ALLOW},
    {"{\"permission\":\"ask\"}", "", 0, BEHAVIOR_ASK},
    {"{\"cancel\":true}", "", 0, BEHAVIOR_DENY},
    {"{\"cancel\":false,\"review\":true}", "", 0, BEHAVIOR_ASK},
    {"{\"cancel\":false}", "", 0, BEHAVIOR_ALLOW},
};

static void check_outcomes(void *arg)
{
    for (size_t i = 0; i < COUNT(outcomes); i++)
        if (client_outcome(arg, str_from(outcomes[i].out), str_from(outcomes[i].err),
                           outcomes[i].code) != outcomes[i].want)
            fail_msg("%s, exit %d", outcomes[i].out, outcomes[i].code);
}

static void what_a_client_makes_of_an_answer(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, MEMORY);
    assert_true(arena_try(&arena, check_outcomes, &arena));
    arena_release(&arena);
}

/* Below the home, below the project, absolute: the file that makes the client ask. */
static bool is_protected(struct str path)
{
    const struct path_class_search search = {
        .list = PATHS_PROTECTED, .home = STR("/home/user"), .hidden = true};
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    size_t row = path_class_match(&search, path, false);

    return row < table->count && table->rows[row].own;
}

static void what_makes_a_client_ask_is_protected(void **state)
{
    static const char *const below[] = {
        [SCOPE_USER] = "/home/user/", [SCOPE_PROJECT] = "/srv/project/", [SCOPE_MANAGED] = ""};
    char path[256];

    (void)state;
    for (const struct client *c = clients; c->name; c++)
        for (size_t i = 0; i < SCOPE_COUNT; i++) {
            const char *file = registration_of(c)->files[i];
            if (!file)
                continue;
            snprintf(path, sizeof(path), "%s%s", below[i], file);
            if (!is_protected(str_from(path)))
                fail_msg("%s is not in the SETTINGS of %s", path, c->name);
        }
    assert_false(is_protected(STR("/srv/project/settings.json")));
}

static bool is_listed(const struct strs *list, struct str path)
{
    for (size_t i = 0; i < list->count; i++)
        if (path_is_inside(path, list->items[i]))
            return true;
    return false;
}

/* Where the client looks when its variable is set: place_find() writes there. */
static void check_moved(void *arg)
{
    struct arena *a = arg;

    for (const struct client *c = clients; c->name; c++) {
        const struct registration *row = registration_of(c);
        struct strs list = {0};
        size_t moves = 0;
        for (size_t i = 0; c->moved && i < agent_move_count; i++) {
            struct str file = str_from(row->files[SCOPE_USER]), first, rest;
            str_cut(file, '/', &first, &rest);
            if (strcmp(agent_moves[i].variable, c->moved) != 0)
                continue;
            assert_true(str_is(first, agent_moves[i].directory));
            moves += str_is(rest, agent_moves[i].file);
            own_places_add_moved(a, &list, STR("/home/user"), first, STR("/srv/moved"));
        }
        assert_int_equal(moves, c->moved ? 1 : 0);
        if (c->moved && !str_is(str_from(c->name), "crush"))
            assert_true(is_listed(&list, path_join(a, STR("/srv/moved"), STR("opencode"))) ||
                        is_listed(&list, STR("/srv/moved/x")));
    }
}

static void settings_that_a_variable_moves_are_protected(void **state)
{
    struct arena arena;
    struct strs wide = {0};

    (void)state;
    arena_init(&arena, MEMORY);
    assert_true(arena_try(&arena, check_moved, &arena));
    own_places_add_moved(&arena, &wide, STR("/home/user"), STR(".claude"), STR("/home/user"));
    assert_int_equal(wide.count, 0); /* not the whole home */
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_client_there_and_back),
        cmocka_unit_test(toml_there_and_back),
        cmocka_unit_test(a_block_goes_and_all_else_stays),
        cmocka_unit_test(a_block_without_its_end_is_left_alone),
        cmocka_unit_test(what_cannot_be_read_is_not_written),
        cmocka_unit_test(what_the_agent_takes_is_taken),
        cmocka_unit_test(a_changed_registration_is_seen),
        cmocka_unit_test(what_a_client_makes_of_an_answer),
        cmocka_unit_test(what_makes_a_client_ask_is_protected),
        cmocka_unit_test(settings_that_a_variable_moves_are_protected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
