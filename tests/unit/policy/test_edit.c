/* Adding a rule to a policy file: the cases of tests/cases/edit, real settings files, and the file
 * on the disk. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "policy/edit.h"
#include "policy/sandbox.h"
#include "support/policy_tree.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define OPENING "\xc2\xab" /* « */
#define CLOSING "\xc2\xbb" /* » */
#define MARK    "\xef\xbb\xbf"

/* ---- cases ---- */

struct edit_case {
    struct str file, refused;
    enum format format;
    struct edit_rule rule;
    bool crlf, chomp, mark, new, already;
    int list; /* of the key "sandbox", and 1 */
    struct str before, after;
    size_t at;
    uint32_t line;
};

static struct arena arena;

static struct str cut_word(struct str *rest)
{
    struct str word;

    str_cut(*rest, ' ', &word, rest);
    return word;
}

static enum dialect dialect_from(struct str name)
{
    for (int d = 0; d < DIALECT_COUNT; d++)
        if (str_is(name, dialect_name((enum dialect)d)))
            return (enum dialect)d;
    fail_msg("no such dialect: %.*s", STR_ARG(name));
    return DIALECT_WARDER;
}

static int list_from(struct str name)
{
    for (int list = 0; list < SANDBOX_LISTS; list++)
        if (str_is(name, sandbox_list_key((enum sandbox_list)list)))
            return list + 1;
    fail_msg("no such list: %.*s", STR_ARG(name));
    return 0;
}

static void take_option(struct edit_case *c, struct str option)
{
    struct str key, value;

    str_cut(option, '=', &key, &value);
    if (str_is(key, "dialect"))
        c->rule.dialect = dialect_from(value);
    else if (str_is(key, "refused"))
        c->refused = value;
    else if (str_is(key, "above")) {
        c->rule.above_line = (uint32_t)strtoul(value.s, NULL, 10);
        c->rule.above_column = (uint32_t)strtoul(value.s + str_index(value, ':') + 1, NULL, 10);
    } else if (str_is(key, "crlf"))
        c->crlf = true;
    else if (str_is(key, "chomp"))
        c->chomp = true;
    else if (str_is(key, "mark"))
        c->mark = true;
    else if (str_is(key, "caliban"))
        c->format = FORMAT_CALIBAN;
    else if (str_is(key, "new"))
        c->new = true;
    else if (str_is(key, "already"))
        c->already = true;
    else if (str_is(key, "entry"))
        c->rule.entry = value;
    else if (str_is(key, "row"))
        c->rule.row = true;
    else if (str_is(key, "sandbox"))
        c->list = list_from(value);
    else
        fail_msg("no such option: %.*s", STR_ARG(option));
}

/* "FILE EFFECT RULE ;; OPTION" */
static void take_head(struct edit_case *c, struct str head)
{
    c->file = cut_word(&head);
    assert_true(behavior_parse(cut_word(&head), &c->rule.effect));
    for (bool first = true; head.len > 0; first = false) {
        size_t end = 0;
        while (end < head.len && !str_starts(str_from_byte(head, end), STR(" ;; ")))
            end++;
        if (first)
            c->rule.text = str_copy(&arena, str_slice(head, 0, end));
        else
            take_option(c, str_copy(&arena, str_slice(head, 0, end)));
        head = str_from_byte(head, end + 4);
    }
}

static void put(const struct edit_case *c, struct buf *b, char byte)
{
    if (byte == '\n' && c->crlf)
        buf_byte(b, '\r');
    buf_byte(b, byte);
}

