#include "decide/update.h"

#include "base/path.h"
#include "call/tool.h"
#include "programs/other_names.h"

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

/* ---- one more change ---- */

static struct str one_name(struct str tool)
{
    const struct tool *row = tool_find(tool);

    return row ? row->name : tool;
}

/* The tool that a rule is about, by one name: `run_shell` is Bash, and so is a pattern on commands.
 * A pattern on paths that denies or asks binds every tool: it has no tool of its own. */
static struct str tool_of(const struct rule *r)
{
    if (r->matcher == MATCH_ACTION)
        return r->effect == BEHAVIOR_ALLOW || !str_has(r->pattern, '/') ? STR("Bash") : r->tool;
    return one_name(r->tool);
}

static bool takes_tool(const struct taken *t, const struct rule *r)
{
    return t->whole ? str_eq(t->tool, tool_of(r))
                    : str_eq(t->tool, r->tool) && str_eq(t->content, r->content);
}

static bool takes(const struct taken *t, const struct rule *r)
{
    return takes_tool(t, r) && (!t->session.len || str_eq(t->session, rule_more(r)->session)) &&
           (!t->only_allow || r->effect == BEHAVIOR_ALLOW) &&
           (!t->of_effect || r->effect == t->effect) && (!t->of_source || r->source == t->source);
}

static bool is_taken(const struct taken_rules *taken, const struct rule *r)
{
    for (size_t i = 0; i < taken->count; i++)
        if (takes(&taken->items[i], r))
            return true;
    return false;
}

/* Everything that the older one takes, the newer one takes as well. */
static bool includes(const struct taken *newer, const struct taken *older)
{
    bool same = newer->whole ? str_eq(newer->tool, one_name(older->tool))
                             : !older->whole && str_eq(newer->tool, older->tool) &&
                                   str_eq(newer->content, older->content);

    return same && (!newer->only_allow || older->only_allow) &&
           (!newer->of_effect || (older->of_effect && older->effect == newer->effect)) &&
           (!newer->of_source || (older->of_source && older->source == newer->source));
}

static bool is_included(const struct taken_rules *newer, const struct taken *older)
{
    for (size_t i = 0; i < newer->count; i++)
        if (includes(&newer->items[i], older))
            return true;
    return false;
}

static bool is_among(const struct rules *rules, const struct rule *r)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *x = &rules->items[i];
        if (x->effect == r->effect && x->source == r->source && x->dialect == r->dialect &&
            str_eq(x->text, r->text) && str_eq(rule_more(x)->session, rule_more(r)->session))
            return true;
    }
    return false;
}

static enum status add_rule(struct arena *a, struct rules *rules, const struct rule *like,
                            struct error *err)
{
    struct rule r;
    enum status status = rule_parse(a, str_copy(a, like->text), like->dialect, &r, err);

    if (status != STATUS_OK)
        return status;
    r.effect = like->effect;
    r.source = like->source;
    if (rule_more(like)->session.len)
        rule_add_more(a, &r)->session = str_copy(a, rule_more(like)->session);
    if (!is_among(rules, &r))
        LIST_PUSH(a, rules, r);
    return STATUS_OK;
}

static enum status parse_rules(struct arena *a, enum dialect dialect, const struct update *u,
                               struct rules *out, struct error *err)
{
    enum status status = STATUS_OK;
    struct rule_more more = {.session = u->session};

    for (size_t i = 0; !status && i < u->rules.count; i++) {
        const struct rule like = {.text = u->rules.items[i],
                                  .dialect = dialect,
                                  .effect = u->behavior,
                                  .source = u->destination,
                                  .more = &more};
        status = add_rule(a, out, &like, err);
    }
    return status;
}

static void take_rules(struct arena *a, const struct taken_rules *from, const struct update *u,
                       const struct rules *given, struct taken_rules *out)
{
    for (size_t i = 0; u->kind != UPDATE_ADD_RULES && i < given->count; i++) {
        const struct rule *r = &given->items[i];
        const bool whole = u->kind == UPDATE_REPLACE_RULES;
        struct taken t = {whole ? tool_of(r) : r->tool,
                          r->content,
                          u->session,
                          .whole = whole,
                          .of_effect = !whole && u->behavior_given,
                          .of_source = !whole && u->destination_given,
                          .effect = u->behavior,
                          .source = u->destination};
        if (!is_included(out, &t) && !is_included(from, &t))
            LIST_PUSH(a, out, t);
    }
    for (size_t i = 0; i < from->count; i++) {
        struct taken t = from->items[i];
        if (is_included(out, &t))
            continue;
        t.tool = str_copy(a, t.tool);
        t.content = str_copy(a, t.content);
        LIST_PUSH(a, out, t);
    }
}

