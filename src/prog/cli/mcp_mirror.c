#include "cli/mcp_mirror.h"

#include "base/ascii.h"

/* ---- =?base64?...?= ---- */

static int sextet(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

static bool decode(struct arena *a, struct str text, struct str *out)
{
    char *to = ARENA_ARRAY(a, char, text.len + 1);
    unsigned bits = 0, held = 0;
    size_t len = 0, digits = text.len;

    while (digits && text.len - digits < 2 && text.s[digits - 1] == '=')
        digits--;
    if (text.len % 4 != 0)
        return false;
    for (size_t i = 0; i < digits; i++) {
        int value = sextet(text.s[i]);
        if (value < 0)
            return false;
        bits = (bits << 6 | (unsigned)value) & 0xffffu;
        held += 6;
        if (held >= 8) {
            held -= 8;
            to[len++] = (char)(bits >> held & 0xffu);
        }
    }
    *out = (struct str){to, len};
    return (bits & ((1u << held) - 1)) == 0; /* one spelling for one text */
}

static bool value_of(struct arena *a, struct str header, struct str *out)
{
    const struct str front = STR("=?base64?"), back = STR("?=");

    *out = header;
    if (!str_starts(header, front) || !str_ends(header, back))
        return true;
    return header.len >= front.len + back.len &&
           decode(a, str_slice(header, front.len, header.len - back.len), out);
}

/* ---- comparing ---- */

static const struct {
    const char *method, *param;
} named[] = {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}};

static struct str name_in_body(const struct rpc_message *m, bool *has)
{
    *has = false;
    for (size_t i = 0; i < COUNT(named); i++)
        if (str_is(m->method, named[i].method)) {
            *has = true;
            return value_text(m->params, named[i].param);
        }
    return (struct str){0};
}

static const char *version_fault(const struct mcp_head *head, const struct rpc_message *m,
                                 bool *modern)
{
    const struct str header = mcp_head_get(head, "mcp-protocol-version");
    const struct str body =
        value_text(value_get(m->params, "_meta"), "io.modelcontextprotocol/protocolVersion");

    *modern = str_is(header, MCP_REVISION) || str_is(body, MCP_REVISION);
    return (body.len && !str_eq(header, body)) || (*modern && m->id && !body.len)
               ? "MCP-Protocol-Version is not what _meta says"
               : NULL;
}

/* A header that is there must be right, whatever the revision: who routes by it would be misled. */
const char *mcp_mirror_fault(struct arena *a, const struct mcp_head *head,
                             const struct rpc_message *m)
{
    const struct str method = mcp_head_get(head, "mcp-method");
    const struct str name = mcp_head_get(head, "mcp-name");
    struct str decoded;
    bool modern, has;
    const char *why = version_fault(head, m, &modern);
    const struct str wanted = name_in_body(m, &has);

    if (why)
        return why;
    if ((method.s || (modern && m->id)) && !str_eq(method, m->method))
        return "Mcp-Method is not the method of the message";
    if (name.s && (!has || !value_of(a, name, &decoded) || !str_eq(decoded, wanted)))
        return "Mcp-Name is not the name in the message";
    return !name.s && modern && m->id && has ? "Mcp-Name is missing" : NULL;
}
