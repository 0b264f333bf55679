#include "decide/evasion.h"

#include "base/ascii.h"
#include "base/path.h"
#include "facts/matches.h"
#include "programs/command_options.h"
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

void evasion_match(struct evasion *e, const struct rule *r)
{
    if (!e->depth && matches_already(e, r))
        return;
    if (e->sure && (e->sure->effect == BEHAVIOR_DENY || r->effect != BEHAVIOR_DENY))
        return;
    e->sure = r;
    e->sure_action = e->action;
}

void evasion_doubt(struct evasion *e, const struct rule *rule, const char *why)
{
    if (e->perhaps || !rule)
        return;
    e->perhaps = rule;
    e->perhaps_action = e->action;
    e->why = why;
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

static bool has_option(const struct command_option_list *list, const struct command_option *wanted)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct command_option *o = &list->items[i];
        if (str_eq(o->names, wanted->names) && (!wanted->has_value || is_wild(wanted->value) ||
                                                (o->has_value && str_eq(o->value, wanted->value))))
            return true;
    }
    return false;
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
    for (size_t i = 0; i < p->read.options.count; i++)
        if (!has_option(&given->options, &p->read.options.items[i]))
            return may_bring_option(e, s) ? PERHAPS_LIKE : UNLIKE;
    return LIKE;
}

/* Compares the words that are no options, as far as the rule has no wildcard there. *same: how many
 * of the command's were compared. */
static enum likeness operands_like(const struct pattern *p, const struct spelling *s,
                                   const struct command_options *given, size_t *same)
{
    bool wraps = program_is_wrapper(path_base(s->words[0].text));
    enum likeness all = LIKE;

    for (*same = 0; *same < p->read.operands.count; ++*same) {
        struct str wanted = p->as_words[p->read.operands.items[*same]].text;
        if (wanted.len && strchr("*?[{", wanted.s[0]))
            return all;
        if (*same == given->operands.count)
            return UNLIKE;
        const struct shell_word *w = &s->words[given->operands.items[*same]];
        if (is_wild(wanted)) {
            struct shell_word literal = {.text = wanted, .may_glob = true};
            if (w->known && word_like(&literal, w->text))
                return all;
            return w->known ? UNLIKE : PERHAPS_LIKE;
        }
        if (*same == 0 || (wraps && w->known && !str_has(wanted, '/'))) {
            if (!str_eq(path_base(w->text), wanted))
                return UNLIKE;
            continue;
        }
        enum likeness like = word_like(w, wanted);
        if (!like)
            return UNLIKE;
        if (like == PERHAPS_LIKE && w->may_split)
            return PERHAPS_LIKE; /* it may bring the words after it, too */
        if (like < all)
            all = like;
    }
    return all;
}

/* The options of the command that the rule does not name. */
static void add_other_options(struct buf *b, const struct spelling *s, const struct pattern *p,
                              const struct command_options *given)
{
    for (size_t i = 0; i < given->options.count; i++) {
        const struct command_option *o = &given->options.items[i];
        if (has_option(&p->read.options, o) || (i && o->word == o[-1].word))
            continue;
        buf_byte(b, ' ');
        buf_add(b, s->words[o->word].text);
    }
}

