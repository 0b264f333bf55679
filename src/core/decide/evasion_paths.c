/* evasion_paths.c - deny and ask rules on paths, where a path stands in no place that a row knows:
 * in code, in a variable, behind file:// or an @. */
#include "base/path.h"
#include "base/rare.h"
#include "decide/evasion.h"
#include "decide/rule_below.h"
#include "facts/matches.h"
#include "facts/touch.h"
#include "programs/command_options.h"

#define ANY_ACCESS   (ACCESS_READ | ACCESS_WRITE | ACCESS_DELETE)
#define MENTIONS_MAX 2048 /* of one action: more words of a text are too many to look up */

struct mentions {
    const struct facts *f;
    struct str cwd;
    const struct rule_env *env;
    bool free_below;          /* no rule is about a path below the directory, or above it */
    struct subject paths;     /* no more than that */
    const struct rule *below; /* could be about something in a directory that is named */
    const struct action *action;
    bool code;  /* a part of a text may be a directory, too */
    bool words; /* nothing explains what happens to the words */
    size_t count;
};

enum { PATH_ENDS = 1, PATH_BARE = 2 /* of a name that is no path and no pattern */ };

static const unsigned char path_bytes[256] = {
    ['\0'] = PATH_ENDS,        [' '] = PATH_ENDS,         ['\t'] = PATH_ENDS,
    ['\n'] = PATH_ENDS,        ['\r'] = PATH_ENDS,        ['"'] = PATH_ENDS,
    ['\''] = PATH_ENDS,        ['`'] = PATH_ENDS,         [','] = PATH_ENDS,
    [';'] = PATH_ENDS,         ['|'] = PATH_ENDS,         ['&'] = PATH_ENDS,
    ['('] = PATH_ENDS,         [')'] = PATH_ENDS,         ['<'] = PATH_ENDS,
    ['>'] = PATH_ENDS,         ['{'] = PATH_ENDS,         ['}'] = PATH_ENDS,
    ['='] = PATH_ENDS,         ['@'] = PATH_ENDS,         ['-'] = PATH_BARE,
    ['a' ... 'z'] = PATH_BARE, ['A' ... 'Z'] = PATH_BARE, ['_'] = PATH_BARE,
    ['0' ... '9'] = PATH_BARE,
};

/* For most paths one look at the directories of the rules is enough, and no rule is searched for.
 */
static bool may_be_forbidden(const struct mentions *m, const struct subject_path *p)
{
    const struct rule_index *x = m->f->book->index;

    if (!x || (p->resolved.s != p->written.s && p->resolved.len &&
               rule_index_may_forbid(x, p->resolved, m->env)))
        return true;
    return !(m->free_below && path_is_inside(p->written, m->cwd)) &&
           rule_index_may_forbid(x, p->written, m->env);
}

/* With another spelling, which is for those who fold names. */
RARE static void mention_respelled(struct mentions *m, struct str text)
{
    const struct facts *f = m->f;
    struct str raw;

    if (path_expand(f->arena, m->cwd, f->home, text, &raw))
        touch_clean(f, &m->paths, path_cleaned(f->arena, raw), raw, ANY_ACCESS, true);
}

/* Is no rule about a path below this directory? */
static bool is_free(const struct mentions *m, struct str directory)
{
    return m->f->book->index && !rule_index_may_forbid_below(m->f->book->index, directory, m->env);
}

/* Whoever gets the name of a directory may reach everything below it. */
static void mention_directory(struct mentions *m, const struct subject_path *p)
{
    const struct facts *f = m->f;
    const struct str written = p->written, resolved = p->resolved;

    if (m->below || f->world->kind(f->world->context, written.s) != FILE_DIRECTORY)
        return;
    if (!is_free(m, written))
        m->below = rule_below_directory(f, m->action, written, ANY_ACCESS);
    if (!m->below && resolved.len && !str_eq(written, resolved) && !is_free(m, resolved))
        m->below = rule_below_directory(f, m->action, resolved, ANY_ACCESS);
}

