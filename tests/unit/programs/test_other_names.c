/* Other names of commands: what the rows say must fit together, since a name that leads nowhere is
 * a way around a rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "programs/meanings.h"
#include "programs/other_names.h"
#include "programs/reading.h"

#include <cmocka.h> /* last: it defines a macro fail */

static size_t each_row(size_t (*check)(const struct program_row *row))
{
    size_t count, bad = 0;
    const struct program_file *const *files = program_files(&count);

    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < files[i]->count; n++)
            bad += check(&files[i]->rows[n]);
    return bad;
}

/* A row of such a name is the command itself, or says the same of it. */
static size_t check_names(const struct program_row *row)
{
    struct str name;
    size_t at = 0, bad = 0;

    while (program_next_name(row, &at, &name)) {
        const struct program_row *other = program_shipped(name);
        const struct program_row *same = program_same_command(name);
        if (row->also && other && !same) {
            printf("%s: also %.*s, whose row says otherwise\n", row->name, STR_ARG(name));
            bad++;
        }
    }
    return bad;
}

static void names_lead_to_their_command(void **state)
{
    (void)state;
    assert_int_equal(each_row(check_names), 0);
}

static size_t check_options(const struct program_row *row)
{
    struct str rest = str_from(row->options_in ? row->options_in : ""), name;
    size_t bad = 0;
    struct option o;

    while (str_next_word(&rest, &name))
        if (!str_is(name, "@") && !option_search(row, name, &o)) {
            printf("%s: has no option %.*s\n", row->name, STR_ARG(name));
            bad++;
        }
    return bad;
}

/* A setting of git stands for an option of one of its subcommands. */
static const struct program_row *setting_of;
static struct str setting_for;

static size_t is_row_with_option(const struct program_row *row)
{
    struct option o;

    return str_starts(str_from(row->name), str_from(setting_of->name)) &&
           row->name[strlen(setting_of->name)] == ' ' && option_search(row, setting_for, &o);
}

static bool has_option(const struct program_row *row, struct str name)
{
    struct option o;

    setting_of = row;
    setting_for = name;
    return option_search(row, name, &o) || each_row(is_row_with_option);
}

static size_t check_implied(const struct program_row *row)
{
    struct str rest = str_from(row->implies ? row->implies : ""), pair, by, meant, value;
    size_t bad = 0;
    struct option o;

    while (str_next_word(&rest, &pair)) {
        if (!str_cut(pair, '>', &by, &meant) && !str_cut(pair, ':', &by, &meant))
            bad++;
        str_cut(by, '=', &by, &value);
        str_cut(meant, '=', &meant, &value);
        str_cut(meant, ',', &meant, &value);
        if (!option_search(row, by, &o) || !has_option(row, meant)) {
            printf("%s: %.*s names no option\n", row->name, STR_ARG(pair));
            bad++;
        }
    }
    return bad;
}

static void columns_name_options_of_the_row(void **state)
{
    (void)state;
    assert_int_equal(each_row(check_options), 0);
    assert_int_equal(each_row(check_implied), 0);
}

static size_t named(const char *first, const char *second, const char *name)
{
    struct shell_word words[] = {{.text = str_from(first), .known = true},
                                 {.text = str_from(second), .known = true}};

    return program_words_named(words, 2, str_from(name));
}

static void a_program_has_versions_and_a_letter_in_front(void **state)
{
    (void)state;
    assert_int_equal(named("python3.11", "x", "python3"), 1);
    assert_int_equal(named("/usr/bin/python", "x", "python3"), 1);
    assert_int_equal(named("gsed", "x", "sed"), 1);
    assert_int_equal(named("npm", "i", "npm i"), 2);
    assert_int_equal(named("npm", "i", "npm install"), 0);
    assert_int_equal(named("git", "x", "it"), 0);
    assert_int_equal(named("gawk", "x", "gaw"), 0);
    assert_int_equal(named("npm", "i", "npm i x"), 0);
}

static void kinds_have_several_names(void **state)
{
    const char *kinds = "namespaces,namespace,ns pods,pod,po";

    (void)state;
    assert_true(program_same_kind(kinds, STR("ns"), STR("Namespace")));
    assert_true(program_same_kind(kinds, STR("namespaces.v1."), STR("ns")));
    assert_true(program_same_kind(kinds, STR("widgets"), STR("widgets.example.org")));
    assert_false(program_same_kind(kinds, STR("ns"), STR("po")));
    assert_false(program_same_kind(kinds, STR(""), STR("ns")));
}

static void signals_and_modes_have_several_spellings(void **state)
{
    (void)state;
    assert_int_equal(signal_number(STR("9")), 9);
    assert_int_equal(signal_number(STR("sigkill")), 9);
    assert_int_equal(signal_number(STR("TERM")), 15);
    assert_int_equal(signal_number(STR("SIG")), -1);
    assert_int_equal(signal_number(STR("")), -1);
    assert_true(mode_gives(STR("0777"), STR("777")));
    assert_true(mode_gives(STR("u=rwx,go+rwx"), STR("777")));
    assert_true(mode_gives(STR("+rwx"), STR("777")));
    assert_false(mode_gives(STR("a-rwx"), STR("777")));
    assert_false(mode_gives(STR("u+rwx"), STR("777")));
    assert_false(mode_gives(STR("777"), STR("x")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_lead_to_their_command),
        cmocka_unit_test(columns_name_options_of_the_row),
        cmocka_unit_test(a_program_has_versions_and_a_letter_in_front),
        cmocka_unit_test(kinds_have_several_names),
        cmocka_unit_test(signals_and_modes_have_several_spellings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
