/* edit_plan.c - where one rule goes in a text, and the proof that nothing else changed. Opens no
 * file. */
#include "base/json.h"
#include "policy/edit_parts.h"
#include "programs/programs.h"
#include "rule/lint.h"

/* Where each format keeps the rules of one behaviour. */
static const struct {
    const char *parent;       /* NULL: at the top */
    const char *by_effect[3]; /* NULL: the format cannot express it */
    bool rows;                /* one list for all, in the order they are tried */
} layouts[FORMAT_COUNT] = {
    [FORMAT_SETTINGS] =
        {"permissions",
         {[BEHAVIOR_ALLOW] = "allow", [BEHAVIOR_ASK] = "ask", [BEHAVIOR_DENY] = "deny"},
         false},
    [FORMAT_CALIBAN] =
        {NULL,
         {[BEHAVIOR_ALLOW] = "rule", [BEHAVIOR_ASK] = "rule", [BEHAVIOR_DENY] = "rule"},
         true},
    [FORMAT_GUILD] = {NULL, {[BEHAVIOR_ALLOW] = "accept", [BEHAVIOR_DENY] = "deny"}, false},
    [FORMAT_WARDER] =
        {NULL,
         {[BEHAVIOR_ALLOW] = "allow", [BEHAVIOR_ASK] = "ask", [BEHAVIOR_DENY] = "deny"},
         false},
};

struct plan {
    struct edit_reader reader;
    struct str text;
    const struct edit_rule *given;
    struct rule rule;
    struct value entry; /* given->entry, read */
    struct edit_reading old;
    struct edit *out;
    struct error *err;
    enum status status;
};

/* ---- reading ---- */

enum status edit_read(struct edit_reader *e, struct str text, struct edit_reading *out,
                      struct error *err)
{
    static const unsigned char ranks[SOURCE_COUNT];

    *out = (struct edit_reading){0};
    enum status status =
        document_read(e->arena, document_syntax(e->path), text, &out->document, err);
    if (status)
        return status;
    if (e->format == FORMAT_UNKNOWN)
        e->format = schema_recognise(e->path, &out->document);

    struct policy_reader r = {.arena = e->arena,
                              .book = &out->book,
                              .regexes = &e->regexes,
                              .rank = ranks,
                              .file = e->path,
                              .source = SOURCE_USER,
                              .dialect = e->dialect,
                              .trusted = true};
    schema_read(&r, e->format, &out->document);
    const struct problem *broken = rulebook_broken(&out->book);
    return broken ? fail_at(err, STATUS_SYNTAX, broken->line, broken->column, "%.*s",
                            STR_ARG(broken->message))
                  : STATUS_OK;
}

/* As the format will read it; see schema_read() and entry.c. */
static enum dialect dialect_of(const struct plan *p)
{
    if (p->reader.format == FORMAT_CALIBAN)
        return DIALECT_FIRST_ARG;
    if (p->reader.format == FORMAT_GUILD)
        return DIALECT_ACTION;
    return p->reader.format == FORMAT_SETTINGS && p->given->dialect == DIALECT_FIRST_ARG
               ? DIALECT_WARDER
               : p->given->dialect;
}

static enum status read_rule(struct plan *p)
{
    struct error cause = {0};

    if (p->given->entry.len) {
        enum status status = json_read(p->reader.arena, p->given->entry, NULL, &p->entry, p->err);
        if (status || p->given->row)
            return status;
    }
    if (rule_parse(p->reader.arena, p->given->text, dialect_of(p), &p->rule, &cause))
        return fail(p->err, cause.status, "the rule cannot be read: %s (byte %u)", cause.message,
                    cause.column);
    p->rule.effect = p->given->effect;
    return STATUS_OK;
}

/* ---- the present rules ---- */

static bool is_short(const struct rule *r)
{
    const struct rule_more *more = rule_more(r);

    return more->flags.count == 0 && more->paths.count == 0 && more->regex.len == 0;
}

static bool is_same(const struct plan *p, const struct rule *r)
{
    if (p->given->entry.len && !str_eq(rule_about(r)->id, value_text(&p->entry, "id")))
        return false;
    return r->effect == p->rule.effect && r->dialect == p->rule.dialect &&
           str_eq(r->text, p->rule.text) && is_short(r);
}

static bool is_decider(const struct plan *p, const struct rule *r)
{
    return p->given->above_line && r->line == p->given->above_line &&
           r->column == p->given->above_column;
}

