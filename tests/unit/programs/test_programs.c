/* Programs: the rows themselves, case files (tests/cases/programs), and the public list of
 * dangerous options. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "programs/other_names.h"
#include "programs/reading.h"
#include "support/program_use.h"
#include "support/shared.h"

#include <cmocka.h>

static struct arena arena;
static struct use_words words;
static const char *line;

static void in_arena(void (*fn)(void *), void *arg)
{
    arena_init(&arena, 64 << 20);
    assert_true(arena_try(&arena, fn, arg));
    arena_release(&arena);
}

static struct program_use explain(const char *command)
{
    struct program_use use;

    words = use_words(&arena, command);
    program_explain(&arena, words.items, words.count, NULL, &use);
    return use;
}

/* ---- case files: `words | effects | paths` ---- */

static bool check_case(char *text)
{
    char *paths = strrchr(text, '|');

    if (!paths) {
        print_error("not a case: %s\n", text);
        return false;
    }
    *paths = '\0';
    char *effects = strrchr(text, '|');
    if (!effects) {
        print_error("not a case: %s\n", text);
        return false;
    }
    *effects = '\0';
    struct program_use use = explain(text);
    struct str want_effects = str_trim(str_from(effects + 1));
    struct str want_paths = str_trim(str_from(paths + 1));
    struct str want =
        str_format(&arena, "%.*s%s|%s%.*s", STR_ARG(want_effects), want_effects.len ? " " : "",
                   want_paths.len ? " " : "", STR_ARG(want_paths));
    struct str got = use_text(&arena, &use);
    if (str_eq(got, want))
        return true;
    print_error("%s\n    got  %.*s (doubt %zu)\n    want %.*s\n", text, STR_ARG(got), use.doubt,
                STR_ARG(want));
    return false;
}

/* ---- tests/rows: the same, with + before a fact that was seen. A row may say more, but not that
 * it does not know a word that it knew ---- */

/* "R:a.txt" is also said by "RF:a.txt". */
static bool covers(struct str said, struct str fact)
{
    struct str letters, path, said_letters, said_path;

    if (!str_cut(fact, ':', &letters, &path) || !str_cut(said, ':', &said_letters, &said_path))
        return str_eq(said, fact);
    for (size_t i = 0; i < letters.len; i++)
        if (!str_has(said_letters, letters.s[i]))
            return false;
    return str_eq(said_path, path);
}

static bool says(struct str got, struct str fact)
{
    struct str said;

    while (str_next_word(&got, &said))
        if (covers(said, fact))
            return true;
    return false;
}

static bool check_facts(const char *command, struct str facts)
{
    struct program_use use = explain(command);
    struct str fact, got = use_facts(&arena, &use);
    bool right = str_contains(facts, STR("unknown")) || !(use.effects & EFFECT_UNKNOWN);

    if (!right)
        print_error("%s\n    got %.*s\n    which was known\n", command, STR_ARG(got));
    while (str_next_word(&facts, &fact)) {
        if (fact.s[0] == '+')
            fact = str_from_byte(fact, 1);
        if (!says(got, fact)) {
            print_error("%s\n    got %.*s\n    and not %.*s\n", command, STR_ARG(got),
                        STR_ARG(fact));
            right = false;
        }
    }
    return right;
}

static bool check_row(char *text)
{
    char *facts = strstr(text, " | ");

    if (!facts) {
        print_error("not a line of a row: %s\n", text);
        return false;
    }
    *facts = '\0';
    return check_facts(text, str_from(facts + 3));
}

struct kind {
    const char *directory, *suffix;
    bool (*check)(char *text);
};

static const struct kind *kind;

static void run_case(void *arg)
{
    bool *right = arg;

    *right = kind->check(arena_copy(&arena, line, strlen(line)));
}

static void check_file(const char *path, size_t *count, size_t *wrong)
{
    size_t len;
    char *text = read_whole_file(path, &len), *rest = text, *one;

    while ((one = strsep(&rest, "\n"))) {
        bool right = false;
        if (!*one || *one == '#')
            continue;
        line = one;
        in_arena(run_case, &right);
        *count += 1;
        *wrong += !right;
    }
    free(text);
}

static void check_all(const struct kind *of)
{
    char dir[4096], path[8192];
    size_t count = 0, wrong = 0;
    struct dirent *entry;

    kind = of;
    snprintf(dir, sizeof(dir), "%s", source_path(of->directory));
    DIR *d = opendir(dir);
    assert_non_null(d);
    while ((entry = readdir(d))) {
        if (!strstr(entry->d_name, of->suffix))
            continue;
        snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
        check_file(path, &count, &wrong);
    }
    closedir(d);
    printf("%zu cases\n", count);
    assert_true(count > 0);
    assert_int_equal(wrong, 0);
}

