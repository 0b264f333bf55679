#include "decide/evasion.h"

#include "base/ascii.h"
#include "base/path.h"
#include "decide/rule_reach.h"
#include "facts/matches.h"
#include "programs/command_options.h"
#include "programs/meanings.h"
#include "programs/subcommands.h"
#include "rule/command.h"

/* A command in one spelling. */
struct spelling {
    const struct shell_word *words;
    size_t count;
};

/* Does ask-rules speak of the action anyway? deny-rules has had its turn. */
static bool matches_already(const struct evasion *e, const struct rule *r)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct rule_env room;

    return r->effect == BEHAVIOR_ASK &&
           rule_matches(e->f->arena, r, &a->subject, facts_env(e->f, a, &room));
}

/* The exception is for the action itself, not for a command that it hides. */
static bool is_excepted(const struct evasion *e, const struct rule *r)
{
    return rule_excepts(e->f, r, &e->f->actions.items[e->action]);
}

void evasion_match(struct evasion *e, const struct rule *r)
{
    if (!e->depth && (matches_already(e, r) || is_excepted(e, r)))
        return;
    if (e->sure && (e->sure->effect == BEHAVIOR_DENY || r->effect != BEHAVIOR_DENY))
        return;
    e->sure = r;
    e->sure_action = e->action;
}

void evasion_doubt(struct evasion *e, const struct rule *rule, const char *why)
{
    if (e->perhaps || !rule || (!e->depth && is_excepted(e, rule)))
        return;
    e->perhaps = rule;
    e->perhaps_action = e->action;
    e->why = why;
}

const struct rule *evasion_first(const struct evasion *e)
{
    const struct rule *r = rulebook_first_on_commands(e->f->book);

    return r ? r : rulebook_first_on_paths(e->f->book);
}

bool evasion_is_spent(struct evasion *e, size_t bytes)
{
    if (*e->work + bytes <= EVASION_WORK_MAX) {
        *e->work += bytes;
        return false;
    }
    if (!e->perhaps) { /* also where the rule has an exception: nothing was compared with that */
        e->perhaps = evasion_first(e);
        e->perhaps_action = e->action;
        e->why = "there are too many words that could be a command";
    }
    *e->work = EVASION_WORK_MAX;
    return true;
}

static struct str join(struct arena *a, const struct spelling *s)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < s->count; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, s->words[i].text);
    }
    return buf_str(&b);
}

/* Would the rule match if the action were this command? */
static bool matches_form(const struct evasion *e, const struct rule *r, struct str form,
                         const struct strs *words)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct subject s = a->subject;
    struct rule_env room;
    struct str item = form;

    s.forms_allow = (struct strs){0};
    s.forms_deny = (struct strs){.items = &item, .count = 1, .room = 1};
    s.words = *words;
    s.understood = true;
    if (!e->depth && !rule_more(r)->paths.count)
        s.paths = (struct subject_paths){0}; /* by its paths the action matches already, or not */
    return rule_matches(e->f->arena, r, &s, facts_env(e->f, a, &room));
}

static struct strs texts(struct arena *a, const struct spelling *s)
{
    struct strs out = strs_in(a, s->count);

    for (size_t i = 0; i < s->count; i++)
        LIST_PUSH(a, &out, s->words[i].text);
    return out;
}

/* --- the same options in another order or by other names --- */

enum likeness { UNLIKE = 0, PERHAPS_LIKE, LIKE };

/* Could the word be this text at run time? */
static enum likeness word_like(const struct shell_word *w, struct str text)
{
    size_t from = 0, to = 0;

    if (str_eq(w->text, text))
        return LIKE;
    if (w->known && !w->may_glob)
        return UNLIKE;
    while (from < w->text.len && !strchr("*?[" WORD_UNKNOWN_TEXT, w->text.s[from]))
        from++;
    if (from == w->text.len) /* a text that the locale may replace */
        return w->translated ? PERHAPS_LIKE : UNLIKE;
    while (to < w->text.len - from &&
           !strchr("*?]" WORD_UNKNOWN_TEXT, w->text.s[w->text.len - 1 - to]))
        to++;
    if ((w->shape & SHAPE_DIGITS) && !ascii_is_digit(text.s[from < text.len ? from : 0]))
        return UNLIKE;
    return text.len >= from + to && str_starts(text, str_slice(w->text, 0, from)) &&
                   str_ends(text, str_from_byte(w->text, w->text.len - to))
               ? PERHAPS_LIKE
               : UNLIKE;
}

