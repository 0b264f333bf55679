#include "rule/suggest.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/path.h"
#include "rule/tool.h"

/* Subcommands that run the project's own code and do the same kind of thing whatever their
 * arguments. Any other command is suggested literally. `group`: the subcommand comes after this
 * word; an empty list accepts any plain name. */
static const struct {
    const char *program, *group, *subcommands;
} known[] = {
    {"npm", "", "test"},
    {"npm", "run", ""},
    {"pnpm", "", "ls list test"},
    {"pnpm", "run", ""},
    {"yarn", "", "list test"},
    {"yarn", "run", ""},
    {"bun", "", "test"},
    {"bun", "run", ""},
    {"cargo", "", "bench build check clippy doc fmt test"},
    {"go", "", "build fmt test vet"},
    {"terraform", "", "fmt validate"},
    {"uv", "pip", "check freeze list show"},
    {"dotnet", "", "build format test"},
    {"mvn", "", "compile test verify"},
    {"gradle", "", "build check test"},
    {"./gradlew", "", "build check test"},
    {"swift", "", "build test"},
    {"mix", "", "compile format test"},
};

struct job {
    struct arena *a;
    const struct subject *s;
    const struct rule_env *env;
    enum dialect d;
    bool wide;
    danger_of *danger;
};

#define WHOLE_MAX 500 /* bytes; longer command lines are not offered as a rule */

/* --- commands --- */

static bool is_plain_word(struct str w)
{
    if (w.len == 0 || w.s[0] == '-')
        return false;
    for (size_t i = 0; i < w.len; i++)
        if (!ascii_is_alnum(w.s[i]) && !(w.s[i] && strchr("_-./:", w.s[i])))
            return false;
    return w.s[w.len - 1] != ':';
}

static struct str next_word(struct str *rest)
{
    struct str word;

    if (!str_cut(*rest, ' ', &word, rest))
        *rest = (struct str){0};
    return word;
}

/* "git status", "npm run build": the words of a prefix rule to offer; empty if it must be
 * literal. */
static struct str known_prefix(struct str command)
{
    struct str rest = command, program = next_word(&rest), second = next_word(&rest),
               third = next_word(&rest);

    if (!is_plain_word(program) || !is_plain_word(second))
        return (struct str){0};
    for (size_t i = 0; i < COUNT(known); i++) {
        if (!str_is(program, known[i].program))
            continue;
        if (!known[i].group[0]) {
            if (str_has_word(str_from(known[i].subcommands), second))
                return str_slice(command, 0, program.len + 1 + second.len);
        } else if (str_is(second, known[i].group) && is_plain_word(third) &&
                   (!known[i].subcommands[0] ||
                    str_has_word(str_from(known[i].subcommands), third))) {
            return str_slice(command, 0, program.len + second.len + third.len + 2);
        }
    }
    return (struct str){0};
}

static struct str escaped(struct arena *a, struct str s, const char *bytes)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < s.len; i++) {
        if (s.s[i] && strchr(bytes, s.s[i]))
            buf_byte(&b, '\\');
        buf_byte(&b, s.s[i]);
    }
    return buf_str(&b);
}

/* fnmatch has no escape, but a class of one member works. */
static struct str fnmatch_escaped(struct arena *a, struct str s)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i];
        if (c == '*' || c == '?' || c == '[')
            buf_format(&b, "[%c]", c);
        else
            buf_add(&b, escaped(a, (struct str){&c, 1}, "()\\"));
    }
    return buf_str(&b);
}

static struct str doublestar_escaped(struct arena *a, struct str s)
{
    /* Without a wildcard it is a substring, in which a backslash is literal. */
    for (size_t i = 0; i < s.len; i++)
        if (s.s[i] && strchr("*?[{", s.s[i]))
            return glob_escape(a, s);
    return s;
}

/* mink offers the first word and a star; so do we, except for programs that can run anything. */
static struct str fnmatch_command(struct job *j, struct str command)
{
    struct str rest = command, program = next_word(&rest);

    if (is_plain_word(program) && !j->danger(program))
        return str_format(j->a, "command:%.*s*", STR_ARG(program));
    return str_join(j->a, STR("command:"), fnmatch_escaped(j->a, command));
}

/* A text for Tool(text) or Tool:text that matches exactly `value`; empty if the dialect cannot
 * express it. */
static struct str exact_text(struct job *j, struct str value)
{
    switch (j->d) {
    case DIALECT_WARDER:
        return escaped(j->a, value, "()\\*");
    case DIALECT_FNMATCH:
        return fnmatch_escaped(j->a, value);
    case DIALECT_DOUBLESTAR:
        return doublestar_escaped(j->a, value);
    case DIALECT_FIRST_ARG:
        return str_has(value, '*') || str_has(value, '?') ? (struct str){0} : value;
    case DIALECT_ACTION:
        return glob_escape(j->a, value);
    case DIALECT_TRAILING:
        return str_ends(value, STR("*")) ? (struct str){0} : value;
    }
    return (struct str){0};
}

static struct str spell(struct job *j, struct str tool, struct str content)
{
    if (content.len == 0)
        return (struct str){0};
    if (j->d == DIALECT_FIRST_ARG)
        return str_format(j->a, "%.*s:%.*s", STR_ARG(tool), STR_ARG(content));
    return str_format(j->a, "%.*s(%.*s)", STR_ARG(tool), STR_ARG(content));
}

static struct str suggest_command(struct job *j, struct str tool)
{
    if (!j->s->understood || j->s->forms_allow.count == 0)
        return (struct str){0};