static void cases(void **state)
{
    (void)state;
    check_all(&(struct kind){"tests/cases/programs", ".case", check_case});
}

/* tools/prove-rows makes these files, and says what to do when one is no longer right. */
static void rows_say_what_they_said(void **state)
{
    (void)state;
    check_all(&(struct kind){"tests/rows", ".rows", check_row});
}

/* ---- the rows ---- */

static void rows_are_well_formed(void **state)
{
    size_t files, rows = 0, programs = 0;
    const struct program_file *const *file = program_files(&files);

    (void)state;
    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < file[f]->count; i++) {
            const struct program_row *row = &file[f]->rows[i];
            const char *fault = program_row_fault(row);
            if (fault)
                fail_msg("%s: %s: %s", file[f]->name, row->name, fault);
            if (i && strcmp(row[-1].name, row->name) >= 0)
                fail_msg("%s: %s comes after %s", file[f]->name, row->name, row[-1].name);
            programs += !strchr(row->name, ' ');
            rows++;
        }
    printf("%zu rows, %zu programs\n", rows, programs);
}

static size_t count_rows(const char *name, const struct program_row **last)
{
    size_t files, found = 0;
    const struct program_file *const *file = program_files(&files);

    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < file[f]->count; i++)
            if (strcmp(file[f]->rows[i].name, name) == 0) {
                *last = &file[f]->rows[i];
                found++;
            }
    return found;
}

static void rows_are_unique(void **state)
{
    size_t files;
    const struct program_file *const *file = program_files(&files);
    const struct program_row *same = NULL;

    (void)state;
    for (size_t f = 0; f < files; f++)
        for (size_t i = 0; i < file[f]->count; i++) {
            const struct program_row *row = &file[f]->rows[i];
            if (count_rows(row->name, &same) != 1)
                fail_msg("%s has two rows", row->name);
            if (row->options[0] == '=' && row->options[1] &&
                (count_rows(row->options + 1, &same) != 1 ||
                 (same->options[0] == '=' && same->options[1])))
                fail_msg("%s is another name of nothing", row->name);
        }
}

static const struct {
    struct program_row row;
    const char *fault;
} faulty[] = {
    {{"x", "abbrev mixed -a --b= -c=R -d?=W !-e ^unknown^secrets-f=. ^send%-g %--help",
      "{-a,-c} R* | {0} ^secrets^loss | -c=W . R+ W", 0, "s"},
     NULL},
    {{"x", "=y", "", 0, "s"}, NULL},
    {{"x", "=y", "R*", 0, "s"}, "another name with operands of its own"},
    {{"", "", "", 0, "s"}, "no name or no source"},
    {{"x", "", "", 0, ""}, "no name or no source"},
    {{"x", "-a -b -a", "", 0, "s"}, "an option that is listed twice"},
    {{"x", "-a,--all --all", "", 0, "s"}, "an option that is listed twice"},
    {{"x", "mixd", "", 0, "s"}, "a word among the options that does not exist"},
    {{"x", "-a mixed", "", 0, "s"}, "a word such as mixed after the options"},
    {{"x", "-a=Q", "", 0, "s"}, "a role that does not exist"},
    {{"x", "-a=R,Q", "", 0, "s"}, "a role that does not exist"},
    {{"x", "-a=@nothing", "", 0, "s"}, "a role that does not exist"},
    {{"x", "-a=L", "", 0, "s"}, "a role that does not exist"},
    {{"x", "^sends-a", "", 0, "s"}, "an effect that does not exist"},
    {{"x", "^send^-a", "", 0, "s"}, "an effect that does not exist"},
    {{"x", "^S-a", "", 0, "s"}, "an effect that does not exist"},
    {{"x", "^sendif=R", "", 0, "s"}, "an effect that does not exist"},
    {{"x", "-a,", "", 0, "s"}, "an option without a name"},
    {{"x", "-", "", 0, "s"}, "an option without a name"},
    {{"x", "", "Q", 0, "s"}, "an operand with a role that does not exist"},
    {{"x", "", "*", 0, "s"}, "an operand with a role that does not exist"},
    {{"x", "", "R* | W* R*", 0, "s"}, "two operands that repeat"},
    {{"x", "", "{-a} R", 0, "s"}, "a condition on an option that is not listed"},
    {{"x", "-a", "{-a R", 0, "s"}, "a condition that does not end"},
    {{"x", "-a", "-b=R R", 0, "s"}, "a role for an option that is not listed"},
    {{"x", "", "^L R", 0, "s"}, "an effect that does not exist"},
    {{"x", "", "^loss^ R", 0, "s"}, "an effect that does not exist"},
    {{"x", "", "^loss+send R", 0, "s"}, "an effect that does not exist"},
    {{"x", "", "@@nothing", 0, "s"}, "a reader that does not exist"},
    {{"x", "-a -b", "", 0, "s", .fetches = "+-a -b"}, NULL},
    {{"x", "-a -b", "", 0, "s", .fetches = "-a +-b"},
     "in `fetches` an option that must be there after one that need not"},
    {{"x", "", ". . . . . . . . . . . .", 0, "s"}, NULL},
    {{"x", "", ". . . . . . . . . . . . .", 0, "s"}, "more operands than a form may have"},
};