/* Everything that a file name may be. What is on the disk under that name may be a link. */
static void mention(struct mentions *m, struct str text, bool bare, bool tree)
{
    while (str_starts(text, STR("//"))) /* file://HOST/PATH */
        text = str_from_byte(text, 1);
    if (!text.len || str_has(text, WORD_UNKNOWN) || ++m->count > MENTIONS_MAX ||
        (bare && m->free_below && touch_is_plain(m->f, m->cwd, text)))
        return;
    const struct touched_name *named = touch_named(m->f, m->cwd, text);
    if (!named)
        return;
    const struct subject_path path = named->path;
    if (named->respelled) {
        mention_respelled(m, text);
    } else if (may_be_forbidden(m, &path)) {
        LIST_PUSH(m->f->arena, &m->paths.paths, path);
        m->paths.paths.items[m->paths.paths.count - 1].access = ANY_ACCESS;
    }
    if (tree)
        mention_directory(m, &path);
    if (!m->below && path.resolved.len && !path_is_inside(path.resolved, m->f->workspace))
        m->below = rule_by_link(m->f, m->action, path.resolved, ANY_ACCESS, tree);
}

/* What it matches is not known: perhaps everything below the directory in front of the wildcards.
 */
static void mention_fixed(struct mentions *m, struct str pattern)
{
    struct subject_path fixed = {0};

    fixed.written =
        str_copy(m->f->arena, path_dir(str_slice(pattern, 0, str_until(pattern, "*?[") + 1)));
    mention_directory(m, &fixed);
}

/* What the disk has by that pattern: glob.glob("sub/[star]"), args sub/[two stars]. */
RARE static void mention_pattern(struct mentions *m, struct str text)
{
    struct facts room = *m->f; /* counts what it lists */
    struct strs files = {0};
    struct str pattern;

    if (str_has(text, WORD_UNKNOWN) || ++m->count > MENTIONS_MAX ||
        !path_absolute(room.arena, m->cwd, room.home, text, &pattern))
        return;
    if (!matches_find(&room, pattern, &files)) {
        mention_fixed(m, pattern);
        return;
    }
    for (size_t i = 0; i < files.count; i++)
        mention(m, files.items[i], false, true);
}

static bool is_pattern(struct str text)
{
    return str_has(text, '*') || str_has(text, '?') || str_has(text, '[');
}

static bool is_quote(int c)
{
    return c == '"' || c == '\'' || c == '`';
}

/* make, vim, tclsh: commands of lines, whose words are not quoted. */
static bool is_line(const struct mentions *m)
{
    return !m->action->row || !m->action->row->launches;
}

/* May this part of a text be the name of a directory, and no other word? A dot is an operator of
 * many languages. */
static bool may_be_directory(const struct mentions *m, struct str text, size_t from, size_t to)
{
    const struct str word = str_slice(text, from, to);
    const bool quoted = from > 0 && is_quote(text.s[from - 1]);

    if (to == text.len && (from == 0 || (text.s[0] == '-' && text.s[from - 1] == '=')))
        return true;
    if (!m->code)
        return false;
    if (str_is(word, "/")) /* s/x/y/ */
        return quoted && is_quote(str_byte(text, to));
    if (str_is(word, ".") || str_is(word, ".."))
        return quoted ? is_quote(str_byte(text, to)) : is_line(m);
    return quoted || str_has(word, '/') || is_line(m);
}

/* sub/[star]; su[star] where words are not quoted */
static bool may_be_pattern(const struct mentions *m, struct str text, struct str word)
{
    if (!is_pattern(word) || word.len == 1)
        return m->words && word.len == text.len && is_pattern(word);
    return m->code ? str_has(word, '/') || word.len == text.len || is_line(m) : m->words;
}

/* tclsh: [exec grep -r x sub] */
static struct str without_bracket(struct str word)
{
    if (str_ends(word, STR("]")) && !str_has(word, '['))
        word.len--;
    return word;
}