/* The command in the words of the rule: what it names, then what else the command has. */
static struct str in_words_of(const struct evasion *e, const struct pattern *p,
                              const struct spelling *s, const struct command_options *given,
                              size_t same, bool others)
{
    struct buf b = buf_in(e->f->arena);
    size_t i = 0;

    for (; i < p->words.count && !p->words.items[i].wild; i++) {
        if (i)
            buf_byte(&b, ' ');
        buf_add(&b, p->words.items[i].text);
    }
    if (others)
        add_other_options(&b, s, p, given);
    for (size_t n = same; n < given->operands.count; n++) {
        buf_byte(&b, ' ');
        buf_add(&b, s->words[given->operands.items[n]].text);
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

static void compare_words(struct evasion *e, const struct rule *r, const struct spelling *s,
                          const struct command_options *given)
{
    struct strs words = texts(e->f->arena, s);
    struct pattern p;
    size_t same;

    read_pattern(e, r, &p);
    if (!p.words.count || p.words.items[0].wild)
        return;
    enum likeness operands = operands_like(&p, s, given, &same);
    enum likeness options = operands ? options_like(e, &p, s, given) : UNLIKE;
    if (!operands || !options)
        return;
    if (operands == PERHAPS_LIKE || options == PERHAPS_LIKE) {
        evasion_doubt(e, r, "a word that is not known before run time could match");
        return;
    }
    if (matches_form(e, r, in_words_of(e, &p, s, given, same, false), &words) ||
        matches_form(e, r, in_words_of(e, &p, s, given, same, true), &words))
        evasion_match(e, r);
}

/* --- one command --- */

static void compare_spelling(struct evasion *e, const struct rule_places *rules,
                             const struct spelling *s)
{
    struct strs words = texts(e->f->arena, s);
    struct str form = join(e->f->arena, s);
    struct command_options given;

    command_options(e->f->arena, s->words, s->count, e->f->book->programs, &given);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *r = &e->f->book->rules.items[rules->items[i]];
        if (matches_form(e, r, form, &words))
            evasion_match(e, r);
        else
            compare_words(e, r, s, &given);
    }
}

/* The words of the program, of the subcommand, and those after it. */
static struct spelling without_options(struct arena *a, const struct spelling *s,
                                       const struct subcommand *found)
{
    struct shell_word *words = arena_room(a, s->count, sizeof(*words));
    struct spelling out = {.words = words, .count = 1};
    size_t rest = 1;

    words[0] = s->words[0];
    for (size_t i = 0; i < found->count; i++) {
        words[out.count++] = s->words[found->words[i]];
        rest = found->words[i] + 1;
    }
    for (; rest < s->count; rest++)
        words[out.count++] = s->words[rest];
    return out;
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
        evasion_doubt(e, r, "a subcommand that is not known could be another name of what matches");
}

/* git -c alias.p=push p: the command makes the name itself. */
static void doubt_own_alias(struct evasion *e, const struct rule_places *rules,
                            const struct spelling *s)
{
    for (size_t i = 1; i < s->count; i++)
        if (str_starts(s->words[i].text, STR("alias."))) {
            evasion_doubt(e, on_subcommand(e, rules), "an alias could be what matches");
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
    for (size_t i = 0; i < found.count; i++) {
        struct spelling as = without_options(e->f->arena, s, &found.items[i]);
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
        if (!rules.count)
            continue;
        struct shell_word *words = arena_room(e->f->arena, s->count + 1, sizeof(*words));
        memcpy(words + 1, s->words, s->count * sizeof(*words));
        words[0] = (struct shell_word){.text = program, .known = true};
        words[1].text = str_from_byte(name, dash + 1);
        compare_command(e, &rules, &(struct spelling){words, s->count + 1});
    }
}

static void compare_named(struct evasion *e, const struct spelling *s, struct str name)
{
    struct rule_places rules = rulebook_on_program(e->f->arena, e->f->book, name);

    if (!rules.count)
        return;
    struct shell_word *words = arena_room(e->f->arena, s->count, sizeof(*words));
    memcpy(words, s->words, s->count * sizeof(*words));
    words[0].text = name;
    compare_command(e, &rules, &(struct spelling){words, s->count});
}

void evasion_command(struct evasion *e, const struct shell_word *words, size_t count)
{
    const struct spelling s = {words, count};

    if (!count || !words[0].known || !words[0].text.len)
        return; /* without a program's name nothing is understood */
    struct str name = path_base(words[0].text);
    if (name.len && !rulebook_may_name(e->f->book, name.s[0]))
        return; /* what comes before a dash has the same first byte */
    compare_named(e, &s, name);
    compare_joined(e, &s, name);
}