static void faults_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(faulty); i++) {
        const char *got = program_row_fault(&faulty[i].row);
        if (!got != !faulty[i].fault || (got && strcmp(got, faulty[i].fault) != 0))
            fail_msg("case %zu (%s | %s): %s, not %s", i, faulty[i].row.options,
                     faulty[i].row.operands, got ? got : "no fault",
                     faulty[i].fault ? faulty[i].fault : "no fault");
    }
}

/* ---- rows of a policy file ---- */

static void run_more(void *arg)
{
    /* sorted, as the policy leaves them */
    static struct program_row added[] = {
        {"copy", "", "LR+ LT", 0, "a policy file"},
        {"d", "=deploy", "", 0, "a policy file"},
        {"deploy", "global -n --to=N -C=P", "sub", 0, "a policy file"},
        {"deploy pull", "", "M .*", EFFECT_FETCH, "a policy file"},
        {"deploy pull now", "", "none", EFFECT_SEND, "a policy file"},
        {"deploy status", "-v", "R*", 0, "a policy file"},
        {"head", "", "X*", EFFECT_CODE, "a person's policy may change ours", PROGRAM_BY_USER},
        {"loop", "=loop", "", 0, "a policy file"},
        {"tool", "+long versions -cp=R -D?= -I=R -x", "F .*", 0, "a policy file"},
        {"tool2", "abbrev --all --alter --beta=R", "none", 0, "a policy file"},
        {"touch", "", "X*", EFFECT_CODE, "cannot change ours"},
        {"wrong", "-a=Q", "Q", 0, "a row that was not checked"},
    };
    static const struct {
        const char *command, *want;
    } uses[] = {
        {"touch x", "| W:x"},
        {"head x", "code |"},
        {"deploy status x", "| R:x"},
        {"deploy -n status -v x", "| R:x"},
        {"deploy -v status", "unknown |"},
        {"deploy status -n x", "| R:x"},
        {"deploy status -q", "unknown |"},
        {"deploy push x", "unknown |"},
        {"deploy --to h status", "network | N:h"},
        {"deploy -C a -C b status x", "| R:a R:b R:x P:a/b"},
        {"deploy -C /a status x", "| R:/a R:x P:/a"},
        {"deploy -C \"$x\" status y", "unknown | R?:$ R:y"},
        {"deploy", "|"},
        {"deploy pull origin", "fetch |"},
        {"deploy pull origin main", "fetch |"},
        {"deploy pull https://h/x", "network fetch | N:https://h/x"},
        {"deploy pull ../x", "network fetch | N:../x"},
        {"deploy pull ./\"$x\"", "network fetch unknown | N:./$"},
        {"deploy pull now", "send |"},
        {"deploy pull now x", "send unknown |"},
        {"copy a b", "| R:a W:b W:b/a"},
        {"copy a h:b", "network | R:a N:h:b"},
        {"copy h:a .", "network | W:./h:a N:h:a"},
        {"d status", "|"},
        {"loop", "? unknown |"},
        {"deploy $x", "unknown |"},
        {"deploy 'status x'", "unknown |"},
        {"/opt/bin/deploy status", "|"},
        {"'deploy status' x", "? unknown |"},
        {"tool3.11 x", "code | RF:x"},
        {"tool-12 x", "code | RF:x"},
        {"deploy3", "? unknown |"},
        {"tool -cp a x", "code | R:a RF:x"},
        {"tool -cp=a x", "code | R:a RF:x"},
        {"tool --cp a x", "code | R:a RF:x"},
        {"tool -Da=b -Idir x", "code | R:dir RF:x"},
        {"tool -xx y", "code unknown | RF:y"},
        {"tool2 --alt", "|"},
        {"tool2 --al", "unknown |"},
        {"tool2 --b x", "| R:x"},
        {"tool2 --", "|"},
        {"wrong -a x y", "unknown |"},
    };
    struct program_rows more = {.items = added, .count = COUNT(added)};

    (void)arg;
    for (size_t i = 0; i < COUNT(uses); i++) {
        struct program_use use;
        words = use_words(&arena, uses[i].command);
        program_explain(&arena, words.items, words.count, &more, &use);
        struct str got = use_text(&arena, &use);
        if (!str_is(got, uses[i].want))
            fail_msg("%s: \"%.*s\", not \"%s\"", uses[i].command, STR_ARG(got), uses[i].want);
    }
}

