/* Redaction: no byte of a secret remains, and every other byte does. The commands are in
 * tests/cases/redact/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "record/redact.h"
#include "record/redact_memory.h"
#include "record/redact_parts.h"

#include <cmocka.h>

#define LEAST_SECRETS  150
#define LEAST_SHAPES   30
#define LEAST_HARMLESS 150

static struct arena arena;

/* ---- secrets that cannot be mistaken for real ones: they are generated here ---- */

static uint32_t seed;

static uint32_t next_number(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static const char *alphabet(char kind)
{
    switch (kind) {
    case 'a':
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    case 'h':
        return "0123456789abcdef";
    case 'u':
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    case 'w':
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    case 'b':
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+";
    case 'l':
        return "abcdefghijklmnopqrstuvwxyz";
    case 'd':
        return "0123456789";
    case 'p':
        return "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789_.+^~";
    default:
        fail_msg("no such kind of secret: %c", kind);
        return "";
    }
}

struct made {
    struct str command, expected;
    struct strs secrets;
};

/* A password that begins like a path or a placeholder would be taken for one, so the first byte is
 * a letter. */
static struct str make_secret(struct str prefix, char kind, size_t len)
{
    struct buf b = buf_in(&arena);
    const char *letters = alphabet(kind);

    buf_add(&b, prefix);
    for (size_t i = 0; i < len; i++)
        buf_byte(&b, i == 0 && kind == 'p' ? 'k' : letters[next_number() % strlen(letters)]);
    return buf_str(&b);
}

/* "@{prefix;kind;len}" at `at`; returns its length. */
static size_t placeholder(struct str text, size_t at, struct str *secret)
{
    struct str rest = str_from_byte(text, at + 2), prefix, kind, len, tail;

    assert_true(str_cut(rest, '}', &rest, &tail));
    assert_true(str_cut(rest, ';', &prefix, &kind));
    assert_true(str_cut(kind, ';', &kind, &len));
    *secret = make_secret(prefix, kind.s[0], (size_t)strtoul(len.s, NULL, 10));
    return rest.len + 3;
}

static void make(struct str line, struct made *out)
{
    struct buf command = buf_in(&arena), expected = buf_in(&arena);
    struct str secret;

    *out = (struct made){0};
    for (size_t i = 0; i < line.len;) {
        if (line.s[i] == '@' && i + 1 < line.len && line.s[i + 1] == '{') {
            i += placeholder(line, i, &secret);
            buf_add(&command, secret);
            if (secret.len)
                buf_text(&expected, REDACTED);
            LIST_PUSH(&arena, &out->secrets, secret);
        } else if (line.s[i] == '\\' && i + 1 < line.len &&
                   (line.s[i + 1] == 'n' || line.s[i + 1] == '\\')) {
            buf_byte(&command, line.s[i + 1] == 'n' ? '\n' : '\\');
            buf_byte(&expected, line.s[i + 1] == 'n' ? '\n' : '\\');
            i += 2;
        } else {
            buf_byte(&command, line.s[i]);
            buf_byte(&expected, line.s[i++]);
        }
    }
    out->command = buf_str(&command);
    out->expected = buf_str(&expected);
}

/* ---- files ---- */

static struct str read_cases(const char *name)
{
    char path[4096];
    struct buf b = buf_in(&arena);
    const char *source = getenv("WARDER_SOURCE");

    snprintf(path, sizeof(path), "%s/tests/cases/redact/%s", source ? source : ".", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        buf_byte(&b, (char)c);
    fclose(f);
    return buf_str(&b);
}

static bool next_line(struct str *rest, struct str *line)
{
    while (rest->len) {
        str_cut(*rest, '\n', line, rest);
        if (line->len && line->s[0] != '#')
            return true;
        if (rest->s == line->s)
            break;
    }
    return false;
}

static size_t failures;

static void complain(const char *what, struct str command, struct str got, struct str want)
{
    failures++;
    print_error("%s\n  command  %.*s\n  stored   %.*s\n  wanted   %.*s\n", what, STR_ARG(command),
                STR_ARG(got), STR_ARG(want));
}

static void check_secret(const struct made *m, struct str want)
{
    struct str got = redact_command(&arena, m->command, NULL);

    for (size_t i = 0; i < m->secrets.count; i++)
        if (m->secrets.items[i].len && str_contains(got, m->secrets.items[i]))
            complain("the secret is still there", m->command, got, want);
    if (!str_eq(got, want))
        complain("other than wanted", m->command, got, want);
}

/* Every line is tried with several secrets: a lucky hit does not count. */
#define ROUNDS 6

struct counted {
    size_t secrets, shapes;
};

static struct counted check_secrets(const char *file, uint32_t round)
{
    struct str rest = read_cases(file), line, shape, text, last = {0};
    size_t secrets = 0, shapes = 0;

    for (bool more = next_line(&rest, &line); more;) {
        struct made m;
        assert_true(str_cut(line, ' ', &shape, &text));
        seed = round * 7919u + (uint32_t)secrets;
        make(str_from_byte(text, 1), &m);
        more = next_line(&rest, &line);
        struct str want = m.expected;
        if (more && str_starts(line, STR("= "))) {
            want = str_from_byte(line, 2);
            more = next_line(&rest, &line);
        }
        check_secret(&m, want);
        secrets++;
        shapes += !str_eq(shape, last);
        last = shape;
    }
    return (struct counted){secrets, shapes};
}

static void one_round(void *arg)
{
    const uint32_t round = *(uint32_t *)arg;
    struct counted counted = check_secrets("secrets.txt", round);

    assert_true(counted.secrets >= LEAST_SECRETS);
    assert_true(counted.shapes >= LEAST_SHAPES);
    assert_true(check_secrets("tables.txt", round).secrets > 0);
}

static void in_arena(void (*fn)(void *), void *arg)
{
    arena_init(&arena, (size_t)512 << 20);
    failures = 0;
    assert_true(arena_try(&arena, fn, arg));
    arena_release(&arena);
    if (failures)
        fail_msg("%zu of them", failures);
}

static void secrets_go_and_the_rest_stays(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++)
        in_arena(one_round, &round);
}

static void harmless(void *arg)
{
    struct str rest = read_cases("harmless.txt"), line;
    size_t count = 0;

    (void)arg;
    for (; next_line(&rest, &line); count++) {
        struct made m;
        make(line, &m);
        struct str got = redact_command(&arena, m.command, NULL);
        if (!str_eq(got, m.command))
            complain("not left alone", m.command, got, m.command);
    }
    assert_true(count >= LEAST_HARMLESS);
}

static void harmless_commands_stay_readable(void **state)
{
    (void)state;
    in_arena(harmless, NULL);
}

/* ---- JSON ---- */

static const struct {
    const char *given, *want;
} inputs[] = {
    {"{\"path\":\"src/token.c\",\"password\":\"hunter2\"}",
     "{\"path\":\"src/token.c\",\"password\":\"[REDACTED]\"}"},
    {"{\"auth\":{\"apiKey\":\"abc\",\"user\":\"bob\"}}",
     "{\"auth\":{\"apiKey\":\"[REDACTED]\",\"user\":\"bob\"}}"},
    {"{\"tokens\":[\"a\"],\"token\":[\"a\",7,true]}",
     "{\"tokens\":[\"a\"],\"token\":[\"[REDACTED]\",\"[REDACTED]\",true]}"},
    {"{\"pin_token\":null,\"max_tokens\":4096}", "{\"pin_token\":null,\"max_tokens\":4096}"},
    {"{\"command\":\"mysql -phunter2\",\"note\":\"mysql -phunter2\"}",
     "{\"command\":\"mysql -p[REDACTED]\",\"note\":\"mysql -phunter2\"}"},
    {"{\"glpat-AAAAAAAAAAAAAAAAAAAAAAAA\":\"1\",\"x\":{\"y=https://a:pw@h\":2}}",
     "{\"[REDACTED]\":\"1\",\"x\":{\"y=https://a:[REDACTED]@h\":2}}"},
    {"{\"source\":\"os.environ[\\\"API_KEY\\\"]=\\\"horse\\\"\"}",
     "{\"source\":\"os.environ[\\\"API_KEY\\\"]=\\\"[REDACTED]\\\"\"}"},
    {"{\"yaml\":\"- name: DB_PASSWORD\\n  value: horse\\n\"}",
     "{\"yaml\":\"- name: DB_PASSWORD\\n  value: [REDACTED]\\n\"}"},
    {"{\"url\":\"https://bob:pw@example.com/x\"}",
     "{\"url\":\"https://bob:[REDACTED]@example.com/x\"}"},
    {"{\"content\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
     "{\"content\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... (68 bytes)\"}"},
};

static void json_inputs(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(inputs); i++) {
        struct value v;
        struct buf b = buf_in(&arena);
        struct json_writer w = json_to(&b);
        assert_int_equal(json_read(&arena, str_from(inputs[i].given), NULL, &v, NULL), STATUS_OK);
        redact_json(&w, &v, "command cmd", 56, NULL);
        assert_string_equal(buf_str(&b).s, inputs[i].want);
    }
}

