#include "engine/cell_hidden.h"

#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "engine/cell_search.h"
#include "facts/path_classes.h"
#include "facts/secret_names.h"

#define HOME_DEPTH 3 /* how far below the home places of programs are looked for */
/* A directory that changed so shortly before it was listed may change again without its time
 * showing it. */
#define SETTLED_S 2
#define FORMAT    "1"

/* Where programs outside listen, and what belongs to a login. */
static const char *const runtime_places[] = {
    "run/user", "run/docker.sock",     "run/containerd",      "run/podman",    "run/WSL",
    "run/dbus", "run/systemd/private", "run/systemd/journal", "tmp/.X11-unix", "tmp/.ICE-unix",
};
static const char *const runtime_names[] = {"tmux-*", "ssh-*", "dbus-*", "claude-*", "gpg-*"};

/* ---- finding them ---- */

#define PASSING "tmp/"

static bool is_passing(const char *row)
{
    return row[0] == PASSING[0] && strncmp(row, PASSING, strlen(PASSING)) == 0;
}

/* Programs keep their own files in places of the home that begin with a dot. Those that are known
 * to hold no secrets stay visible; the rest is hidden as a whole, or entered where something of it
 * is open. */
static void hide_closed(struct cell_search *s, struct strs *out, struct str home,
                        struct str directory, unsigned depth)
{
    struct path_class_search open = {
        .list = PATHS_OPEN, .home = home, .hidden = true, .literal_names = true};
    struct strs names = cell_search_list(s, directory)->names;
    struct str below;

    for (size_t i = 0; i < names.count; i++) {
        struct str path = path_join(s->arena, directory, names.items[i]);
        if (depth == 0 && names.items[i].s[0] != '.') {
            if (secret_name_is(names.items[i]))
                cell_search_add(s, out, path);
            continue;
        }
        if (path_class_match(&open, path, false) < path_class_tables[PATHS_OPEN].count)
            continue;
        path_relative(home, path, &below);
        if (depth + 1 < HOME_DEPTH &&
            path_class_lies_below(PATHS_OPEN, PATH_CLASS_HOME, below, PICK_ALL))
            hide_closed(s, out, home, path, depth + 1);
        else
            cell_search_add(s, out, path);
    }
}

static void find(struct cell_search *s, struct str home, struct strs *out)
{
    const struct path_class_table *table = &path_class_tables[PATHS_SECRET];

    for (size_t i = 0; i < table->count; i++) {
        const struct path_class *row = &table->rows[i];
        if (row->where == PATH_CLASS_HOME)
            cell_search_add_row(s, out, home, row->path);
        else if (row->where == PATH_CLASS_ROOT && !is_passing(row->path))
            cell_search_add_row(s, out, STR("/"), row->path);
    }
    hide_closed(s, out, home, home, 0);
    for (size_t i = 0; i < COUNT(runtime_places); i++)
        if (!is_passing(runtime_places[i]))
            cell_search_add_row(s, out, STR("/"), runtime_places[i]);
}

/* The patterns of names in /tmp. */
static struct strs passing_names(struct arena *a)
{
    const struct path_class_table *table = &path_class_tables[PATHS_SECRET];
    struct strs found = strs_in(a, 16);

    for (size_t i = 0; i < COUNT(runtime_names); i++)
        LIST_PUSH(a, &found, str_from(runtime_names[i]));
    for (size_t i = 0; i < COUNT(runtime_places); i++)
        if (is_passing(runtime_places[i]))
            LIST_PUSH(a, &found, str_from(runtime_places[i] + strlen(PASSING)));
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].where == PATH_CLASS_ROOT && is_passing(table->rows[i].path))
            LIST_PUSH(a, &found, str_from(table->rows[i].path + strlen(PASSING)));
    return found;
}

void cell_hidden_passing(struct arena *a, struct strs *out)
{
    const struct strs patterns = passing_names(a);
    struct cell_search s = {.arena = a, .only = &patterns};
    const struct strs names = cell_search_list(&s, STR("/tmp"))->names;

    for (size_t i = 0; i < names.count; i++)
        cell_search_add(&s, out, path_join(a, STR("/tmp"), names.items[i]));
}

/* ---- remembering them: lines ---- */

static bool is_settled(const struct directory_stamp *stamp, int64_t now)
{
    return stamp->seconds < now - SETTLED_S;
}

/* False: it does not fit on a line. */
static bool put_line(struct buf *b, char kind, struct str path)
{
    buf_format(b, "%c%.*s\n", kind, STR_ARG(path));
    return !str_has(path, '\n');
}