static void take_body(struct edit_case *c, struct str body)
{
    struct buf before = buf_in(&arena), after = buf_in(&arena);
    bool inside = false;

    /* The line break before "end" is not part of a text without one; a closing mark may follow
     * it. */
    if (c->chomp)
        body.len--;
    if (c->mark) {
        buf_text(&before, MARK);
        buf_text(&after, MARK);
    }
    for (size_t i = 0; i < body.len; i++) {
        struct str rest = str_from_byte(body, i);
        if (str_starts(rest, STR(OPENING)) || str_starts(rest, STR(CLOSING))) {
            inside = str_starts(rest, STR(OPENING));
            if (inside)
                c->at = before.len;
            i++;
            continue;
        }
        if (!inside)
            put(c, &before, body.s[i]);
        put(c, &after, body.s[i]);
    }
    c->before = buf_str(&before);
    c->after = buf_str(&after);
    if (c->new) {
        assert_int_equal(c->before.len, 0);
        c->before = (struct str){0};
    }
}

/* What was inserted can be taken out again, also when the file has grown since. */
static const char *check_back(const struct edit_case *c, const struct edit *e)
{
    struct str text = e->result;
    struct edit back;
    struct error err = {0};

    if (c->format == FORMAT_CALIBAN || e->already || c->list)
        return NULL;
    if (edit_take_back(&arena, c->file, text, c->format, c->rule.dialect, e->insert, &back, &err))
        return err.message[0] ? "cannot be taken back" : "has no message";
    if (c->before.len && !str_eq(back.result, c->before))
        return "not what it was before";
    return edit_take_back(&arena, c->file, c->before, c->format, c->rule.dialect, e->insert, &back,
                          &err) == STATUS_USAGE
               ? NULL
               : "taken back twice";
}

/* Several insertions are equivalent ("a, b" after "a" or "b, " ...): the results and the length are
 * compared. */
static size_t check(const struct edit_case *c)
{
    struct edit e;
    struct error err = {0};
    enum status status =
        c->list ? edit_sandbox(&arena, c->file, c->before, (enum sandbox_list)(c->list - 1),
                               c->rule.text, &e, &err)
                : edit_plan(&arena, c->file, c->before, c->format, &c->rule, &e, &err);
    const char *what = NULL;

    if (c->refused.len)
        what = !status                                           ? "was not refused"
               : str_contains(str_from(err.message), c->refused) ? NULL
                                                                 : err.message;
    else if (status)
        what = err.message;
    else if (e.already != c->already)
        what = "already there, or not";
    else if (!str_eq(e.result, c->after))
        what = "another text";
    else if (!e.already && (e.insert.len != c->after.len - c->before.len ||
                            (e.line == 0 && !c->rule.row && !c->list)))
        what = "not one insertion";
    else
        what = check_back(c, &e);
    if (!what)
        return 0;
    fprintf(stderr, "edit.case:%u: %s\n--- got\n%.*s\n--- want\n%.*s\n", c->line, what,
            STR_ARG(e.result), STR_ARG(c->after));
    return 1;
}

static void run_cases(void *arg)
{
    size_t len, failed = 0, count = 0;
    char *whole = read_whole_file(source_path("tests/cases/edit/edit.case"), &len);
    struct str rest = {whole, len}, line;

    for (uint32_t number = 1; rest.len > 0; number++) {
        str_cut(rest, '\n', &line, &rest);
        if (!str_starts(line, STR("case ")))
            continue;
        struct edit_case c = {.line = number};
        struct str body = rest;
        take_head(&c, str_from_byte(line, 5));
        for (;;) {
            assert_true(rest.len > 0);
            str_cut(rest, '\n', &line, &rest);
            number++;
            if (str_is(line, "end") || str_is(line, CLOSING "end"))
                break;
        }
        body.len = (size_t)(line.s - body.s) + (str_is(line, "end") ? 0 : 2);
        take_body(&c, body);
        failed += check(&c);
        count++;
    }
    free(whole);
    *(size_t *)arg = count;
    assert_int_equal(failed, 0);
}

static void cases_hold(void **state)
{
    size_t count = 0;

    (void)state;
    arena_init(&arena, (size_t)1 << 28);
    assert_true(arena_try(&arena, run_cases, &count));
    arena_release(&arena);
    assert_true(count > 60);
}