/* What an input that is no command hides is remembered, too. */
static void inputs_are_remembered(void *arg)
{
    static const char input[] = "{\"auth\":{\"password\":\"two words\"},\"note\":\"pin: A1B2C3D4\","
                                "\"url\":\"https://bob:horses@h\"}";
    struct value v;
    struct strs found = {0};
    struct buf b = buf_in(&arena);
    struct json_writer w = json_to(&b);

    (void)arg;
    assert_int_equal(json_read(&arena, STR(input), NULL, &v, NULL), STATUS_OK);
    redact_json(&w, &v, "", 1000, &found);
    assert_string_equal(
        redact_quoting(&arena, STR("asks for two words at bob and horses"), &found).s,
        "asks for [REDACTED] at bob and [REDACTED]");
}

static void inputs_of_other_tools(void **state)
{
    (void)state;
    in_arena(json_inputs, NULL);
    in_arena(inputs_are_remembered, NULL);
}

/* ---- texts that quote a command ---- */

static const struct {
    const char *command, *text, *want;
} quotes[] = {
    {"curl -u bob:hunter2 https://x",
     "curl -u bob:hunter2 https://x: talks to the network (mode default)",
     "curl -u bob:[REDACTED] https://x: talks to the network (mode default)"},
    {"tool --password 'two words'", "tool --password two words: not in the table",
     "tool --password [REDACTED]: not in the table"},
    {"tool --password hun'ter'2", "the word hunter2 was seen, hunter2",
     "the word [REDACTED] was seen, [REDACTED]"},
    {"ls -la", "only reads, prints or computes", "only reads, prints or computes"},
};

