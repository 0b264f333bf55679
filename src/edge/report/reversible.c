#include "report/reversible.h"

#include "report/when.h"
#include "undo/history.h"

struct str reversible_text(struct arena *a, const struct value *record)
{
    const struct value *v = value_get(record, "reversible");
    struct str entry = v ? value_text(v, "entry") : (struct str){0};
    struct buf b = buf_in(a);
    int64_t left = 0;

    if (!undo_id_is(entry))
        return (struct str){0};
    buf_text(&b, "until ");
    when_print(&b, value_text(v, "until"));
    buf_format(&b, ": warder undo %.*s", STR_ARG(undo_id_brief(entry)));
    if (value_get(v, "left") && value_integer(value_get(v, "left"), &left) && left > 0)
        buf_format(&b, " (%lld paths were not saved)", (long long)left);
    return buf_str(&b);
}