/* ---- the index compared with a search ---- */

static const struct program_row *search(struct str name, bool *subcommands)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);
    const struct program_row *found = NULL;

    *subcommands = false;
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            struct str row = str_from(files[f]->rows[i].name);
            if (!found && str_eq(row, name))
                found = &files[f]->rows[i];
            *subcommands |= row.len > name.len && str_starts(row, name) && row.s[name.len] == ' ';
        }
    return found;
}

/* What a row says must not be missed by a look at the shape of its name. */
static void compare_columns(struct str name)
{
    const struct program_row *row = program_by_any_name(name);
    bool tasks = row && (row->task_by_task || row->shares_scripts);
    bool brings = row && row->brings != BRINGS_NOTHING;
    bool wraps = row && (row_modes(row) & MODE_WRAPS);

    if ((tasks && !program_may_say(name, COLUMN_TASKS)) ||
        (brings && !program_may_say(name, COLUMN_BRINGS)) ||
        (wraps && !program_may_say(name, COLUMN_WRAPS)))
        fail_msg("a column of \"%.*s\" is missed", STR_ARG(name));
}

static void compare_name(struct str name)
{
    bool subcommands;
    const struct program_row *row = search(name, &subcommands);

    if (program_shipped(name) != row)
        fail_msg("the index finds another row for \"%.*s\"", STR_ARG(name));
    if ((row || !subcommands) && program_has_subcommands(name) != subcommands)
        fail_msg("the index is wrong about subcommands of \"%.*s\"", STR_ARG(name));
    compare_columns(name);
}

/* Every program whose rules may be about the command is known without looking at the command.
 * Returns how many there are beside its own. */
static size_t compare_other_names(struct str command, const char *before, const char *after)
{
    struct str rest = command, word;
    struct use_words split = {0};
    struct strs names;

    while (str_next_word(&rest, &word))
        LIST_PUSH(&arena, &split, (struct shell_word){.text = word, .known = true});
    split.items[0].text =
        str_format(&arena, "%s%.*s%s", before, STR_ARG(split.items[0].text), after);
    names = program_rule_names(&arena, split.items, split.count);
    size_t list = program_other_names(split.items[0].text);
    for (size_t i = 1; i < names.count; i++)
        if (list != NAMES_ANY &&
            !str_has_word(str_from(program_name_lists.items[list]), names.items[i]))
            fail_msg("\"%.*s\" may be named %.*s", STR_ARG(command), STR_ARG(names.items[i]));
    return names.count - 1;
}

static void compare_all_other_names(void *arg)
{
    size_t count, renamed = 0;
    const struct program_file *const *files = program_files(&count);

    (void)arg;
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            struct str name = str_from(files[f]->rows[i].name);
            renamed += compare_other_names(name, "", "");
            renamed += compare_other_names(name, "g", "");
            renamed += compare_other_names(name, "", ".exe");
            renamed += compare_other_names(name, "", "-12");
            renamed += compare_other_names(name, "", "3.11");
        }
    printf("%zu have other names\n", renamed);
    assert_true(renamed > 100);
}

/* Every name, and similar names. The program of every subcommand has its own row, which the index
 * relies on. */
static void compare_names(void *arg)
{
    size_t count, compared = 0;
    const struct program_file *const *files = program_files(&count);

    (void)arg;
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            struct str name = str_from(files[f]->rows[i].name), head, tail;
            if (str_cut(name, ' ', &head, &tail) && !program_shipped(head))
                fail_msg("%s: its program has no row", name.s);
            compare_name(name);
            compare_name(str_slice(name, 0, name.len - 1));
            compare_name(str_join(&arena, name, STR("x")));
            compare_name(str_join(&arena, name, STR(" ")));
            compared += 4;
        }
    compare_name(STR(""));
    printf("%zu names\n", compared);
}

