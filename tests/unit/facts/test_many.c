/* A command may depend on any other command of its call. A call with more than FACTS_COMPARED_MAX
 * of them gets no benefit that needs the comparison; commands that stand for themselves do, and a
 * deny stays a deny. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "facts/facts.h"
#include "warder.h"

#include <cmocka.h> /* last: it defines a macro fail */

static char project[] = "/tmp/warder-many-XXXXXX", git[sizeof(project) + 8],
            file[sizeof(project) + 8];

static int make_project(void **state)
{
    FILE *f;

    (void)state;
    if (!mkdtemp(project))
        return 1;
    snprintf(git, sizeof(git), "%s/.git", project);
    snprintf(file, sizeof(file), "%s/a.json", project);
    f = fopen(file, "w");
    return mkdir(git, 0755) || !f || fclose(f);
}

static int remove_project(void **state)
{
    (void)state;
    return unlink(file) || rmdir(git) || rmdir(project);
}

static warder_engine *engine_in(const char *mode)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *engine;

    o.home = "/nonexistent/home";
    o.cwd = o.project = project;
    o.mode = mode;
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
    return engine;
}

/* The command after enough others that the call has `actions` actions. */
static warder_behavior verdict(warder_engine *engine, size_t actions, size_t own,
                               const char *command)
{
    static const char other[] = "true\n";
    char *text = calloc(actions + 1, sizeof(other) + strlen(command));
    warder_decision *decision;
    char *end = text;

    assert_non_null(text);
    for (size_t i = own; i < actions; i++)
        end = stpcpy(end, other);
    stpcpy(end, command);
    assert_int_equal(warder_check_argument(engine, "Bash", text, &decision, NULL), WARDER_OK);
    warder_behavior behavior = warder_decision_behavior(decision);
    warder_decision_free(decision);
    free(text);
    return behavior;
}

static void at_the_limit_and_beyond_it(void **state)
{
    static const struct {
        const char *mode, *command;
        size_t own;
        warder_behavior at, beyond;
    } rows[] = {
        {"default", "ls", 1, WARDER_ALLOW, WARDER_ALLOW},
        {"default", "git status", 1, WARDER_ALLOW, WARDER_ASK},
        {"default", "git -C /nonexistent/other log", 1, WARDER_ALLOW, WARDER_ASK},
        {"default", "node -p 'require(\"./a.json\")'", 1, WARDER_ALLOW, WARDER_ASK},
        {"default", "python3 -c 'import json'", 1, WARDER_ALLOW, WARDER_ASK},
        {"default", "go build -o x ./cmd/x && ./x", 2, WARDER_ALLOW, WARDER_ASK},
        {"acceptEdits", "touch x", 1, WARDER_ALLOW, WARDER_ALLOW},
        {"acceptEdits", "cp -r a t; cat b", 2, WARDER_ALLOW, WARDER_ASK},
        {"default", "unzip a.zip -d t; rm -rf /", 2, WARDER_DENY, WARDER_DENY},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        warder_engine *engine = engine_in(rows[i].mode);
        if (verdict(engine, FACTS_COMPARED_MAX, rows[i].own, rows[i].command) != rows[i].at)
            fail_msg("at the limit: %s", rows[i].command);
        if (verdict(engine, FACTS_COMPARED_MAX + 1, rows[i].own, rows[i].command) != rows[i].beyond)
            fail_msg("beyond it: %s", rows[i].command);
        warder_engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_limit_and_beyond_it),
    };

    return cmocka_run_group_tests(tests, make_project, remove_project);
}
