/* The shortcut of the redaction: a command that is plain loses the same bytes as when it is parsed
 * as shell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/redact.h"
#include "record/redact_parts.h"
#include "support/shared.h"

#include <cmocka.h>

#define ROUNDS      60000
#define LEAST_PLAIN (ROUNDS / 10) /* at least this many must take the shortcut ... */
#define LEAST_FOUND (ROUNDS / 50) /* ... and this many must contain a secret all the same */

static struct arena arena;
static size_t plain_count, found_count;

/* Both ways give the same result. */
static void compare(struct str command)
{
    struct strs quick = {0}, full = {0};
    struct str got = redact_command(&arena, command, &quick);
    struct str want = redact_command_fully(&arena, command, &full);

    if (!str_eq(got, want))
        fail_msg("the shortcut leaves\n  %.*s\nof\n  %.*s\nfor\n  %.*s", STR_ARG(got),
                 STR_ARG(command), STR_ARG(want));
    for (size_t i = 0; i < full.count; i++)
        if (!strs_has(&quick, full.items[i]))
            fail_msg("the shortcut does not remember %.*s of\n  %.*s", STR_ARG(full.items[i]),
                     STR_ARG(command));
    assert_int_equal(quick.count, full.count);
    if (redact_is_plain(command)) {
        plain_count++;
        found_count += full.count > 0;
    }
}

/* ---- what is plain ---- */

static const char *const plain[] = {
    "",
    "git status && npm run test -- --watch=false src | head -20",
    "allow rule Bash(head:*) (user, /home/me/.config/warder/warder.yaml:64)",
    "cat a.txt 2>&1 >/dev/null; ls -la\n\tpwdx",
    "grep -rn \"fix the tests\" 'src dir'",
    "curl_all x; author=me path=y tokens=3 monkeys bypassed",
    "docker ps; cargo build; gh pr list; sudo ls",
    "git add login", /* a word of the tables without its program */
    "echo https://example.com/x",
    "echo me@example.com",
    "echo ''",
    "[ -f x ] && ls *.[ch]; (ls)",
    "echo \xc3\xa4 \"\xc3\xa4\"",
    "ls ghp_0123456789abcdefghijABCDEFGHIJ012345", /* secrets that the text itself shows are found
                                                      in it */
};

static const char *const not_plain[] = {
    "echo \\x",
    "echo $x",
    "echo `x`",
    "diff <(ls) x",
    "ls >(cat)",
    "ls a+(b)",
    "ls a@(b)",
    "a=(b)",
    "a[1]=b",
    "echo \r",
    "echo \x01",
    "echo \x7f",
    "echo a'b'",
    "echo --a=\"b\"",
    "echo a'' b",
    "curl x",
    "/usr/bin/curl x",
    "'mysql' -px",
    "docker login -p x",
    "sudo -S ls",
    "echo x | chpasswd",
    "x --password-stdin",
    "echo https://me@example.com/x",
    "git config set mytoken x",
    "PGPASSWORD=x psql",
    "dbPassword=x",
    "x --api-key y",
    "X: Authorization: y",
    "x -H 'Cookie: y'",
    "x?sig=y",
    "pat=x",
    "DB_PASS_2=x",
    "create user x identified by y",
};

static void plain_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(plain); i++)
        if (!redact_is_plain(str_from(plain[i])))
            fail_msg("this is plain: %s", plain[i]);
    for (size_t i = 0; i < COUNT(not_plain); i++)
        if (redact_is_plain(str_from(not_plain[i])))
            fail_msg("this is not plain: %s", not_plain[i]);
}

static void long_texts_are_not_plain(void **state)
{
    char *text = malloc(REDACT_PLAIN_MAX + 1);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', REDACT_PLAIN_MAX + 1);
    assert_true(redact_is_plain((struct str){text, REDACT_PLAIN_MAX}));
    assert_false(redact_is_plain((struct str){text, REDACT_PLAIN_MAX + 1}));
    free(text);
}

/* ---- both ways ---- */

static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, (size_t)256 << 20);
    plain_count = found_count = 0;
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static void written(void *arg)
{
    static const char *const files[] = {"tests/cases/redact/harmless.txt",
                                        "tests/cases/redact/secrets.txt", "bench/commands.txt"};

    (void)arg;
    for (size_t i = 0; i < COUNT(files); i++) {
        size_t len;
        char *all = read_whole_file(source_path(files[i]), &len);
        struct str rest = {all, len}, line;
        while (str_cut(rest, '\n', &line, &rest))
            compare(line);
        free(all);
    }
}

static void written_commands(void **state)
{
    (void)state;
    in_arena(written);
    assert_true(plain_count > 100);
}

/* Pieces of commands: everything the scan reacts to, and everything that can be in between. */
/* clang-format off */
static const char *const pieces[] = {
    " ", " ", " ", " ", " ", " ", " ", " ", " ", "\n", "\t", ";", "&&", "|", "&", "(", ")", "<", ">", "<<<", "<(",
    "'", "'", "\"", "\"", "' ", " '", "\" ", " \"", "=", "=", ":", ": ", "://", "@", "/", ".", "+", "~", "-", "--",
    "[", "]", "{", "}", "((", "))", "=(", "+(", "*", "#", "!", "%", ",", "2>", "{fd}>", "1234567890>", "<<E\n",
    "\nE\n", "<<'E'\n", "a", "b=", "x1", "echo", "git", "npm", "config", "set", "add", "for", "do", "done", "case",
    "in", "esac", "if", "then", "fi", "[[", "]]", "function", "coproc", "declare", "shopt -s extglob\n", "src/main.c",
    "/tmp/x", "~/y", "https://h.example/p", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "AKIAABCDEFGHIJKLMNOP",
    "ghp_", "AKIA", "eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc", "eyJhbGciOiJIUzI1.", "x7Kq9vZ2mPw4RtY8bNc3", "x7Kq9vZ2m",
    "Pw4RtY8bNc3Ld6", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "glc_aB3/dE6=", "gH9kL2mN5pQ8rS1tU4vW7xY0zA3",
    "123456789:AAabcdefghijkl", "mnopqrstuvwxyz0123456", "SG.", "sha256~", "hooks.slack.com/services/T0/B0/x",
    "api.telegram.org/bot", "\xc3\xa4", "curl", "mysql", "-u", "-p", "-psecret1", "u:pw", "docker", "login", "sudo",
    "-S", "-", "token", "token=", "password", "PASS", "WORD", "Authorization:", "Bearer ", "tokens", "author", "path",
    "key", "api_", "pw", "$x", "$(", "`", "\\", "$'",
};
/* clang-format on */

static uint32_t seed = 20260101;

static uint32_t next_number(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* The pieces that make a text not plain come last, so that most texts do without. */
#define LAST_ONES 29

static void made(void *arg)
{
    (void)arg;
    for (size_t round = 0; round < ROUNDS; round++) {
        struct buf b = buf_in(&arena);
        uint32_t from = next_number(4) ? COUNT(pieces) - LAST_ONES : COUNT(pieces);
        for (uint32_t left = 2 + next_number(14); left > 0; left--)
            buf_text(&b, pieces[next_number(from)]);
        compare(buf_str(&b));
        arena_reset(&arena);
    }
}

static void made_commands(void **state)
{
    (void)state;
    in_arena(made);
    assert_true(plain_count > LEAST_PLAIN);
    assert_true(found_count > LEAST_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_texts),
        cmocka_unit_test(long_texts_are_not_plain),
        cmocka_unit_test(written_commands),
        cmocka_unit_test(made_commands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
