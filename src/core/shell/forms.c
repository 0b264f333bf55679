/* forms.c - the spellings of an action that rules are compared with. */
#include "programs/subcommands.h"
#include "shell/walk.h"

struct str words_join(struct arena *a, const struct shell_word *words, size_t count)
{
    size_t len = count ? count - 1 : 0;

    for (size_t i = 0; i < count; i++)
        len += words[i].text.len;
    char *out = arena_bytes(a, len + 1), *at = out;
    for (size_t i = 0; i < count; i++) {
        if (i)
            *at++ = ' ';
        if (words[i].text.len)
            memcpy(at, words[i].text.s, words[i].text.len);
        at += words[i].text.len;
    }
    *at = '\0';
    return (struct str){out, len};
}

/* What one pass over the words says of them. */
struct look {
    bool slashed; /* one begins with a slash, as every home does */
    bool joined;  /* in the text they are as words_join() would put them */
};

static struct look look_at(const struct shell_words *words)
{
    const char *next = words->items[0].text.s;
    struct look look = {.joined = true};

    for (size_t i = 0; i < words->count; i++) {
        struct str text = words->items[i].text;
        if (!text.len) { /* it may be anywhere */
            look.joined = false;
            continue;
        }
        look.slashed |= text.s[0] == '/';
        look.joined &= text.s == next && (!i || next[-1] == ' ');
        next = text.s + text.len + 1;
    }
    return look;
}

enum home_style { HOME_WRITTEN = 0, HOME_TILDE, HOME_VARIABLE };

static void add_word(struct buf *b, struct str text, struct str home, enum home_style style)
{
    bool in_home =
        home.len && str_starts(text, home) && (text.len == home.len || text.s[home.len] == '/');

    if (style == HOME_WRITTEN || !in_home) {
        buf_add(b, text);
        return;
    }
    buf_text(b, style == HOME_TILDE ? "~" : "$HOME");
    buf_add(b, str_from_byte(text, home.len));
}

struct form {
    const struct shell_word *words;
    size_t count;
    bool base; /* without the program's directory */
    enum home_style home;
    const struct subcommand *subcommand; /* only its words, up to the last of them; NULL: all */
};

static void add_form_word(const struct walk *w, struct buf *b, const struct form *f, size_t i)
{
    struct str text = f->words[i].text;

    if (i)
        buf_byte(b, ' ');
    add_word(b, i == 0 && f->base ? base_name(text) : text, w->context->home, f->home);
}

static void push_form(struct walk *w, struct strs *out, const struct form *f)
{
    struct buf b = buf_in(w->arena);
    size_t rest = 1;

    add_form_word(w, &b, f, 0);
    for (size_t i = 0; f->subcommand && i < f->subcommand->count; i++) {
        add_form_word(w, &b, f, f->subcommand->words[i]);
        rest = f->subcommand->words[i] + 1;
    }
    for (size_t i = rest; i < f->count; i++)
        add_form_word(w, &b, f, i);
    if (!strs_has(out, buf_str(&b)))
        LIST_PUSH(w->arena, out, buf_str(&b));
}

static bool mentions_home(const struct walk *w, const struct shell_word *words, size_t count)
{
    struct str home = w->context->home;

    for (size_t i = 0; home.len && i < count; i++)
        if (str_starts(words[i].text, home))
            return true;
    return false;
}

/* All spellings of the command, or of the part of its words that `f` has. */
static void push_spellings(struct walk *w, struct strs *out, struct form f, enum home_style last)
{
    bool path = command_name(w, f.words[0].text).len != f.words[0].text.len;

    for (f.home = HOME_WRITTEN; f.home <= last; f.home++) {
        f.base = false;
        if (f.home || f.subcommand)
            push_form(w, out, &f); /* as it is written it is there already */
        f.base = true;
        if (path)
            push_form(w, out, &f);
    }
}

/* `git -C x push` is also `git push`. Too many readings: a deny rule may mean one that is missing.
 */
RARE static void push_subcommands(struct walk *w, struct strs *out, struct form f,
                                  enum home_style last)
{
    struct subcommands found = {0};

    if (!program_subcommands(w->arena, f.words, f.count, w->context->programs, &found))
        walk_fail(w, f.words[0].at, "too many ways to read the options before a subcommand");
    for (size_t i = 0; i < found.count; i++) {
        f.subcommand = &found.items[i];
        if (!walk_spend(w, f.count, f.words[0].at))
            return;
        push_spellings(w, out, f, last);
    }
}

/* `apart`: an option may be in front of a word of the subcommand. */
static void push_deny_forms(struct walk *w, struct strs *out, const struct shell_words *words,
                            struct look look, bool apart)
{
    struct form f = {.words = words->items, .count = words->count};
    enum home_style last =
        look.slashed && mentions_home(w, f.words, f.count) ? HOME_VARIABLE : HOME_WRITTEN;

    push_spellings(w, out, f, last);
    if (apart)
        push_subcommands(w, out, f, last);
}

/* git --no-pager changes nothing but the display. */
static void push_without_pager(struct walk *w, struct strs *out, const struct shell_word *words,
                               size_t count)
{
    size_t i = 1;

    if (!str_is(words[0].text, "git"))
        return;
    while (i < count && (str_is(words[i].text, "--no-pager") || str_is(words[i].text, "-P")))
        i++;
    if (i > 1 && i < count)
        push_form(w, out,
                  &(struct form){.words = words,
                                 .count = count,
                                 .subcommand = &(struct subcommand){.words = {i}, .count = 1}});
}