/* The pattern of a rule, as a command of which some words are not known. */
struct pattern {
    const struct rule *rule;
    struct rule_words words;
    struct shell_word *as_words;
    struct command_options read;
};

static bool is_wild(struct str text)
{
    return str_has(text, '*') || str_has(text, '?') || str_has(text, '[') || str_has(text, '{');
}

/* Is it this option, with this value? Where a row knows of no value it may be the next word. */
static bool is_same_option(const struct spelling *s, const struct command_option *o,
                           const struct command_option *wanted)
{
    /* what a setting of git stands for is named before the subcommand whose option it is */
    if (!str_eq(o->names, wanted->names) &&
        !(o->implied && program_option_named(wanted->names, o->names)))
        return false;
    if (!wanted->has_value || is_wild(wanted->value))
        return true;
    if (o->has_value) /* git reads commit.gpgSign as commit.gpgsign */
        return str_eq_nocase(o->value, wanted->value);
    return o->word + 1 < s->count && str_eq(s->words[o->word + 1].text, wanted->value);
}

/* --forc, or a letter that no row lists and that may be another name of --force. */
static enum likeness option_like(const struct spelling *s, const struct command_options *given,
                                 const struct command_option *o,
                                 const struct command_option *wanted)
{
    struct str written = s->words[o->word].text, name, value;

    if (is_same_option(s, o, wanted))
        return LIKE;
    str_cut(written, '=', &name, &value);
    /* Where a row lists options that other versions lack, a name is short for one of them that
     * seems to be short for two. */
    if ((o->unlisted || !program_option_named(o->names, name)) &&
        command_option_shortened(name, wanted->names))
        return wanted->unlisted && given->abbreviates ? LIKE : PERHAPS_LIKE;
    if (given->lists_none && o->unlisted)
        return PERHAPS_LIKE; /* ed --silent is ed --quiet */
    return (o->unlisted || wanted->unlisted) && command_option_other_kind(o->names, wanted->names)
               ? PERHAPS_LIKE
               : UNLIKE;
}

static enum likeness has_option(const struct evasion *e, const struct spelling *s,
                                const struct command_options *given,
                                const struct command_option *wanted)
{
    enum likeness best = UNLIKE;

    for (size_t i = 0; i < given->options.count && best != LIKE; i++) {
        enum likeness like = option_like(s, given, &given->options.items[i], wanted);
        best = like > best ? like : best;
    }
    if (!best &&
        (given->open || evasion_variable_says(e, path_base(s->words[0].text), wanted->names)))
        return PERHAPS_LIKE;
    return best;
}

static bool is_option(struct str text)
{
    return text.len > 1 && text.s[0] == '-';
}

/* xargs splits "a -rf b", which find may have found, at its blanks; find -exec does not. */
static bool splits_names(const struct evasion *e)
{
    int by = e->f->shell->actions.items[e->action].parent;
    const struct action *a = by < 0 ? NULL : &e->f->actions.items[by];

    return a && a->row && a->row->appends && !strs_has(&a->subject.words, STR("-0")) &&
           !strs_has(&a->subject.words, STR("--null"));
}

/* May the call itself give a file such a name? */
static bool makes_names(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if ((a->unknown & ACCESS_WRITE) || (a->effects & (EFFECT_CODE | EFFECT_UNKNOWN)))
            return true;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if ((a->subject.paths.items[n].access & ACCESS_WRITE) &&
                str_has(a->subject.paths.items[n].written, ' '))
                return true;
    }
    return false;
}

/* Has no file below the directory such a name? `like` is DIRECTORY/[two stars]/NAME. */
static bool finds_plain_names(const struct evasion *e, struct str like)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct facts room = *e->f; /* counts what it lists */
    struct strs files = {0};
    struct str path;

    return !makes_names(e->f) &&
           path_absolute(room.arena, a->cwd, room.home, path_dir(path_dir(like)), &path) &&
           matches_below(&room, path, STR("*"), &files);
}

