#include "policy/schema.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/nearest.h"
#include "base/path.h"

static void (*const readers[])(struct policy_reader *r, const struct value *document) = {
    [FORMAT_UNKNOWN] = NULL,     [FORMAT_SETTINGS] = settings_read, [FORMAT_CALIBAN] = caliban_read,
    [FORMAT_GUILD] = guild_read, [FORMAT_WARDER] = warder_read,     [FORMAT_STORED] = stored_read,
};

_Static_assert(COUNT(readers) == FORMAT_COUNT, "every format has a reader");

struct problem schema_place(struct policy_reader *r, const struct value *at)
{
    struct problem p = {.file = r->file, .line = at->line, .column = at->column};

    if (!at->line || !r->text.len)
        return p;
    p.source = excerpt_at(r->text, text_offset(r->text, at->line, at->column));
    p.source.line = str_copy(r->arena, p.source.line); /* the text will be freed */
    return p;
}

uint32_t schema_inside(const struct policy_reader *r, const struct value *v, struct str text,
                       uint32_t byte)
{
    struct str rest = str_from_byte(r->text, text_offset(r->text, v->line, v->column));
    uint32_t quote = rest.len && (rest.s[0] == '"' || rest.s[0] == '\'');

    if (!byte || !str_starts(str_from_byte(rest, quote), text))
        return v->column;
    return v->column + quote + byte - 1;
}

void schema_problem(struct policy_reader *r, bool fatal, const struct value *at, const char *format,
                    ...)
{
    struct problem p;
    char message[512];
    va_list args;

    if (!fatal && r->book->problems.count >= POLICY_WARNINGS_MAX)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    p = schema_place(r, at);
    p.fatal = fatal;
    p.message = str_copy(r->arena, str_from(message));
    LIST_PUSH(r->arena, &r->book->problems, p);
}

void schema_add_rule(struct policy_reader *r, const struct rule *rule)
{
    LIST_PUSH(r->draft ? r->draft : r->arena, &r->book->rules, *rule);
}

bool schema_text(struct policy_reader *r, bool fatal, const struct value *v, struct str *out)
{
    *out = (struct str){"", 0};
    if (v->kind != VALUE_STRING)
        schema_problem(r, fatal, v, "expected a string, not %s", value_kind_name(v->kind));
    else if (v->text.len == 0)
        schema_problem(r, fatal, v, "this is empty");
    else if (str_has(v->text, '\0'))
        schema_problem(r, fatal, v, "a string contains a NUL");
    else
        *out = str_copy(r->arena, v->text); /* the document will be freed */
    return out->len > 0;
}

static const struct schema_key *find_key(const struct schema_key *keys, size_t count,
                                         struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

struct str schema_unknown(struct arena *a, struct str key, const struct nearest *near)
{
    struct str shown = str_slice(key, 0, 80);

    return near->best.len ? str_format(a, "unknown key \"%.*s\"; did you mean \"%.*s\"?",
                                       STR_ARG(shown), STR_ARG(near->best))
                          : str_format(a, "unknown key \"%.*s\"", STR_ARG(shown));
}

static void refuse_unknown(struct policy_reader *r, const struct value *object,
                           const struct schema_key *keys, size_t count)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct member *m = &object->members[i];
        struct value place = {.line = m->line, .column = m->column};
        struct nearest near = nearest_to(m->key);
        if (find_key(keys, count, m->key))
            continue;
        for (size_t k = 0; k < count; k++)
            nearest_try(&near, str_from(keys[k].name));
        schema_problem(r, true, &place, "%s", schema_unknown(r->arena, m->key, &near).s);
    }
}

/* "a list", "true or false, or a string" */
static struct str kinds_text(struct arena *a, unsigned kinds)
{
    static const struct {
        enum value_kind kind;
        const char *text;
    } names[] = {{VALUE_ARRAY, "a list"},
                 {VALUE_OBJECT, "a map of keys and values"},
                 {VALUE_STRING, "a string"},
                 {VALUE_INTEGER, "a number"},
                 {VALUE_BOOL, "true or false"}};
    struct buf b = buf_in(a);

    for (size_t i = 0; i < COUNT(names); i++)
        if (kinds & TAKES(names[i].kind))
            buf_format(&b, "%s%s", b.len ? ", or " : "", names[i].text);
    return buf_str(&b);
}

static void refuse_kind(struct policy_reader *r, const struct schema_key *key,
                        const struct value *v)
{
    struct str kinds = kinds_text(r->arena, key->kinds);

    if (key->kinds & TAKES(VALUE_ARRAY) && v->kind == VALUE_STRING && v->text.len < 80 &&
        !str_has(v->text, '"') && !str_has(v->text, '\\'))
        schema_problem(r, key->fatal, v, "\"%s\" must be %s: write [\"%.*s\"]", key->name, kinds.s,
                       STR_ARG(v->text));
    else
        schema_problem(r, key->fatal, v, "\"%s\" must be %s, not %s", key->name, kinds.s,
                       value_kind_name(v->kind));
}

