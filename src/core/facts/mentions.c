/* mentions.c - names of Warder's own places in words that nothing explains.
 *
 * Where a row explains a command, the roles of its words say what is written, and that is enough.
 * Where it does not, the agent chooses what happens to a file that the command names: an option
 * that no row lists, inline code, a program that nobody knows. For most files that is a question of
 * mode and rules; for the files that verdicts depend on it is always a question to a person.
 *
 * So the text is searched for the names of these places, in any spelling that text can have: as a
 * word, behind "=", ":", "," or "@", in quotes inside code, in a variable, below "~" or "$HOME", or
 * relative to the working directory. A name that the code puts together itself is not found. */
#include "facts/mentions.h"

#include "base/ascii.h"
#include "base/path.h"
#include "base/rare.h"
#include "base/utf8_fold.h"
#include "facts/code_paths.h"
#include "facts/copies_in.h"
#include "facts/own_places.h"
#include "facts/own_programs.h"
#include "facts/own_reach.h"
#include "facts/path_classes.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"

/* What happens to the words of such a command is not known. INNER is: the command inside is an
 * action of its own. */
#define UNEXPLAINED (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_PROJECT)

static bool is_unexplained(const struct action *a)
{
    return a->subject.shell && !a->redirect && !a->assignment && a->subject.words.count &&
           (!a->program || (a->effects & UNEXPLAINED) ||
            ((a->effects & EFFECT_REPO) && copies_in_tracked(a)));
}

static const bool path_bytes[256] = {
    ['a' ... 'z'] = true, ['A' ... 'Z'] = true,   ['0' ... '9'] = true, ['.'] = true,
    ['_'] = true,         ['-'] = true,           ['/'] = true,         ['~'] = true,
    ['+'] = true,         ['*'] = true,           ['?'] = true,         ['['] = true,
    [']'] = true,         [0x80 ... 0xff] = true,
};

static bool is_path_byte(char c)
{
    return path_bytes[(unsigned char)c];
}

/* Takes the next run of bytes that paths are made of off the front of *text. */
static bool next_part(struct str *text, struct str *part)
{
    size_t from = 0, to;

    while (from < text->len && !is_path_byte(text->s[from]))
        from++;
    for (to = from; to < text->len && is_path_byte(text->s[to]);)
        to++;
    *part = str_slice(*text, from, to);
    *text = str_from_byte(*text, to);
    return part->len > 0;
}

/* A name may begin at any component, and right after the letter of an option (-o.claude/x). Where a
 * row begins, at the home or the root, does not matter: text can spell either in many ways. */
static const struct path_class *own_place_in(struct str part)
{
    bool option = part.s[0] == '-';

    for (size_t i = 0; i < part.len; i++) {
        if (i > 0 && part.s[i - 1] != '/' && !(option && part.s[i] == '.'))
            continue;
        const struct path_class *row = path_class_own_at(str_from_byte(part, i));
        if (row)
            return row;
    }
    return NULL;
}

/* Every name of such a place has a dot or a slash. */
static bool has_name(struct str text)
{
    return str_has(text, '.') || str_has(text, '/');
}

/* Cleaning a path takes components away and makes no new ones. So if no row begins like a component
 * here, or like the rest of one after a dot (-o.claude), none does in the clean path. */
static bool may_hold_own_place(struct str part)
{
    for (size_t i = 0, end = 0; i < part.len; i++) {
        if (i > 0 && part.s[i - 1] != '/' && part.s[i] != '.')
            continue;
        for (end = end < i ? i : end; end < part.len && part.s[end] != '/';)
            end++;
        if (path_class_may_begin(PATHS_PROTECTED, str_slice(part, i, end)))
            return true;
    }
    return false;
}

static const char *named_in(struct facts *f, struct str text)
{
    struct str rest, part;

    if (own_program_commanded(text))
        return own_program_command;
    if (!has_name(text))
        return NULL;
    rest = utf8_fold(f->arena, text);
    while (next_part(&rest, &part)) {
        const struct path_class *row =
            may_hold_own_place(part) ? own_place_in(path_clean(f->arena, part)) : NULL;
        if (row)
            return row->what;
    }
    return own_place_named(f, text);
}

/* ---- on the disk ---- */

/* A workspace may be below such a place itself (.claude/worktrees/x): then only what is below the
 * workspace counts. */
static const char *own_state(struct facts *f, const struct subject_path *p)
{
    struct str rest;

    if (!p->pattern && f->workspace.len && path_relative(f->workspace, p->resolved, &rest)) {
        const char *what = own_place_listed(f, p);
        return what ? what : named_in(f, rest);
    }
    return path_own_state(f, p);
}

