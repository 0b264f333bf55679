#include "machine/disk_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/path.h"
#include "base/world.h"
#include "machine/local.h"

#define SLOTS        4096 /* a power of two */
#define EVENTS_SIZE  8192 /* bytes of events per read */
#define EVENT_READS  32   /* if more events wait than fit in this many reads, start over */
#define SEARCHED_MAX 4096 /* bytes of PATH; with a longer one nothing is kept */
#define WATCHED_EVENTS                                                                             \
    (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF |         \
     IN_ATTRIB | IN_DONT_FOLLOW)

/* kind '/': what is at a path, and where it leads if it is a link; other kinds: answers of the
 * world's functions. */
struct entry {
    struct entry *next;
    uint32_t hash;
    char kind;
    unsigned char seen;      /* enum disk_seen */
    bool tried;              /* of a directory: we tried to watch it */
    struct watched *watched; /* of a directory; NULL: changes would go unnoticed */
    struct str name;         /* NUL-terminated */
    const char *answer;
};

/* A power of two; large, so that few unrelated files in a busy directory share a mark. */
#define NAME_MARKS 2048u

/* What depends on a watch; nothing, if both `directory` and `all` are unset. */
struct watched {
    const struct entry *directory;   /* only names that were looked up in it */
    uint64_t names[NAME_MARKS / 64]; /* the marks of those names */
    bool all; /* everything: it is a file, or a directory reached by two paths */
};

/* In pages that fork() wipes in the child. */
struct store {
    bool alive;
    bool full;
    size_t count, used;
    struct entry *slots[SLOTS];
    struct entry entries[DISK_ENTRIES_MAX];
    char text[DISK_TEXT_MAX];
    struct watched watched[DISK_WATCHES_MAX]; /* by number, counted from 1 */
    char searched[SEARCHED_MAX];              /* the PATH that was searched */
    size_t searched_len;
};

struct disk_memory {
    struct store *store;
    int events, mounts; /* -1: not available, and nothing is kept */
    int epoll;          /* of both: asking it takes half the time of asking each */
    /* watch numbers used so far, including removed ones: the kernel does not reuse them */
    int watches;
    bool learns;
    char **environment, **variable; /* environ at the time, and where PATH was in it; or NULL */
};

/* ---- descriptors ---- */

static void close_all(struct disk_memory *m)
{
    int *all[] = {&m->events, &m->mounts, &m->epoll};

    for (size_t i = 0; i < COUNT(all); i++) {
        if (*all[i] >= 0)
            close(*all[i]);
        *all[i] = -1;
    }
}

static bool join(int epoll, int one, uint32_t events)
{
    struct epoll_event e = {.events = events, .data.fd = one};

    return epoll_ctl(epoll, EPOLL_CTL_ADD, one, &e) == 0;
}

/* Opens new descriptors; nothing is watched yet. */
__attribute__((noinline)) static bool start_watching(struct disk_memory *m)
{
    close_all(m);
    m->watches = 0;
    m->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    m->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    m->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!join(m->epoll, m->events, EPOLLIN) || !join(m->epoll, m->mounts, EPOLLPRI))
        close_all(m);
    return m->events >= 0;
}

static atomic_size_t memories; /* of this process; a child of fork() has as many */

static struct disk_memory *make_memory(void)
{
    struct disk_memory *m = malloc(sizeof(*m));
    void *pages = mmap(NULL, sizeof(struct store), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (m)
        *m = (struct disk_memory){.store = pages, .events = -1, .mounts = -1, .epoll = -1};
    if (m && pages != MAP_FAILED && madvise(pages, sizeof(struct store), MADV_WIPEONFORK) == 0 &&
        start_watching(m)) {
        m->store->alive = true;
        return m;
    }
    if (pages != MAP_FAILED)
        munmap(pages, sizeof(struct store));
    free(m);
    return NULL;
}

struct disk_memory *disk_memory_new(void)
{
    bool free = atomic_fetch_add(&memories, 1) < DISK_MEMORIES_MAX;
    struct disk_memory *m = free ? make_memory() : NULL;

    if (!m)
        atomic_fetch_sub(&memories, 1);
    return m;
}

void disk_memory_free(struct disk_memory *m)
{
    if (!m)
        return;
    atomic_fetch_sub(&memories, 1);
    close_all(m);
    munmap(m->store, sizeof(*m->store));
    free(m);
}

/* ---- the store ---- */

__attribute__((noinline)) static void forget(struct store *s)
{
    memset(s->slots, 0, sizeof(s->slots));
    memset(s->watched, 0, sizeof(s->watched));
    s->count = s->used = 0;
    s->full = false;
}

static struct entry *find(const struct store *s, char kind, uint32_t hash, struct str name)
{
    struct entry *e = s->slots[hash % SLOTS];

