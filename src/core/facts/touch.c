#include "facts/touch.h"

#include "base/glob.h"
#include "base/path.h"
#include "base/utf8_fold.h"
#include "facts/matches.h"
#include "facts/sensitive_paths.h"
#include "facts/unchanged.h"

/* False for plain ASCII, which folds to itself. */
static bool folds(struct str s, struct str folded)
{
    return folded.s != s.s && !str_eq(folded, s);
}

/* Rules also see the other spelling that a disk may take for the same name. */
static void push_path(const struct facts *f, struct subject *s, const struct subject_path *p)
{
    struct str written = utf8_fold(f->arena, p->written);
    struct str resolved =
        p->resolved.s == p->written.s ? written : utf8_fold(f->arena, p->resolved);

    LIST_PUSH(f->arena, &s->paths, *p);
    s->paths.items[s->paths.count - 1].places = ARENA_NEW(f->arena, struct path_class_memory);
    if (!folds(p->written, written) && !folds(p->resolved, resolved))
        return;
    struct subject_path other = *p;
    other.written = written;
    other.resolved = resolved;
    other.below = other.folded = true;
    LIST_PUSH(f->arena, &s->paths, other);
}

/* The target of the links in `raw`, which is `written` before it was cleaned; empty if unknown. */
static struct str resolved_of(const struct facts *f, struct str written, struct str raw)
{
    char resolved[WORLD_PATH_MAX];

    if (!f->world->resolve(f->world->context, raw.s, resolved))
        return (struct str){0};
    return str_eq(written, str_from(resolved)) ? written : str_copy(f->arena, str_from(resolved));
}

/* `raw` is the path before ".." was resolved: after a link it leads elsewhere than the text
 * says. */
static struct subject_path path_of(const struct facts *f, struct str written, struct str raw)
{
    struct subject_path p = {.written = written};
    bool clean = raw.len == written.len; /* it lost nothing */

    p.climbs = !clean && str_contains(raw, STR("..")) &&
               (str_contains(raw, STR("/../")) || str_ends(raw, STR("/..")));
    if (clean && f->world->as_written && f->world->as_written(f->world->context, written))
        p.resolved = written;
    else
        p.resolved = resolved_of(f, written, raw);
    return p;
}

void touch_clean(const struct facts *f, struct subject *s, struct str written, struct str raw,
                 unsigned access, bool uncertain)
{
    struct subject_path p = path_of(f, written, raw);

    p.access = access;
    p.uncertain = uncertain;
    push_path(f, s, &p);
}

bool touch_is_full(struct facts *f)
{
    if (f->paths_named < TOUCH_PATHS_MAX) {
        f->paths_named++;
        return false;
    }
    f->malformed = STR("it names more than " TOUCH_PATHS_MAX_TEXT " paths: split it");
    return true;
}

/* A path as the call wrote it. One that cannot be resolved (~user, a relative one while the
 * directory is unknown) could be anything. */
void touch_path(struct facts *f, struct subject *s, struct str cwd, struct str text,
                unsigned access)
{
    struct str raw;

    if (touch_is_full(f))
        return;
    if (path_has_nul(text)) {
        f->malformed = STR("a path contains a NUL byte");
        return;
    }
    if (path_expand(f->arena, cwd, f->home, text, &raw))
        touch_clean(f, s, path_cleaned(f->arena, raw), raw, access, false);
    else
        LIST_PUSH(f->arena, &s->paths,
                  (struct subject_path){.written = STR("/**"), .access = access, .pattern = true});
}

#define NAMED_SLOTS 8 /* a later word takes the place of an earlier one */

static struct touched_name *named_slot(const struct facts *f, struct str text)
{
    if (!f->cache->names)
        f->cache->names = ARENA_ARRAY(f->arena, struct touched_name, NAMED_SLOTS);
    return &f->cache->names[((uintptr_t)text.s + text.len) % NAMED_SLOTS];
}

/* The very same bytes, not only equal ones. */
static bool is_same(struct str a, struct str b)
{
    return a.s == b.s && a.len == b.len;
}

const struct touched_name *touch_named(const struct facts *f, struct str cwd, struct str text)
{
    struct touched_name *slot = named_slot(f, text);
    struct str raw;

    if (is_same(slot->text, text) && is_same(slot->cwd, cwd) && slot->path.written.len)
        return slot;
    if (!path_expand(f->arena, cwd, f->home, text, &raw))
        return NULL;
    *slot = (struct touched_name){.cwd = cwd, .text = text};
    slot->path = path_of(f, path_cleaned(f->arena, raw), raw);
    slot->path.uncertain = true;
    slot->respelled = folds(slot->path.written, utf8_fold(f->arena, slot->path.written)) ||
                      (slot->path.resolved.s != slot->path.written.s &&
                       folds(slot->path.resolved, utf8_fold(f->arena, slot->path.resolved)));
    slot->plain = slot->path.resolved.s == slot->path.written.s && !slot->respelled;
    return slot;
}