/* A word that is not known is no option if what is known of it cannot be one: a path that find
 * has found, *.o, the value of --x=, or what begins with a letter. */
static bool word_may_be_option(const struct evasion *e, const struct shell_word *w)
{
    struct str like = w->like.len ? w->like : w->text;
    size_t last = like.len;

    if (w->known || w->no_dash || w->fresh || (w->shape & SHAPE_NO_DASH))
        return false;
    if (w->found)
        return w->may_split && splits_names(e) && !finds_plain_names(e, w->like);
    size_t first = str_index(w->text, WORD_UNKNOWN);
    bool named = is_option(w->text) && str_has(str_slice(w->text, 0, first), '=');
    if (named || (like.len && !strchr("-*?[" WORD_UNKNOWN_TEXT, like.s[0])))
        return w->may_split && !w->like.len;
    while (last > 0 && !strchr("*?]" WORD_UNKNOWN_TEXT, like.s[last - 1]))
        last--;
    return (!str_has(str_from_byte(like, last), '.') && !str_has(str_from_byte(like, last), '/')) ||
           w->may_split;
}

static bool may_bring_option(const struct evasion *e, const struct spelling *s)
{
    for (size_t i = 1; i < s->count && !str_is(s->words[i].text, "--"); i++)
        if (word_may_be_option(e, &s->words[i]))
            return true;
    return false;
}

/* Compares the options, in any order. A wild one (--force*) is compared without its star. */
static enum likeness options_like(const struct evasion *e, const struct pattern *p,
                                  const struct spelling *s, const struct command_options *given)
{
    enum likeness all = LIKE;

    for (size_t i = 0; i < p->read.options.count; i++) {
        if (p->read.options.items[i].implied)
            continue;
        enum likeness like = has_option(e, s, given, &p->read.options.items[i]);
        if (!like && !may_bring_option(e, s))
            return UNLIKE;
        if (like != LIKE)
            all = PERHAPS_LIKE;
    }
    return all;
}

/* foo --name v1: no row says whether v1 is the value of the option, which may also be written
 * --name=v1; or the program takes only that, and whoever wrote the rule did not know. */
static const struct command_option *option_before(const struct pattern *p, size_t word)
{
    for (size_t i = 0; i < p->read.options.count; i++) {
        const struct command_option *o = &p->read.options.items[i];
        if ((o->unlisted || o->optional) && !o->has_value && o->word + 1 == word)
            return o;
    }
    return NULL;
}

/* The comparison of the words that are no options. */
struct alignment {
    const struct pattern *p;
    const struct spelling *s;
    const struct command_options *given;
    bool *used; /* of the command's operands: those that are words of the rule */
    size_t at;  /* the next one */
};

static enum likeness operand_like(const struct alignment *l, size_t n, struct str wanted)
{
    const struct shell_word *w = &l->s->words[l->given->operands.items[l->at]];

    if (n == 0 ||
        (w->known && !str_has(wanted, '/') && program_is_wrapper(path_base(l->s->words[0].text))))
        return str_eq(path_base(w->text), wanted) ? LIKE : UNLIKE;
    if (w->text.len > 1 && l->given->mark == w->text.s[0] && w->known &&
        str_eq(str_from_byte(w->text, 1), wanted))
        return LIKE;
    if (l->given->bits && n == 1 && w->known && mode_gives(w->text, wanted))
        return LIKE;
    return word_like(w, wanted);
}

/* Behind the subcommand further operands may come between those of the rule. */
static enum likeness find_operand(struct alignment *l, size_t n, struct str wanted)
{
    bool skips = l->p->read.complete && n >= l->p->read.named;
    size_t from = l->at;

    for (; l->at < l->given->operands.count; l->at++) {
        enum likeness like = operand_like(l, n, wanted);
        if (like || !skips)
            return like;
    }
    l->at = from;
    return UNLIKE;
}

/* Begins the operand like the rule's, up to its wildcard? The text of the rule says the rest. */
static enum likeness wild_like(const struct alignment *l, struct str wanted)
{
    struct shell_word literal = {.text = wanted, .may_glob = true};

    if (l->at == l->given->operands.count)
        return UNLIKE;
    const struct shell_word *w = &l->s->words[l->given->operands.items[l->at]];
    if (!w->known)
        return PERHAPS_LIKE;
    return word_like(&literal, w->text) ? LIKE : UNLIKE;
}

