#include "cell/plan.h"

#include "base/glob.h"
#include "base/json.h"
#include "base/list.h"
#include "base/path.h"
#include "cell/left.h"
#include "undo/store.h"

static const char *const members[] = {
    "version",       "tier",     "program", "words",   "directory", "write",
    "protect",       "refuse",   "hide",    "remove",  "set",       "report",
    "background",    "boot",     "build",   "until",   "hosts",     "refused_addresses",
    "refused_hosts", "loopback", "publish", "session", "caches",    "token",
    "undo",          "follow",   "sockets", "call",    "bound", /* the last two are for others */
};
#define DIGITS_MAX 64

static const char *const tiers[] = {"namespaces", "landlock"};

const char *plan_tier_name(enum tier tier)
{
    return tiers[tier];
}

struct reading {
    struct arena *arena;
    const struct value *from;
    struct plan *out;
    struct error *err;
    enum status status;
};

/* Not the root: it cannot be covered, so it cannot be hidden, and all of it is never to be
 * written. */
static bool is_path(struct str path)
{
    return path_is_clean(path) && path.len > 1 && !path_has_nul(path);
}

static bool is_place(struct str path) /* to be in */
{
    return is_path(path) || str_eq(path, STR("/"));
}

/* "a/b", without parts that no name has. */
static bool is_name(struct str name)
{
    struct str part;

    if (!name.len || name.s[name.len - 1] == '/')
        return false;
    while (name.len) {
        str_cut(name, '/', &part, &name);
        if (!part.len || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
    }
    return true;
}

static bool is_variable(struct str variable)
{
    size_t equals = str_index(variable, '=');

    return equals != STR_NONE && equals > 0;
}

static bool is_text(struct str text)
{
    (void)text;
    return true;
}

static enum status read_list_of(struct reading *r, const struct value *from, const char *key,
                                bool (*is_good)(struct str), struct strs *out)
{
    const struct value *list = value_get(from, key);

    if (!list)
        return STATUS_OK;
    if (list->kind != VALUE_ARRAY || list->count > PLAN_PATHS)
        return fail(r->err, STATUS_SYNTAX, "\"%s\" must be a list of at most %u", key, PLAN_PATHS);
    for (size_t i = 0; i < list->count; i++) {
        const struct value *item = &list->items[i];
        if (item->kind != VALUE_STRING || str_has(item->text, '\0') || !is_good(item->text))
            return fail(r->err, STATUS_SYNTAX, "\"%s\" has an entry that cannot be read", key);
        LIST_PUSH(r->arena, out, item->text);
    }
    return STATUS_OK;
}

static enum status read_list(struct reading *r, const char *key, bool (*is_good)(struct str),
                             struct strs *out)
{
    return read_list_of(r, r->from, key, is_good, out);
}

static enum status read_path_of(struct reading *r, const struct value *from, const char *key,
                                const char **out)
{
    struct str path = value_text(from, key);

    if (!is_place(path))
        return fail(r->err, STATUS_SYNTAX, "\"%s\" must be a clean absolute path", key);
    *out = path.s;
    return STATUS_OK;
}

static enum status read_path(struct reading *r, const char *key, const char **out)
{
    return read_path_of(r, r->from, key, out);
}

static enum status read_words(struct reading *r)
{
    struct strs words = {0};
    enum status status = read_list(r, "words", is_text, &words);

    if (status == STATUS_OK && words.count == 0)
        status = fail(r->err, STATUS_SYNTAX, "there is nothing to run");
    if (status != STATUS_OK)
        return status;
    r->out->words = ARENA_ARRAY(r->arena, char *, words.count + 1);
    for (size_t i = 0; i < words.count; i++)
        r->out->words[i] = arena_copy(r->arena, words.items[i].s, words.items[i].len);
    return STATUS_OK;
}

static enum status read_lists(struct reading *r)
{
    const struct {
        const char *key;
        bool (*is_good)(struct str);
        struct strs *out;
    } lists[] = {
        {"write", is_path, &r->out->write},     {"protect", is_path, &r->out->protect},
        {"refuse", is_name, &r->out->refuse},   {"hide", is_path, &r->out->hide},
        {"remove", is_text, &r->out->remove},   {"set", is_variable, &r->out->set},
        {"sockets", is_path, &r->out->sockets},
    };

    for (size_t i = 0; i < COUNT(lists); i++) {
        enum status status = read_list(r, lists[i].key, lists[i].is_good, lists[i].out);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static bool is_member(struct str key)
{
    for (size_t i = 0; i < COUNT(members); i++)
        if (str_eq(key, str_from(members[i])))
            return true;
    return false;
}

static enum status check_members(struct reading *r)
{
    int64_t version = 0;

    if (!value_integer(value_get(r->from, "version"), &version) || version != PLAN_VERSION)
        return fail(r->err, STATUS_SYNTAX, "the plan is not of version %d", PLAN_VERSION);
    for (size_t i = 0; i < r->from->count; i++)
        if (!is_member(r->from->members[i].key))
            return fail(r->err, STATUS_SYNTAX, "the plan has a member that is not known");
    return STATUS_OK;
}

static enum status read_tier(struct reading *r)
{
    const struct value *tier = value_get(r->from, "tier");

    if (!tier)
        return STATUS_OK;
    for (size_t i = 0; i < COUNT(tiers); i++)
        if (tier->kind == VALUE_STRING && str_eq(tier->text, str_from(tiers[i]))) {
            r->out->tier = (enum tier)i;
            return STATUS_OK;
        }
    return fail(r->err, STATUS_SYNTAX, "\"tier\" must be one that is known");
}

static enum status read_validity(struct reading *r)
{
    const struct value *until = value_get(r->from, "until");

    r->out->boot = value_text(r->from, "boot");
    r->out->build = value_text(r->from, "build");
    if (until && !value_integer(until, &r->out->until))
        return fail(r->err, STATUS_SYNTAX, "\"until\" must be a number of seconds");
    return STATUS_OK;
}

static enum status read_background(struct reading *r)
{
    const struct value *background = value_get(r->from, "background");

    if (background && background->kind != VALUE_BOOL)
        return fail(r->err, STATUS_SYNTAX, "\"background\" must be true or false");
    r->out->background = background && background->boolean;
    return STATUS_OK;
}

/* A list of texts that `parse` makes elements of. */
struct parsed_list {
    const char *key;
    size_t size;
    bool (*parse)(struct str text, void *out);
    void **out;
    size_t *count;
};

static enum status read_parsed(struct reading *r, const struct parsed_list *l)
{
    struct strs texts = {0};
    enum status status = read_list(r, l->key, is_text, &texts);

    if (status != STATUS_OK)
        return status;
    char *room = arena_alloc(r->arena, texts.count + 1, l->size);
    *l->out = room;
    for (*l->count = 0; *l->count < texts.count; (*l->count)++)
        if (!l->parse(texts.items[*l->count], room + *l->count * l->size))
            return fail(r->err, STATUS_SYNTAX, "\"%s\" has an entry that is none", l->key);
    return STATUS_OK;
}

static bool parse_host(struct str text, void *out)
{
    return host_parse(text, out);
}

static bool parse_range(struct str text, void *out)
{
    return range_parse(text, out);
}

static bool parse_ports(struct str text, void *out)
{
    return ports_parse(text, out);
}

static enum status read_hosts(struct reading *r)
{
    struct plan *p = r->out;
    void *hosts = NULL, *ranges = NULL, *refused = NULL, *loopback = NULL, *publish = NULL;
    const struct parsed_list lists[] = {
        {"hosts", sizeof(struct host), parse_host, &hosts, &p->host_count},
        {"refused_addresses", sizeof(struct range), parse_range, &ranges, &p->range_count},
        {"refused_hosts", sizeof(struct host), parse_host, &refused, &p->refused_count},
        {"loopback", sizeof(struct ports), parse_ports, &loopback, &p->loopback_count},
        {"publish", sizeof(struct ports), parse_ports, &publish, &p->publish_count},
    };

    for (size_t i = 0; i < COUNT(lists); i++) {
        enum status status = read_parsed(r, &lists[i]);
        if (status != STATUS_OK)
            return status;
    }
    p->hosts = hosts;
    p->ranges = ranges;
    p->refused = refused;
    p->loopback = loopback;
    p->publish = publish;
    return STATUS_OK;
}

static enum status read_caches(struct reading *r)
{
    const struct value *list = value_get(r->from, "caches");
    const size_t count = list ? list->count : 0;

    if (list && (list->kind != VALUE_ARRAY || count > PLAN_CACHES))
        return fail(r->err, STATUS_SYNTAX, "\"caches\" must be a list of at most %u", PLAN_CACHES);
    r->out->caches = ARENA_ARRAY(r->arena, struct plan_cache, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct str place = value_text(&list->items[i], "place"),
                   store = value_text(&list->items[i], "store");
        if (!is_path(store) || (value_get(&list->items[i], "place") && !is_path(place)))
            return fail(r->err, STATUS_SYNTAX, "\"caches\" has an entry that cannot be read");
        r->out->caches[i] = (struct plan_cache){place.len ? place.s : NULL, store.s};
    }
    r->out->cache_count = count;
    return STATUS_OK;
}

/* A name of hexadecimal digits. */
static enum status read_digits(struct reading *r, const char *key, struct str *out)
{
    *out = value_text(r->from, key);
    if (value_get(r->from, key) &&
        (!out->len || out->len > DIGITS_MAX || strspn(out->s, "0123456789abcdef") != out->len))
        return fail(r->err, STATUS_SYNTAX, "\"%s\" must be hexadecimal digits", key);
    return STATUS_OK;
}

static enum status read_names(struct reading *r)
{
    struct str token;
    enum status status = read_digits(r, "session", &r->out->session);

    if (status == STATUS_OK)
        status = read_digits(r, "token", &token);
    if (status == STATUS_OK && token.len)
        r->out->token = token.s;
    return status;
}

/* The shell of the command says where it has ended. */
static enum status read_follow(struct reading *r)
{
    const struct value *follow = value_get(r->from, "follow");
    char **words = r->out->words;

    if (follow && follow->kind != VALUE_BOOL)
        return fail(r->err, STATUS_SYNTAX, "\"follow\" must be true or false");
    r->out->follow = follow && follow->boolean;
    if (!r->out->follow)
        return STATUS_OK;
    if (!words[1] || strcmp(words[1], "-c") != 0 || !words[2] || words[3])
        return fail(r->err, STATUS_SYNTAX, "\"follow\" is for the text of a shell");
    const struct str text = left_text(r->arena, str_from(words[2]));
    words[2] = arena_copy(r->arena, text.s, text.len);
    return STATUS_OK;
}

static enum status read_undo(struct reading *r)
{
    const struct value *from = value_get(r->from, "undo");
    struct plan_undo *u = &r->out->undo;
    int64_t file = 0;
    enum status status;

    if (!from)
        return STATUS_OK;
    struct str entry = value_text(from, "entry");
    if (!undo_id_is(entry) || !value_integer(value_get(from, "file"), &file) || file < 0)
        return fail(r->err, STATUS_SYNTAX, "\"undo\" cannot be read");
    if ((status = read_path_of(r, from, "state", &u->state)) != STATUS_OK ||
        (status = read_path_of(r, from, "project", &u->project)) != STATUS_OK ||
        (status = read_list_of(r, from, "skip", is_text, &u->skip)) != STATUS_OK)
        return status;
    const struct value *needed = value_get(from, "needed");
    if (needed && needed->kind != VALUE_BOOL)
        return fail(r->err, STATUS_SYNTAX, "\"undo\" cannot be read");
    u->needed = needed && needed->boolean;
    u->entry = entry.s;
    u->file = (uint64_t)file;
    return STATUS_OK;
}

static enum status read_members(struct reading *r)
{
    enum status status;

    if ((status = check_members(r)) != STATUS_OK || (status = read_tier(r)) != STATUS_OK ||
        (status = read_validity(r)) != STATUS_OK || (status = read_background(r)) != STATUS_OK ||
        (status = read_path(r, "program", &r->out->program)) != STATUS_OK ||
        (status = read_path(r, "directory", &r->out->directory)) != STATUS_OK ||
        (status = read_words(r)) != STATUS_OK || (status = read_follow(r)) != STATUS_OK)
        return status;
    if (value_get(r->from, "report") &&
        (status = read_path(r, "report", &r->out->report)) != STATUS_OK)
        return status;
    if ((status = read_lists(r)) != STATUS_OK || (status = read_hosts(r)) != STATUS_OK ||
        (status = read_caches(r)) != STATUS_OK || (status = read_undo(r)) != STATUS_OK)
        return status;
    return read_names(r);
}

static void read_all(void *arg)
{
    struct reading *r = arg;

    r->status = read_members(r);
}

enum status plan_read(struct arena *a, struct str json, struct plan *out, struct error *err)
{
    const struct json_limits limits = {.bytes = PLAN_MAX};
    struct value document;
    struct reading r = {.arena = a, .from = &document, .out = out, .err = err};
    enum status status = json_read(a, json, &limits, &document, err);

    *out = (struct plan){0};
    if (status != STATUS_OK)
        return status;
    if (!arena_try(a, read_all, &r))
        return fail(err, STATUS_NOMEM, "there is no memory for the plan");
    return r.status;
}

static bool is_inside_any(const struct strs *list, struct str path)
{
    for (size_t i = 0; i < list->count; i++)
        if (path_is_inside(path, list->items[i]))
            return true;
    return false;
}

bool plan_can_write(const struct plan *plan, struct str path)
{
    for (size_t i = 0; i < plan->cache_count; i++) {
        const struct plan_cache *cache = &plan->caches[i];
        if (path_is_inside(path, str_from(cache->place ? cache->place : cache->store)))
            return true;
    }
    return is_inside_any(&plan->write, path) && !is_inside_any(&plan->protect, path);
}

/* ---- the environment ---- */

static struct str name_of(const char *variable)
{
    const char *end = strchr(variable, '=');

    return (struct str){variable, end ? (size_t)(end - variable) : strlen(variable)};
}

static bool is_removed(struct arena *a, const struct plan *plan, struct str name)
{
    for (size_t i = 0; i < plan->remove.count; i++)
        if (glob_is_match(a, plan->remove.items[i], 0, name))
            return true;
    for (size_t i = 0; i < plan->set.count; i++)
        if (str_eq(name_of(plan->set.items[i].s), name))
            return true;
    return false;
}

struct making {
    struct arena *arena;
    const struct plan *plan;
    char *const *from;
    char **out;
};

static void make_environment(void *arg)
{
    struct making *m = arg;
    size_t count = 0;

    while (m->from[count])
        count++;
    char **out = ARENA_ARRAY(m->arena, char *, count + m->plan->set.count + 1), **end = out;
    for (size_t i = 0; i < count; i++)
        if (!is_removed(m->arena, m->plan, name_of(m->from[i])))
            *end++ = m->from[i];
    for (size_t i = 0; i < m->plan->set.count; i++)
        *end++ = arena_copy(m->arena, m->plan->set.items[i].s, m->plan->set.items[i].len);
    m->out = out;
}

char **plan_environment(struct arena *a, const struct plan *plan, char *const *environment)
{
    struct making m = {.arena = a, .plan = plan, .from = environment};

    return arena_try(a, make_environment, &m) ? m.out : NULL;
}
