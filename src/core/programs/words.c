/* words.c - reads the options of a command as its program would.
 *
 * The attacker writes these words. Each way of spelling an option that the
 * program takes must be taken here, and what the row does not explain must end
 * in doubt(): a value mistaken for an option, or the other way round, shifts the
 * meaning of every word after it. */
#include "base/ascii.h"
#include "programs/reading.h"

static bool is_glob_byte(char c)
{
    return c == '*' || c == '?' || c == '[';
}

/* A file name that a glob finds may begin with a dash: an attacker could have made a file
 * "--pre=sh" and then write `rg x
 * *`. That matters where an option does more than the operands do. */
bool could_be_option(const struct reading *r, const struct shell_word *w)
{
    if (w->may_dash || (w->may_split && !begins_with_no_dash(w)))
        return true;
    return w->may_glob && !begins_with_no_dash(w) && w->text.len && is_glob_byte(w->text.s[0]) &&
           program_has_risky_options(r->use->row);
}

static void give(struct reading *r, const struct option *o, struct str roles,
                 const struct piece *value)
{
    r->out->effects |= o->effects;
    /* after an operand it may be an operand itself, for a program that stops at the first one
     * (POSIXLY_CORRECT) */
    r->prints |= o->prints && !r->operands.count;
    r->given.items = list_room(r->arena, r->given.items, r->given.count, &r->given.room,
                               sizeof(*r->given.items));
    struct given *g = &r->given.items[r->given.count++];
    r->names |= o->set;
    g->option = *o;
    g->roles = roles;
    g->has_value = value != NULL;
    if (value)
        g->value = *value;
}

/* A glob as a value may become several words, of which only the first would be the value. The
 * others are operands, the first of which may be a command, unless their names are options; no word
 * of an expression (find -name *.c) has a dot in it. */
static bool glob_hides_option(const struct reading *r, struct str glob)
{
    return (in_mode(r, MODE_WRAPS) || program_has_risky_options(r->use->row)) &&
           !(in_mode(r, MODE_EXPRESSION) && str_has(glob, '.'));
}

/* jest -t --outputFile=x: some of the tools that projects use take no value that begins with a
 * dash, and then it is the option that it looks like. */
static bool may_be_option_itself(const struct reading *r, struct str text)
{
    struct str name, value;
    struct option o;

    if (!(r->use->row->effects & EFFECT_PROJECT) || text.len < 2 || text.s[0] != '-')
        return false;
    str_cut(text, '=', &name, &value);
    return option_find(r, name, &o);
}

/* The next word, as a value. False at the end: the program would complain, and so do we. */
static bool next_value(struct reading *r, struct piece *out)
{
    if (r->at + 1 >= r->count) {
        doubt(r, r->at);
        return false;
    }
    const struct shell_word *w = &r->words[++r->at];
    if (w->may_split || (w->may_glob && glob_hides_option(r, w->text)) ||
        may_be_option_itself(r, w->text))
        doubt(r, r->at);
    *out = whole_word(r, r->at);
    out->operand = false;
    return true;
}

static struct piece attached_value(struct reading *r, struct str text)
{
    const struct shell_word *w = &r->words[r->at];

    if (w->may_split)
        doubt(r, r->at);
    return (struct piece){.word = r->at, .text = text, .known = w->known, .may_glob = w->may_glob};
}

/* The words of a command inside (find -exec ... ; or {} +). It may be the last thing (fd -x). */
RARE static void take_command(struct reading *r, const struct option *o)
{
    struct piece first;

    if (!next_value(r, &first))
        return;
    give(r, o, o->roles, &first);
    for (; r->at < r->count; r->at++) {
        const struct shell_word *w = &r->words[r->at];
        if (w->known &&
            (str_is(w->text, ";") || (str_is(w->text, "+") && str_is(w[-1].text, "{}"))))
            return;
        /* could be the end of it, and what follows an option */
        if (w->may_split)
            doubt(r, r->at);
    }
}

/* Gives the option its values: the attached one first, when there is one, then the words that
 * follow. */
