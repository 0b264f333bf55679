/* evasion_text.c - looks for commands in texts of any language.
 *
 * perl, awk, tmux, ed and make each write a command in their own way, but in all of them it begins
 * behind a quote, a bracket, an operator or a blank, and its words stand in a row. */
#include "base/ascii.h"
#include "decide/evasion.h"
#include "rule/command.h"

#define RUN_WORDS_MAX 24   /* of a command in a text that are compared */
#define STARTS_MAX    4096 /* places of one text where a command may begin */

/* Ends a command. */
static bool is_end(char c)
{
    return c == '\0' || strchr("\n;&|(){}[]<>`", c) != NULL;
}

/* Ends a word: exec("git", "push") has two. */
static bool is_gap(char c)
{
    return c != '\0' && strchr(" \t\r\"',\\", c) != NULL;
}

/* Within a word, a command may begin after it: --exec=touch, alias.x=!touch, SYSTEM:touch,
 * /bin/touch. */
static bool is_joint(char c)
{
    return c != '\0' && strchr("=:!@/", c) != NULL;
}

/* Most escapes say the same in all languages: "\n" ends a line, and other backslashes vanish, as do
 * quotes with nothing in them. */
static struct str unescape(struct arena *a, struct str text)
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
    while (at < text.len && run->count < RUN_WORDS_MAX && !is_end(text.s[at])) {
        size_t from = at;
        while (at < text.len && !is_end(text.s[at]) && !is_gap(text.s[at]))
            at++;
        if (at > from)
            run->words[run->count++] =
                (struct shell_word){.text = str_slice(text, from, at), .known = true};
        for (; at < text.len && is_gap(text.s[at]); at++)
            if ((text.s[at] == '"' || text.s[at] == '\'') && !run->quoted)
                run->quoted = run->count;
    }
}

static struct str first_word(struct str text, size_t at)
{
    size_t from = at;

    while (at < text.len && !is_end(text.s[at]) && !is_gap(text.s[at]))
        at++;
    return str_slice(text, from, at);
}

static void look_from(struct evasion *e, struct str text, size_t at)
{
    struct str name = first_word(text, at), tail;
    struct text_run run;

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
        if (is_end(c) || is_gap(c) || is_joint(c)) {
            begins = true;
            continue;
        }
        if (!begins)
            continue;
        begins = false;
        if (++starts > STARTS_MAX) {
            evasion_doubt(e, rulebook_first_on_commands(e->f->book),
                          "a text is too long to search");
            return;
        }
        look_from(e, text, at);
        size_t after = after_address(text, at);
        if (after < text.len && text.s[after] == 'e')
            look_from(e, text, after + 1);
    }
}

void evasion_text(struct evasion *e, struct str text)
{
    search(e, unescape(e->f->arena, text));
    if (str_has(text, '"') || str_has(text, '\'') || str_has(text, '\\'))
        search(e, without_quotes(e->f->arena, text));
}

void evasion_words(struct evasion *e, const struct shell_words *words)
{
    for (size_t i = 1; i < words->count; i++) {
        evasion_command(e, words->items + i, words->count - i);
        evasion_text(e, words->items[i].text);
    }
}
