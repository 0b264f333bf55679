/* Rules that people wrote: 89 settings files from public repositories. They must load or be refused
 * with a place, and what loads must survive printing. Skipped if the corpus is absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "rule/lint.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

struct tally {
    struct str text;
    size_t files, taken, refused, findings;
    size_t by_name[16];
};

static void add_code_point(struct buf *b, unsigned c)
{
    if (c < 0x80) {
        buf_byte(b, (char)c);
    } else if (c < 0x800) {
        buf_byte(b, (char)(0xc0 | c >> 6));
        buf_byte(b, (char)(0x80 | (c & 0x3f)));
    } else {
        buf_byte(b, (char)(0xe0 | c >> 12));
        buf_byte(b, (char)(0x80 | (c >> 6 & 0x3f)));
        buf_byte(b, (char)(0x80 | (c & 0x3f)));
    }
}

/* Reads a JSON string in a file that is known to be well-formed; *at is after the opening quote,
 * then after the closing one. Surrogates stay as they are: no rule depends on them. */
static struct str json_string(struct str s, size_t *at)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    struct buf b = buf_in(&arena);

    for (; *at < s.len && s.s[*at] != '"'; ++*at) {
        if (s.s[*at] != '\\') {
            buf_byte(&b, s.s[*at]);
            continue;
        }
        char c = s.s[++*at];
        const char *known = strchr(from, c);
        if (c == 'u') {
            char digits[5] = {s.s[*at + 1], s.s[*at + 2], s.s[*at + 3], s.s[*at + 4], '\0'};
            add_code_point(&b, (unsigned)strtoul(digits, NULL, 16));
            *at += 4;
        } else {
            buf_byte(&b, known ? to[known - from] : c);
        }
    }
    ++*at;
    return buf_str(&b);
}

static void take_rule(struct tally *t, struct str text, enum behavior effect, struct rules *rules)
{
    struct error err = {0};
    struct rule r, again;

    if (rule_parse(&arena, text, DIALECT_WARDER, &r, &err)) {
        t->refused++;
        printf("    %-5s column %u: %s: %.*s\n", behavior_name(effect), err.column, err.message,
               STR_ARG(text));
        return;
    }
    t->taken++;
    r.effect = effect;
    r.base = STR("/home/p");
    LIST_PUSH(&arena, rules, r);
    struct str printed = rule_print(&arena, &r);
    assert_true(str_eq(printed, str_trim(text)));
    assert_int_equal(rule_parse(&arena, printed, r.dialect, &again, &err), STATUS_OK);
    assert_true(r.matcher == again.matcher && str_eq(r.pattern, again.pattern) &&
                str_eq(r.tool, again.tool));
}

/* The strings of `"allow": [...]`. */
static void take_list(struct tally *t, struct str line, enum behavior effect, struct rules *rules)
{
    struct str key = str_format(&arena, "\"%s\": [", behavior_name(effect));
    size_t at = 0;

    while (at < line.len && !str_starts(str_from_byte(line, at), key))
        at++;
    for (at += key.len; at < line.len && line.s[at] != ']';)
        if (line.s[at++] == '"')
            take_rule(t, json_string(line, &at), effect, rules);
}

static void count_findings(struct tally *t, const struct rules *rules)
{
    struct lint_findings found = {0};

    rules_lint(&arena, rules, program_danger, program_meant, &found);
    t->findings += found.count;
    for (size_t i = 0; i < found.count; i++)
        for (size_t n = 0; lint_names()[n]; n++)
            if (strcmp(lint_names()[n], found.items[i].name) == 0)
                t->by_name[n]++;
}

static void take_lines(void *arg)
{
    struct tally *t = arg;
    struct str rest = t->text, line;

    while (rest.len > 0) {
        struct rules rules = {0};
        str_cut(rest, '\n', &line, &rest);
        for (int e = BEHAVIOR_DENY; e <= BEHAVIOR_ALLOW; e++)
            take_list(t, line, (enum behavior)e, &rules);
        t->files++;
        count_findings(t, &rules);
    }
}

static char *unpack(const char *path, size_t *len)
{
    char command[4400];
    char *text = malloc(1 << 24);

    snprintf(command, sizeof(command), "gzip -dc '%s'", path);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    assert_non_null(text);
    *len = fread(text, 1, 1 << 24, f);
    pclose(f);
    return text;
}

static void real_settings_load_or_name_the_place(void **state)
{
    const char *path = shared_path("corpora/permission_configs.jsonl.gz");
    struct tally t = {0};

    (void)state;
    if (!path)
        return;
    char *text = unpack(path, &t.text.len);
    t.text.s = text;
    printf("refused:\n");
    arena_init(&arena, 1 << 28);
    assert_true(arena_try(&arena, take_lines, &t));
    arena_release(&arena);
    free(text);
    printf("%zu files, %zu rules taken, %zu refused\n", t.files, t.taken, t.refused);
    for (size_t n = 0; lint_names()[n]; n++)
        printf("    %4zu %s\n", t.by_name[n], lint_names()[n]);
    assert_int_equal(t.files, 89);
    assert_true(t.taken > 2900);
    assert_true(t.refused * 50 < t.taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_settings_load_or_name_the_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
