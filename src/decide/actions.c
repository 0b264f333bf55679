#include "decide/actions.h"

#include "base/ascii.h"
#include "base/glob.h"
#include "base/json.h"
#include "base/path.h"
#include "base/utf8.h"
#include "base/utf8_fold.h"
#include "decide/built.h"
#include "decide/links.h"
#include "decide/made.h"
#include "decide/matches.h"
#include "decide/scripts.h"
#include "decide/shadows.h"
#include "layer/bringing.h"
#include "layer/territory.h"
#include "shell/shell.h"

/* What a disk may take for the same name is held against rules in that other spelling, too. */
static void push_path(struct facts *f, struct subject *s, struct subject_path p)
{
    struct subject_path other = p;

    p.places = ARENA_NEW(f->arena, struct path_places);
    LIST_PUSH(f->arena, &s->paths, p);
    other.written = utf8_fold(f->arena, p.written);
    other.resolved = utf8_fold(f->arena, p.resolved);
    other.below = other.folded = true;
    if (!str_eq(other.written, p.written) || !str_eq(other.resolved, p.resolved))
        LIST_PUSH(f->arena, &s->paths, other);
}

/* `raw` is the same path before ".." was taken away: behind a link that leads elsewhere than the text says. */
static void add_path(struct facts *f, struct subject *s, struct str written, struct str raw, unsigned access,
                     bool uncertain)
{
    char resolved[WORLD_PATH_MAX];
    struct subject_path p = {.written = written, .access = access, .uncertain = uncertain};

    /* of what is clean nothing was taken away */
    p.climbs = raw.len != written.len && (str_contains(raw, STR("/../")) || str_ends(raw, STR("/..")));
    if (f->world->resolve(f->world->context, raw.s, resolved))
        p.resolved = str_copy(f->arena, str_from(resolved));
    push_path(f, s, p);
}

/* A path as the call wrote it. One that cannot be placed (~user, a relative one
 * while the directory is unknown) could be anything. */
void action_add_path(struct facts *f, struct subject *s, struct str cwd, struct str text, unsigned access)
{
    struct str raw;

    if (path_has_nul(text)) {
        f->malformed = STR("a path holds a NUL byte");
        return;
    }
    if (path_expand(f->arena, cwd, f->home, text, &raw))
        add_path(f, s, path_clean(f->arena, raw), raw, access, false);
    else
        LIST_PUSH(f->arena, &s->paths, (struct subject_path){.written = STR("/**"), .access = access, .pattern = true});
}

/* What the pattern matches now. Where ".." stands behind a wildcard, it is not what cleaning the path made of it. */
static const struct subject_paths *files_of(struct facts *f, struct str text, struct str pattern)
{
    struct subject_paths *paths = ARENA_NEW(f->arena, struct subject_paths);
    struct subject s = {0};
    struct strs files;
    size_t wild = 0;

    while (wild < text.len && !strchr("*?", text.s[wild]))
        wild++;
    if (str_contains(str_from_byte(text, wild), STR("/..")) || !matches_find(f, pattern, &files))
        return NULL;
    for (size_t i = 0; i < files.count; i++)
        add_path(f, &s, files.items[i], files.items[i], 0, false);
    *paths = s.paths;
    return paths;
}

static size_t glob_begins(struct str path)
{
    size_t i = 0;

    while (i < path.len && !strchr("*?[{(", path.s[i]))
        i++;
    return i;
}

/* ".." behind a wildcard: of which directory it is the parent nobody knows. */
static bool climbs(struct str path)
{
    struct str rest = str_from_byte(path, glob_begins(path));

    return str_contains(rest, STR("/../")) || str_ends(rest, STR("/.."));
}

/* The directory in front of the wildcards may be a link. */
static bool through_link(struct facts *f, struct str path, struct str *out)
{
    size_t end = glob_begins(path);
    char resolved[WORLD_PATH_MAX];

    while (end > 0 && path.s[end - 1] != '/')
        end--;
    struct str directory = str_copy(f->arena, str_slice(path, 0, end > 1 ? end - 1 : end));
    if (directory.len <= 1 || !f->world->resolve(f->world->context, directory.s, resolved) ||
        str_eq(path_clean(f->arena, directory), str_from(resolved)))
        return false;
    *out = path_join(f->arena, glob_escape(f->arena, str_from(resolved)), str_from_byte(path, end));
    return true;
}

