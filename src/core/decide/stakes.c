#include "decide/stakes.h"

#include "base/path.h"
#include "facts/sensitive_paths.h"
#include "programs/effects.h"

#define HOSTS_SHOWN 3

const char *stakes_name(enum stakes s)
{
    static const char *const names[] = {
        [STAKES_GRAVE] = "grave", [STAKES_OUTSIDE] = "outside", [STAKES_SMALL] = "small"};

    return names[s];
}

/* Effects that are not here are small. */
static const struct {
    unsigned effect;
    enum stakes stakes;
} of_effects[] = {
    {EFFECT_PRIVILEGE, STAKES_GRAVE}, {EFFECT_SYSTEM, STAKES_GRAVE},
    {EFFECT_LOSS, STAKES_GRAVE},      {EFFECT_SECRETS, STAKES_GRAVE},
    {EFFECT_CODE, STAKES_OUTSIDE},    {EFFECT_NETWORK, STAKES_OUTSIDE},
    {EFFECT_FETCH, STAKES_OUTSIDE},   {EFFECT_SEND, STAKES_OUTSIDE},
    {EFFECT_INSTALL, STAKES_OUTSIDE}, {EFFECT_UNKNOWN, STAKES_OUTSIDE},
    {EFFECT_PROCESS, STAKES_OUTSIDE},
};

/* Findings of a text that a reader takes for another one. */
static const char *const deceptions[] = {"deceptive-character", "control-character",
                                         "unicode-whitespace", "look-alike-letter"};

static bool deceives(const struct facts *f)
{
    for (size_t i = 0; i < f->findings.count; i++)
        if (STR_IN(str_from(f->findings.items[i].name), deceptions))
            return true;
    return false;
}

static bool is_uncleared(const struct verdict *v, size_t i)
{
    const struct action *a = &v->facts->actions.items[i];

    return !(v->cleared_by && v->cleared_by[i]) && !(a->assignment && a->idle);
}

/* The first of its paths that needs care, and what it is. */
static const struct subject_path *careful_path(const struct facts *f, const struct action *a,
                                               const char **what)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        *what = p->access & (ACCESS_WRITE | ACCESS_DELETE) ? path_protected(f, p) : NULL;
        if (*what || (*what = path_shows_secret(f, p)))
            return p;
    }
    *what = NULL;
    return NULL;
}

/* Nobody knows what it does: a program, or a tool, without a row. */
static bool is_unknown(const struct facts *f, const struct action *a)
{
    return a->subject.shell ? !a->program : !f->call->row;
}

static enum stakes of_action(const struct facts *f, const struct action *a)
{
    enum stakes worst = is_unknown(f, a) ? STAKES_OUTSIDE : STAKES_SMALL;
    const char *what;

    if (careful_path(f, a, &what))
        return STAKES_GRAVE;
    for (size_t i = 0; i < COUNT(of_effects); i++)
        if (a->effects & of_effects[i].effect && of_effects[i].stakes < worst)
            worst = of_effects[i].stakes;
    return a->subject.hosts.count && worst > STAKES_OUTSIDE ? STAKES_OUTSIDE : worst;
}

/* The action with the most at stake, the first of several; NULL: all are cleared. */
static const struct action *gravest(const struct verdict *v, enum stakes *stakes, size_t *others)
{
    const struct action *found = NULL;

    *stakes = STAKES_SMALL;
    *others = 0;
    for (size_t i = 0; i < v->facts->actions.count; i++) {
        const struct action *a = &v->facts->actions.items[i];
        if (!is_uncleared(v, i))
            continue;
        const enum stakes own = of_action(v->facts, a);
        *others += found != NULL;
        if (!found || own < *stakes) {
            *stakes = own;
            found = a;
        }
    }
    return found;
}

enum stakes stakes_of(const struct verdict *v)
{
    enum stakes worst;
    size_t others;

