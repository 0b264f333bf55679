/* layer_grants.c - what a person approved in this session. */
#include "decide/layer_grants.h"

#include "base/sha256.h"

/* Each part with its length, so that bytes of one part cannot pass for the beginning of the
 * next. */
static void add(struct sha256 *h, struct str part)
{
    char length[sizeof(uint64_t)];

    for (size_t i = 0; i < sizeof(length); i++)
        length[i] = (char)((uint64_t)part.len >> (8 * i) & 0xff);
    sha256_add(h, (struct str){length, sizeof(length)});
    sha256_add(h, part);
}

static struct str finish(struct arena *a, struct sha256 *h)
{
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_end(h, hash);
    sha256_hex(hash, hex);
    return str_copy(a, str_from(hex));
}

struct str grant_key(struct arena *a, const struct facts *f, size_t action)
{
    const struct subject *s = &f->actions.items[action].subject;
    struct sha256 h;

    sha256_init(&h);
    add(&h, f->call->row ? f->call->row->name : STR(""));
    add(&h, f->call->tool);
    add(&h, f->actions.items[action].cwd);
    add(&h, f->actions.items[action].redirect ? STR(">") : STR("$"));
    add(&h, s->forms_allow.count ? s->forms_allow.items[0] : s->first);
    if (f->call->kind != TOOL_SHELL)
        for (size_t i = 0; i < s->fields.count; i++) {
            add(&h, s->fields.items[i].name);
            add(&h, s->fields.items[i].value);
        }
    return finish(a, &h);
}

/* The text alone is not enough: a file's name may look like a command, and the same command in
 * another directory is another command. */
struct str confirm_key(struct arena *a, const struct facts *f, struct str shown)
{
    struct sha256 h;

    sha256_init(&h);
    add(&h, STR("confirmed"));
    add(&h, f->call->row ? f->call->row->name : STR(""));
    add(&h, call_directory(a, f->call, f->home));
    add(&h, shown);
    return finish(a, &h);
}

const struct said *layer_grants(const struct facts *f, size_t action)
{
    if (!f->session || f->session->grants.count == 0 ||
        !strs_has(&f->session->grants, grant_key(f->arena, f, action)))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}
