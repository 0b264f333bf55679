#include "facts/program_action.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/host.h"
#include "facts/remotes.h"
#include "facts/touch.h"
#include "facts/unchanged.h"

/* Each operand of an unknown program may be a path that it reads, writes or deletes. */
void program_operand(struct facts *f, struct subject *s, struct str cwd, const struct shell_word *w)
{
    const unsigned any = ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE;
    struct str text = w->text, value, path;

    if (text.len == 0 || path_has_nul(text))
        return;
    if (str_contains(text, STR("://"))) {
        touch_hosts(f, s, text);
        return;
    }
    if (str_cut(text, '=', &path, &value) && value.len) /* --output=x, of=x */
        text = value;
    else if (text.s[0] == '-')
        return;
    if (touch_is_full(f))
        return;
    if (w->may_glob)
        touch_pattern(f, s, cwd, text, any, true);
    else if (w->known)
        touch_word(f, s, cwd, text, any);
}

/* "GET /users": a part of a text is a path only if something could be there. */
static bool leads_nowhere(const struct facts *f, const struct program_path *p)
{
    size_t end = 1;

    if (!p->guess || !p->known || p->text.len < 2 || p->text.s[0] != '/')
        return false;
    while (end < p->text.len && p->text.s[end] == '/')
        end++;
    size_t from = end - 1;
    while (end < p->text.len && p->text.s[end] != '/')
        end++;
    struct str first = str_copy(f->arena, str_slice(p->text, from, end));
    return first.len > 1 && !str_contains(p->text, STR("..")) &&
           f->world->kind(f->world->context, first.s) == FILE_ABSENT;
}

/* Does a host that is not this machine run it (ssh host ls)? A container may have our files. */
bool action_is_remote(struct facts *f, const struct shell_action *from)
{
    const struct shell_actions *all = &f->shell->actions;
    struct subject hosts = {0};
    struct program_use use;
    int at = from->parent;

    for (size_t steps = 0; from->elsewhere && at >= 0 && steps < all->count; steps++) {
        const struct shell_action *by = &all->items[at];
        if (by->kind == SHELL_COMMAND && by->words.count) {
            program_explain(f->arena, by->words.items, by->words.count, f->book->programs, &use);
            for (size_t i = 0; i < use.hosts.count; i++)
                touch_host(f, &hosts, use.hosts.items[i]);
        }
        at = by->parent;
    }
    for (size_t i = 0; i < hosts.hosts.count; i++)
        if (host_is_loopback(hosts.hosts.items[i]) || str_has(hosts.hosts.items[i], WORD_UNKNOWN))
            return false;
    return hosts.hosts.count > 0;
}

/* A path of a program with a row; `w` is the word that is exactly this path, or NULL. */
__attribute__((noinline)) static void add_known_path(struct facts *f, struct action *a,
                                                     struct str cwd,
                                                     const struct program_path *from,
                                                     const struct shell_word *w)
{
    struct subject *s = &a->subject;
    size_t first = s->paths.count;

    if (leads_nowhere(f, from))
        return;
    if (!from->known && (!from->may_glob || str_has(from->text, WORD_UNKNOWN)))
        a->unknown |= w && touch_likely(f, &a->subject, cwd, w, from->access) ? 0 : from->access;
    else if (from->may_glob)
        touch_pattern(f, s, cwd, from->text, from->access, false);
    else
        touch_path(f, s, cwd, from->text, from->access);
    for (size_t i = first; i < s->paths.count; i++) {
        s->paths.items[i].listed |= from->names;
        s->paths.items[i].visible = from->may_glob && !str_has(from->text, WORD_UNKNOWN);
    }
    if (!from->recursive)
        return;
    a->lists = from->names && (a->lists || !a->recursive);
    a->recursive = true;
    if (from->known && !from->may_glob && s->paths.count > first && !s->paths.items[first].pattern)
        touch_tree(f, s, s->paths.items[first], from->access, !from->names);
    for (size_t i = first; i < s->paths.count; i++)
        s->paths.items[i].tree |= s->paths.items[i].pattern && !from->names;
}

static bool is_glob(const struct shell_word *w)
{
    return w->may_glob && !str_has(w->text, WORD_UNKNOWN);
}

/* A pattern may match a name with a leading dash, which would be an option. The disk says whether
 * one exists. */
static bool finds_no_dash(struct facts *f, struct str cwd, const struct shell_word *w)
{
    const struct subject_paths *files;
    struct str pattern, name;

    if (!is_glob(w) || w->text.len == 0 || !strchr("*?", w->text.s[0]) ||
        !call_changes_no_file(f) || !path_absolute(f->arena, cwd, f->home, w->text, &pattern) ||
        !(files = touch_files(f, w->text, pattern)))
        return false;
    for (size_t i = 0; i < files->count; i++)
        if (!path_relative(cwd, files->items[i].written, &name) || str_starts(name, STR("-")))
            return false;
    return true;
}