static enum status change_rules(struct arena *a, const struct changes *from, enum dialect dialect,
                                const struct update *u, struct changes *out, struct error *err)
{
    struct rules given = {0};
    struct taken_rules going = {0};
    enum status status = parse_rules(a, dialect, u, &given, err);

    if (status != STATUS_OK)
        return status;
    take_rules(a, &(struct taken_rules){0}, u, &given, &going);
    /* what is taken from one session was added for it: the files stay as they are */
    static const struct update adds = {.kind = UPDATE_ADD_RULES};
    take_rules(a, &from->taken, u->session.len ? &adds : u, &given, &out->taken);
    for (size_t i = 0; !status && i < from->added.count; i++)
        if (!is_taken(&going, &from->added.items[i]))
            status = add_rule(a, &out->added, &from->added.items[i], err);
    for (size_t i = 0; u->kind != UPDATE_REMOVE_RULES && i < given.count; i++)
        if (!is_among(&out->added, &given.items[i]))
            LIST_PUSH(a, &out->added, given.items[i]);
    return status;
}

static bool has_directory(const struct directories *list, struct str path)
{
    for (size_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i].path, path))
            return true;
    return false;
}

static void change_directories(struct arena *a, const struct changes *from, const struct update *u,
                               struct changes *out)
{
    struct strs given = {0};
    bool adds = u->kind == UPDATE_ADD_DIRECTORIES, removes = u->kind == UPDATE_REMOVE_DIRECTORIES;

    for (size_t i = 0; i < u->directories.count; i++)
        LIST_PUSH(a, &given, path_clean(a, u->directories.items[i]));
    for (size_t i = 0; i < from->directories.count; i++) {
        struct directory d = from->directories.items[i];
        if (removes && strs_has(&given, d.path))
            continue;
        d.path = str_copy(a, d.path);
        LIST_PUSH(a, &out->directories, d);
    }
    for (size_t i = 0; i < from->no_directories.count; i++)
        LIST_PUSH(a, &out->no_directories, str_copy(a, from->no_directories.items[i]));
    for (size_t i = 0; i < given.count; i++) {
        if (adds && !has_directory(&out->directories, given.items[i]))
            LIST_PUSH(a, &out->directories, (struct directory){given.items[i], u->destination});
        if (removes && !strs_has(&out->no_directories, given.items[i]))
            LIST_PUSH(a, &out->no_directories, given.items[i]);
    }
}

static void copy_modes(struct arena *a, const struct session_modes *from, struct session_modes *out)
{
    for (size_t i = 0; i < from->count; i++) {
        struct session_mode m = from->items[i];
        m.session = str_copy(a, m.session);
        LIST_PUSH(a, out, m);
    }
}

static enum status check(const struct update *u, struct error *err)
{
    if (u->destination == SOURCE_MANAGED || u->destination == SOURCE_BUILTIN)
        return fail(err, STATUS_USAGE, "%s rules cannot be changed by an update",
                    source_name(u->destination));
    for (size_t i = 0; i < u->directories.count; i++)
        if (!path_is_absolute(u->directories.items[i]))
            return fail(err, STATUS_USAGE, "a directory must be an absolute path");
    if (u->rules.count > CHANGES_MAX || u->directories.count > CHANGES_MAX)
        return fail(err, STATUS_LIMIT, "more than %zu rules or directories in one update",
                    CHANGES_MAX);
    return STATUS_OK;
}

enum status changes_add(struct arena *a, const struct changes *from, enum dialect dialect,
                        const struct update *u, struct changes *out, struct error *err)
{
    enum status status;

    *out = (struct changes){0};
    if ((status = check(u, err)) != STATUS_OK ||
        (status = change_rules(a, from, dialect, u, out, err)) != STATUS_OK)
        return status;
    change_directories(a, from, u, out);
    copy_modes(a, &from->modes, &out->modes);
    if (out->added.count + out->taken.count > CHANGES_MAX ||
        out->directories.count + out->no_directories.count > CHANGES_MAX)
        return fail(err, STATUS_LIMIT, "more than %zu rules or directories were changed by updates",
                    CHANGES_MAX);
    return STATUS_OK;
}

enum status changes_copy(struct arena *a, const struct changes *from, struct changes *out,
                         struct error *err)
{
    const struct update nothing = {.kind = UPDATE_ADD_RULES, .destination = SOURCE_SESSION};

    return changes_add(a, from, DIALECT_WARDER, &nothing, out, err);
}

static struct session_mode *find_mode(const struct changes *c, struct str session)
{
    for (size_t i = 0; session.len && i < c->modes.count; i++)
        if (str_eq(c->modes.items[i].session, session))
            return &c->modes.items[i];
    return NULL;
}

enum status changes_set_mode(struct arena *a, struct changes *c, struct str session,
                             const struct session *set, struct error *err)
{
    const struct session_mode mode = {str_copy(a, session), set->mode, set->prior, set->has_prior};
    struct session_mode *before = find_mode(c, session);

    if (before)
        *before = mode;
    else if (c->modes.count >= CHANGES_MAX)
        return fail(err, STATUS_LIMIT, "more than %zu sessions have a mode of their own",
                    CHANGES_MAX);
    else
        LIST_PUSH(a, &c->modes, mode);
    return STATUS_OK;
}