    while (e && (e->hash != hash || e->kind != kind || !str_eq(e->name, name)))
        e = e->next;
    return e;
}

static const char *keep_text(struct store *s, struct str text)
{
    char *at = s->text + s->used;

    if (text.len)
        memcpy(at, text.s, text.len);
    at[text.len] = '\0';
    s->used += text.len + 1;
    return at;
}

/* NULL if it is full. */
static struct entry *add(struct store *s, char kind, uint32_t hash, struct str name,
                         struct str answer)
{
    s->full |= s->count == DISK_ENTRIES_MAX || name.len + answer.len + 2 > DISK_TEXT_MAX - s->used;
    if (s->full)
        return NULL;
    struct entry *e = &s->entries[s->count++], **slot = &s->slots[hash % SLOTS];
    *e = (struct entry){
        .next = *slot, .hash = hash, .kind = kind, .name = {keep_text(s, name), name.len}};
    e->answer = answer.s ? keep_text(s, answer) : NULL;
    *slot = e;
    return e;
}

/* ---- events ---- */

/* On a case-insensitive disk two spellings are one name, so equal names must have equal marks.
 * Beyond ASCII any two names may be equal: NAME_MARKS. */
static size_t mark_of(struct str name)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < name.len; i++) {
        if ((unsigned char)name.s[i] >= 0x80)
            return NAME_MARKS;
        hash = (hash ^ (unsigned char)ascii_lower(name.s[i])) * 16777619u;
    }
    return (hash ^ hash >> 15) % NAME_MARKS;
}

static void mark_name(struct watched *w, struct str name)
{
    size_t mark = mark_of(name);

    if (mark == NAME_MARKS)
        w->all = true;
    else
        w->names[mark / 64] |= (uint64_t)1 << (mark % 64);
}

static bool is_marked(const struct watched *w, struct str name)
{
    size_t mark = mark_of(name);

    return mark == NAME_MARKS || (w->names[mark / 64] >> (mark % 64) & 1);
}

/* Could the event change an answer? Other files in a directory do not matter: in /tmp some process
 * always creates files. */
static bool matters(const struct store *s, const struct inotify_event *e)
{
    if (e->wd < 1 || e->wd > DISK_WATCHES_MAX)
        return true; /* events were lost */
    const struct watched *w = &s->watched[e->wd - 1];
    if (w->all || !w->directory || e->len == 0)
        return w->all || w->directory;
    return is_marked(w, str_from(e->name));
}

static bool any_matters(const struct store *s, const char *events, size_t len)
{
    const struct inotify_event *e;

    for (size_t at = 0; at < len; at += sizeof(*e) + e->len) {
        e = (const void *)(events + at); /* the kernel aligns them */
        if (matters(s, e))
            return true;
    }
    return false;
}

/* Reads all events. True if one of them matters, or there are too many. */
__attribute__((noinline)) static bool read_events(struct disk_memory *m)
{
    _Alignas(struct inotify_event) char events[EVENTS_SIZE];
    bool some = false;

    for (size_t i = 0; i < EVENT_READS; i++) {
        ssize_t len = read(m->events, events, sizeof(events));
        if (len <= 0)
            return some || errno != EAGAIN;
        some = some || any_matters(m->store, events, (size_t)len);
    }
    start_watching(m);
    return true;
}

static bool has_events(struct disk_memory *m)
{
    struct epoll_event ready[2];
    int count = epoll_wait(m->epoll, ready, COUNT(ready), 0);
    bool changed = count < 0;

    for (int i = 0; i < count; i++)
        changed |= ready[i].data.fd == m->mounts || read_events(m);
    return changed;
}

static bool is_path(const char *variable)
{
    return variable && variable[0] == 'P' && strncmp(variable, "PATH=", strlen("PATH=")) == 0;
}

__attribute__((noinline)) static void find_variable(struct disk_memory *m)
{
    m->environment = NULL;
    for (char **v = environ; v && *v && !m->environment; v++)
        if (is_path(*v)) {
            m->variable = v;
            m->environment = environ;
        }
}

/* PATH, at every check. Faster than getenv(), which searches all variables: it usually has not
 * moved. */
static const char *search_path(struct disk_memory *m)
{
    if (m->environment != environ || !m->environment || !is_path(*m->variable))
        find_variable(m);
    return m->environment ? *m->variable + strlen("PATH=") : "";
}

__attribute__((noinline)) static void save_searched(struct store *s, struct str path)
{
    s->searched_len = path.len < sizeof(s->searched) ? path.len : 0;
    memcpy(s->searched, path.s, s->searched_len);
}

/* Has PATH changed? */
static bool has_path_changed(struct disk_memory *m)
{
    const struct str path = str_from(search_path(m));
    bool changed = !str_eq(path, (struct str){m->store->searched, m->store->searched_len});

    if (changed)
        save_searched(m->store, path);
    return changed;
}

