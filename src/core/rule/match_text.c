/* match_text.c - rules on commands and first arguments. */
#include "base/glob.h"
#include "rule/match.h"
#include "rule/tool.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static bool starts_nocase(struct str s, struct str prefix)
{
    return s.len >= prefix.len && str_eq_nocase(str_slice(s, 0, prefix.len), prefix);
}

static bool starts(struct str s, struct str prefix, bool folded)
{
    return folded ? starts_nocase(s, prefix) : str_starts(s, prefix);
}

/* Tries the pattern without compiling it, which works for most; `glob` compiles it if needed. */
static bool globs_as(const struct match *m, struct open_reading *o, struct str pattern,
                     unsigned flags, struct str text,
                     const struct glob *(*glob)(struct arena *a, struct open_reading *o))
{
    bool sure, found = glob_plain(pattern, flags, text, &sure);

    return sure ? found : glob_match_or(glob(m->a, o), text, !m->allow);
}

static bool globs(const struct match *m, struct open_reading *o, struct str text, bool folded)
{
    const struct rule_reading *r = &o->from;

    if (folded ? globs_as(m, o, r->pattern, o->flags | GLOB_NOCASE, text, open_folded)
               : globs_as(m, o, r->pattern, o->flags, text, open_glob))
        return true;
    return r->tail && globs_as(m, o, open_head(r), o->flags, text, open_bare);
}

bool match_reading(const struct match *m, struct open_reading *o, struct str text, bool folded)
{
    const struct rule_reading *r = &o->from;

    switch (r->matcher) {
    case MATCH_EXACT:
        return folded ? str_eq_nocase(text, r->pattern) : str_eq(text, r->pattern);
    case MATCH_PREFIX:
        return starts(text, r->pattern, folded) &&
               (text.len == r->pattern.len || is_blank(text.s[r->pattern.len]));
    case MATCH_STARTS:
        return starts(text, r->pattern, folded);
    case MATCH_SUBSTRING:
        return str_contains_nocase(text, r->pattern);
    case MATCH_GLOB:
    case MATCH_FIELD:
    case MATCH_ACTION:
        return globs(m, o, text, folded);
    case MATCH_ANY:
        return true;
    case MATCH_PATH:
    case MATCH_DOMAIN:
        return false;
    }
    return false;
}

const struct glob *match_field_glob(const struct match *m)
{
    if (!m->open->field)
        m->open->field = open_field(m->a, m->r);
    return m->open->field;
}

static bool any_form(const struct match *m, struct open_reading *r, const struct strs *forms)
{
    for (size_t i = 0; i < forms->count; i++)
        if (match_reading(m, r, forms->items[i], false))
            return true;
    return false;
}

/* --- shell actions --- */

/* Deny and ask check all forms, allow only its own. */
static bool match_forms(const struct match *m, struct open_reading *r)
{
    return any_form(m, r, m->allow ? &m->s->forms_allow : &m->s->forms_deny) ||
           (!m->allow && any_form(m, r, &m->s->forms_allow));
}

static bool match_shell(const struct match *m)
{
    struct open_reading *main = &m->open->main;
    const struct subject *s = m->s;

    if (match_forms(m, main) ||
        (rule_more(m->r)->has_unquoted && match_forms(m, &m->open->unquoted)))
        return true;
    /* An allow rule that is the whole command line, literally, covers every action in it. */
    if (m->allow)
        return main->from.matcher == MATCH_EXACT && s->has_first &&
               str_eq(s->first, main->from.pattern);
    return (!s->understood || dialect_row(m->r->dialect)->raw) &&
           match_reading(m, main, s->first, false);
}

/* --- other tools --- */

static const struct subject_field *find_field(const struct subject *s, struct str name)
{
    for (size_t i = 0; i < s->fields.count; i++)
        if (str_eq(s->fields.items[i].name, name))
            return &s->fields.items[i];
    return NULL;
}

static bool writes_path(const struct subject *s)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return true;
    return false;
}

static bool match_trailing(const struct match *m)
{
    const struct subject_field *f = find_field(m->s, STR("file_path"));

    /* In the spec of mini, without that field the rule matches every call. For an allow that would
     * be a loophole: a tool that writes a path under another name must match by that one. */
    if (!f)
        return !m->allow || !writes_path(m->s) || match_path_value(m, m->s->first);
    return f->value.len == 0 ? !m->allow : match_path_value(m, f->value);
}

/* Deny and ask on a tool whose first argument is not known: any field may match. */
static bool match_any_field(const struct match *m, struct open_reading *r)
{
    for (size_t i = 0; i < m->s->fields.count; i++)
        if (match_reading(m, r, m->s->fields.items[i].value, false))
            return true;
    return false;
}

/* waterfall matches a search tool's pattern or path. */
static bool match_search_field(const struct match *m, struct open_reading *r)
{
    static const struct str names[] = {{"pattern", 7}, {"path", 4}};

    for (size_t i = 0; i < COUNT(names); i++) {
        const struct subject_field *f = find_field(m->s, names[i]);
        if (f && match_reading(m, r, f->value, false))
            return true;
    }
    return false;
}

