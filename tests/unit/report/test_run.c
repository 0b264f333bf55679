/* One decision of the record, and what its call tried in the sandbox. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/journal.h"
#include "warder_admin.h"

#include <cmocka.h>

static char dir[64];

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof(dir), "/tmp/warder-run-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static int teardown(void **state)
{
    char command[96];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf '%s'", dir);
    return system(command); /* NOLINT(cert-env33-c): a directory of our own */
}

static void append(const char *body)
{
    struct journal j;
    struct str text = str_from(body);
    uint64_t n;

    assert_int_equal(journal_open(&j, dir, NULL, NULL), STATUS_OK);
    assert_int_equal(journal_append(&j, &text, 1, &n, NULL), STATUS_OK);
    journal_close(&j);
}

#define DECISION(id, more)                                                                         \
    "\"kind\":\"decision\",\"id\":\"" id "\",\"tool\":\"Bash\",\"command\":\"make\","              \
    "\"decision\":\"auto-accept\",\"behavior\":\"allow\"" more

static void shows(const char *id, const char *part)
{
    warder_report *report = NULL;

    assert_int_equal(warder_log_run(dir, NULL, id, strlen(id), &report, NULL), WARDER_OK);
    if (!strstr(warder_report_json(report), part))
        fail_msg("%s is not in %s", part, warder_report_json(report));
    warder_report_free(report);
}

static void a_run_is_found_by_the_token_of_its_call(void **state)
{
    (void)state;
    append("\"kind\":\"cell-end\",\"token\":\"early\",\"code\":9,\"refused\":[]");
    append(DECISION("d_one", ",\"contained\":{\"tier\":\"full\",\"token\":\"one\"}"));
    append(DECISION("d_two", ",\"contained\":{\"tier\":\"full\",\"token\":\"early\"}"));
    append(DECISION("d_three", ",\"reason\":\"one\""));
    append("\"kind\":\"cell-end\",\"token\":\"other\",\"code\":2,\"refused\":[],\"note\":\"one\"");
    append("\"kind\":\"cell-end\",\"token\":\"one\",\"code\":3,"
           "\"refused\":[{\"kind\":\"write\",\"what\":\"/etc/hosts\"}],\"more\":1,"
           "\"connections\":[{\"host\":\"example.com\",\"port\":443}],\"secret\":\"x\"");
    shows("d_one", "\"run\":{\"code\":3,\"refused\":[{\"kind\":\"write\",\"what\":\"/etc/hosts\"}],"
                   "\"more\":1,\"connections\":[{\"host\":\"example.com\",\"port\":443}]}}");
    shows("d_three", "\"run\":null");
}

/* The token of another call of the same name, from before, is not taken for it. */
static void a_run_that_has_not_ended_is_null(void **state)
{
    (void)state;
    append(DECISION("d_one", ",\"contained\":{\"tier\":\"full\",\"token\":\"one\"}"));
    append(DECISION("d_two", ",\"contained\":{\"tier\":\"full\"}"));
    shows("d_one", "\"run\":null");
    shows("d_two", "\"run\":null");
}

static void what_is_not_there_is_said(void **state)
{
    warder_report *report = NULL;
    char longest[200];

    (void)state;
    append(DECISION("d_one", ""));
    assert_int_equal(warder_log_run(dir, NULL, "d_x", 3, &report, NULL), WARDER_EUSAGE);
    memset(longest, 'a', sizeof(longest));
    assert_int_equal(warder_log_run(dir, NULL, longest, sizeof(longest), &report, NULL),
                     WARDER_EUSAGE);
    assert_int_equal(warder_log_run(dir, NULL, NULL, 0, &report, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_log_run(dir, NULL, "d_one", 5, NULL, NULL), WARDER_EUSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_run_is_found_by_the_token_of_its_call, setup, teardown),
        cmocka_unit_test_setup_teardown(a_run_that_has_not_ended_is_null, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_said, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
