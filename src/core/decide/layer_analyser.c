/* layer_analyser.c - mink's security analyser: denies obvious exfiltration and catastrophes, and
 * asks about what it cannot tell. */
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/sensitive_paths.h"

static bool talks(const struct action *a)
{
    const struct program_row *row = program_by_any_name(a->name);

    return a->subject.hosts.count || (a->effects & EFFECT_NETWORK) || (a->row && a->row->talks) ||
           (row && (row->talks || row->effects & EFFECT_NETWORK));
}

static bool touches_secret(const struct facts *f, const struct subject *s)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (!s->paths.items[i].below && path_secret(f, &s->paths.items[i]))
            return true;
    return false;
}

const struct said *layer_analyser(const struct facts *f)
{
    bool talking = false, secret = false;
    size_t action;
    const struct catastrophe *catastrophe = call_catastrophe(f, &action);

    if (catastrophe)
        return say_all(f, (struct said){.opinion = SAY_DENY,
                                        .action = action,
                                        .reason = str_from(catastrophe->what)});
    for (size_t i = 0; i < f->actions.count; i++) {
        talking = talking || talks(&f->actions.items[i]);
        secret = secret || touches_secret(f, &f->actions.items[i].subject);
    }
    if (f->call->kind == TOOL_SHELL && talking && secret)
        return say(f, SAY_DENY, STR("reads credentials and talks to the network"));
    return ask_about_unclear(f);
}
