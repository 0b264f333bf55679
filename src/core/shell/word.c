/* word.c - one word, one function per quoting mode. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "shell/parse.h"

/* Most words have no other. */
static inline struct part *add_first(struct parser *p, struct word *w, enum part_kind kind,
                                     size_t at)
{
    struct part *part = ARENA_NEW(p->arena, struct part);

    parse_count_node(p);
    part->kind = kind;
    part->at = lex_place(p, at);
    w->parts.items = part;
    w->parts.room = w->parts.count = 1;
    return part;
}

struct part *word_add(struct parser *p, struct word *w, enum part_kind kind, size_t at)
{
    if (!w->parts.count)
        return add_first(p, w, kind, at);
    parse_count_node(p);
    LIST_PUSH(p->arena, &w->parts, (struct part){.kind = kind, .at = lex_place(p, at)});
    return &w->parts.items[w->parts.count - 1];
}

/* Text that follows the last part in the source makes that part longer; other text becomes a part
 * of its own. */
void word_add_text(struct parser *p, struct word *w, struct str text, bool quoted)
{
    struct part *last = w->parts.count > w->value_from ? &w->parts.items[w->parts.count - 1] : NULL;

    if (last && last->kind == PART_TEXT && last->quoted == quoted && last->text.len && text.len &&
        last->text.s + last->text.len == text.s) {
        last->text.len += text.len;
        return;
    }
    struct part *t = word_add(p, w, PART_TEXT, p->pos);
    t->text = text;
    t->quoted = quoted;
}

static bool is_fixed(const struct part *part, bool quoted_too)
{
    return part->kind == PART_TEXT && !part->translated && (!part->quoted || quoted_too);
}

static bool join_texts(struct arena *a, const struct word *w, bool quoted_too, struct str *out)
{
    *out = (struct str){0};
    for (size_t i = 0; i < w->parts.count; i++)
        if (!is_fixed(&w->parts.items[i], quoted_too))
            return false;
    if (w->array)
        return false;
    if (w->parts.count == 1) {
        *out = w->parts.items[0].text;
        return true;
    }
    struct buf b = buf_in(a);
    for (size_t i = 0; i < w->parts.count; i++)
        buf_add(&b, w->parts.items[i].text);
    *out = buf_str(&b);
    return true;
}

bool word_plain(struct arena *a, const struct word *w, struct str *out)
{
    if (w->parts.count == 1 && !w->array && is_fixed(&w->parts.items[0], false)) {
        *out = w->parts.items[0].text;
        return true;
    }
    return w->parts.count > 0 && join_texts(a, w, false, out);
}

bool word_join(struct arena *a, const struct word *w, struct str *out)
{
    return join_texts(a, w, true, out);
}

static struct str here(const struct parser *p, size_t len)
{
    return str_slice(p->text, p->pos, p->pos + len);
}

/* Nothing is special but the closing quote; not even a continuation. */
void word_single(struct parser *p, struct word *w)
{
    size_t start = ++p->pos;
    const char *end = lex_raw(p) < 0 ? NULL : memchr(p->text.s + start, '\'', p->text.len - start);

    if (!end) {
        parse_refuse_at(p, start - 1, "a single quote is not closed");
        return;
    }
    size_t len = (size_t)(end - (p->text.s + start));
    word_add_text(p, w, here(p, len), true);
    if (!parse_refused(p))
        p->pos = start + len + 1;
}

void word_plain_single(struct parser *p, struct word *w, bool keep, const char *why)
{
    size_t start = p->pos++;

    for (int c; (c = lex_raw(p)) != '\''; p->pos++)
        if (c < 0 || strchr("$`\\\"{}[]()\n", c)) {
            parse_refuse_at(p, start, why);
            return;
        }
    p->pos++;
    word_add_text(p, w, str_slice(p->text, start + !keep, p->pos - !keep), true);
}

/* Backslash in double quotes: special before $ ` " \ and newline (which lex_look() has removed). */
static void double_escape(struct parser *p, struct word *w)
{
    size_t slash = p->pos++;
    int c = lex_raw(p);

    if (c < 0) {
        parse_refuse_at(p, slash, "a backslash at the end of the text");
        return;
    }
    if (c == '$' || c == '`' || c == '"' || c == '\\')
        word_add_text(p, w, here(p, 1), true);
    else
        word_add_text(p, w, str_slice(p->text, slash, slash + 2), true);
    p->pos++;
}

