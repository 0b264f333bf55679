/* The policy image: what is mapped equals what was loaded, and an image that could be anything else
 * is not used. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decide/profiles.h"
#include "policy/image.h"
#include "policy/trust.h"
#include "rule/index.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail */

static const char policy_text[] =
    "mode: plan\n"
    "additionalDirectories: [~/more]\n"
    "deny:\n  - Bash(curl:*)\n  - Read(~/.ssh/**)\n"
    "ask:\n  - {rule: Bash, flags: [--force], reason: think}\n"
    "allow:\n  - Bash(npm run test:*)\n  - Edit(/src/**)\n  - WebFetch(domain:*.example.com)\n"
    "programs:\n  - {name: deployctl, options: mixed -v, operands: none}\n";

struct place {
    struct tree tree;
    struct policy_request request;
    struct image_key key;
    char path[PATH_MAX];
};

/* A machine with one policy, and no image yet. */
static int make_place(void **state)
{
    struct place *p = calloc(1, sizeof(*p));

    assert_non_null(p);
    tree_make(&p->tree);
    p->request = tree_request(&p->tree);
    p->request.root = (struct str){0}; /* an image is of the machine itself */
    tree_write(&p->tree, "home/.config/warder/warder.yaml", policy_text, 0);
    assert_true(image_key(&p->request, &p->key));
    assert_true(image_path(&p->key, p->path));
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    struct place *p = *state;

    tree_remove(&p->tree);
    free(p);
    return 0;
}

static void write_image(const struct place *p)
{
    struct error err = {0};

    if (image_write(&p->request, &err) != STATUS_OK)
        fail_msg("%s", err.message);
}

/* Maps the image as a hook would, and unmaps it. */
static enum image_state look(const struct place *p)
{
    const struct image *image;
    enum image_state state = image_map(&p->key, &image);

    assert_true((state == IMAGE_FRESH) == (image != NULL));
    image_unmap(image);
    return state;
}

#define assert_state(p, wanted)                                                                    \
    assert_string_equal(image_state_name(look(p)), image_state_name(wanted))