    struct str command = j->s->forms_allow.items[0];
    struct str prefix = j->wide ? known_prefix(command) : (struct str){0};
    if (str_has(command, WORD_UNKNOWN))
        return (struct str){
            0}; /* cannot be written literally, and a star in its place would match anything */
    if (j->d == DIALECT_FNMATCH)
        return spell(j, tool, fnmatch_command(j, command));
    if (j->d == DIALECT_WARDER && prefix.len > 0)
        return spell(j, tool, str_join(j->a, prefix, STR(":*")));
    struct str exact = exact_text(j, command);
    return j->d == DIALECT_ACTION ? exact : spell(j, tool, exact);
}

/* --- paths --- */

/* ./x instead of x if x alone would match at any depth or be read as something else. */
static struct str relative_spelling(struct job *j, struct str rel)
{
    bool plain =
        str_has(rel, '/') && !str_has(rel, ':') && (ascii_is_alnum(rel.s[0]) || rel.s[0] == '_');

    return plain ? rel : str_join(j->a, STR("./"), rel);
}

static struct str path_pattern(struct job *j, struct str path)
{
    struct str rel, escaped_path = glob_escape(j->a, path);

    if (path_relative(j->env->cwd, path, &rel) && rel.len > 0)
        escaped_path = relative_spelling(j, glob_escape(j->a, rel));
    else if (j->env->home.len > 0 && path_relative(j->env->home, path, &rel) && rel.len > 0)
        escaped_path = str_join(j->a, STR("~/"), glob_escape(j->a, rel));
    else
        escaped_path = str_join(j->a, STR("/"), escaped_path);
    return escaped(j->a, escaped_path, "()");
}

static const struct subject_path *only_path(const struct subject *s)
{
    const struct subject_path *found = NULL;

    for (size_t i = 0; i < s->paths.count; i++) {
        if (s->paths.items[i].uncertain || s->paths.items[i].folded)
            continue;
        if (found)
            return NULL;
        found = &s->paths.items[i];
    }
    return found;
}

static struct str first_field(const struct subject *s)
{
    for (size_t i = 0; i < s->fields.count; i++)
        if (str_eq(s->fields.items[i].value, s->first))
            return s->fields.items[i].name;
    return (struct str){0};
}

/* `Tool(field:value)` for mink, Tool(value) or Tool:value elsewhere. */
static struct str suggest_value(struct job *j, struct str tool)
{
    struct str field = first_field(j->s), exact;

    if (!j->s->has_first)
        return tool;
    exact = exact_text(j, j->s->first);
    if (j->d == DIALECT_FNMATCH && field.len > 0 && exact.len > 0)
        exact = str_format(j->a, "%.*s:%.*s", STR_ARG(field), STR_ARG(exact));
    return spell(j, tool, exact);
}

static struct str suggest_path(struct job *j, struct str tool, const struct rule_tool *row)
{
    const struct subject_path *path = only_path(j->s);

    if (j->d != DIALECT_WARDER)
        return suggest_value(j, tool);
    /* A search in the cwd itself: no path rule matches its own anchor. */
    if (!path || path->pattern || str_eq(path->written, j->env->cwd))
        return row->family || (row->access & ACCESS_WRITE) ? (struct str){0} : tool;
    if (row->family)
        tool = row->access & ACCESS_WRITE ? STR("Edit") : STR("Read");
    return spell(j, tool, path_pattern(j, path->written));
}

static struct str suggest_fetch(struct job *j, struct str tool)
{
    bool domains = j->d == DIALECT_WARDER || j->d == DIALECT_FNMATCH;

    if (!domains)
        return suggest_value(j, tool);
    if (j->s->hosts.count != 1)
        return (struct str){0};
    return spell(j, tool, str_join(j->a, STR("domain:"), j->s->hosts.items[0]));
}

/* --- all of it --- */

static struct str suggest(struct job *j)
{
    struct str tool = j->s->names.items[0];
    const struct rule_tool *row = NULL;

    for (size_t i = 0; i < j->s->names.count && !row; i++)
        row = rule_tool_find(j->s->names.items[i]);
    if (j->s->shell)
        return suggest_command(j, tool);
    /* guild's own syntax is for commands only. */
    if (j->d == DIALECT_ACTION)
        j->d = DIALECT_WARDER;
    if (row && row->content == CONTENT_PATH)
        return suggest_path(j, tool, row);
    if (row && row->content == CONTENT_URL)
        return suggest_fetch(j, tool);
    if (str_is(tool, "Skill") || str_is(tool, "SlashCommand"))
        return suggest_value(j, tool);
    return tool;
}

/* Returns the text only if it parses in the dialect and covers the subject. */
static struct str checked(const struct job *j, enum dialect d, struct str text)
{
    struct rule r;

    if (text.len == 0 || rule_parse(j->a, text, d, &r, NULL) != STATUS_OK)
        return (struct str){0};
    r.effect = BEHAVIOR_ALLOW;
    return rule_matches(j->a, &r, j->s, j->env) ? text : (struct str){0};
}

struct str rule_suggest(struct arena *a, const struct subject *s, enum dialect d,
                        const struct rule_env *env, bool wide, danger_of *danger)
{
    struct job j = {.a = a, .s = s, .env = env, .d = d, .wide = wide, .danger = danger};

    return s->names.count ? checked(&j, d, suggest(&j)) : (struct str){0};
}

struct str rule_suggest_whole(struct arena *a, const struct subject *s, enum dialect d,
                              const struct rule_env *env)
{
    struct job j = {.a = a, .s = s, .env = env, .d = d};

    if (!s->shell || !s->understood || s->names.count == 0 || s->first.len > WHOLE_MAX)
        return (struct str){0};
    for (size_t i = 0; i < s->first.len; i++)
        if (ascii_is_control(s->first.s[i]))
            return (struct str){0};
    return checked(&j, d, spell(&j, s->names.items[0], exact_text(&j, s->first)));
}
