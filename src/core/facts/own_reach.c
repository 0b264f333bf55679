#include "facts/own_reach.h"

#include "base/path.h"
#include "facts/own_places.h"
#include "facts/sensitive_paths.h"
#include "facts/touch.h"

#define CHANGES (ACCESS_WRITE | ACCESS_DELETE)

const char own_reach_any[] = "any file";

/* ---- what a command can print as names of files ---- */

enum reach {
    REACHES_NONE = 0, /* it prints no names but such as are checked themselves */
    REACHES_OTHERS,   /* names of files that are there, none of them ours */
    REACHES_OURS,     /* those of our places in the workspace among them */
    REACHES_ANY,      /* it may print any text */
};

static enum reach worst(enum reach a, enum reach b)
{
    return a > b ? a : b;
}

static bool is_find(const struct action *a)
{
    return a->program && str_is(a->name, "find");
}

/* A directory whose names are printed. */
static enum reach reach_below(const struct facts *f, const struct action *a,
                              const struct subject_path *p)
{
    if (own_place_under(f, p->written))
        return REACHES_ANY;
    /* a path below the workspace leads to none of them, unless it is one */
    if (!path_is_inside(f->workspace, p->written))
        return REACHES_OTHERS;
    /* hidden names are skipped: nearly all of our places have one */
    if (a->row && a->row->unhides && !a->unhidden)
        return REACHES_OTHERS;
    const struct selection which = selection_of_find(f, &a->subject.words, p->written);
    return own_place_in_workspace(f, is_find(a) ? &which : NULL) ? REACHES_OURS : REACHES_OTHERS;
}

static bool has_short(struct str word, char letter)
{
    return word.len > 1 && word.s[0] == '-' && word.s[1] != '-' && str_has(word, letter);
}

/* Parts of a name, or a text around it, can be any name: grep -o, find -printf. */
static bool forms_names(const struct action *a)
{
    for (size_t i = 1; i < a->subject.words.count; i++) {
        struct str word = a->subject.words.items[i];
        bool lines = a->row->prints == PRINTS_LINES && word.len < 8;
        if (str_starts(word, STR("-printf")) || str_starts(word, STR("--format")) ||
            str_starts(word, STR("--replace")) || str_starts(word, STR("--only")) ||
            (lines && (has_short(word, 'o') || has_short(word, 'c'))))
            return true;
    }
    return false;
}

static bool lists_files(const struct action *a)
{
    for (size_t i = 1; a->row->prints == PRINTS_LINES && i < a->subject.words.count; i++)
        if (has_short(a->subject.words.items[i], 'l') ||
            has_short(a->subject.words.items[i], 'L') ||
            str_starts(a->subject.words.items[i], STR("--files")))
            return true;
    return a->row->prints == PRINTS_NAMES;
}

static enum reach reach_of_path(const struct facts *f, const struct action *a,
                                const struct subject_path *p)
{
    if (p->below || !(p->access & ACCESS_READ))
        return REACHES_NONE;
    /* what a file contains may be the name of any */
    if (!lists_files(a))
        return REACHES_ANY;
    if (p->pattern)
        return path_own_state(f, p) || own_place_below(f, a, p) ? REACHES_ANY : REACHES_OTHERS;
    return reach_below(f, a, p);
}

static enum reach reach_of_paths(const struct facts *f, const struct action *a)
{
    enum reach reach = REACHES_NONE;

    for (size_t i = 0; i < a->subject.paths.count; i++)
        reach = worst(reach, reach_of_path(f, a, &a->subject.paths.items[i]));
    /* git ls-files: all that is tracked */
    if (reach == REACHES_NONE && a->row->prints == PRINTS_NAMES)
        reach = own_place_in_workspace(f, NULL) ? REACHES_OURS : REACHES_OTHERS;
    return reach;
}

/* Known words are searched for our names elsewhere, as they are written. */
static bool are_plain(const struct shell_words *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (!words->items[i].known || str_has(words->items[i].text, '\\') ||
            (str_has(words->items[i].text, '%') && !str_is(words->items[i].text, "%s\\n")))
            return false;
    return true;
}

static bool is_plain_text(struct str text)
{
    return !str_has(text, '\\') && !str_has(text, WORD_UNKNOWN) &&
           str_until(text, "*?[") == text.len;
}

