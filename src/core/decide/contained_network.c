#include "decide/contained_network.h"

#include "base/hosts.h"
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