/* The directory that a program enters by itself: ".." after a link is relative to the link's
 * target. */
static struct str enters(struct facts *f, struct str cwd, struct str directory)
{
    char resolved[WORLD_PATH_MAX];
    struct str raw;

    if (!path_expand(f->arena, cwd, f->home, directory, &raw))
        return (struct str){0};
    if (!str_contains(raw, STR("..")))
        return path_cleaned(f->arena, raw);
    return f->world->resolve(f->world->context, raw.s, resolved)
               ? str_copy(f->arena, str_from(resolved))
               : (struct str){0};
}

/* Lines of one letter each, as `git add -p` reads them: no editor takes a command from those. */
static bool is_answers(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (i % 2 ? text.s[i] != '\n' : !ascii_is_letter(text.s[i]))
            return false;
    return true;
}

/* An editor whose input the call does not choose follows the user's settings, and waits. */
static bool is_editor_idle(const struct shell_action *from)
{
    return from->input == SHELL_INPUT_INHERITED ||
           (from->input == SHELL_INPUT_TEXT && is_answers(from->input_text));
}

/* Words of one command with a partial value. Each is compared with each path; beyond this, none is
 * used. */
#define LIKES_MAX 64

struct partial_words {
    size_t words[LIKES_MAX];
    size_t count;
};

static const struct partial_words *find_partial_words(struct arena *a,
                                                      const struct shell_action *from)
{
    struct partial_words *out = ARENA_NEW(a, struct partial_words);

    for (size_t i = 1; i < from->words.count && out->count < LIKES_MAX; i++)
        if (from->words.items[i].like.len)
            out->words[out->count++] = i;
    return out;
}

/* The word that is exactly this path, or, in a directory that mktemp made, what cp creates in
 * it. */
RARE static bool find_word(const struct shell_action *from, const struct partial_words *likes,
                           const struct program_path *path, struct shell_word *out)
{
    for (size_t i = 0; i < likes->count; i++) {
        const struct shell_word *word = &from->words.items[likes->words[i]];
        bool said = likes->words[i] == path->word
                        ? str_eq(word->text, path->text)
                        : word->fresh && str_starts(path->text, word->text) &&
                              !str_contains(path->text, STR(".."));
        if (said) {
            *out = *word;
            out->text = path->text;
            return true;
        }
    }
    return false;
}

/* Most commands have only known words, and are explained as they are. */
static bool all_known(const struct shell_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        const struct shell_word *w = &words->items[i];
        if (!w->known || w->may_glob || w->may_vanish)
            return false;
    }
    return true;
}

/* The words, with patterns replaced by what the disk has. */
static struct shell_word *words_of(struct facts *f, const struct shell_action *from)
{
    size_t count = from->words.count;
    struct shell_word *words = arena_room(f->arena, count, sizeof(*words));

    for (size_t i = 0; i < count; i++) {
        struct shell_word *w = &words[i];
        *w = from->words.items[i];
        w->no_dash = w->found || (w->may_glob && from->directory.other.kind == PLACE_NONE &&
                                  finds_no_dash(f, from->directory.here.path, w));
        w->may_dash = w->may_dash && !w->no_dash;
    }
    return words;
}

/* Paths that are not fully known: words may tell something about them. */
RARE static void add_unknown_paths(struct facts *f, const struct shell_action *from,
                                   struct action *a, struct str cwd, const struct program_use *use,
                                   size_t first)
{
    const struct partial_words *likes = find_partial_words(f->arena, from);

    for (size_t i = first; i < use->paths.count; i++) {
        const struct program_path *path = &use->paths.items[i];
        struct shell_word w;
        bool said = !path->known && find_word(from, likes, path, &w);
        add_known_path(f, a, cwd, path, said ? &w : NULL);
        if (action_has_other_cwd(a) && !use->directory.len)
            add_known_path(f, a, a->cwd_other.path, path, said ? &w : NULL);
    }
}

/* A relative path in a container or on another machine, where the directory is not known. */
static void add_path_elsewhere(struct facts *f, const struct shell_action *from, struct action *a,
                               const struct program_path *path)
{
    const bool absolute = path->known && path->text.len && strchr("/~", path->text.s[0]);

    a->remote = action_is_remote(f, from);
    /* what a container changes may be a protected file of ours */
    if (absolute || (!a->remote && path->access != PROGRAM_READS))
        add_known_path(f, a, (struct str){0}, path, NULL);
    else
        a->unknown |= path->access;
}