void schema_take(struct policy_reader *r, const struct value *object, const struct schema_key *keys,
                 size_t count)
{
    if (r->strict)
        refuse_unknown(r, object, keys, count);
    for (size_t i = 0; i < count; i++) {
        const struct value *v = value_get(object, keys[i].name);
        if (!v)
            continue;
        if (keys[i].kinds & TAKES(v->kind))
            keys[i].take(r, v);
        else
            refuse_kind(r, &keys[i], v);
    }
}

static bool is_list(const struct value *v)
{
    return v && v->kind == VALUE_ARRAY;
}

static bool any_item_has(const struct value *list, const char *key)
{
    for (size_t i = 0; is_list(list) && i < list->count; i++)
        if (value_get(&list->items[i], key))
            return true;
    return false;
}

static bool has_rows(const struct value *list)
{
    return any_item_has(list, "action") &&
           (any_item_has(list, "tool") || any_item_has(list, "pattern"));
}

/* A key that our format has and the others do not. */
static bool has_own_key(const struct value *document)
{
    static const char *const shared[] = {"clearances", "deny", "permissions", "rules", "sandbox"};
    size_t count;
    const struct schema_key *keys = warder_keys(&count);

    for (size_t i = 0; i < count; i++)
        if (!STR_IN(str_from(keys[i].name), shared) && value_get(document, keys[i].name))
            return true;
    return false;
}

/* "Bash", "Read(~/.ssh)", "mcp__github": tools begin with a capital, commands hardly ever. */
bool schema_names_tool(struct str text)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-0123456789abcdefghijklmnopqrstuvwxyz";
    size_t len = text.len ? strspn(text.s, word) : 0; /* strings of a document end in a NUL */
    bool begins = len && ((text.s[0] >= 'A' && text.s[0] <= 'Z') || str_starts(text, STR("mcp__")));

    return begins && (len == text.len || text.s[len] == '(');
}

struct str schema_absolute(struct arena *a, struct str path)
{
    bool absolute = str_starts(path, STR("/")) && !str_starts(path, STR("//"));

    return absolute ? str_join(a, STR("/"), path) : path;
}

/* Two formats have a list under "deny": command patterns in one, rules about tools in the other. */
static bool denies_tools(const struct value *list)
{
    for (size_t i = 0; is_list(list) && i < list->count; i++)
        if (list->items[i].kind == VALUE_STRING && schema_names_tool(list->items[i].text))
            return true;
    return any_item_has(list, "rule") || any_item_has(list, "effect");
}

static bool is_guild(struct str name, const struct value *document)
{
    const struct value *deny = value_get(document, "deny");

    if (has_own_key(document))
        return false;
    if (is_list(value_get(document, "accept")))
        return true;
    return is_list(deny) && !value_get(document, "rules") && !str_starts(name, STR("warder.")) &&
           !denies_tools(deny);
}

enum format schema_recognise(struct str path, const struct value *document)
{
    const struct value *permissions = value_get(document, "permissions");
    struct str name = path_base(path);

    if (has_rows(value_get(document, "rule")))
        return FORMAT_CALIBAN;
    if (has_rows(value_get(document, "rules")) && !value_get(document, "deny") &&
        !has_own_key(document))
        return FORMAT_CALIBAN;
    if (is_list(value_get(permissions, "rules")) && !value_get(permissions, "deny") &&
        !value_get(permissions, "ask") && !value_get(permissions, "allow"))
        return FORMAT_CALIBAN;
    if (permissions && !str_starts(name, STR("warder.")))
        return FORMAT_SETTINGS;
    if (is_guild(name, document))
        return FORMAT_GUILD;
    if (str_starts(name, STR("settings.")) || str_starts(name, STR("managed-settings.")))
        return FORMAT_SETTINGS;
    return FORMAT_WARDER;
}

void schema_read(struct policy_reader *r, enum format format, const struct value *document)
{
    /* settings.json is shared between agents: if the profile spells rules differently, Tool(x)
     * keeps its meaning. */
    if (format == FORMAT_SETTINGS && r->dialect == DIALECT_FIRST_ARG)
        r->dialect = DIALECT_WARDER;
    size_t before = r->book->rules.count;

    r->strict = format == FORMAT_WARDER || format == FORMAT_CALIBAN;
    readers[format](r, document);
    r->rules = r->book->rules.count - before;
}