RARE static const char *own_touched(struct facts *f, struct str cwd, struct str text, bool glob)
{
    struct subject touched = {0};
    const char *what = NULL;

    if (glob)
        touch_pattern(f, &touched, cwd, text, ACCESS_WRITE, true);
    else
        touch_path(f, &touched, cwd, text, ACCESS_WRITE);
    for (size_t i = 0; !what && i < touched.paths.count; i++)
        what = own_state(f, &touched.paths.items[i]);
    return what;
}

/* Most words are names that are not on the disk, or are there and are no links. */
static const char *own_path(struct facts *f, struct str cwd, struct str text, bool glob)
{
    const struct touched_name *named = glob ? NULL : touch_named(f, cwd, text);

    return named && !named->respelled ? own_state(f, &named->path)
                                      : own_touched(f, cwd, text, glob);
}

/* A bare name in the workspace is nothing but itself, unless there is a link of that name, or a
 * list of our places has some there. */
static bool is_plain_there(const struct facts *f, const struct action *a, struct str name)
{
    struct str cwd = a->cwd.len ? a->cwd : f->env.cwd;

    return !action_has_other_cwd(a) && !a->directory.len && f->workspace.len &&
           str_eq(cwd, f->workspace) && !own_places_in_workspace(f) && touch_is_plain(f, cwd, name);
}

/* Relative to each directory that it may act in, and through links. */
static const char *own_file(struct facts *f, const struct action *a, struct str text, bool glob)
{
    const struct str *const places[] = {a->cwd.len ? &a->cwd : &f->env.cwd, &a->cwd_other.path,
                                        &a->directory};
    const char *what = NULL;

    if (path_has_nul(text) || str_has(text, WORD_UNKNOWN))
        return NULL;
    for (size_t i = 0; !what && i < COUNT(places); i++)
        if (places[i]->len)
            what = own_path(f, *places[i], text, glob);
    return what;
}

/* ---- the words of an action ---- */

struct look {
    struct facts *f;
    const struct action *action;
    size_t paths; /* looked up so far */
};

/* `seen`: this text was looked up already. */
static const char *own_part(struct look *l, struct str text, struct str seen)
{
    const char *what = NULL;
    struct str part;

    while (!what && next_part(&text, &part)) {
        if (l->paths++ >= MENTIONS_PATHS_MAX)
            return "one of too many names";
        if ((part.s != seen.s || part.len != seen.len) &&
            !(touch_is_bare(part) && is_plain_there(l->f, l->action, part)))
            what = own_file(l->f, l->action, part, false);
    }
    return what;
}

/* -v /home/me:/host, --root=/etc: a directory that such places are in, and no text of many words.
 */
static const char *own_directory(struct look *l, struct str word)
{
    struct str rest = word, part, path;
    const char *what = NULL;

    for (size_t i = 0; i < word.len; i++)
        if (!is_path_byte(word.s[i]) && !strchr(":=,@", word.s[i]))
            return NULL;
    while (!what && next_part(&rest, &part))
        if (strchr("/~.", part.s[0]) && part.len > 1 && l->paths++ < MENTIONS_PATHS_MAX &&
            path_absolute(l->f->arena, l->action->cwd, l->f->home, part, &path))
            what = own_place_under(l->f, path);
    return what;
}

/* zip -m x.zip -r .: the workspace, or a directory above it. */
static const char *own_tree(struct look *l, struct str word)
{
    struct str path;

    if (!word.len || !path_absolute(l->f->arena, l->action->cwd, l->f->home, word, &path) ||
        !path_is_inside(l->f->workspace, path))
        return NULL;
    return own_place_in_workspace(l->f, NULL);
}

static const char *in_text(struct look *l, struct str text)
{
    const char *what = named_in(l->f, text);

    return what ? what : own_part(l, text, (struct str){0});
}

/* Most of the words that project code gets are no names of files at all. */
static bool may_name_file(const struct action *a)
{
    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN));
}

static const char *in_word(struct look *l, const struct shell_word *w)
{
    if (touch_is_bare(w->text)) /* all it can name is a link */
        return may_name_file(l->action) && !is_plain_there(l->f, l->action, w->text)
                   ? own_file(l->f, l->action, w->text, false)
                   : NULL;
    const char *what = named_in(l->f, w->text);

    if (what || (!may_name_file(l->action) && !has_name(w->text)))
        return what;
    what = own_file(l->f, l->action, w->text, w->may_glob);
    if (!what && may_name_file(l->action))
        what = own_directory(l, w->text);
    if (!what && l->action->program && (l->action->effects & EFFECT_UNKNOWN) && w->known)
        what = own_tree(l, w->text);
    return what ? what : own_part(l, w->text, w->may_glob ? (struct str){0} : w->text);
}