static void quoting_texts(void *arg)
{
    struct strs many = {0};

    (void)arg;
    for (size_t i = 0; i < COUNT(quotes); i++) {
        struct strs found = {0};
        redact_command(&arena, str_from(quotes[i].command), &found);
        assert_string_equal(redact_quoting(&arena, str_from(quotes[i].text), &found).s,
                            quotes[i].want);
    }
    for (size_t i = 0; i < REDACT_FOUND_MAX; i++)
        LIST_PUSH(&arena, &many, STR("nothing of this"));
    assert_string_equal(redact_quoting(&arena, STR("ls"), &many).s, "ls");
    LIST_PUSH(&arena, &many, STR("one too many"));
    assert_string_equal(redact_quoting(&arena, STR("ls"), &many).s, "(2 bytes)");
}

static void texts_that_quote_a_command(void **state)
{
    (void)state;
    in_arena(quoting_texts, NULL);
}

/* ---- names ---- */

static void names_of_secrets(void **state)
{
    static const char *const yes[] = {"password",  "DB_PASSWORD", "dbPassword", "--auth-token",
                                      "API_KEY",   "x-api-key",   "PGPASSWORD", "client_secret",
                                      "DB_PASS_2", "accessKey"};
    static const char *const no[] = {"",
                                     "PWD",
                                     "max_tokens",
                                     "next_token",
                                     "PASSWORD_FILE",
                                     "key",
                                     "public_key",
                                     "tokenizer",
                                     "sort_key",
                                     "eos_token",
                                     "token_ttl",
                                     "author",
                                     "no-password",
                                     "bypass",
                                     "compass",
                                     "secret_name",
                                     "passenger"};

    (void)state;
    for (size_t i = 0; i < COUNT(yes); i++)
        if (!redact_key_is_secret(str_from(yes[i])))
            fail_msg("%s is a name of a secret", yes[i]);
    for (size_t i = 0; i < COUNT(no); i++)
        if (redact_key_is_secret(str_from(no[i])))
            fail_msg("%s does not name a secret", no[i]);
}

