#include "support/half_paper.h"

#include <string.h>

#include "support/paper_disk.h"

/* By its words alone: a path that climbs out of the directory is not below it. */
static bool is_below(const char *path, const char *root)
{
    const size_t len = strlen(root);
    long depth = 0;

    if (strncmp(path, root, len) != 0)
        return false;
    for (const char *name = path + len; *name && depth >= 0; name += strcspn(name, "/")) {
        name += *name == '/';
        const size_t n = strcspn(name, "/");
        depth += n == 2 && memcmp(name, "..", 2) == 0 ? -1 : n > 0;
    }
    return depth >= 0;
}

static const struct world *at(void *half, const char *path)
{
    const struct half_paper *h = half;

    return is_below(path, h->root) ? &h->disk : &paper_world;
}

#define ASK(member, path, ...)                                                                     \
    const struct world *w = at(half, path);                                                        \
    return w->member(w->context, path, ##__VA_ARGS__)

static enum file_kind kind(void *half, const char *path)
{
    ASK(kind, path);
}

static bool resolve(void *half, const char *path, char out[WORLD_PATH_MAX])
{
    ASK(resolve, path, out);
}

static bool list(void *half, const char *directory, char *out, size_t size)
{
    ASK(list, directory, out, size);
}

static bool scan(void *half, const char *directory, world_entry *each, void *to)
{
    ASK(scan, directory, each, to);
}

static bool repository(void *half, const char *directory, char out[WORLD_PATH_MAX])
{
    ASK(repository, directory, out);
}

static enum ref_state ref(void *half, const char *directory, const char *name, int64_t since)
{
    ASK(ref, directory, name, since);
}

static bool logged(void *half, const char *directory, struct str id)
{
    ASK(logged, directory, id);
}

static bool plain(void *half, const char *directory)
{
    ASK(plain, directory);
}

static bool drivers(void *half, const char *directory, const char *home, char *out, size_t size)
{
    ASK(drivers, directory, home, out, size);
}

static bool tokens(void *half, const char *file)
{
    ASK(tokens, file);
}

static bool unchanged(void *half, const char *path, int64_t since)
{
    ASK(unchanged, path, since);
}

static bool digest(void *half, const char *path, char out[WORLD_DIGEST])
{
    ASK(digest, path, out);
}

static bool text(void *half, const char *path, char *out, size_t size, size_t *len)
{
    ASK(text, path, out, size, len);
}

static bool compiled(void *half, const char *path, struct file_mark *out)
{
    ASK(compiled, path, out);
}

static bool ignored(void *half, const char *path)
{
    ASK(ignored, path);
}

/* What is installed here does not count. */
static bool program(void *half, struct str name, char out[WORLD_PATH_MAX])
{
    (void)half;
    return paper_world.program(NULL, name, out);
}

struct world half_paper_world(struct half_paper *h)
{
    return (struct world){
        .context = h,
        .kind = kind,
        .resolve = resolve,
        .list = list,
        .scan = scan,
        .repository = repository,
        .ref = ref,
        .logged = logged,
        .plain = plain,
        .drivers = drivers,
        .tokens = tokens,
        .unchanged = unchanged,
        .digest = digest,
        .text = text,
        .compiled = compiled,
        .ignored = ignored,
        .program = program,
        .regex = paper_world.regex,
    };
}