/* A shell word with wildcards stands for every path that it could match. */
static void add_pattern(struct facts *f, struct subject *s, struct str cwd, struct str text, unsigned access,
                        bool uncertain)
{
    struct subject_path p = {.access = access, .pattern = true, .uncertain = uncertain};
    struct str raw;

    bool placed = path_expand(f->arena, cwd, f->home, text, &raw) && !climbs(raw);

    if (!placed)
        raw = STR("/**");
    p.written = path_clean(f->arena, raw);
    if (placed && f->still && access == ACCESS_READ)
        p.files = files_of(f, text, p.written);
    push_path(f, s, p);
    if (through_link(f, raw, &p.written))
        push_path(f, s, p);
}

static void add_host(struct facts *f, struct subject *s, struct str url)
{
    size_t scheme = 0;
    struct str host, rest;

    while (scheme + 2 < url.len && memcmp(url.s + scheme, "://", 3) != 0)
        scheme++;
    host = scheme + 3 < url.len ? str_from_byte(url, scheme + 3) : url; /* curl takes a bare host, too */
    for (size_t i = 0; i < host.len; i++)
        if (strchr("/?#\\", host.s[i]) || host.s[i] == '\0') {
            host.len = i;
            break;
        }
    if (str_last_index(host, '@') != STR_NONE)
        host = str_from_byte(host, str_last_index(host, '@') + 1);
    if (host.len && host.s[0] == '[')
        host = str_slice(host, 0, str_index(host, ']') == STR_NONE ? host.len : str_index(host, ']') + 1);
    else
        str_cut(host, ':', &host, &rest);
    while (host.len && host.s[host.len - 1] == '.')
        host.len--;
    if (host.len)
        LIST_PUSH(f->arena, &s->hosts, str_lower(f->arena, host));
}

/* Every URL in a text: some fetch tools take them inside a prompt. */
static void add_hosts(struct facts *f, struct subject *s, struct str text)
{
    for (size_t at = 0; at + 3 < text.len; at++) {
        if (memcmp(text.s + at, "://", 3) != 0)
            continue;
        size_t end = at;
        while (end < text.len && !strchr(" \t\n\"'<>`", text.s[end]) && text.s[end])
            end++;
        add_host(f, s, str_slice(text, at, end));
        at = end;
    }
}

static void add_names(struct facts *f, struct subject *s, const struct tool *row)
{
    if (!row)
        return;
    LIST_PUSH(f->arena, &s->names, row->name);
    for (size_t i = 0; i < row->alias_count; i++)
        LIST_PUSH(f->arena, &s->names, row->aliases[i]);
}

static void add_fields(struct facts *f, struct subject *s)
{
    size_t count = f->call->input->count;

    s->fields.items = arena_room(f->arena, count, sizeof(*s->fields.items));
    s->fields.count = s->fields.room = count;
    for (size_t i = 0; i < count; i++) {
        const struct member *m = &f->call->input->members[i];
        s->fields.items[i] = (struct subject_field){m->key, call_field_text(f->arena, &m->value)};
    }
}

static struct strs strs_in(struct arena *a, size_t room)
{
    return (struct strs){.items = arena_room(a, room, sizeof(struct str)), .room = room};
}

static void add_tool(struct facts *f, struct subject *s, const struct tool *row)
{
    s->names = strs_in(f->arena, row->alias_count + 2); /* who adds a name moves to a list of his own */
    LIST_PUSH(f->arena, &s->names, f->call->tool);
    LIST_PUSH(f->arena, &s->names, row->name);
    if (row->alias_count)
        memcpy(s->names.items + 2, row->aliases, row->alias_count * sizeof(*row->aliases));
    s->names.count += row->alias_count;
    s->declared = strs_in(f->arena, 3);
    LIST_PUSH(f->arena, &s->declared, row->first);
    LIST_PUSH(f->arena, &s->declared, row->paths);
    LIST_PUSH(f->arena, &s->declared, row->others);
    s->known_tool = true;
}

/* What every subject of this call has. */
static void find_shared(struct facts *f)
{
    struct subject *s = &f->shared;
    struct str field;

    *s = (struct subject){.understood = true};
    if (f->call->row)
        add_tool(f, s, f->call->row);
    else
        LIST_PUSH(f->arena, &s->names, f->call->tool);
    add_fields(f, s);
    s->has_first = call_first(f->arena, f->call, &field, &s->first);
    s->names.room = s->names.count;
}

/* Tools that nobody knows may still name files: a field that looks like a path
 * is held against deny and ask rules. */