static enum likeness lesser(enum likeness a, enum likeness b)
{
    return a < b ? a : b;
}

/* Compares the operands in their order, as far as the rule has no wildcard there. */
static enum likeness operands_like(struct alignment *l)
{
    const struct pattern *p = l->p;
    enum likeness all = LIKE;

    for (size_t n = 0; n < p->read.operands.count; n++) {
        size_t word = p->read.operands.items[n];
        struct str wanted = p->as_words[word].text;
        if (wanted.len && strchr("*?[{", wanted.s[0]))
            return all;
        if (is_wild(wanted))
            return lesser(all, wild_like(l, wanted));
        enum likeness like = find_operand(l, n, wanted);
        if (!like && option_before(p, word)) { /* then it is written otherwise */
            all = PERHAPS_LIKE;
            continue;
        }
        if (!like)
            return UNLIKE;
        if (like == PERHAPS_LIKE && l->s->words[l->given->operands.items[l->at]].may_split)
            return PERHAPS_LIKE; /* it may bring the words after it, too */
        l->used[l->at++] = true;
        all = lesser(all, like);
    }
    return all;
}

static bool is_named_by(const struct pattern *p, const struct command_option *o)
{
    for (size_t i = 0; i < p->read.options.count; i++)
        if (str_eq(p->read.options.items[i].names, o->names))
            return true;
    return false;
}

/* The options of the command that the rule does not name. */
static void add_other_options(struct buf *b, const struct spelling *s, const struct pattern *p,
                              const struct command_options *given)
{
    for (size_t i = 0; i < given->options.count; i++) {
        const struct command_option *o = &given->options.items[i];
        if (is_named_by(p, o) || (i && o->word == o[-1].word))
            continue;
        buf_byte(b, ' ');
        buf_add(b, s->words[o->word].text);
    }
}

/* The command in the words of the rule: what it names, then what else the command has. */
static struct str in_words_of(const struct evasion *e, const struct pattern *p,
                              const struct alignment *l, bool others)
{
    const struct command_options *given = l->given;
    struct buf b = buf_in(e->f->arena);
    size_t i = 0;

    for (; i < p->words.count && !p->words.items[i].wild; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, p->words.items[i].text);
    }
    if (others)
        add_other_options(&b, l->s, p, given);
    for (size_t n = 0; n < given->operands.count; n++) {
        if (l->used[n])
            continue;
        buf_byte(&b, ' ');
        buf_add(&b, l->s->words[given->operands.items[n]].text);
    }
    for (; i < p->words.count; i++) {
        struct str text = p->as_words[i].text;
        if (!is_option(text))
            continue;
        buf_byte(&b, ' ');
        buf_add(&b, text);
    }
    return buf_str(&b);
}

/* *--force* names the option --force. */
static struct str without_stars(struct str text)
{
    struct str bare = text;

    while (bare.len && bare.s[0] == '*')
        bare = str_from_byte(bare, 1);
    while (bare.len && bare.s[bare.len - 1] == '*')
        bare.len--;
    return is_option(bare) && !is_wild(bare) ? bare : text;
}

static void read_pattern(const struct evasion *e, const struct rule *r, struct pattern *p)
{
    *p = (struct pattern){.rule = r, .words = rule_words(e->f->arena, r)};
    p->as_words = ARENA_ARRAY(e->f->arena, struct shell_word, p->words.count + 1);
    for (size_t i = 0; i < p->words.count; i++)
        p->as_words[i] =
            (struct shell_word){.text = without_stars(p->words.items[i].text), .known = true};
    if (p->words.count)
        command_options(e->f->arena, p->as_words, p->words.count, e->f->book->programs, &p->read);
}

/* Is the option of a long form (flags: [--force]) among those of the command? */
static enum likeness flag_like(const struct evasion *e, struct str flag, const struct spelling *s,
                               const struct command_options *given)
{
    struct shell_word *words = arena_room(e->f->arena, given->named + 1, sizeof(*words));
    enum likeness all = LIKE;
    struct command_options read;

    for (size_t i = 0; i < given->named; i++)
        words[i] = s->words[given->operands.items[i]];
    words[given->named] = (struct shell_word){.text = flag, .known = true};
    command_options(e->f->arena, words, given->named + 1, e->f->book->programs, &read);
    for (size_t i = 0; i < read.options.count; i++)
        if (!read.options.items[i].implied)
            all = lesser(all, has_option(e, s, given, &read.options.items[i]));
    return read.options.count ? all : UNLIKE; /* no option: the rule itself compares it */
}

