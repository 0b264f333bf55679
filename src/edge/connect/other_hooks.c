#include "connect/other_hooks.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/json.h"
#include "document/document.h"

struct search {
    struct arena *arena;
    const struct place *user;
    const warder_installation *where;
    const struct strs *known;
    struct other_hooks *out;

    const char *path; /* of the file whose turn it is */
    struct str text;
};

/* ---- one file ---- */

/* Runs the program that this one registers, or a command that was recognised as ours. */
static bool is_ours(const struct search *s, struct str command)
{
    const struct str programs[] = {s->user->registrar.program, s->user->registrar.other};

    for (size_t i = 0; i < COUNT(programs); i++) {
        struct buf b = buf_in(s->arena);
        buf_shell_word(&b, programs[i]);
        buf_byte(&b, ' ');
        if (programs[i].len && str_starts(command, buf_str(&b)))
            return true;
    }
    for (size_t i = 0; i < s->known->count; i++)
        if (str_eq(command, s->known->items[i]))
            return true;
    return false;
}

/* Where a hook may answer for the call. Some clients write their events in two ways. */
static bool may_answer(const struct client *client, struct str event)
{
    for (size_t i = 0; i < CLIENT_EVENTS_MAX && client->events[i].name; i++) {
        struct str rest = str_from(client->events[i].name), name;
        bool answers =
            client->events[i].kind == EVENT_TOOL || client->events[i].kind == EVENT_PERMISSION;
        while (answers && str_next_word(&rest, &name))
            if (str_eq_nocase(name, event))
                return true;
    }
    return false;
}

static void add(struct search *s, struct str event, struct str matcher, struct str runs)
{
    const struct other_hook hook = {str_copy(s->arena, str_from(s->path)),
                                    str_copy(s->arena, event), str_copy(s->arena, matcher),
                                    str_copy(s->arena, runs)};

    LIST_PUSH(s->arena, s->out, hook);
}

static void look_at_handler(struct search *s, struct str event, struct str matcher,
                            const struct value *handler)
{
    struct str command = register_command_in(s->arena, handler);

    if (handler->kind != VALUE_OBJECT || is_ours(s, command))
        return;
    if (command.len == 0)
        command = value_text(handler, "url");
    add(s, event, matcher, command.len ? command : value_text(handler, "type"));
}

/* An entry is a handler itself, or has some in "hooks". */
static void look_at_list(struct search *s, const struct member *list)
{
    for (size_t i = 0; list->value.kind == VALUE_ARRAY && i < list->value.count; i++) {
        const struct value *entry = &list->value.items[i], *inner = value_get(entry, "hooks");
        struct str matcher = value_text(entry, "matcher");
        if (!inner)
            look_at_handler(s, list->key, matcher, entry);
        for (size_t n = 0; inner && inner->kind == VALUE_ARRAY && n < inner->count; n++)
            look_at_handler(s, list->key, matcher, &inner->items[n]);
    }
}

/* As mildly as any client reads it. */
static enum status read_document(struct search *s, struct value *out)
{
    const struct json_limits mild = {.comments = true, .commas = true};

    if (str_ends(str_from(s->path), STR(".toml")))
        return document_read(s->arena, SYNTAX_TOML, s->text, out, NULL);
    return json_read(s->arena, s->text, &mild, out, NULL);
}

static void look_inside(void *arg)
{
    struct search *s = arg;
    struct value document;

    if (s->user->registrar.row->whole) { /* a file is a hook */
        add(s, (struct str){0}, (struct str){0}, (struct str){0});
        return;
    }
    if (read_document(s, &document) != STATUS_OK)
        return;
    const struct value *hooks = value_get(&document, "hooks");
    for (size_t i = 0; hooks && hooks->kind == VALUE_OBJECT && i < hooks->count; i++)
        if (may_answer(s->user->registrar.client, hooks->members[i].key))
            look_at_list(s, &hooks->members[i]);
}

/* ---- all places ---- */

static bool look_at_file(struct search *s, const char *path)
{
    struct file_text text = {0};
    bool done = true;

    /* What it holds is only shown: whoever may have written it. */
    if (file_read(path, FILE_PROJECT, "/", &text, NULL) != STATUS_OK || !text.found)
        return true;
    s->path = path;
    s->text = (struct str){text.text, text.len};
    done = arena_try(s->arena, look_inside, s);
    free(text.text);
    return done;
}

static int is_hook_file(const struct dirent *entry)
{
    static const char *const endings[] = {".json", ".js", ".ts"};

    for (size_t i = 0; i < COUNT(endings); i++)
        if (entry->d_name[0] != '.' && str_ends(str_from(entry->d_name), str_from(endings[i])))
            return 1;
    return 0;
}

/* Our own file has no hooks of others unless someone has added them; a whole one is ours alone. */
static bool is_own_file(const struct search *s, const char *path)
{
    return s->user->registrar.row->whole &&
           (strcmp(path, s->user->path) == 0 || str_ends(str_from(path), STR("/warder.js")));
}

static bool look_at_directory(struct search *s, const char *directory)
{
    struct dirent **entries = NULL;
    int count = scandir(directory, &entries, is_hook_file, alphasort);
    bool done = true;

    for (int i = 0; i < count; i++) {
        char path[3 * PATH_MAX];
        snprintf(path, sizeof(path), "%s%s", directory, entries[i]->d_name);
        done = done && (is_own_file(s, path) || look_at_file(s, path));
        free(entries[i]);
    }
    free(entries);
    return done;
}

static bool look_at_place(struct search *s, struct str place)
{
    char name[PATH_MAX], path[2 * PATH_MAX];

    snprintf(name, sizeof(name), "%.*s", STR_ARG(place));
    if (name[0] == '~')
        place_below_home(s->user->registrar.client, s->where, name + 2, path, sizeof(path));
    else if (name[0] == '.')
        snprintf(path, sizeof(path), "%s/%s", s->user->project, name + 2);
    else
        snprintf(path, sizeof(path), "%s", name);
    return str_ends(place, STR("/")) ? look_at_directory(s, path) : look_at_file(s, path);
}

bool other_hooks_find(struct arena *a, const struct place *user, const warder_installation *where,
                      const struct strs *known, struct other_hooks *out)
{
    struct search s = {.arena = a, .user = user, .where = where, .known = known, .out = out};
    struct str rest = str_from(user->registrar.row ? user->registrar.row->hooks_in : NULL), place;
    bool done = true;

    while (done && str_next_word(&rest, &place))
        done = look_at_place(&s, place);
    return done;
}