/* In the same memory: full as it is, it moves when one more is pushed. */
static struct strs same_forms(const struct strs *forms)
{
    return (struct strs){.items = forms->items, .count = forms->count, .room = forms->count};
}

/* How many wrappers are peeled in the forms of one action; the inner ones are actions of their own.
 */
#define PEEL_MAX 8

/* Takes a wrapper off the front; false: there is none. */
static bool peel(struct walk *w, struct shell_words *rest, bool transparent_only)
{
    size_t inner = wrapper_inner(w, rest, transparent_only);

    *rest = (struct shell_words){.items = rest->items + inner, .count = rest->count - inner};
    return inner > 0;
}

static bool is_apart(const struct walk *w, const struct shell_words *words, struct str text)
{
    return subcommand_is_apart(text, words->items, words->count, w->context->programs);
}

/* The end of the normal text that has these words, the last ones of it. */
static struct str text_of_last(const struct shell_action *a, const struct shell_words *words)
{
    size_t len = words->count - 1;

    for (size_t i = 0; i < words->count; i++)
        len += words->items[i].text.len;
    return str_from_byte(a->normal, a->normal.len - len);
}

/* How many words of such a wrapper are tried as the first of its command. */
#define READINGS_MAX 64

/* A wrapper with an option that is not understood: the option may take the next word, or not. Each
 * word that is no option may be the program, and so may the value in --option=value. */
RARE static void push_readings(struct walk *w, struct shell_action *a,
                               const struct shell_words *rest, struct look look)
{
    for (size_t i = 1; i < rest->count && i <= READINGS_MAX; i++) {
        size_t count = rest->count - i;
        struct shell_word *items = arena_room(w->arena, count, sizeof(*items));
        struct shell_words words = {.items = items, .count = count};
        memcpy(items, rest->items + i, count * sizeof(*items));
        struct str option, text = items[0].text;
        if (str_starts(text, STR("-")) && !str_cut(text, '=', &option, &items[0].text))
            continue;
        if (!walk_spend(w, count, items[0].at))
            return;
        push_form(w, &a->deny_forms, &(struct form){.words = items, .count = count});
        push_deny_forms(w, &a->deny_forms, &words, look,
                        is_apart(w, &words, text_of_last(a, &words)));
    }
}

RARE static void peeled_forms(struct walk *w, struct shell_action *a, struct look look)
{
    struct shell_words rest = a->words;

    for (int i = 0; i < PEEL_MAX && (!i || peel(w, &rest, true)); i++) {
        LIST_PUSH(w->arena, &a->allow_forms,
                  i ? words_join(w->arena, rest.items, rest.count) : a->normal);
        push_without_pager(w, &a->allow_forms, rest.items, rest.count);
    }
    rest = a->words;
    a->deny_forms = same_forms(&a->allow_forms);
    for (int i = 0; i < PEEL_MAX && (!i || peel(w, &rest, false)); i++) {
        if (i)
            push_form(w, &a->deny_forms, &(struct form){.words = rest.items, .count = rest.count});
        push_deny_forms(w, &a->deny_forms, &rest, look, is_apart(w, &rest, text_of_last(a, &rest)));
    }
    if (wrapper_is_doubtful(w, &rest))
        push_readings(w, a, &rest, look);
}

static void command_forms(struct walk *w, struct shell_action *a, struct look look)
{
    const struct shell_word *words = a->words.items;
    struct str name = command_name(w, words[0].text);

    if (names_of(w, name)->rows[NAMED_WRAPPER] || walk_has_added(w)) {
        peeled_forms(w, a, look);
        return;
    }
    LIST_PUSH(w->arena, &a->allow_forms, a->normal);
    push_without_pager(w, &a->allow_forms, words, a->words.count);
    a->deny_forms = same_forms(&a->allow_forms);
    /* other forms have a home or the program's directory in them, or leave out options in front of
     * a subcommand */
    bool apart = is_apart(w, &a->words, a->normal);
    if (look.slashed || apart || name.len != words[0].text.len)
        push_deny_forms(w, &a->deny_forms, &a->words, look, apart);
}

static struct str assignment(struct arena *a, struct str name, struct str value)
{
    struct buf b = buf_in(a);

    buf_add(&b, name);
    buf_byte(&b, '=');
    buf_add(&b, value);
    return buf_str(&b);
}

bool forms_fill(struct walk *w, struct shell_action *a)
{
    const struct shell_word *last = &a->words.items[a->words.count - 1];
    struct look look = look_at(&a->words);

    if (a->kind == SHELL_COMMAND) {
        const char *from = a->words.items[0].text.s;
        if (look.joined)
            a->normal = (struct str){from, (size_t)(last->text.s + last->text.len - from)};
        else
            a->normal = words_join(w->arena, a->words.items, a->words.count);
        command_forms(w, a, look);
        return look.slashed;
    }
    if (a->kind == SHELL_ASSIGN)
        a->normal = assignment(w->arena, a->words.items[0].text, a->words.items[1].text);
    else
        a->normal = a->words.items[0].text;
    LIST_PUSH(w->arena, &a->allow_forms, a->normal);
    a->deny_forms = same_forms(&a->allow_forms);
    if (a->kind == SHELL_REDIRECT)
        push_deny_forms(w, &a->deny_forms,
                        &(struct shell_words){.items = a->words.items, .count = 1}, look, false);
    return look.slashed;
}
