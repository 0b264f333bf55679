/* grants.c - what a person approved in this session. */
#include "layer/grants.h"

struct str grant_key(struct arena *a, const struct facts *f, size_t action)
{
    const struct subject *s = &f->actions.items[action].subject;
    struct str what = s->forms_allow.count ? s->forms_allow.items[0] : s->first;
    struct buf b = buf_in(a);

    /* The unit separator cannot stand in a tool name, so two different approvals never share a key. */
    buf_text(&b, f->call->row ? f->call->row->name : "");
    buf_byte(&b, '\x1f');
    buf_add(&b, f->call->tool);
    buf_byte(&b, '\x1f');
    buf_add(&b, f->actions.items[action].cwd);
    buf_byte(&b, '\x1f');
    buf_byte(&b, f->actions.items[action].redirect ? '>' : '$');
    buf_add(&b, what);
    if (f->call->kind != TOOL_SHELL)
        for (size_t i = 0; i < s->fields.count; i++) {
            buf_byte(&b, '\x1f');
            buf_add(&b, s->fields.items[i].name);
            buf_byte(&b, '=');
            buf_add(&b, s->fields.items[i].value);
        }
    return buf_str(&b);
}

/* The text alone is not enough: a file's name may read like a command, and the same command elsewhere is another one.
 */
struct str confirm_key(struct arena *a, const struct facts *f, struct str shown)
{
    struct buf b = buf_in(a);

    buf_text(&b, f->call->row ? f->call->row->name : "");
    buf_byte(&b, '\x1f');
    buf_add(&b, call_directory(a, f->call, f->home));
    buf_byte(&b, '\x1f');
    buf_add(&b, shown);
    return buf_str(&b);
}

struct said layer_grants(const struct facts *f, size_t action)
{
    if (!f->session || f->session->grants.count == 0 || !strs_has(&f->session->grants, grant_key(f->arena, f, action)))
        return (struct said){0};
    return say(SAY_ALLOW, (struct str){0});
}
