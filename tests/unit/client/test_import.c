/* Permission rules of other agents after the import: never looser than before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/policy_tree.h"
#include "support/shared.h"
#include "warder_admin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    const char *file, *text;
    const char *want; /* the policy after its first line; NULL: refused with */
    const char *refusal;
} cases[] = {
    /* Codex */
    {"a.rules", "prefix_rule(pattern=[\"git\", \"status\"])\n",
     "allow:\n  - \"Bash(git status:*)\"\n", NULL},
    {"a.rules",
     "# mine\nprefix_rule(\n    pattern = [\"git\", [\"push\", \"fetch\"]],\n    decision = "
     "\"prompt\",\n    match = [\"git push\", [\"git\", \"fetch\"]],\n)\n",
     "ask:\n  - \"Bash(git push*)\"\n  - \"Bash(git fetch*)\"\n", NULL},
    {"a.rules", "prefix_rule(pattern=['rm'], decision='forbidden', justification='use trash')",
     "deny:\n  - rule: \"Bash(rm*)\"\n    reason: \"use trash\"\n", NULL},
    {"a.rules", "prefix_rule(pattern=[\"echo\", \"a b\"])",
     "# not converted: line 1: an allow is left out: the word \"a b\" cannot be expressed\n", NULL},
    {"a.rules", "prefix_rule(pattern=[\"echo\", \"*\"])", "allow:\n  - \"Bash(echo \\\\*:*)\"\n",
     NULL},
    {"a.rules", "host_executable(name=\"git\", paths=[\"/usr/bin/git\"])\n",
     "# note: line 1: host_executable has no counterpart: a program's directory counts by itself\n",
     NULL},
    {"a.rules", "def f():\n  pass\n", NULL, "only calls of prefix_rule"},
    {"a.rules", "prefix_rule(pattern=[x])", NULL, "expected a quoted string"},
    {"a.rules", "prefix_rule(pattern=[\"a\"], decision=\"maybe\")", NULL, "a decision must be"},
    {"a.rules", "prefix_rule(pattern=[\"a\"], sometimes=\"x\")", NULL, "no such argument"},
    {"a.rules", "prefix_rule(pattern=[\"a)", NULL, "is not closed"},
    {"a.rules", "prefix_rule(pattern=[])", NULL, "needs words"},
    {"a.rules", "prefix_rule(pattern=[\"a\" + \"b\"])", NULL, "','"},

    /* Gemini */
    {"a.toml",
     "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [\"git status\", "
     "\"ls\"]\ndecision = \"allow\"\n",
     "allow:\n  - \"Bash(git status:*)\"\n  - \"Bash(ls:*)\"\n", NULL},
    {"a.toml",
     "[[rule]]\ntoolName = [\"write_file\", \"replace\"]\ndecision = \"ask_user\"\npriority = 5\n",
     "ask:\n  - \"Write\"\n  - \"Edit\"\n", NULL},
    {"a.toml",
     "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = \"rm\"\ndecision = "
     "\"deny\"\ndenyMessage = \"no\"\n",
     "deny:\n  - rule: \"Bash(rm*)\"\n    reason: \"no\"\n", NULL},
    {"a.toml",
     "[[rule]]\ntoolName = \"run_shell_command\"\ncommandRegex = \"x.*\"\ndecision = \"deny\"\n",
     "# not converted: line 1: a deny or ask by regular expression: Bash is asked about "
     "instead\nask:\n "
     " - rule: \"Bash\"\n    reason: \"imported: a rule that could not be expressed\"\n",
     NULL},
    {"a.toml",
     "[[rule]]\ntoolName = \"run_shell_command\"\nargsPattern = \"x\"\ndecision = \"allow\"\n",
     "# not converted: line 1: allow of Bash is skipped: its regular expression is matched with "
     "another "
     "text\n",
     NULL},
    {"a.toml", "[[rule]]\ntoolName = \"read_file\"\ndecision = \"allow\"\nmodes = [\"yolo\"]\n",
     "# not converted: line 1: an allow that holds only with \"modes\" is left out\n", NULL},
    {"a.toml", "[[rule]]\ntoolName = \"*\"\ndecision = \"allow\"\n",
     "# not converted: line 1: allow of * is skipped: it covers every tool\n", NULL},
    {"a.toml", "[[rule]]\nmcpName = \"gh\"\ntoolName = \"*\"\ndecision = \"allow\"\n",
     "allow:\n  - \"mcp__gh\"\n", NULL},
    {"a.toml", "[[rule]]\ntoolName = \"mcp_gh_delete\"\ndecision = \"deny\"\nmodes = [\"plan\"]\n",
     "# note: line 1: always applies, not only with \"modes\"\ndeny:\n  - \"mcp__gh__delete\"\n",
     NULL},

    /* OpenCode */
    {"opencode.json",
     "{\"permission\": {\"bash\": {\"*\": \"ask\", \"git status\": \"allow\", \"git push *\": "
     "\"deny\"}}}",
     "# note: the order is lost: a deny or ask applies even where an allow came after it\ndeny:\n  "
     "- "
     "\"Bash(git push *)\"\nask:\n  - \"Bash\"\nallow:\n  - \"Bash(git status)\"\n",
     NULL},
    {"opencode.json",
     "{\"permission\": {\"read\": {\"*.env\": \"deny\", \"src/*\": \"allow\"}, \"webfetch\": "
     "\"deny\"}}",
     "# not converted: line 1: allow of Read src/* is skipped: its star also matches slashes\n# "
     "note: "
     "the order is lost: a deny or ask applies even where an allow came after it\ndeny:\n  - "
     "\"Read(*.env)\"\n  - \"WebFetch\"\n",
     NULL},
    {"opencode.json", "{\"permission\": {\"bash\": {\"git ?\": \"deny\", \"ls ?\": \"allow\"}}}",
     "# not converted: line 1: allow of ls ? is skipped: '?' cannot be expressed\n# note: the "
     "order is "
     "lost: a deny or ask applies even where an allow came after it\ndeny:\n  - \"Bash(git *)\"\n",
     NULL},
    {"opencode.json", "{\"permission\": {\"edit\": \"deny\", \"read\": \"ask\"}}",
     "# note: the order is lost: a deny or ask applies even where an allow came after it\ndeny:\n  "
     "- "
     "\"Edit(//**)\"\nask:\n  - \"Read(//**)\"\n",
     NULL},
    {"opencode.json", "{\"permission\": \"allow\"}",
     "# not converted: line 1: allow of every tool is skipped\n", NULL},
    {"opencode.json", "{\"permission\": {\"edit\": {\"secret/*.key\": \"deny\"}}}",
     "# note: the order is lost: a deny or ask applies even where an allow came after it\ndeny:\n  "
     "- "
     "\"Edit(secret/*.key)\"\n  - \"Edit(secret/**/*.key)\"\n",
     NULL},

    /* Cursor */
    {"cli.json",
     "{\"permissions\": {\"allow\": [\"Shell(ls)\", \"Shell(git:status*)\", \"Read(src/**)\", "
     "\"Mcp(gh:list)\"], \"deny\": [\"Shell(rm)\", \"Write(.env*)\", \"WebFetch(evil.example)\"]}}",
     "deny:\n  - \"Bash(rm*)\"\n  - \"Edit(.env*)\"\n  - "
     "\"WebFetch(domain:evil.example)\"\nallow:\n  - \"Bash(ls:*)\"\n  - \"Bash(git status*)\"\n  "
     "- \"Read(./src/**)\"\n  - \"mcp__gh__list\"\n",
     NULL},
    {"cli.json",
     "{\"permissions\": {\"allow\": [\"Shell(*sh)\", \"Shell(ls)\", \"Dance(x)\"], \"deny\": "
     "[\"Shell(a*)\"]}}",
     "# not converted: line 1: allow Shell(*sh) is left out: the program is not named\n# not "
     "converted: line "
     "1: allow Dance(x) is left out: its kind is unknown\ndeny:\n  - \"Bash(a**)\"\nallow:\n  - "
     "\"Bash(ls:*)\"\n",
     NULL},

    /* Copilot */
    {"copilot.json",
     "{\"allowTools\": [\"shell(git:*)\", \"shell(npm test)\", \"write(src/a.c)\", \"gh(list)\"], "
     "\"denyTools\": [\"shell(git push)\", \"write(.env)\", \"url(evil.example)\"]}",
     "# not converted: line 1: allow write(src/a.c) is left out: the path applies in every "
     "directory "
     "there\ndeny:\n  - \"Bash(git push*)\"\n  - \"Edit(.env)\"\n  - "
     "\"WebFetch(domain:evil.example)\"\nallow:\n  - \"Bash(git:*)\"\n  - \"Bash(npm test)\"\n  - "
     "\"mcp__gh__list\"\n",
     NULL},

    {"other.json", "{\"a\": 1}", NULL, "no permissions of"},
    {"other.json", "{", NULL, "text ends"},
};

