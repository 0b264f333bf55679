/* entry_terms.c - when, within, effect and hosts: when a rule counts, and how far it reaches. */
#include "base/ascii.h"
#include "machine/stamp.h"
#include "policy/entry_parts.h"
#include "rule/effect.h"
#include "rule/when.h"

#define DAY_SECONDS 86400

/* ---- lists of words ---- */

/* Calls `take` for a text or for each of a list. */
static enum status each_text(const struct value *v, struct error *err,
                             enum status (*take)(void *to, struct str text, const struct value *at,
                                                 struct error *err),
                             void *to)
{
    const struct value *items = v->kind == VALUE_ARRAY ? v->items : v;
    size_t count = v->kind == VALUE_ARRAY ? v->count : 1;
    enum status status = STATUS_OK;

    if (!count)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "an empty list");
    for (size_t i = 0; !status && i < count; i++) {
        struct str text = {0};
        status = entry_text(&items[i], &text, err);
        if (!status && !text.len)
            status = fail_at(err, STATUS_SYNTAX, items[i].line, items[i].column, "an empty string");
        if (!status)
            status = take(to, text, &items[i], err);
    }
    return status;
}

static enum status unknown_word(const struct value *at, const char *what, struct str text,
                                struct error *err)
{
    return fail_at(err, STATUS_SYNTAX, at->line, at->column, "unknown %s \"%.*s\"", what,
                   (int)(text.len < 80 ? text.len : 80), text.s);
}

static enum status take_effect(void *to, struct str text, const struct value *at, struct error *err)
{
    unsigned bit = rule_effect_named(text);

    *(unsigned *)to |= bit;
    return bit ? STATUS_OK : unknown_word(at, "effect", text, err);
}

enum status entry_effects(const struct value *v, unsigned *out, struct error *err)
{
    return each_text(v, err, take_effect, out);
}

static enum status take_mode_bit(void *to, struct str text, const struct value *at,
                                 struct error *err)
{
    enum mode mode;

    if (!mode_parse(text, &mode))
        return unknown_word(at, "mode", text, err);
    *(unsigned *)to |= 1u << mode;
    return STATUS_OK;
}

static enum status take_access(void *to, struct str text, const struct value *at, struct error *err)
{
    static const struct {
        const char *name;
        unsigned access;
    } words[] = {{"read", ACCESS_READ},
                 {"write", ACCESS_WRITE},
                 {"delete", ACCESS_DELETE},
                 {"run", ACCESS_RUN}};

    for (size_t i = 0; i < COUNT(words); i++)
        if (str_is(text, words[i].name)) {
            *(unsigned *)to |= words[i].access;
            return STATUS_OK;
        }
    return unknown_word(at, "access", text, err);
}

struct texts {
    struct arena *arena;
    struct strs *out;
};

static enum status take_text(void *to, struct str text, const struct value *at, struct error *err)
{
    struct texts *t = to;

    (void)at;
    (void)err;
    LIST_PUSH(t->arena, t->out, str_copy(t->arena, text));
    return STATUS_OK;
}

enum status entry_texts(struct policy_reader *r, const struct value *v, struct strs *out,
                        struct error *err)
{
    return each_text(v, err, take_text, &(struct texts){r->arena, out});
}

/* x.org, *.x.org: no port, no path. */
static enum status take_host(void *to, struct str text, const struct value *at, struct error *err)
{
    struct str rest = str_starts(text, STR("*.")) ? str_from_byte(text, 2) : text;

    for (size_t i = 0; i < rest.len; i++)
        if (!ascii_is_alnum(rest.s[i]) && !strchr("-._:[]", rest.s[i]))
            return fail_at(err, STATUS_SYNTAX, at->line, at->column,
                           "a host is a name, or *. and a name");
    return take_text(to, text, at, err);
}

enum status entry_hosts(struct policy_reader *r, const struct value *v, struct strs *out,
                        struct error *err)
{
    return each_text(v, err, take_host, &(struct texts){r->arena, out});
}