static void add_used_paths(struct facts *f, const struct shell_action *from, struct action *a,
                           struct str cwd, const struct program_use *use)
{
    for (size_t i = 0; i < use->paths.count; i++) {
        if (from->elsewhere && !cwd.len) {
            add_path_elsewhere(f, from, a, &use->paths.items[i]);
            continue;
        }
        if (!use->paths.items[i].known) {
            add_unknown_paths(f, from, a, cwd, use, i);
            return;
        }
        add_known_path(f, a, cwd, &use->paths.items[i], NULL);
        if (action_has_other_cwd(a) && !use->directory.len)
            add_known_path(f, a, a->cwd_other.path, &use->paths.items[i], NULL);
    }
}

/* The only word that may expand to nothing; 0 if there is none, or more than one. */
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

/* Returns find_vanishing(): here that word counts as present. Where all words are known, this is
 * what program_changes() would find: it is kept for that. */
static size_t explain(struct facts *f, struct shell_action *from, struct action *a,
                      struct program_use *use)
{
    const struct shell_word *words = from->words.items;
    bool known = all_known(&from->words);
    size_t vanishing = 0;

    if (!known) {
        struct shell_word *more = words_of(f, from);
        vanishing = find_vanishing(from);
        if (vanishing)
            more[vanishing].may_split = false;
        words = more;
    }
    program_explain(f->arena, words, from->words.count, f->book->programs, use);
    if (known && !use->input.len)
        from->use = use;
    if (!use->row)
        return vanishing;
    a->runs_input = use->input.len > 0;
    if (from->input == SHELL_INPUT_TEXT)
        program_explain_input(f->arena, words, from->words.count, from->input_text, use);
    return vanishing;
}

/* How it goes through the whole directories that it reads or writes. Of two readings of the words
 * the one that reaches further counts. */
static void enter_trees(const struct facts *f, struct action *a, const struct program_use *use,
                        bool again)
{
    bool selects = use->selects && !use->searches_all;

    a->selects = again ? a->selects && selects : selects;
    for (size_t i = 0; selects && i < use->chosen.count; i++)
        LIST_PUSH(f->arena, &a->chosen, use->chosen.items[i]);
    a->only = again ? (struct strs){0} : use->only;
    a->broad |= use->searches_all;
    a->follows |= use->follows || (use->row->follows && use->row->follows[0] == '*');
    a->unhidden |= use->unhidden;
    bool spares = !use->rewrites && (use->row->spares ? use->spares : use->row->rewrites != NULL);
    a->spares_tree = spares && (!again || a->spares_tree);
    a->takes_tree |= use->takes || (use->row->takes && use->row->takes[0] == '*');
}

/* What it does if that word is missing: grep -r x $y then reads everything. */
RARE static void explain_without(struct facts *f, const struct shell_action *from, struct action *a,
                                 size_t vanishing)
{
    struct shell_word *words = words_of(f, from);
    struct str cwd = a->directory.len ? a->directory : from->directory.here.path;
    struct program_use use;

    for (size_t i = vanishing; i + 1 < from->words.count; i++)
        words[i] = words[i + 1];
    program_explain(f->arena, words, from->words.count - 1, f->book->programs, &use);
    a->effects |=
        use.row && !use.directory.len && !use.script ? use.effects : use.effects | EFFECT_UNKNOWN;
    if (use.row)
        enter_trees(f, a, &use, true);
    for (size_t i = 0; i < use.paths.count; i++) {
        add_known_path(f, a, cwd, &use.paths.items[i], NULL);
        if (action_has_other_cwd(a))
            add_known_path(f, a, a->cwd_other.path, &use.paths.items[i], NULL);
    }
    for (size_t i = 0; i < use.hosts.count; i++)
        touch_host(f, &a->subject, use.hosts.items[i]);
    for (size_t i = 0; i < use.revisions.count; i++)
        LIST_PUSH(f->arena, &a->revisions, use.revisions.items[i]);
}

RARE static bool is_there(const struct facts *f, struct str directory, struct str name)
{
    struct str path = path_join(f->arena, directory, name);

    return f->world->kind(f->world->context, str_copy(f->arena, path).s) != FILE_ABSENT;
}

/* git fetch fork: without a remote of that name it is a directory or a bundle, in the working
 * directory or at the root of the repository, with unknown content. */
static bool may_be_path(const struct facts *f, struct str cwd, const struct program_use *use)
{
    for (size_t i = 0; i < use->remotes.count; i++) {
        struct str name = use->remotes.items[i],
                   longer = str_format(f->arena, "%.*s.git", STR_ARG(name));
        if (is_there(f, cwd, name) || is_there(f, cwd, longer) || is_there(f, f->workspace, name) ||
            is_there(f, f->workspace, longer))
            return true;
    }
    return false;
}