static inline bool stops(char c, int kind)
{
    return byte_stops[(unsigned char)c] & kind;
}

/* Most runs are short, and there are many: the end of the text is checked every four bytes only. */
static inline size_t run_end(struct str text, size_t from, int kind)
{
    const char *s = text.s;
    size_t at = from;

    for (; at + 4 <= text.len; at += 4) {
        if (stops(s[at], kind))
            return at;
        if (stops(s[at + 1], kind))
            return at + 1;
        if (stops(s[at + 2], kind))
            return at + 2;
        if (stops(s[at + 3], kind))
            return at + 3;
    }
    while (at < text.len && !stops(s[at], kind))
        at++;
    return at;
}

/* The byte at hand is taken in any case. */
__attribute__((noinline)) static size_t run_length(struct str text, size_t from, int kind)
{
    return run_end(text, from + 1, kind) - from;
}

void word_double(struct parser *p, struct word *w, bool translated)
{
    size_t start = p->pos++, first = w->parts.count;

    for (int c; (c = lex_look(p)) != '"';) {
        if (c < 0) {
            parse_refuse_at(p, start, "a double quote is not closed");
            return;
        }
        if (c == '\\') {
            double_escape(p, w);
        } else if (c == '$') {
            word_dollar(p, w, true);
        } else if (c == '`') {
            word_backtick(p, w, true);
        } else {
            size_t n = run_length(p->text, p->pos, STOPS_DOUBLE);
            word_add_text(p, w, here(p, n), true);
            p->pos += n;
        }
    }
    if (w->parts.count == first)
        word_add_text(p, w, (struct str){"", 0}, true); /* "" alone is a word, too */
    p->pos++;
    for (size_t i = first; translated && i < w->parts.count; i++)
        w->parts.items[i].translated = true;
}

static int hex_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* $'...' while it is read. */
struct ansi {
    struct buf text;
    bool ended; /* by a NUL: the rest is read and dropped */
    bool odd;   /* a byte in it means something to bash itself, or to us */
};

/* NUL ends the string. The bytes 1 and 127 are used by bash internally, and the first is
 * WORD_UNKNOWN in our words. */
static void ansi_byte(struct ansi *a, int value)
{
    a->odd |= value <= 1 || value == 0x7f;
    a->ended |= value == 0;
    if (!a->ended)
        buf_byte(&a->text, (char)value);
}

/* \xHH (two digits), \uHHHH, \UHHHHHHHH. Without a digit it is what it looks like. */
static void ansi_hex(struct parser *p, struct ansi *a, int letter)
{
    int most = letter == 'x' ? 2 : letter == 'u' ? 4 : 8, digits = 0;
    unsigned long value = 0;

    for (int h; digits < most && (h = hex_value(lex_raw(p))) >= 0; digits++, p->pos++)
        value = value << 4 | (unsigned long)h;
    if (!digits) {
        if (lex_raw(p) == '{')
            parse_refuse(p, "an escape in $'...' that is not read here");
        ansi_byte(a, '\\');
        ansi_byte(a, letter);
    } else if (letter == 'x' || value < 0x80) {
        ansi_byte(a, (int)value);
    } else if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
        parse_refuse(p, "an escape in $'...' that is not a character");
    } else if (!a->ended) {
        utf8_put(&a->text, (uint32_t)value);
    }
}

static void ansi_octal(struct parser *p, struct ansi *a)
{
    int value = 0;

    for (int i = 0; i < 3 && lex_raw(p) >= '0' && lex_raw(p) <= '7'; i++, p->pos++)
        value = value * 8 + (lex_raw(p) - '0');
    value &= 0xff;
    if (value == 0 && lex_raw(p) == '\'')
        return; /* a NUL ends the string, so right before the quote it is nothing: read -d $'\0' */
    ansi_byte(a, value);
}

/* \cX. A backslash after it takes the byte behind it along. */
static void ansi_control(struct parser *p, struct ansi *a)
{
    int c = lex_raw(p);

    a->odd = true;
    if (c < 0 || c == '\'') {
        parse_refuse(p, "an escape in $'...' that is not read here");
        return;
    }
    p->pos++;
    ansi_byte(a, c == '?' ? 0x7f : c & 0x1f); /* also for small letters */
    if (c != '\\')
        return;
    if (lex_raw(p) >= 0 && lex_raw(p) != '\\')
        ansi_byte(a, lex_raw(p));
    p->pos += lex_raw(p) >= 0;
}

