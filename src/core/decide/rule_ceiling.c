#include "decide/rule_ceiling.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/host.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"
#include "rule/effect.h"

bool rule_next_word(struct str *text, struct str *word)
{
    if (!str_next_word(text, word))
        return false;
    if (str_ends(*word, STR(":*")))
        word->len -= 2;
    return true;
}

/* ---- what the rule names ---- */

static bool has_letter(struct str word, struct str names)
{
    for (size_t i = 1; i < word.len && ascii_is_letter(word.s[i]); i++) {
        char name[2] = {'-', word.s[i]};
        if (program_option_named(names, (struct str){name, 2}))
            return true;
    }
    return false;
}

static bool is_listed(const struct strs *options, struct str names)
{
    for (size_t i = 0; i < options->count; i++)
        if (program_option_named(names, options->items[i]))
            return true;
    return false;
}

bool rule_names_option(const struct rule *r, struct str names)
{
    struct str text = r->content, word, name, value;

    if (is_listed(&rule_more(r)->flags, names) ||
        (rule_more(r)->within && is_listed(&rule_more(r)->within->options, names)))
        return true;
    while (rule_next_word(&text, &word)) {
        str_cut(word, '=', &name, &value);
        if (word.len > 1 && word.s[0] == '-' &&
            (program_option_named(names, name) || (word.s[1] != '-' && has_letter(word, names))))
            return true;
    }
    return false;
}

/* The words of the rule up to its first star, as a command. Of https://x.org/a* the host is known,
 * of https://x.org* it is not. */
static size_t literal_words(const struct facts *f, const struct rule *r, struct shell_word **out)
{
    struct str text = r->content, word;
    size_t count = 0;

    *out = ARENA_ARRAY(f->arena, struct shell_word, text.len / 2 + 2);
    while (rule_next_word(&text, &word)) {
        size_t star = str_index(word, '*'), scheme = 0;
        if (star != STR_NONE) {
            while (scheme < star && !str_starts(str_from_byte(word, scheme), STR("://")))
                scheme++;
            word = str_slice(word, 0, star);
            if (scheme == star || !str_has(str_from_byte(word, scheme + 3), '/'))
                break;
        }
        (*out)[count++] = (struct shell_word){.text = str_copy(f->arena, word), .known = true};
        if (star != STR_NONE)
            break;
    }
    return count;
}

/* What the rule's own words do. */
struct named {
    const struct program_row *row;
    unsigned effects;
    struct subject subject; /* its hosts */
};

static void read_named(const struct facts *f, const struct rule *r, const struct action *a,
                       struct named *out)
{
    struct facts room = *f;
    struct program_use use = {0};
    struct shell_word *words;
    size_t count = literal_words(f, r, &words);

    *out = (struct named){0};
    if (!count)
        return;
    program_explain(f->arena, words, count, f->book->programs, &use);
    for (size_t i = 0; i < use.hosts.count; i++)
        touch_host(&room, &out->subject, use.hosts.items[i]);
    out->row = use.row;
    /* python3 alone reads code from its input, and yarn alone installs, which says nothing of what
     * their star may be */
    if (!use.row || !program_has_subcommands(str_from(use.row->name)) ||
        a->subject.words.count == count)
        out->effects = use.effects & ~(unsigned)(EFFECT_CODE | EFFECT_EDITOR);
    out->effects |= use.row ? use.row->effects : 0u;
}

/* ---- effects ---- */

static const struct {
    unsigned effect, does;
    const char *phrase;
} ceilings[] = {
    {EFFECT_PRIVILEGE, DOES_PRIVILEGE, "as another user"},
    {EFFECT_LOSS, DOES_LOSS, "what may lose work"},
    {EFFECT_SECRETS, DOES_SECRETS, "what prints secrets"},
    {EFFECT_INSTALL, DOES_INSTALL, "what installs packages"},
    {EFFECT_SEND, DOES_SEND, "what sends to a server"},
    {EFFECT_NETWORK, DOES_NETWORK, "to another host"},
    {EFFECT_SYSTEM, DOES_SYSTEM, "what changes the machine"},
    {EFFECT_PROCESS, DOES_PROCESS, "what acts on processes"},
    {EFFECT_EDITOR, DOES_CODE, "the commands of an editor"},
};

static unsigned within_effects(const struct rule *r)
{
    const struct rule_within *w = rule_more(r)->within;

    return w ? w->effects : 0u;
}

static const char *beyond_effects(const struct rule *r, const struct action *a,
                                  const struct named *n)
{
    /* hosts that are known have been compared by their names */
    unsigned effects = a->effects & ~(a->subject.hosts.count ? (unsigned)EFFECT_NETWORK : 0u);

    for (size_t i = 0; i < COUNT(ceilings); i++)
        if ((effects & ceilings[i].effect) && !(n->effects & ceilings[i].effect) &&
            !(within_effects(r) & ceilings[i].does))
            return ceilings[i].phrase;
    return NULL;
}

