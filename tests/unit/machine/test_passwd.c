/* The home that the user database names, entry by entry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "machine/passwd.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

/* NULL: none is found. */
static const struct {
    const char *text, *home;
} cases[] = {
    {"u:x:4242:1::/home/u:/bin/sh\n", "/home/u"},
    {"u:x:4242:1::/home/u:/bin/sh", "/home/u"}, /* the last line has no end */
    {"u:x:4242:1::/home/u:\n", "/home/u"},
    {"root:x:0:0::/root:/bin/sh\n\n# comment\nu:x:4242:1:A, B:/home/u:/bin/sh\n", "/home/u"},
    {"u:x:4242:1::/first:/bin/sh\nv:x:4242:1::/second:/bin/sh\n", "/first"},
    {"u:x:04242:1::/home/u:/bin/sh\n", "/home/u"},
    {"u:x:4242:1::/:/bin/sh\n", "/"},
    {"", NULL},
    {"\n\n", NULL},
    {"u:x:4243:1::/home/u:/bin/sh\n", NULL},
    {"u:x:42421:1::/home/u:/bin/sh\n", NULL},
    {"u:x:424:1::/home/u:/bin/sh\n", NULL},
    {"u:x: 4242:1::/home/u:/bin/sh\n", NULL},
    {"u:x:-4242:1::/home/u:/bin/sh\n", NULL},
    {"u:x:4294971538:1::/home/u:/bin/sh\n", NULL},           /* 4242 in 32 bits */
    {"u:x:18446744073709555858:1::/home/u:/bin/sh\n", NULL}, /* 4242 in 64 bits */
    {"u:x::1::/home/u:/bin/sh\n", NULL},
    {"u:x:4242:1:/home/u\n", NULL}, /* fields are missing */
    {"u:x:4242:1::/home/u\n", NULL},
    {"u:x:4242:1:::/bin/sh\nv:x:4242:1::/v:/bin/sh\n", NULL}, /* the first one counts */
    {"u:x:4242:1::home/u:/bin/sh\n", NULL},
};

static const char *home_in(const struct tree *t, char out[PASSWD_LINE_MAX], struct error *err)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s/passwd", t->root);
    return passwd_home(path, 4242, out, err) == STATUS_OK ? out : NULL;
}

static void check(const struct tree *t, const char *text, const char *wanted)
{
    char out[PASSWD_LINE_MAX];
    struct error err = {0};
    const char *home = home_in(t, out, &err);

    if (wanted ? !home || strcmp(home, wanted) != 0 : home != NULL)
        fail_msg("%.200s: %s", text, home ? home : err.message);
    if (!wanted)
        assert_int_equal(err.status, STATUS_USAGE);
}

static void entries(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    for (size_t i = 0; i < COUNT(cases); i++) {
        tree_write(&t, "passwd", cases[i].text, 0644);
        check(&t, cases[i].text, cases[i].home);
    }
    tree_remove(&t);
}

/* A line as long as is read, and one byte more; each at every distance from the reader's buffer. */
static void long_lines(void **state)
{
    static const char entry[] = "u:x:4242:1::/home/u:/bin/sh\n";
    static char text[3 * PASSWD_LINE_MAX + sizeof(entry)];
    struct tree t;

    (void)state;
    tree_make(&t);
    for (size_t len = PASSWD_LINE_MAX - 40; len < PASSWD_LINE_MAX + 40; len++) {
        memset(text, 'x', len);
        text[len] = '\n';
        memcpy(text + len + 1, entry, sizeof(entry));
        tree_write(&t, "passwd", text, 0644);
        check(&t, "after a long line", "/home/u");
        memcpy(text + len, entry, sizeof(entry)); /* the rest of a line is no entry */
        text[0] = ':';
        tree_write(&t, "passwd", text, 0644);
        check(&t, "inside a long line", NULL);
    }
    tree_remove(&t);
}

static void unreadable(void **state)
{
    char out[PASSWD_LINE_MAX];
    struct error err = {0};

    (void)state;
    assert_int_equal(passwd_home("/nonexistent/passwd", 0, out, &err), STATUS_IO);
    assert_int_equal(passwd_home("/", 0, out, &err), STATUS_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(unreadable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
