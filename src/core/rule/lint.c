/* lint.c - compares rules with each other and with what people usually mean.
 *
 * One function per check; the table at the end lists them. */
#include "rule/lint_parts.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/ascii.h"
#include "base/glob.h"
#include "base/nearest.h"
#include "base/path.h"
#include "rule/command.h"
#include "rule/dialect.h"
#include "rule/effect.h"
#include "rule/open.h"
#include "rule/tool.h"

static const char contradictory[] = "contradictory";
static const char duplicate[] = "duplicate";
static const char never[] = "never-matches";
static const char not_compared[] = "not-compared";
static const char not_portable[] = "not-portable";
static const char one_program[] = "one-program";
static const char shadowed[] = "shadowed";
static const char unknown_tool[] = "unknown-tool";
static const char unreachable[] = "unreachable";
const char lint_wider[] = "wider-than-it-looks";

static const char *const names[] = {contradictory, duplicate,    lint_mangled, never,
                                    not_compared,  not_portable, one_program,  shadowed,
                                    unknown_tool,  unreachable,  lint_wider,   NULL};

const char *const *lint_names(void)
{
    return names;
}

void lint_find(struct lint *l, size_t rule, const char *name, const char *format, ...)
{
    char message[512];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    LIST_PUSH(l->a, l->out, (struct lint_finding){name, rule, str_copy(l->a, str_from(message))});
}

enum rule_content lint_content(const struct rule *r)
{
    const struct rule_tool *tool = rule_tool_find(r->tool);

    if (r->matcher == MATCH_ACTION)
        return CONTENT_COMMAND;
    return tool ? tool->content : CONTENT_TEXT;
}

/* --- two rules --- */

/* In these dialects the first matching rule decides, whatever its effect. */
static bool is_first_match(const struct rule *r)
{
    return r->dialect == DIALECT_FIRST_ARG || r->dialect == DIALECT_DOUBLESTAR;
}

/* If rule `j` matches all that rule `i` matches, one of them may be useless or surprising; which,
 * depends on which of the two wins. True if `j` led to a finding about `i`: one per rule is
 * enough. */
static bool compare(struct lint *l, size_t i, size_t j)
{
    const struct rule *r = &l->rules->items[i], *other = &l->rules->items[j];
    bool first_match = is_first_match(r) && is_first_match(other);

    if (!rule_covers(l->a, other, r))
        return false;
    bool same = !rule_is_long_form(r) && rule_covers(l->a, r, other);
    if (same && r->effect == other->effect) {
        if (j < i)
            lint_find(l, i, duplicate, "says the same as rule %zu, %.*s", j + 1,
                      STR_ARG(other->text));
        return j < i;
    }
    if (first_match) {
        if (j < i)
            lint_find(l, i, unreachable,
                      "rule %zu, %.*s, comes first and matches all that this one could", j + 1,
                      STR_ARG(other->text));
        return j < i;
    }
    if (other->effect >= r->effect) /* deny is the smallest */
        return false;
    if (same)
        lint_find(l, i, contradictory, "rule %zu says %s to the same calls, and %s wins", j + 1,
                  behavior_name(other->effect), behavior_name(other->effect));
    else
        lint_find(l, i, shadowed, "rule %zu, %s %.*s, is wider and always wins", j + 1,
                  behavior_name(other->effect), STR_ARG(other->text));
    return true;
}

static void compare_one(struct lint *l, size_t i)
{
    for (size_t j = 0; j < l->rules->count; j++)
        if (i != j && compare(l, i, j))
            break;
}

/* --- wider than it looks --- */

static void check_every_call(struct lint *l, size_t i, const struct rule *r)
{
    if (r->effect != BEHAVIOR_ALLOW || r->matcher != MATCH_ANY || rule_is_long_form(r))
        return;
    if (str_is(r->tool, "*"))
        lint_find(l, i, lint_wider, "allows every tool, including those added later");
    else if (lint_content(r) == CONTENT_COMMAND)
        lint_find(l, i, lint_wider, "allows every command");
}

/* The literal text before the first wildcard of an allow rule on commands; false if there is no
 * wildcard. */
