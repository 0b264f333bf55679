/* show.c - small pieces of text that several outputs share. */
#include "base/utf8.h"
#include "lib/engine.h"

void show_text(struct buf *b, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t cp;
        size_t len = utf8_next(text, at, &cp);
        if (len == 0) {
            buf_format(b, "\\x%02x", (unsigned char)text.s[at++]);
            continue;
        }
        if (cp == '\n')
            buf_text(b, "\\n");
        else if (cp < 0x80 && (cp < 0x20 || cp == 0x7f))
            buf_format(b, "\\x%02x", (unsigned)cp);
        else if (utf8_suspicious_name(cp))
            buf_format(b, "<U+%04X>", (unsigned)cp);
        else
            buf_add(b, str_slice(text, at, at + len));
        at += len;
    }
}

struct str rule_place(struct arena *a, const struct rule *r)
{
    if (r->file.len)
        return str_format(a, "%.*s:%u:%u", STR_ARG(r->file), r->line, r->column);
    return str_from(source_name(r->source));
}

struct str effects_text(struct arena *a, unsigned effects)
{
    static const struct {
        unsigned bit;
        const char *says;
    } names[] = {
        {EFFECT_CODE, "runs code of its arguments"},
        {EFFECT_NETWORK, "talks to the network"},
        {EFFECT_FETCH, "reads from a configured server"},
        {EFFECT_SEND, "sends to a configured server"},
        {EFFECT_PRIVILEGE, "becomes another user"},
        {EFFECT_PROCESS, "acts on processes"},
        {EFFECT_SYSTEM, "changes the machine"},
        {EFFECT_PROJECT, "runs the project's code"},
        {EFFECT_REPO, "changes the repository"},
        {EFFECT_LOSS, "may lose work"},
        {EFFECT_SECRETS, "prints secrets"},
        {EFFECT_UNKNOWN, "has a word that nobody explains"},
        {EFFECT_INSTALL, "installs packages"},
        {EFFECT_INNER, "wraps another command"},
    };
    struct buf b = buf_in(a);

    for (size_t i = 0; i < COUNT(names); i++)
        if (effects & names[i].bit)
            buf_format(&b, "%s%s", b.len ? ", " : "", names[i].says);
    return buf_str(&b);
}