/* What an option writes or runs, for allow rules that do not name it. */
static void add_option_paths(struct facts *f, struct action_option *o, struct str cwd,
                             const struct program_use *use, const struct program_option *from)
{
    struct action room = {.cwd = cwd};

    for (size_t i = from->path; i < from->path + from->paths; i++)
        add_known_path(f, &room, cwd, &use->paths.items[i], NULL);
    o->paths = room.subject.paths;
    /* what project code is given to read are its settings */
    o->unknown = room.unknown & ~(unsigned)(use->row->effects & EFFECT_PROJECT ? 0 : ACCESS_READ);
}

RARE static void add_option(struct facts *f, struct action *a, struct str cwd,
                            const struct program_use *use, const struct program_option *from)
{
    struct action_option o = {.names = from->names,
                              .effects = from->effects,
                              .directory = from->directory,
                              .deletes = from->deletes};

    if (from->paths && !from->directory)
        add_option_paths(f, &o, cwd, use, from);
    LIST_PUSH(f->arena, &a->options, o);
}

/* Fills the paths that a program reads or writes, the hosts it talks to, and its other effects. */
bool program_action(struct facts *f, struct shell_action *from, struct action *a)
{
    const struct program_use *use = from->use;
    struct str cwd = from->directory.here.path;
    size_t vanishing = 0;

    if (!use) {
        struct program_use *found = arena_room(f->arena, 1, sizeof(*found));
        vanishing = explain(f, from, a, found);
        use = found;
    }
    if (!use->row)
        return false;
    a->program = true;
    a->row = use->row;
    a->effects = use->effects;
    a->awaits = use->awaits;
    a->codes = use->codes;
    a->unseen = use->unseen;
    a->built_in = use->built_in;
    a->loads = use->loads;
    a->revisions = use->revisions;
    a->starts_from = use->starts_from;
    enter_trees(f, a, use, false);
    if (is_editor_idle(from))
        a->effects &= ~(unsigned)EFFECT_EDITOR;
    if (use->directory.len) {
        cwd = a->directory = enters(f, cwd, use->directory);
        if (cwd.len == 0 || (action_has_other_cwd(a) && use->directory.s[0] != '/'))
            a->effects |= EFFECT_UNKNOWN;
    }
    if (use->remotes.count && str_starts(str_from(use->row->name), STR("git ")) &&
        may_be_path(f, cwd, use))
        a->effects |= EFFECT_NETWORK;
    if (remotes_are_printed(f, a, cwd))
        a->effects |= EFFECT_SECRETS;
    add_used_paths(f, from, a, cwd, use);
    for (size_t i = 0; i < use->options.count; i++)
        add_option(f, a, cwd, use, &use->options.items[i]);
    if (use->script)
        a->script_word = use->script;
    for (size_t i = 0; i < use->hosts.count; i++)
        touch_host(f, &a->subject, use->hosts.items[i]);
    if (vanishing)
        explain_without(f, from, a, vanishing);
    return true;
}

void program_script(struct facts *f, const struct shell_action *from, struct action *a)
{
    struct program_use use;

    program_explain_script(f->arena, words_of(f, from), from->words.count, a->script_word, &use);
    a->effects |= use.effects;
    add_used_paths(f, from, a, a->directory.len ? a->directory : a->cwd, &use);
}

/* The words, if none of what their patterns match is an option. */
static struct shell_word *words_without_dashes(struct facts *f, const struct shell_action *from)
{
    struct shell_word *words = arena_room(f->arena, from->words.count, sizeof(*words));

    for (size_t i = 0; i < from->words.count; i++) {
        words[i] = from->words.items[i];
        words[i].no_dash = words[i].found || is_glob(&words[i]);
        words[i].may_dash = words[i].may_dash && !words[i].no_dash;
    }
    return words;
}

/* Where all words are known, this is what explain() will find: it is kept for that. */
static const struct program_use *explain_early(struct facts *f, struct shell_action *from)
{
    bool known = all_known(&from->words);

    if (from->use)
        return from->use;
    struct program_use *use = arena_room(f->arena, 1, sizeof(*use));
    program_explain(f->arena, known ? from->words.items : words_without_dashes(f, from),
                    from->words.count, f->book->programs, use);
    if (known && !use->input.len)
        from->use = use;
    return use;
}

bool program_changes(struct facts *f, struct shell_action *from)
{
    const struct program_use *use = explain_early(f, from);

    /* inline code changes only what it opens; whether its modules are its own is checked
     * elsewhere */
    if (!use->row || (use->effects & ~(unsigned)(EFFECT_FETCH | EFFECT_INNER | EFFECT_MODULES)))
        return true;
    for (size_t i = 0; i < use->paths.count; i++)
        if (use->paths.items[i].access != PROGRAM_READS)
            return true;
    return false;
}