static bool literal_head(struct arena *a, const struct rule *r, struct str *head)
{
    struct open_reading o = rule_open(r);

    switch (r->matcher) {
    case MATCH_PREFIX:
    case MATCH_STARTS:
        *head = r->pattern;
        return true;
    case MATCH_FIELD:
    case MATCH_GLOB:
    case MATCH_ACTION:
        if (!glob_has_magic(r->matcher == MATCH_FIELD ? r->content : r->pattern, GLOB_BRACES))
            return false;
        *head = glob_literal_prefix(a, open_glob(a, &o));
        return true;
    case MATCH_ANY:
    case MATCH_EXACT:
    case MATCH_SUBSTRING:
    case MATCH_PATH:
    case MATCH_DOMAIN:
        return false;
    }
    return false;
}

/* Are there only options between the program and the wildcard? */
static bool is_open_program(struct str after)
{
    struct str rest = str_trim(after), word;

    while (rest.len > 0) {
        if (!str_cut(rest, ' ', &word, &rest))
            rest = (struct str){0};
        if (word.len == 0 || word.s[0] != '-')
            return false;
    }
    return true;
}

static struct str last_word(struct str text)
{
    size_t blank = str_last_index(text, ' ');

    return blank == STR_NONE ? text : str_from_byte(text, blank + 1);
}

/* Claude Code compares the text alone. */
static const char difference[] = "; in Claude Code it does, but here a star covers no code, "
                                 "secrets or other hosts, and nothing that loses work";

static void check_wildcard(struct lint *l, size_t i, const struct rule *r)
{
    struct str head, program, after = {0};

    if (r->effect != BEHAVIOR_ALLOW || lint_content(r) != CONTENT_COMMAND || rule_is_long_form(r) ||
        !literal_head(l->a, r, &head))
        return;
    if (str_trim(head).len == 0) {
        lint_find(l, i, lint_wider, "starts with a wildcard, so any program matches");
        return;
    }
    bool more = str_cut(head, ' ', &program, &after);
    const char *danger = l->danger(program);
    if (danger && is_open_program(after))
        lint_find(l, i, lint_wider, "%.*s %s%s", STR_ARG(program), danger,
                  r->dialect == DIALECT_WARDER ? difference : "");
    else if (danger && str_ends(head, STR("/")))
        lint_find(l, i, lint_wider,
                  "%.*s %s, and that is every file below %.*s, also one written later",
                  STR_ARG(program), danger, STR_ARG(last_word(head)));
    else if ((danger = l->danger(str_format(l->a, "%.*s ", STR_ARG(str_trim(head))))) != NULL)
        lint_find(l, i, lint_wider, "%.*s %s", STR_ARG(str_trim(head)), danger);
    else if (!more && r->matcher != MATCH_PREFIX && !r->tail)
        lint_find(
            l, i, lint_wider,
            "the wildcard is not on a word boundary: it also matches programs whose names start "
            "with %.*s",
            STR_ARG(program));
}

static void check_substring(struct lint *l, size_t i, const struct rule *r)
{
    if (r->effect == BEHAVIOR_ALLOW && r->matcher == MATCH_SUBSTRING &&
        lint_content(r) == CONTENT_COMMAND && !str_has(r->pattern, ' '))
        lint_find(l, i, lint_wider,
                  "matches every command with \"%.*s\" anywhere in it, even inside other words",
                  STR_ARG(r->pattern));
}

static void check_ignored_content(struct lint *l, size_t i, const struct rule *r)
{
    static const char *const without[] = {"TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode",
                                          "TaskList"};

    if (r->content.len == 0 || r->matcher == MATCH_ANY)
        return;
    for (size_t k = 0; r->dialect == DIALECT_FIRST_ARG && k < COUNT(without); k++)
        if (str_is(r->tool, without[k]))
            lint_find(l, i, lint_wider,
                      "%s has no first argument, so the part after ':' is ignored", without[k]);
    static const char *const pathless[] = {"list_files", "grep_search", "LS",       "Glob",
                                           "Grep",       "WebFetch",    "WebSearch"};
    for (size_t k = 0; r->dialect == DIALECT_TRAILING && k < COUNT(pathless); k++)
        if (str_is(r->tool, pathless[k]))
            lint_find(l, i, lint_wider, "%s has no file_path, so this matches every call of it",
                      pathless[k]);
}

/* --- narrower than it is meant --- */

static bool is_on_effect(const struct lint *l, unsigned effect)
{
    for (size_t k = 0; k < l->rules->count; k++)
        if (l->rules->items[k].effect != BEHAVIOR_ALLOW &&
            (rule_more(&l->rules->items[k])->does & effect))
            return true;
    return false;
}