/* ---- code ---- */

static bool option_brings_code(const struct rule *r, const struct action *a)
{
    for (size_t i = 0; i < a->options.count; i++)
        if ((a->options.items[i].effects & EFFECT_CODE) &&
            rule_names_option(r, a->options.items[i].names))
            return true;
    return false;
}

/* A file of the workspace, or of a place that the rule names, is what people mean by python3
 * scripts/x.py. */
static bool runs_own_files(const struct facts *f, const struct rule *r, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & ACCESS_RUN) && !path_in_workspace(f, p) && !rule_names_place(f, r, a, p))
            return false;
    }
    return !(a->unknown & ACCESS_RUN);
}

static bool runs_files(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & ACCESS_RUN)
            return true;
    return a->unknown & ACCESS_RUN;
}

/* What its reader does not understand may be code, too. */
static bool may_be_code(const struct action *a)
{
    return (a->effects & EFFECT_CODE) ||
           ((a->effects & EFFECT_UNKNOWN) && !(a->effects & EFFECT_PROJECT) &&
            program_runs_operands(a->row));
}

static const char *beyond_code(const struct facts *f, const struct rule *r, const struct action *a,
                               const struct named *n)
{
    if (!may_be_code(a) || (within_effects(r) & DOES_CODE) || option_brings_code(r, a))
        return NULL;
    /* source /tmp/x: that its row runs code does not say whose */
    if (runs_files(a) ? runs_own_files(f, r, a) : (n->effects & EFFECT_CODE) != 0)
        return NULL;
    return "code that it is given";
}

/* ---- hosts ---- */

static bool host_is_named(const struct facts *f, const struct rule *r, const struct named *n,
                          struct str host)
{
    const struct rule_within *w = rule_more(r)->within;

    return host_is_loopback(host) || strs_has(&n->subject.hosts, host) ||
           (w && rule_host_is(f->arena, &w->hosts, host, false));
}

static const char *beyond_hosts(const struct facts *f, const struct rule *r, const struct action *a,
                                const struct named *n)
{
    for (size_t i = 0; i < a->subject.hosts.count; i++)
        if (!host_is_named(f, r, n, a->subject.hosts.items[i]))
            return "to another host";
    /* the name of a host that only run time knows, or that clients read in more than one way */
    return (a->effects & EFFECT_NETWORK) && !a->subject.hosts.count && a->row &&
                   (a->row->effects & EFFECT_NETWORK) && a->subject.words.count > 1 &&
                   !(within_effects(r) & DOES_NETWORK)
               ? "to an unknown host"
               : NULL;
}

/* ---- what is read ---- */

static bool is_secret(const struct facts *f, const struct action *a, const struct subject_path *p)
{
    if (!(p->access & ACCESS_READ) || p->below || p->uncertain || p->folded || p->listed)
        return false;
    return path_secret(f, p) || (a->recursive && !a->lists && !a->selects &&
                                 p->access == ACCESS_READ && !path_readable_below(f, p));
}

static const char *beyond_reads(const struct facts *f, const struct rule *r, const struct action *a)
{
    const struct rule_within *w = rule_more(r)->within;

    if (within_effects(r) & DOES_SECRETS)
        return NULL;
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (is_secret(f, a, &a->subject.paths.items[i]) &&
            !rule_names_place(f, r, a, &a->subject.paths.items[i]))
            return "to secrets";
    if ((a->unknown & ACCESS_READ) && !(w && (w->access & ACCESS_READ)))
        return "with a path that is not known before run time";
    return NULL;
}

/* ---- all of it ---- */

/* Most actions read, or change the workspace, and have none of this. */
static const char *beyond_named(const struct facts *f, const struct rule *r, const struct action *a)
{
    struct named n;
    const char *what;

    read_named(f, r, a, &n);
    if ((what = beyond_hosts(f, r, a, &n)) != NULL || (what = beyond_effects(r, a, &n)) != NULL)
        return what;
    return beyond_code(f, r, a, &n);
}

const char *rule_ceiling(const struct facts *f, const struct rule *r, const struct action *a)
{
    const unsigned heavy = EFFECT_PRIVILEGE | EFFECT_LOSS | EFFECT_SECRETS | EFFECT_INSTALL |
                           EFFECT_SEND | EFFECT_NETWORK | EFFECT_SYSTEM | EFFECT_PROCESS |
                           EFFECT_EDITOR | EFFECT_CODE | EFFECT_UNKNOWN;
    const char *what;

    /* What it starts is an action of its own; what the words for that contain ($TOKEN) was found
     * here. */
    if (a->row->transparent)
        return (a->effects & EFFECT_SECRETS) && !(within_effects(r) & DOES_SECRETS)
                   ? "what prints secrets"
                   : NULL;
    what = beyond_reads(f, r, a);
    if (!what && ((a->effects & heavy) || a->subject.hosts.count))
        what = beyond_named(f, r, a);
    return what;
}
