/* What is read out of files and processes that others own: secrets in the settings of git, digests,
 * what the kernel says of a process, and which file systems keep times. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "machine/age.h"
#include "machine/digest.h"
#include "machine/local.h"
#include "machine/proc.h"
#include "machine/tokens.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static char file[] = "/tmp/warder-files-XXXXXX";

static void put(const char *text, size_t len)
{
    FILE *f = fopen(file, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static int make_file(void **state)
{
    int fd = mkstemp(file);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(file);
}

/* ---- secrets in settings ---- */

static const struct {
    const char *text;
    bool found;
} settings[] = {
    {"", false},
    {"[core]\n\tbare = false\n", false},
    {"url = https://host/path\n", false},
    {"url = https://host/path@v1\n", false},
    {"url = https://user@host/path\n", true},
    {"url = https://user:word@host/path\n", true},
    {"url = https://user@host", true},
    {"url = ssh://git@host/path\n", false},
    {"url = ssh://git:word@host/path\n", true},
    {"url = ssh://host:22/path\n", false},
    {"url = git@host:path\n", false},
    {"url = \"https://host\" @\n", false},
    {"url = https://host @\n", false},
    {"url = https://a/ https://user@b/\n", true},
    {"url = ://user@host/\n", true},
    {"[http]\n\textraHeader = x\n", true},
    {"EXTRAHEADER = x\n", true},
    {"mytokens = x\n", true},
    {"x = token\n", false},
    {"token", true},
    {"password = x\n", true},
    {"passwd = x\n", true},
    {"smtpPass = x\n", true},
    {"clientSecret = x\n", true},
    {"apikey = x\n", true},
    {"cookieFile = x\n", true},
    {"cooki = x\n", false},
    {"# token = x\n", false},
    {" \t; token = x\n", false},
    {"# https://user@host/\n", true}, /* somebody's, although git does not read it */
    {"a = b\nc = d\ntoken = x\n", true},
};

static void secrets_in_settings(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        put(settings[i].text, strlen(settings[i].text));
        if (tokens_in_settings(file) != settings[i].found)
            fail_msg("settings %zu: %s", i, settings[i].text);
    }
}

static void settings_that_cannot_be_read(void **state)
{
    char line[5000], below[64];

    (void)state;
    assert_false(tokens_in_settings("/nonexistent/file"));
    snprintf(below, sizeof(below), "%s/below", file);
    assert_false(tokens_in_settings(below));
    assert_true(tokens_in_settings("/proc/self/mem")); /* reading it fails */
    assert_true(tokens_in_settings("/tmp"));
    memset(line, 'x', sizeof(line));
    put(line, 4094);
    assert_false(tokens_in_settings(file)); /* the end of the file */
    put(line, 4095);
    assert_true(tokens_in_settings(file));
    line[4094] = '\n';
    put(line, 4095);
    assert_false(tokens_in_settings(file));
}

/* ---- digests ---- */

static void digests_of_regular_files(void **state)
{
    char digest[WORLD_DIGEST], text[8];
    size_t len;

    (void)state;
    put("abc", 3);
    assert_true(digest_file(file, digest));
    assert_memory_equal(digest, "ba7816bf8f01cfea414140de5dae2223", 32);
    assert_true(digest_read(file, text, sizeof(text), &len));
    assert_int_equal(len, 3);
    assert_memory_equal(text, "abc", 3);
    assert_true(digest_read(file, text, 4, &len));
    assert_false(digest_read(file, text, 3, &len)); /* there may be more */
    assert_false(digest_read(file, text, 2, &len));
    for (const char *const *name = (const char *const[]){"/nonexistent", "/dev/null", "/tmp", NULL};
         *name; name++) {
        assert_false(digest_file(*name, digest));
        assert_false(digest_read(*name, text, sizeof(text), &len));
    }
}

static void digests_have_a_limit(void **state)
{
    char digest[WORLD_DIGEST];

    (void)state;
    put("", 0);
    assert_true(digest_file(file, digest));
    assert_int_equal(truncate(file, (off_t)DIGEST_BYTES_MAX), 0);
    assert_true(digest_file(file, digest));
    assert_int_equal(truncate(file, (off_t)DIGEST_BYTES_MAX + 1), 0);
    assert_false(digest_file(file, digest));
}