void touch_word(struct facts *f, struct subject *s, struct str cwd, struct str text,
                unsigned access)
{
    const struct touched_name *named = touch_named(f, cwd, text);

    if (!named)
        return;
    struct subject_path p = named->path;
    p.access = access;
    push_path(f, s, &p);
}

bool touch_is_bare(struct str name)
{
    static const bool bare[256] = {
        ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true,
        ['_'] = true,         ['-'] = true,
    };

    for (size_t i = 0; i < name.len; i++)
        if (!bare[(unsigned char)name.s[i]])
            return false;
    return true;
}

#define PLAIN_MAX 512 /* bytes of a path that is looked at without a copy of it */

/* The path of a name, NUL-terminated in `room`; empty if it is too long. */
static struct str join_in(char room[PLAIN_MAX], struct str cwd, struct str name)
{
    const size_t len = cwd.len + 1 + name.len;

    if (!cwd.len || len >= PLAIN_MAX)
        return (struct str){0};
    memcpy(room, cwd.s, cwd.len);
    room[cwd.len] = '/';
    if (name.len)
        memcpy(room + cwd.len + 1, name.s, name.len);
    room[len] = '\0';
    return (struct str){room, len};
}

enum file_kind touch_kind(const struct facts *f, struct str cwd, struct str name)
{
    char room[PLAIN_MAX];
    struct str path = join_in(room, cwd, name);

    if (!path.len)
        path = path_join(f->arena, cwd, name);
    return f->world->kind(f->world->context, path.s);
}

bool touch_is_plain(const struct facts *f, struct str cwd, struct str name)
{
    struct touched_name *slot = named_slot(f, name);
    char room[PLAIN_MAX];

    if (is_same(slot->text, name) && is_same(slot->cwd, cwd))
        return slot->plain;
    const struct str path = join_in(room, cwd, name);
    if (!path.len || !f->world->as_written || !f->world->as_written(f->world->context, path) ||
        utf8_fold(f->arena, path).s != room)
        return false;
    *slot = (struct touched_name){.cwd = cwd, .text = name, .plain = true};
    return true;
}

/* What the pattern matches now. With ".." after a wildcard, that is not what the cleaned path
 * matches. */
const struct subject_paths *touch_files(struct facts *f, struct str text, struct str pattern)
{
    struct subject_paths *paths = ARENA_NEW(f->arena, struct subject_paths);
    struct subject s = {0};
    struct strs files;

    if (str_contains(str_from_byte(text, str_until(text, "*?")), STR("/..")) ||
        !matches_find(f, pattern, &files))
        return NULL;
    for (size_t i = 0; i < files.count; i++)
        touch_clean(f, &s, files.items[i], files.items[i], 0, false);
    *paths = s.paths;
    return paths;
}

static size_t glob_begins(struct str path)
{
    return str_until(path, "*?[{(");
}

/* ".." after a wildcard: the parent of an unknown directory. */
static bool climbs(struct str path)
{
    struct str rest = str_from_byte(path, glob_begins(path));

    return str_contains(rest, STR("/../")) || str_ends(rest, STR("/.."));
}

/* The directory before the wildcards may be a link. */
static bool through_link(struct facts *f, struct str path, struct str *out)
{
    size_t end = glob_begins(path);
    char resolved[WORLD_PATH_MAX];

    while (end > 0 && path.s[end - 1] != '/')
        end--;
    struct str directory = str_copy(f->arena, str_slice(path, 0, end > 1 ? end - 1 : end));
    if (directory.len <= 1 || !f->world->resolve(f->world->context, directory.s, resolved) ||
        str_eq(path_cleaned(f->arena, directory), str_from(resolved)))
        return false;
    *out = path_join(f->arena, glob_escape(f->arena, str_from(resolved)), str_from_byte(path, end));
    return true;
}

/* A shell word with wildcards counts as every path that it could match. */
void touch_pattern(struct facts *f, struct subject *s, struct str cwd, struct str text,
                   unsigned access, bool uncertain)
{
    struct subject_path p = {.access = access, .pattern = true, .uncertain = uncertain};
    struct str raw;

    bool placed = path_expand(f->arena, cwd, f->home, text, &raw) && !climbs(raw);

    if (!placed)
        raw = STR("/**");
    p.written = path_cleaned(f->arena, raw);
    if (placed && access == ACCESS_READ && call_changes_no_file(f))
        p.files = touch_files(f, text, p.written);
    push_path(f, s, &p);
    if (through_link(f, raw, &p.written))
        push_path(f, s, &p);
}

