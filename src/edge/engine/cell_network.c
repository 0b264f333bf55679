#include "engine/cell_network.h"
#include "ask/cell_ends.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/list.h"
#include "base/path.h"
#include "base/range.h"
#include "base/sha256.h"
#include "facts/path_classes.h"
#include "facts/secret_names.h"
#include "programs/kits.h"

#define CACHES_PLACE   ".cache/warder/caches"
#define PROJECT_DIGITS 16
#define ENTRIES_MAX    100000u /* of a workspace that are looked at */
#define PROXY          "http://127.0.0.1:3128"

/* ---- hosts ---- */

static const struct strs *given(const struct cell_order *o, enum sandbox_list list)
{
    return &o->book->sandbox.lists[list];
}

static void add_once(struct arena *a, struct strs *list, struct str text)
{
    if (!strs_has(list, text))
        LIST_PUSH(a, list, text);
}

struct strs cell_hosts(struct arena *a, const struct cell_order *o)
{
    const struct strs *named = given(o, SANDBOX_HOSTS);
    struct strs hosts = {0};

    if (o->tier == CELL_LANDLOCK)
        return hosts; /* there is no way out of such a cell */
    for (size_t i = 0; i < named->count; i++)
        add_once(a, &hosts, named->items[i]);
    for (size_t i = 0; i < o->registries.count; i++) {
        const struct kit *kit = kit_find(o->registries.items[i]);
        struct str rest = kit ? str_from(kit->hosts) : (struct str){0}, host;
        while (str_next_word(&rest, &host))
            add_once(a, &hosts, str_copy(a, host));
    }
    return hosts;
}

/* ---- secrets of the workspace ---- */

/* Packages bring certificates and examples, and git keeps objects: no secrets of the project. */
static const char *const foreign[] = {"node_modules", "site-packages", ".git", "vendor", "target"};

struct search {
    struct arena *arena;
    struct strs waiting, *out;
    DIR *open;
    struct str directory;
    size_t entries;
};

static bool is_secret(struct str path)
{
    const struct path_class_search secret = {
        .list = PATHS_SECRET, .hidden = true, .literal_names = true};
    const struct path_class_search public = {
        .list = PATHS_PUBLIC, .hidden = true, .literal_names = true};

    return secret_name_is(path_base(path)) ||
           (path_class_match(&secret, path, false) < path_class_tables[PATHS_SECRET].count &&
            path_class_match(&public, path, false) == path_class_tables[PATHS_PUBLIC].count);
}

