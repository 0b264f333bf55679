/* edits.c - may an agent edit files of the project without a question?
 *
 * An agent that cannot ask its person, or does not tell in which mode it runs, could edit nothing:
 * each edit would be a question that nobody sees. So a person says it once, when the agent is
 * registered, and it is written into their own policy: `edits: [opencode]`. */
#include <stdlib.h>
#include <unistd.h>

#include "base/excerpt.h"
#include "base/json.h"
#include "base/list.h"
#include "connect/change.h"
#include "document/document.h"
#include "engine/engine.h"
#include "report/diff.h"

#define KEY "edits"

/* ---- who has to be asked about ---- */

const char *warder_edits_reason(const char *client)
{
    const struct client *c = client ? client_find(str_from(client)) : NULL;

    if (!c || !registration_of(c))
        return NULL;
    if (!c->events[0].asks)
        return "cannot ask you";
    return c->tells_mode ? NULL : "does not tell Warder its mode";
}

/* ---- the text ---- */

struct edits_plan {
    warder_change *change;
    struct str name; /* of the client */
    enum syntax syntax;
    struct error *err;
    enum status status;
};

static const struct {
    const char *ending;
    enum syntax syntax;
} endings[] = {
    {"yaml", SYNTAX_YAML}, {"yml", SYNTAX_YAML}, {"toml", SYNTAX_TOML}, {"json", SYNTAX_JSON}};

static size_t offset_of(struct str text, const struct value *v)
{
    return text_offset(text, v->line, v->column);
}

static struct str put(struct arena *a, struct str text, size_t at, struct str piece)
{
    return str_format(a, "%.*s%.*s%.*s", (int)at, text.s, STR_ARG(piece), (int)(text.len - at),
                      text.s + at);
}

/* A file without the key. In TOML a key behind a table would be one of the table. */
static struct str with_key(struct edits_plan *p, const struct value *document)
{
    struct arena *a = &p->change->arena;
    struct str old = p->change->old;
    const char *gap = old.len && !str_ends(old, STR("\n")) ? "\n" : "";

    switch (p->syntax) {
    case SYNTAX_JSON:
        return put(a, old, offset_of(old, document) + 1,
                   str_format(a, "\"" KEY "\": [\"%.*s\"]%s", STR_ARG(p->name),
                              document->count ? ", " : ""));
    case SYNTAX_TOML:
        return str_format(a, KEY " = [\"%.*s\"]\n%.*s", STR_ARG(p->name), STR_ARG(old));
    case SYNTAX_YAML:
    case SYNTAX_UNKNOWN:
        break;
    }
    return str_format(a, "%.*s%s" KEY ": [%.*s]\n", STR_ARG(old), gap, STR_ARG(p->name));
}

/* A list that is there: after its bracket, or before its first dash. */
static struct str with_name(struct edits_plan *p, const struct value *list)
{
    struct arena *a = &p->change->arena;
    struct str old = p->change->old;
    size_t at = offset_of(old, list);
    const char *quote = p->syntax == SYNTAX_YAML ? "" : "\"";

    if (at < old.len && old.s[at] == '[')
        return put(
            a, old, at + 1,
            str_format(a, "%s%.*s%s%s", quote, STR_ARG(p->name), quote, list->count ? ", " : ""));
    return put(a, old, at,
               str_format(a, "- %.*s\n%*s", STR_ARG(p->name), (int)list->column - 1, ""));
}

static bool has_name(const struct value *list, struct str name)
{
    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++)
        if (list->items[i].kind == VALUE_STRING && str_eq(list->items[i].text, name))
            return true;
    return false;
}

/* Everything but the list, as JSON. */
static struct str rest_of(struct arena *a, const struct value *document)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < document->count; i++)
        if (!str_is(document->members[i].key, KEY)) {
            json_string(&b, document->members[i].key);
            json_value(&b, &document->members[i].value);
        }
    return buf_str(&b);
}

/* The person's file is changed only if reading it again shows this one change. */
static bool is_proved(struct edits_plan *p, const struct value *before, struct str text, bool named)
{
    struct arena *a = &p->change->arena;
    struct value after;

    return document_read(a, p->syntax, text, &after, NULL) == STATUS_OK &&
           has_name(value_get(&after, KEY), p->name) == named &&
           str_eq(rest_of(a, before), rest_of(a, &after));
}