static void add_possible_paths(struct facts *f, struct subject *s)
{
    for (size_t i = 0; i < s->fields.count; i++) {
        struct str value = s->fields.items[i].value, raw;
        if (value.len && (value.s[0] == '/' || value.s[0] == '~') && !path_has_nul(value) &&
            path_expand(f->arena, f->call->cwd, f->home, value, &raw))
            add_path(f, s, path_clean(f->arena, raw), raw, ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE, true);
        add_hosts(f, s, value);
    }
}

/* For rules: who touches a directory with all that is in it touches what a rule says of its contents. The name cannot
 * stand in a pattern, so only rules that speak of everything in there see it. */
static void add_tree(struct facts *f, struct subject *s, struct str directory, unsigned access, bool contents)
{
    struct subject_path below = {.access = access, .below = true, .tree = contents};

    below.written = below.resolved = path_join(f->arena, directory, STR("\x01"));
    LIST_PUSH(f->arena, &s->paths, below);
}

/* A glob tool's pattern may itself lead out of its directory. A field that nobody knows may name another one: other
 * clients have other words for it. */
static void add_search_paths(struct facts *f, struct subject *s)
{
    struct str pattern = value_text(f->call->input, "pattern");
    bool globs = f->call->row && str_is(f->call->row->name, "Glob");

    if (s->paths.count == 0)
        add_path(f, s, f->call->cwd, f->call->cwd, ACCESS_READ, false);
    if (f->call->row && str_is(f->call->row->name, "Grep"))
        add_tree(f, s, s->paths.items[0].written, ACCESS_READ, true);
    if (globs && pattern.len && (pattern.s[0] == '/' || pattern.s[0] == '~' || str_contains(pattern, STR(".."))))
        add_pattern(f, s, s->paths.items[0].written, pattern, ACCESS_READ, false);
    if (call_unknown_field(f->call))
        add_pattern(f, s, STR("/"), STR("/**"), ACCESS_READ, false);
}

static unsigned access_of(const struct call *c)
{
    switch (c->kind) {
    case TOOL_READ:
    case TOOL_SEARCH:
        return ACCESS_READ;
    case TOOL_EDIT:
    case TOOL_PATCH:
        return str_is(c->row->name, "Delete") ? ACCESS_WRITE | ACCESS_DELETE : ACCESS_WRITE;
    case TOOL_OTHER:
    case TOOL_SHELL:
    case TOOL_STDIN:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT:
    case TOOL_PLAN_ENTER:
    case TOOL_PLAN_EXIT:
    case TOOL_QUESTION:
    case TOOL_NOTE:
    case TOOL_MCP:
        break;
    }
    return 0;
}

static void one_action(struct facts *f)
{
    struct action a = {.subject = f->shared, .cwd = f->call->cwd};
    struct subject *s = &a.subject;
    struct strs paths = {0};
    unsigned access = access_of(f->call);

    if (s->has_first) {
        LIST_PUSH(f->arena, &s->forms_allow, s->first);
        LIST_PUSH(f->arena, &s->forms_deny, s->first);
    }
    call_paths(f->arena, f->call, &paths);
    for (size_t i = 0; access && i < paths.count; i++)
        action_add_path(f, s, f->call->cwd, paths.items[i], access);
    if (f->call->kind == TOOL_SEARCH)
        add_search_paths(f, s);
    if (!f->call->row || access == 0)
        add_possible_paths(f, s);
    s->whole = true;
    LIST_PUSH(f->arena, &f->actions, a);
}

/* Until a program is known, each of its operands may be a path it reads, writes or deletes. */
static void add_operand(struct facts *f, struct subject *s, struct str cwd, const struct shell_word *w)
{
    const unsigned any = ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE;
    struct str text = w->text, value, path;

    if (text.len == 0 || path_has_nul(text))
        return;
    if (str_contains(text, STR("://"))) {
        add_hosts(f, s, text);
        return;
    }
    if (str_cut(text, '=', &path, &value) && value.len) /* --output=x, of=x */
        text = value;
    else if (text.s[0] == '-')
        return;
    if (w->may_glob)
        add_pattern(f, s, cwd, text, any, true);
    else if (w->known && path_expand(f->arena, cwd, f->home, text, &path))
        add_path(f, s, path_clean(f->arena, path), path, any, true);
}

