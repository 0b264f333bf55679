#include "facts/revisions.h"

#include "base/ascii.h"
#include "base/path.h"
#include "shell/shell.h"

#define ID_SHORT 4  /* fewer digits are no id */
#define ID_FULL  40 /* so many always are one, whatever else has that name */

/* The repository and the session that a name is looked up in. */
struct lookup {
    const struct facts *facts;
    const char *directory;
    int64_t since;
};

static enum origin worse(enum origin a, enum origin b)
{
    if (a == ORIGIN_UNKNOWN || b == ORIGIN_UNKNOWN)
        return ORIGIN_UNKNOWN;
    return a > b ? a : b;
}

static bool is_hex(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.s[i]) && !(s.s[i] >= 'a' && s.s[i] <= 'f') &&
            !(s.s[i] >= 'A' && s.s[i] <= 'F'))
            return false;
    return s.len >= ID_SHORT;
}

/* "v1.2-3-g0123abc", as git describe writes it: the id counts. */
static bool is_description(struct str s)
{
    size_t dash = str_last_index(s, '-');

    return dash != STR_NONE && dash + 2 < s.len && s.s[dash + 1] == 'g' &&
           is_hex(str_from_byte(s, dash + 2));
}

/* Heads of others' work, where a remote or its settings keep them. */
static bool is_request(struct str name)
{
    const struct str parts = STR("changes merge-requests mr pr prs pull pull-requests pulls");
    struct str rest = name, part;

    for (bool more = true; more;) {
        more = str_cut(rest, '/', &part, &rest);
        if (str_has_word(parts, part))
            return true;
    }
    return false;
}

static enum ref_state find(const struct lookup *l, const char *front, struct str name)
{
    const struct world *w = l->facts->world;

    if (!w->ref)
        return REF_UNKNOWN;
    return w->ref(w->context, l->directory,
                  str_format(l->facts->arena, "%s%.*s", front, STR_ARG(name)).s, l->since);
}

/* Of a tag, or a branch of a remote. */
static enum origin remote_origin(const struct lookup *l, const char *front, struct str name)
{
    switch (find(l, front, name)) {
    case REF_ABSENT:
        return ORIGIN_NONE;
    case REF_OLD:
        return is_request(name) ? ORIGIN_UNKNOWN : ORIGIN_REMOTE;
    case REF_NEW:
        return is_request(name) ? ORIGIN_UNKNOWN : ORIGIN_NEW;
    case REF_UNKNOWN:
        break;
    }
    return ORIGIN_UNKNOWN;
}

static enum origin head_origin(const struct lookup *l, struct str name)
{
    switch (find(l, "refs/heads/", name)) {
    case REF_ABSENT:
        return ORIGIN_NONE;
    case REF_OLD:
    case REF_NEW:
        return ORIGIN_OWN;
    case REF_UNKNOWN:
        break;
    }
    return ORIGIN_UNKNOWN;
}

/* refs/heads/x, or heads/x */
static enum origin full_origin(const struct lookup *l, struct str name)
{
    if (str_starts(name, STR("refs/")))
        name = str_from_byte(name, 5);
    if (str_starts(name, STR("heads/")))
        return head_origin(l, str_from_byte(name, 6));
    if (str_starts(name, STR("tags/")))
        return remote_origin(l, "refs/tags/", str_from_byte(name, 5));
    if (str_starts(name, STR("remotes/")))
        return remote_origin(l, "refs/remotes/", str_from_byte(name, 8));
    return ORIGIN_UNKNOWN;
}

static bool is_full(struct str name)
{
    return str_starts(name, STR("refs/")) || str_starts(name, STR("heads/")) ||
           str_starts(name, STR("tags/")) || str_starts(name, STR("remotes/"));
}

/* A branch, or a tag, or a branch of a remote that git checkout would make a local one of. Where
 * several have the name, commands differ in which they take. */
static enum origin short_origin(const struct lookup *l, struct str name)
{
    const struct world *w = l->facts->world;

    if (find(l, "", name) != REF_ABSENT || find(l, "refs/", name) != REF_ABSENT)
        return ORIGIN_UNKNOWN; /* these come first */
    enum origin head = head_origin(l, name);
    enum origin tag = remote_origin(l, "refs/tags/", name);
    if (head == ORIGIN_OWN && tag == ORIGIN_NONE)
        return head;
    enum origin found =
        worse(worse(head, tag),
              worse(remote_origin(l, "refs/remotes/", name),
                    worse(remote_origin(l, "refs/remotes/*/", name),
                          remote_origin(l, "refs/remotes/",
                                        str_format(l->facts->arena, "%.*s/HEAD", STR_ARG(name))))));
    if (found != ORIGIN_NONE || !(is_hex(name) || is_description(name)))
        return found;
    return is_hex(name) && w->logged && w->logged(w->context, l->directory, name) ? ORIGIN_OWN
                                                                                  : ORIGIN_UNKNOWN;
}

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.s[i] <= ' ' || s.s[i] == 0x7f || strchr("~^:?*[\\", s.s[i]))
            return false;
    return s.len && s.s[0] != '/' && !str_contains(s, STR("..")) && !str_contains(s, STR("//"));
}

static bool ends_nocase(struct str s, struct str end)
{
    return s.len >= end.len && str_eq_nocase(str_from_byte(s, s.len - end.len), end);
}

/* The name in front of ~1 and ^2. */
static enum origin base_origin(const struct lookup *l, struct str name)
{
    const struct world *w = l->facts->world;