/* ---- objects ---- */

struct terms {
    struct policy_reader *reading;
    enum path_spelling spelling;
    struct rule_when when;
    struct rule_within within;
};

struct term {
    const char *name;
    enum status (*read)(struct terms *t, const struct value *v, struct error *err);
};

static enum status read_terms(struct terms *t, const struct value *v, const struct term *rows,
                              size_t count, struct error *err)
{
    enum status status = STATUS_OK;

    if (v->kind != VALUE_OBJECT)
        return entry_wrong(v, "an object", err);
    if (!v->count)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column, "an empty object");
    for (size_t i = 0; !status && i < v->count; i++) {
        size_t n = 0;
        while (n < count && !str_is(v->members[i].key, rows[n].name))
            n++;
        status = n < count ? rows[n].read(t, &v->members[i].value, err)
                           : fail_at(err, STATUS_SYNTAX, v->members[i].line, v->members[i].column,
                                     "unknown key \"%.*s\"",
                                     (int)(v->members[i].key.len < 80 ? v->members[i].key.len : 80),
                                     v->members[i].key.s);
    }
    return status;
}

/* ---- when ---- */

static enum status when_agent(struct terms *t, const struct value *v, struct error *err)
{
    return entry_texts(t->reading, v, &t->when.agents, err);
}

static enum status when_mode(struct terms *t, const struct value *v, struct error *err)
{
    return each_text(v, err, take_mode_bit, &t->when.modes);
}

static enum status when_client(struct terms *t, const struct value *v, struct error *err)
{
    return entry_texts(t->reading, v, &t->when.clients, err);
}

static enum status when_project(struct terms *t, const struct value *v, struct error *err)
{
    return entry_texts(t->reading, v, &t->when.projects, err);
}

static enum status when_worktree(struct terms *t, const struct value *v, struct error *err)
{
    if (v->kind != VALUE_BOOL)
        return entry_wrong(v, "true or false", err);
    t->when.in_worktree = v->boolean;
    t->when.not_in_worktree = !v->boolean;
    return STATUS_OK;
}

/* A date means all of that day, in UTC. */
static enum status when_until(struct terms *t, const struct value *v, struct error *err)
{
    int64_t ms;
    bool timed = stamp_parse(v->text, &ms);

    if ((v->kind != VALUE_STRING && v->kind != VALUE_TIME) ||
        (!timed && (v->text.len != STR("2026-01-31").len || !stamp_parse_since(v->text, 0, &ms))))
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "expected a date (2026-12-31) or a time (2026-12-31T18:00:00Z)");
    t->when.until = ms / 1000 + (timed ? 0 : DAY_SECONDS);
    return STATUS_OK;
}

static enum status when_for(struct terms *t, const struct value *v, struct error *err)
{
    int64_t ms = 0;

    if (v->kind != VALUE_STRING || !v->text.len || str_has(v->text, '-') ||
        !stamp_parse_since(v->text, 0, &ms) || ms >= 0)
        return fail_at(err, STATUS_SYNTAX, v->line, v->column,
                       "expected a time since the session began: 30m, 2h, 7d");
    t->when.for_seconds = -ms / 1000;
    return STATUS_OK;
}

enum status entry_when(struct policy_reader *r, const struct value *v, const struct rule_when **out,
                       struct error *err)
{
    static const struct term rows[] = {
        {"agent", when_agent},     {"mode", when_mode},         {"client", when_client},
        {"project", when_project}, {"worktree", when_worktree}, {"until", when_until},
        {"for", when_for},
    };
    struct terms t = {.reading = r};
    enum status status = read_terms(&t, v, rows, COUNT(rows), err);
    struct rule_when *when = ARENA_NEW(r->arena, struct rule_when);

    *when = t.when;
    *out = when;
    return status;
}

/* ---- within ---- */

static enum status within_effects(struct terms *t, const struct value *v, struct error *err)
{
    return entry_effects(v, &t->within.effects, err);
}

