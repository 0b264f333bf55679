#include "document/document.h"

#include "base/json.h"
#include "document/text.h"
#include "document/toml.h"
#include "document/yaml.h"

static const struct {
    const char *ending;
    enum syntax syntax;
} endings[] = {
    {".json", SYNTAX_JSON}, {".jsonc", SYNTAX_JSON}, {".toml", SYNTAX_TOML},
    {".yaml", SYNTAX_YAML}, {".yml", SYNTAX_YAML},
};

enum syntax document_syntax(struct str path)
{
    for (size_t i = 0; i < COUNT(endings); i++)
        if (str_ends(path, str_from(endings[i].ending)))
            return endings[i].syntax;
    return SYNTAX_UNKNOWN;
}

static enum status read_json(struct arena *a, struct str text, struct value *out, struct error *err)
{
    const struct json_limits limits = {.bytes = POLICY_TEXT_MAX,
                                       .depth = POLICY_DEPTH_MAX,
                                       .values = POLICY_NODES_MAX,
                                       .comments = true,
                                       .commas = true};

    return json_read(a, text_without_mark(text), &limits, out, err);
}

static bool is_before(const struct error *a, const struct error *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

/* If neither accepts it, the error of the reader that got further is the useful one. */
static enum status read_unknown(struct arena *a, struct str text, struct value *out,
                                struct error *err)
{
    struct error toml = {0}, yaml = {0};
    struct str start = str_trim(text_without_mark(text));

    if (start.len && start.s[0] == '{')
        return read_json(a, text, out, err);
    if (toml_read(a, text, out, &toml) == STATUS_OK || yaml_read(a, text, out, &yaml) == STATUS_OK)
        return STATUS_OK;
    const struct error *further = is_before(&toml, &yaml) ? &yaml : &toml;
    return fail_at(err, further->status, further->line, further->column, "%s", further->message);
}

static enum status read_as(struct arena *a, enum syntax syntax, struct str text, struct value *out,
                           struct error *err)
{
    switch (syntax) {
    case SYNTAX_JSON:
        return read_json(a, text, out, err);
    case SYNTAX_TOML:
        return toml_read(a, text, out, err);
    case SYNTAX_YAML:
        return yaml_read(a, text, out, err);
    case SYNTAX_UNKNOWN:
        break;
    }
    return read_unknown(a, text, out, err);
}

enum status document_read(struct arena *a, enum syntax syntax, struct str text, struct value *out,
                          struct error *err)
{
    enum status status = read_as(a, syntax, text, out, err);

    if (status)
        return status;
    /* A text without any value, which YAML reads as null. */
    if (out->kind == VALUE_NULL && out->text.len == 0 && syntax != SYNTAX_JSON)
        *out = (struct value){.kind = VALUE_OBJECT, .line = 1, .column = 1};
    if (out->kind != VALUE_OBJECT)
        return fail_at(err, STATUS_SYNTAX, out->line, out->column,
                       "a policy must be an object with keys, not %s", value_kind_name(out->kind));
    return STATUS_OK;
}