/* ---- adding and removing ---- */

static enum status plan_add(struct edits_plan *p, const struct value *document)
{
    const struct value *list = value_get(document, KEY);

    if (has_name(list, p->name))
        return STATUS_OK;
    p->change->new = list ? with_name(p, list) : with_key(p, document);
    if (is_proved(p, document, p->change->new, true))
        return STATUS_OK;
    p->change->new = p->change->old;
    return fail(p->err, STATUS_SYNTAX, "%s cannot be changed safely; add " KEY ": [%.*s] to it",
                p->change->place.path, STR_ARG(p->name));
}

static struct str without(struct arena *a, struct str text, struct str piece)
{
    for (size_t i = 0; i + piece.len <= text.len; i++)
        if (str_starts(str_from_byte(text, i), piece))
            return str_format(a, "%.*s%.*s", (int)i, text.s, (int)(text.len - i - piece.len),
                              text.s + i + piece.len);
    return text;
}

/* What was written is taken out; anything else a person has to change. */
static void plan_remove(struct edits_plan *p, const struct value *document)
{
    struct arena *a = &p->change->arena;
    const char *quote = p->syntax == SYNTAX_YAML ? "" : "\"";
    struct str name = str_format(a, "%s%.*s%s", quote, STR_ARG(p->name), quote);
    const struct str pieces[] = {str_format(a, KEY ": [%s]\n", name.s),
                                 str_format(a, KEY " = [%s]\n", name.s),
                                 str_format(a, "\"" KEY "\": [%s], ", name.s),
                                 str_format(a, "%s, ", name.s),
                                 str_format(a, ", %s", name.s),
                                 name};

    for (size_t i = 0; has_name(value_get(document, KEY), p->name) && i < COUNT(pieces); i++) {
        struct str text = without(a, p->change->old, pieces[i]);
        if (!text.len || is_proved(p, document, text, false)) {
            p->change->new = text.len ? text : (struct str){0};
            return;
        }
    }
}

static void plan(void *arg)
{
    struct edits_plan *p = arg;
    warder_change *c = p->change;
    struct value document = {.kind = VALUE_OBJECT};

    c->new = c->old;
    if (c->found && str_trim(c->old).len)
        p->status = document_read(&c->arena, p->syntax, c->old, &document, p->err);
    if (p->status == STATUS_OK && c->remove)
        plan_remove(p, &document);
    else if (p->status == STATUS_OK)
        p->status = plan_add(p, &document);
    if (p->status == STATUS_OK)
        c->diff = diff_lines(&c->arena, c->old, c->new);
}

/* The file that is there; else a new one. The hook looks below the home, whatever variables say. */
static void find_file(const char *home, struct edits_plan *p)
{
    char *path = p->change->place.path;
    const size_t room = sizeof(p->change->place.path);

    for (size_t i = 0; i < COUNT(endings); i++) {
        snprintf(path, room, "%s/.config/warder/warder.%s", home, endings[i].ending);
        p->syntax = endings[i].syntax;
        if (access(path, F_OK) == 0)
            return;
    }
    snprintf(path, room, "%s/.config/warder/warder.%s", home, endings[0].ending);
    p->syntax = endings[0].syntax;
}

warder_status warder_edits_plan(const warder_installation *where, warder_change **out,
                                warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    const struct client *client = NULL;
    struct place place;
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: change");
    *out = NULL;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(err, INSTALLATION_TOO_NEW);
    if (place_client(given.client, &client, &inner) != STATUS_OK ||
        place_find(client, SCOPE_USER, &given, &place, &inner) != STATUS_OK)
        return error_out(err, &inner);
    warder_change *c = change_new();
    if (!c)
        return give_no_memory(err);
    struct edits_plan p = {.change = c, .name = str_from(client->name), .err = &inner};
    const char *home = given.home ? given.home : getenv("HOME");
    c->remove = given.remove != 0;
    find_file(home ? home : "", &p);
    p.status = change_read(c, &inner);
    if (p.status == STATUS_OK && !arena_try(&c->arena, plan, &p))
        p.status = fail(&inner, STATUS_NOMEM, "out of memory");
    if (p.status != STATUS_OK) {
        warder_change_free(c);
        return error_out(err, &inner);
    }
    *out = c;
    return WARDER_OK;
}