/* A script that is run by its path is read, and the word says nothing else. */
static bool is_script(const struct action *a, size_t word)
{
    return word == 0 || word == a->script_word;
}

static bool acts_in_own_place(struct facts *f, const struct action *a)
{
    struct subject_path here = {.written = a->cwd, .resolved = a->cwd};

    return a->cwd.len &&
           !(f->workspace.len && path_is_inside(a->cwd, f->workspace) &&
             !named_in(f, str_from_byte(a->cwd, f->workspace.len))) &&
           path_own_state(f, &here);
}

static bool has_unknown_word(const struct shell_words *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (!words->items[i].known && !words->items[i].may_glob)
            return true;
    return false;
}

/* A line that goes on after a backslash is one line. */
static struct str without_line_ends(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] == '\\' && i + 1 < text.len && text.s[i + 1] == '\n')
            i++;
        else
            buf_byte(&b, text.s[i]);
    return buf_str(&b);
}

/* In the text, and in the words that the shell makes of it. */
RARE static const char *named_anywhere(struct facts *f, const struct shell_actions *all)
{
    const char *what = named_in(f, without_line_ends(f->arena, f->shared.first));

    for (size_t i = 0; !what && i < all->count; i++)
        for (size_t n = 0; !what && n < all->items[i].words.count; n++)
            what = named_in(f, all->items[i].words.items[n].text);
    return what;
}

/* Code in a word, or on the input. */
static const char *in_code(const struct facts *f, const struct shell_action *from,
                           const struct action *a)
{
    const char *what = NULL;

    for (size_t i = 1; !what && i < from->words.count; i++)
        what = code_paths(f, a, from->words.items[i].text);
    if (!what && from->input == SHELL_INPUT_TEXT)
        what = code_paths(f, a, from->input_text);
    return what;
}

static const char *in_action(struct facts *f, const struct shell_actions *all,
                             const struct shell_action *from, const struct action *a)
{
    struct look l = {.f = f, .action = a};
    const char *what = NULL;

    for (size_t i = 1; !what && i < from->words.count; i++)
        if (!is_script(a, i))
            what = in_word(&l, &from->words.items[i]);
    if (!what && own_program_commanded_by(&from->words))
        what = own_program_command;
    if (!what && from->input == SHELL_INPUT_TEXT)
        what = in_text(&l, from->input_text);
    if (!what && (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN)) && a->row && a->row->launches)
        what = in_code(f, from, a);
    /* words that come from elsewhere may come from anywhere in the command, and so may a directory
     * that is not known */
    if (!what && (has_unknown_word(&from->words) || !a->cwd.len))
        what = named_anywhere(f, all);
    if (!what && acts_in_own_place(f, a))
        what = "the working directory";
    return what;
}

/* The value of a variable that some command of the call sees. */
RARE static const char *in_variables(struct facts *f)
{
    const char *what = NULL;

    for (size_t i = 0; !what && i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        struct look l = {.f = f, .action = a};
        if (a->assignment && !a->idle && a->subject.words.count > 1)
            what = in_text(&l, a->subject.words.items[1]);
    }
    return what;
}

static bool changes_unknown(const struct action *a)
{
    return a->unknown & (ACCESS_WRITE | ACCESS_DELETE);
}

__attribute__((noinline)) static void find_from(struct facts *f, const struct shell_actions *all,
                                                size_t first)
{
    const char *variables = NULL;
    bool asked = false;

    for (size_t i = first; i < all->count; i++) {
        struct action *a = &f->actions.items[i];
        if (changes_unknown(a) && !all->items[i].elsewhere)
            a->mention = own_reach(f, all, i);
        if (changes_unknown(a) && !a->mention)
            a->mention = named_anywhere(f, all);
        if (a->mention || !is_unexplained(a))
            continue;
        a->mention = in_action(f, all, &all->items[i], a);
        if (!a->mention && !asked)
            variables = in_variables(f);
        asked = true;
        if (!a->mention)
            a->mention = variables;
    }
}

void mentions_find(struct facts *f, const struct shell_actions *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (changes_unknown(&f->actions.items[i]) || is_unexplained(&f->actions.items[i])) {
            find_from(f, all, i);
            return;
        }
}
