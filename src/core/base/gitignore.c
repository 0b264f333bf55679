#include "base/gitignore.h"

struct gitignore {
    struct glob *glob;
};

static struct str without_end_slashes(struct str path)
{
    while (str_ends(path, STR("/")))
        path.len--;
    return path;
}

static bool ends_in_escape(struct str pattern)
{
    size_t backslashes = 0;

    while (backslashes < pattern.len && pattern.s[pattern.len - 1 - backslashes] == '\\')
        backslashes++;
    return backslashes % 2 == 1;
}

/* A clean path never contains an empty component, "." or "..": a deny rule with one would load and
 * never match. */
static bool has_unclean_component(struct str pattern)
{
    struct str rest = str_from_byte(pattern, str_starts(pattern, STR("/"))), component;
    bool more;

    do {
        more = str_cut(rest, '/', &component, &rest);
        if (component.len == 0 || str_is(component, ".") || str_is(component, ".."))
            return true;
    } while (more);
    return false;
}

static enum status check(struct str pattern, struct error *err)
{
    if (str_starts(pattern, STR("!")))
        return fail(err, STATUS_SYNTAX,
                    "a path rule cannot be negated; write \\! for a name that begins with '!'");
    if (pattern.len == 0)
        return fail(err, STATUS_SYNTAX, "the path rule is empty");
    if (ends_in_escape(pattern))
        return fail(err, STATUS_SYNTAX, "the path rule ends in a backslash");
    if (has_unclean_component(pattern))
        return fail(err, STATUS_SYNTAX, "a path rule with '//', '.' or '..' in it can never match");
    return STATUS_OK;
}

/* Translates the pattern to a glob for GLOB_PATH | GLOB_PREFIX, below `base`. */
static struct str as_glob(struct arena *a, struct str base, struct str pattern)
{
    struct buf b = buf_in(a);
    bool anchored = str_has(pattern, '/');
    bool all_below = str_ends(pattern, STR("/**"));

    if (base.len) {
        buf_add(&b, glob_escape(a, base));
        if (!str_ends(base, STR("/")))
            buf_byte(&b, '/');
    }
    if (!anchored)
        buf_text(&b, "**/");
    buf_add(&b, str_starts(pattern, STR("/")) ? str_from_byte(pattern, 1) : pattern);
    /* In gitignore(5) a trailing double star means everything inside, not the directory itself:
     * require one more component. */
    if (all_below || str_is(pattern, "**"))
        buf_text(&b, "/*");
    return buf_str(&b);
}

enum status gitignore_compile_below(struct arena *a, struct str base, struct str pattern,
                                    unsigned flags, struct gitignore **out, struct error *err)
{
    struct gitignore *g = ARENA_NEW(a, struct gitignore);
    struct str named = without_end_slashes(pattern);

    enum status status = check(named, err);

    *out = NULL;
    if (status)
        return status;
    status = glob_compile(a, as_glob(a, base, named),
                          (flags & GLOB_NOCASE) | GLOB_PATH | GLOB_PREFIX, &g->glob, err);
    if (status == STATUS_OK)
        *out = g;
    return status;
}

enum status gitignore_compile(struct arena *a, struct str pattern, unsigned flags,
                              struct gitignore **out, struct error *err)
{
    return gitignore_compile_below(a, (struct str){0}, pattern, flags, out, err);
}

bool gitignore_match_or(const struct gitignore *g, struct str path, bool when_cut)
{
    path = without_end_slashes(path);
    return path.len > 0 && glob_match_or(g->glob, path, when_cut);
}

const struct glob *gitignore_glob(const struct gitignore *g)
{
    return g->glob;
}