/* ---- time: twice the text, about twice the work; measured in allocations, bounded by the test's
 * time-out ---- */

static void hostile(void *arg)
{
    static const char *const units[] = {
        "eyJ-",         "sk-",        "token=<",        "authorization:$",
        "password=\"<", "://a:",      "bearer ",        "-----BEGIN PRIVATE KEY",
        "a=b,",         "token=$x ",  "--token=-- ",    "'token: ",
        "`token=a` ",   "$(a -p ",    "AKIA",           "x='y \"z ",
        "xoxb-",        "password: ", "\\\"token\\\":", "key-",
    };
    size_t len = *(size_t *)arg;

    for (size_t i = 0; i < COUNT(units); i++) {
        struct buf b = buf_in(&arena);
        while (b.len < len)
            buf_text(&b, units[i]);
        redact_command(&arena, buf_str(&b), NULL);
        redact_text(&arena, buf_str(&b));
    }
}

static void hostile_texts_end(void **state)
{
    size_t len = 100000;

    (void)state;
    in_arena(hostile, &len);
}

/* ---- the cache ---- */

struct again {
    struct redact_memory *memory;
    struct str text;
    struct strs found;
};

static void look_twice(void *arg)
{
    struct again *g = arg;

    for (int i = 0; i < 3; i++) {
        struct str want = redact_text(&arena, g->text),
                   got = redact_text_again(g->memory, &arena, g->text);
        assert_true(str_eq(want, got));
        want = redact_quoting(&arena, g->text, &g->found);
        got = redact_quoting_again(g->memory, &arena, g->text, &g->found);
        assert_true(str_eq(want, got));
        struct strs found = {0}, found_again = {0};
        want = redact_command(&arena, g->text, &found);
        got = redact_command_again(g->memory, &arena, g->text, &found_again);
        assert_true(str_eq(want, got));
        assert_int_equal(found.count, found_again.count);
    }
}

static void a_text_is_the_same_when_it_comes_again(void **state)
{
    static const char *const texts[] = {"",
                                        "bench",
                                        "/srv/app",
                                        "only reads, prints or computes",
                                        "uid:7",
                                        "password=hunter2x9",
                                        "mysql -phunter2x9 db",
                                        "curl -u me:hunter2x9 x",
                                        "the word hunter2x9 is quoted",
                                        "Bearer abcdefghij0123456789"};
    struct again g = {.memory = redact_memory_new()};
    static char sized[REDACT_MEMORY_BYTES + 2];

    (void)state;
    assert_non_null(g.memory);
    arena_init(&arena, (size_t)16 * 1024 * 1024);
    memset(sized, 'x', sizeof(sized));
    for (int round = 0; round < 2; round++) { /* the second one quotes a command with a secret */
        for (size_t i = 0; i < COUNT(texts); i++) {
            g.text = str_from(texts[i]);
            assert_true(arena_try(&arena, look_twice, &g));
        }
        for (size_t len = REDACT_MEMORY_BYTES - 1; len <= sizeof(sized); len++) {
            g.text = (struct str){sized, len};
            assert_true(arena_try(&arena, look_twice, &g));
        }
        for (uint32_t i = 0; i < 3 * REDACT_MEMORY_SLOTS; i++) { /* many evict each other */
            char text[64];
            seed = i;
            snprintf(text, sizeof(text), i % 3 ? "session-%08x" : "token=%08x%08x", next_number(),
                     next_number());
            g.text = str_from(text);
            assert_true(arena_try(&arena, look_twice, &g));
        }
        static struct str secret = STR("hunter2x9");
        g.found = (struct strs){&secret, 1, 1};
    }
    redact_memory_free(g.memory);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_go_and_the_rest_stays),
        cmocka_unit_test(harmless_commands_stay_readable),
        cmocka_unit_test(inputs_of_other_tools),
        cmocka_unit_test(names_of_secrets),
        cmocka_unit_test(texts_that_quote_a_command),
        cmocka_unit_test(hostile_texts_end),
        cmocka_unit_test(a_text_is_the_same_when_it_comes_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
