/* redact_argv.c - which argument of which program is a secret: the walk over one command's words.
 */
#include "base/path.h"
#include "record/redact_parts.h"
#include "record/redact_rows.h"

#define SUB_WORDS_MAX 6 /* a subcommand is near its program */

struct command {
    const struct pieces *words;
    size_t at;       /* the current word */
    size_t program;  /* the last word that is a program of the tables; STR_NONE: none yet */
    struct str name; /* its name without its directory */
    uint64_t rows;   /* the rows that apply to it, one bit each */
};

/* Includes rows that apply to any program. */
static uint64_t rows_of(struct str name)
{
    uint64_t rows = 0;

    for (size_t i = 0; i < redact_argument_count; i++)
        if (!redact_arguments[i].programs ||
            str_has_word(str_from(redact_arguments[i].programs), name))
            rows |= UINT64_C(1) << i;
    return rows;
}

static struct str text_of(const struct command *c, size_t i)
{
    return i < c->words->count ? c->words->items[i].text : (struct str){0};
}

static bool is_flag(struct str word)
{
    return word.len > 1 && word.s[0] == '-';
}

static void mark_value(const struct piece *p, size_t from, enum how how)
{
    struct piece value = piece_slice(p, from, p->text.len);
    struct str v = value.text;

    if (how == HEADER) {
        redact_header(&value);
        return;
    }
    if (how == PREFIXED && !str_starts(v, STR("pass:")))
        return;
    if (redact_value_is_plain(v, false))
        return;
    size_t begin = how == PREFIXED ? 5 : 0;
    for (size_t i = 0; how == PASSWORD && i < v.len && !begin; i++)
        if (strchr(":%,", v.s[i]))
            begin = i + 1;
    if (how != PASSWORD || begin)
        piece_mark(&value, begin, v.len);
}

/* --name=value, -nvalue for one letter, or the next word. */
static void mark_option(const struct command *c, struct str option, enum how how)
{
    struct str word = text_of(c, c->at);
    const struct piece *p = &c->words->items[c->at];
    bool letter = (option.len == 2 && how != SEPARATE) || how == JOINED;

    if (str_eq(word, option)) {
        struct str next = text_of(c, c->at + 1);
        if (how != JOINED && next.len && !(is_flag(next) && how == HEADER))
            mark_value(&c->words->items[c->at + 1], 0, how);
    } else if (str_starts(word, option) && word.s[option.len] == '=') {
        mark_value(p, option.len + 1, how);
    } else if (str_starts(word, option) && letter) {
        mark_value(p, option.len, how);
    }
}

/* The subcommand's place between the program and the current word; STR_NONE if it is not there. */
static size_t find_sub(const struct command *c, const char *sub)
{
    for (size_t i = c->program + 1; i <= c->at && i <= c->program + SUB_WORDS_MAX; i++)
        if (str_is(text_of(c, i), sub))
            return i;
    return STR_NONE;
}

/* user/password@database; a path begins with a slash or a dot, and a script with an @. */
static void mark_slashed(const struct piece *p)
{
    struct str word = p->text;
    size_t equals = str_index(word, '='), from = equals == STR_NONE ? 0 : equals + 1;
    size_t slash = from, to = word.len;

    if (from >= word.len || strchr("/.~@", word.s[from]))
        return;
    while (slash < word.len && word.s[slash] != '/')
        slash++;
    while (to > slash && word.s[to - 1] != '@')
        to--;
    if (slash + 1 < word.len)
        piece_mark(p, slash + 1, to > slash + 1 ? to - 1 : word.len);
}

static void mark_operand(const struct command *c, const struct argument *row)
{
    size_t sub = row->sub ? find_sub(c, row->sub) : c->program;

    if (row->how == SLASHED && c->at > c->program && !is_flag(text_of(c, c->at))) {
        mark_slashed(&c->words->items[c->at]);
        return;
    }
    if (sub == STR_NONE || sub == c->at || is_flag(text_of(c, c->at)))
        return;
    if (row->how == FIRST_WORD ? c->at == sub + 1
                               : c->at + 1 == c->words->count && c->at > sub + (row->sub ? 0 : 1))
        mark_value(&c->words->items[c->at], 0, WHOLE);
}

static void by_program(const struct command *c)
{
    for (size_t i = 0; i < redact_argument_count; i++) {
        const struct argument *row = &redact_arguments[i];
        if (!(c->rows >> i & 1))
            continue;
        if (!row->options) {
            mark_operand(c, row);
            continue;
        }
        if (row->sub && find_sub(c, row->sub) == STR_NONE)
            continue;
        struct str rest = str_from(row->options), option;
        for (bool more = true; more;) {
            more = str_cut(rest, ' ', &option, &rest);
            mark_option(c, option, row->how);
        }
    }
}