/* ---- ages ---- */

static void ages_are_of_the_last_change(void **state)
{
    struct stat st;
    char link[64];

    (void)state;
    snprintf(link, sizeof(link), "%s.link", file);
    assert_int_equal(symlink(file, link), 0);
    assert_int_equal(lstat(file, &st), 0);
    assert_true(local_keeps_times("/tmp"));
    assert_false(age_is_old(file, false, st.st_ctim.tv_sec + AGE_MARGIN - 1));
    assert_true(age_is_old(file, false, st.st_ctim.tv_sec + AGE_MARGIN));
    assert_false(age_is_old(file, true, st.st_ctim.tv_sec + 1000));
    assert_true(age_is_old(link, true, st.st_ctim.tv_sec + 1000));
    assert_false(age_is_old(link, false, st.st_ctim.tv_sec + 1000));
    assert_false(age_is_old("/nonexistent", false, INT64_MAX));
    assert_int_equal(unlink(link), 0);
    assert_false(local_keeps_times("/proc"));
    assert_false(local_reports_changes("/proc"));
    assert_false(local_keeps_times("/nonexistent"));
    assert_false(age_is_old("/proc/self/status", false, INT64_MAX));
    assert_false(age_is_old("/proc/self", true, INT64_MAX));
}

/* ---- processes ---- */

/* A name with what the kernel puts around names. */
static void child(int to)
{
    char text[64];
    struct proc_id starter;

    (void)prctl(PR_SET_NAME, "a) S 1 (b");
    bool right = proc_parent(getpid()) == getppid() && proc_starter("none", &starter) &&
                 starter.pid == getppid() && proc_read(getpid(), "comm", text, 5) == 4 &&
                 strcmp(text, "a) S") == 0;
    _exit(write(to, right ? "y" : "n", 1) == 1 ? 0 : 1);
}

static void processes_are_told_apart(void **state)
{
    struct proc_id own, again, theirs;
    char said = 0, text[4096];
    int way[2];

    (void)state;
    assert_int_equal(pipe(way), 0);
    pid_t pid = fork();
    if (pid == 0)
        child(way[1]);
    assert_int_equal(read(way[0], &said, 1), 1);
    assert_int_equal(said, 'y');
    assert_true(proc_find(pid, &theirs)); /* nobody has waited for it */
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_false(proc_find(pid, &theirs));
    assert_int_equal(proc_parent(pid), 0);
    assert_int_equal(proc_read(pid, "stat", text, sizeof(text)), 0);
    assert_string_equal(text, "");
    assert_true(proc_find(getpid(), &own) && proc_find(getpid(), &again));
    assert_int_equal(own.pid, getpid());
    assert_int_equal(own.started, again.started);
    assert_false(proc_find(1, &theirs));
    assert_false(proc_find(0, &theirs));
    close(way[0]);
    close(way[1]);
}

/* The program that has started us, which the caller names, does not count. */
static void a_program_between_is_passed_over(void **state)
{
    struct proc_id direct, above;
    char exe[64], program[4096];

    (void)state;
    snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)getppid());
    ssize_t len = readlink(exe, program, sizeof(program) - 1);
    if (len <= 0 || !proc_starter("none", &direct))
        skip();
    program[len] = '\0';
    const bool known = proc_starter(strrchr(program, '/') + 1, &above);
    if (known)
        assert_int_equal(above.pid, proc_parent(getppid()));
    else
        assert_true(proc_parent(getppid()) <= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_in_settings),
        cmocka_unit_test(settings_that_cannot_be_read),
        cmocka_unit_test(digests_of_regular_files),
        cmocka_unit_test(digests_have_a_limit),
        cmocka_unit_test(ages_are_of_the_last_change),
        cmocka_unit_test(processes_are_told_apart),
        cmocka_unit_test(a_program_between_is_passed_over),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
