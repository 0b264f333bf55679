/* evasion_text.c - looks for commands in texts of any language.
 *
 * perl, awk, tmux, ed and make each write a command in their own way, but in all of them it begins
 * behind a quote, a bracket, an operator or a blank, and its words stand in a row. */
#include "base/ascii.h"
#include "base/path.h"
#include "decide/evasion.h"
#include "rule/command.h"

#define RUN_WORDS_MAX 24   /* of a command in a text that are compared */
#define STARTS_MAX    4096 /* places of one text where a command may begin */

/* What a byte is to a command in a text. One table, because every byte of every text is looked
 * at. */
enum {
    TEXT_END = 1,   /* ends a command */
    TEXT_GAP = 2,   /* ends a word: exec("git", "push") has two */
    TEXT_JOINT = 4, /* within a word, after which a command may begin: --exec=touch, SYSTEM:touch,
                       alias.x=!touch, /bin/touch */
    TEXT_QUOTE = 8, /* a shell takes it away */
    TEXT_LINE = 16, /* sed's `e`, or a part of the line in front of it */
};

static const unsigned char text_bytes[256] = {
    ['\0'] = TEXT_END,
    ['\n'] = TEXT_END,
    [';'] = TEXT_END,
    ['&'] = TEXT_END,
    ['|'] = TEXT_END,
    ['('] = TEXT_END,
    [')'] = TEXT_END,
    ['{'] = TEXT_END,
    ['}'] = TEXT_END,
    ['['] = TEXT_END,
    [']'] = TEXT_END,
    ['<'] = TEXT_END,
    ['>'] = TEXT_END,
    ['`'] = TEXT_END,
    [' '] = TEXT_GAP,
    ['\t'] = TEXT_GAP,
    ['\r'] = TEXT_GAP,
    [','] = TEXT_GAP,
    ['='] = TEXT_JOINT,
    [':'] = TEXT_JOINT,
    ['!'] = TEXT_JOINT,
    ['@'] = TEXT_JOINT,
    ['/'] = TEXT_JOINT,
    ['"'] = TEXT_GAP | TEXT_QUOTE,
    ['\''] = TEXT_GAP | TEXT_QUOTE,
    ['\\'] = TEXT_GAP | TEXT_QUOTE,
    ['$'] = TEXT_LINE,
    ['0' ... '9'] = TEXT_LINE,
    ['e'] = TEXT_LINE,
};

static bool is_byte(char c, unsigned kinds)
{
    return text_bytes[(unsigned char)c] & kinds;
}

/* Most escapes say the same in all languages: "\n" ends a line, and other backslashes vanish, as do
 * quotes with nothing in them. */
struct str evasion_unescape(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    if (!str_has(text, '\\') && !str_contains(text, STR("''")) && !str_contains(text, STR("\"\"")))
        return text;
    for (size_t i = 0; i < text.len; i++) {
        char next = i + 1 < text.len ? text.s[i + 1] : '\0';
        if (text.s[i] == '\\' && next) {
            i++;
            buf_byte(&b, next == 'n' || next == 'r' ? '\n' : next == 't' ? ' ' : next);
        } else if ((text.s[i] == '\'' || text.s[i] == '"') && next == text.s[i]) {
            i++;
        } else {
            buf_byte(&b, text.s[i]);
        }
    }
    return buf_str(&b);
}

/* sed's `e` may have a line in front of it and the command right behind it. */
static size_t after_address(struct str text, size_t at)
{
    while (at < text.len && (ascii_is_digit(text.s[at]) || text.s[at] == '$'))
        at++;
    return at;
}

struct text_run {
    struct shell_word words[RUN_WORDS_MAX];
    size_t count;
    size_t quoted; /* how many of them there are up to the first quote */
};

static void read_run(struct str text, size_t at, struct text_run *run)
{
    run->count = run->quoted = 0;
    while (at < text.len && run->count < RUN_WORDS_MAX && !is_byte(text.s[at], TEXT_END)) {
        size_t from = at;
        while (at < text.len && !is_byte(text.s[at], TEXT_END | TEXT_GAP))
            at++;
        if (at > from)
            run->words[run->count++] =
                (struct shell_word){.text = str_slice(text, from, at), .known = true};
        for (; at < text.len && is_byte(text.s[at], TEXT_GAP); at++)
            if ((text.s[at] == '"' || text.s[at] == '\'') && !run->quoted)
                run->quoted = run->count;
    }
}

static struct str first_word(struct str text, size_t at)
{
    size_t from = at;

    while (at < text.len && !is_byte(text.s[at], TEXT_END | TEXT_GAP))
        at++;
    return str_slice(text, from, at);
}

/* SHELL=npm, --exec=npm: the words that follow come from elsewhere. */
static bool is_assigned(struct str text, size_t at)
{
    while (at > 0 && (text.s[at - 1] == '/' || ascii_is_name(text.s[at - 1])))
        at--;
    while (at > 0 && ascii_is_blank(text.s[at - 1]))
        at--;
    return at > 0 && text.s[at - 1] == '=';
}

/* Nothing but blanks and quotes stands between it and the end of its line. */
static bool ends_line(struct str text, const struct text_run *run)
{
    struct str last = run->words[run->count - 1].text;
    size_t at = (size_t)(last.s - text.s) + last.len;

    while (at < text.len && is_byte(text.s[at], TEXT_GAP))
        at++;
    return at == text.len || text.s[at] == '\n';
}