static bool match_other(const struct match *m)
{
    const struct subject *s = m->s;

    if (m->r->dialect == DIALECT_TRAILING)
        return match_trailing(m);
    if (!s->has_first) {
        /* caliban matches tools without a first argument by name only. */
        if (m->r->dialect == DIALECT_FIRST_ARG)
            return true;
        return !m->allow && match_any_field(m, &m->open->main);
    }
    if (match_path_value(m, s->first))
        return true;
    return !m->allow && m->r->dialect == DIALECT_DOUBLESTAR &&
           match_search_field(m, &m->open->main);
}

bool match_text(const struct match *m)
{
    return m->s->shell ? match_shell(m) : match_other(m);
}

static bool is_letter(const struct match *m, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        if (glob_match_or(m->open->letter, texts->items[i], !m->allow))
            return true;
    return false;
}

bool match_letter(const struct match *m)
{
    const struct strs first = {.items = (struct str[]){m->s->first}, .count = m->s->has_first};

    if (!m->letter || !rule_more(m->r)->letter.len)
        return false;
    if (!m->open->letter)
        m->open->letter = open_letter(m->a, m->r);
    return is_letter(m, &first) || is_letter(m, &m->s->forms_allow) ||
           (!m->allow && is_letter(m, &m->s->forms_deny));
}

/* --- named fields --- */

static bool is_declared(const struct subject *s, struct str field)
{
    for (size_t i = 0; i < s->declared.count; i++)
        if (str_has_word(s->declared.items[i], field))
            return true;
    return false;
}

/* An agent could add a field named "npm" to a shell call: for a known tool only declared fields
 * count. */
bool match_has_field(const struct match *m)
{
    if (m->s->known_tool)
        return is_declared(m->s, rule_more(m->r)->field);
    return find_field(m->s, rule_more(m->r)->field) != NULL;
}

/* The command of a shell tool, whatever the field is called. Each of its actions must be covered,
 * so the forms are matched. */
static bool match_command_field(const struct match *m, struct str value)
{
    struct open_reading glob = {
        .from = {.matcher = MATCH_GLOB, .pattern = rule_more(m->r)->field_pattern}};

    if (match_forms(m, &glob))
        return true;
    if (m->allow)
        return m->r->matcher == MATCH_FIELD && m->r->pattern.len > 0 &&
               str_eq(m->r->pattern, value);
    return glob_match_or(match_field_glob(m), value, true);
}

bool match_field(const struct match *m)
{
    const struct subject_field *f = find_field(m->s, rule_more(m->r)->field);
    const struct subject *s = m->s;

    if (s->shell && s->has_first &&
        (rule_field_is_command(rule_more(m->r)->field) || (f && str_eq(f->value, s->first))))
        return match_command_field(m, s->first);
    if (s->shell && m->allow) /* other fields are only the agent's description of the command */
        return false;
    if (m->r->matcher != MATCH_FIELD)
        return f && glob_match_or(match_field_glob(m), f->value, !m->allow);
    if (f)
        return match_path_value(m, f->value);
    /* The same argument under another client's name. A field that the tool has but the call leaves
     * out matches nothing. */
    return !match_has_field(m) && s->has_first && s->paths.count > 0 &&
           match_path_value(m, s->first);
}

bool match_argument(const struct match *m)
{
    const struct subject_field *f = find_field(m->s, rule_more(m->r)->field);

    if (m->r->matcher == MATCH_FIELD)
        return f && glob_match_or(match_field_glob(m), f->value, false);
    return (m->s->has_first && match_reading(m, &m->open->main, m->s->first, false)) ||
           (m->r->dialect == DIALECT_DOUBLESTAR && match_search_field(m, &m->open->main));
}

/* --- guild: actions --- */

/* `rm -rf ~*` also matches the home directory by its full name. */
static bool match_home_spelling(const struct match *m)
{
    struct buf b = buf_in(m->a);
    struct str p = m->r->pattern;

    if (!str_has(p, '~') || m->env->home.len == 0)
        return false;
    for (size_t i = 0; i < p.len; i++) {
        if (p.s[i] == '~' && (i == 0 || is_blank(p.s[i - 1])))
            buf_add(&b, glob_escape(m->a, m->env->home));
        else
            buf_byte(&b, p.s[i]);
    }
    for (size_t i = 0; i < m->s->forms_deny.count; i++)
        if (glob_is_match(m->a, buf_str(&b), dialect_row(DIALECT_ACTION)->flags,
                          m->s->forms_deny.items[i]))
            return true;
    return false;
}

bool match_action(const struct match *m)
{
    struct open_reading main = m->open->main;

    if (m->allow) {
        main.from.tail = false; /* "nc *" forbids nc alone, "cat *" does not allow cat alone */
        return m->s->shell && match_forms(m, &main);
    }
    /* A redirection has no words of its own, but "*" matches it too. */
    if (m->s->shell && str_is(main.from.pattern, "*"))
        return true;
    if (m->s->shell && (match_forms(m, &main) || match_home_spelling(m) ||
                        (!m->s->understood && match_reading(m, &main, m->s->first, false))))
        return true;
    return str_has(main.from.pattern, '/') && match_any_path(m, 0);
}