/* Others that have the effect, of which people do not think. */
static const struct {
    const char *effect, *others;
} beside[] = {
    {"delete", "find -delete, unlink, git clean"},
    {"network", "git clone, nc, openssl s_client"},
    {"privilege", "su -c, doas, pkexec"},
};

/* Bash(rm *) names a program, and its reader thinks of what it does. */
static void check_one_program(struct lint *l, size_t i, const struct rule *r)
{
    struct str program =
        r->dialect == DIALECT_WARDER && rule_is_on_commands(r) ? rule_program(r) : (struct str){0};
    const char *meant = program.len ? l->meant(program) : NULL;
    struct rule_words words = meant ? rule_words(l->a, r) : (struct rule_words){0};

    if (!meant || rule_is_long_form(r) || is_on_effect(l, rule_effect_named(str_from(meant))))
        return;
    for (size_t k = 1; k < words.count; k++)
        if (!words.items[k].wild)
            return;
    for (size_t k = 0; k < COUNT(beside); k++)
        if (strcmp(beside[k].effect, meant) == 0)
            lint_find(l, i, one_program, "does not stop %s; say: %s effect %s", beside[k].others,
                      behavior_name(r->effect), meant);
}

/* --- never matching --- */

static void check_prefix_mark(struct lint *l, size_t i, const struct rule *r)
{
    if (r->dialect != DIALECT_WARDER || lint_content(r) != CONTENT_COMMAND ||
        r->matcher != MATCH_GLOB)
        return;
    for (size_t k = 0; k + 2 < r->content.len; k++)
        if (r->content.s[k] == ':' && r->content.s[k + 1] == '*') {
            lint_find(l, i, never,
                      "':*' is a prefix mark only at the end; here the command must contain a ':'");
            return;
        }
}

/* Finds an operator outside quotes. Rules are matched against one simple command at a time, so it
 * can never match. */
static const char *find_operator(struct str s)
{
    static const char *const operators[] = {"&&", "||", "|", ";", ">", "<"};
    char quote = '\0';

    for (size_t k = 0; k < s.len; k++) {
        char c = s.s[k];
        if (c == '\\') {
            k++;
        } else if (quote) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else {
            for (size_t o = 0; o < COUNT(operators); o++)
                if (str_starts(str_from_byte(s, k), str_from(operators[o])))
                    return operators[o];
        }
    }
    return NULL;
}

static void check_operator(struct lint *l, size_t i, const struct rule *r)
{
    const char *op;

    if (r->dialect != DIALECT_WARDER || lint_content(r) != CONTENT_COMMAND ||
        r->matcher == MATCH_FIELD)
        return;
    if (r->matcher == MATCH_EXACT &&
        r->effect == BEHAVIOR_ALLOW) /* matches a whole line literally */
        return;
    if ((op = find_operator(r->content)) != NULL)
        lint_find(
            l, i, never,
            "rules are matched against one simple command at a time, which never contains '%s'",
            op);
}

static void check_blanks(struct lint *l, size_t i, const struct rule *r)
{
    if (r->matcher == MATCH_EXACT && r->content.len > 0 &&
        str_trim(r->content).len < r->content.len)
        lint_find(l, i, never, "no command or argument begins or ends with a blank");
}

static void check_path(struct lint *l, size_t i, const struct rule *r)
{
    if (r->matcher != MATCH_PATH)
        return;
    if (str_starts(r->content, STR("$")))
        lint_find(l, i, never,
                  "variables are not expanded in rules: write ~/ for the home directory");
    if (r->path && r->path->up > 0 && r->base.len > 0 && r->path->up > path_depth(r->base))
        lint_find(l, i, never, "leads above the root");
    if (r->dialect == DIALECT_WARDER && r->effect != BEHAVIOR_DENY &&
        (str_is(r->tool, "Write") || str_is(r->tool, "Glob")))
        lint_find(l, i, not_portable, "Claude Code ignores %.*s(...) path rules: write %s(...)",
                  STR_ARG(r->tool), str_is(r->tool, "Write") ? "Edit" : "Read");
}

/* Directories that are at the root of a machine, and hardly ever of a project. */
static bool begins_at_root(struct str path)
{
    static const char *const roots[] = {
        "Applications", "Library", "System", "Users", "Volumes", "boot", "dev",
        "etc",          "home",    "media",  "mnt",   "opt",     "proc", "root",
        "run",          "sbin",    "srv",    "sys",   "tmp",     "usr",  "var"};
    struct str first, rest;

    str_cut(path, '/', &first, &rest);
    return STR_IN(first, roots);
}

