#include "facts/fetches.h"

#include "base/ascii.h"
#include "base/rare.h"
#include "facts/host.h"

/* The words of a command while they are read. */
struct fetch {
    const struct strs *words;
    size_t at;         /* the next word */
    const char *known; /* the column of the row */
    const struct strs *hosts;
    size_t urls;
    unsigned given; /* of the options that have to be there, which ones are */
};

/* ---- options ---- */

/* One entry of the column: "-m,--max-time=", "-X,--request=GET", "-H,--header=Accept:". */
struct entry {
    struct str names, value; /* the value that is taken; empty: any */
    bool takes_value, needed;
    unsigned bit;
};

static bool next_entry(struct str *rest, unsigned *needed, struct entry *out)
{
    struct str word;

    *rest = str_trim(*rest);
    if (rest->len == 0)
        return false;
    str_cut(*rest, ' ', &word, rest);
    *out = (struct entry){.needed = str_starts(word, STR("+"))};
    if (out->needed) {
        word = str_from_byte(word, 1);
        out->bit = 1u << (*needed)++;
    }
    out->takes_value = str_cut(word, '=', &out->names, &out->value);
    return true;
}

/* "Accept:" is how the value begins, "GET" all of it. */
static bool takes(const struct entry *e, struct str value)
{
    if (e->value.len == 0)
        return true;
    if (e->value.s[e->value.len - 1] != ':')
        return str_eq(e->value, value);
    return str_starts(value, e->value);
}

/* Is the option of this name, with this value (NULL: it has none), one of the column? */
static bool is_listed(struct fetch *x, struct str name, const struct str *value)
{
    struct str rest = str_from(x->known);
    struct entry e;
    unsigned needed = 0;

    while (next_entry(&rest, &needed, &e))
        if (program_option_named(e.names, name) && e.takes_value == (value != NULL) &&
            (!value || takes(&e, *value))) {
            x->given |= e.bit;
            return true;
        }
    return false;
}

static bool takes_value(const struct fetch *x, struct str name)
{
    struct str rest = str_from(x->known);
    struct entry e;
    unsigned needed = 0;

    while (next_entry(&rest, &needed, &e))
        if (program_option_named(e.names, name))
            return e.takes_value;
    return false;
}

static bool next_word(struct fetch *x, struct str *out)
{
    if (x->at >= x->words->count)
        return false;
    *out = x->words->items[x->at++];
    return true;
}

/* --name, --name=value, --name value */
static bool long_option(struct fetch *x, struct str word)
{
    struct str name = word, value;

    if (str_cut(word, '=', &name, &value))
        return is_listed(x, name, &value);
    if (!takes_value(x, word))
        return is_listed(x, word, NULL);
    return next_word(x, &value) && is_listed(x, word, &value);
}

/* -s, -sS, -m5, -m 5, -sm5 */
static bool short_options(struct fetch *x, struct str word)
{
    for (size_t i = 1; i < word.len; i++) {
        const char letter[] = {'-', word.s[i], '\0'};
        struct str name = str_from(letter), value = str_from_byte(word, i + 1);
        if (takes_value(x, name))
            return (value.len || next_word(x, &value)) && is_listed(x, name, &value);
        if (!is_listed(x, name, NULL))
            return false;
    }
    return word.len > 1;
}

static bool has_all_needed(const struct fetch *x)
{
    struct str rest = str_from(x->known);
    struct entry e;
    unsigned needed = 0;

    while (next_entry(&rest, &needed, &e))
        ; /* counts them */
    return x->given == (1u << needed) - 1;
}

/* ---- URLs ---- */

static bool is_port(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_digit(text.s[i]))
            return false;
    return text.len > 0 && text.len <= 5;
}

/* http://host[:port][/...] and https://, without a user's name. The scheme must be there: without
 * one curl guesses it by the host's name. Braces and brackets in front of the path would be several
 * hosts, and a question mark is a pattern, which files of the project may fill in. */
static bool is_plain_url(const struct fetch *x, struct str word)
{
    static const struct str schemes[] = {STR("https://"), STR("http://")};
    struct str host, port;
    size_t end = 0;

    for (size_t i = 0; i < COUNT(schemes); i++)
        if (str_starts(word, schemes[i])) {
            word = str_from_byte(word, schemes[i].len);
            while (end < word.len && word.s[end] != '/')
                end++;
            word = str_slice(word, 0, end);
            return (!str_cut(word, ':', &host, &port) || is_port(port)) && host.len &&
                   host_is_plain(host) && strs_has(x->hosts, host);
        }
    return false;
}

/* ---- commands ---- */

/* A control character in a header would begin another header. */
static bool is_plain_word(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((unsigned char)word.s[i] < ' ' || word.s[i] == 0x7f)
            return false;
    return true; /* WORD_UNKNOWN is a control character */
}

static bool words_only_fetch(struct fetch *x)
{
    struct str word;

    while (next_word(x, &word)) {
        bool fits = str_starts(word, STR("--"))  ? long_option(x, word)
                    : str_starts(word, STR("-")) ? short_options(x, word)
                                                 : is_plain_url(x, word);
        if (!fits)
            return false;
        x->urls += !str_starts(word, STR("-"));
    }
    return x->urls > 0 && has_all_needed(x);
}

/* The column lists no option that sends, so EFFECT_SEND is only the row's doubt about redirects. */
RARE static bool only_fetches(const struct action *a)
{
    struct fetch x = {.words = &a->subject.words, .at = 1, .hosts = &a->subject.hosts};

    if (!a->program || a->assignment || a->redirect || a->unknown || a->subject.paths.count ||
        (a->effects & ~(unsigned)(EFFECT_NETWORK | EFFECT_SEND)) || x.words->count == 0 ||
        !str_is(x.words->items[0], a->row->name))
        return false;
    for (size_t i = 0; i < x.words->count; i++)
        if (!is_plain_word(x.words->items[i]))
            return false;
    x.known = a->row->fetches;
    return words_only_fetch(&x);
}

void fetches_find(struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        struct action *a = &f->actions.items[i];
        if (a->row && a->row->fetches && a->subject.hosts.count)
            a->subject.fetches = only_fetches(a);
    }
}