static bool is_directory(const struct search *s, const struct dirent *entry)
{
    struct stat st;

    return entry->d_type == DT_DIR ||
           (entry->d_type == DT_UNKNOWN &&
            fstatat(dirfd(s->open), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(st.st_mode));
}

static void look_in(void *arg)
{
    struct search *s = arg;
    const struct dirent *entry;

    while ((entry = readdir(s->open)) && s->entries++ < ENTRIES_MAX) {
        struct str name = str_from(entry->d_name);
        if (str_is(name, ".") || str_is(name, "..") || STR_IN(name, foreign))
            continue;
        struct str path = path_join(s->arena, s->directory, name);
        if (is_secret(path))
            LIST_PUSH(s->arena, s->out, path);
        else if (is_directory(s, entry))
            LIST_PUSH(s->arena, &s->waiting, path);
    }
}

bool cell_secrets(struct arena *a, const struct strs *roots, struct strs *out)
{
    struct search s = {.arena = a, .out = out};

    for (size_t i = 0; i < roots->count; i++)
        LIST_PUSH(a, &s.waiting, roots->items[i]);
    while (s.waiting.count && s.entries < ENTRIES_MAX) {
        s.directory = s.waiting.items[--s.waiting.count];
        int fd = open(str_copy(a, s.directory).s, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0 || !(s.open = fdopendir(fd))) {
            if (fd >= 0)
                close(fd);
            continue; /* what cannot be opened here cannot be opened there */
        }
        bool looked = arena_try(a, look_in, &s);
        (void)closedir(s.open);
        if (!looked)
            arena_leave(a);
    }
    return s.entries < ENTRIES_MAX;
}

/* ---- caches ---- */

static struct str real_directory(struct arena *a, struct str path)
{
    char room[PATH_MAX];
    struct stat st;

    /* first whether it is there: mostly not, and that is one question */
    const char *name = str_copy(a, path).s;
    if (stat(name, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
        !realpath(name, room) || stat(room, &st) != 0 || !S_ISDIR(st.st_mode) ||
        st.st_uid != geteuid())
        return (struct str){0};
    return str_copy(a, str_from(room));
}

/* Kept apart for each project: what one has put there is not served to another. */
static struct str stores_of(struct arena *a, const struct cell_order *o)
{
    struct str home = real_directory(a, o->home);
    uint8_t hash[SHA256_BYTES];
    char digits[PROJECT_DIGITS + 1];
    struct sha256 h;

    sha256_init(&h);
    sha256_add_part(&h, o->project);
    sha256_end(&h, hash);
    *str_hex(digits, hash, PROJECT_DIGITS / 2) = '\0';
    return str_format(a, "%.*s/" CACHES_PLACE "/%s", STR_ARG(home), digits);
}

/* Of one that cells see as it is they decide what is in it, so it is never one of the others. */
static struct str store_of(struct arena *a, struct str stores, const char *kit, size_t number,
                           bool layered)
{
    return str_format(a, "%.*s/%s-%zu%s", STR_ARG(stores), kit, number, layered ? "" : "-own");
}

static void add_cache(struct arena *a, const struct cell_order *o, const struct kit *kit,
                      size_t number, struct str stores, struct cell_caches *out, struct strs *write,
                      struct strs *set)
{
    const struct kit_cache *cache = &kit->caches[number];
    struct str place = real_directory(a, path_join(a, o->home, str_from(cache->place)));
    const bool mounts = o->tier == CELL_NAMESPACES;

    if (sandbox_value(&o->book->sandbox, SANDBOX_CACHES) == CACHES_SHARED) {
        if (place.len)
            add_once(a, write, place);
        return;
    }
    if (!cache->variable && (!place.len || !mounts))
        return;
    struct cell_cache one = {.place = mounts ? place : (struct str){0},
                             .store =
                                 store_of(a, stores, kit->name, number, mounts && place.len > 0)};
    LIST_PUSH(a, out, one);
    if (!one.place.len)
        LIST_PUSH(a, set, str_format(a, "%s=%.*s", cache->variable, STR_ARG(one.store)));
}

void cell_own_temporary(struct arena *a, const struct cell_order *o, struct cell_caches *out,
                        struct strs *set)
{
    struct cell_cache one = {.store = store_of(a, stores_of(a, o), "temporary", 0, false)};

    LIST_PUSH(a, out, one);
    LIST_PUSH(a, set, str_format(a, "TMPDIR=%.*s", STR_ARG(one.store)));
}

struct cell_caches cell_caches(struct arena *a, const struct cell_order *o, struct strs *write,
                               struct strs *set)
{
    struct cell_caches out = {0};

    if (sandbox_value(&o->book->sandbox, SANDBOX_CACHES) == CACHES_OFF)
        return out;
    const struct str stores = o->kits.count ? stores_of(a, o) : (struct str){0};
    for (size_t i = 0; i < o->kits.count; i++) {
        const struct kit *kit = kit_find(o->kits.items[i]);
        for (size_t k = 0; kit && k < COUNT(kit->caches) && kit->caches[k].place; k++)
            add_cache(a, o, kit, k, stores, &out, write, set);
    }
    return out;
}

/* ---- the plan ---- */

static void put_refused(struct arena *a, struct json_writer *w, const struct cell_order *o)
{
    const struct strs *refused = given(o, SANDBOX_REFUSE);
    struct strs names = {0}, ranges = {0};
    struct range range;

    for (size_t i = 0; i < refused->count; i++)
        LIST_PUSH(a, range_parse(refused->items[i], &range) ? &ranges : &names, refused->items[i]);
    json_strings(w, "refused_addresses", &ranges);
    json_strings(w, "refused_hosts", &names);
}

static void put_caches(struct json_writer *w, const struct cell_caches *caches)
{
    json_key(w, "caches");
    json_begin_array(w);
    for (size_t i = 0; i < caches->count; i++) {
        json_begin_object(w);
        if (caches->items[i].place.len)
            json_text_member(w, "place", caches->items[i].place);
        json_text_member(w, "store", caches->items[i].store);
        json_end_object(w);
    }
    json_end_array(w);
}

void cell_network_write(struct arena *a, struct json_writer *w, const struct cell_order *o,
                        const struct strs *hosts, const struct cell_caches *caches)
{
    if (hosts->count) {
        json_strings(w, "hosts", hosts);
        put_refused(a, w, o);
    }
    const bool own_network = o->tier != CELL_LANDLOCK;
    if (own_network && given(o, SANDBOX_LOOPBACK)->count)
        json_strings(w, "loopback", given(o, SANDBOX_LOOPBACK));
    if (own_network && given(o, SANDBOX_PUBLISH)->count)
        json_strings(w, "publish", given(o, SANDBOX_PUBLISH));
    if (own_network && o->session.len)
        json_text_member(w, "session", o->session);
    if (o->token.len) {
        json_text_member(w, "token", o->token);
        json_text_member(w, "report",
                         str_format(a, "%.*s/" CELL_ENDS_PLACE "/%.*s" CELL_END_SUFFIX,
                                    STR_ARG(o->home), STR_ARG(o->token)));
    }
    if (caches->count)
        put_caches(w, caches);
}

void cell_network_set(struct json_writer *w)
{
    static const char *const variables[] = {
        "HTTP_PROXY=" PROXY,
        "http_proxy=" PROXY,
        "HTTPS_PROXY=" PROXY,
        "https_proxy=" PROXY,
        "ALL_PROXY=" PROXY,
        "all_proxy=" PROXY,
        "NO_PROXY=localhost,127.0.0.1,::1",
        "no_proxy=localhost,127.0.0.1,::1",
        "NODE_USE_ENV_PROXY=1",
    };

    for (size_t i = 0; i < COUNT(variables); i++)
        json_text(w, str_from(variables[i]));
}