/* If the first match wins: the first rule that would hide the new one below it. NULL: none. */
static const struct rule *shadow(const struct plan *p)
{
    const struct rules *rules = &p->old.book.rules;

    for (size_t i = 0; layouts[p->reader.format].rows && i < rules->count; i++) {
        const struct rule *r = &rules->items[i];
        if (is_same(p, r))
            return NULL;
        if (r->effect != p->rule.effect &&
            (is_decider(p, r) || rule_covers(p->reader.arena, r, &p->rule)))
            return r;
    }
    return NULL;
}

/* One row of a program is enough. */
static bool row_is_there(const struct plan *p)
{
    const struct program_rows *rows = p->old.book.programs;

    for (size_t i = 0; rows && i < rows->count; i++)
        if (str_is(value_text(&p->entry, "name"), rows->items[i].name))
            return true;
    return false;
}

static bool stands_there(const struct plan *p)
{
    const struct rules *rules = &p->old.book.rules;

    if (p->given->row)
        return row_is_there(p);
    for (size_t i = 0; i < rules->count; i++)
        if (is_same(p, &rules->items[i]))
            return true;
    return false;
}

/* ---- where it goes ---- */

static const struct value *find_at(const struct value *list, const struct rule *r)
{
    for (size_t i = 0; r && list && i < list->count; i++)
        if (list->items[i].line == r->line && list->items[i].column == r->column)
            return &list->items[i];
    return NULL;
}

/* Rows may be under three names; the list with the shadowing rule is taken, else the first existing
 * one. */
static void find_rows(const struct plan *p, const struct rule *above, struct edit_item *item)
{
    const struct value *const lists[] = {
        value_get(&p->old.document, "rule"),
        value_get(&p->old.document, "rules"),
        value_get(value_get(&p->old.document, "permissions"), "rules"),
    };

    for (size_t i = 0; i < COUNT(lists) && !item->above; i++) {
        item->above = find_at(lists[i], above);
        if (item->above || (!item->list && lists[i]))
            item->list = lists[i];
    }
    /* "After everything" means in the last of them: they are read in this order. */
    for (size_t i = 0; i < COUNT(lists) && !above; i++)
        if (lists[i])
            item->list = lists[i];
}

static struct edit_item item_of(const struct plan *p, const char *name, const struct rule *above)
{
    struct edit_item item = {.text = p->rule.text,
                             .row = layouts[p->reader.format].rows,
                             .action = str_from(behavior_name(p->rule.effect))};
    const struct value *object = &p->old.document;

    if (p->given->entry.len)
        item.entry = &p->entry;
    if (layouts[p->reader.format].parent) {
        item.keys[item.depth++] = str_from(layouts[p->reader.format].parent);
        object = value_get(object, layouts[p->reader.format].parent);
    }
    item.keys[item.depth++] = str_from(name);
    if (item.row)
        find_rows(p, above, &item);
    else
        item.list = value_get(object, name);
    return item;
}

static void try_json(const struct edit_text *e, const struct edit_item *item,
                     struct edit_tries *out)
{
    const struct value *object =
        item->depth > 1 ? value_get(e->document, item->keys[0].s) : e->document;

    if (item->list)
        edit_list(e, item, out);
    else if (object)
        edit_member(e, item, object, item->depth - 1, out);
    else
        edit_member(e, item, e->document, 0, out);
}

/* JSON: the indentation of the outermost members. */
static struct str unit_of(const struct edit_text *e)
{
    if (e->syntax == SYNTAX_JSON && e->document->count) {
        const struct member *m = &e->document->members[0];
        size_t at = edit_offset(e, m->line, m->column);
        struct str indent = edit_indent(e->text, at);
        if (edit_first_on_line(e->text, at) && indent.len)
            return indent;
    }
    return STR("  ");
}

struct edit_text edit_text_of(const struct edit_reader *r, struct str text,
                              const struct value *document)
{
    struct edit_text e = {.arena = r->arena,
                          .syntax = document_syntax(r->path),
                          .text = text_without_mark(text),
                          .newline = edit_newline(text),
                          .document = document};

    if (e.syntax == SYNTAX_UNKNOWN)
        e.syntax = str_starts(str_trim(e.text), STR("{")) ? SYNTAX_JSON : SYNTAX_YAML;
    edit_find_lines(&e);
    e.unit = unit_of(&e);
    return e;
}

static void find_tries(const struct plan *p, const struct edit_item *item, struct edit_tries *out)
{
    struct edit_text e = edit_text_of(&p->reader, p->text, &p->old.document);

    if (!p->text.s && e.syntax == SYNTAX_JSON)
        LIST_PUSH(p->reader.arena, out, (struct edit_try){0, edit_new_json(&e, item)});
    else if (e.syntax == SYNTAX_JSON)
        try_json(&e, item, out);
    else if (e.syntax == SYNTAX_TOML)
        edit_toml(&e, item, out);
    else
        edit_yaml(&e, item, out);
}