static bool same_option(const struct option *x, const struct option *y)
{
    return x->names.s == y->names.s && x->names.len == y->names.len && x->roles.s == y->roles.s &&
           x->roles.len == y->roles.len && x->set == y->set && x->effects == y->effects &&
           x->value == y->value && x->optional == y->optional && x->prints == y->prints;
}

static void compare_option(const struct row_use *use, struct str name)
{
    struct option indexed = {0}, found = {0};
    bool is_indexed = row_option(use, name, &indexed),
         is_found = option_search(use->row, name, &found);

    if (is_indexed != is_found || (is_found && !same_option(&indexed, &found)))
        fail_msg("%s: the index finds another option \"%.*s\"", use->row->name, STR_ARG(name));
}

/* Every name of the row's options, similar names, and one cut by a NUL. Returns their number. */
static size_t compare_options(const struct row_use *use)
{
    struct str rest = str_from(use->row->options), token, names, name;
    struct option o;
    size_t compared = 0;

    while (str_next_word(&rest, &token)) {
        compare_option(use, token);
        if (!option_parse(token, &o))
            continue;
        for (names = o.names; names.len; compared++) {
            str_cut(names, ',', &name, &names);
            assert_true(row_option(use, name, &(struct option){0}));
            compare_option(use, name);
            compare_option(use, str_slice(name, 0, name.len - 1));
            compare_option(use, str_join(&arena, name, STR("x")));
            compare_option(use, str_join(&arena, name, STR("\0")));
        }
    }
    return compared;
}

static void compare_all_options(void *arg)
{
    const struct reading empty = {0};
    size_t count, compared = 0;
    const struct program_file *const *files = program_files(&count);

    (void)arg;
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < files[f]->count; i++) {
            struct row_use use;
            if (!row_find(&empty, NULL, str_from(files[f]->rows[i].name), &use) ||
                use.row != &files[f]->rows[i])
                continue;
            assert_int_equal(use.modes, row_modes(use.row));
            assert_int_equal(use.trees, row_trees(use.row));
            assert_true(str_eq(use.reader, row_reader(use.row)));
            compared += compare_options(&use);
        }
    printf("%zu names of options\n", compared);
}

static void same_use(const struct program_use *x, const struct program_use *y, const char *row,
                     struct str option)
{
    bool same = x->effects == y->effects && x->paths.count == y->paths.count &&
                x->hosts.count == y->hosts.count && x->script == y->script &&
                x->inner == y->inner && x->doubt == y->doubt && str_eq(x->input, y->input);

    for (size_t i = 0; same && i < x->paths.count; i++)
        same = x->paths.items[i].access == y->paths.items[i].access &&
               x->paths.items[i].recursive == y->paths.items[i].recursive &&
               str_eq(x->paths.items[i].text, y->paths.items[i].text);
    if (!same)
        fail_msg("%s %.*s: read differently without the index", row, STR_ARG(option));
}

/* A row added by a policy file is not in the index: its options are searched in the row. Up to two
 * words after the option, so that forms that count operands are covered too. */
static void compare_uses(const struct program_row *row, struct str option)
{
    struct program_row added = *row;
    struct program_rows more = {.items = &added, .count = 1};
    struct shell_word argv[8];
    struct str rest = str_from(row->name), word;
    size_t count = 0;

    added.strength = PROGRAM_BY_USER;
    while (str_next_word(&rest, &word) && count < 4)
        argv[count++] = (struct shell_word){.text = word, .known = true};
    if (option.len)
        argv[count++] = (struct shell_word){.text = option, .known = true};
    for (size_t n = 0; n <= 2; n++) {
        struct program_use indexed, read;
        if (n)
            argv[count++] =
                (struct shell_word){.text = n == 1 ? STR("x") : STR("y"), .known = true};
        program_explain(&arena, argv, count, NULL, &indexed);
        program_explain(&arena, argv, count, &more, &read);
        same_use(&indexed, &read, row->name, option);
    }
}

struct comparison {
    const struct program_file *file;
    size_t compared;
};