    /* git writes ORIG_HEAD itself: where HEAD was */
    if (str_is(name, "@") || str_is(name, "HEAD") || str_is(name, "ORIG_HEAD"))
        return ORIGIN_OWN;
    if (!is_name(name) || ends_nocase(name, STR("_HEAD")))
        return ORIGIN_UNKNOWN;
    if (name.len >= ID_FULL && is_hex(name))
        return w->logged && w->logged(w->context, l->directory, name) ? ORIGIN_OWN : ORIGIN_UNKNOWN;
    return is_full(name) ? full_origin(l, name) : short_origin(l, name);
}

/* What stays below the name: ~2 ^ ^2 ^{commit} ^! ^@. False: something else. */
static bool take_parents(struct str *rest)
{
    struct str s = *rest;
    size_t at = 1;

    if (s.s[0] == '^' && s.len > 1 && s.s[1] == '{') {
        size_t end = str_index(s, '}');
        if (end == STR_NONE || !str_has_word(STR("commit object tag tree"), str_slice(s, 2, end)))
            return false;
        at = end + 1;
    } else if (s.s[0] == '^' && s.len > 1 && strchr("!@-", s.s[1])) {
        at = 2;
    }
    while (at < s.len && ascii_is_digit(s.s[at]))
        at++;
    *rest = str_from_byte(s, at);
    return true;
}

/* @{2}, @{yesterday}: where the branch was. @{u}: the remote branch that it follows, which is not
 * looked up. */
static enum origin take_log(struct str *rest)
{
    size_t end = str_index(*rest, '}');

    if (end == STR_NONE)
        return ORIGIN_UNKNOWN;
    struct str what = str_slice(*rest, 2, end);
    *rest = str_from_byte(*rest, end + 1);
    return str_eq_nocase(what, STR("u")) || str_eq_nocase(what, STR("upstream")) ||
                   str_eq_nocase(what, STR("push"))
               ? ORIGIN_NEW
               : ORIGIN_OWN;
}

static enum origin single_origin(const struct lookup *l, struct str text)
{
    size_t end = 0;

    while (end < text.len && !strchr("~^:", text.s[end]) &&
           !(text.s[end] == '@' && end + 1 < text.len && text.s[end + 1] == '{'))
        end++;
    struct str name = str_slice(text, 0, end), rest = str_from_byte(text, end);
    if (name.len == 0 && !str_starts(rest, STR("@{")))
        return ORIGIN_UNKNOWN; /* :/text, :0:path */
    enum origin found = name.len ? base_origin(l, name) : ORIGIN_OWN;
    while (rest.len && found != ORIGIN_UNKNOWN) {
        if (rest.s[0] == '@' && str_starts(rest, STR("@{")))
            found = worse(found, take_log(&rest));
        else if (!strchr("~^", rest.s[0]) || !take_parents(&rest))
            found = ORIGIN_UNKNOWN; /* REV:PATH, ^{/text} */
    }
    return found;
}

/* A..B, A...B; an empty side is HEAD. */
static enum origin range_origin(const struct lookup *l, struct str text)
{
    enum origin found = ORIGIN_OWN;
    size_t at = 0;

    while (at + 1 < text.len && !(text.s[at] == '.' && text.s[at + 1] == '.'))
        at++;
    if (at + 1 >= text.len)
        return single_origin(l, str_starts(text, STR("^")) ? str_from_byte(text, 1) : text);
    struct str left = str_slice(text, 0, at);
    while (at < text.len && text.s[at] == '.')
        at++;
    struct str right = str_from_byte(text, at);
    if (left.len)
        found = single_origin(l, left);
    return right.len ? worse(found, single_origin(l, right)) : found;
}

/* No name of a ref looks like this. */
static bool is_surely_path(struct str text)
{
    return text.len && (text.s[0] == '/' || text.s[0] == '.' || str_contains(text, STR("../")) ||
                        str_ends(text, STR("/..")) || str_ends(text, STR("/")));
}

/* What a remote calls so. It takes refs/NAME before refs/heads/NAME, so that pull/5/head is a pull
 * request; a name with a slash is one that we have seen as a branch of a remote. */
static enum origin source_origin(const struct lookup *l, const struct program_revision *revision)
{
    enum origin known = revision->kind == REVISION_PULLED ? ORIGIN_NEW : ORIGIN_OWN;
    struct str name = revision->text;

    if (str_starts(name, STR("refs/heads/")) || str_starts(name, STR("refs/tags/")) ||
        str_starts(name, STR("heads/")) || str_starts(name, STR("tags/")))
        return known;
    if (!is_name(name) || (name.len >= ID_FULL && is_hex(name)) || str_starts(name, STR("refs/")))
        return ORIGIN_UNKNOWN;
    if (!str_has(name, '/'))
        return known;
    enum origin tracked = remote_origin(l, "refs/remotes/*/", name);
    return tracked == ORIGIN_REMOTE || tracked == ORIGIN_NEW ? known : ORIGIN_UNKNOWN;
}

enum origin revision_origin(const struct facts *f, const struct action *a,
                            const struct program_revision *revision)
{
    struct str directory = a->directory.len ? a->directory : a->cwd;
    struct str text = revision->text;

    if (!revision->known || str_has(text, WORD_UNKNOWN) || !path_is_absolute(directory))
        return ORIGIN_UNKNOWN;
    const struct session *past = facts_past(f);
    const struct lookup l = {f, str_copy(f->arena, directory).s, past ? past->began : 0};
    if (revision->kind == REVISION_PULLED || revision->kind == REVISION_TRACKED)
        return source_origin(&l, revision);
    if (str_is(text, "-"))
        return ORIGIN_OWN; /* the branch before this one */
    if (revision->kind == REVISION_OR_PATH && is_surely_path(text))
        return ORIGIN_NONE;
    return range_origin(&l, text);
}
