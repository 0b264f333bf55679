#include "cli/mcp_head.h"

#include <string.h>

#include "base/ascii.h"

static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && (s.s[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", s.s[i])))
            return false;
    return s.len > 0;
}

static bool is_value(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (ascii_is_control(s.s[i]) && s.s[i] != '\t')
            return false;
    return true;
}

/* Headers that decide something: a second one could be the one that others read. */
static bool is_single(struct str name)
{
    static const char *const names[] = {"host",         "origin",        "content-length",
                                        "content-type", "authorization", "transfer-encoding",
                                        "expect"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eq_nocase(name, str_from(names[i])))
            return true;
    return str_eq_nocase(str_slice(name, 0, 4), STR("mcp-"));
}

static bool read_field(struct str line, struct mcp_head *out)
{
    struct mcp_field f;

    if (out->count == MCP_FIELDS_MAX || !str_cut(line, ':', &f.name, &f.value) ||
        !is_token(f.name) || !is_value(f.value))
        return false;
    f.value = str_trim(f.value);
    for (size_t i = 0; is_single(f.name) && i < out->count; i++)
        if (str_eq_nocase(out->fields[i].name, f.name))
            return false;
    out->fields[out->count++] = f;
    return true;
}

/* A line ends with CR LF, and neither is anywhere else. */
static bool next_line(struct str *text, struct str *line)
{
    size_t at = 0;

    while (at < text->len && text->s[at] != '\r' && text->s[at] != '\n')
        at++;
    *line = str_slice(*text, 0, at);
    if (at == text->len) {
        *text = str_from_byte(*text, at);
        return true;
    }
    if (text->s[at] != '\r' || at + 1 >= text->len || text->s[at + 1] != '\n')
        return false;
    *text = str_from_byte(*text, at + 2);
    return true;
}

bool mcp_head_read(struct str text, struct mcp_head *out)
{
    struct str line;

    out->count = 0;
    if (!next_line(&text, &out->first) || !is_value(out->first))
        return false;
    while (text.len)
        if (!next_line(&text, &line) || !read_field(line, out))
            return false;
    return true;
}

struct str mcp_head_get(const struct mcp_head *head, const char *name)
{
    for (size_t i = 0; i < head->count; i++)
        if (str_eq_nocase(head->fields[i].name, str_from(name)))
            return head->fields[i].value;
    return (struct str){0};
}

bool mcp_head_length(const struct mcp_head *head, size_t max, size_t *out)
{
    const struct str text = mcp_head_get(head, "content-length");

    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.s[i]) || *out > max)
            return false;
        *out = *out * 10 + (size_t)(text.s[i] - '0');
    }
    return text.len > 0 && *out <= max;
}
