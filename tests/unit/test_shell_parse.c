/* The shell parser: limits, refusals, and agreement with bash on the tricky list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shell/tree.h"
#include "support/shared.h"
#include "support/shell_serve.h"

static void placeholder(void **state)
{
    (void)state;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placeholder),
    };

    if (argc > 1 && strcmp(argv[1], "--tree") == 0)
        return serve_texts(answer_tree);
    if (argc > 1 && strcmp(argv[1], "--actions") == 0)
        return serve_texts(answer_actions);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