static enum reach reach_of_command(const struct facts *f, const struct shell_action *from,
                                   const struct action *a)
{
    if (!a->program || !a->row || (a->effects & ~(unsigned)EFFECT_INNER) ||
        (a->unknown & ACCESS_READ) || forms_names(a))
        return REACHES_ANY;
    if (from->input == SHELL_INPUT_TEXT && !is_plain_text(from->input_text))
        return REACHES_ANY;
    switch (a->row->prints) {
    case PRINTS_NOTHING:
        return REACHES_NONE;
    case PRINTS_NEW:
        return are_plain(&from->words) ? REACHES_OTHERS : REACHES_ANY;
    case PRINTS_WORDS:
        return are_plain(&from->words) ? REACHES_NONE : REACHES_ANY;
    case PRINTS_NAMES:
    case PRINTS_LINES:
        return reach_of_paths(f, a);
    case PRINTS_ANYTHING:
        break;
    }
    return (a->effects & EFFECT_INNER) ? REACHES_NONE : REACHES_ANY;
}

static enum reach reach_of(const struct facts *f, const struct shell_action *from,
                           const struct action *a)
{
    if (a->unknown & CHANGES)
        return REACHES_NONE; /* it takes names */
    if (a->redirect)
        return !(from->access & SHELL_READS) || str_is(from->words.items[0].text, "/dev/null")
                   ? REACHES_NONE
                   : REACHES_ANY;
    if (a->assignment) /* what a substitution prints is an action of its own */
        return from->words.count > 1 && from->words.items[1].may_glob ? REACHES_ANY : REACHES_NONE;
    return reach_of_command(f, from, a);
}

/* Any command of the call may be where the name comes from. If none prints one, it comes from
 * outside. */
static const char *reached_by_input(const struct facts *f, const struct shell_actions *all)
{
    enum reach reach = REACHES_NONE;

    if (facts_too_many(f))
        return own_reach_any;
    for (size_t i = 0; i < all->count; i++)
        reach = worst(reach, reach_of(f, &all->items[i], &f->actions.items[i]));
    if (reach == REACHES_OURS)
        return own_place_in_workspace(f, NULL);
    return reach == REACHES_OTHERS ? NULL : own_reach_any;
}

/* ---- words that are known in part ---- */

/* As a pattern; empty: nothing is known of it. */
static struct str pattern_of(struct facts *f, const struct shell_word *w)
{
    struct buf b = buf_in(f->arena);

    if (w->found)
        return (struct str){0}; /* find is where it comes from */
    if (w->like.len || !(w->shape & (SHAPE_PLAIN | SHAPE_DIGITS)))
        return w->like;
    for (size_t i = 0; i < w->text.len; i++)
        buf_byte(&b, w->text.s[i] == WORD_UNKNOWN ? '*' : w->text.s[i]);
    return buf_str(&b);
}

static const char *reached_by_pattern(struct facts *f, const struct action *a, struct str pattern)
{
    struct subject touched = {0};
    const char *what = NULL;

    touch_pattern(f, &touched, a->cwd, pattern, a->unknown & CHANGES, false);
    for (size_t i = 0; !what && i < touched.paths.count; i++) {
        what = path_own_state(f, &touched.paths.items[i]);
        what = what ? what : own_place_below(f, a, &touched.paths.items[i]);
    }
    return what;
}

const char *own_reach(struct facts *f, const struct shell_actions *all, size_t action)
{
    const struct shell_action *from = &all->items[action];
    const struct action *a = &f->actions.items[action];
    const char *what = NULL;
    bool open = from->parent >= 0, holes = false;

    if (a->program && str_is(a->name, "git"))
        return own_place_in_tree(f, a); /* it writes nowhere else */
    for (size_t i = a->redirect ? 0 : 1; !what && i < from->words.count; i++) {
        const struct shell_word *w = &from->words.items[i];
        if (w->known || w->fresh || !str_has(w->text, WORD_UNKNOWN))
            continue;
        struct str pattern = pattern_of(f, w);
        holes = true;
        open |= pattern.len == 0;
        what = pattern.len ? reached_by_pattern(f, a, pattern) : NULL;
    }
    /* without one it is a link of this call that leads elsewhere */
    return !what && (open || !holes) ? reached_by_input(f, all) : what;
}