static bool holds(const struct tree *t, size_t i)
{
    char name[128], first[512];
    warder_report *report = NULL;
    warder_error err = {0};
    bool good;

    snprintf(name, sizeof(name), "home/%s", cases[i].file);
    tree_write(t, name, cases[i].text, 0);
    if (warder_import(t->home, tree_path(t, name), &report, &err) != WARDER_OK) {
        good = cases[i].refusal && strstr(err.message, cases[i].refusal);
        if (!good)
            print_message("%s\nrefused: %s\n", cases[i].text, err.message);
        return good;
    }
    snprintf(first, sizeof(first), "# Imported from %s\n", tree_path(t, name));
    const char *text = warder_report_text(report);
    good = cases[i].want && strncmp(text, first, strlen(first)) == 0 &&
           strcmp(text + strlen(first), cases[i].want) == 0;
    if (!good)
        print_message("%s\ngives:\n%s", cases[i].text, text);
    warder_report_free(report);
    return good;
}

/* ---- tests/imports/NAME.case ----
 *
 * "== FILE", the text of that file, "-- gives", and the policy after its first line; or "refused: "
 * and why. */

static void ends_with(char *text, const char *mark, char **rest)
{
    char *at = strstr(text, mark);

    *rest = NULL;
    if (!at)
        return;
    at[1] = '\0'; /* the line before keeps its end */
    *rest = at + strlen(mark);
}