/* What find found is on the disk already: each of these files may be read. */
static bool add_found(struct facts *f, struct subject *s, struct str cwd, struct str like)
{
    size_t slash = str_last_index(like, '/'); /* behind the stars */
    struct str directory, name = str_from_byte(like, slash + 1);
    struct strs files = {0};

    if (!path_absolute(f->arena, cwd, f->home, str_slice(like, 0, slash - 3), &directory) ||
        !matches_below(f, directory, name, &files))
        return false;
    for (size_t i = 0; i < files.count; i++)
        add_path(f, s, files.items[i], files.items[i], ACCESS_READ, false);
    return true;
}

/* What is left of a path whose beginning was to be printed by a program that failed. */
static void add_unlikely(struct facts *f, struct subject *s, struct str cwd, struct str rest, unsigned access)
{
    size_t first = s->paths.count;

    if (rest.len && (str_has(rest, '*') || str_has(rest, '?')))
        add_pattern(f, s, cwd, rest, access, false);
    else if (rest.len)
        action_add_path(f, s, cwd, rest, access);
    for (size_t i = first; i < s->paths.count; i++)
        s->paths.items[i].unlikely = true;
}

/* A path that is not known, but something is said of it. False: that is not enough. */
static bool add_likely_path(struct facts *f, struct action *a, struct str cwd, const struct shell_word *w,
                            unsigned access)
{
    struct subject *s = &a->subject;

    if (w->like.len == 0)
        return false;
    if (w->found)
        return access == ACCESS_READ && f->still && add_found(f, s, cwd, w->like);
    size_t mark = str_index(w->text, SHELL_UNKNOWN), first = s->paths.count;
    struct str rest = str_from_byte(w->text, mark + 1);
    if (!w->fresh) {
        if (access == ACCESS_READ)
            add_pattern(f, s, cwd, w->like, access, false);
        if (access == ACCESS_READ && w->shape && mark == 0)
            add_unlikely(f, s, cwd, rest, access);
        return access == ACCESS_READ;
    }
    action_add_path(f, s, cwd, str_format(f->arena, "%.*s/\x01%.*s", STR_ARG(w->like), STR_ARG(rest)), access);
    for (size_t i = first; i < s->paths.count; i++)
        s->paths.items[i].fresh = true;
    add_unlikely(f, s, cwd, rest, access);
    return true;
}

/* A path of a program that we know; `w` is the word that it is all of, or NULL. */
static void add_known_path(struct facts *f, struct action *a, struct str cwd, const struct program_path *from,
                           const struct shell_word *w)
{
    struct subject *s = &a->subject;
    struct str path;

    if (!from->known && (!from->may_glob || str_has(from->text, SHELL_UNKNOWN)))
        a->unknown |= w && add_likely_path(f, a, cwd, w, from->access) ? 0 : from->access;
    else if (from->may_glob)
        add_pattern(f, s, cwd, from->text, from->access, false);
    else
        action_add_path(f, s, cwd, from->text, from->access);
    if (!from->recursive)
        return;
    a->recursive = true;
    if (from->known && !from->may_glob && path_absolute(f->arena, cwd, f->home, from->text, &path)) {
        add_tree(f, s, path, from->access, !from->names);
    }
}

static bool is_glob(const struct shell_word *w)
{
    return w->may_glob && !str_has(w->text, SHELL_UNKNOWN);
}

/* A name that a pattern finds may begin with a dash, and would be an option. The disk says whether one does. */
static bool finds_no_dash(struct facts *f, struct str cwd, const struct shell_word *w)
{
    const struct subject_paths *files;
    struct str pattern, name;

    if (!is_glob(w) || !f->still || w->text.len == 0 || !strchr("*?", w->text.s[0]) ||
        !path_absolute(f->arena, cwd, f->home, w->text, &pattern) || !(files = files_of(f, w->text, pattern)))
        return false;
    for (size_t i = 0; i < files->count; i++)
        if (!path_relative(cwd, files->items[i].written, &name) || str_starts(name, STR("-")))
            return false;
    return true;
}

static struct program_word word_of(const struct shell_word *w, bool no_dash)
{
    return (struct program_word){.text = w->text,
                                 .known = w->known,
                                 .may_glob = w->may_glob,
                                 .may_split = w->may_split,
                                 .may_dash = w->may_dash && !no_dash,
                                 .no_dash = no_dash || (w->shape & SHAPE_NO_DASH),
                                 .plain = w->shape & SHAPE_PLAIN,
                                 .digits = w->shape & SHAPE_DIGITS};
}

/* Where a program goes that changes its directory itself: ".." behind a link leads from where the link leads to. */
static struct str enters(struct facts *f, struct str cwd, struct str directory)
{
    char resolved[WORLD_PATH_MAX];
    struct str raw;