static void ansi_escape(struct parser *p, struct ansi *a)
{
    static const char letters[] = "abeEfnrtv\\'\"?";
    static const char bytes[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
    int c = lex_raw(p);
    const char *letter = c > 0 ? strchr(letters, c) : NULL;

    p->pos += c >= 0 && !(c >= '0' && c <= '7');
    if (letter) {
        ansi_byte(a, bytes[letter - letters]);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        ansi_hex(p, a, c);
    } else if (c >= '0' && c <= '7') {
        ansi_octal(p, a);
    } else if (c == 'c') {
        ansi_control(p, a);
    } else if (c >= 0) {
        ansi_byte(a, '\\');
        ansi_byte(a, c);
    }
}

/* $'...': at the opening quote. Continuations are not removed in it. */
void word_ansi(struct parser *p, struct word *w)
{
    size_t start = p->pos++;
    struct ansi a = {.text = buf_in(p->arena)};

    parse_bash_only(p);
    for (int c; (c = lex_raw(p)) != '\'';) {
        if (c < 0) {
            parse_refuse_at(p, start, "a $' quote is not closed");
            return;
        }
        p->pos++;
        if (c == '\\')
            ansi_escape(p, &a);
        else if (!a.ended)
            buf_byte(&a.text, (char)c);
    }
    word_add_text(p, w, buf_str(&a.text), true);
    w->parts.items[w->parts.count - 1].translated |= a.odd;
    p->pos++;
}

/* At the very end of a text a backslash stands for itself after -c, and for nothing in a file. */
static void last_backslash(struct parser *p, struct word *w)
{
    word_add_text(p, w, STR("\\"), true);
    w->parts.items[w->parts.count - 1].translated = true;
}

static void escape(struct parser *p, struct word *w)
{
    p->pos++;
    if (lex_raw(p) < 0) {
        last_backslash(p, w);
        return;
    }
    word_add_text(p, w, here(p, 1), true);
    w->parts.items[w->parts.count - 1].escaped = true;
    p->pos++;
}

bool name_is_identifier(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_name((unsigned char)s.s[i]))
            return false;
    return s.len && ascii_is_name_start((unsigned char)s.s[0]);
}

/* Past a continuation of the line. */
static size_t skip_continuations(struct str text, size_t at)
{
    while (at + 1 < text.len && text.s[at] == '\\' && text.s[at + 1] == '\n')
        at += 2;
    return at;
}

static void plain_run(struct parser *p, struct word *w, int c);

static const char subscript_not_read[] = "a subscript that is not read here";

/* After the closing bracket: is something assigned? */
static bool assigns_after(const struct parser *p, size_t at)
{
    size_t next = skip_continuations(p->text, at);
    bool plus = str_starts(str_from_byte(p->text, next), STR("+"));
    size_t sign = plus ? skip_continuations(p->text, next + 1) : next;

    return str_starts(str_from_byte(p->text, sign), STR("="));
}

/* A subscript that is the same when it is read as any other part of a word: no byte in it ends a
 * word, is quoted, or begins something that could hold a bracket. Returns where it ends, 0: it is
 * not that simple. */
static size_t plain_subscript(const struct parser *p)
{
    int open = 0;

    for (size_t i = p->pos; (i = skip_continuations(p->text, i)) < p->text.len; i++) {
        char c = p->text.s[i];
        open += (c == '[') - (c == ']');
        if (!open)
            return i + 1;
        size_t next = skip_continuations(p->text, i + 1);
        bool nested = c == '$' && next < p->text.len && strchr("{([\"'", p->text.s[next]);
        if (nested || strchr(" \t\n|&;<>()\\'`\"", c))
            return 0;
    }
    return 0;
}

/* One piece between the brackets. `split`: blanks and operators end the word, as they do after
 * declare, and so they are not taken. */
static void subscript_piece(struct parser *p, struct word *w, int c, bool split)
{
    bool quotation = c == '$' && (lex_follows(p, '\'') || lex_follows(p, '"'));
    bool process = (c == '<' || c == '>') && lex_follows(p, '(');

    if (c < 0 || c == '\n' || c == '\\' || quotation || process || (split && byte_is_meta(c))) {
        parse_refuse(p, subscript_not_read);
    } else if (c == '"') {
        word_double(p, w, false);
    } else if (c == '\'') {
        word_plain_single(p, w, false, subscript_not_read);
    } else if (c == '$') {
        word_dollar(p, w, !split);
    } else if (c == '`') {
        word_backtick(p, w, !split);
    } else {
        word_add_text(p, w, here(p, 1), false);
        p->pos++;
    }
}