/* The words of a text, with and without what comes before a colon. */
static void mention_words(struct mentions *m, struct str text)
{
    size_t from = 0;
    bool bare = true;

    for (size_t at = 0; at <= text.len; at++) {
        const unsigned byte = at < text.len ? path_bytes[(unsigned char)text.s[at]] : PATH_ENDS;
        bare &= byte != 0;
        if (byte != PATH_ENDS)
            continue;
        struct str word = without_bracket(str_slice(text, from, at)), head, tail;
        const bool tree = word.len && may_be_directory(m, text, from, at);
        mention(m, word, bare, tree);
        if (tree && !bare && may_be_pattern(m, text, word))
            mention_pattern(m, word);
        while (!bare && str_cut(word, ':', &head, &tail)) {
            mention(m, head, touch_is_bare(head), tree);
            mention(m, tail, false, tree);
            word = tail;
        }
        from = at + 1;
        bare = true;
    }
}

/* Options with which git takes files that it does not track, without naming them. */
static const struct {
    const char *subcommand, *option;
} takes_untracked[] = {
    {"stash", "--all"},     {"stash", "--include-untracked"}, {"stash", "--only-untracked"},
    {"grep", "--no-index"}, {"grep", "--untracked"},
};

static bool has_name(const struct command_options *given, struct str name)
{
    for (size_t i = 0; i < given->options.count; i++) {
        struct str rest = given->options.items[i].names, one, tail;
        for (bool more = true; more; rest = tail) {
            more = str_cut(rest, ',', &one, &tail);
            if (str_eq(one, name))
                return true;
        }
    }
    return false;
}

/* The subcommand must be one of the words, and few commands have one of those. */
static bool may_take_untracked(const struct shell_words *words)
{
    for (size_t i = 1; i < words->count; i++)
        for (size_t n = 0; n < COUNT(takes_untracked); n++)
            if (str_is(words->items[i].text, takes_untracked[n].subcommand))
                return true;
    return false;
}

RARE static bool reads_untracked(const struct evasion *e, const struct shell_action *from)
{
    struct command_options given;

    command_options(e->f->arena, from->words.items, from->words.count, e->f->book->programs,
                    &given);
    for (size_t i = 0; given.operands.count > 1 && i < COUNT(takes_untracked); i++)
        if (str_is(from->words.items[given.operands.items[1]].text,
                   takes_untracked[i].subcommand) &&
            has_name(&given, str_from(takes_untracked[i].option)))
            return true;
    return false;
}

/* Code that names a file reads it at least; whether it writes there is not known. */
static void note_mention(struct evasion *e, const struct rule *r)
{
    if (r->access && !(r->access & ACCESS_READ))
        evasion_doubt(e, r, "names a path in code or in a variable, and could write there");
    else
        evasion_match(e, r);
}

/* The rules are compared with the action, with these paths alone. */
RARE static void compare(struct evasion *e, const struct mentions *m)
{
    const struct rulebook *book = e->f->book;
    struct subject s = e->f->actions.items[e->action].subject;
    struct rule_places some = {0};

    s.paths = m->paths.paths;
    s.forms_deny = s.forms_allow = (struct strs){0};
    if (e->f->search)
        some = rule_search_find(e->f->search, &s, m->env);
    for (size_t i = 0; i < (e->f->search ? some.count : book->rules.count); i++) {
        const struct rule *r = &book->rules.items[e->f->search && some.items ? some.items[i] : i];
        if (r->effect != BEHAVIOR_ALLOW && rule_is_on_paths(r) &&
            rule_matches(e->f->arena, r, &s, m->env))
            note_mention(e, r);
    }
}

/* The words of other programs are what their rows say: paths, or data. */
static bool may_read_words(const struct action *a)
{
    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN | EFFECT_EDITOR |
                                         EFFECT_NETWORK | EFFECT_MODULES));
}

static bool may_mention(const struct action *a, const struct shell_action *from)
{
    return from->kind == SHELL_ASSIGN ? from->words.count > 1 && !a->idle && !a->whole
                                      : from->kind == SHELL_COMMAND && may_read_words(a);
}

/* Of others the words are data, or files that their rows know. */
static bool is_code(const struct action *a)
{
    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_EDITOR));
}