    if (!path_expand(f->arena, cwd, f->home, directory, &raw))
        return (struct str){0};
    if (!str_contains(raw, STR("..")))
        return path_clean(f->arena, raw);
    return f->world->resolve(f->world->context, raw.s, resolved) ? str_copy(f->arena, str_from(resolved))
                                                                 : (struct str){0};
}

/* Lines of one letter each, as `git add -p` asks for them: no editor takes a command from those. */
static bool is_answers(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (i % 2 ? text.s[i] != '\n' : !ascii_is_letter(text.s[i]))
            return false;
    return true;
}

/* An editor that reads what the call does not choose does what its user's settings say, and waits. */
static bool is_editor_idle(const struct shell_action *from)
{
    return from->input == SHELL_INPUT_INHERITED || (from->input == SHELL_INPUT_TEXT && is_answers(from->input_text));
}

/* Words of one command of which something is said. Each is held against each path: of more, nothing is said. */
#define LIKES_MAX 64

struct likes {
    size_t words[LIKES_MAX];
    size_t count;
};

static void find_likes(const struct shell_action *from, struct likes *out)
{
    out->count = 0;
    for (size_t i = 1; i < from->words.count && out->count < LIKES_MAX; i++)
        if (from->words.items[i].like.len)
            out->words[out->count++] = i;
}

/* The word that a path is all of, or, of a directory that mktemp made, what cp makes in it. */
static bool find_word(const struct shell_action *from, const struct likes *likes, const struct program_path *path,
                      struct shell_word *out)
{
    for (size_t i = 0; i < likes->count; i++) {
        const struct shell_word *word = &from->words.items[likes->words[i]];
        bool said = likes->words[i] == path->word
                        ? str_eq(word->text, path->text)
                        : word->fresh && str_starts(path->text, word->text) && !str_contains(path->text, STR(".."));
        if (said) {
            *out = *word;
            out->text = path->text;
            return true;
        }
    }
    return false;
}

static struct program_word *words_of(struct facts *f, const struct shell_action *from)
{
    struct program_word *words = ARENA_ARRAY(f->arena, struct program_word, from->words.count + 1);

    for (size_t i = 0; i < from->words.count; i++) {
        const struct shell_word *w = &from->words.items[i];
        words[i] = word_of(w, w->found || (from->cwd_other.len == 0 && finds_no_dash(f, from->cwd, w)));
    }
    return words;
}

static void add_used_paths(struct facts *f, const struct shell_action *from, struct action *a, struct str cwd,
                           const struct program_use *use)
{
    struct likes likes;

    find_likes(from, &likes);
    for (size_t i = 0; i < use->paths.count; i++) {
        const struct program_path *path = &use->paths.items[i];
        struct shell_word w;
        bool said = find_word(from, &likes, path, &w);
        add_known_path(f, a, cwd, path, said ? &w : NULL);
        if (a->cwd_other.len && !use->directory.len)
            add_known_path(f, a, a->cwd_other, path, said ? &w : NULL);
    }
}

/* The only word that may not be there at all; 0: there is none, or more than one. */
static size_t find_vanishing(const struct shell_action *from)
{
    size_t found = 0;

    for (size_t i = 1; i < from->words.count; i++) {
        if (from->words.items[i].may_vanish && found)
            return 0;
        if (from->words.items[i].may_vanish)
            found = i;
    }
    return found;
}

/* What it does when that word is not there: grep -r x $y then reads everything. */
static void explain_without(struct facts *f, const struct shell_action *from, struct action *a, size_t vanishing)
{
    struct program_word *words = words_of(f, from);
    struct str cwd = a->directory.len ? a->directory : from->cwd;
    struct program_use use;

    for (size_t i = vanishing; i + 1 < from->words.count; i++)
        words[i] = words[i + 1];
    program_explain(f->arena, words, from->words.count - 1, f->book->programs, &use);
    a->effects |= use.row && !use.directory.len && !use.script ? use.effects : use.effects | EFFECT_UNKNOWN;
    for (size_t i = 0; i < use.paths.count; i++) {
        add_known_path(f, a, cwd, &use.paths.items[i], NULL);
        if (a->cwd_other.len)
            add_known_path(f, a, a->cwd_other, &use.paths.items[i], NULL);
    }
    for (size_t i = 0; i < use.hosts.count; i++)
        add_host(f, &a->subject, use.hosts.items[i]);
}

