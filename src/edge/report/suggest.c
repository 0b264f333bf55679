/* suggest.c - `warder sandbox suggest`: what of policy would let contained calls do what they
 * failed without. Nothing is changed: a person reads it and decides.
 *
 * Programs try much that they can do without, so a call counts only if it failed. */
#include <stdlib.h>
#include <string.h>

#include "engine/cell_hidden.h"
#include "engine/report.h"
#include "facts/path_classes.h"
#include "machine/stamp.h"
#include "policy/sandbox.h"
#include "report/journal_lines.h"
#include "report/walls.h"
#include "report/when.h"

#define MEMORY_MAX ((size_t)512 * 1024 * 1024)
#define SHOWN      60 /* bytes of a command */
#define TOKEN_KEY  "\"token\":\""

/* A call that ran in the sandbox and failed. */
struct failed {
    struct str token, at;
    const struct value *refused;
    struct str command, cwd, client;
};

/* An entry of policy, or what none is made of. */
struct proposal {
    struct wall wall;
    struct str kind, what;
    const char *why_not; /* NULL: the entry */
    size_t calls;
    const struct failed *last;
};

struct gathering {
    struct arena *arena;
    struct str home;
    int64_t since;
    struct failed_list LIST_OF(struct failed) failed;
    struct proposals LIST_OF(struct proposal) proposals;
    struct strs hidden;
    struct walls walls;
    struct str line;
};

/* ---- the record ---- */

static bool is_in_time(const struct gathering *g, struct str at)
{
    int64_t ms;

    return !g->since || (stamp_parse(at, &ms) && ms >= g->since);
}

static void take_end(void *arg)
{
    struct gathering *g = arg;
    struct value *v = ARENA_NEW(g->arena, struct value);
    int64_t code = 0;

    if (json_read(g->arena, str_copy(g->arena, g->line), NULL, v, NULL) != STATUS_OK ||
        !str_is(value_text(v, "kind"), "cell-end"))
        return;
    const struct failed one = {.token = value_text(v, "token"),
                               .at = value_text(v, "at"),
                               .refused = value_get(v, "refused")};
    if (one.token.len && value_integer(value_get(v, "code"), &code) && code != 0 &&
        is_in_time(g, one.at))
        LIST_PUSH(g->arena, &g->failed, one);
}

static struct failed *find_failed(const struct gathering *g, struct str token)
{
    for (size_t i = 0; i < g->failed.count; i++)
        if (str_eq(g->failed.items[i].token, token))
            return &g->failed.items[i];
    return NULL;
}

static void take_decision(void *arg)
{
    struct gathering *g = arg;
    struct value v;

    if (json_read(g->arena, str_copy(g->arena, g->line), NULL, &v, NULL) != STATUS_OK ||
        !str_is(value_text(&v, "kind"), "decision"))
        return;
    struct failed *f = find_failed(g, value_text(value_get(&v, "contained"), "token"));
    if (!f)
        return;
    f->command = value_text(&v, "command");
    f->cwd = value_text(&v, "cwd");
    f->client = value_text(&v, "client");
}

/* By its text: parsing every line would take too long. */
static bool is_end(const struct gathering *g)
{
    return str_contains(g->line, STR("\"kind\":\"cell-end\""));
}

static bool is_decision_of_failed(const struct gathering *g)
{
    const char *key = str_contains(g->line, STR("\"contained\":"))
                          ? memmem(g->line.s, g->line.len, TOKEN_KEY, strlen(TOKEN_KEY))
                          : NULL;
    struct str token, rest;

    if (!key)
        return false;
    key += strlen(TOKEN_KEY);
    str_cut((struct str){key, g->line.len - (size_t)(key - g->line.s)}, '"', &token, &rest);
    return find_failed(g, token) != NULL;
}

static bool visit_end(void *context, struct str line)
{
    struct gathering *g = context;

    g->line = line;
    return !is_end(g) || arena_try(g->arena, take_end, g);
}