/* Whichever allocation fails, the result is an error and not half an edit. */
static void memory_runs_out(void **state)
{
    static const char text[] =
        "{\"permissions\": {\"allow\": [\"Read\"], \"deny\": [\"Bash(curl:*)\"]}}\n";
    const struct edit_rule rule = {.effect = BEHAVIOR_DENY, .text = STR("Edit")};
    size_t n = 1;

    (void)state;
    for (enum status status = STATUS_NOMEM; status == STATUS_NOMEM; n++) {
        struct edit e;
        struct error err = {0};
        arena_init(&arena, (size_t)1 << 28);
        arena_fail_at(&arena, n);
        status =
            edit_plan(&arena, STR("settings.json"), STR(text), FORMAT_SETTINGS, &rule, &e, &err);
        assert_true(status == STATUS_NOMEM || (status == STATUS_OK && e.result.len > sizeof(text)));
        assert_true(status == STATUS_OK || e.result.len == 0);
        arena_release(&arena);
    }
    assert_true(n > 10);
}

/* ---- real settings files ---- */

struct real {
    const struct value *json;
    struct str name;
    unsigned indent;
    size_t *edited, *refused;
};

static struct str print(const struct real *r)
{
    struct buf b = buf_in(&arena);
    struct json_writer w = json_to(&b);

    w.indent = r->indent;
    json_any(&w, r->json);
    buf_byte(&b, '\n');
    return buf_str(&b);
}

static size_t rule_count(struct str text)
{
    static const unsigned char ranks[SOURCE_COUNT];
    struct rulebook book = {0};
    struct regexes regexes = {0};
    struct value document;
    struct policy_reader r = {
        .arena = &arena, .book = &book, .regexes = &regexes, .rank = ranks, .trusted = true};

    assert_int_equal(document_read(&arena, SYNTAX_JSON, text, &document, NULL), STATUS_OK);
    schema_read(&r, FORMAT_SETTINGS, &document);
    regexes_release(&regexes);
    return book.rules.count;
}

static void check_insertion(struct str old, const struct edit *e, const struct real *r)
{
    struct str head = str_slice(e->result, 0, e->at),
               tail = str_from_byte(e->result, e->at + e->insert.len);

    if (!str_eq(head, str_slice(old, 0, e->at)) || !str_eq(tail, str_from_byte(old, e->at)) ||
        rule_count(e->result) != rule_count(old) + 1)
        fail_msg("%.*s: more than one insertion", STR_ARG(r->name));
}

static void edit_real(struct real *r, enum behavior effect)
{
    const struct edit_rule rule = {.effect = effect,
                                   .text = STR("Bash(a-rule-that-nobody-has \"x\":*)")};
    struct str path = STR("settings.local.json"), old = print(r);
    struct edit once, twice;
    struct error err = {0};

    if (edit_plan(&arena, path, old, FORMAT_SETTINGS, &rule, &once, &err)) {
        printf("%.*s: refused, %s\n", STR_ARG(r->name), err.message);
        ++*r->refused;
        return;
    }
    assert_false(once.already);
    check_insertion(old, &once, r);
    assert_int_equal(edit_plan(&arena, path, once.result, FORMAT_SETTINGS, &rule, &twice, &err),
                     STATUS_OK);
    assert_true(twice.already && str_eq(twice.result, once.result));
    ++*r->edited;
}

static void edit_in_all_ways(void *arg)
{
    static const unsigned indents[] = {0, 2, 4};
    struct real *r = arg;

    for (size_t i = 0; i < COUNT(indents); i++)
        for (enum behavior effect = BEHAVIOR_DENY; effect <= BEHAVIOR_ALLOW; effect++) {
            r->indent = indents[i];
            edit_real(r, effect);
        }
}

static void edit_record(struct str line, size_t *edited, size_t *refused)
{
    struct value record;

    arena_init(&arena, (size_t)1 << 29);
    assert_int_equal(json_read(&arena, line, NULL, &record, NULL), STATUS_OK);
    struct real r = {value_get(&record, "json"), value_text(&record, "repo"), 0, edited, refused};
    if (str_is(value_text(&record, "kind"), "claude"))
        assert_true(arena_try(&arena, edit_in_all_ways, &r));
    arena_release(&arena);
}

