#include "machine/disk_memory.h"

#include <errno.h>
#include <fcntl.h>
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

#define SLOTS     4096 /* a power of two */
#define NEWS_SIZE 8192 /* bytes of news that are read at once */
#define NEWS_READS                                                                                 \
    32 /* of more news than fit into this many reads nobody wants to hear: the descriptor is       \
          closed */
#define SEARCHED_MAX 4096 /* bytes of PATH; with a longer one nothing is kept */
#define WATCHED_NEWS                                                                               \
    (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF |         \
     IN_ATTRIB | IN_DONT_FOLLOW)

/* kind '/': what stands at a path, and where it leads if it is a link; others: answers of the
 * world's functions. */
struct entry {
    struct entry *next;
    uint32_t hash;
    char kind;
    unsigned char seen;      /* enum disk_seen */
    bool tried;              /* of a directory: to watch it */
    struct watched *watched; /* of a directory; NULL: nobody would hear of a change */
    struct str name;         /* NUL-terminated */
    const char *answer;
};

#define NAME_MARKS                                                                                 \
    2048u /* a power of two: where others make files, few of them are taken for those that matter  \
           */

/* Who depends on a watch; neither: nobody does any more. */
struct watched {
    const struct entry *directory;   /* only on what was looked up in there, */
    uint64_t names[NAME_MARKS / 64]; /* which has these marks */
    bool all; /* on anything: it is a file, or a directory that two paths lead to */
};

/* In pages that are empty again after fork(). */
struct store {
    bool alive;
    bool full;
    size_t count, used;
    struct entry *slots[SLOTS];
    struct entry entries[DISK_ENTRIES_MAX];
    char text[DISK_TEXT_MAX];
    struct watched watched[DISK_WATCHES_MAX]; /* by number, counted from 1 */
    char searched[SEARCHED_MAX];              /* PATH as it was */
    size_t searched_len;
};

struct disk_memory {
    struct store *store;
    int news, mounts; /* -1: it cannot be had, and nothing is kept */
    int either;  /* has something to say when one of them has: half the time of asking both, at each
                    check */
    int watches; /* of the descriptor, those of what is gone counted, too: the kernel's numbers only
                    grow */
    bool learns;
    char **environment,
        **variable; /* environ as it was, and where PATH stands in it; NULL: nowhere */
};

/* ---- descriptors ---- */

static void shut(struct disk_memory *m)
{
    int *all[] = {&m->news, &m->mounts, &m->either};

    for (size_t i = 0; i < COUNT(all); i++) {
        if (*all[i] >= 0)
            close(*all[i]);
        *all[i] = -1;
    }
}

static bool join(int either, int one, uint32_t events)
{
    struct epoll_event e = {.events = events, .data.fd = one};

    return epoll_ctl(either, EPOLL_CTL_ADD, one, &e) == 0;
}

/* Afresh: nobody watches anything. */
__attribute__((noinline)) static bool begin_watching(struct disk_memory *m)
{
    shut(m);
    m->watches = 0;
    m->news = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    m->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    m->either = epoll_create1(EPOLL_CLOEXEC);
    if (!join(m->either, m->news, EPOLLIN) || !join(m->either, m->mounts, EPOLLPRI))
        shut(m);
    return m->news >= 0;
}

