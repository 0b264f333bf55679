/* match.c - does a rule match a subject?
 *
 * The two directions are not mirror images. Deny and ask must not be evaded, so they check every
 * form and every path in every spelling, and treat what is not known as a match. Allow must not be
 * widened, so it checks only the written form and treats what is not known as no match. */
#include "rule/match.h"

#include "base/glob.h"
#include "rule/tool.h"
#include "rule/when.h"

/* --- tool names --- */

/* "mcp__github" means all tools of that server. Servers have one name part, tools two. */
static bool is_server(struct str tool)
{
    static const struct str mark = {"mcp__", 5};

    return str_starts(tool, mark) && tool.len > mark.len &&
           !str_contains(str_from_byte(tool, mark.len), STR("__"));
}

static bool is_of_server(struct str name, struct str server)
{
    return str_starts(name, server) && str_starts(str_from_byte(name, server.len), STR("__"));
}

static const struct glob *tool_glob(const struct match *m)
{
    if (!m->open->tool)
        m->open->tool = open_tool(m->a, m->r);
    return m->open->tool;
}

bool match_tool(const struct match *m)
{
    const struct rule *r = m->r;
    bool server =
        (dialect_row(r->dialect)->servers || !m->allow) && !r->tool_wild && is_server(r->tool);

    for (size_t i = 0; i < m->s->names.count; i++) {
        struct str name = m->s->names.items[i];

        if (r->tool_wild ? glob_match_or(tool_glob(m), name, !m->allow) : str_eq(r->tool, name))
            return true;
        if (server && is_of_server(name, r->tool))
            return true;
    }
    return !m->allow && r->matcher == MATCH_ANY && r->dialect == DIALECT_WARDER && !r->tool_wild &&
           strs_has(&m->s->above, r->tool);
}

/* --- hosts --- */

static struct str host_labels(struct arena *a, struct str host)
{
    struct buf b = buf_in(a);

    if (host.len > 1 && host.s[host.len - 1] == '.')
        host.len--;
    for (size_t i = 0; i < host.len; i++)
        buf_byte(&b, host.s[i] == '.' ? '/' : host.s[i]);
    return buf_str(&b);
}

static bool match_host(const struct match *m, struct str host)
{
    return glob_match_or(open_glob(m->a, &m->open->main), host_labels(m->a, host), !m->allow);
}

bool rule_host_is(struct arena *a, const struct strs *patterns, struct str host, bool otherwise)
{
    for (size_t i = 0; i < patterns->count; i++) {
        struct open_reading o = {.from = {.matcher = MATCH_DOMAIN, .pattern = patterns->items[i]},
                                 .flags = GLOB_PATH | GLOB_NOCASE};
        if (glob_match_or(open_glob(a, &o), host_labels(a, host), otherwise))
            return true;
    }
    return false;
}

/* In the default spelling, who may fetch a page with the tool may fetch it with a command. */
static bool is_fetch_by_command(const struct match *m)
{
    return m->s->fetches && m->r->dialect == DIALECT_WARDER && str_is(m->r->tool, "WebFetch");
}

static bool match_domain(const struct match *m)
{
    const struct strs *hosts = &m->s->hosts;
    size_t hits = 0;

    for (size_t i = 0; i < hosts->count; i++)
        if (match_host(m, hosts->items[i]))
            hits++;
    if (m->allow)
        return hits > 0 && hits == hosts->count && (match_tool(m) || is_fetch_by_command(m));
    /* A fetch to an unknown host could go to this one. */
    return hits > 0 || (hosts->count == 0 && match_tool(m));
}

/* --- the long form --- */

static bool has_letter(const struct strs *words, char letter)
{
    for (size_t i = 0; i < words->count; i++) {
        struct str w = words->items[i];
        if (w.len > 1 && w.s[0] == '-' && w.s[1] != '-' && str_has(str_from_byte(w, 1), letter))
            return true;
    }
    return false;
}

/* For deny and ask: -rf has -r and -f, -f -r has -rf, --force=x has --force. */
static bool could_have_flag(const struct strs *words, struct str flag)
{
    struct str letters = str_from_byte(flag, 1);

    if (str_starts(flag, STR("--"))) {
        for (size_t i = 0; i < words->count; i++)
            if (str_starts(words->items[i], flag) &&
                (words->items[i].len == flag.len || words->items[i].s[flag.len] == '='))
                return true;
        return false;
    }
    for (size_t i = 0; i < letters.len; i++)
        if (!has_letter(words, letters.s[i]))
            return false;
    return letters.len > 0;
}

static bool match_flags(const struct match *m)
{
    for (size_t i = 0; i < rule_more(m->r)->flags.count; i++) {
        struct str flag = rule_more(m->r)->flags.items[i];
        if (strs_has(&m->s->words, flag))
            continue;
        if (m->allow || flag.len < 2 || flag.s[0] != '-' || !could_have_flag(&m->s->words, flag))
            return false;
    }
    return true;
}