static void real_files_get_one_rule_more(void **state)
{
    const char *path = shared_path("corpora/permission_configs.jsonl.gz");
    char command[4200];
    char *line = NULL;
    size_t room = 0, edited = 0, refused = 0;

    (void)state;
    if (!path)
        return;
    snprintf(command, sizeof(command), "zcat '%s'", path);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    for (ssize_t len; (len = getline(&line, &room, f)) > 0;)
        edit_record((struct str){line, (size_t)len}, &edited, &refused);
    free(line);
    assert_int_equal(pclose(f), 0);
    printf("%zu edits of real settings files, %zu refused\n", edited, refused);
    assert_true(edited > 500 && refused < edited / 20);
}

/* ---- the file on the disk ---- */

static const struct edit_rule edit_rule = {.effect = BEHAVIOR_ALLOW, .text = {"Edit", 4}};
static const char old_text[] = "{\"permissions\": {\"allow\": [\"Read\"]}}\n";
static const char new_text[] = "{\"permissions\": {\"allow\": [\"Read\", \"Edit\"]}}\n";

static enum status add_to(const struct tree *t, const char *name, struct error *err)
{
    const struct edit_target target = {.path = tree_path(t, name),
                                       .guard = FILE_PROJECT,
                                       .inside = t->project,
                                       .format = FORMAT_SETTINGS};
    struct edit_done done;
    enum status status = edit_add(&target, &edit_rule, &done, err);

    free(done.text);
    return status;
}

static void assert_text(const struct tree *t, const char *name, const char *want)
{
    size_t len;
    char *text = read_whole_file(tree_path(t, name), &len);

    assert_string_equal(text, want);
    free(text);
}

static void mode_and_owner_are_kept(void **state)
{
    const char *name = "project/.claude/settings.local.json";
    struct tree t;
    struct stat before, after;
    struct error err = {0};

    (void)state;
    tree_make(&t);
    tree_write(&t, name, old_text, 0640);
    if (geteuid() == 0)
        assert_int_equal(chown(tree_path(&t, name), 1234, 1235), 0);
    assert_int_equal(stat(tree_path(&t, name), &before), 0);
    assert_int_equal(add_to(&t, name, &err), STATUS_OK);
    assert_text(&t, name, new_text);
    assert_int_equal(stat(tree_path(&t, name), &after), 0);
    assert_int_equal(before.st_mode, after.st_mode);
    assert_int_equal(before.st_uid, after.st_uid);
    assert_int_equal(before.st_gid, after.st_gid);
    assert_int_equal(add_to(&t, name, &err), STATUS_OK);
    assert_text(&t, name, new_text);
    tree_remove(&t);
}

static void new_file_and_directory_are_made(void **state)
{
    struct tree t;
    struct error err = {0};

    (void)state;
    tree_make(&t);
    assert_int_equal(add_to(&t, "project/.claude/settings.local.json", &err), STATUS_OK);
    assert_text(&t, "project/.claude/settings.local.json",
                "{\n  \"permissions\": {\n    \"allow\": [\n      \"Edit\"\n    ]\n  }\n}\n");
    assert_int_equal(add_to(&t, "project/none/.claude/settings.local.json", &err), STATUS_IO);
    tree_remove(&t);
}

