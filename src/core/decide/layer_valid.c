/* layer_valid.c - what must hold before anything else is checked. */
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/unknown_field.h"

const struct said *layer_valid(const struct facts *f)
{
    if (f->malformed.len)
        return say(f, SAY_DENY, f->malformed);
    if (!f->mode_known)
        return say(f, SAY_DENY,
                   str_format(f->arena, "unknown mode \"%.*s\"", STR_ARG(f->call->mode)));
    return NULL;
}

/* A file that cannot be read might have denied this call, so it must not be allowed. */
const struct said *layer_policy(const struct facts *f)
{
    const struct problem *p = rulebook_broken(f->book);

    if (!p)
        return NULL;
    return say(f, SAY_DENY,
               str_format(f->arena, "%.*s:%u:%u: %.*s; every call is denied until this is fixed",
                          STR_ARG(p->file), p->line, p->column, STR_ARG(p->message)));
}

static const struct said *ask_if_unclear(const struct facts *f, const struct member *unknown)
{
    if (!f->understood)
        return say_immune_ask(f, WHOLE_CALL, f->why);
    if (f->call->kind != TOOL_SHELL || !unknown)
        return NULL;
    return say_immune_ask(
        f, WHOLE_CALL, str_format(f->arena, "unknown input field \"%.*s\"", STR_ARG(unknown->key)));
}

const struct said *layer_understood(const struct facts *f)
{
    return ask_if_unclear(f, unknown_field(f));
}

const struct said *ask_about_unclear(const struct facts *f)
{
    size_t at = 0;

    return ask_if_unclear(f, call_unknown_field(f->call, &at));
}