    if (!v->facts || deceives(v->facts))
        return STAKES_GRAVE;
    (void)gravest(v, &worst, &others);
    return !v->facts->understood && worst > STAKES_OUTSIDE ? STAKES_OUTSIDE : worst;
}

/* ---- in words ---- */

static struct str form_of(const struct action *a)
{
    return a->subject.forms_allow.count ? a->subject.forms_allow.items[0] : a->subject.first;
}

struct stakes_why stakes_why(struct arena *a, const struct verdict *v)
{
    struct stakes_why why = {.rule = v->rule ? v->rule->text : (struct str){0}};
    enum stakes ignored;
    size_t others;
    const char *what;

    if (!v->facts)
        return why;
    const struct action *worst = gravest(v, &ignored, &others);
    if (!worst)
        return why;
    const struct subject_path *path = careful_path(v->facts, worst, &what);
    why.action = form_of(worst);
    why.effect = program_effects_text(a, worst->effects);
    why.path = path ? path->written : (struct str){0};
    why.what = str_from(what);
    return why;
}

/* U+0001 stands for what is not known before it runs. */
static bool is_unknown_name(struct str name)
{
    return !name.len || str_has(name, '\1');
}

static void say_hosts(struct buf *b, const struct action *a)
{
    const struct strs *hosts = &a->subject.hosts;

    buf_text(b, a->effects & EFFECT_SEND ? "sends to " : "talks to ");
    for (size_t i = 0; i < hosts->count && i < HOSTS_SHOWN; i++) {
        buf_text(b, i ? ", " : "");
        if (is_unknown_name(hosts->items[i]))
            buf_text(b, "a host that is not known before it runs");
        else
            buf_add(b, hosts->items[i]);
    }
    if (hosts->count > HOSTS_SHOWN)
        buf_format(b, " and %zu more", hosts->count - HOSTS_SHOWN);
}

/* What the hosts say is not said twice. */
static unsigned other_effects(const struct action *a)
{
    const unsigned talks = EFFECT_NETWORK | EFFECT_FETCH | EFFECT_SEND;

    return a->effects & ~(EFFECT_INNER | (a->subject.hosts.count ? talks : 0));
}

static void say_action(struct buf *b, const struct facts *f, const struct action *a)
{
    const char *what, *between = " ";
    const struct subject_path *path = careful_path(f, a, &what);
    const unsigned effects = other_effects(a);

    if (path) {
        buf_text(b, " touches ");
        buf_add(b, path_base(path->written));
        buf_format(b, ", %s", what);
        between = "; ";
    }
    if (a->subject.hosts.count) {
        buf_text(b, between);
        say_hosts(b, a);
        between = "; ";
    }
    if (effects) {
        buf_text(b, between);
        buf_add(b, program_effects_text(b->arena, effects));
    } else if (a->assignment) {
        buf_text(b, " is set, which changes what programs do");
    } else if (!path && !a->subject.hosts.count && is_unknown(f, a)) {
        buf_format(b, " is a %s that Warder does not know", a->subject.shell ? "program" : "tool");
    }
}

struct str stakes_headline(struct arena *arena, const struct verdict *v)
{
    struct buf b = buf_in(arena);
    enum stakes ignored;
    size_t others;

    if (!v->facts)
        return (struct str){0};
    const struct action *a = gravest(v, &ignored, &others);
    if (a) {
        struct str name = a->name.len ? a->name : v->facts->call->tool;
        if (is_unknown_name(name))
            buf_text(&b, "a program that is not known before it runs");
        else
            buf_add(&b, name);
        say_action(&b, v->facts, a);
        if (others)
            buf_format(&b, "; and %zu more step%s", others, others > 1 ? "s" : "");
    } else {
        buf_add(&b, v->facts->call->tool);
    }
    if (!v->facts->understood)
        buf_text(&b, "; not all of it is understood");
    if (deceives(v->facts))
        buf_text(&b, "; its text has letters that are not what they look like");
    return buf_str(&b);
}
