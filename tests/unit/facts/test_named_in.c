/* The files that a file of the project names as code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/named_in.h"
#include "machine/world.h"
#include "support/policy_tree.h"

#include <cmocka.h>

static struct tree tree;

static int begin(void **state)
{
    static const char *const files[] = {
        "a.mk",           "b.mk",        "mk/c.mk",         "mk/d.mk",
        "x.sh",           "scripts/run", "lib/a.js",        "lib/b.cjs",
        "lib/c/index.js", "tests/p.py",  "pkg/__init__.py", "tool.py",
        "conf.in",        "sub/e.cmake", "src/main.ts",     "A1.mk"};

    (void)state;
    tree_make(&tree);
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[100];
        snprintf(path, sizeof(path), "project/%s", files[i]);
        tree_write(&tree, path, "x", 0);
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    tree_remove(&tree);
    return 0;
}

static void note(void *to, struct str path)
{
    char *out = to;
    size_t skip = strlen(tree.project) + 1, len = strlen(out);

    assert_true(path.len > skip);
    if (!strstr(out, path.s + skip))
        snprintf(out + len, 1000 - len, "%s%s", len ? " " : "", path.s + skip);
}

struct asking {
    struct facts facts;
    struct arena arena;
    char path[400], found[1000];
    bool known;
};

static void ask(void *arg)
{
    struct asking *q = arg;

    q->known = named_in(&q->facts, str_from(q->path), note, q->found);
}

static bool find(const char *name, const char *text, size_t len, char found[1000])
{
    struct asking q = {.facts = {.world = &real_world}};
    char below[100];

    snprintf(below, sizeof(below), "project/%s", name);
    tree_write_bytes(&tree, below, text, len, 0);
    snprintf(q.path, sizeof(q.path), "%s/%s", tree.project, name);
    arena_init(&q.arena, (size_t)8 * 1024 * 1024);
    q.facts.arena = &q.arena;
    q.facts.home = str_from(tree.home);
    q.facts.workspace = str_from(tree.project);
    assert_true(arena_try(&q.arena, ask, &q));
    memcpy(found, q.found, sizeof(q.found));
    arena_release(&q.arena);
    return q.known;
}

/* The order is that of a directory. */
static bool same_names(const char *a, const char *b)
{
    struct str rest = str_from(a), name;
    size_t count = 0;

    while (str_next_word(&rest, &name)) {
        if (!str_has_word(str_from(b), name))
            return false;
        count++;
    }
    for (rest = str_from(b); str_next_word(&rest, &name);)
        count--;
    return count == 0;
}

static const struct {
    const char *file, *text, *want;
} cases[] = {
    {"Makefile", "include a.mk mk/c.mk\n-include conf.in\nall:\n\techo b.mk\n",
     "a.mk mk/c.mk conf.in b.mk"},
    {"Makefile", "  sinclude conf.in\n# include\nx = include tool.py\n", "conf.in"},
    {"Makefile", "include $(X).mk\n", "a.mk b.mk x.sh A1.mk"},
    {"Makefile", "include mk/*.mk\n", "a.mk b.mk A1.mk mk/c.mk mk/d.mk"},
    {"Makefile", "include $(D)/c.mk\n", "a.mk b.mk x.sh A1.mk"},
    {"Makefile", "include A1.mk\n", "A1.mk"},
    {"Makefile", "include mk/?.mk\n", "a.mk b.mk A1.mk mk/c.mk mk/d.mk"},
    {"Makefile", "include mk/%.mk\n", "a.mk b.mk A1.mk mk/c.mk mk/d.mk"},
    {"Makefile", "include mk/$x.mk\n", "a.mk b.mk A1.mk mk/c.mk mk/d.mk"},
    {"Makefile", "t:\n\t@./x.sh && scripts/run\n\t./scripts/run\n", "x.sh scripts/run"},
    {"Makefile", "t:\n\tpython3 -u tool.py lib/a.js\n\tpython3.11 -m tests.p\n",
     "tool.py tests/p.py"},
    {"Makefile", "t:\n\t@timeout 9 bash scripts/run src/main.ts\n", "scripts/run"},
    {"Makefile", "t:\n\tscripts/run lib/a.js; cd x && scripts/run\nx: lib/a.js\n", "scripts/run"},
    {"Makefile", "t:\n\tnode --stack-size 500 lib/a.js tool.py\n\t. ./x.sh\n", "lib/a.js x.sh"},
    {"Makefile", "t:\n\tpython3 -m pytest tests/p.py\n", ""},
    {"package.json", "{\"scripts\": {\"a\": \"scripts/run x\"}, \"bin\": \"lib/a.js\"}",
     "scripts/run"},
    {"package.json", "{\"main\": \"lib/a.js\", \"scripts\": {\"test\": \"jest lib/a.js\"}}", ""},
    {"package.json", "{\"scripts\": {\"test\": \"node -r ./lib/b lib/a.js\", \"x\": \"sh x.sh\"}}",
     "lib/b.cjs lib/a.js x.sh"},
    {"jest.config.js",
     "const a = require('./lib/c');\nexport default {\n setupFiles: [\n  './lib/a',\n"
     " ],\n entry: 'src/main.ts' }",
     "lib/c/index.js lib/a.js"},
    {"webpack.config.js", "import a from './lib/a.js'\nmodule.exports = {entry: 'src/main.ts'}",
     "lib/a.js"},
    {"conftest.py", "from pkg import x\nimport tool\npytest_plugins = (\n 'tests.p',\n)\n",
     "pkg/__init__.py tool.py tests/p.py"},
    {"CMakeLists.txt", "include(sub/e.cmake)\nadd_executable(x src/main.ts)\n", "sub/e.cmake"},
    {"Makefile", "include ../outside.mk /etc/passwd ~/x absent.mk\n", ""},
    {"Makefile", "", ""},
};

static void what_is_written_out(void **state)
{
    char found[1000];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(find(cases[i].file, cases[i].text, strlen(cases[i].text), found));
        if (!same_names(found, cases[i].want))
            fail_msg("%s: %s: wanted \"%s\", found \"%s\"", cases[i].file, cases[i].text,
                     cases[i].want, found);
    }
}

/* What cannot be read in full may name anything. */
static void limits(void **state)
{
    static char text[NAMED_IN_TEXT + 1];
    char found[1000];

    (void)state;
    memset(text, '\n', sizeof(text));
    memcpy(text, "include a.mk", 12);
    assert_true(find("Makefile", text, NAMED_IN_TEXT - 1, found));
    assert_string_equal(found, "a.mk");
    assert_false(find("Makefile", text, sizeof(text), found));
    for (size_t i = 0; i <= NAMED_IN_MAX; i++)
        memcpy(text + i * 5, "./nn\n", 5);
    assert_false(find("Makefile", text, ((size_t)NAMED_IN_MAX + 1) * 5, found));
    assert_true(find("Makefile", text, (size_t)NAMED_IN_MAX * 5, found));
    assert_true(find("Makefile", "include \0\xff a.mk", 16, found));
    assert_string_equal(found, "a.mk");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_out),
        cmocka_unit_test(limits),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
