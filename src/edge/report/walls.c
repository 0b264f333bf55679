#include "report/walls.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hosts.h"
#include "base/list.h"
#include "base/path.h"
#include "facts/path_classes.h"
#include "facts/sensitive_paths.h"
#include "policy/sandbox.h"
#include "programs/kits.h"

/* ---- hosts ---- */

static const struct kit *kit_of(struct str name)
{
    for (size_t i = 0; i < KITS; i++) {
        struct str rest = str_from(kits[i].hosts), host;
        while (str_next_word(&rest, &host))
            if (str_eq(host, name))
                return &kits[i];
    }
    return NULL;
}

/* The registry of a package manager is given to its own programs alone. */
static const char *wall_of_host(struct str what, struct wall *out)
{
    struct host host;

    if (!host_parse(what, &host) || host.below)
        return "no host that policy can name";
    const struct str name = str_from(host.to.name);
    if (str_starts(name, STR("127.")) || str_starts(name, STR("::1")) ||
        str_starts(name, STR("[::1]")) || str_is(name, "localhost"))
        return "a server of this machine: network.loopback in your policy names its port";
    const struct kit *kit = kit_of(name);
    *out =
        kit ? (struct wall){SANDBOX_KITS, str_from(kit->name)} : (struct wall){SANDBOX_HOSTS, what};
    return NULL;
}

/* ---- places ---- */

static bool has_class(enum path_class_list list, struct str home, struct str path)
{
    const struct path_class_search search = {
        .list = list, .home = home, .hidden = true, .literal_names = true};

    return path_class_match(&search, path, false) < path_class_tables[list].count;
}

static bool is_guarded(struct str home, struct str path)
{
    return has_class(PATHS_PROTECTED, home, path) || has_class(PATHS_SECRET, home, path);
}

/* The home, what is above it, and directories in which such places lie: ~/.config. */
static bool is_wide(struct str home, struct str path)
{
    if (path_too_wide(path, home))
        return true;
    const struct str below = str_from_byte(path, home.len + 1);
    return path_class_lies_below(PATHS_PROTECTED, PATH_CLASS_HOME, below, PICK_ALL) ||
           path_class_lies_below(PATHS_SECRET, PATH_CLASS_HOME, below, PICK_ALL);
}

static bool is_own_directory(struct str path)
{
    struct stat st;

    return stat(path.s, &st) == 0 && S_ISDIR(st.st_mode) && access(path.s, W_OK) == 0;
}

/* The directory itself, or the one in which it should have been made. */
static const char *wall_of_write(struct arena *a, struct str home, struct str what,
                                 struct wall *out)
{
    struct str place = str_copy(a, what);

    if (!path_is_inside(place, home))
        return "outside of your home: whether it may write there is for you to write down";
    if (is_guarded(home, place))
        return "a protected or secret place";
    if (!is_own_directory(place))
        place = str_copy(a, path_dir(place));
    if (!is_own_directory(place))
        return "you could not write there either, or its directory is not there yet";
    if (is_guarded(home, place) || is_wide(home, place))
        return "its directory is too wide: make one of its own for it";
    *out = (struct wall){SANDBOX_WRITE, place};
    return NULL;
}

const char *wall_of(struct arena *a, struct str home, struct str kind, struct str what,
                    struct wall *out)
{
    if (str_is(kind, "write"))
        return wall_of_write(a, home, what, out);
    if (!str_is(kind, "connect"))
        return "a protected name";
    if (str_byte(what, 0) != '/')
        return wall_of_host(what, out);
    *out = (struct wall){SANDBOX_SOCKETS, what};
    return NULL;
}

/* ---- lists ---- */

void walls_add(struct arena *a, struct walls *w, const struct wall *one)
{
    if (!strs_has(&w->lists[one->list], one->value))
        LIST_PUSH(a, &w->lists[one->list], one->value);
}

bool walls_are_none(const struct walls *w)
{
    for (size_t i = 0; i < SANDBOX_LISTS; i++)
        if (w->lists[i].count)
            return false;
    return true;
}

/* "network.hosts" in this room: "network", and below it "hosts". */
static bool is_in(enum sandbox_list list, struct str group, struct str *key)
{
    struct str parent, name = str_from(sandbox_list_key(list));

    if (str_cut(name, '.', &parent, &name) ? !str_eq(parent, group) : group.len > 0)
        return false;
    *key = name.len ? name : parent;
    return true;
}

static bool print_group(struct buf *b, const struct walls *w, struct str group)
{
    bool any = false;
    struct str key;

    for (size_t i = 0; i < SANDBOX_LISTS; i++) {
        const struct strs *list = &w->lists[i];
        if (!list->count || !is_in((enum sandbox_list)i, group, &key))
            continue;
        if (group.len && !any)
            buf_format(b, "    %.*s:\n", STR_ARG(group));
        any = true;
        buf_format(b, "    %s%.*s: [", group.len ? "  " : "", STR_ARG(key));
        for (size_t k = 0; k < list->count; k++) {
            buf_text(b, k ? ", " : "");
            json_string(b, list->items[k]);
        }
        buf_text(b, "]\n");
    }
    return any;
}

void walls_print(struct buf *b, const struct walls *w)
{
    buf_text(b, "  sandbox:\n");
    (void)print_group(b, w, (struct str){0});
    (void)print_group(b, w, STR("network"));
}

static void json_group(struct json_writer *w, const struct walls *walls, struct str group)
{
    struct str key;

    for (size_t i = 0; i < SANDBOX_LISTS; i++)
        if (walls->lists[i].count && is_in((enum sandbox_list)i, group, &key))
            json_strings(w, key.s, &walls->lists[i]);
}

void walls_json(struct json_writer *w, const struct walls *walls)
{
    json_begin_object(w);
    json_group(w, walls, (struct str){0});
    json_key(w, "network");
    json_begin_object(w);
    json_group(w, walls, STR("network"));
    json_end_object(w);
    json_end_object(w);
}