static bool matches_regex(const struct match *m, struct str text)
{
    const struct world *w = m->env->world;

    /* No regex engine here: the same as reaching a limit. */
    if (!w || !w->regex || !rule_more(m->r)->regex_code)
        return !m->allow;
    switch (w->regex(rule_more(m->r)->regex_code, text)) {
    case REGEX_NO:
        return false;
    case REGEX_YES:
        return true;
    case REGEX_LIMIT:
        return !m->allow;
    }
    return !m->allow;
}

static bool match_regex(const struct match *m)
{
    const struct strs *forms = m->allow ? &m->s->forms_allow : &m->s->forms_deny;

    if (rule_more(m->r)->regex.len == 0)
        return true;
    for (size_t i = 0; i < forms->count; i++)
        if (matches_regex(m, forms->items[i]))
            return true;
    return !m->allow && (forms->count == 0 || !m->s->understood) && matches_regex(m, m->s->first);
}

/* --- all of it --- */

/* A file that Read may not read, cat may not read either: deny and ask rules on a file tool apply
 * to whatever touches the path. */
static bool match_by_others(const struct match *m)
{
    return !m->allow && m->r->access && match_any_path(m, m->r->access);
}

static bool match_content(const struct match *m)
{
    switch (m->r->matcher) {
    case MATCH_ANY:
        return match_tool(m);
    case MATCH_EXACT:
    case MATCH_PREFIX:
    case MATCH_STARTS:
    case MATCH_GLOB:
    case MATCH_SUBSTRING:
        return (match_tool(m) && (match_text(m) || match_letter(m))) || match_by_others(m);
    case MATCH_FIELD:
        return (match_tool(m) && match_field(m)) || match_by_others(m);
    case MATCH_PATH:
        return match_path(m);
    case MATCH_DOMAIN:
        return match_domain(m);
    case MATCH_ACTION:
        return match_action(m);
    }
    return false;
}

/* --- effects --- */

/* An allow rule covers what has these effects and no other ones. */
static bool match_does(const struct match *m)
{
    unsigned wanted = rule_more(m->r)->does;

    if (!wanted)
        return true;
    if (!m->allow)
        return (m->s->does | m->s->does_widely) & wanted;
    return m->s->does && !(m->s->does & ~wanted) && !m->s->does_unknown;
}

static bool match_hosts(const struct match *m)
{
    const struct strs *hosts = &m->s->hosts;
    size_t hits = 0;

    if (!rule_more(m->r)->hosts.count)
        return true;
    for (size_t i = 0; i < hosts->count; i++)
        hits += rule_host_is(m->a, &rule_more(m->r)->hosts, hosts->items[i], !m->allow);
    return hits > 0 && (!m->allow || hits == hosts->count);
}

/* What the long form wants besides a path. */
static bool match_terms(const struct match *m)
{
    return !m->r->more || (match_flags(m) && match_does(m) && match_hosts(m) && match_regex(m));
}

static bool match_all(const struct match *m)
{
    const struct rule *r = m->r;
    /* `x:y` is a field if the tool has such a field, and a text otherwise. A rule that denies or
     * asks binds either way: Bash(timeout:*) is about the program for all who write it. */
    bool named = r->matcher != MATCH_FIELD && rule_more(r)->field.len > 0 && match_tool(m) &&
                 match_has_field(m);

    if (!(named && match_field(m)) && !((!named || !m->allow || m->either) && match_content(m)))
        return false;
    return !r->more || (match_path_list(m) && match_terms(m));
}

bool rule_matches(struct arena *a, const struct rule *r, const struct subject *s,
                  const struct rule_env *env)
{
    struct open_rule open = {.main = rule_open(r), .unquoted = rule_open_unquoted(r)};
    const bool allow = r->effect == BEHAVIOR_ALLOW;
    const struct match m = {
        .a = a, .r = r, .s = s, .env = env, .allow = allow, .letter = !allow, .open = &open};

    return rule_counts(a, r, env) && match_all(&m);
}

bool rule_matches_as_written(struct arena *a, const struct rule *r, const struct subject *s,
                             const struct rule_env *env)
{
    struct open_rule open = {.main = rule_open(r), .unquoted = rule_open_unquoted(r)};
    const struct match m = {.a = a,
                            .r = r,
                            .s = s,
                            .env = env,
                            .allow = true,
                            .letter = true,
                            .either = true,
                            .open = &open};

    return match_all(&m) || (!rule_is_long_form(r) && match_tool(&m) && match_argument(&m));
}

bool rule_matches_beside_paths(struct arena *a, const struct rule *r, const struct subject *s,
                               const struct rule_env *env, unsigned access)
{
    struct open_rule open = {.main = rule_open(r), .unquoted = rule_open_unquoted(r)};
    const struct match m = {.a = a, .r = r, .s = s, .env = env, .letter = true, .open = &open};

    return (!r->access || (match_denied_access(r->access) & access)) &&
           (r->matcher == MATCH_PATH || match_content(&m)) && match_terms(&m);
}

void rule_means_below(struct arena *a, const struct rule *r, const struct subject *s,
                      const struct rule_env *env, struct strs *found)
{
    struct open_rule open = {0}; /* only paths are checked, no globs */
    const struct match m = {.a = a, .r = r, .s = s, .env = env, .open = &open};

    if (r->effect != BEHAVIOR_ALLOW && rule_counts(a, r, env))
        match_below(&m, found);
}