/* To the matching bracket, whatever is between, and then something must be assigned: otherwise the
 * word is a pattern, in which quotes and blanks mean something else. */
static void quoted_subscript(struct parser *p, struct word *w)
{
    size_t start = p->pos;
    int open = 0;

    do {
        int c = lex_look(p);
        open += (c == '[') - (c == ']');
        subscript_piece(p, w, c, p->declaring && !p->in_array);
    } while (open && !parse_refused(p));
    if (!assigns_after(p, p->pos))
        parse_refuse_at(p, start, subscript_not_read);
    w->subscript = true;
}

/* name[ where an assignment is possible, and [ at the start of an element of an array. */
RARE static void read_subscript(struct parser *p, struct word *w)
{
    struct str name = {0};
    bool named = p->assign_ok && word_plain(p->arena, w, &name) && name_is_identifier(name);
    bool element = p->in_array && !w->parts.count;
    size_t end = named || element ? plain_subscript(p) : 0;
    bool quoted = !end && (element || (named && !p->in_array));

    if (end)
        w->subscript = assigns_after(p, end);
    if (quoted)
        quoted_subscript(p, w);
    else
        plain_run(p, w, '[');
    if (end || quoted)
        w->name = w->subscript && name.len ? name : (struct str){0};
}

/* A name that continuations cut into more pieces would be put together again at every = sign. */
#define NAME_PARTS_MAX 32

/* ] or ]+; if the line goes on in front of the plus, that is a part of its own. */
static bool ends_subscript(const struct word *w, bool *append)
{
    const struct part *last = &w->parts.items[w->parts.count - 1];

    *append = last->kind == PART_TEXT && str_ends(last->text, STR("+"));
    if (*append && last->text.len == 1 && w->parts.count > 1)
        return last[-1].kind == PART_TEXT && str_ends(last[-1].text, STR("]"));
    return last->kind == PART_TEXT &&
           (str_ends(last->text, STR("]")) || str_ends(last->text, STR("]+")));
}

/* At an unquoted = or +=: the word is an assignment if there is only a name before it. */
static void mark_assignment(struct parser *p, struct word *w)
{
    struct str name = {0};
    bool append = false;

    if (w->value_from || !w->parts.count || w->parts.items[0].quoted ||
        w->parts.items[0].kind != PART_TEXT)
        return;
    if (!ascii_is_name_start((unsigned char)w->parts.items[0].text.s[0]))
        return;
    if (w->parts.count > NAME_PARTS_MAX) {
        parse_refuse(p, "a name in too many pieces");
        return;
    }
    if (w->subscript && w->name.len) {
        if (!ends_subscript(w, &append))
            return;
    } else {
        if (!word_plain(p->arena, w, &name))
            return;
        append = str_ends(name, STR("+"));
        name.len -= append;
        if (!name_is_identifier(name))
            return;
        w->name = name;
    }
    w->append = append;
    if (append || w->subscript)
        parse_bash_only(p);
    word_add_text(p, w, here(p, 1), false);
    p->pos++;
    w->value_from = w->parts.count;
}

static void read_elements(struct parser *p, struct word *w)
{
    lex_skip_newlines(p);
    while (p->tok.kind == TOK_WORD) {
        LIST_PUSH(p->arena, &w->elements, p->tok.word);
        lex_next(p);
        lex_skip_newlines(p);
    }
    if (p->tok.kind != TOK_CLOSE)
        parse_refuse_at(p, p->tok.at, "an array that is not closed");
}

/* name=( ... ): at the parenthesis. */
RARE static void read_array(struct parser *p, struct word *w)
{
    struct token outer = p->tok;
    bool outer_docs = p->outer_docs, declaring = p->declaring;

    p->pos++;
    parse_bash_only(p);
    w->array = true;
    p->outer_docs |= p->pending.count > 0;
    p->in_array = true;
    if (parse_enter(p)) {
        lex_next(p);
        read_elements(p, w);
    }
    parse_leave(p);
    p->in_array = false;
    p->outer_docs = outer_docs;
    p->declaring = declaring;
    p->assign_ok = true;
    p->tok = outer;
    if (!byte_is_meta(lex_look(p)))
        parse_refuse(p, "text right after an array");
}

