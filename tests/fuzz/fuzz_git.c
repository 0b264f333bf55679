/* fuzz_git.c - fuzzes what undo reads of a repository: base/inflate.c, undo/git_index.c and
 * undo/git_objects.c. Whoever can write into .git has written it.
 *
 * Input: one letter, then bytes: z a stream; i an index; l a loose object; x the index of a pack,
 * with an empty pack; p where three objects are, a byte each, and a pack. Properties: a stream
 * gives the same with less room, as far as that goes; entries are in order; nothing is taken for an
 * object whose name it has not. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/inflate.h"
#include "undo/beneath.h"
#include "undo/git_index.h"
#include "undo/git_objects.h"

#define ROOM    65536u
#define OBJECTS 3u /* their names: 01 01 ..., 02 02 ..., 03 03 ... */

static char top[64];
static int workspace = -1;

static void finish(void)
{
    static const char *const names[] = {"index",
                                        ".git/objects/pack/a.idx",
                                        ".git/objects/pack/a.pack",
                                        ".git/objects/01/01010101010101010101010101010101010101",
                                        ".git/objects/01",
                                        ".git/objects/pack",
                                        ".git/objects",
                                        ".git"};

    for (size_t i = 0; i < COUNT(names); i++)
        (void)unlinkat(workspace, names[i], i < 4 ? 0 : AT_REMOVEDIR);
    (void)rmdir(top);
}

static void begin(void)
{
    static const char *const names[] = {".git", ".git/objects", ".git/objects/pack",
                                        ".git/objects/01"};

    (void)snprintf(top, sizeof(top), "%s/warder-fuzz-git-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(top) || (workspace = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        abort();
    for (size_t i = 0; i < COUNT(names); i++)
        if (mkdirat(workspace, names[i], 0700) < 0)
            abort();
    if (atexit(finish) != 0)
        abort();
}

static void put(const char *name, struct str bytes)
{
    AUTO_CLOSE int fd = openat(workspace, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, bytes.s, bytes.len) != (ssize_t)bytes.len)
        abort();
}

static void check_stream(struct str bytes)
{
    static char all[ROOM], part[ROOM];
    size_t len = 0, used = 0, again = 0;
    const enum inflate_end end = inflate(bytes, all, ROOM, &len, &used);

    if (len > ROOM || (end == INFLATE_WHOLE && used > bytes.len))
        abort();
    if (end == INFLATE_WHOLE && len &&
        (inflate(bytes, part, len - 1, &again, NULL) != INFLATE_FULL || again != len - 1 ||
         memcmp(all, part, again) != 0))
        abort();
    if (end == INFLATE_WHOLE &&
        inflate(str_slice(bytes, 0, used), part, len, &again, NULL) != INFLATE_WHOLE)
        abort();
}

static void check_index(struct str bytes)
{
    struct git_index x;

    put("index", bytes);
    (void)git_index_read(&x, workspace, "index");
    for (size_t i = 0; i < x.entries.count; i++) {
        const struct git_entry *e = &x.entries.items[i];
        if (!e->path.len || e->path.s[e->path.len] ||
            (i && str_compare(x.entries.items[i - 1].path, e->path) > 0) ||
            !git_index_find(&x, e->path))
            abort();
    }
    git_index_release(&x);
}

static void check_objects(void)
{
    struct git_objects o;
    struct git_content content;
    uint8_t id[GIT_ID_BYTES];
    uint64_t size;

    if (!git_objects_open(&o, workspace))
        abort();
    for (uint8_t i = 1; i <= OBJECTS; i++) {
        memset(id, i, sizeof(id));
        (void)git_object_size(&o, id, &size);
        if (git_object_read(&o, id, &content))
            abort(); /* nobody knows what has such a sum */
    }
    git_objects_close(&o);
}

static void check_loose(struct str bytes)
{
    put(".git/objects/01/01010101010101010101010101010101010101", bytes);
    check_objects();
    (void)unlinkat(workspace, ".git/objects/01/01010101010101010101010101010101010101", 0);
}

static void check_pack(struct str index, struct str pack)
{
    put(".git/objects/pack/a.idx", index);
    put(".git/objects/pack/a.pack", pack);
    check_objects();
    (void)unlinkat(workspace, ".git/objects/pack/a.idx", 0);
    (void)unlinkat(workspace, ".git/objects/pack/a.pack", 0);
}

/* The index that a pack with three objects has. */
static void check_places(struct str bytes)
{
    char index[8 + 1024 + OBJECTS * (GIT_ID_BYTES + 4 + 4) + 2 * GIT_ID_BYTES] = "\377tOc\0\0\0\2";
    char *ids = index + 8 + 1024, *offsets = ids + OBJECTS * (GIT_ID_BYTES + 4);

    if (bytes.len < OBJECTS)
        return;
    for (size_t i = 1; i < 256; i++)
        index[8 + 4 * i + 3] = (char)(i < OBJECTS ? i : OBJECTS);
    for (size_t i = 0; i < OBJECTS; i++) {
        memset(ids + i * GIT_ID_BYTES, (int)i + 1, GIT_ID_BYTES);
        offsets[4 * i + 3] = bytes.s[i];
    }
    check_pack((struct str){index, sizeof(index)}, str_from_byte(bytes, OBJECTS));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct str all = {(const char *)data, size},
                     bytes = size ? str_from_byte(all, 1) : (struct str){0};

    if (workspace < 0)
        begin();
    switch (size ? data[0] : 0) {
    case 'z':
        check_stream(bytes);
        break;
    case 'i':
        check_index(bytes);
        break;
    case 'l':
        check_loose(bytes);
        break;
    case 'x':
        check_pack(bytes, STR(""));
        break;
    case 'p':
        check_places(bytes);
        break;
    default:
        break;
    }
    return 0;
}
