#include "support/program_use.h"

#include <string.h>

/* ---- words as a shell would pass them: quotes, $x for unknown parts, globs ---- */

struct splitter {
    struct arena *a;
    struct use_words words;
    const char *s;
    struct buf text;
    struct shell_word word;
    bool open, glob, unknown;
};

static void add_unknown(struct splitter *p, bool quoted)
{
    if (!p->text.len)
        p->word.may_dash = true;
    p->word.may_split |= !quoted;
    p->glob |= !quoted;
    p->unknown = true;
    p->open = true;
    buf_byte(&p->text, WORD_UNKNOWN);
    while ((*p->s >= 'a' && *p->s <= 'z') || *p->s == '_')
        p->s++;
}

static void read_ansi(struct splitter *p)
{
    for (; *p->s && *p->s != '\''; p->s++) {
        if (*p->s == '\\' && p->s[1]) {
            p->s++;
            buf_byte(&p->text, *p->s == 'n' ? '\n' : *p->s == 't' ? '\t' : *p->s);
        } else {
            buf_byte(&p->text, *p->s);
        }
    }
    p->s += *p->s == '\'';
}

static void read_quoted(struct splitter *p, char quote)
{
    p->open = true;
    while (*p->s && *p->s != quote) {
        char c = *p->s++;
        if (quote == '"' && c == '\\' && *p->s && strchr("\"\\$", *p->s))
            c = *p->s++;
        else if (quote == '"' && c == '$') {
            add_unknown(p, true);
            continue;
        }
        buf_byte(&p->text, c);
    }
    p->s += *p->s == quote;
}

static void finish_word(struct splitter *p)
{
    if (p->open) {
        p->word.text = buf_str(&p->text);
        p->word.may_glob = p->glob;
        p->word.known = !p->glob && !p->unknown;
        LIST_PUSH(p->a, &p->words, p->word);
    }
    *p = (struct splitter){.a = p->a, .words = p->words, .s = p->s, .text = buf_in(p->a)};
}

struct use_words use_words(struct arena *a, const char *command)
{
    struct splitter p = {.a = a, .s = command, .text = buf_in(a)};

    while (*p.s) {
        char c = *p.s++;
        if (c == ' ') {
            finish_word(&p);
            continue;
        }
        p.open = true;
        if (c == '\'' || c == '"') {
            read_quoted(&p, c);
        } else if (c == '$' && *p.s == '\'') {
            p.s++;
            read_ansi(&p);
        } else if (c == '$') {
            add_unknown(&p, false);
        } else if (c == '\\' && *p.s) {
            buf_byte(&p.text, *p.s++);
        } else {
            p.glob |= strchr("*?[", c) && !(c == '[' && (*p.s == ' ' || !*p.s));
            buf_byte(&p.text, c);
        }
    }
    finish_word(&p);
    return p.words;
}

/* ---- a use as text ---- */

static void print_text(struct buf *b, struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        buf_byte(b, text.s[i] == WORD_UNKNOWN ? '$' : text.s[i]);
}

static void print_path(struct buf *b, const struct program_path *p)
{
    static const char *const upper = "RWDF", *const lower = "rwdf";

    for (unsigned i = 0; i < 4; i++)
        if (p->access & 1U << i)
            buf_byte(b, p->names ? (p->recursive ? 'b' : 'B') : p->recursive ? lower[i] : upper[i]);
    buf_text(b, p->known ? ":" : "?:");
    print_text(b, p->text);
}

static void print_effects(struct buf *b, unsigned effects)
{
    for (unsigned bit = 1; bit <= effects; bit <<= 1)
        if (effects & bit)
            buf_format(b, "%s ", program_effect_name(bit));
}

struct str use_text(struct arena *a, const struct program_use *use)
{
    struct buf b = buf_in(a);

    buf_text(&b, use->row ? "" : "? ");
    print_effects(&b, use->effects);
    buf_text(&b, "|");
    for (size_t i = 0; i < use->paths.count; i++) {
        buf_byte(&b, ' ');
        print_path(&b, &use->paths.items[i]);
    }
    for (size_t i = 0; i < use->hosts.count; i++) {
        buf_text(&b, " N:");
        print_text(&b, use->hosts.items[i]);
    }
    if (use->directory.len)
        buf_format(&b, " P:%.*s", STR_ARG(use->directory));
    return buf_str(&b);
}

/* A text as one word of a line whose separators are blanks and bars. */
static void print_word(struct buf *b, const char *kind, struct str text)
{
    buf_format(b, " %s:", kind);
    for (size_t i = 0; i < text.len; i++)
        buf_byte(b, text.s[i] == WORD_UNKNOWN      ? '$'
                    : strchr(" |+\n\t", text.s[i]) ? '_'
                                                   : text.s[i]);
}

struct str use_facts(struct arena *a, const struct program_use *use)
{
    struct buf b = buf_in(a);
    struct str text = use_text(a, use);

    buf_add(&b, text);
    for (size_t i = 0; i < use->codes.count; i++)
        print_word(&b, "X", use->codes.items[i]);
    for (size_t i = 0; i < use->remotes.count; i++)
        print_word(&b, "M", use->remotes.items[i]);
    if (use->inner_text.s)
        print_word(&b, "S", use->inner_text);
    if (use->mark.s)
        print_word(&b, "O", use->mark);
    return buf_str(&b);
}