static void assignment_sign(struct parser *p, struct word *w)
{
    size_t before = p->pos;

    mark_assignment(p, w);
    if (p->pos == before) {
        word_add_text(p, w, here(p, 1), false);
        p->pos++;
    } else if (lex_look(p) == '(' && p->assign_ok && !p->in_array) {
        read_array(p, w);
    }
}

static void piece(struct parser *p, struct word *w, int c);

/* bash counts parentheses here, and knows quotes but nothing else. An expansion must be the same to
 * such a reader: it has no parentheses but its own, or nothing that could hide one. */
static bool is_countable(struct str text)
{
    size_t opened = 0, closed = 0;
    bool quotes = false, comment = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        opened += c == '(';
        closed += c == ')';
        quotes |= c == '\'' || c == '"' || c == '\\';
        comment |= c == '#';
        if (closed > opened || c == '`' || (c == '<' && i && text.s[i - 1] == '<'))
            return false;
    }
    return opened == closed && (!opened || (!comment && (!quotes || opened == 1)));
}

/* At a dollar in a pattern. */
static void pattern_expansion(struct parser *p, struct word *w)
{
    size_t start = p->pos;
    bool nested = lex_follows(p, '(') || lex_follows(p, '{') || lex_follows(p, '[');

    word_dollar(p, w, false);
    if (nested && !is_countable(str_slice(p->text, start, p->pos)))
        parse_refuse_at(p, start, "an expansion in a pattern whose end bash may see elsewhere");
}

/* ( to the matching ): inside, whatever is not a quotation or an expansion is text, blanks too. */
static void read_parens(struct parser *p, struct word *w)
{
    size_t start = p->pos;
    int open = 0;

    parse_bash_only(p);
    do {
        int c = lex_look(p);
        if (c < 0 || c == '\n') {
            parse_refuse_at(p, start, "a parenthesis in a pattern is not closed");
            return;
        }
        open += (c == '(') - (c == ')');
        if (byte_is_meta(c)) {
            if ((c == '<' || c == '>') && lex_follows(p, '('))
                parse_refuse(p, "a process substitution in a pattern");
            word_add_text(p, w, here(p, 1), false);
            p->pos++;
        } else if (c == '$') {
            pattern_expansion(p, w);
        } else {
            piece(p, w, c);
        }
    } while (open && !parse_refused(p));
}

static bool begins_pattern_list(struct parser *p, int c)
{
    if (c != '?' && c != '*' && c != '+' && c != '@' && c != '!')
        return false;
    return (p->mode == WORD_PATTERN || p->tree->extended_glob) && lex_follows(p, '(');
}

static void plain_run(struct parser *p, struct word *w, int c)
{
    if (begins_pattern_list(p, c)) {
        /* Before a command, `!(x)` negates a subshell or is a pattern, depending on a shell option
         * that we may have misread. */
        if (p->mode != WORD_PATTERN && p->assign_ok && !p->in_array)
            parse_refuse(p, "an extended glob in place of a command");
        word_add_text(p, w, here(p, 1), false);
        p->pos++;
        lex_look(p);
        read_parens(p, w);
        return;
    }
    size_t n = run_length(p->text, p->pos, STOPS_PLAIN);
    word_add_text(p, w, here(p, n), false);
    p->pos += n;
}

/* One quotation, expansion or run of plain bytes; c is the byte at hand. */
static void piece(struct parser *p, struct word *w, int c)
{
    switch (c) {
    case '\'':
        word_single(p, w);
        break;
    case '"':
        word_double(p, w, false);
        break;
    case '\\':
        escape(p, w);
        break;
    case '$':
        word_dollar(p, w, false);
        break;
    case '`':
        word_backtick(p, w, false);
        break;
    case '=':
        assignment_sign(p, w);
        break;
    case '[':
        read_subscript(p, w);
        break;
    default:
        plain_run(p, w, c);
        break;
    }
}

static bool is_bare(const struct part *part)
{
    return part->kind == PART_TEXT && !part->quoted;
}

/* Bare text that only continuations cut into pieces is one text again: ~ and / in two parts would
 * be no home. */