struct disk_memory *disk_memory_new(void)
{
    struct disk_memory *m = malloc(sizeof(*m));
    void *pages = mmap(NULL, sizeof(struct store), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (m)
        *m = (struct disk_memory){.store = pages, .news = -1, .mounts = -1, .either = -1};
    if (m && pages != MAP_FAILED && madvise(pages, sizeof(struct store), MADV_WIPEONFORK) == 0 &&
        begin_watching(m)) {
        m->store->alive = true;
        return m;
    }
    if (pages != MAP_FAILED)
        munmap(pages, sizeof(struct store));
    free(m);
    return NULL;
}

void disk_memory_free(struct disk_memory *m)
{
    if (!m)
        return;
    shut(m);
    munmap(m->store, sizeof(*m->store));
    free(m);
}

/* ---- what is kept ---- */

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

/* NULL: there is no room. */
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

/* ---- news ---- */

/* On a disk that does not tell cases apart, names with the same mark may be one; where letters are
 * not ASCII, any two: that is NAME_MARKS. */
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

/* Could an answer be another one now? What others do in a directory is of no interest: in /tmp
 * somebody always makes files. */
static bool matters(const struct store *s, const struct inotify_event *e)
{
    if (e->wd < 1 || e->wd > DISK_WATCHES_MAX)
        return true; /* news were lost */
    const struct watched *w = &s->watched[e->wd - 1];
    if (w->all || !w->directory || e->len == 0)
        return w->all || w->directory;
    return is_marked(w, str_from(e->name));
}

static bool any_matters(const struct store *s, const char *news, size_t len)
{
    const struct inotify_event *e;

    for (size_t at = 0; at < len; at += sizeof(*e) + e->len) {
        e = (const void *)(news + at); /* the kernel keeps them aligned */
        if (matters(s, e))
            return true;
    }
    return false;
}

/* Takes all news. True when one of them matters, or there are too many. */
__attribute__((noinline)) static bool read_news(struct disk_memory *m)
{
    _Alignas(struct inotify_event) char news[NEWS_SIZE];
    bool some = false;

    for (size_t i = 0; i < NEWS_READS; i++) {
        ssize_t len = read(m->news, news, sizeof(news));
        if (len <= 0)
            return some || errno != EAGAIN;
        some = some || any_matters(m->store, news, (size_t)len);
    }
    begin_watching(m);
    return true;
}

static bool is_news(struct disk_memory *m)
{
    struct epoll_event said[2];
    int count = epoll_wait(m->either, said, COUNT(said), 0);
    bool anew = count < 0;

    for (int i = 0; i < count; i++)
        anew |= said[i].data.fd == m->mounts || read_news(m);
    return anew;
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

/* PATH. getenv() goes through all variables at each check: it is where it was, mostly. */
static const char *search_path(struct disk_memory *m)
{
    if (m->environment != environ || !m->environment || !is_path(*m->variable))
        find_variable(m);
    return m->environment ? *m->variable + strlen("PATH=") : "";
}

__attribute__((noinline)) static void keep_searched(struct store *s, struct str path)
{
    s->searched_len = path.len < sizeof(s->searched) ? path.len : 0;
    memcpy(s->searched, path.s, s->searched_len);
}

/* Programs are looked for in other places. */
static bool is_searched_anew(struct disk_memory *m)
{
    const struct str path = str_from(search_path(m));
    bool anew = !str_eq(path, (struct str){m->store->searched, m->store->searched_len});

    if (anew)
        keep_searched(m->store, path);
    return anew;
}

void disk_memory_begin(struct disk_memory *m)
{
    bool anew = !m->store->alive && begin_watching(m); /* the child of a fork() */

    m->store->alive = true;
    anew |= m->watches >= DISK_WATCHES_MAX && begin_watching(m);
    anew |= m->news >= 0 && is_news(m);
    anew |= is_searched_anew(m) | m->store->full;
    if (anew || m->news < 0)
        forget(m->store);
    m->learns = !anew && m->news >= 0;
}

/* ---- watching ---- */

/* NULL: nobody would hear of a change. */
static struct watched *watch(struct disk_memory *m, const char *path, unsigned more)
{
    if (m->watches == DISK_WATCHES_MAX || !local_reports_changes(path))
        return NULL;
    int number = inotify_add_watch(m->news, path, WATCHED_NEWS | more);
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

/* The directory that holds it is watched. NULL: it cannot be told, or there is no room for it. */
static struct entry *learn_one(struct store *s, uint32_t hash, struct str path)
{
    char ended[WORLD_PATH_MAX], target[WORLD_PATH_MAX];
    struct str leads = {0};

    if (path.len >= sizeof(ended))
        return NULL;
    memcpy(ended, path.s,
           path.len); /* NOLINT(clang-analyzer-core.NonNullParamChecker): a clean path has bytes */
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

/* What lies below something that is no directory, and no link either, is absent. */
static struct entry *learn_absent(struct store *s, uint32_t hash, struct str path)
{
    struct entry *e = add(s, '/', hash, path, (struct str){0});

    if (e)
        e->seen = DISK_ABSENT;
    return e;
}

/* From the root down: each directory is watched before the next name is looked up in it. */
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
