#include "rule/open.h"

#include "base/utf8_fold.h"
#include "rule/dialect.h"

static const struct glob *compile(struct arena *a, struct str text, unsigned flags)
{
    struct glob *g = NULL;

    glob_compile(a, flags & GLOB_NOCASE ? utf8_fold(a, text) : text, flags, &g, NULL);
    return g;
}

struct str open_domain(struct arena *a, struct str host)
{
    struct buf b = buf_in(a);

    if (str_starts(host, STR("*."))) {
        buf_text(&b, "**/*/");
        host = str_from_byte(host, 2);
    }
    for (size_t i = 0; i < host.len; i++)
        buf_byte(&b, host.s[i] == '.' ? '/' : host.s[i]);
    return buf_str(&b);
}

struct open_reading rule_open(const struct rule *r)
{
    struct open_reading o = {.from = {r->matcher, r->tail, r->pattern}};

    if (r->matcher == MATCH_FIELD)
        o.from.pattern = rule_more(r)->field_pattern;
    else if (r->matcher == MATCH_DOMAIN)
        o.flags = GLOB_PATH | GLOB_NOCASE;
    else
        o.flags = dialect_row(r->colon ? DIALECT_FIRST_ARG : r->dialect)->flags;
    return o;
}

struct open_reading rule_open_unquoted(const struct rule *r)
{
    return (struct open_reading){.from = rule_more(r)->unquoted,
                                 .flags = dialect_row(r->dialect)->flags};
}

const struct glob *open_glob(struct arena *a, struct open_reading *o)
{
    if (!o->glob)
        o->glob = compile(
            a, o->from.matcher == MATCH_DOMAIN ? open_domain(a, o->from.pattern) : o->from.pattern,
            o->flags);
    return o->glob;
}

struct str open_head(const struct rule_reading *r)
{
    struct str head = str_slice(r->pattern, 0, r->pattern.len - 1);

    while (head.len && head.s[head.len - 1] == ' ')
        head.len--;
    return head;
}

const struct glob *open_bare(struct arena *a, struct open_reading *o)
{
    if (!o->bare)
        o->bare = compile(a, open_head(&o->from), o->flags);
    return o->bare;
}

const struct glob *open_folded(struct arena *a, struct open_reading *o)
{
    if (!o->folded)
        o->folded = compile(a, o->from.pattern, o->flags | GLOB_NOCASE);
    return o->folded;
}

const struct glob *open_tool(struct arena *a, const struct rule *r)
{
    return compile(a, r->tool, 0);
}

const struct glob *open_field(struct arena *a, const struct rule *r)
{
    return compile(a, rule_more(r)->field_pattern, 0);
}

const struct glob *open_letter(struct arena *a, const struct rule *r)
{
    return compile(a, rule_more(r)->letter, dialect_row(r->dialect)->flags);
}

/* x/[**] (without the brackets) with a single name before the slash: for allow it is below the cwd,
 * for deny and ask at any depth. */
static bool is_directory_rule(struct str pattern)
{
    return pattern.len > 3 && str_ends(pattern, STR("/**")) &&
           str_index(pattern, '/') == pattern.len - 3;
}

struct str open_wide(struct arena *a, const struct rule_path *p)
{
    return utf8_fold(a, is_directory_rule(p->pattern) ? str_join(a, STR("**/"), p->pattern)
                                                      : p->pattern);
}

const struct gitignore *open_path(struct arena *a, const struct rule_path *p, bool folded)
{
    struct gitignore *g = NULL;

    if (folded)
        gitignore_compile(a, open_wide(a, p), GLOB_NOCASE, &g, NULL);
    else
        gitignore_compile(a, p->pattern, 0, &g, NULL);
    return g;
}
