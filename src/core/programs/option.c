/* option.c - the language of the options column of a row.
 *
 * Rows are read in place, each time they are needed: a command has few options,
 * and of the shipped ones the index knows where each of them is. */
#include "programs/reading.h"

/* Steps through the names of an option. */
static bool next_name(struct str *rest, struct str *name)
{
    struct str tail = {0};

    if (!rest->len)
        return false;
    str_cut(*rest, ',', name, &tail);
    *rest = tail;
    return true;
}

/* The byte after the name is compared first: mostly it is no comma. */
bool option_named(const struct option *o, struct str name)
{
    const char *at = o->names.s, *end = at + o->names.len;

    while (at && name.len <= (size_t)(end - at)) {
        if ((at + name.len == end || at[name.len] == ',') && memcmp(at, name.s, name.len) == 0)
            return name.len > 0 && !str_has(name, ','); /* "-o,--output" is none of them */
        const char *comma = memchr(at, ',', (size_t)(end - at));
        at = comma ? comma + 1 : NULL;
    }
    return false;
}

/* The token that this byte belongs to. */
static struct str token_around(const char *options, const char *at)
{
    const char *from = at, *to = at;

    while (from > options && from[-1] != ' ')
        from--;
    while (*to && *to != ' ')
        to++;
    return (struct str){from, (size_t)(to - from)};
}

/* Can a name end here? Names end before a blank, a comma or what says that there is a value. */
static bool ends_like_name(char next)
{
    return next == '\0' || next == ' ' || next == ',' || next == '=' || next == '?';
}

/* Looks for the bytes of the name first, which is quick, and then whether they are a name. */
bool option_search(const struct program_row *row, struct str name, struct option *out)
{
    struct str rest = str_from(row->options);
    const char *at;

    while (name.len && (at = memmem(rest.s, rest.len, name.s, name.len))) {
        struct str token = token_around(row->options, at);
        if (ends_like_name(at[name.len]) && option_parse(token, out) && option_named(out, name)) {
            out->set = names_set(out->names);
            return true;
        }
        rest = str_from_byte(rest, (size_t)(at - rest.s) + 1);
    }
    return false;
}

/* The rows whose options count here: the one in use, and those around it that are global. */
static bool counts(const struct reading *r, size_t i)
{
    return i + 1 == r->depth || (r->rows[i].modes & MODE_GLOBAL);
}

bool option_find(const struct reading *r, struct str name, struct option *out)
{
    for (size_t i = r->depth; i-- > 0;)
        if (counts(r, i) && row_option(&r->rows[i], name, out))
            return true;
    return false;
}

/* Does a name of this option begin so? The dashes alone are no beginning. */
static bool begins(const struct option *o, struct str start)
{
    struct str rest = o->names, one;

    while (next_name(&rest, &one))
        if (start.len > 2 && str_starts(one, start))
            return true;
    return false;
}

bool option_abbreviated(const struct reading *r, struct str start, struct option *out)
{
    size_t found = 0;

    for (size_t i = r->depth; i-- > 0;) {
        struct str rest = str_from(r->rows[i].row->options), token;
        struct option o;
        if (!counts(r, i) || !(r->rows[i].modes & MODE_ABBREV))
            continue;
        while (str_next_word(&rest, &token))
            if (option_parse(token, &o) && begins(&o, start)) {
                *out = o;
                found++;
            }
    }
    if (found == 1)
        out->set = names_set(out->names);
    return found == 1;
}

static bool has_letter_in(const struct option *o, struct str word)
{
    for (size_t i = 1; i < word.len; i++) {
        char name[2] = {'-', word.s[i]};
        if (option_named(o, (struct str){name, 2}))
            return true;
    }
    return false;
}

#define SHORTENED_MIN 4 /* bytes: "--ab" */

bool option_like(const struct reading *r, struct str word, struct option *out)
{
    struct str name, value;
    bool is_long = str_starts(word, STR("--"));

    str_cut(word, '=', &name, &value);
    for (size_t i = r->depth; i-- > 0;) {
        struct str rest = str_from(r->rows[i].row->options), token;
        while (str_next_word(&rest, &token))
            if (option_parse(token, out) && (out->effects || role_is_risky(out->roles)) &&
                (is_long ? name.len >= SHORTENED_MIN && begins(out, name)
                         : has_letter_in(out, name)))
                return true;
    }
    return false;
}

/* The longest name that the word begins with, of the options that take a glued value. */
static void glued_in_row(const struct program_row *row, struct str word, struct option *out,
                         size_t *len)
{
    struct str rest = str_from(row->options), token, names, name;
    struct option o;

    while (str_next_word(&rest, &token)) {
        if (!option_parse(token, &o) || !o.value)
            continue;
        for (names = o.names; next_name(&names, &name);)
            if (name.len > *len && (o.optional || name.len == 2) && str_starts(word, name)) {
                *out = o;
                *len = name.len;
            }
    }
}

bool option_glued(const struct reading *r, struct str word, struct option *out, size_t *len)
{
    *len = 0;
    for (size_t i = r->depth; i-- > 0 && !*len;)
        if (counts(r, i))
            glued_in_row(r->rows[i].row, word, out, len);
    if (*len)
        out->set = names_set(out->names);
    return *len > 0;
}

static bool token_is_risky(struct str token)
{
    if (token.s[0] == '-' || str_starts(token, STR("cwd=")))
        return role_is_risky(str_from_byte(token, str_index(token, '=') + 1));
    if (token.s[0] == '{' || str_is(token, "none") || str_is(token, "sub") || str_is(token, "cwd"))
        return false;
    if (strchr("*+", token.s[token.len - 1]))
        token.len--;
    return role_is_risky(token);
}

static bool form_is_risky(struct str form)
{
    struct str token;
    bool chosen = false;

    while (str_next_word(&form, &token)) {
        chosen |= str_starts(token, STR("{-"));
        if (chosen && token_is_risky(token))
            return true;
    }
    return false;
}

bool program_has_risky_options(const struct program_row *row)
{
    struct str rest = str_from(row->options), token, form, tail;
    struct option o;

    while (str_next_word(&rest, &token))
        if (option_parse(token, &o) && (o.effects || role_is_risky(o.roles)))
            return true;
    /* A form that an option chooses: rm -r, sed -i. Where it only reads (grep -r), an attacker
     * gains nothing. */
    rest = str_from(row->operands);
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, '|', &form, &tail);
        if (form_is_risky(form))
            return true;
    }
    return false;
}

bool program_option_named(struct str names, struct str name)
{
    return name.len && option_named(&(struct option){.names = names}, name);
}
