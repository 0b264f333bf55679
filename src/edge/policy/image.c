/* image.c - finds an image, and checks everything before it is used. */
#include "policy/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "image_build.h"
#include "policy/managed.h"
#include "policy/stored.h"

/* The two programs that share images are built with different headers, and must agree on one
 * layout. */
_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8 && sizeof(enum behavior) == 4 &&
                   sizeof(bool) == 1,
               "images need a 64-bit machine");

#define SUM_FROM offsetof(struct image, uid)

uint64_t image_build(void)
{
    return IMAGE_BUILD;
}

const char *image_state_name(enum image_state s)
{
    static const char *const names[] = {
        [IMAGE_FRESH] = "fresh",       [IMAGE_NONE] = "none",       [IMAGE_UNSAFE] = "unsafe",
        [IMAGE_FOREIGN] = "foreign",   [IMAGE_DAMAGED] = "damaged", [IMAGE_STALE] = "stale",
        [IMAGE_NOT_HERE] = "not here",
    };

    return names[s];
}

/* ---- which one ---- */

/* The key covers the rules of the service only if they are in their usual place. */
static bool has_usual_rules(const struct policy_request *r)
{
    static const struct str name = {"/" STORED_NAME, sizeof(STORED_NAME)};

    return !r->rules_text.s && r->rules_file.len == r->state_dir.len + name.len &&
           str_starts(r->rules_file, r->state_dir) && str_ends(r->rules_file, name);
}

bool image_key(const struct policy_request *r, struct image_key *out)
{
    *out = (struct image_key){r->home, r->config_home, r->state_dir, r->project};
    return (!r->rules_file.len || has_usual_rules(r)) && !r->guarded.len && !r->root.len &&
           !r->named && !r->files.count && !r->texts.count && !r->cli.count && !r->mode.len &&
           !r->settings_override.len && !r->kept.len && !r->config_override.len && r->home.len &&
           r->project.len;
}

/* Two words, which every x86-64 processor adds at once. */
typedef uint64_t words2 __attribute__((vector_size(16), aligned(8), may_alias));

static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 29;
}

/* In each of four columns the sum of the words, and the sum of those sums: a word counts, and so
 * does its place. This is against damage; who may write the file is checked by its rights. */
uint64_t image_sum(const void *memory, size_t len)
{
    const uint64_t *w = memory;
    const size_t count = (len + 7) / 8;
    words2 left = {0}, left_sums = {0}, right = {0}, right_sums = {0};
    uint64_t sum = len;
    size_t i = 0;

    for (; i + 4 <= count; i += 4) {
        left += *(const words2 *)(w + i);
        right += *(const words2 *)(w + i + 2);
        left_sums += left;
        right_sums += right;
    }
    for (size_t k = 0; k < 2; k++)
        sum = mix(mix(mix(mix(sum, left[k]), left_sums[k]), right[k]), right_sums[k]);
    for (; i < count; i++)
        sum = mix(sum, w[i]);
    return sum;
}

/* Two projects with the same sum of their names replace each other's image: the key in it tells
 * them apart. */
static uint64_t key_sum(const struct image_key *key)
{
    const struct str parts[] = {key->home, key->config_home, key->state_dir, key->project};
    uint64_t words[32], sum = geteuid();

    for (size_t i = 0; i < COUNT(parts); i++)
        for (struct str rest = parts[i]; rest.len;) {
            size_t len = rest.len < sizeof(words) ? rest.len : sizeof(words);
            words[(len - 1) / 8] = 0;
            memcpy(words, rest.s, len);
            sum = (sum << 5 | sum >> 59) ^ image_sum(words, len);
            rest = str_from_byte(rest, len);
        }
    return sum;
}