/* /srv/x is absolute in guild's files, and //srv/x in all others. */
static void check_anchor(struct lint *l, size_t i, const struct rule *r, const struct rule_path *p)
{
    struct str rest = str_from_byte(p->pattern, str_starts(p->pattern, STR("/")));

    if (p->anchor == ANCHOR_PROJECT && str_starts(p->text, STR("/")) && begins_at_root(rest))
        lint_find(l, i, never, "/%.*s is looked for in the project: //%.*s is absolute",
                  STR_ARG(rest), STR_ARG(rest));
    if (p->anchor == ANCHOR_ROOT && r->dialect == DIALECT_ACTION && !begins_at_root(rest) &&
        !glob_has_magic(str_slice(rest, 0, str_until(rest, "/")), GLOB_BRACES))
        lint_find(l, i, never,
                  "/%.*s is looked for at the root of the machine: ./%.*s is in the project",
                  STR_ARG(rest), STR_ARG(rest));
}

static void check_path_list(struct lint *l, size_t i, const struct rule *r)
{
    for (size_t n = 0; n < rule_more(r)->paths.count; n++)
        check_anchor(l, i, r, &rule_more(r)->paths.items[n]);
    if (r->matcher == MATCH_PATH && r->path)
        check_anchor(l, i, r, r->path);
}

static void check_address(struct lint *l, size_t i, const struct rule *r)
{
    if (lint_content(r) == CONTENT_URL && r->matcher == MATCH_EXACT &&
        !str_contains(r->pattern, STR("://")))
        lint_find(l, i, never, "this is not a URL: write a host as WebFetch(domain:%.*s)",
                  STR_ARG(r->pattern));
}

static void check_tool_as_action(struct lint *l, size_t i, const struct rule *r)
{
    if (r->matcher == MATCH_ACTION && ascii_is_upper(r->text.s[0]) && rule_tool_find(r->text))
        lint_find(l, i, never, "is read as a command here, and no command is called %.*s",
                  STR_ARG(r->text));
}

/* --- tool names --- */

static void check_tool_name(struct lint *l, size_t i, const struct rule *r)
{
    size_t count;
    const struct rule_tool *rows = rule_tool_rows(&count);
    struct nearest near = nearest_to(r->tool);

    if (r->tool_wild || rule_tool_find(r->tool) || str_starts(r->tool, STR("mcp__")))
        return;
    for (size_t k = 0; k < count; k++)
        nearest_try(&near, str_from(rows[k].name));
    if (near.best.len)
        lint_find(l, i, unknown_tool, "unknown tool %.*s; did you mean %.*s?", STR_ARG(r->tool),
                  STR_ARG(near.best));
}

/* --- all of it --- */

static void (*const checks[])(struct lint *, size_t, const struct rule *) = {
    check_every_call,  check_wildcard,     check_substring,      check_ignored_content,
    check_prefix_mark, check_operator,     check_blanks,         check_path,
    check_path_list,   check_address,      check_tool_as_action, check_tool_name,
    check_one_program, lint_check_mangled, lint_check_home,
};

static void check_one(struct lint *l, size_t i)
{
    for (size_t c = 0; c < COUNT(checks); c++)
        checks[c](l, i, &l->rules->items[i]);
}

void rule_lint(struct arena *a, const struct rules *rules, size_t rule, danger_of *danger,
               meant_of *meant, struct lint_findings *out)
{
    struct lint l = {.a = a, .rules = rules, .danger = danger, .meant = meant, .out = out};

    check_one(&l, rule);
    compare_one(&l, rule);
}

void rules_lint(struct arena *a, const struct rules *rules, danger_of *danger, meant_of *meant,
                struct lint_findings *out)
{
    struct lint l = {.a = a, .rules = rules, .danger = danger, .meant = meant, .out = out};

    for (size_t i = 0; i < rules->count; i++)
        check_one(&l, i);
    for (size_t i = 0; rules->count <= LINT_MAX_COMPARED && i < rules->count; i++)
        compare_one(&l, i);
    if (rules->count > LINT_MAX_COMPARED)
        lint_find(&l, LINT_MAX_COMPARED, not_compared,
                  "more than %d rules: they were not compared with each other", LINT_MAX_COMPARED);
}