static void join_pieces(struct parser *p, struct word *w)
{
    struct part *parts = w->parts.items;
    size_t kept = 0, value_from = w->value_from;

    for (size_t i = 0, end; i < w->parts.count; i = end) {
        struct part part = parts[i];
        for (end = i + 1;
             end < w->parts.count && end != value_from && is_bare(&part) && is_bare(&parts[end]);
             end++)
            ;
        if (end > i + 1) {
            struct buf b = buf_in(p->arena);
            for (size_t n = i; n < end; n++)
                buf_add(&b, parts[n].text);
            part.text = buf_str(&b);
        }
        parts[kept++] = part;
        if (end == value_from)
            w->value_from = kept;
    }
    w->parts.count = kept;
}

static void end_word(struct parser *p, struct word *w, size_t start)
{
    w->at = lex_place(p, start);
    w->len = p->inner ? 0 : p->pos - start;
    w->source = str_slice(p->text, start, p->pos);
}

/* Where the word ends if it is one run of plain bytes, as most are, and the next byte surely ends
 * it; 0: it is not that simple. */
static inline size_t plain_end(struct str text, size_t from, bool *plain)
{
    size_t end = run_end(text, from, STOPS_PLAIN | STOPS_SPECIAL);

    *plain = end == text.len || stops(text.s[end], STOPS_PLAIN);
    if (!*plain)
        end += run_length(text, end, STOPS_PLAIN);
    char next = end < text.len ? text.s[end] : ' ';
    return end > from && (next == ' ' || next == '\n' || next == ';') ? end : 0;
}

static inline void take_plain(struct parser *p, size_t from, size_t end, bool plain, struct word *w)
{
    struct part *part = arena_room(p->arena, 1, sizeof(*part));
    size_t at = lex_place(p, from), len = end - from;

    *part =
        (struct part){.kind = PART_TEXT, .plain = plain, .at = at, .text = {p->text.s + from, len}};
    *w = (struct word){.parts = {part, 1, 1}, .at = at, .len = p->inner ? 0 : len};
    if (parse_count_nodes(p, 2))
        p->pos = end;
}

bool word_read_plain(struct parser *p, struct word *w)
{
    bool plain;
    size_t end = plain_end(p->text, p->pos, &plain);

    if (end)
        take_plain(p, p->pos, end, plain, w);
    return end > 0;
}

void words_read_plain(struct parser *p, struct words *out)
{
    const struct str text = p->text;

    while (!parse_refused(p)) {
        size_t from = p->pos;
        bool plain;
        while (from < text.len && ascii_is_blank(text.s[from]))
            from++;
        p->pos = from;
        size_t end = from == text.len || text.s[from] == '#' ? 0 : plain_end(text, from, &plain);
        if (!end)
            return;
        out->items = list_room(p->arena, out->items, out->count, &out->room, sizeof(*out->items));
        take_plain(p, from, end, plain, &out->items[out->count++]);
    }
}

void word_read(struct parser *p, struct word *w)
{
    size_t start = p->pos;

    parse_count_node(p);
    for (;;) {
        int c = lex_look(p);
        if (c >= 0 && !byte_is_meta(c))
            piece(p, w, c);
        else if ((c == '<' || c == '>') && lex_follows(p, '('))
            word_process(p, w);
        else if (p->mode == WORD_REGEX && c == '(')
            read_parens(p, w);
        else if (p->mode == WORD_REGEX && c == '|') {
            word_add_text(p, w, here(p, 1), false);
            p->pos++;
        } else
            break;
    }
    if (w->parts.count > 1)
        join_pieces(p, w);
    end_word(p, w, start);
}

bool word_read_again(struct arena *a, struct str text, size_t at, struct word *out)
{
    struct tree tree = {.extended_glob = true}; /* an unquoted ( was taken for one before */
    struct parser p = {.arena = a, .text = text, .tree = &tree, .inner = true, .origin = at};

    *out = (struct word){0};
    word_read(&p, out);
    return !tree.why && p.pos == text.len;
}

size_t word_substitution_end(struct arena *a, struct str text, size_t at)
{
    struct tree tree = {0};
    struct parser p = {.arena = a, .text = text, .tree = &tree, .pos = at, .inner = true};
    struct word w = {0};

    if (text.s[at] == '$')
        word_dollar(&p, &w, false);
    else
        word_process(&p, &w);
    return tree.why ? STR_NONE : p.pos;
}