static bool address_is_free(void)
{
    void *got = mmap((void *)IMAGE_ADDRESS, 4096, PROT_READ,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    if (got != MAP_FAILED)
        munmap(got, 4096);
    return (uintptr_t)got == IMAGE_ADDRESS;
}

/* ---- contents ---- */

static void holds_what_was_loaded(void **state)
{
    const struct place *p = *state;
    char from_text[8192], from_image[8192];
    struct policy *policy;
    const struct image *image;
    struct error err = {0};

    assert_state(p, IMAGE_NONE);
    write_image(p);
    assert_int_equal(policy_open(&p->request, &policy, &err), STATUS_OK);
    assert_int_equal(image_map(&p->key, &image), IMAGE_FRESH);
    tree_dump(&p->tree, &policy->book, from_text, sizeof(from_text));
    tree_dump(&p->tree, &image->book, from_image, sizeof(from_image));
    assert_string_equal(from_image, from_text);
    assert_int_equal(image->trust, policy->trust);
    assert_int_equal(image->book.rules.count, policy->book.rules.count);
    assert_non_null(image->book.index);
    assert_int_equal(rule_index_first_on_paths(image->book.index),
                     rule_index_first_on_paths(policy->book.index));
    assert_non_null(image->book.programs);
    image_unmap(image);
    policy_free(policy);
}

static void is_not_written_twice(void **state)
{
    const struct place *p = *state;
    struct stat before, after;

    write_image(p);
    assert_int_equal(stat(p->path, &before), 0);
    write_image(p);
    assert_int_equal(stat(p->path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_int_equal(before.st_mode & 07777, 0600);
}

static void needs_a_request_without_options(void **state)
{
    const struct place *p = *state;
    struct policy_request r = p->request;
    struct image_key key;
    struct error err = {0};

    r.mode = STR("plan");
    assert_false(image_key(&r, &key));
    r = p->request;
    r.config_override = STR("/x.yaml");
    assert_false(image_key(&r, &key));
    r = p->request;
    r.files = (struct strs){.items = (struct str[1]){STR("/x.yaml")}, .count = 1};
    assert_false(image_key(&r, &key));
    assert_int_not_equal(image_write(&r, &err), STATUS_OK);
}

static void a_broken_policy_has_none(void **state)
{
    const struct place *p = *state;
    struct error err = {0};

    tree_write(&p->tree, "home/.config/warder/warder.yaml", "deny: [\"Bash(\"]\n", 0);
    assert_int_equal(image_write(&p->request, &err), STATUS_SYNTAX);
    assert_state(p, IMAGE_NONE);
}

static void a_regex_is_only_noted(void **state)
{
    const struct place *p = *state;
    const struct image *image;
    bool found = false;

    tree_write(&p->tree, "home/.config/warder/warder.yaml",
               "deny:\n  - {rule: Bash, regex: 'rm -rf'}\n", 0);
    write_image(p);
    assert_int_equal(image_map(&p->key, &image), IMAGE_FRESH);
    for (size_t i = 0; i < image->book.rules.count; i++)
        found |= rule_more(&image->book.rules.items[i])->regex_code == image;
    assert_true(found);
    image_unmap(image);
}

/* ---- when it is stale ---- */

static const char *path(const struct place *p, const char *name)
{
    return tree_path(&p->tree, name);
}

static void change_text(struct place *p)
{
    tree_write(&p->tree, "home/.config/warder/warder.yaml", "deny: []\n", 0);
}

/* The same length, the same name, the same mtime: only the ctime differs. */
static void change_in_place(struct place *p)
{
    struct stat st;
    FILE *f;

    assert_int_equal(stat(path(p, "home/.config/warder/warder.yaml"), &st), 0);
    f = fopen(path(p, "home/.config/warder/warder.yaml"), "r+");
    assert_non_null(f);
    fputc('n', f);
    fclose(f);
    const struct timespec times[2] = {st.st_atim, st.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, path(p, "home/.config/warder/warder.yaml"), times, 0), 0);
}

static void change_mode(struct place *p)
{
    chmod(path(p, "home/.config/warder/warder.yaml"), 0666);
}

static void remove_file(struct place *p)
{
    unlink(path(p, "home/.config/warder/warder.yaml"));
}

static void add_user_file(struct place *p)
{
    tree_write(&p->tree, "home/.config/warder/authorization.yaml", "deny: [x]\n", 0);
}

static void add_settings(struct place *p)
{
    tree_write(&p->tree, "home/.claude/settings.json", "{}\n", 0);
}

static void add_dangling_link(struct place *p)
{
    tree_write(&p->tree, "home/.claude/other", "", 0);
    tree_link(&p->tree, "home/.claude/settings.json", "nowhere");
}

static void add_project_file(struct place *p)
{
    tree_write(&p->tree, "project/.warder/warder.yaml", "deny: [x]\n", 0);
}

static void add_any_file_of_the_project(struct place *p)
{
    tree_write(&p->tree, "project/.warder/deep/er/notes", "x", 0);
}

static void add_project_settings(struct place *p)
{
    tree_write(&p->tree, "project/.claude/settings.local.json", "{}\n", 0);
}

static void trust_something(struct place *p)
{
    tree_write(&p->tree, "state/trust.json", "{\"trusted\": []}\n", 0600);
}

static void open_the_directory(struct place *p)
{
    chmod(path(p, "home/.config/warder"), 0777);
}

static const struct {
    const char *name;
    void (*change)(struct place *p);
} changes[] = {
    {"another text", change_text},
    {"a byte in place", change_in_place},
    {"others may write it", change_mode},
    {"it is gone", remove_file},
    {"another file of the user", add_user_file},
    {"settings of a client", add_settings},
    {"a link to nothing", add_dangling_link},
    {"a file of the project", add_project_file},
    {"a file that only trust looks at", add_any_file_of_the_project},
    {"settings of the project", add_project_settings},
    {"something was trusted", trust_something},
    {"others may replace it", open_the_directory},
};

static void every_change_makes_it_stale(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        void *place;
        make_place(&place);
        struct place *p = place;
        write_image(p);
        assert_state(p, IMAGE_FRESH);
        changes[i].change(p);
        if (look(p) != IMAGE_STALE)
            fail_msg("fresh though: %s", changes[i].name);
        remove_place(&place);
    }
}

static void what_does_not_count_leaves_it_fresh(void **state)
{
    struct place *p = *state;

    write_image(p);
    tree_write(&p->tree, "project/src/main.c", "int x;\n", 0);
    tree_write(&p->tree, "home/notes", "x", 0);
    tree_write(&p->tree, "state/sessions/x.json", "{}", 0600);
    assert_state(p, IMAGE_FRESH);
}

/* If the directory is replaced by a link, the file in its target counts, and so does the target. */
static void a_link_that_moves_makes_it_stale(void **state)
{
    struct place *p = *state;

    tree_write(&p->tree, "home/a/warder.yaml", "deny: [x]\n", 0);
    tree_write(&p->tree, "home/b/warder.yaml", "deny: [y]\n", 0);
    remove_file(p);
    tree_link(&p->tree, "home/.config/warder/warder.yaml", "@/home/a/warder.yaml");
    write_image(p);
    assert_state(p, IMAGE_FRESH);
    remove_file(p);
    tree_link(&p->tree, "home/.config/warder/warder.yaml", "@/home/b/warder.yaml");
    assert_state(p, IMAGE_STALE);
}

static void another_key_is_another_image(void **state)
{
    const struct place *p = *state;
    struct place other = *p;

    write_image(p);
    other.key.project = STR("/elsewhere");
    assert_state(&other, IMAGE_NONE);
    /* The image of another project has this name: two names may have the same hash. */
    assert_true(image_path(&other.key, other.path));
    assert_int_equal(rename(p->path, other.path), 0);
    assert_state(&other, IMAGE_STALE);
}

/* ---- when it is not trusted ---- */

/* To another value than it has: a build's number may have any. */
static void change_byte(const char *file, long at)
{
    FILE *f = fopen(file, "r+");

    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    int byte = fgetc(f);
    fseek(f, at, SEEK_SET);
    fputc(byte ^ 1, f);
    fclose(f);
}

static void every_byte_counts(void **state)
{
    const struct place *p = *state;
    struct stat st;

    write_image(p);
    assert_int_equal(stat(p->path, &st), 0);
    for (long at = 0; at < st.st_size; at += at < (long)sizeof(struct image) ? 1 : 4099) {
        FILE *f = fopen(p->path, "r+");
        assert_non_null(f);
        fseek(f, at, SEEK_SET);
        int byte = fgetc(f);
        fseek(f, at, SEEK_SET);
        fputc(byte ^ 1, f);
        fflush(f);
        if (look(p) == IMAGE_FRESH)
            fail_msg("byte %ld is not checked", at);
        fseek(f, at, SEEK_SET);
        fputc(byte, f);
        fclose(f);
    }
    assert_state(p, IMAGE_FRESH);
}

static void another_build_is_foreign(void **state)
{
    const struct place *p = *state;

    write_image(p);
    change_byte(p->path, offsetof(struct image, build));
    assert_state(p, IMAGE_FOREIGN);
    write_image(p); /* and is replaced */
    assert_state(p, IMAGE_FRESH);
}

static void a_part_is_damaged(void **state)
{
    const struct place *p = *state;
    struct stat st;

    write_image(p);
    assert_int_equal(stat(p->path, &st), 0);
    assert_int_equal(truncate(p->path, st.st_size - 8), 0);
    assert_state(p, IMAGE_DAMAGED);
    assert_int_equal(truncate(p->path, st.st_size - 9), 0);
    assert_state(p, IMAGE_FOREIGN);
    assert_int_equal(truncate(p->path, 0), 0);
    assert_state(p, IMAGE_FOREIGN);
}

static void others_have_no_hand_in_it(void **state)
{
    const struct place *p = *state;
    char other[PATH_MAX + 8], directory[PATH_MAX];

    write_image(p);
    static const mode_t modes[] = {0620, 0602, 0640, 0604};
    for (size_t i = 0; i < COUNT(modes); i++) {
        chmod(p->path, modes[i]);
        assert_state(p, IMAGE_UNSAFE);
    }
    chmod(p->path, 0600);
    assert_state(p, IMAGE_FRESH);

    snprintf(other, sizeof(other), "%s.other", p->path);
    assert_int_equal(link(p->path, other), 0); /* its owner may write through the second name */
    assert_state(p, IMAGE_UNSAFE);
    assert_int_equal(unlink(p->path), 0);
    assert_int_equal(symlink(other, p->path), 0);
    assert_state(p, IMAGE_UNSAFE);
    assert_int_equal(rename(other, p->path), 0);
    assert_state(p, IMAGE_FRESH);

    snprintf(directory, sizeof(directory), "%s", p->path);
    *strrchr(directory, '/') = '\0';
    chmod(directory, 0770);
    assert_state(p, IMAGE_UNSAFE);
    chmod(directory, 0700);
    assert_state(p, IMAGE_FRESH);
}

static void another_owner_is_not_believed(void **state)
{
    const struct place *p = *state;

    if (geteuid() != 0) {
        printf("only root can give a file away\n");
        skip();
    }
    write_image(p);
    assert_int_equal(chown(p->path, 4242, 4242), 0);
    assert_state(p, IMAGE_UNSAFE);
}

static void an_address_that_is_taken_is_no_image(void **state)
{
    const struct place *p = *state;
    struct error err = {0};

    write_image(p);
    void *taken = mmap((void *)IMAGE_ADDRESS, 4096, PROT_READ,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_int_equal((uintptr_t)taken, IMAGE_ADDRESS);
    assert_state(p, IMAGE_NOT_HERE);
    change_text(*state);
    assert_int_equal(image_write(&p->request, &err), STATUS_IO);
    munmap(taken, 4096);
    assert_state(p, IMAGE_STALE);
}

/* ---- it is self-contained ---- */

static int somewhere_else;

static void the_scan_finds_pointers_that_lead_out(void **state)
{
    uintptr_t words[64];
    void *memory = malloc(64);
    const uintptr_t planted[] = {(uintptr_t)&somewhere_else, (uintptr_t) "a literal",
                                 (uintptr_t)memory,          (uintptr_t)words,
                                 (uintptr_t)image_scan,      (uintptr_t)stdout};
    struct error err = {0};

    (void)state;
    memset(words, 0, sizeof(words));
    assert_int_equal(image_scan(words, sizeof(words), (struct str){0}, &err), STATUS_OK);
    words[3] = IMAGE_ADDRESS + 64;
    words[5] = 0x1234;
    words[7] = UINTPTR_MAX;
    assert_int_equal(image_scan(words, sizeof(words), (struct str){0}, &err), STATUS_OK);
    for (size_t i = 0; i < COUNT(planted); i++) {
        words[i * 11 % 64] = planted[i];
        assert_int_equal(image_scan(words, sizeof(words), (struct str){0}, &err), STATUS_UNSAFE);
        words[i * 11 % 64] = 0;
    }
    assert_int_equal(image_scan(words, sizeof(words), (struct str){0}, &err), STATUS_OK);
    words[8] = (uintptr_t)memory;
    assert_int_equal(image_scan(words, sizeof(words), (struct str){(char *)&words[8], 8}, &err),
                     STATUS_OK);
    assert_int_equal(image_scan(words, sizeof(words), (struct str){(char *)&words[9], 8}, &err),
                     STATUS_UNSAFE);
    assert_int_equal(image_scan(words, sizeof(words), (struct str){(char *)&words[7], 8}, &err),
                     STATUS_UNSAFE);
    free(memory);
}

static void what_points_out_is_not_sealed(void **state)
{
    const struct place *p = *state;
    struct image_draft draft;
    struct error err = {0};

    assert_int_equal(image_draft_make(&p->request, &draft, &err), STATUS_OK);
    assert_int_equal(image_draft_seal(&draft, &err), STATUS_OK);
    draft.image->book.rules.items[0].file = STR("a literal of the program");
    assert_int_equal(image_draft_seal(&draft, &err), STATUS_UNSAFE);
    image_draft_free(&draft);
}

/* Every profile's own rules, too. */
static void all_profiles_can_be_kept(void **state)
{
    struct place *p = *state;
    size_t count;
    const struct profile *rows = profile_rows(&count);

    tree_write(&p->tree, "home/.config/warder/warder.yaml", "mode: plan\n",
               0); /* no rules of one dialect */
    for (size_t i = 0; i < count; i++) {
        struct image_draft draft;
        struct error err = {0};
        p->request.dialect = rows[i].dialect;
        p->request.order = rows[i].order;
        p->request.shipped = rows[i].shipped;
        p->request.caliban_paths = rows[i].caliban_paths;
        if (image_draft_make(&p->request, &draft, &err) || image_draft_seal(&draft, &err))
            fail_msg("%s: %s", rows[i].name, err.message);
        image_draft_free(&draft);
    }
}

/* ---- many ---- */

static void writers_do_not_disturb_each_other(void **state)
{
    const struct place *p = *state;
    enum { WRITERS = 6 };
    pid_t children[WRITERS];

    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            bool fine = true;
            for (int n = 0; n < 5; n++) {
                unlink(p->path);
                enum image_state seen = IMAGE_NONE;
                fine &= image_write(&p->request, NULL) == STATUS_OK;
                seen = look(p);
                fine &=
                    seen == IMAGE_FRESH || seen == IMAGE_NONE; /* another process has removed it */
            }
            _exit(fine ? 0 : 1);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    write_image(p);
    assert_state(p, IMAGE_FRESH);
}

static void no_more_are_kept_than_fit(void **state)
{
    const struct place *p = *state;
    char name[PATH_MAX], path_of_one[PATH_MAX + 32];
    struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    size_t left = 0;

    write_image(p);
    snprintf(name, sizeof(name), "%s", p->path);
    *strrchr(name, '/') = '\0';
    for (unsigned i = 0; i < IMAGES_MAX + 5; i++) {
        snprintf(path_of_one, sizeof(path_of_one), "%s/%016x", name, i);
        int fd = open(path_of_one, O_WRONLY | O_CREAT, 0600);
        assert_true(fd >= 0);
        old[1].tv_sec++;
        futimens(fd, old);
        close(fd);
    }
    snprintf(path_of_one, sizeof(path_of_one), "%s/0000000000000000.7.new",
             name); /* of a writer that died */
    int fd = open(path_of_one, O_WRONLY | O_CREAT, 0600);
    futimens(fd, old);
    close(fd);
    change_text(*state);
    write_image(p);
    assert_int_not_equal(access(path_of_one, F_OK), 0);
    for (unsigned i = 0; i < IMAGES_MAX + 5; i++) {
        snprintf(path_of_one, sizeof(path_of_one), "%s/%016x", name, i);
        left += access(path_of_one, F_OK) == 0;
    }
    assert_int_equal(left, IMAGES_MAX - 1);
    assert_state(p, IMAGE_FRESH);
}

/* The sum of every one-bit change differs: any change in any word is noticed. */
static void the_sum_sees_every_bit(void **state)
{
    uint64_t words[9] = {0}, plain = image_sum(words, sizeof(words));

    (void)state;
    for (size_t i = 0; i < 9; i++)
        for (unsigned bit = 0; bit < 64; bit++) {
            words[i] ^= UINT64_C(1) << bit;
            assert_int_not_equal(image_sum(words, sizeof(words)), plain);
            words[i] ^= UINT64_C(1) << bit;
        }
    assert_int_not_equal(image_sum(words, sizeof(words) - 8), plain);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_PLACE(holds_what_was_loaded),
        WITH_PLACE(is_not_written_twice),
        WITH_PLACE(needs_a_request_without_options),
        WITH_PLACE(a_broken_policy_has_none),
        WITH_PLACE(a_regex_is_only_noted),
        cmocka_unit_test(every_change_makes_it_stale),
        WITH_PLACE(what_does_not_count_leaves_it_fresh),
        WITH_PLACE(a_link_that_moves_makes_it_stale),
        WITH_PLACE(another_key_is_another_image),
        WITH_PLACE(every_byte_counts),
        WITH_PLACE(another_build_is_foreign),
        WITH_PLACE(a_part_is_damaged),
        WITH_PLACE(others_have_no_hand_in_it),
        WITH_PLACE(another_owner_is_not_believed),
        WITH_PLACE(an_address_that_is_taken_is_no_image),
        cmocka_unit_test(the_scan_finds_pointers_that_lead_out),
        WITH_PLACE(what_points_out_is_not_sealed),
        WITH_PLACE(all_profiles_can_be_kept),
        WITH_PLACE(writers_do_not_disturb_each_other),
        WITH_PLACE(no_more_are_kept_than_fit),
        cmocka_unit_test(the_sum_sees_every_bit),
    };

    if (!address_is_free()) {
        printf("SKIPPED: something of this build has the address of images\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