/* The host in [user@]host[:port], which ends at one of these bytes. */
static void add_host(struct facts *f, struct subject *s, struct str host, const char *ends)
{
    struct str rest;

    for (size_t i = 0; i < host.len; i++)
        if (strchr(ends, host.s[i])) { /* or at a NUL */
            host.len = i;
            break;
        }
    if (str_last_index(host, '@') != STR_NONE)
        host = str_from_byte(host, str_last_index(host, '@') + 1);
    if (host.len && host.s[0] == '[')
        host = str_slice(host, 0,
                         str_index(host, ']') == STR_NONE ? host.len : str_index(host, ']') + 1);
    else
        str_cut(host, ':', &host, &rest);
    while (host.len && host.s[host.len - 1] == '.')
        host.len--;
    if (host.len)
        LIST_PUSH(f->arena, &s->hosts, str_lower(f->arena, host));
}

void touch_host(struct facts *f, struct subject *s, struct str url)
{
    size_t scheme = 0;
    struct str host;

    while (scheme + 2 < url.len && memcmp(url.s + scheme, "://", 3) != 0)
        scheme++;
    host = scheme + 3 < url.len ? str_from_byte(url, scheme + 3)
                                : url; /* curl also takes a bare host */
    add_host(f, s, host, "/?#\\");
    if (str_has(host, '\\')) /* a\@b: a browser talks to a, curl to b */
        add_host(f, s, host, "/?#");
}

/* Every URL in a text: some fetch tools take them inside a prompt. */
void touch_hosts(struct facts *f, struct subject *s, struct str text)
{
    for (size_t at = 0; at + 3 < text.len; at++) {
        if (memcmp(text.s + at, "://", 3) != 0)
            continue;
        size_t end = at;
        while (end < text.len && !strchr(" \t\n\"'<>`", text.s[end]) && text.s[end])
            end++;
        touch_host(f, s, str_slice(text, at, end));
        at = end;
    }
}

/* For rules: an action on a whole tree touches everything in it. The name added here cannot match a
 * more specific pattern, so only rules about everything in the directory see it. */
void touch_tree(const struct facts *f, struct subject *s, struct subject_path directory,
                unsigned access, bool contents)
{
    struct subject_path below = {.access = access, .below = true, .tree = contents};

    below.written = below.resolved = path_join(f->arena, directory.written, WORD_UNKNOWN_STR);
    if (directory.resolved.s != directory.written.s && directory.resolved.len)
        below.resolved = path_join(f->arena, directory.resolved, WORD_UNKNOWN_STR);
    LIST_PUSH(f->arena, &s->paths, below);
}

/* What find found is already on the disk: each of these files may be read. */
static bool add_found(struct facts *f, struct subject *s, struct str cwd, struct str like)
{
    size_t slash = str_last_index(like, '/'); /* after the stars */
    struct str directory, name = str_from_byte(like, slash + 1);
    struct strs files = {0};

    if (!path_absolute(f->arena, cwd, f->home, str_slice(like, 0, slash - 3), &directory) ||
        !matches_below(f, directory, name, &files))
        return false;
    for (size_t i = 0; i < files.count; i++)
        touch_clean(f, s, files.items[i], files.items[i], ACCESS_READ, false);
    return true;
}

/* The rest of a path whose beginning was to be printed by a program that failed. */
static void add_unlikely(struct facts *f, struct subject *s, struct str cwd, struct str rest,
                         unsigned access)
{
    size_t first = s->paths.count;

    if (rest.len && (str_has(rest, '*') || str_has(rest, '?')))
        touch_pattern(f, s, cwd, rest, access, false);
    else if (rest.len)
        touch_path(f, s, cwd, rest, access);
    for (size_t i = first; i < s->paths.count; i++)
        s->paths.items[i].unlikely = true;
}

/* A path that is only partly known. False if that is not enough. */
bool touch_likely(struct facts *f, struct subject *s, struct str cwd, const struct shell_word *w,
                  unsigned access)
{
    if (w->like.len == 0)
        return false;
    if (w->found)
        return access == ACCESS_READ && call_changes_no_file(f) && add_found(f, s, cwd, w->like);
    size_t mark = str_index(w->text, WORD_UNKNOWN), first = s->paths.count;
    struct str rest = str_from_byte(w->text, mark + 1);
    if (!w->fresh) {
        if (access == ACCESS_READ)
            touch_pattern(f, s, cwd, w->like, access, false);
        if (access == ACCESS_READ && w->shape && mark == 0)
            add_unlikely(f, s, cwd, rest, access);
        return access == ACCESS_READ;
    }
    touch_path(
        f, s, cwd,
        str_format(f->arena, "%.*s/" WORD_UNKNOWN_TEXT "%.*s", STR_ARG(w->like), STR_ARG(rest)),
        access);
    for (size_t i = first; i < s->paths.count; i++)
        s->paths.items[i].fresh = true;
    add_unlikely(f, s, cwd, rest, access);
    return true;
}