/* ---- the proof ---- */

static bool part_has_grown(const struct value *before, size_t i, const struct value *after,
                           size_t n, size_t *extra)
{
    if (n >= after->count)
        return false;
    if (before->kind != VALUE_OBJECT)
        return edit_has_grown(&before->items[i], &after->items[n], extra);
    return str_eq(before->members[i].key, after->members[n].key) &&
           edit_has_grown(&before->members[i].value, &after->members[n].value, extra);
}

/* Equal, except for `*extra` new items and members. More than one on the same level is refused at
 * once. */
bool edit_has_grown(const struct value *before, const struct value *after, size_t *extra)
{
    size_t skipped = 0, more = after->count - before->count;

    if (before->kind != after->kind || before->boolean != after->boolean ||
        !str_eq(before->text, after->text) || more > 1)
        return false;
    *extra += more;
    for (size_t i = 0; i < before->count; i++) {
        size_t inside = 0;
        while (!part_has_grown(before, i, after, i + skipped, &inside)) {
            inside = 0;
            if (skipped++ == more)
                return false;
        }
        *extra += inside;
    }
    return true;
}

/* Their other members are in the document, which was compared. */
bool edit_reads_alike(const struct rule *a, const struct rule *b)
{
    return a->effect == b->effect && a->dialect == b->dialect && str_eq(a->text, b->text);
}

static bool all_alike(const struct rules *a, const struct rules *b)
{
    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (!edit_reads_alike(&a->items[i], &b->items[i]))
            return false;
    return a->count == b->count;
}

/* All old rules in their order, and among them the new one. */
static const struct rule *new_rule(const struct plan *p, const struct rules *after)
{
    const struct rules *before = &p->old.book.rules;
    size_t at = 0;

    if (after->count != before->count + 1)
        return NULL;
    while (at < before->count && edit_reads_alike(&before->items[at], &after->items[at]))
        at++;
    for (size_t i = at; i < before->count; i++)
        if (!edit_reads_alike(&before->items[i], &after->items[i + 1]))
            return NULL;
    return is_same(p, &after->items[at]) ? &after->items[at] : NULL;
}

static bool is_proven(struct plan *p, struct str text, uint32_t *line)
{
    struct edit_reading new;
    struct error ignored;
    size_t extra = 0;

    if (edit_read(&p->reader, text, &new, &ignored) != STATUS_OK)
        return false;
    if (!edit_has_grown(&p->old.document, &new.document, &extra) || extra != 1)
        return false;
    *line = 0;
    if (p->given->row)
        return all_alike(&p->old.book.rules, &new.book.rules);
    const struct rule *added = new_rule(p, &new.book.rules);
    *line = added ? added->line : 0;
    return added != NULL;
}

struct edit edit_put_in(struct arena *a, struct str text, const struct edit_try *t)
{
    const size_t at = t->at + (text.len - text_without_mark(text).len);
    struct buf b = buf_in(a);

    buf_add(&b, str_slice(text, 0, at));
    buf_add(&b, t->insert);
    buf_add(&b, str_from_byte(text, at));
    return (struct edit){.at = at, .insert = t->insert, .result = buf_str(&b)};
}

static bool try_one(struct plan *p, const struct edit_try *t)
{
    *p->out = edit_put_in(p->reader.arena, p->text, t);
    return p->out->result.len <= POLICY_TEXT_MAX && is_proven(p, p->out->result, &p->out->line);
}

/* ---- all of it ---- */

static enum status insert(struct plan *p, const char *name, const struct rule *above)
{
    struct edit_item item = item_of(p, name, above);
    struct edit_tries tries = {0};

    find_tries(p, &item, &tries);
    for (size_t i = 0; i < tries.count; i++)
        if (try_one(p, &tries.items[i]))
            return STATUS_OK;
    *p->out = (struct edit){0};
    return fail(p->err, STATUS_SYNTAX,
                "a rule cannot be added to %.*s without touching the rest of it; add it by hand",
                STR_ARG(p->reader.path));
}

/* A missing file counts as an empty one; which text that is depends on the syntax. */
static enum status read_old(struct plan *p)
{
    bool json = document_syntax(p->reader.path) == SYNTAX_JSON;

    return edit_read(&p->reader, p->text.s ? p->text : json ? STR("{}") : STR(""), &p->old, p->err);
}

/* A test of the file that a new rule of this behavior may break: then the whole file would no
 * longer load. Whether it does cannot be judged here. */
static const struct example *find_test(const struct plan *p)
{
    const struct examples *examples = &p->old.book.examples;

    for (size_t i = 0; i < examples->count; i++)
        if (examples->items[i].kind == EXAMPLE_VERDICT &&
            examples->items[i].wanted != p->rule.effect)
            return &examples->items[i];
    return NULL;
}

