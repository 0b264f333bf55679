#include "client/strict.h"

#include "base/json.h"
#include "client/field.h"

/* What becomes of the person's session, in words. */
static const char *consequence(const struct registration *row)
{
    return row->reads & READS_OR_STOPS  ? "would not start with"
           : row->reads & READS_GUESSED ? "may ignore"
                                        : "would ignore";
}

static enum status refuse(const struct client *client, const struct registration *row,
                          const struct value *at, struct error *err, const char *what,
                          struct str name)
{
    return fail_at(err, STATUS_SYNTAX, at->line, at->column, "%s %s this file: %s \"%.*s\"",
                   client->title, consequence(row), what, STR_ARG(name));
}

/* ---- syntax ---- */

static enum status read_text(struct arena *a, const struct client *client,
                             const struct registration *row, struct str text, struct value *out,
                             struct error *err)
{
    const struct json_limits limits = {.comments = row->reads & READS_COMMENTS,
                                       .commas = row->reads & READS_COMMAS};
    struct error why = {0};
    enum status status = json_read(a, text, &limits, out, &why);

    if (status == STATUS_OK && out->kind != VALUE_OBJECT)
        return fail(err, STATUS_SYNTAX, "the file must hold an object, not %s",
                    value_kind_name(out->kind));
    if (status != STATUS_SYNTAX) {
        if (status != STATUS_OK && err)
            *err = why;
        return status;
    }
    return fail_at(err, STATUS_SYNTAX, why.line, why.column, "%s %s this file: %s", client->title,
                   consequence(row), why.message);
}

/* ---- keys and kinds ---- */

static enum status check_keys(const struct client *client, const struct registration *row,
                              const struct value *document, struct error *err)
{
    for (size_t i = 0; row->only && i < document->count; i++)
        if (!str_has_word(str_from(row->only), document->members[i].key))
            return refuse(client, row, &document->members[i].value, err, "it does not know",
                          document->members[i].key);
    return STATUS_OK;
}

/* "a|b|c" */
static bool is_one_of(const struct value *v, struct str words)
{
    struct str word;
    bool more = v->kind == VALUE_STRING;

    while (more) {
        more = str_cut(words, '|', &word, &words);
        if (str_eq(word, v->text))
            return true;
    }
    return false;
}

static bool is_kind(const struct value *v, struct str kind)
{
    if (str_is(kind, "text"))
        return v->kind == VALUE_STRING;
    if (str_is(kind, "object"))
        return v->kind == VALUE_OBJECT;
    if (str_is(kind, "list"))
        return v->kind == VALUE_ARRAY;
    if (str_is(kind, "bool"))
        return v->kind == VALUE_BOOL;
    if (str_is(kind, "number"))
        return v->kind == VALUE_INTEGER || v->kind == VALUE_FLOAT;
    return is_one_of(v, kind);
}

/* Also a value of null, which field_at() takes for none. */
static const struct value *value_at(const struct value *v, struct str path)
{
    struct str name;
    bool more = true;

    while (v && more) {
        more = str_cut(path, '.', &name, &path);
        const struct member *m = value_member(v, name);
        v = m ? &m->value : NULL;
    }
    return v;
}

static enum status check_kinds(const struct client *client, const struct registration *row,
                               const struct value *document, struct error *err)
{
    struct str rest = str_from(row->typed), pair, path, kind;

    while (str_next_word(&rest, &pair)) {
        str_cut(pair, '=', &path, &kind);
        const struct value *v = value_at(document, path);
        if (v && !is_kind(v, kind))
            return refuse(client, row, v, err, "it does not accept this value of", path);
    }
    return STATUS_OK;
}

/* ---- lists of hooks ---- */

static bool is_absent_or(const struct value *object, const char *key, enum value_kind kind)
{
    const struct value *v = value_get(object, key);

    return !v || v->kind == kind;
}

static bool is_handler(const struct registration *row, const struct value *v)
{
    struct str type = value_text(v, "type");

    return v->kind == VALUE_OBJECT && str_has_word(str_from(row->handlers), type) &&
           (!str_is(type, "command") || value_text(v, "command").len) &&
           is_absent_or(v, "timeout", VALUE_INTEGER);
}

/* {"matcher": "*", "hooks": [...]} */
static bool is_group(const struct registration *row, const struct value *v)
{
    const struct value *hooks = value_get(v, "hooks");

    if (v->kind == VALUE_OBJECT && !is_absent_or(v, "matcher", VALUE_STRING))
        return false;
    if (!row->handlers)
        return true;
    if (!hooks || hooks->kind != VALUE_ARRAY)
        return false;
    for (size_t i = 0; i < hooks->count; i++)
        if (!is_handler(row, &hooks->items[i]))
            return false;
    return true;
}

static enum status check_lists(const struct client *client, const struct registration *row,
                               const struct value *document, struct error *err)
{
    const struct value *hooks = value_get(document, "hooks");
    struct str rest = str_from(row->lists), event;

    while (hooks && str_next_word(&rest, &event)) {
        const struct member *m = value_member(hooks, event);
        for (size_t i = 0; m && m->value.kind == VALUE_ARRAY && i < m->value.count; i++)
            if (!is_group(row, &m->value.items[i]))
                return refuse(client, row, &m->value.items[i], err,
                              "it does not accept this entry of the hooks for", event);
        if (m && m->value.kind != VALUE_ARRAY)
            return refuse(client, row, &m->value, err, "it does not accept the hooks for", event);
    }
    return STATUS_OK;
}

enum status strict_read(struct arena *a, const struct client *client,
                        const struct registration *row, struct str text, struct value *out,
                        struct error *err)
{
    enum status status;

    if ((status = read_text(a, client, row, text, out, err)) != STATUS_OK ||
        (status = check_keys(client, row, out, err)) != STATUS_OK ||
        (status = check_kinds(client, row, out, err)) != STATUS_OK)
        return status;
    return check_lists(client, row, out, err);
}
