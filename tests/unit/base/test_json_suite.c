/* The public JSON parsing suite: y_ must be accepted, n_ must be refused with a place, i_ may be
 * either. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "support/shared.h"

/* After base/error.h: it defines a macro fail(). */
#include <cmocka.h>

#define ARENA_LIMIT ((size_t)64 << 20)

/* Valid by the grammar and refused on purpose: two readers may pick different values. */
static const char *const duplicates[] = {
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
};

struct counts {
    unsigned taken, refused, on_purpose, either_taken, either_refused;
};

static bool is_duplicate(const char *name)
{
    for (size_t i = 0; i < COUNT(duplicates); i++)
        if (strcmp(name, duplicates[i]) == 0)
            return true;
    return false;
}

static void check(const char *name, enum status got, const struct error *err, struct counts *counts)
{
    if (got &&
        (err->status != got || err->line == 0 || err->column == 0 || err->message[0] == '\0'))
        fail_msg("%s is refused without a place or a message", name);
    if (is_duplicate(name)) {
        if (!got || !strstr(err->message, "duplicate"))
            fail_msg("%s must be refused as a duplicate", name);
        counts->on_purpose++;
    } else if (name[0] == 'y') {
        if (got)
            fail_msg("%s must be accepted: %u:%u: %s", name, err->line, err->column, err->message);
        counts->taken++;
    } else if (name[0] == 'n') {
        if (!got)
            fail_msg("%s must be refused", name);
        counts->refused++;
    } else {
        (*(got ? &counts->either_refused : &counts->either_taken))++;
    }
}

static void run_file(const char *directory, const char *name, struct counts *counts)
{
    char path[4096 + 256];
    size_t len;
    struct arena arena;
    struct value value;
    struct error err = {0};

    snprintf(path, sizeof(path), "%s/%s", directory, name);
    char *text = read_whole_file(path, &len);
    arena_init(&arena, ARENA_LIMIT);
    check(name, json_read(&arena, (struct str){text, len}, NULL, &value, &err), &err, counts);
    arena_release(&arena);
    free(text);
}

static void every_file(void **state)
{
    struct counts n = {0};
    const char *directory = shared_path("corpora/json-test/test_parsing");

    (void)state;
    if (!directory)
        skip();
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.')
            run_file(directory, e->d_name, &n);
    closedir(d);

    printf("y: %u accepted, %u refused as duplicates; n: %u refused; i: %u accepted, %u refused\n",
           n.taken, n.on_purpose, n.refused, n.either_taken, n.either_refused);
    assert_int_equal(n.on_purpose, COUNT(duplicates));
    assert_true(n.taken > 0 && n.refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