/* The words of the command, and the options of the long form that it has by other names, or may
 * have. */
static struct strs words_with_flags(const struct evasion *e, const struct rule *r,
                                    const struct spelling *s, const struct command_options *given,
                                    enum likeness *flags)
{
    struct strs words = texts(e->f->arena, s);
    const struct strs *wanted = &rule_more(r)->flags;

    *flags = LIKE;
    for (size_t i = 0; i < wanted->count; i++) {
        enum likeness like = flag_like(e, wanted->items[i], s, given);
        if (like)
            LIST_PUSH(e->f->arena, &words, wanted->items[i]);
        if (like == PERHAPS_LIKE)
            *flags = PERHAPS_LIKE;
    }
    return words;
}

static const char unknown_word[] = "a word that is not known before run time could match";
static const char unknown_option[] = "an unknown option could be the one that matches";

static const char *why_option(const struct evasion *e, const struct pattern *p)
{
    for (size_t i = 0; i < p->read.options.count; i++)
        if (evasion_variable_says(e, p->words.items[0].text, p->read.options.items[i].names))
            return "a variable could do what the option of the rule does";
    return unknown_option;
}

static void compare_words(struct evasion *e, const struct rule *r, const struct spelling *s,
                          const struct command_options *given, const struct strs *words,
                          enum likeness flags)
{
    struct pattern p;

    read_pattern(e, r, &p);
    if (!p.words.count || p.words.items[0].wild)
        return;
    struct alignment l = {
        .p = &p,
        .s = s,
        .given = given,
        .used = ARENA_ARRAY(e->f->arena, bool, given->operands.count + 1),
    };
    enum likeness operands = operands_like(&l);
    enum likeness options = operands ? lesser(flags, options_like(e, &p, s, given)) : UNLIKE;
    if (!operands || !options)
        return;
    if (operands == PERHAPS_LIKE || options == PERHAPS_LIKE) {
        bool known = operands == LIKE && !may_bring_option(e, s);
        evasion_doubt(e, r, known ? why_option(e, &p) : unknown_word);
        return;
    }
    if (matches_form(e, r, in_words_of(e, &p, &l, false), words) ||
        matches_form(e, r, in_words_of(e, &p, &l, true), words))
        evasion_match(e, r);
}

/* --- one command --- */

static bool all_known(const struct spelling *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->words[i].known || s->words[i].may_glob)
            return false;
    return true;
}

/* A policy may have thousands of rules on one program. Each names a subcommand, and nearly none the
 * one of this command: if the rule's second word is a plain one that the command lacks, nothing of
 * it can match. */
static bool lacks_second_word(const struct rule *r, const struct spelling *s)
{
    struct str rest = r->pattern, word;

    if (rule_more(r)->has_unquoted || (r->matcher != MATCH_EXACT && r->matcher != MATCH_PREFIX))
        return false;
    str_next_word(&rest, &word); /* the program */
    if (!str_next_word(&rest, &word) || !ascii_is_letter(word.s[0]))
        return false;
    for (size_t i = 1; i < s->count; i++)
        if (str_eq(path_base(s->words[i].text), word) || str_eq(s->words[i].text, word))
            return false;
    return true;
}

static void compare_rule(struct evasion *e, const struct rule *r, const struct spelling *s,
                         const struct command_options *given, struct str form)
{
    enum likeness flags;
    struct strs words = words_with_flags(e, r, s, given, &flags);

    if (!matches_form(e, r, form, &words))
        compare_words(e, r, s, given, &words, flags);
    else if (flags == LIKE)
        evasion_match(e, r);
    else
        evasion_doubt(e, r, unknown_option);
}