static size_t scene_fails(const struct tree *t, char *scene)
{
    char name[64], *text = strchr(scene, '\n') + 1, *want;
    warder_report *report = NULL;
    warder_error err = {0};

    snprintf(name, sizeof(name), "home/%.*s", (int)(text - 1 - scene), scene);
    ends_with(text, "\n-- gives\n", &want);
    assert_non_null(want);
    text[strlen(text) - 1] = '\0';
    tree_write(t, name, text, 0);
    bool read = warder_import(t->home, tree_path(t, name), &report, &err) == WARDER_OK;
    const char *got = read ? strchr(warder_report_text(report), '\n') + 1 : err.message,
               *wanted = read ? want : want + strlen("refused: ");
    const size_t len = strcspn(wanted, read ? "" : "\n");
    bool good = read == (strncmp(want, "refused: ", 9) != 0) && strlen(got) == len &&
                strncmp(got, wanted, len) == 0;
    if (!good)
        print_message("%s\n-- gives\n%s\n", text, got);
    warder_report_free(report);
    return good ? 0 : 1;
}

static void every_scene_gives_what_it_says(void **state)
{
    static const char *const files[] = {"codex", "gemini", "opencode", "cursor", "copilot"};
    struct tree t;
    size_t failed = 0;

    (void)state;
    tree_make(&t);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[64], *next;
        size_t len;
        snprintf(path, sizeof(path), "tests/imports/%s.case", files[i]);
        char *all = read_whole_file(source_path(path), &len);
        for (char *scene = all + strlen("== "); scene; scene = next) {
            ends_with(scene, "\n== ", &next);
            failed += scene_fails(&t, scene);
        }
        free(all);
    }
    tree_remove(&t);
    assert_int_equal(failed, 0);
}

/* ---- limits ---- */

static void add_words(char *text, size_t room, unsigned count)
{
    size_t len = strlen(text);

    for (unsigned i = 0; i < count; i++)
        len += (size_t)snprintf(text + len, room - len, "%s\"w%u\"", i ? "," : "", i);
}

/* One pattern of a times b combinations, with an effect; how many rules it gives, without those
 * that stand for what was left out. */
static size_t rules_of(const struct tree *t, unsigned a, unsigned b, const char *decision,
                       bool *left_out)
{
    static char text[8192];
    warder_report *report = NULL;
    size_t count = 0;

    snprintf(text, sizeof(text), "prefix_rule(decision=\"%s\", pattern=[[", decision);
    add_words(text, sizeof(text), a);
    strcat(text, "],[");
    add_words(text, sizeof(text), b);
    strcat(text, "]])\n");
    tree_write(t, "home/many.rules", text, 0);
    assert_int_equal(warder_import(t->home, tree_path(t, "home/many.rules"), &report, NULL),
                     WARDER_OK);
    for (const char *at = warder_report_text(report); (at = strstr(at, "Bash(w")) != NULL; at++)
        count++;
    *left_out = strstr(warder_report_text(report), "combinations") != NULL;
    warder_report_free(report);
    return count;
}

