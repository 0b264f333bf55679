/* edit_sandbox.c - one more entry in a list of the key "sandbox". Opens no file. */
#include "policy/edit_parts.h"
#include "policy/sandbox.h"

struct job {
    struct edit_reader reader;
    struct str text;
    enum sandbox_list list;
    struct edit_item item;
    struct edit_reading old;
    struct edit *out;
    struct error *err;
    enum status status;
};

/* ---- where it goes ---- */

/* sandbox, network, hosts. */
static void find_keys(struct job *j)
{
    struct str rest = str_from(sandbox_list_key(j->list));

    j->item.keys[j->item.depth++] = STR("sandbox");
    while (rest.len && j->item.depth < COUNT(j->item.keys))
        (void)str_cut(rest, '.', &j->item.keys[j->item.depth++], &rest);
}

/* The list, or else the innermost object that is there, and how many of the keys lead to it. */
static const struct value *find_place(struct job *j, size_t *depth)
{
    const struct value *at = &j->old.document;

    for (*depth = 0; *depth < j->item.depth; (*depth)++) {
        const struct member *next = value_member(at, j->item.keys[*depth]);
        if (!next)
            break;
        at = &next->value;
    }
    if (*depth == j->item.depth)
        j->item.list = at;
    return at;
}

static bool is_flow(const struct edit_text *e, const struct value *v)
{
    const int first = str_byte(e->text, edit_offset_of(e, v));

    return first == '[' || first == '{';
}

/* `network: {hosts: ["x"]}`, from the key at `depth` on. */
static struct str line_of(const struct edit_text *e, const struct edit_item *item, size_t depth)
{
    struct buf b = buf_in(e->arena);

    buf_format(&b, "%.*s: ", STR_ARG(item->keys[depth]));
    for (size_t i = depth + 1; i < item->depth; i++)
        buf_format(&b, "{%.*s: ", STR_ARG(item->keys[i]));
    buf_format(&b, "[%.*s]", STR_ARG(edit_inline(e, item)));
    for (size_t i = depth + 1; i < item->depth; i++)
        buf_byte(&b, '}');
    return buf_str(&b);
}

/* Above the first member of an object that is written by lines; of a document, at its end. */
static void try_line(const struct edit_text *e, const struct edit_item *item,
                     const struct value *object, size_t depth, struct edit_tries *out)
{
    struct str line = str_join(e->arena, line_of(e, item, depth), e->newline);

    if (depth == 0) {
        LIST_PUSH(e->arena, out, edit_at_end(e, line));
        return;
    }
    const struct member *first = object->count ? &object->members[0] : NULL;
    const size_t at = first ? edit_offset(e, first->line, first->column) : 0;
    if (first && edit_first_on_line(e->text, at))
        LIST_PUSH(e->arena, out,
                  (struct edit_try){edit_line_start(e->text, at),
                                    str_join(e->arena, edit_indent(e->text, at), line)});
}

/* In TOML only a list that is there: which table a new line is in, its headers decide. */
static void find_tries(struct job *j, struct edit_tries *out)
{
    struct edit_text e = edit_text_of(&j->reader, j->text, &j->old.document);
    size_t depth;
    const struct value *at = find_place(j, &depth);

    if (!j->text.s && e.syntax == SYNTAX_JSON)
        LIST_PUSH(e.arena, out, (struct edit_try){0, edit_new_json(&e, &j->item)});
    else if (e.syntax == SYNTAX_TOML && (!j->item.list || !is_flow(&e, at)))
        return;
    else if (is_flow(&e, at) && j->item.list)
        edit_list(&e, &j->item, out);
    else if (is_flow(&e, at))
        edit_member(&e, &j->item, at, depth, out);
    else if (e.syntax == SYNTAX_YAML && j->item.list && j->item.list->count)
        edit_yaml(&e, &j->item, out);
    else if (e.syntax == SYNTAX_YAML && !j->item.list)
        try_line(&e, &j->item, at, depth, out);
}

/* ---- the proof ---- */

/* One entry more in that list, in the others as many as before, and every other word as it was. */
static bool is_proven(struct job *j, struct str text)
{
    const struct sandbox_policy *before = &j->old.book.sandbox;
    struct edit_reading new;
    struct error ignored;
    size_t extra = 0;

    if (edit_read(&j->reader, text, &new, &ignored) != STATUS_OK ||
        !edit_has_grown(&j->old.document, &new.document, &extra) || extra != 1)
        return false;
    for (size_t i = 0; i < SANDBOX_LISTS; i++)
        if (new.book.sandbox.lists[i].count != before->lists[i].count + (i == j->list))
            return false;
    return strs_has(&new.book.sandbox.lists[j->list], j->item.text);
}

static bool try_one(struct job *j, const struct edit_try *t)
{
    *j->out = edit_put_in(j->reader.arena, j->text, t);
    return j->out->result.len <= POLICY_TEXT_MAX && is_proven(j, j->out->result);
}

static void run(void *arg)
{
    struct job *j = arg;
    struct edit_tries tries = {0};
    const bool json = document_syntax(j->reader.path) == SYNTAX_JSON;

    j->status = edit_read(&j->reader,
                          j->text.s ? j->text
                          : json    ? STR("{}")
                                    : STR(""),
                          &j->old, j->err);
    if (j->status)
        return;
    if (strs_has(&j->old.book.sandbox.lists[j->list], j->item.text)) {
        *j->out = (struct edit){.already = true, .result = j->text};
        return;
    }
    find_keys(j);
    find_tries(j, &tries);
    for (size_t i = 0; i < tries.count; i++)
        if (try_one(j, &tries.items[i]))
            return;
    j->status = fail(j->err, STATUS_SYNTAX,
                     "sandbox.%s cannot be added to in %.*s without touching the rest of it; "
                     "add it by hand",
                     sandbox_list_key(j->list), STR_ARG(j->reader.path));
}

enum status edit_sandbox(struct arena *a, struct str path, struct str text, enum sandbox_list list,
                         struct str entry, struct edit *out, struct error *err)
{
    struct job j = {
        .reader = {.arena = a, .path = path, .format = FORMAT_WARDER, .dialect = DIALECT_WARDER},
        .text = text,
        .list = list,
        .item = {.text = entry},
        .out = out,
        .err = err};

    *out = (struct edit){0};
    if (!arena_try(a, run, &j) || a->exhausted)
        j.status = fail(err, STATUS_NOMEM, "no memory to edit %.*s", STR_ARG(path));
    regexes_release(&j.reader.regexes);
    if (j.status)
        *out = (struct edit){0};
    return j.status;
}