/* A path that a program writes or reads because an option or its nature says so, a host it talks to, what else it does.
 */
static bool explain_program(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct program_word *words = words_of(f, from);
    struct program_use use;
    struct str cwd = from->cwd;
    size_t vanishing = find_vanishing(from);

    if (vanishing)
        words[vanishing].may_split = false;
    program_explain(f->arena, words, from->words.count, f->book->programs, &use);
    if (!use.row)
        return false;
    a->runs_input = use.input.len > 0;
    if (from->input == SHELL_INPUT_TEXT)
        program_explain_input(f->arena, words, from->words.count, from->input_text, &use);
    a->program = true;
    a->effects = use.effects;
    a->built_in = use.built_in;
    a->loads = use.loads;
    if (is_editor_idle(from))
        a->effects &= ~(unsigned)EFFECT_EDITOR;
    if (use.directory.len) {
        cwd = a->directory = enters(f, cwd, use.directory);
        if (cwd.len == 0 || (a->cwd_other.len && use.directory.s[0] != '/'))
            a->effects |= EFFECT_UNKNOWN;
    }
    add_used_paths(f, from, a, cwd, &use);
    if (use.script)
        a->script_word = use.script;
    for (size_t i = 0; i < use.hosts.count; i++)
        add_host(f, &a->subject, use.hosts.items[i]);
    if (vanishing)
        explain_without(f, from, a, vanishing);
    return true;
}

static bool is_translated(const struct shell_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->items[i].translated)
            return true;
    return false;
}

static void add_words(struct facts *f, struct subject *s, const struct shell_words *words)
{
    s->words = strs_in(f->arena, words->count);
    for (size_t i = 0; i < words->count; i++)
        LIST_PUSH(f->arena, &s->words, words->items[i].text);
}

static void shell_command(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct subject *s = &a->subject;

    /* Who forbids a text forbids what may become it; who allows one has not seen what the locale makes of it. */
    if (!is_translated(&from->words))
        s->forms_allow = from->allow_forms;
    s->forms_deny = from->deny_forms;
    add_words(f, s, &from->words);
    if (from->words.count)
        a->name = path_base(s->words.items[0]);
    a->brings = bringing_by(a->name);
    if (from->words.count == 0 || explain_program(f, from, a))
        return;
    for (size_t i = 1; i < from->words.count; i++) {
        add_operand(f, s, from->cwd, &from->words.items[i]);
        if (a->cwd_other.len)
            add_operand(f, s, a->cwd_other, &from->words.items[i]);
    }
}

/* A wrapper whose inner command the shell analysis did not list runs something that nobody has seen. */
static void check_wrappers(struct facts *f, const struct shell_actions *from)
{
    bool *wraps = ARENA_ARRAY(f->arena, bool, from->count + 1);

    for (size_t i = 0; i < from->count; i++)
        if (from->items[i].parent >= 0 && from->items[i].kind == SHELL_COMMAND && !from->items[i].in_substitution)
            wraps[from->items[i].parent] = true;
    for (size_t i = 0; i < from->count; i++)
        if ((f->actions.items[i].effects & EFFECT_INNER) && !wraps[i])
            f->actions.items[i].effects |= EFFECT_CODE;
}

static void add_target(struct facts *f, struct action *a, const struct shell_action *from, unsigned access)
{
    const struct shell_word *target = &from->words.items[0];
    struct str places[] = {from->cwd, a->cwd_other};

    for (size_t i = 0; i < (a->cwd_other.len ? 2 : 1); i++)
        if (target->may_glob)
            add_pattern(f, &a->subject, places[i], target->text, access, false);
        else
            action_add_path(f, &a->subject, places[i], target->text, access);
}

/* A redirection is judged as the file tool that would do the same. */
static void shell_redirect(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct subject *s = &a->subject;
    const struct shell_word *target = &from->words.items[0];
    unsigned access = 0;

    if (from->access & SHELL_READS)
        access |= ACCESS_READ;
    if (from->access & SHELL_WRITES)
        access |= ACCESS_WRITE;
    add_names(f, s, tool_find(access & ACCESS_WRITE ? STR("Write") : STR("Read")));
    if (access & ACCESS_WRITE)
        add_names(f, s, tool_find(STR("Edit")));
    if (!target->known && (!target->may_glob || str_has(target->text, SHELL_UNKNOWN)))
        a->unknown |= add_likely_path(f, a, from->cwd, target, access) ? 0 : access;
    else
        add_target(f, a, from, access);
    a->redirect = true;
}

