#include "call/tool.h"
#include "record/redact.h"
#include "record/redact_parts.h"

struct input {
    struct json_writer *out;
    const char *commands;
    size_t longest;
    struct strs *found;
};

/* Redacted before the text is cut: half a token would not be recognised. */
static void text(const struct input *in, struct str s, bool command)
{
    struct arena *a = in->out->out->arena;
    struct str clean =
        command ? redact_command(a, s, in->found) : redact_text_finding(a, s, in->found);

    if (clean.len <= in->longest) {
        json_text(in->out, clean);
        return;
    }
    size_t keep = in->longest;
    while (keep > 0 && ((unsigned char)clean.s[keep] & 0xc0) == 0x80)
        keep--;
    json_text(in->out, str_format(a, "%.*s... (%zu bytes)", (int)keep, clean.s, s.len));
}

/* An agent may put a token there as well. */
static struct str key_of(const struct input *in, struct str key)
{
    return redact_text_finding(in->out->out->arena, key, in->found);
}

static void secret_text(const struct input *in, struct str s)
{
    redact_remember(in->out->out->arena, s, in->found);
    json_text(in->out, STR(REDACTED));
}

static void any(const struct input *in, struct str key, const struct value *v)
{
    bool secret = redact_key_is_secret(key);

    switch (v->kind) {
    case VALUE_OBJECT:
        json_begin_object(in->out);
        for (size_t i = 0; i < v->count; i++) {
            json_key_str(in->out, key_of(in, v->members[i].key));
            any(in, v->members[i].key, &v->members[i].value);
        }
        json_end_object(in->out);
        break;
    case VALUE_ARRAY:
        json_begin_array(in->out);
        for (size_t i = 0; i < v->count; i++)
            any(in, key, &v->items[i]);
        json_end_array(in->out);
        break;
    case VALUE_STRING:
        if (secret && !redact_value_is_plain(v->text, false))
            secret_text(in, v->text);
        else
            text(in, v->text, str_has_word(str_from(in->commands), key));
        break;
    case VALUE_INTEGER:
    case VALUE_FLOAT:
    case VALUE_TIME:
        if (secret)
            json_text(in->out, STR(REDACTED));
        else
            json_any(in->out, v);
        break;
    case VALUE_NULL:
    case VALUE_BOOL:
        json_any(in->out, v);
        break;
    }
}

void redact_json(struct json_writer *w, const struct value *input, const char *commands,
                 size_t longest, struct strs *found)
{
    const struct input in = {w, commands, longest, found};

    any(&in, (struct str){0}, input);
}