bool evasion_reads_code(const struct evasion *e)
{
    const struct action *a = &e->f->actions.items[e->action];

    return !a->program || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN));
}

static void gather(struct mentions *m, const struct action *a, const struct shell_action *from)
{
    if (!may_mention(a, from))
        return;
    m->code = is_code(a);
    m->words = a->effects & EFFECT_UNKNOWN;
    if (from->kind == SHELL_ASSIGN) {
        mention_words(m, from->words.items[1].text);
        return;
    }
    for (size_t i = 1; i < from->words.count; i++) {
        const struct str text = from->words.items[i].text;
        mention_words(m, text);
        if (m->code && str_has(text, '\\'))
            mention_words(m, evasion_unescape(m->f->arena, text));
    }
    if (from->input == SHELL_INPUT_TEXT &&
        (a->runs_input || !a->program || (a->effects & EFFECT_CODE)))
        mention_words(m, from->input_text);
}

/* Mostly all commands of a call act in one directory. */
static bool is_free_below(struct evasion *e, struct str cwd, const struct rule_env *env)
{
    const struct rule_index *x = e->f->book->index;

    if (e->cwd.s != cwd.s || e->cwd.len != cwd.len) {
        e->cwd = cwd;
        e->free_below = x && cwd.len && !rule_index_may_forbid_below(x, cwd, env);
    }
    return e->free_below;
}

/* Files that git does not track, anywhere in the work tree. */
RARE static void look_at_untracked(struct evasion *e, struct str cwd)
{
    const struct facts *f = e->f;
    const struct rule *r = rule_below_directory(f, &f->actions.items[e->action],
                                                f->workspace.len ? f->workspace : cwd, ACCESS_READ);

    if (r)
        evasion_doubt(e, r, "takes files that git does not track, and one of them could match");
}

static void judge(struct evasion *e, const struct mentions *m)
{
    if (m->paths.paths.count)
        compare(e, m);
    if (m->count > MENTIONS_MAX)
        evasion_doubt(e, rulebook_first_on_paths(e->f->book), "a text is too long to search");
    if (m->below)
        evasion_doubt(e, m->below,
                      "names a directory in code or as a word that nothing explains, and "
                      "something there could match");
}

/* Of a text of code. */
static struct mentions mentions_of(const struct evasion *e, struct rule_env *room)
{
    const struct action *a = &e->f->actions.items[e->action];

    return (struct mentions){
        .f = e->f, .cwd = a->cwd, .env = facts_env(e->f, a, room), .action = a, .code = true};
}

void evasion_file(struct evasion *e, struct str name)
{
    struct rule_env room;
    struct mentions m = mentions_of(e, &room);

    if (!rulebook_first_on_paths(e->f->book))
        return;
    name = str_copy(e->f->arena, name);
    mention(&m, name, false, true);
    if (is_pattern(name))
        mention_pattern(&m, name);
    judge(e, &m);
}

void evasion_names_in(struct evasion *e, struct str text)
{
    struct rule_env room;
    struct mentions m = mentions_of(e, &room);

    if (!rulebook_first_on_paths(e->f->book))
        return;
    mention_words(&m, str_copy(e->f->arena, evasion_unescape(e->f->arena, text)));
    judge(e, &m);
}

__attribute__((noinline)) static void look_at_paths(struct evasion *e,
                                                    const struct shell_action *from, bool untracked)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct rule_env room;
    struct mentions m = {.f = e->f, .cwd = a->cwd, .env = facts_env(e->f, a, &room), .action = a};

    m.free_below = is_free_below(e, a->cwd, m.env);
    gather(&m, a, from);
    judge(e, &m);
    if (untracked)
        look_at_untracked(e, m.cwd);
}

void evasion_paths(struct evasion *e, const struct shell_action *from)
{
    const struct action *a = &e->f->actions.items[e->action];
    bool untracked = from->kind == SHELL_COMMAND && str_is(a->name, "git") &&
                     may_take_untracked(&from->words) && reads_untracked(e, from);

    if (untracked || may_mention(a, from))
        look_at_paths(e, from, untracked);
}