static bool command_changes(struct facts *f, const struct shell_action *from)
{
    struct program_word *words = ARENA_ARRAY(f->arena, struct program_word, from->words.count + 1);
    struct program_use use;

    for (size_t i = 0; i < from->words.count; i++)
        words[i] = word_of(&from->words.items[i], from->words.items[i].found || is_glob(&from->words.items[i]));
    program_explain(f->arena, words, from->words.count, f->book->programs, &use);
    /* inline code changes only what it opens; what its modules do is asked about when they are not its own */
    if (!use.row || (use.effects & ~(unsigned)(EFFECT_FETCH | EFFECT_INNER | EFFECT_MODULES)))
        return true;
    for (size_t i = 0; i < use.paths.count; i++)
        if (use.paths.items[i].access != PROGRAM_READS)
            return true;
    return false;
}

/* Could it make a file that one of its own patterns then finds? */
static bool changes_files(struct facts *f, const struct shell_action *from)
{
    switch (from->kind) {
    case SHELL_COMMAND:
        return from->words.count && command_changes(f, from);
    case SHELL_REDIRECT:
        return (from->access & SHELL_WRITES) && !str_is(from->words.items[0].text, "/dev/null");
    case SHELL_ASSIGN:
        break;
    }
    return false;
}

/* May what was found so far take a directory away? */
static bool may_remove(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if ((a->effects & ~(unsigned)(EFFECT_INNER | EFFECT_FETCH)) || (a->unknown & ACCESS_DELETE))
            return true;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (a->subject.paths.items[n].access & ACCESS_DELETE)
                return true;
    }
    return false;
}

/* Does the disk say more of it? A text of Python may have patterns of its own: glob.glob('*.c'). */
static bool may_match(const struct shell_word *w)
{
    return w->may_glob || w->like.len || str_contains(w->text, STR("glob"));
}

static bool is_still(struct facts *f, const struct shell_actions *actions)
{
    bool globs = false;

    for (size_t i = 0; i < actions->count; i++)
        for (size_t n = 0; !globs && n < actions->items[i].words.count; n++)
            globs = may_match(&actions->items[i].words.items[n]);
    for (size_t i = 0; globs && i < actions->count; i++)
        if (changes_files(f, &actions->items[i]))
            return false;
    return globs;
}

/* Where it acts if a `cd` before it failed unnoticed. A directory in the workspace that exists can be entered. */
static struct str other_place(struct facts *f, const struct shell_action *from)
{
    if (from->cwd_other.len && from->cwd.len && f->workspace.len && path_is_inside(from->cwd, f->workspace) &&
        f->world->kind(f->world->context, str_copy(f->arena, from->cwd).s) == FILE_DIRECTORY && !may_remove(f))
        return (struct str){0};
    return from->cwd_other;
}

static void explain_script(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct program_use use;

    program_explain_script(f->arena, words_of(f, from), from->words.count, a->script_word, &use);
    a->effects |= use.effects;
    add_used_paths(f, from, a, a->directory.len ? a->directory : a->cwd, &use);
}

void action_become_project_code(struct facts *f, const struct shell_action *from, struct action *a)
{
    for (size_t i = 0; !a->program && i < a->subject.paths.count; i++)
        a->subject.paths.items[i].below = true;
    if (a->script_word)
        a->effects &= ~(unsigned)EFFECT_CODE;
    else
        action_add_path(f, &a->subject, a->cwd, from->words.items[0].text, ACCESS_READ | ACCESS_RUN);
    a->program = true;
    explain_script(f, from, a);
}

struct action action_with_words(struct facts *f, const struct shell_action *from, struct shell_words words)
{
    struct action a = {.subject = f->shared, .at = from->at, .len = from->len, .cwd = from->cwd};
    struct shell_action as = *from;

    as.words = words;
    a.subject.shell = true;
    shell_command(f, &as, &a);
    return a;
}

/* What the call itself has just built is the project's code, like anything that `go run` runs. */
static void explain_built(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        unsigned secrets = a->effects & EFFECT_SECRETS;
        struct shell_words words;
        if (!built_here(f, all, i, &words))
            continue;
        struct shell_action as = all->items[i];
        as.words = words;
        a->subject.paths.count = a->subject.hosts.count = a->unknown = 0;
        a->built = explain_program(f, &as, a);
        a->effects |= secrets;
    }
}

