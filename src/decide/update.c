#include "decide/update.h"

#include "base/path.h"

static const char *const names[] = {
    [UPDATE_ADD_RULES] = "addRules",
    [UPDATE_REPLACE_RULES] = "replaceRules",
    [UPDATE_REMOVE_RULES] = "removeRules",
    [UPDATE_SET_MODE] = "setMode",
    [UPDATE_ADD_DIRECTORIES] = "addDirectories",
    [UPDATE_REMOVE_DIRECTORIES] = "removeDirectories",
};

bool update_kind_parse(struct str name, enum update_kind *out)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is(name, names[i])) {
            *out = (enum update_kind)i;
            return true;
        }
    return false;
}

static bool fixed(const struct rule *r)
{
    return r->source == SOURCE_MANAGED || r->source == SOURCE_BUILTIN;
}

/* Which rules an update takes away. */
static bool goes(const struct update *u, const struct rules *given, const struct rule *r)
{
    if (fixed(r) || u->kind == UPDATE_ADD_RULES)
        return false;
    for (size_t i = 0; i < given->count; i++) {
        const struct rule *g = &given->items[i];
        if (!str_eq(g->tool, r->tool))
            continue;
        if (u->kind == UPDATE_REPLACE_RULES || str_eq(g->content, r->content))
            return true;
    }
    return false;
}

static enum status parse_rules(struct arena *a, enum dialect dialect, const struct update *u, struct rules *out,
                               struct error *err)
{
    for (size_t i = 0; i < u->rules.count; i++) {
        struct rule r;
        enum status status = rule_parse(a, u->rules.items[i], dialect, &r, err);
        if (status != STATUS_OK)
            return status;
        r.effect = u->behavior;
        r.source = u->destination;
        LIST_PUSH(a, out, r);
    }
    return STATUS_OK;
}

static size_t rank(const struct profile *p, enum source source)
{
    size_t r = 0;

    while (r < SOURCE_COUNT && p->order[r] != source)
        r++;
    return r;
}

/* New rules stand behind those of the same or a stronger source: first-match models read the book from the top. */
static void change_rules(struct arena *a, const struct profile *profile, const struct update *u,
                         const struct rules *given, const struct rules *from, struct rules *out)
{
    size_t at = 0, behind = rank(profile, u->destination);

    *out = (struct rules){0};
    for (; at < from->count && rank(profile, from->items[at].source) <= behind; at++)
        if (!goes(u, given, &from->items[at]))
            LIST_PUSH(a, out, from->items[at]);
    for (size_t i = 0; u->kind != UPDATE_REMOVE_RULES && i < given->count; i++)
        LIST_PUSH(a, out, given->items[i]);
    for (; at < from->count; at++)
        if (!goes(u, given, &from->items[at]))
            LIST_PUSH(a, out, from->items[at]);
}

/* Plan mode remembers what it was entered from; leaving it gives that back (session.c). */
static void change_mode(const struct rulebook *book, struct session *s, enum mode mode)
{
    enum mode now = s->has_mode ? s->mode : book->mode.given ? book->mode.mode : MODE_DEFAULT;

    if (mode != MODE_PLAN) {
        s->has_prior = false;
    } else if (now != MODE_PLAN) {
        s->has_prior = true;
        s->prior = now;
    }
    s->has_mode = true;
    s->mode = mode;
}

static void change_directories(struct arena *a, const struct update *u, const struct directories *from,
                               struct directories *out)
{
    *out = (struct directories){0};
    for (size_t i = 0; i < from->count; i++)
        if (u->kind == UPDATE_ADD_DIRECTORIES || from->items[i].source == SOURCE_MANAGED ||
            !strs_has(&u->directories, from->items[i].path))
            LIST_PUSH(a, out, from->items[i]);
    for (size_t i = 0; u->kind == UPDATE_ADD_DIRECTORIES && i < u->directories.count; i++)
        LIST_PUSH(a, out, (struct directory){path_clean(a, u->directories.items[i]), u->destination});
}

enum status update_apply(struct arena *a, const struct rulebook *book, const struct profile *profile,
                         const struct update *u, struct session *session, struct rulebook *out, struct error *err)
{
    struct rules given = {0};
    enum status status;

    if (u->destination == SOURCE_MANAGED || u->destination == SOURCE_BUILTIN)
        return fail(err, STATUS_USAGE, "%s rules cannot be changed by an update", source_name(u->destination));
    for (size_t i = 0; i < u->directories.count; i++)
        if (!path_is_absolute(u->directories.items[i]))
            return fail(err, STATUS_USAGE, "a directory must be an absolute path");

    *out = *book;
    switch (u->kind) {
    case UPDATE_ADD_RULES:
    case UPDATE_REPLACE_RULES:
    case UPDATE_REMOVE_RULES:
        if ((status = parse_rules(a, profile->dialect, u, &given, err)) != STATUS_OK)
            return status;
        change_rules(a, profile, u, &given, &book->rules, &out->rules);
        rulebook_index(a, out);
        break;
    case UPDATE_SET_MODE:
        change_mode(book, session, u->mode);
        break;
    case UPDATE_ADD_DIRECTORIES:
    case UPDATE_REMOVE_DIRECTORIES:
        change_directories(a, u, &book->directories, &out->directories);
        break;
    }
    return STATUS_OK;
}