/* The command with words that are not known. */
static void look_at_prefix(struct evasion *e, struct text_run *run)
{
    if (!run->count || run->count == RUN_WORDS_MAX)
        return;
    for (size_t i = 1; i < run->count; i++) /* BROWSER='x %s' */
        if (str_has(run->words[i].text, '%'))
            run->words[i] = (struct shell_word){.text = WORD_UNKNOWN_STR};
    run->words[run->count] = (struct shell_word){.text = WORD_UNKNOWN_STR, .may_split = true};
    evasion_command(e, run->words, run->count + 1);
}

static void look_from(struct evasion *e, struct str text, size_t at)
{
    struct str name, tail;
    struct text_run run;

    if (at >= text.len || !rulebook_may_name(e->f->book, text.s[at]))
        return; /* the name, and what comes before its dash, begin with this byte */
    name = first_word(text, at);
    if (!name.len)
        return;
    if (!rulebook_on_program(e->f->arena, e->f->book, name).count &&
        !(str_cut(name, '-', &name, &tail) && name.len &&
          rulebook_on_program(e->f->arena, e->f->book, name).count)) /* git-push */
        return;
    read_run(text, at, &run);
    evasion_command(e, run.words, run.count);
    if (run.quoted && run.quoted < run.count)
        evasion_command(e, run.words, run.quoted);
    if (is_assigned(text, at) && ends_line(text, &run))
        look_at_prefix(e, &run);
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.len && (text.s[at] == ' ' || text.s[at] == '\t'))
        at++;
    return at;
}

/* "to" + "uch", "to"."uch" and awk's "to" "uch" are one word; returns the second quote, or `at`. */
static size_t join_after(struct str text, size_t at)
{
    size_t next = skip_blanks(text, at + 1);

    if (next < text.len && (text.s[next] == '+' || text.s[next] == '.'))
        next = skip_blanks(text, next + 1);
    return next > at + 1 && next < text.len && is_quote(text.s[next]) ? next : at;
}

/* 'to'uch and t\ouch: what a shell makes of it, when the text is given to one. */
static struct str without_quotes(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < text.len; i++) {
        if (is_quote(text.s[i]))
            i = join_after(text, i);
        else if (text.s[i] != '\\')
            buf_byte(&b, text.s[i]);
    }
    return buf_str(&b);
}

static void search(struct evasion *e, struct str text)
{
    size_t starts = 0;
    bool begins = true;

    for (size_t at = 0; at < text.len; at++) {
        char c = text.s[at];
        if (is_byte(c, TEXT_END | TEXT_GAP | TEXT_JOINT)) {
            begins = true;
            continue;
        }
        if (!begins)
            continue;
        begins = false;
        if (++starts > STARTS_MAX) {
            evasion_doubt(e, evasion_first(e), "a text is too long to search");
            return;
        }
        look_from(e, text, at);
        size_t after = after_address(text, at);
        if (after < text.len && text.s[after] == 'e')
            look_from(e, text, after + 1);
    }
}

/* Can a command begin in the text that a rule may name? If not, search() and evasion_command() find
 * nothing: a name begins where a text or a word does, or behind a joint, the last one in a path
 * included. Quotes may be taken away from inside a name, and sed's `e` may have a line in front. */
static bool may_hold_command(const struct evasion *e, struct str text)
{
    bool begins = true;

    if (text.len > STARTS_MAX)
        return true;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (is_byte(c, TEXT_QUOTE | TEXT_LINE) && (begins || is_byte(c, TEXT_QUOTE)))
            return true;
        if (begins && rulebook_may_name(e->f->book, c))
            return true;
        begins = is_byte(c, TEXT_END | TEXT_GAP | TEXT_JOINT);
    }
    return false;
}

void evasion_prefix(struct evasion *e, struct str text)
{
    struct text_run run;

    if (!may_hold_command(e, text))
        return;
    read_run(text, 0, &run);
    if (run.count && ends_line(text, &run))
        look_at_prefix(e, &run);
}

static bool has_quotes(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_byte(text.s[i], TEXT_QUOTE))
            return true;
    return false;
}

void evasion_text(struct evasion *e, struct str text)
{
    if (!may_hold_command(e, text))
        return;
    bool quoted = has_quotes(text);
    search(e, quoted ? evasion_unescape(e->f->arena, text) : text);
    if (quoted)
        search(e, without_quotes(e->f->arena, text));
}

/* The words from here on as a text for a shell; what is not known is some variable there. */
static struct str as_text(struct arena *a, const struct shell_words *words, size_t first,
                          const struct str *input)
{
    struct buf b = buf_in(a);

    for (size_t i = first; i < words->count; i++) {
        const struct shell_word *w = &words->items[i];
        if (i > first)
            buf_byte(&b, ' ');
        if (w->known)
            buf_quoted(&b, w->text);
        else
            buf_text(&b, w->may_split ? "$_" : "\"$_\"");
    }
    if (input) {
        buf_text(&b, " <<< ");
        buf_quoted(&b, *input);
    }
    return buf_str(&b);
}

bool evasion_runs_others(struct str name)
{
    const struct program_row *row = program_by_any_name(path_base(name));

    return row && !row->only_shells &&
           ((row->effects & (EFFECT_CODE | EFFECT_EDITOR)) || program_runs_operands(row));
}

void evasion_words(struct evasion *e, const struct shell_words *words, const struct str *input)
{
    for (size_t i = 1; i < words->count; i++) {
        if (may_hold_command(e, words->items[i].text)) {
            evasion_command(e, words->items + i, words->count - i);
            evasion_text(e, words->items[i].text);
            if (i > 1 && str_starts(words->items[i - 1].text, STR("-")))
                evasion_prefix(e, words->items[i].text);
        }
        if (words->items[i].known && evasion_runs_others(words->items[i].text))
            evasion_shell(e, as_text(e->f->arena, words, i, input), true);
    }
}
