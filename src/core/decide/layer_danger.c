/* layer_danger.c - mini's sixteen danger patterns and its questions about new files. */
#include "base/ascii.h"
#include "decide/layer.h"
#include "decide/layer_grants.h"

/* The spec's regular expressions in a small language of our own: '<' is a word boundary, '_' one
 * white space, '+' one or more, '*' zero or more, '(a,b)' one of the texts in it; every other byte
 * is itself. */
static const struct {
    const char *pattern;
    bool any_case;
} patterns[] = {
    {"<rm_", false},
    {"<git+(push,reset,clean,checkout+.)", false},
    {"<sudo<", false},
    {"<mkfs<", false},
    {"<dd_", false},
    {">*/dev/", false},
    {"<kill<", false},
    {"<pkill<", false},
    {"<reboot<", false},
    {"<shutdown<", false},
    /* Windows */
    {"<del_", true},
    {"<rmdir_", true},
    {"<format_", true},
    {"<taskkill_", true},
    {"<Remove-Item_", true},
    {"<Stop-Process_", true},
};

static bool is_word(struct str s, size_t at)
{
    return at < s.len && (ascii_is_alnum(s.s[at]) || s.s[at] == '_');
}

static bool is_blank(struct str s, size_t at)
{
    return at < s.len && strchr(" \t\n\v\f\r", s.s[at]) && s.s[at];
}

static bool same(char a, char b, bool any_case)
{
    return any_case ? ascii_lower(a) == ascii_lower(b) : a == b;
}

static bool matches_at(const char *p, struct str s, size_t at, bool any_case);

/* One of the comma-separated texts of a group, then the rest of the pattern. */
static bool group(const char *p, struct str s, size_t at, bool any_case)
{
    const char *close = strchr(p, ')');

    while (p < close) {
        size_t len = strcspn(p, ",)");
        char one[32];
        snprintf(one, sizeof(one), "%.*s%s", (int)len, p, close + 1);
        if (matches_at(one, s, at, any_case))
            return true;
        p += len + 1;
    }
    return false;
}

static bool matches_at(const char *p, struct str s, size_t at, bool any_case)
{
    for (; *p; p++) {
        switch (*p) {
        case '<':
            if ((at > 0 && is_word(s, at - 1)) == is_word(s, at))
                return false;
            break;
        case '(':
            return group(p + 1, s, at, any_case);
        case '_':
        case '+':
            if (!is_blank(s, at))
                return false;
            at++;
            while (*p == '+' && is_blank(s, at))
                at++;
            break;
        case '*':
            while (is_blank(s, at))
                at++;
            break;
        default:
            if (at >= s.len || !same(*p, s.s[at], any_case))
                return false;
            at++;
        }
    }
    return true;
}

static bool pattern_matches(size_t pattern, struct str command)
{
    for (size_t at = 0; at <= command.len; at++)
        if (matches_at(patterns[pattern].pattern, command, at, patterns[pattern].any_case))
            return true;
    return false;
}

static bool is_dangerous(struct str text)
{
    for (size_t i = 0; i < COUNT(patterns); i++)
        if (pattern_matches(i, text))
            return true;
    return false;
}

/* Checks the text as written, as the spec does; and each action without quotes and wrappers. */
static bool shell_is_dangerous(const struct facts *f, struct str command)
{
    if (is_dangerous(command))
        return true;
    for (size_t i = 0; i < f->actions.count; i++)
        for (size_t n = 0; n < f->actions.items[i].subject.forms_deny.count; n++)
            if (is_dangerous(f->actions.items[i].subject.forms_deny.items[n]))
                return true;
    return false;
}

/* A file that cannot be checked counts as absent: asking costs less than a mistake. */
static bool file_is_absent(const struct facts *f)
{
    const struct subject_paths *paths = &f->actions.items[0].subject.paths;

    for (size_t i = 0; i < paths->count; i++) {
        enum file_kind kind = f->world->kind(f->world->context, paths->items[i].written.s);
        if (kind == FILE_ABSENT || kind == FILE_UNKNOWN)
            return true;
    }
    return paths->count == 0;
}

/* What needs confirmation; empty if nothing does. */
static struct str confirmation(const struct facts *f)
{
    struct str field, value = {0};

    call_first(f->arena, f->call, &field, &value);
    if (f->call->kind == TOOL_SHELL)
        return shell_is_dangerous(f, value) ? value : (struct str){0};
    if ((f->call->kind != TOOL_EDIT && f->call->kind != TOOL_PATCH) || f->actions.count == 0 ||
        !file_is_absent(f))
        return (struct str){0};
    bool writes = f->call->row && str_is(f->call->row->name, "Write");
    return str_format(f->arena, writes ? "write new file: %.*s" : "edit non-existent file: %.*s",
                      STR_ARG(value));
}

const struct said *layer_danger(const struct facts *f)
{
    struct str what = confirmation(f);

    if (what.len == 0)
        return NULL;
    if (f->mode == MODE_DONT_ASK)
        return say(f, SAY_DENY,
                   str_format(f->arena, "Auto-denied (dontAsk mode): %.*s", STR_ARG(what)));
    if (f->session && strs_has(&f->session->grants, confirm_key(f->arena, f, what)))
        return say(f, SAY_ALLOW, STR("confirmed earlier in this session"));
    return say_all(
        f, (struct said){.opinion = SAY_ASK,
                         .action = WHOLE_CALL,
                         .reason = str_format(f->arena, "needs confirmation: %.*s", STR_ARG(what)),
                         .message = what});
}