static void compare_spelling(struct evasion *e, const struct rule_places *rules,
                             const struct spelling *s)
{
    struct str form = join(e->f->arena, s);
    struct command_options given;
    bool known = all_known(s);

    if (evasion_is_spent(e, form.len * (rules->count + 1)))
        return;
    command_options(e->f->arena, s->words, s->count, e->f->book->programs, &given);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules->items[i]];
        if (!known || !lacks_second_word(r, s))
            compare_rule(e, r, s, &given, form);
    }
}

void evasion_compare(struct evasion *e, const struct rule *r, const struct shell_word *words,
                     size_t count)
{
    const struct spelling s = {words, count};
    struct str form = join(e->f->arena, &s);
    struct command_options given;

    if (evasion_is_spent(e, form.len * 2))
        return;
    command_options(e->f->arena, words, count, e->f->book->programs, &given);
    compare_rule(e, r, &s, &given, form);
}

/* Subcommands of git that push: a rule on `git push` means them, too. */
static const char *const pushes[][2] = {
    {"send-pack"},       {"http-push"},      {"lfs", "push"},
    {"subtree", "push"}, {"svn", "dcommit"}, {"p4", "submit"},
};

/* How many words of the command are this subcommand; 0: it is another one. */
static size_t is_push(const struct spelling *s, size_t row)
{
    size_t n = 0;

    for (; n < COUNT(pushes[row]) && pushes[row][n]; n++)
        if (n + 1 >= s->count || !str_is(s->words[n + 1].text, pushes[row][n]))
            return 0;
    return str_is(s->words[0].text, "git") ? n : 0;
}

static void compare_push(struct evasion *e, const struct rule_places *rules,
                         const struct spelling *s)
{
    for (size_t i = 0; i < COUNT(pushes); i++) {
        size_t len = is_push(s, i);
        if (!len)
            continue;
        struct shell_word *words = arena_room(e->f->arena, s->count, sizeof(*words));
        struct spelling as = {.words = words, .count = s->count - len + 1};
        words[0] = s->words[0];
        words[1] = (struct shell_word){.text = STR("push"), .known = true};
        for (size_t n = 2; n < as.count; n++)
            words[n] = s->words[n + len - 1];
        compare_spelling(e, rules, &as);
    }
}

/* Does a rule name a subcommand of the program? */
static const struct rule *on_subcommand(const struct evasion *e, const struct rule_places *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules->items[i]];
        struct rule_words words = rule_words(e->f->arena, r);
        for (size_t n = 1; n < words.count && !words.items[0].wild; n++)
            if (words.items[n].text.len && ascii_is_letter(words.items[n].text.s[0]))
                return r;
    }
    return NULL;
}

void evasion_alias(struct evasion *e, const struct shell_word *words, size_t count)
{
    const struct action *a = &e->f->actions.items[e->action];
    struct command_options given;

    if (!a->row || !(a->effects & EFFECT_UNKNOWN) || str_has(str_from(a->row->name), ' '))
        return;
    struct str program = path_base(words[0].text);
    if (!program_has_subcommands(program))
        return;
    struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);
    const struct rule *r = on_subcommand(e, &rules);
    if (!r)
        return;
    command_options(e->f->arena, words, count, e->f->book->programs, &given);
    struct str name = given.operands.count > 1 ? words[given.operands.items[1]].text : program;
    if (name.len && ascii_is_letter(name.s[0]) && !str_eq(name, program) &&
        !program_subcommand(program, name))
        evasion_doubt(e, r, "an unknown subcommand could be another name for what matches");
}

/* git -c alias.p=push p: the command makes the name itself. */
static void doubt_own_alias(struct evasion *e, const struct rule_places *rules,
                            const struct spelling *s)
{
    for (size_t i = 1; i < s->count; i++)
        if (str_starts(s->words[i].text, STR("alias."))) {
            evasion_doubt(e, on_subcommand(e, rules), "an alias could match");
            return;
        }
}

static void compare_command(struct evasion *e, const struct rule_places *rules,
                            const struct spelling *s)
{
    struct subcommands found = {0};

    compare_spelling(e, rules, s);
    compare_push(e, rules, s);
    doubt_own_alias(e, rules, s);
    if (!program_subcommands(e->f->arena, s->words, s->count, e->f->book->programs, &found))
        evasion_doubt(e, &e->f->book->rules.items[rules->items[0]],
                      "there are too many ways to read the options before a subcommand");
    for (size_t i = 0; i < found.count * 2; i++) {
        struct spelling as = {0};
        as.count = subcommand_words(e->f->arena, s->words, s->count, &found.items[i / 2], i % 2,
                                    &as.words);
        compare_spelling(e, rules, &as);
        compare_push(e, rules, &as);
    }
}