bool action_may_write(const struct action *a, struct str file)
{
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (p->pattern || path_is_inside(file, p->written) || path_is_inside(file, p->resolved)))
            return true;
    }
    return (a->unknown & (ACCESS_WRITE | ACCESS_DELETE)) != 0;
}

static void shell_assignment(struct facts *f, const struct shell_action *from, struct action *a)
{
    a->assignment = true;
    a->whole = from->whole_environment;
    a->idle = from->idle;
    a->subject.forms_deny = from->deny_forms;
    add_words(f, &a->subject, &from->words);
    if (from->words.count)
        a->name = path_base(from->words.items[0].text);
}

static void shell_action(struct facts *f, const struct shell_action *from, struct action *a)
{
    switch (from->kind) {
    case SHELL_COMMAND:
        shell_command(f, from, a);
        break;
    case SHELL_REDIRECT:
        shell_redirect(f, from, a);
        break;
    case SHELL_ASSIGN:
        shell_assignment(f, from, a);
        break;
    }
    if (from->secret)
        a->effects |= EFFECT_SECRETS;
}

static void shell_actions(struct facts *f, const struct shell_analysis *analysis)
{
    const struct shell_actions *all = &analysis->actions;

    f->actions.room = all->count + 1; /* one more for what is not understood */
    f->actions.items = arena_room(f->arena, f->actions.room, sizeof(*f->actions.items));
    for (size_t i = 0; i < all->count; i++) {
        const struct shell_action *from = &all->items[i];
        struct action *a = &f->actions.items[i];
        *a = (struct action){.subject = f->shared, .at = from->at, .len = from->len, .cwd = from->cwd};
        a->cwd_other = other_place(f, from);
        a->subject.shell = true;
        a->subject.understood = analysis->understood;
        a->subject.whole = all->count == 1;
        shell_action(f, from, a);
        f->actions.count++;
    }
    check_wrappers(f, all);
    explain_built(f, all);
    if (f->by_making)
        made_find(f, all);
    if (f->by_age)
        scripts_find(f, all);
    made_settle(f, all);
    shadows_find(f, all);
    links_doubt(f);
}

/* What could not be taken apart is one action that is not understood: deny and ask rules still look at its text. */
static void opaque_action(struct facts *f, struct str command)
{
    struct action a = {.subject = f->shared, .len = command.len, .cwd = f->call->cwd};

    a.subject.shell = true;
    LIST_PUSH(f->arena, &a.subject.forms_deny, command);
    a.subject.understood = false;
    LIST_PUSH(f->arena, &f->actions, a);
}

static void shell_call(struct facts *f)
{
    struct str command = f->shared.first;
    struct shell_analysis *analysis = ARENA_NEW(f->arena, struct shell_analysis);
    struct shell_context context = {
        .cwd = call_directory(f->arena, f->call, f->home), .home = f->home, .programs = f->book->programs};

    if (!f->shared.has_first) {
        f->malformed = STR("a shell call without a command");
        return;
    }
    shell_analyse(f->arena, command, &context, analysis);
    f->shell = analysis;
    f->understood = analysis->understood;
    f->why = analysis->why;
    f->why_at = analysis->why_at;
    f->still = is_still(f, &analysis->actions);
    shell_actions(f, analysis);
    for (size_t i = 0; i < analysis->findings.count; i++) {
        const struct shell_finding *from = &analysis->findings.items[i];
        LIST_PUSH(f->arena, &f->findings, (struct finding){from->name, from->what, from->at, from->len});
    }
    /* A command without any action (a comment, ":") has nothing to be cleared; it is still one thing to judge. */
    if (f->actions.count == 0 || !analysis->understood)
        opaque_action(f, command);
    if (f->actions.count == 1 && analysis->understood)
        f->actions.items[0].subject.whole = true;
}

static void sum_up(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        struct str name = a->program ? a->subject.words.items[0] : (struct str){0};
        f->effects |= a->effects;
        f->exports |= str_is(name, "export") || str_is(name, "declare") || str_is(name, "typeset");
    }
}

void actions_find(struct facts *f)
{
    const struct member *second = call_contradiction(f->arena, f->call);

    f->understood = true;
    find_shared(f);
    if (second)
        f->malformed = str_format(f->arena, "the input field \"%.*s\" contradicts another one", STR_ARG(second->key));
    if (f->call->kind == TOOL_SHELL)
        shell_call(f);
    else
        one_action(f);
    sum_up(f);
    /* The client will do something with it that its words do not show. */
    if (f->call->doubt.len && f->understood) {
        f->understood = false;
        f->why = f->call->doubt;
    }
}