static void take(struct reading *r, const struct option *o, const struct str *attached)
{
    struct str rest = o->roles, roles, tail;
    struct piece value;

    if (!o->value || (o->optional && !attached)) {
        if (attached)
            doubt(r, r->at);
        if (str_is(o->roles, "O"))
            r->out->mark = STR("{}");
        give(r, o, (struct str){0}, NULL);
        return;
    }
    if (str_is(o->roles, "I") && !attached) {
        take_command(r, o);
        return;
    }
    do {
        bool more = str_cut(rest, ',', &roles, &tail);
        rest = more ? tail : (struct str){0};
        if (attached)
            value = attached_value(r, *attached);
        else if (!next_value(r, &value))
            return;
        attached = NULL;
        give(r, o, roles, &value);
    } while (rest.len);
}

/* -rf, -ofile, -o file. False: a letter that is not listed. */
static bool read_cluster(struct reading *r, struct str text)
{
    for (size_t i = 1; i < text.len; i++) {
        char name[2] = {'-', text.s[i]};
        struct option o;
        if (!option_find(r, (struct str){name, 2}, &o))
            return false;
        struct str rest = str_from_byte(text, i + 1);
        if (!o.value || !rest.len) {
            take(r, &o, NULL);
            continue;
        }
        /* -o=file is "=file" for getopt and "file" for others */
        if (rest.s[0] == '=' && o.roles.len && !str_is(o.roles, "."))
            doubt(r, r->at);
        take(r, &o, &rest);
        break;
    }
    return true;
}

static bool read_long(struct reading *r, struct str text)
{
    struct str name, value;
    struct option o;
    bool attached = str_cut(text, '=', &name, &value);

    if (!option_find(r, name, &o)) {
        if (!option_abbreviated(r, name, &o))
            return false;
        r->out->shortened = true;
    }
    take(r, &o, attached ? &value : NULL);
    return true;
}

/* -name, -name value, -name=value, -Nvalue; programs that accept two dashes take them for the same.
 */
static bool read_one_dash(struct reading *r, struct str text)
{
    struct str name, value, plain = text;
    struct option o;
    size_t len;

    if (option_find(r, text, &o)) {
        take(r, &o, NULL);
        return true;
    }
    if (str_starts(text, STR("--")))
        plain = str_from_byte(text, 1);
    if (option_find(r, plain, &o)) {
        take(r, &o, NULL);
        return true;
    }
    if (str_cut(plain, '=', &name, &value) &&
        (option_find(r, name, &o) || option_find(r, str_slice(text, 0, name.len + 1), &o)) &&
        o.value) {
        take(r, &o, &value);
        return true;
    }
    if (!option_glued(r, text, &o, &len))
        return false;
    value = str_from_byte(text, len);
    take(r, &o, &value);
    return true;
}

static bool all_digits(const struct shell_word *w, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.s[i]) && !(s.s[i] == WORD_UNKNOWN && (w->shape & SHAPE_DIGITS)))
            return false;
    return s.len > 0;
}

bool read_option(struct reading *r)
{
    const struct shell_word *w = &r->words[r->at];
    struct str text = w->text;

    /* not known, and nothing shows where: a text that the locale may translate */
    if (!w->known && !w->may_glob && !str_has(text, WORD_UNKNOWN))
        return false;
    if (in_mode(r, MODE_NUMBER) && all_digits(w, str_from_byte(text, 1)))
        return true;
    if (in_mode(r, MODE_LONG))
        return read_one_dash(r, text);
    if (str_starts(text, STR("--")))
        return read_long(r, text);
    /* a few programs have words with one dash beside their letters: gh and docker have none, unzip
     * -Z has */
    struct option o;
    if (text.len > 2 && option_find(r, text, &o)) {
        take(r, &o, NULL);
        return true;
    }
    return read_cluster(r, text);
}

/* tar xzf a.tgz: letters without a dash, whose values are the words after them, in order. */
void read_bundle(struct reading *r)
{
    struct str text = r->words[r->at].text;
    size_t word = r->at;

    for (size_t i = 0; i < text.len; i++) {
        char name[2] = {'-', text.s[i]};
        struct option o;
        if (!option_find(r, (struct str){name, 2}, &o)) {
            doubt(r, word);
            return;
        }
        take(r, &o, NULL);
    }
}