static enum status within_access(struct terms *t, const struct value *v, struct error *err)
{
    return each_text(v, err, take_access, &t->within.access);
}

static enum status within_hosts(struct terms *t, const struct value *v, struct error *err)
{
    return entry_hosts(t->reading, v, &t->within.hosts, err);
}

static enum status within_paths(struct terms *t, const struct value *v, struct error *err)
{
    return entry_paths(t->reading, v, t->spelling, &t->within.paths, err);
}

static enum status within_options(struct terms *t, const struct value *v, struct error *err)
{
    return entry_texts(t->reading, v, &t->within.options, err);
}

enum status entry_within(struct policy_reader *r, const struct value *v,
                         enum path_spelling spelling, const struct rule_within **out,
                         struct error *err)
{
    static const struct term rows[] = {
        {"effects", within_effects}, {"access", within_access},   {"hosts", within_hosts},
        {"paths", within_paths},     {"options", within_options},
    };
    struct terms t = {.reading = r, .spelling = spelling};
    enum status status = read_terms(&t, v, rows, COUNT(rows), err);
    struct rule_within *within = ARENA_NEW(r->arena, struct rule_within);

    *within = t.within;
    *out = within;
    return status;
}

/* ---- as a text ---- */

static void print_texts(struct buf *b, const char *name, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        buf_text(b, i ? ", " : b->len ? "; " : "");
        if (!i) {
            buf_text(b, name);
            buf_byte(b, ' ');
        }
        buf_add(b, texts->items[i]);
    }
}

static void print_word(struct buf *b, const char *name, struct str word)
{
    struct strs one = {.items = &word, .count = word.len > 0, .room = 1};

    print_texts(b, name, &one);
}

static void print_paths(struct arena *a, struct buf *b, const char *name,
                        const struct rule_paths *paths)
{
    struct strs texts = {0};

    for (size_t i = 0; i < paths->count; i++)
        LIST_PUSH(a, &texts, paths->items[i].text);
    print_texts(b, name, &texts);
}

static void print_when(struct arena *a, struct buf *b, const struct rule_when *w)
{
    char stamp[STAMP_SIZE];

    for (unsigned i = 0; i < MODE_COUNT; i++)
        if (w->modes >> i & 1)
            print_word(b, "when mode", str_from(mode_name((enum mode)i)));
    print_texts(b, "when agent", &w->agents);
    print_texts(b, "when client", &w->clients);
    print_texts(b, "when project", &w->projects);
    if (w->in_worktree || w->not_in_worktree)
        print_word(b, "when worktree", w->in_worktree ? STR("true") : STR("false"));
    if (w->until) {
        stamp_print(w->until * 1000, stamp);
        print_word(b, "until", str_from(stamp));
    }
    if (w->for_seconds)
        print_word(b, "for", str_format(a, "%llds", (long long)w->for_seconds));
}

static void print_within(struct arena *a, struct buf *b, const struct rule_within *w)
{
    print_word(b, "within effects", rule_effects_print(a, w->effects));
    if (w->access)
        print_word(b, "within access", str_format(a, "%u", w->access));
    print_texts(b, "within hosts", &w->hosts);
    print_paths(a, b, "within paths", &w->paths);
    print_texts(b, "within options", &w->options);
}

struct str entry_terms(struct arena *a, const struct rule_more *more)
{
    struct buf b = buf_in(a);

    print_word(&b, "effect", rule_effects_print(a, more->does));
    print_texts(&b, "hosts", &more->hosts);
    if (more->when)
        print_when(a, &b, more->when);
    if (more->within)
        print_within(a, &b, more->within);
    for (size_t i = 0; i < more->unless_count; i++) {
        const struct rule_more *other = rule_more(&more->unless[i]);
        print_word(&b, "unless", more->unless[i].text);
        print_texts(&b, "with", &other->flags);
        print_paths(a, &b, "on", &other->paths);
        print_word(&b, "being", other->terms);
    }
    return buf_str(&b);
}