static void combinations_have_a_limit(void **state)
{
    static const char *const decisions[] = {"allow", "prompt", "forbidden"};
    struct tree t;
    bool left_out;

    (void)state;
    tree_make(&t);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rules_of(&t, 16, 16, decisions[i], &left_out), 256);
        assert_false(left_out);
        assert_int_equal(rules_of(&t, 257, 1, decisions[i], &left_out), 0);
        assert_true(left_out);
        assert_int_equal(rules_of(&t, 1, 257, decisions[i], &left_out), 0);
        assert_true(left_out);
    }
    tree_remove(&t);
}

/* Sixteen lists of sixteen words: their number is one more than 64 bits can hold. */
static void no_number_of_combinations_wraps(void **state)
{
    static char text[16384];
    warder_report *report = NULL;
    struct tree t;

    (void)state;
    tree_make(&t);
    strcpy(text, "prefix_rule(decision=\"forbidden\", pattern=[");
    for (unsigned i = 0; i < 16; i++) {
        strcat(text, i ? ",[" : "[");
        add_words(text, sizeof(text), 16);
        strcat(text, "]");
    }
    strcat(text, "])\n");
    tree_write(&t, "home/many.rules", text, 0);
    assert_int_equal(warder_import(t.home, tree_path(&t, "home/many.rules"), &report, NULL),
                     WARDER_OK);
    assert_non_null(strstr(warder_report_text(report), "ask:\n  - rule: \"Bash\""));
    warder_report_free(report);
    tree_remove(&t);
}

static void every_file_is_read_as_said(void **state)
{
    struct tree t;
    size_t failed = 0;

    (void)state;
    tree_make(&t);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        failed += holds(&t, i) ? 0 : 1;
    tree_remove(&t);
    assert_int_equal(failed, 0);
}

/* The result is a policy without errors that decides like the original, or more strictly. */
static void what_is_imported_decides(void **state)
{
    static const struct {
        const char *command;
        warder_behavior want;
    } calls[] = {
        {"git status", WARDER_ALLOW},
        {"git statusx", WARDER_ASK},
        {"git push origin", WARDER_ASK},
        {"rm x", WARDER_DENY},
        {"git status; rm x", WARDER_DENY},
        {"frob x", WARDER_ALLOW},
        {"frob x && curl y.example", WARDER_ASK},
        {"/bin/rm x", WARDER_DENY},
    };
    static const char rules[] =
        "prefix_rule(pattern=[\"git\", "
        "\"status\"])\nprefix_rule(pattern=[\"frob\"])\nprefix_rule(pattern=[\"git\", \"push\"], "
        "decision=\"prompt\")\nprefix_rule(pattern=[\"rm\"], decision=\"forbidden\")\n";
    warder_options options = WARDER_OPTIONS_INIT;
    warder_report *report = NULL;
    warder_engine *engine = NULL;
    warder_error err = {0};
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "home/x.rules", rules, 0);
    assert_int_equal(warder_import(t.home, tree_path(&t, "home/x.rules"), &report, &err),
                     WARDER_OK);
    tree_write(&t, "home/given.yaml", warder_report_text(report), 0);
    warder_report_free(report);
    const char *policy = tree_path(&t, "home/given.yaml");
    options.home = t.home;
    options.cwd = t.project;
    options.policies = &policy;
    options.policy_count = 1;
    assert_int_equal(warder_engine_new(&options, &engine, &err), WARDER_OK);
    assert_int_equal(warder_engine_problems(engine, &report, &err), WARDER_OK);
    assert_string_equal(warder_report_text(report), "");
    warder_report_free(report);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        warder_decision *d = NULL;
        assert_int_equal(warder_check_argument(engine, "Bash", calls[i].command, &d, &err),
                         WARDER_OK);
        if (warder_decision_behavior(d) != calls[i].want)
            fail_msg("%s: %s", calls[i].command, warder_decision_reason(d));
        warder_decision_free(d);
    }
    warder_engine_free(engine);
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_is_read_as_said),
        cmocka_unit_test(every_scene_gives_what_it_says),
        cmocka_unit_test(combinations_have_a_limit),
        cmocka_unit_test(no_number_of_combinations_wraps),
        cmocka_unit_test(what_is_imported_decides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