static bool visit_decision(void *context, struct str line)
{
    struct gathering *g = context;

    g->line = line;
    return !is_decision_of_failed(g) || arena_try(g->arena, take_decision, g);
}

/* ---- what follows from it ---- */

static bool is_same(const struct proposal *a, const struct proposal *b)
{
    if (a->why_not || b->why_not)
        return a->why_not == b->why_not && str_eq(a->kind, b->kind) && str_eq(a->what, b->what);
    return a->wall.list == b->wall.list && str_eq(a->wall.value, b->wall.value);
}

static void propose(struct gathering *g, const struct proposal *new)
{
    for (size_t i = 0; i < g->proposals.count; i++) {
        struct proposal *old = &g->proposals.items[i];
        if (!is_same(old, new))
            continue;
        old->calls += old->last != new->last;
        old->last = new->last;
        return;
    }
    LIST_PUSH(g->arena, &g->proposals, *new);
    if (!new->why_not)
        walls_add(g->arena, &g->walls, &new->wall);
}

static void propose_refused(struct gathering *g, const struct failed *f)
{
    for (size_t i = 0; f->refused && i < f->refused->count; i++) {
        struct proposal p = {.kind = value_text(&f->refused->items[i], "kind"),
                             .what = value_text(&f->refused->items[i], "what"),
                             .calls = 1,
                             .last = f};
        p.why_not = wall_of(g->arena, g->home, p.kind, p.what, &p.wall);
        if (p.what.len)
            propose(g, &p);
    }
}

/* A program's own place in the home, if nobody knows what is there: then cells do not see it. */
static void propose_place(struct gathering *g, const struct failed *f, struct str program)
{
    static const char *const places[] = {".", ".config/", ".local/share/", ".cache/"};
    const struct path_class_search secret = {
        .list = PATHS_SECRET, .home = g->home, .hidden = true, .literal_names = true};

    for (size_t i = 0; i < COUNT(places); i++) {
        const struct str place =
            str_format(g->arena, "%.*s/%s%.*s", STR_ARG(g->home), places[i], STR_ARG(program));
        const struct proposal p = {
            .wall = {SANDBOX_REVEAL, place}, .what = place, .calls = 1, .last = f};
        if (strs_has(&g->hidden, place) &&
            path_class_match(&secret, place, false) == path_class_tables[PATHS_SECRET].count)
            propose(g, &p);
    }
}

/* The first word of each simple command, as far as that can be seen without parsing. */
static void propose_places(struct gathering *g, const struct failed *f)
{
    static const char blank[] = " \t\n", operators[] = ";&|(\n";
    bool first = true;

    for (size_t i = 0; i < f->command.len;) {
        const char c = f->command.s[i];
        if (strchr(operators, c) || strchr(blank, c)) {
            first = first || strchr(operators, c);
            i++;
            continue;
        }
        size_t end = i;
        while (end < f->command.len && !strchr(" \t\n;&|()<>\"'$`\\", f->command.s[end]))
            end++;
        const struct str word = str_slice(f->command, i, end);
        struct str name = word, rest = word;
        while (str_cut(rest, '/', &name, &rest))
            name = rest;
        if (first && name.len > 1)
            propose_place(g, f, name);
        first = false;
        i = end > i ? end : i + 1;
    }
}

static void propose_all(void *arg)
{
    struct gathering *g = arg;

    if (g->failed.count)
        cell_hidden_find(g->arena, g->home, NULL, &g->hidden);
    for (size_t i = 0; i < g->failed.count; i++) {
        propose_refused(g, &g->failed.items[i]);
        propose_places(g, &g->failed.items[i]);
    }
}

static int by_calls(const void *a, const void *b)
{
    const struct proposal *one = a, *other = b;

    return (one->calls < other->calls) - (one->calls > other->calls);
}

/* ---- saying it ---- */

static void show_evidence(struct report *r, const struct proposal *p)
{
    struct str line = p->last->command, rest;

    str_cut(line, '\n', &line, &rest);
    buf_format(&r->text, "    %zu call%s that failed, the last at ", p->calls,
               p->calls == 1 ? "" : "s");
    when_print(&r->text, p->last->at);
    if (line.len) {
        buf_text(&r->text, ": ");
        report_show(r, str_slice(line, 0, SHOWN));
    }
    buf_byte(&r->text, '\n');
}