static void put_directory(struct buf *b, const struct listed *l, int64_t now)
{
    const bool settled = is_settled(&l->before, now);

    buf_format(b, "d%" PRIu64 " %" PRIu64 " %" PRId64 " %" PRId64 " %" PRIu64 " ", l->before.device,
               l->before.file, settled ? l->before.seconds : 0, l->before.nanoseconds, l->sum);
}

static struct str header(struct arena *a, const struct cell_memory *m, struct str home)
{
    return str_format(a, FORMAT " %.*s %.*s %.*s", STR_ARG(m->build), STR_ARG(m->boot),
                      STR_ARG(home));
}

static void remember(const struct cell_search *s, struct str home, const struct strs *found,
                     struct cell_memory *m)
{
    struct buf b = buf_in(s->arena);
    bool fits = !str_has(home, '\n');

    buf_format(&b, "%.*s\n", STR_ARG(header(s->arena, m, home)));
    for (size_t i = 0; i < s->listings.count; i++) {
        put_directory(&b, &s->listings.items[i], m->now);
        fits &= put_line(&b, ' ', s->listings.items[i].directory);
    }
    for (size_t i = 0; i < s->links->count; i++)
        fits &= put_line(&b, 'l', s->links->items[i]);
    for (size_t i = 0; i < found->count; i++)
        fits &= put_line(&b, 'h', found->items[i]);
    buf_text(&b, ".\n");
    m->new = fits &&b.len <= CELL_MEMORY_MAX ? buf_str(&b) : (struct str){0};
}

/* ---- recalling them ---- */

/* A number and the blank after it. */
static bool take_number(struct str *line, uint64_t *out)
{
    size_t i = 0;

    *out = 0;
    while (i < line->len && line->s[i] >= '0' && line->s[i] <= '9')
        *out = *out * 10 + (uint64_t)(line->s[i++] - '0');
    const bool taken = i > 0 && str_byte(*line, i) == ' ';
    *line = str_from_byte(*line, i + 1);
    return taken;
}

static bool has_same_names(struct arena *a, struct str directory, uint64_t sum)
{
    struct cell_search s = {.arena = a};
    const struct listed *now = cell_search_list(&s, directory);

    return now->read && now->sum && now->sum == sum;
}

/* Is the directory of this line as it was? */
static bool is_unchanged(struct arena *a, struct str line, int64_t time)
{
    uint64_t parts[5]; /* device, file, seconds, nanoseconds, sum */

    for (size_t i = 0; i < COUNT(parts); i++)
        if (!take_number(&line, &parts[i]))
            return false;
    if (str_byte(line, 0) != ' ')
        return false;
    struct str directory = str_copy(a, str_from_byte(line, 1));
    const struct directory_stamp now = directory_stamp_of(directory.s);
    if (now.device != parts[0] || now.file != parts[1] ||
        (parts[2] == 0 && is_settled(&now, time))) /* it can be remembered better by now */
        return false;
    return (now.seconds == (int64_t)parts[2] && now.nanoseconds == (int64_t)parts[3]) ||
           has_same_names(a, directory, parts[4]);
}

static bool recall_line(struct arena *a, struct str line, int64_t time, struct strs *places,
                        struct strs *links)
{
    struct str path = str_from_byte(line, 1);

    switch (str_byte(line, 0)) {
    case 'd':
        return is_unchanged(a, path, time);
    case 'l':
        LIST_PUSH(a, links, str_copy(a, path));
        return true;
    case 'h':
        LIST_PUSH(a, places, str_copy(a, path));
        return true;
    default:
        return false;
    }
}

/* False: it does not count any more, or is not whole. */
static bool recall(struct arena *a, struct str home, const struct cell_memory *m,
                   struct strs *places, struct strs *links)
{
    struct str rest = m->old, line;

    if (!str_cut(rest, '\n', &line, &rest) || !str_eq(line, header(a, m, home)))
        return false;
    while (str_cut(rest, '\n', &line, &rest)) {
        if (str_is(line, "."))
            return rest.len == 0;
        if (!recall_line(a, line, m->now, places, links))
            return false;
    }
    return false;
}

void cell_hidden_find(struct arena *a, struct str home, struct cell_memory *memory,
                      struct strs *out)
{
    struct strs places = {0}, links = {0}; /* what is there, and what leads there */
    struct cell_search s = {.arena = a};

    if (!memory || !recall(a, home, memory, &places, &links)) {
        struct cell_search search = {.arena = a, .links = &links};
        places = links = (struct strs){0};
        find(&search, home, &places);
        if (memory)
            remember(&search, home, &places, memory);
    }
    for (size_t i = 0; i < places.count; i++)
        cell_search_add_real(&s, out, places.items[i]);
    for (size_t i = 0; i < links.count; i++)
        cell_search_add_real(&s, out, real_path(a, links.items[i]));
}
