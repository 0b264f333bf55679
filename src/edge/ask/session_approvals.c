/* session_approvals.c - the approvals of a session, as its file has them: which call of the record,
 * how and when, and what it has granted. */
#include "ask/session_parts.h"

#include <string.h>

#include "base/list.h"

static const char *const hows[] = {[APPROVED_AT_PROMPT] = "prompt",
                                   [APPROVED_BY_ALLOW] = "allow",
                                   [APPROVED_IN_CLIENT] = "client"};
_Static_assert(COUNT(hows) == APPROVED_HOWS, "one word each");

static bool read_how(struct str word, enum approved_how *out)
{
    for (size_t i = 0; i < COUNT(hows); i++)
        if (str_is(word, hows[i])) {
            *out = (enum approved_how)i;
            return true;
        }
    return false;
}

static bool is_hex(struct str text, size_t len)
{
    return text.len == len && strspn(text.s, "0123456789abcdef") >= len;
}

static bool read_keys(struct arena *a, const struct value *list, struct strs *out)
{
    if (list && (list->kind != VALUE_ARRAY || list->count > SESSION_GRANTS_MAX))
        return false;
    for (size_t i = 0; list && i < list->count; i++) {
        if (list->items[i].kind != VALUE_STRING || !is_hex(list->items[i].text, SESSION_KEY_SHORT))
            return false;
        LIST_PUSH(a, out, list->items[i].text);
    }
    return true;
}

static bool read_one(struct arena *a, const struct value *v, struct session_approval *out)
{
    const struct value *at = value_get(v, "at");

    *out = (struct session_approval){.id = value_text(v, "id"), .digest = value_text(v, "digest")};
    return at && value_integer(at, &out->at) && out->at >= 0 &&
           read_how(value_text(v, "how"), &out->how) &&
           (out->digest.len == 0 || is_hex(out->digest, SHA256_HEX - 1)) &&
           read_keys(a, value_get(v, "keys"), &out->keys) && (out->digest.len || out->keys.count);
}

bool approvals_read(struct arena *a, const struct value *list, struct session_approvals *out)
{
    struct session_approval one;

    if (list && (list->kind != VALUE_ARRAY || list->count > SESSION_APPROVALS_MAX))
        return false;
    for (size_t i = 0; list && i < list->count; i++) {
        if (!read_one(a, &list->items[i], &one))
            return false;
        LIST_PUSH(a, out, one);
    }
    return true;
}

/* Most sessions have none. */
void approvals_write(struct json_writer *w, const struct session_approvals *list)
{
    if (list->count == 0)
        return;
    json_key(w, "approvals");
    json_begin_array(w);
    for (size_t i = 0; i < list->count && i < SESSION_APPROVALS_MAX; i++) {
        const struct session_approval *one = &list->items[i];
        json_begin_object(w);
        json_text_member(w, "id", one->id);
        json_text_member(w, "how", str_from(hows[one->how]));
        json_key(w, "at");
        json_int(w, one->at);
        json_text_member_if(w, "digest", one->digest);
        if (one->keys.count)
            json_strings(w, "keys", &one->keys);
        json_end_object(w);
    }
    json_end_array(w);
}