static void put(struct report *r, const struct proposal *p)
{
    json_begin_object(&r->json);
    if (!p->why_not) {
        report_member(r, "key", str_from(sandbox_list_key(p->wall.list)));
        report_member(r, "value", p->wall.value);
    }
    report_member(r, "kind", p->kind);
    report_member(r, "what", p->what);
    if (p->why_not)
        report_member(r, "why_not", str_from(p->why_not));
    report_number(r, "calls", (int64_t)p->calls);
    report_member(r, "last", p->last->at);
    report_member(r, "command", p->last->command);
    report_member(r, "cwd", p->last->cwd);
    report_member(r, "client", p->last->client);
    json_end_object(&r->json);
}

static void fill_entries(struct report *r, const struct gathering *g)
{
    json_key(&r->json, "suggestions");
    json_begin_array(&r->json);
    for (size_t i = 0; i < g->proposals.count; i++) {
        const struct proposal *p = &g->proposals.items[i];
        if (p->why_not)
            continue;
        put(r, p);
        buf_format(&r->text, "  %s  ", sandbox_list_key(p->wall.list));
        report_show(r, p->wall.value);
        buf_byte(&r->text, '\n');
        show_evidence(r, p);
    }
    json_end_array(&r->json);
}

static void fill_others(struct report *r, const struct gathering *g)
{
    json_key(&r->json, "others");
    json_begin_array(&r->json);
    for (size_t i = 0; i < g->proposals.count; i++) {
        const struct proposal *p = &g->proposals.items[i];
        if (!p->why_not)
            continue;
        put(r, p);
        buf_text(&r->text, "  not ");
        report_show(r, p->what);
        buf_format(&r->text, " (%s)\n", p->why_not);
    }
    json_end_array(&r->json);
}

static void fill(struct report *r, const void *about)
{
    const struct gathering *g = about;

    json_begin_object(&r->json);
    if (!g->proposals.count)
        buf_text(&r->text, "the record has no call that failed in the sandbox for want of "
                           "something\n");
    fill_entries(r, g);
    fill_others(r, g);
    json_key(&r->json, "sandbox");
    walls_json(&r->json, &g->walls);
    json_end_object(&r->json);
    if (walls_are_none(&g->walls))
        return;
    buf_text(&r->text, "the programs chose these names: keep in your warder.yaml what you want "
                       "them to have\n");
    walls_print(&r->text, &g->walls);
}

warder_status warder_sandbox_suggest(warder_engine *engine, const char *since, warder_report **out,
                                     warder_error *err)
{
    struct arena a;
    struct error inner = {0};
    struct gathering g = {.arena = &a};

    if (!engine || !out)
        return give_usage(err, "missing argument");
    *out = NULL;
    if (since && !when_read(str_from(since), stamp_now(), &g.since))
        return give_usage(err, "cannot read the time \"since\"; write 2026-01-31 or 30d");
    g.home = engine->home;
    const char *state_dir = engine->request.state_dir.s;
    arena_init(&a, MEMORY_MAX);
    const struct journal_visitor ends = {visit_end, &g}, decisions = {visit_decision, &g};
    enum status status = journal_lines(state_dir, &ends, &inner);
    if (status == STATUS_OK && g.failed.count)
        status = journal_lines(state_dir, &decisions, &inner);
    if (status == STATUS_OK && !arena_try(&a, propose_all, &g))
        status = fail(&inner, STATUS_NOMEM, "no memory for what follows from the record");
    if (status == STATUS_OK && g.proposals.count)
        qsort(g.proposals.items, g.proposals.count, sizeof(g.proposals.items[0]), by_calls);
    warder_status result =
        status == STATUS_OK ? report_make(fill, &g, out, err) : error_out(err, &inner);
    arena_release(&a);
    return result;
}
