/* show.c - small pieces of text that several outputs share. */
#include "engine/engine.h"

struct str rule_place(struct arena *a, const struct rule *r)
{
    if (r->file.len)
        return str_format(a, "%.*s:%u:%u", STR_ARG(r->file), r->line, r->column);
    return str_from(source_name(r->source));
}