void changes_mode(const struct changes *c, struct str session, struct session *s)
{
    const struct session_mode *m = find_mode(c, session);

    if (!m)
        return;
    s->has_mode = true;
    s->mode = m->mode;
    s->has_prior = m->has_prior;
    s->prior = m->prior;
}

void changes_end_session(struct arena *a, const struct changes *from, struct str session,
                         struct changes *out)
{
    *out = *from;
    out->added = (struct rules){0};
    out->modes = (struct session_modes){0};
    for (size_t i = 0; i < from->modes.count; i++)
        if (!str_eq(from->modes.items[i].session, session))
            LIST_PUSH(a, &out->modes, from->modes.items[i]);
    for (size_t i = 0; i < from->added.count; i++)
        if (!str_eq(rule_more(&from->added.items[i])->session, session))
            LIST_PUSH(a, &out->added, from->added.items[i]);
}

void changes_reread(struct changes *c)
{
    for (size_t i = 0; i < c->taken.count; i++)
        c->taken.items[i].only_allow = true;
}

/* ---- the book with all of them ---- */

static bool is_fixed(enum source source)
{
    return source == SOURCE_MANAGED || source == SOURCE_BUILTIN;
}

static size_t rank(const struct profile *p, enum source source)
{
    size_t r = 0;

    while (r < SOURCE_COUNT && p->order[r] != source)
        r++;
    return source == SOURCE_MANAGED ? 0 : r + 1;
}

/* What is left of the book's own rules. */
static void keep_rules(struct arena *a, const struct rules *from, const struct taken_rules *taken,
                       struct rules *out)
{
    *out = (struct rules){0};
    for (size_t i = 0; i < from->count; i++)
        if (is_fixed(from->items[i].source) || !is_taken(taken, &from->items[i]))
            LIST_PUSH(a, out, from->items[i]);
}

/* New rules that count: managed policy may let no other allow rules count than its own. */
static void find_new(struct arena *a, const struct rulebook *book, const struct rules *kept,
                     const struct changes *c, struct str project, struct rules *out)
{
    for (size_t i = 0; i < c->added.count; i++) {
        struct rule r = c->added.items[i];
        if ((book->managed_rules_only && r.effect == BEHAVIOR_ALLOW) || is_among(kept, &r))
            continue;
        r.base = project;
        LIST_PUSH(a, out, r);
    }
}

static void push_rank(struct arena *a, const struct profile *profile, size_t wanted,
                      const struct rules *from, struct rules *out)
{
    for (size_t i = 0; i < from->count; i++)
        if (rank(profile, from->items[i].source) == wanted)
            LIST_PUSH(a, out, from->items[i]);
}

/* New rules come after those of the same or a stronger source: first-match models read the book
 * from the top. */
static void apply_rules(struct arena *a, const struct profile *profile, const struct rulebook *book,
                        const struct changes *c, struct str project, struct rules *out)
{
    struct rules kept, added = {0};

    keep_rules(a, &book->rules, &c->taken, &kept);
    find_new(a, book, &kept, c, project, &added);
    *out = kept;
    if (added.count == 0)
        return;
    *out = (struct rules){0};
    for (size_t r = 0; r <= SOURCE_COUNT + 1; r++) {
        push_rank(a, profile, r, &kept, out);
        push_rank(a, profile, r, &added, out);
    }
}

static void apply_directories(struct arena *a, const struct directories *from,
                              const struct changes *c, struct directories *out)
{
    *out = (struct directories){0};
    for (size_t i = 0; i < from->count; i++)
        if (from->items[i].source == SOURCE_MANAGED ||
            !strs_has(&c->no_directories, from->items[i].path))
            LIST_PUSH(a, out, from->items[i]);
    for (size_t i = 0; i < c->directories.count; i++)
        if (!has_directory(out, c->directories.items[i].path))
            LIST_PUSH(a, out, c->directories.items[i]);
}

void changes_apply(struct arena *a, const struct rulebook *book, const struct profile *profile,
                   const struct changes *c, struct str project, struct rulebook *out)
{
    *out = *book;
    apply_rules(a, profile, book, c, project, &out->rules);
    rulebook_index(a, out, &program_name_lists);
    apply_directories(a, &book->directories, c, &out->directories);
    rulebook_fingerprint(a, out, book->fingerprint);
}

void session_set_mode(struct session *s, const struct rulebook *book, enum mode mode)
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

enum status update_apply(struct arena *a, const struct rulebook *book,
                         const struct profile *profile, const struct update *u,
                         struct session *session, struct rulebook *out, struct error *err)
{
    static const struct changes none;
    struct changes changes;
    enum status status = changes_add(a, &none, profile->dialect, u, &changes, err);

    if (status != STATUS_OK)
        return status;
    if (u->kind == UPDATE_SET_MODE)
        session_set_mode(session, book, u->mode);
    changes_apply(a, book, profile, &changes, (struct str){0}, out);
    return STATUS_OK;
}
