/* Real settings files of other people: each gives rules or settings, or an error that names the
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "policy/load.h"
#include "support/policy_tree.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail */

struct counts {
    size_t files, broken, rules, skipped;
};

struct printing {
    struct arena arena;
    const struct value *value;
    struct str text;
};

static void print(void *arg)
{
    struct printing *p = arg;
    struct buf b = buf_in(&p->arena);
    struct json_writer w = json_to_indented(&b);

    json_any(&w, p->value);
    p->text = buf_str(&b);
}

/* One line of the table for each refusal. */
static void report(const char *name, const struct policy *p, struct counts *c)
{
    const struct rulebook *b = &p->book;

    for (size_t i = 0; i < b->problems.count; i++) {
        const struct problem *problem = &b->problems.items[i];
        printf("| %s:%u:%u | %s | %.*s |\n", name, problem->line, problem->column,
               problem->fatal ? "file refused" : "entry skipped", STR_ARG(problem->message));
        assert_true(problem->line > 0 && problem->column > 0);
        c->skipped += !problem->fatal;
    }
    c->files++;
    c->rules += b->rules.count;
    c->broken += rulebook_broken(b) != NULL;
    if (b->rules.count == 0 && !b->mode.given && b->directories.count == 0 &&
        b->problems.count == 0)
        printf("| %s | empty | |\n", name);
}

static void load_record(const struct tree *t, const struct value *record, struct counts *c)
{
    struct printing text = {.value = value_get(record, "json")};
    bool claude = str_is(value_text(record, "kind"), "claude");
    const char *file = claude ? "settings.json" : "other.json";
    char name[200];
    struct policy *p;
    struct error err = {0};

    assert_non_null(text.value);
    arena_init(&text.arena, 1 << 24);
    assert_true(arena_try(&text.arena, print, &text));
    tree_write_bytes(t, file, text.text.s, text.text.len, 0);
    arena_release(&text.arena);

    struct str path = str_from(tree_path(t, file));
    struct policy_request r = tree_request(t);
    r.files = (struct strs){&path, 1, 1};
    if (policy_open(&r, &p, &err))
        fail_msg("%s", err.message);
    snprintf(name, sizeof(name), "%.*s/%.*s", STR_ARG(value_text(record, "repo")),
             STR_ARG(value_text(record, "path")));
    report(name, p, c);
    policy_free(p);
}

static void real_settings_load(void **state)
{
    const char *path = shared_path("corpora/permission_configs.jsonl.gz");
    char command[4200];
    char *line = NULL;
    size_t room = 0;
    struct counts c = {0};
    struct tree t;

    (void)state;
    if (!path)
        return;
    snprintf(command, sizeof(command), "zcat '%s'", path);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    tree_make(&t);
    printf("| file | what | why |\n|---|---|---|\n");
    for (ssize_t len; (len = getline(&line, &room, f)) > 0;) {
        struct arena a;
        struct value record;
        arena_init(&a, 1 << 26);
        assert_int_equal(json_read(&a, (struct str){line, (size_t)len}, NULL, &record, NULL),
                         STATUS_OK);
        load_record(&t, &record, &c);
        arena_release(&a);
    }
    free(line);
    assert_int_equal(pclose(f), 0);
    tree_remove(&t);
    printf("%zu files, %zu rules, %zu entries skipped, %zu files refused\n", c.files, c.rules,
           c.skipped, c.broken);
    assert_int_equal(c.files, 89);
    assert_true(c.rules > 1000);
    assert_true(c.broken < 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_settings_load),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