static void compare_uses_of_file(void *arg)
{
    struct comparison *c = arg;
    const struct program_file *file = c->file;

    for (size_t i = 0; i < file->count; i++) {
        const struct program_row *row = &file->rows[i];
        struct str rest = str_from(row->options), token, name;
        struct option o;
        if (row->options[0] == '=')
            continue;
        compare_uses(row, (struct str){0});
        while (str_next_word(&rest, &token)) {
            if (!option_parse(token, &o))
                continue;
            str_cut(o.names, ',', &name, &(struct str){0});
            compare_uses(row, name);
            c->compared++;
        }
    }
}

static void index_finds_what_a_search_finds(void **state)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);
    struct comparison c = {0};

    (void)state;
    in_arena(compare_names, NULL);
    in_arena(compare_all_other_names, NULL);
    in_arena(compare_all_options, NULL);
    for (size_t f = 0; f < count; f++) {
        c.file = files[f];
        in_arena(compare_uses_of_file, &c);
    }
    printf("%zu options in use\n", c.compared);
}

static void more_rows(void **state)
{
    (void)state;
    in_arena(run_more, NULL);
}

static void run_nothing(void *arg)
{
    struct program_use use;
    struct shell_word unknown = {.text = WORD_UNKNOWN_STR},
                      empty = {.text = STR(""), .known = true};

    (void)arg;
    program_explain(&arena, NULL, 0, NULL, &use);
    assert_int_equal(use.effects, EFFECT_UNKNOWN);
    program_explain(&arena, &unknown, 1, NULL, &use);
    assert_int_equal(use.effects, EFFECT_UNKNOWN);
    program_explain(&arena, &empty, 1, NULL, &use);
    assert_int_equal(use.effects, EFFECT_UNKNOWN);
    assert_null(use.row);
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    in_arena(run_nothing, NULL);
}

/* ---- the public list: no option that runs, writes, deletes or sends comes out as harmless ---- */

static bool is_plain_command(const char *s)
{
    char quote = 0;

    for (; *s; s++) {
        if (quote)
            quote = *s == quote ? 0 : quote;
        else if (*s == '\\' && s[1])
            s++;
        else if (*s == '\'' || *s == '"')
            quote = *s;
        else if (strchr(";|&<>()$`\n", *s))
            return false;
    }
    return !quote;
}

/* As the layer "harmless" would judge it, apart from where the paths lead. */
static bool only_reads(const struct program_use *use)
{
    if (use->effects)
        return false;
    for (size_t i = 0; i < use->paths.count; i++)
        if (use->paths.items[i].access != PROGRAM_READS)
            return false;
    return true;
}

/* Judged elsewhere: an assignment is a separate action, and what git status runs is in the
 * configuration of the repository, which the harmless layer checks. */
static bool is_judged_elsewhere(const char *example)
{
    static const char *const examples[] = {"git status", "git -C ../evil status"};

    for (size_t i = 0; i < COUNT(examples); i++)
        if (strcmp(example, examples[i]) == 0)
            return true;
    return strncmp(example, "export ", 7) == 0;
}

struct facts {
    size_t checked, wrong;
};

static void run_fact(void *arg)
{
    struct facts *facts = arg;
    struct value fact;
    struct error err;

    assert_int_equal(json_read(&arena, str_from(line), NULL, &fact, &err), STATUS_OK);
    const char *example = str_copy(&arena, value_text(&fact, "example")).s;
    if (!is_plain_command(example) || is_judged_elsewhere(example))
        return;
    struct program_use use = explain(example);
    if (!use.row)
        return;
    bool read = str_is(value_text(&fact, "effect"), "read");
    facts->checked++;
    if (!only_reads(&use) || (read && use.paths.count))
        return;
    facts->wrong++;
    print_error("harmless: %s\n", example);
}

static void option_facts(void **state)
{
    const char *path = shared_path("shell/option_facts.jsonl");
    struct facts facts = {0};
    size_t len;

    (void)state;
    if (!path)
        return;
    char *text = read_whole_file(path, &len), *rest = text, *one;
    while ((one = strsep(&rest, "\n"))) {
        line = one;
        if (*one)
            in_arena(run_fact, &facts);
    }
    free(text);
    printf("%zu facts about programs that have a row\n", facts.checked);
    assert_int_equal(facts.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_well_formed),
        cmocka_unit_test(rows_are_unique),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(cases),
        cmocka_unit_test(rows_say_what_they_said),
        cmocka_unit_test(more_rows),
        cmocka_unit_test(index_finds_what_a_search_finds),
        cmocka_unit_test(nothing_is_unknown),
        cmocka_unit_test(option_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