/* Checks every reason to forget, without shortcuts: each check also updates its own state. */
void disk_memory_begin(struct disk_memory *m)
{
    bool changed = !m->store->alive && start_watching(m); /* we are the child of a fork() */

    m->store->alive = true;
    changed |= m->watches >= DISK_WATCHES_MAX && start_watching(m);
    changed |= m->events >= 0 && has_events(m);
    changed |= has_path_changed(m) | m->store->full;
    if (changed || m->events < 0)
        forget(m->store);
    m->learns = !changed && m->events >= 0;
}

/* ---- watching ---- */

/* NULL: changes would go unnoticed. */
static struct watched *watch(struct disk_memory *m, const char *path, unsigned more)
{
    if (m->watches == DISK_WATCHES_MAX || !local_reports_changes(path))
        return NULL;
    int number = inotify_add_watch(m->events, path, WATCHED_EVENTS | more);
    if (number > m->watches)
        m->watches = number < DISK_WATCHES_MAX ? number : DISK_WATCHES_MAX;
    return number < 1 || number > DISK_WATCHES_MAX ? NULL : &m->store->watched[number - 1];
}

bool disk_memory_watch(struct disk_memory *m, const char *path)
{
    struct watched *w = m->learns ? watch(m, path, 0) : NULL;

    if (w)
        w->all = true;
    return w != NULL;
}

/* If the watch is in use already, two paths lead to this directory: then its names alone are not
 * enough to tell which events matter. */
static struct watched *watch_directory(struct disk_memory *m, struct entry *e)
{
    if (e->tried)
        return e->watched;
    struct watched *w = watch(m, e->name.s, IN_ONLYDIR);
    e->tried = true;
    e->watched = w;
    if (w && w->directory)
        w->all = true;
    else if (w)
        w->directory = e;
    return w;
}

/* ---- looking ---- */

static struct entry *find_root(struct store *s)
{
    struct entry *e = find(s, '/', str_hash(STR("/")), STR("/"));

    if (!e && (e = add(s, '/', str_hash(STR("/")), STR("/"), (struct str){0})))
        e->seen = DISK_DIRECTORY;
    return e;
}

/* The directory that contains it is already watched. NULL: not known, or the store is full. */
static struct entry *learn_one(struct store *s, uint32_t hash, struct str path)
{
    char ended[WORLD_PATH_MAX], target[WORLD_PATH_MAX];
    struct str leads = {0};

    if (path.len >= sizeof(ended))
        return NULL;
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): not empty */
    memcpy(ended, path.s, path.len);
    ended[path.len] = '\0';
    enum disk_seen seen = disk_ask(ended);
    if (seen == DISK_LINK) {
        ssize_t len = readlink(ended, target, sizeof(target) - 1);
        if (len <= 0)
            return NULL;
        leads = (struct str){target, (size_t)len};
    }
    struct entry *e = seen == DISK_UNKNOWN ? NULL : add(s, '/', hash, path, leads);
    if (e)
        e->seen = (unsigned char)seen;
    return e;
}

/* Whatever is below something that is neither a directory nor a link is absent. */
static struct entry *learn_absent(struct store *s, uint32_t hash, struct str path)
{
    struct entry *e = add(s, '/', hash, path, (struct str){0});

    if (e)
        e->seen = DISK_ABSENT;
    return e;
}

/* From the root down: watches each directory before it looks up the next name in it. */
static struct entry *learn(struct disk_memory *m, uint32_t hash, struct str path)
{
    struct store *s = m->store;
    struct entry *at = find_root(s);

    for (size_t end = 1; at && end < path.len; end++) {
        size_t slash = str_index(str_from_byte(path, end), '/');
        if (at->seen != DISK_DIRECTORY)
            return at->seen == DISK_LINK ? NULL : learn_absent(s, hash, path);
        struct watched *w = watch_directory(m, at);
        if (!w)
            return NULL;
        size_t from = end;
        end = slash == STR_NONE ? path.len : end + slash;
        mark_name(w, str_slice(path, from, end));
        struct str name = str_slice(path, 0, end);
        uint32_t key = end == path.len ? hash : str_hash(name);
        struct entry *next = find(s, '/', key, name);
        at = next ? next : learn_one(s, key, name);
    }
    return at;
}

enum disk_seen disk_memory_look(struct disk_memory *m, uint32_t hash, struct str path)
{
    const struct entry *e = find(m->store, '/', hash, path);

    if (!e && m->learns && path_is_clean(path))
        e = learn(m, hash, path);
    return e ? (enum disk_seen)e->seen : DISK_UNKNOWN;
}

const char *disk_memory_recall(const struct disk_memory *m, char kind, uint32_t hash,
                               struct str name)
{
    const struct entry *e = find(m->store, kind, hash, name);

    return e ? e->answer : NULL;
}

bool disk_memory_keep(struct disk_memory *m, char kind, uint32_t hash, struct str name,
                      struct str answer)
{
    return m->learns && add(m->store, kind, hash, name, answer);
}
