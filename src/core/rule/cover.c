/* cover.c - does one rule match everything that another one matches?
 *
 * Yes only if it is certain: lint must not call a useful rule useless. */
#include "base/glob.h"
#include "rule/dialect.h"
#include "rule/lint.h"
#include "rule/open.h"
#include "rule/tool.h"

static bool covers_tool(struct arena *a, const struct rule *wide, const struct rule *narrow)
{
    if (str_is(wide->tool, "*") || str_eq(wide->tool, narrow->tool))
        return true;
    if (narrow->tool_wild)
        return false;
    if (wide->tool_wild)
        return glob_match(open_tool(a, wide), narrow->tool);
    return dialect_row(wide->dialect)->servers && str_starts(wide->tool, STR("mcp__")) &&
           !str_contains(str_from_byte(wide->tool, 5), STR("__")) &&
           str_starts(narrow->tool, wide->tool) &&
           str_starts(str_from_byte(narrow->tool, wide->tool.len), STR("__"));
}

/* "abc*" with no other wildcard: everything that starts with abc. Not under GLOB_PATH, where a star
 * stops at a slash. */
static bool is_open_ended(const struct rule *r, struct str *head)
{
    *head = str_slice(r->pattern, 0, r->pattern.len - 1);
    return (r->matcher == MATCH_GLOB || r->matcher == MATCH_ACTION) &&
           str_ends(r->pattern, STR("*")) && !(dialect_row(r->dialect)->flags & GLOB_PATH) &&
           !glob_has_magic(*head, GLOB_BRACES) && !str_has(*head, '\\');
}

static bool begins_on_word(struct str text, struct str prefix)
{
    return str_starts(text, prefix) && (text.len == prefix.len || text.s[prefix.len] == ' ');
}

/* Does the glob of `wide` match all that `narrow` matches? In general that is hard to decide; these
 * three cases are certain:
 * - `narrow` is an exact text: just match it. With a tail ("git *") the bare "git" matches too.
 * - `narrow` is a prefix rule, "x" or "x" and more words: covered if `wide` is "head*" and x starts
 *   with head; or if its bare form matches x, and the glob matches x with an unknown word after it,
 *   which only a wildcard can match.
 * - `narrow` is a glob that starts with the head of "head*". Not if it has a tail: "git push *"
 *   also matches "git push", which "git push *" without a tail does not. */
static bool glob_covers(struct arena *a, const struct rule *wide, const struct rule *narrow)
{
    struct open_reading o = rule_open(wide);
    struct str head;

    if (narrow->matcher == MATCH_EXACT)
        return glob_match(open_glob(a, &o), narrow->pattern) ||
               (wide->tail && glob_match(open_bare(a, &o), narrow->pattern));
    if (!is_open_ended(wide, &head))
        return false;
    if (narrow->matcher == MATCH_PREFIX)
        return str_starts(narrow->pattern, head) ||
               (wide->tail && glob_match(open_bare(a, &o), narrow->pattern) &&
                glob_match(open_glob(a, &o),
                           str_join(a, narrow->pattern, STR(" " WORD_UNKNOWN_TEXT))));
    return (narrow->matcher == MATCH_GLOB || narrow->matcher == MATCH_ACTION) &&
           str_starts(narrow->pattern, head) && !narrow->tail;
}

static bool path_covers(const struct rule *wide, const struct rule *narrow)
{
    struct str dir = wide->path->pattern;

    if (narrow->matcher != MATCH_PATH || wide->path->anchor != narrow->path->anchor ||
        wide->path->up != narrow->path->up || (narrow->access & ~wide->access) ||
        !str_ends(dir, STR("/**")))
        return false;
    dir.len -= 2;
    return !glob_has_magic(dir, 0) && narrow->path->pattern.len > dir.len &&
           str_starts(narrow->path->pattern, dir);
}

static bool content_covers(struct arena *a, const struct rule *wide, const struct rule *narrow)
{
    bool text = narrow->matcher == MATCH_EXACT || narrow->matcher == MATCH_PREFIX ||
                narrow->matcher == MATCH_STARTS;

    switch (wide->matcher) {
    case MATCH_ANY:
        return true;
    case MATCH_PREFIX:
        return (narrow->matcher == MATCH_EXACT || narrow->matcher == MATCH_PREFIX) &&
               begins_on_word(narrow->pattern, wide->pattern);
    case MATCH_STARTS:
        return text && str_starts(narrow->pattern, wide->pattern);
    case MATCH_SUBSTRING:
        return narrow->matcher == MATCH_SUBSTRING &&
               str_contains_nocase(narrow->pattern, wide->pattern);
    case MATCH_GLOB:
    case MATCH_ACTION:
        return glob_covers(a, wide, narrow);
    case MATCH_PATH:
        return path_covers(wide, narrow);
    case MATCH_EXACT:
    case MATCH_FIELD:
    case MATCH_DOMAIN:
        return false;
    }
    return false;
}

bool rule_covers(struct arena *a, const struct rule *wide, const struct rule *narrow)
{
    if (rule_is_long_form(wide) || wide->dialect != narrow->dialect)
        return false;
    if (rule_more(wide)->scope.len && !str_eq(rule_more(wide)->scope, rule_more(narrow)->scope))
        return false;
    if (rule_more(wide)->session.len &&
        !str_eq(rule_more(wide)->session, rule_more(narrow)->session))
        return false;
    if (wide->tool.len == 0 || narrow->tool.len == 0) {
        if (wide->tool.len != narrow->tool.len)
            return false;
    } else if (!covers_tool(a, wide, narrow)) {
        return false;
    }
    bool same_place = !(wide->matcher == MATCH_PATH && wide->path->anchor == ANCHOR_PROJECT) ||
                      str_eq(wide->base, narrow->base);
    if (!same_place)
        return false;
    /* The same content for the same tool. */
    if (str_eq(wide->content, narrow->content) && str_eq(wide->tool, narrow->tool) &&
        wide->colon == narrow->colon)
        return true;
    /* `x:*` may be a field: for a tool we do not know, that is not known before the call. */
    if (rule_more(wide)->field.len > 0 && !rule_tool_find(wide->tool))
        return false;
    return content_covers(a, wide, narrow);
}