/* Each of these leaves the file as it was. */
static void unsafe_files_stay(void **state)
{
    const char *name = "project/.claude/settings.local.json";
    struct tree t;
    struct error err = {0};

    (void)state;
    tree_make(&t);
    tree_write(&t, "outside/settings.local.json", old_text, 0);
    tree_link(&t, name, "@/outside/settings.local.json");
    assert_int_equal(add_to(&t, name, &err), STATUS_UNSAFE);
    unlink(tree_path(&t, name));
    rmdir(tree_path(&t, "project/.claude"));
    tree_link(&t, "project/.claude", "@/outside");
    assert_int_equal(add_to(&t, name, &err), STATUS_UNSAFE);
    assert_text(&t, "outside/settings.local.json", old_text);
    unlink(tree_path(&t, "project/.claude"));
    /* A link to nothing would create a file elsewhere. */
    tree_link(&t, name, "@/outside/other.json");
    assert_int_not_equal(add_to(&t, name, &err), STATUS_OK);
    assert_int_not_equal(access(tree_path(&t, "outside/other.json"), F_OK), 0);
    unlink(tree_path(&t, name));

    tree_write(&t, name, old_text, 0666);
    assert_int_equal(add_to(&t, name, &err), STATUS_UNSAFE);
    tree_write(&t, name, old_text, 0644);
    assert_int_equal(link(tree_path(&t, name), tree_path(&t, "project/second")), 0);
    assert_int_equal(add_to(&t, name, &err), STATUS_UNSAFE);
    assert_text(&t, name, old_text);
    unlink(tree_path(&t, "project/second"));
    tree_write(&t, name, "{\"permissions\": ", 0644);
    assert_int_equal(add_to(&t, name, &err), STATUS_SYNTAX);
    assert_text(&t, name, "{\"permissions\": ");
    tree_remove(&t);
}

static void link_inside_is_followed(void **state)
{
    struct tree t;
    struct error err = {0};
    struct stat st;

    (void)state;
    tree_make(&t);
    tree_write(&t, "project/config/real.json", old_text, 0);
    tree_link(&t, "project/.claude/settings.local.json", "@/project/config/real.json");
    assert_int_equal(add_to(&t, "project/.claude/settings.local.json", &err), STATUS_OK);
    assert_text(&t, "project/config/real.json", new_text);
    assert_int_equal(lstat(tree_path(&t, "project/.claude/settings.local.json"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    tree_remove(&t);
}

#define WRITERS 8

static void write_one(const struct tree *t, int n)
{
    const struct edit_target target = {.path = tree_path(t, "project/.claude/settings.local.json"),
                                       .guard = FILE_PROJECT,
                                       .inside = t->project,
                                       .format = FORMAT_SETTINGS};
    char text[32];
    struct edit_done done;

    snprintf(text, sizeof(text), "Bash(writer %d)", n);
    const struct edit_rule rule = {.effect = BEHAVIOR_ALLOW, .text = str_from(text)};
    _exit(edit_add(&target, &rule, &done, NULL) == STATUS_OK ? 0 : 1);
}

static void writers_wait_for_each_other(void **state)
{
    struct tree t;
    size_t len;

    (void)state;
    tree_make(&t);
    for (int i = 0; i < WRITERS; i++) {
        pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            write_one(&t, i);
    }
    for (int i = 0, status; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    char *text = read_whole_file(tree_path(&t, "project/.claude/settings.local.json"), &len);
    arena_init(&arena, 1 << 24);
    assert_int_equal(rule_count((struct str){text, len}), WRITERS);
    arena_release(&arena);
    free(text);
    tree_remove(&t);
}

/* No temporary file is left, whatever happened. */
static void nothing_is_left_behind(void **state)
{
    struct tree t;
    struct error err = {0};

    (void)state;
    tree_make(&t);
    tree_write(&t, "project/.claude/settings.local.json", old_text, 0);
    assert_int_equal(add_to(&t, "project/.claude/settings.local.json", &err), STATUS_OK);
    unlink(tree_path(&t, "project/.claude/settings.local.json"));
    assert_int_equal(rmdir(tree_path(&t, "project/.claude")), 0);
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_hold),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(real_files_get_one_rule_more),
        cmocka_unit_test(mode_and_owner_are_kept),
        cmocka_unit_test(new_file_and_directory_are_made),
        cmocka_unit_test(unsafe_files_stay),
        cmocka_unit_test(link_inside_is_followed),
        cmocka_unit_test(writers_wait_for_each_other),
        cmocka_unit_test(nothing_is_left_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
