#include "connect/codex_trust.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/json.h"
#include "base/sha256.h"
#include "document/document.h"

#define DEFAULT_TIMEOUT 600 /* seconds, of an entry that names none */

struct trust_check {
    struct arena *arena;
    const struct place *place;
    const struct registered *said;
    struct str config;
    enum hook_trust trust;
};

/* PreToolUse is pre_tool_use there. */
static struct str snake_case(struct arena *a, struct str name)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < name.len; i++) {
        char low = ascii_lower(name.s[i]);
        if (i && low != name.s[i])
            buf_byte(&b, '_');
        buf_byte(&b, low);
    }
    return buf_str(&b);
}

static struct str identity(struct arena *a, struct str event, const struct registered_entry *e)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_text_member(&w, "event_name", event);
    json_key(&w, "hooks");
    json_begin_array(&w);
    json_begin_object(&w);
    json_key(&w, "async");
    json_bool(&w, false);
    json_text_member(&w, "command", e->command);
    json_key(&w, "timeout");
    json_int(&w, e->timeout ? e->timeout : DEFAULT_TIMEOUT);
    json_text_member(&w, "type", STR("command"));
    json_end_object(&w);
    json_end_array(&w);
    if (e->matcher.s)
        json_text_member(&w, "matcher", e->matcher);
    json_end_object(&w);
    return buf_str(&b);
}

static struct str hash_of(struct arena *a, struct str text)
{
    struct sha256 h;
    uint8_t bytes[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add(&h, text);
    sha256_end(&h, bytes);
    sha256_hex(bytes, hex);
    return str_format(a, "sha256:%s", hex);
}

static enum hook_trust trust_of(struct trust_check *t, const struct value *states,
                                const struct registered_entry *e)
{
    struct arena *a = t->arena;
    struct str event = snake_case(a, e->event);
    struct str key =
        str_format(a, "%s:%.*s:%zu:%zu", t->place->path, STR_ARG(event), e->group, e->handler);
    const struct member *state = value_member(states, key);
    struct str trusted = state ? value_text(&state->value, "trusted_hash") : (struct str){0};

    const struct value *enabled = state ? value_get(&state->value, "enabled") : NULL;

    if (!trusted.len)
        return HOOK_TRUST_MISSING;
    if (enabled && enabled->kind == VALUE_BOOL && !enabled->boolean)
        return HOOK_TRUST_OFF;
    return str_eq(trusted, hash_of(a, identity(a, event, e))) ? HOOK_TRUST_GIVEN
                                                              : HOOK_TRUST_OUTDATED;
}

/* The worst of our entries counts. */
static void check_entries(void *arg)
{
    struct trust_check *t = arg;
    struct value config;

    t->trust = HOOK_TRUST_MISSING;
    if (document_read(t->arena, SYNTAX_TOML, t->config, &config, NULL) != STATUS_OK)
        return;
    const struct value *states = value_get(value_get(&config, "hooks"), "state");
    enum hook_trust worst = HOOK_TRUST_GIVEN;
    for (size_t i = 0; states && i < t->said->entries.count; i++) {
        enum hook_trust one = trust_of(t, states, &t->said->entries.items[i]);
        worst = one < worst ? one : worst;
    }
    if (states && t->said->entries.count)
        t->trust = worst;
}

enum hook_trust codex_trust(struct arena *a, const struct place *place,
                            const struct registered *said)
{
    struct trust_check t = {.arena = a, .place = place, .said = said, .trust = HOOK_TRUST_MISSING};
    struct file_text text = {0};
    char path[2 * PATH_MAX];

    if (!place->registrar.row->trusts)
        return HOOK_TRUST_UNUSED;
    if (!place_beside(place, place->registrar.row->trusts, path) ||
        file_read(path, FILE_PERSON, NULL, &text, NULL) != STATUS_OK || !text.found)
        return HOOK_TRUST_MISSING;
    t.config = (struct str){text.text, text.len};
    if (!arena_try(a, check_entries, &t))
        t.trust = HOOK_TRUST_MISSING;
    free(text.text);
    return t.trust;
}