/* git-push is git push, and docker-compose down may be docker compose down. */
static void compare_joined(struct evasion *e, const struct spelling *s, struct str name)
{
    for (size_t dash = 1; dash + 1 < name.len; dash++) {
        if (name.s[dash] != '-')
            continue;
        struct str program = str_slice(name, 0, dash);
        struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);
        if (!rules.count || evasion_is_spent(e, s->count * sizeof(*s->words)))
            continue;
        struct shell_word *words = arena_room(e->f->arena, s->count + 1, sizeof(*words));
        memcpy(words + 1, s->words, s->count * sizeof(*words));
        words[0] = (struct shell_word){.text = program, .known = true};
        words[1].text = str_from_byte(name, dash + 1);
        compare_command(e, &rules, &(struct spelling){words, s->count + 1});
    }
}

/* The command by this name, with the rules on it. */
static void compare_named(struct evasion *e, const struct rule_places *rules,
                          const struct spelling *s, struct str name)
{
    if (!rules->count || evasion_is_spent(e, s->count * sizeof(*s->words)))
        return;
    struct shell_word *words = arena_room(e->f->arena, s->count, sizeof(*words));
    memcpy(words, s->words, s->count * sizeof(*words));
    words[0].text = name;
    compare_command(e, rules, &(struct spelling){words, s->count});
}

static void compare_script(struct evasion *e, const struct spelling *s, struct str name)
{
    const struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, name);

    compare_named(e, &rules, s, name);
}

/* /usr/lib/node_modules/npm/bin/npm-cli.js is npm, and yarn.js is yarn. */
static void compare_script_file(struct evasion *e, const struct spelling *s, struct str name)
{
    static const char *const suffixes[] = {".js", ".cjs", ".mjs", ".cmd", ".exe", ".phar"};

    for (size_t i = 0; str_has(s->words[0].text, '/') && i < COUNT(suffixes); i++) {
        if (!str_ends(name, str_from(suffixes[i])))
            continue;
        name.len -= strlen(suffixes[i]);
        compare_script(e, s, name);
        if (str_ends(name, STR("-cli")))
            compare_script(e, s, str_slice(name, 0, name.len - 4));
        return;
    }
}

void evasion_command(struct evasion *e, const struct shell_word *words, size_t count)
{
    if (!count || !words[0].known || !words[0].text.len)
        return; /* without a program's name nothing is understood */
    if (*e->work == EVASION_WORK_MAX)
        return;
    const struct str program = path_base(words[0].text);
    evasion_one(e, words, count, program);
    evasion_tasks(e, words, count, program);
}

__attribute__((noinline)) static void
compare_by_name(struct evasion *e, const struct shell_word *words, size_t count, struct str program)
{
    const struct spelling s = {words, count};
    const struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, program);

    if ((program.len && rules.count) || evasion_may_be_renamed(e, program))
        evasion_names(e, words, count);
    compare_named(e, &rules, &s, program);
    compare_joined(e, &s, program);
    compare_script_file(e, &s, program);
}

void evasion_one(struct evasion *e, const struct shell_word *words, size_t count,
                 struct str program)
{
    /* what comes before a dash has the same first byte */
    if (!program.len || rulebook_may_name(e->f->book, program.s[0]))
        compare_by_name(e, words, count, program);
    else if (evasion_may_be_renamed(e, program))
        evasion_names(e, words, count);
}

void evasion_spelling(struct evasion *e, const struct strs *words)
{
    struct arena *a = e->f->arena;
    struct rule_places rules = rulebook_on_program(a, e->f->book, words->items[0]);
    struct buf form = buf_in(a);

    for (size_t i = 0; rules.count && i < words->count; i++) {
        if (i)
            buf_byte(&form, ' ');
        buf_add(&form, words->items[i]);
    }
    for (size_t i = 0; i < rules.count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules.items[i]];
        if (matches_form(e, r, buf_str(&form), words))
            evasion_match(e, r);
    }
}