/* --db-password X, --token=X, -Dkey.password=X: by the name alone, for any program. */
static void by_flag_name(const struct command *c)
{
    struct str word = text_of(c, c->at), name, value;
    const struct piece *p = &c->words->items[c->at];

    if (!is_flag(word))
        return;
    bool joined = str_cut(word, '=', &name, &value);
    if (name.len < 4 || !redact_key_is_secret(name))
        return;
    struct str next = text_of(c, c->at + 1);
    if (joined)
        mark_value(p, name.len + 1, WHOLE);
    else if (next.len && !is_flag(next))
        mark_value(&c->words->items[c->at + 1], 0, WHOLE);
}

/* NAME=value as one word: all of the rest is the value, whatever its bytes. A word that the shell
 * does not take for an assignment may be a form (a=1&b=2), a list (a=1,b=2) or a text;
 * redact_scan() has handled these. */
static void by_assignment(const struct command *c)
{
    const struct piece *p = &c->words->items[c->at];
    struct str name, value;

    if (is_flag(p->text) || !str_cut(p->text, '=', &name, &value) || !redact_key_is_secret(name))
        return;
    for (size_t i = 0; i < name.len; i++)
        if (!redact_in_charset(CHARS_DOTTED, name.s[i]))
            return;
    if (!p->assignment &&
        (str_has(value, '&') || str_has(value, ',') || str_has(value, ' ') || str_has(value, '\n')))
        return;
    /* Inside a quoted word this may be program text: connect(password=self.password) */
    if (!redact_value_is_plain(value, p->redactor->depth > 1))
        piece_mark(p, name.len + 1, p->text.len);
}

static void by_setting(const struct command *c)
{
    struct str word = text_of(c, c->at);

    if (c->program == STR_NONE || c->at < c->program + 2 ||
        !str_has_word(str_from(redact_setters), c->name) || is_flag(word))
        return;
    if (!redact_key_is_secret(
            str_slice(word, word.len > REDACT_KEY_MAX ? word.len - REDACT_KEY_MAX : 0, word.len)) ||
        is_flag(text_of(c, c->at + 1)))
        return;
    for (size_t i = c->program + 1; i < c->at && i <= c->program + SUB_WORDS_MAX; i++)
        if (str_has_word(str_from(redact_setting_words), text_of(c, i)) &&
            c->at + 1 < c->words->count) {
            mark_value(&c->words->items[c->at + 1], 0, WHOLE);
            return;
        }
}

static unsigned roles_of(struct str name)
{
    uint32_t hash = REDACT_HASH;

    for (size_t i = 0; i < name.len; i++)
        hash = redact_hash(hash, name.s[i]);
    return redact_roles(hash);
}

static void note_program(struct command *c)
{
    struct str name = path_base(text_of(c, c->at));
    unsigned roles = roles_of(name);

    if (!(roles & (ROLE_ALONE | ROLE_WITH | ROLE_SETTER)) ||
        (c->program != STR_NONE && c->at == c->program + 1))
        return;
    uint64_t any = rows_of((struct str){0}),
             rows = roles & (ROLE_ALONE | ROLE_WITH) ? rows_of(name) : any;
    if (rows == any && !str_has_word(str_from(redact_setters), name))
        return;
    c->program = c->at;
    c->name = name;
    c->rows = rows;
}

/* echo SECRET | program --password-stdin */
static void mark_printed(const struct pieces *words)
{
    struct str name = words->count ? path_base(words->items[0].text) : (struct str){0};

    if (!str_is(name, "echo") && !str_is(name, "printf"))
        return;
    for (size_t i = 1; i < words->count; i++)
        if (!is_flag(words->items[i].text) && !str_has(words->items[i].text, '%'))
            piece_mark(&words->items[i], 0, words->items[i].text.len);
}

void redact_argv(const struct pieces *words, bool fed)
{
    struct command c = {.words = words, .program = STR_NONE, .rows = rows_of((struct str){0})};

    if (fed)
        mark_printed(words);
    for (c.at = 0; c.at < words->count; c.at++) {
        by_assignment(&c);
        by_flag_name(&c);
        by_program(&c);
        by_setting(&c);
        note_program(&c);
    }
}

bool redact_reads_secret(const struct pieces *words)
{
    for (size_t r = 0; r < redact_reader_count; r++) {
        const struct secret_reader *reader = &redact_readers[r];
        bool program = !reader->program, word = !reader->word;
        for (size_t i = 0; i < words->count; i++) {
            program |= reader->program && str_is(path_base(words->items[i].text), reader->program);
            word |= reader->word && str_is(words->items[i].text, reader->word);
        }
        if (program && word)
            return true;
    }
    return false;
}