static void run(void *arg)
{
    struct plan *p = arg;

    p->status = read_old(p);
    if (!p->status)
        p->status = read_rule(p);
    if (p->status)
        return;
    const char *name =
        p->given->row ? "programs" : layouts[p->reader.format].by_effect[p->rule.effect];
    const struct rule *above = p->given->row ? NULL : shadow(p);
    if (p->given->entry.len && p->reader.format != FORMAT_WARDER)
        p->status =
            fail(p->err, STATUS_USAGE, "%.*s cannot contain such rules", STR_ARG(p->reader.path));
    else if (!name)
        p->status = fail(p->err, STATUS_USAGE, "%.*s cannot contain %s rules",
                         STR_ARG(p->reader.path), behavior_name(p->rule.effect));
    else if (!above && stands_there(p))
        *p->out = (struct edit){.already = true, .result = p->text};
    else if (above && above->effect == BEHAVIOR_DENY)
        p->status = fail_at(p->err, STATUS_USAGE, above->line, above->column,
                            "the deny rule here comes first and wins: change %.*s by hand",
                            STR_ARG(p->reader.path));
    else if (find_test(p))
        p->status = fail_at(p->err, STATUS_USAGE, find_test(p)->line, find_test(p)->column,
                            "the test here may fail with a new rule: change %.*s by hand",
                            STR_ARG(p->reader.path));
    else
        p->status = insert(p, name, above);
}

enum status edit_plan(struct arena *a, struct str path, struct str text, enum format format,
                      const struct edit_rule *rule, struct edit *out, struct error *err)
{
    struct plan p = {
        .reader = {.arena = a, .path = path, .format = format, .dialect = rule->dialect},
        .text = text,
        .given = rule,
        .out = out,
        .err = err};

    *out = (struct edit){0};
    /* The readers have doors of their own: running out of memory inside one must not look like a
     * wrong text. */
    if (!arena_try(a, run, &p) || a->exhausted)
        p.status = fail(err, STATUS_NOMEM, "no memory to edit %.*s", STR_ARG(path));
    regexes_release(&p.reader.regexes);
    if (p.status)
        *out = (struct edit){0};
    return p.status;
}

/* ---- taking it back ---- */

static size_t count_of(struct str text, struct str part, size_t *at)
{
    size_t count = 0;

    for (size_t i = 0; part.len && i + part.len <= text.len; i++)
        if (memcmp(text.s + i, part.s, part.len) == 0) {
            *at = i;
            count++;
        }
    return count;
}

struct cut {
    struct plan plan;
    struct str inserted;
};

/* The proof is the one of an insertion, read the other way. */
static void cut(void *arg)
{
    struct cut *c = arg;
    struct plan *p = &c->plan;
    struct edit_reading shorter;
    size_t at = 0, extra = 0, found = count_of(p->text, c->inserted, &at);

    p->status = read_old(p);
    if (p->status)
        return;
    struct str result = str_join(p->reader.arena, str_slice(p->text, 0, at),
                                 str_from_byte(p->text, at + c->inserted.len));
    if (!str_trim(result).len && document_syntax(p->reader.path) == SYNTAX_JSON)
        result = STR("{}\n"); /* an empty file is none */
    *p->out = (struct edit){.at = at, .insert = c->inserted, .result = result};
    if (found != 1)
        p->status = fail(p->err, STATUS_USAGE, "%.*s has no longer what was written there",
                         STR_ARG(p->reader.path));
    else if (edit_read(&p->reader, result, &shorter, p->err) != STATUS_OK ||
             !edit_has_grown(&shorter.document, &p->old.document, &extra) || extra != 1)
        p->status = fail(p->err, STATUS_SYNTAX,
                         "the rule cannot be taken out of %.*s without touching the rest of it; "
                         "change it by hand",
                         STR_ARG(p->reader.path));
}

enum status edit_take_back(struct arena *a, struct str path, struct str text, enum format format,
                           enum dialect dialect, struct str inserted, struct edit *out,
                           struct error *err)
{
    const struct edit_rule given = {.dialect = dialect};
    struct cut c = {
        .plan = {.reader = {.arena = a, .path = path, .format = format, .dialect = dialect},
                 .text = text,
                 .given = &given,
                 .out = out,
                 .err = err},
        .inserted = inserted};

    *out = (struct edit){0};
    if (!arena_try(a, cut, &c) || a->exhausted)
        c.plan.status = fail(err, STATUS_NOMEM, "no memory to edit %.*s", STR_ARG(path));
    regexes_release(&c.plan.reader.regexes);
    if (c.plan.status)
        *out = (struct edit){0};
    return c.plan.status;
}
