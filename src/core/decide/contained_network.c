#include "decide/contained_network.h"

#include "base/hosts.h"
#include "facts/fresh.h"
#include "facts/host.h"

/* Without namespaces a cell has no way out, and reaches no server but its own. */
static bool has_network(const struct facts *f)
{
    return facts_cell(f)->tier != CELL_LANDLOCK;
}

static const struct kit *kit_of(const struct facts *f, const struct action *a)
{
    const struct kit *kit = a->program ? program_kit(a->row) : NULL;

    return kit && sandbox_has_kit(&f->book->sandbox, kit->name) ? kit : NULL;
}

const struct kit *action_kit(const struct facts *f, const struct action *a)
{
    const struct kit *kit = kit_of(f, a);

    return kit && has_network(f) ? kit : NULL;
}

/* Whatever it is, it is not known, or the agent may have written it. */
static bool runs_unknown_code(const struct facts *f, const struct action *a)
{
    const unsigned unknown = EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_MODULES | EFFECT_EDITOR;

    if (action_is_fresh(a))
        return true;
    if (a->redirect || a->assignment || kit_of(f, a) || a->script == SCRIPT_OLD ||
        a->session_build.state == BUILT_HERE)
        return false;
    return !a->program || (a->effects & unknown);
}

static size_t first_unknown_code(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (runs_unknown_code(f, &f->actions.items[i]))
            return i;
    return f->actions.count;
}

/* What packages bring runs later: only where that is contained as well. */
static bool may_have_registry(const struct facts *f, const struct action *a)
{
    return action_kit(f, a) && (!(a->effects & EFFECT_INSTALL) ||
                                sandbox_value(&f->book->sandbox, SANDBOX_CODE) == CODE_CONTAIN);
}

/* Who reaches a registry can publish there, in the name of an account that it brings itself: what
 * nobody knows does not run beside one. */
bool action_has_registry(const struct facts *f, const struct action *a)
{
    return may_have_registry(f, a) && first_unknown_code(f) == f->actions.count;
}

size_t action_shut_out_by(const struct facts *f, const struct action *a)
{
    return (a->effects & KIT_EFFECTS) && f->book->sandbox.kits_named && may_have_registry(f, a)
               ? first_unknown_code(f)
               : f->actions.count;
}

bool action_is_lifted_by_registry(const struct facts *f, const struct action *a)
{
    return f->book->sandbox.kits_named && action_has_registry(f, a);
}

static bool kit_has(const struct kit *kit, struct str host)
{
    struct str rest = str_from(kit->hosts), name;

    while (str_next_word(&rest, &name))
        if (str_eq(name, host))
            return true;
    return false;
}

bool action_reaches(const struct facts *f, const struct action *a, struct str host)
{
    const struct kit *kit = kit_of(f, a);

    return (host_is_loopback(host) || (kit && kit_has(kit, host)) ||
            sandbox_has_host(&f->book->sandbox, host)) &&
           has_network(f);
}

/* Of the actions that have one of these effects; ~0: of all. */
static struct strs kits_with(const struct facts *f, unsigned effects)
{
    struct strs names = {0};

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        const struct kit *kit = effects == ~0u || (a->effects & effects) ? kit_of(f, a) : NULL;
        if (kit && !strs_has(&names, str_from(kit->name)))
            LIST_PUSH(f->arena, &names, str_from(kit->name));
    }
    return names;
}

struct strs contained_kits(const struct facts *f)
{
    return kits_with(f, ~0u);
}

struct strs contained_registries(const struct facts *f)
{
    return kits_with(f, KIT_EFFECTS);
}