/* Without printf(), which most hooks would need only for this. */
bool image_path(const struct image_key *key, char out[PATH_MAX])
{
    static const char below[] = "/" IMAGE_DIRECTORY "/";
    char *to = out;
    uint64_t sum = key_sum(key);

    if (key->home.len + sizeof(below) + 16 > PATH_MAX)
        return false;
    memcpy(to, key->home.s, key->home.len);
    memcpy(to += key->home.len, below, sizeof(below) - 1);
    to += sizeof(below) - 1;
    for (int shift = 60; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[sum >> shift & 15];
    *to = '\0';
    return true;
}

/* ---- is it fresh ---- */

bool image_place_look(struct image_place *p)
{
    struct stat st;

    if (p->kind == PLACE_ABSENT) /* a dangling link counts as existing */
        return fstatat(AT_FDCWD, p->path, &st, AT_SYMLINK_NOFOLLOW) < 0 &&
               (errno == ENOENT || errno == ENOTDIR);
    if (stat(p->path, &st) < 0)
        return false;
    p->device = st.st_dev;
    p->inode = st.st_ino;
    p->mode = st.st_mode;
    p->owner = st.st_uid;
    if (p->kind == PLACE_SAME) {
        p->size = st.st_size;
        p->changed = st.st_ctim.tv_sec;
        p->changed_ns = st.st_ctim.tv_nsec;
    }
    return true;
}

static bool still_holds(const struct image_place *p)
{
    struct image_place now = {.kind = p->kind, .path = p->path};

    return image_place_look(&now) && now.device == p->device && now.inode == p->inode &&
           now.size == p->size && now.changed == p->changed && now.changed_ns == p->changed_ns &&
           now.mode == p->mode && now.owner == p->owner;
}

static bool is_for(const struct image *image, const struct image_key *key)
{
    const struct image_key *k = &image->key;

    return image->uid == geteuid() && str_eq(k->home, key->home) &&
           str_eq(k->config_home, key->config_home) && str_eq(k->state_dir, key->state_dir) &&
           str_eq(k->project, key->project);
}

static enum image_state check(const struct image *image, size_t size, const struct image_key *key)
{
    if (memcmp(image->magic, IMAGE_MAGIC, sizeof(image->magic)) != 0 || image->build != IMAGE_BUILD)
        return IMAGE_FOREIGN;
    if (image->size != size ||
        image->sum != image_sum((const char *)image + SUM_FROM, size - SUM_FROM))
        return IMAGE_DAMAGED;
    if (!is_for(image, key))
        return IMAGE_STALE;
    for (size_t i = 0; i < image->places.count; i++)
        if (!still_holds(&image->places.items[i]))
            return IMAGE_STALE;
    return IMAGE_FRESH;
}

/* ---- opening ---- */

static bool only_ours(const struct stat *st)
{
    return st->st_uid == geteuid() && !(st->st_mode & (S_IRWXG | S_IRWXO));
}

static enum image_state open_file(char path[PATH_MAX], int *fd, size_t *size)
{
    struct stat st;
    char *slash = strrchr(path, '/');

    *slash = '\0';
    if (lstat(path, &st) < 0)
        return IMAGE_NONE;
    if (!S_ISDIR(st.st_mode) || !only_ours(&st))
        return IMAGE_UNSAFE;
    *slash = '/';
    *fd = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return errno == ENOENT ? IMAGE_NONE : IMAGE_UNSAFE;
    if (fstat(*fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink > 1 || !only_ours(&st))
        return IMAGE_UNSAFE;
    if (st.st_nlink == 0) /* a writer has just replaced it */
        return IMAGE_NONE;
    if (st.st_size < (off_t)sizeof(struct image) || st.st_size > (off_t)IMAGE_MAX || st.st_size % 8)
        return IMAGE_FOREIGN;
    *size = (size_t)st.st_size;
    return IMAGE_FRESH;
}

static enum image_state map_file(int fd, size_t size, const struct image **out)
{
    void *wanted = (void *)IMAGE_ADDRESS; /* NOLINT(performance-no-int-to-ptr): the whole idea */
    void *got =
        mmap(wanted, size, PROT_READ, MAP_PRIVATE | MAP_FIXED_NOREPLACE | MAP_POPULATE, fd, 0);

    *out = NULL;
    if (got == MAP_FAILED)
        return IMAGE_NOT_HERE;
    if (got != wanted) { /* a kernel that does not know the flag treats the address as a hint */
        munmap(got, size);
        return IMAGE_NOT_HERE;
    }
    *out = got;
    return IMAGE_FRESH;
}

bool image_is_believed(void)
{
    return geteuid() == 0 || !managed_is_there("");
}

enum image_state image_map(const struct image_key *key, const struct image **out)
{
    char path[PATH_MAX];
    AUTO_CLOSE int fd = -1;
    size_t size = 0;
    enum image_state state;

    *out = NULL;
    if (!image_path(key, path))
        return IMAGE_NONE;
    if (!image_is_believed())
        return IMAGE_UNSAFE;
    if ((state = open_file(path, &fd, &size)) != IMAGE_FRESH ||
        (state = map_file(fd, size, out)) != IMAGE_FRESH)
        return state;
    if ((state = check(*out, size, key)) == IMAGE_FRESH)
        return IMAGE_FRESH;
    munmap((void *)IMAGE_ADDRESS, size); /* NOLINT(performance-no-int-to-ptr) */
    *out = NULL;
    return state;
}

void image_unmap(const struct image *image)
{
    if (image)
        munmap((void *)IMAGE_ADDRESS, image->size); /* NOLINT(performance-no-int-to-ptr) */
}
