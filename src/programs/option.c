/* option.c - the language of the options column of a row.
 *
 * Rows are read where they stand, each time they are needed: a command has few
 * options, and a row is a few hundred bytes. */
#include "programs/reading.h"

bool next_token(struct str *rest, struct str *token)
{
    size_t from = 0, to;

    while (from < rest->len && rest->s[from] == ' ')
        from++;
    for (to = from; to < rest->len && rest->s[to] != ' ';)
        to++;
    *token = str_slice(*rest, from, to);
    *rest = str_from_byte(*rest, to);
    return token->len > 0;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Takes "!", "%" and "^LETTERS" off the front of a token. */
static struct str take_marks(struct str token, struct option *o)
{
    size_t i = 0;

    for (; i < token.len; i++) {
        if (token.s[i] == '!') {
            o->effects |= EFFECT_UNKNOWN;
        } else if (token.s[i] == '%') {
            o->prints = true;
        } else if (token.s[i] == '^') {
            while (i + 1 < token.len && is_upper(token.s[i + 1]))
                o->effects |= program_effect_bit(token.s[++i]);
        } else {
            break;
        }
    }
    return str_from_byte(token, i);
}

bool option_parse(struct str token, struct option *out)
{
    struct str names, roles;

    *out = (struct option){0};
    token = take_marks(token, out);
    out->value = str_cut(token, '=', &names, &roles);
    if (!out->value && (!token.len || token.s[0] != '-'))
        return false;
    if (out->value && names.len && names.s[names.len - 1] == '?') {
        out->optional = true;
        names.len--;
    }
    out->names = names;
    out->roles = out->value ? roles : (struct str){0};
    return true;
}

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

bool option_named(const struct option *o, struct str name)
{
    struct str rest = o->names, one;

    while (next_name(&rest, &one))
        if (str_eq(one, name))
            return true;
    return false;
}

/* These words stand in front of the options: most rows are longer than what is asked of them here. */
bool row_says(const struct program_row *row, const char *word)
{
    const char *at = row->options;
    size_t len = strlen(word);

    while ((*at >= 'a' && *at <= 'z') || *at == '+') {
        size_t token = strcspn(at, " ");
        if (token == len && memcmp(at, word, len) == 0)
            return true;
        at += token + strspn(at + token, " ");
    }
    return false;
}

/* The token around byte `at`. */
static struct str token_around(struct str text, size_t at)
{
    size_t from = at, to = at;

    while (from > 0 && text.s[from - 1] != ' ')
        from--;
    while (to < text.len && text.s[to] != ' ')
        to++;
    return str_slice(text, from, to);
}

/* Can a name stand here? Names end before a blank, a comma or what says that there is a value. */
static bool ends_like_name(struct str text, size_t end)
{
    return end >= text.len || strchr(" ,=?", text.s[end]) != NULL;
}

/* Looks for the bytes of the name first, which is quick, and then whether they are a name. */
static bool find_in_row(const struct program_row *row, struct str name, struct option *out)
{
    struct str text = str_from(row->options);
    size_t at = 0;

    while (name.len && at + name.len <= text.len) {
        const char *hit = memmem(text.s + at, text.len - at, name.s, name.len);
        if (!hit)
            return false;
        at = (size_t)(hit - text.s);
        if (ends_like_name(text, at + name.len) && option_parse(token_around(text, at), out) && option_named(out, name))
            return true;
        at++;
    }
    return false;
}

/* The rows whose options count here: the one in use, and those around it that are global. */
static bool counts(const struct reading *r, size_t i)
{
    return i + 1 == r->depth || row_says(r->rows[i], "global");
}

bool option_find(const struct reading *r, struct str name, struct option *out)
{
    for (size_t i = r->depth; i-- > 0;)
        if (counts(r, i) && find_in_row(r->rows[i], name, out))
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
        struct str rest = str_from(r->rows[i]->options), token;
        struct option o;
        if (!counts(r, i) || !row_says(r->rows[i], "abbrev"))
            continue;
        while (next_token(&rest, &token))
            if (option_parse(token, &o) && begins(&o, start)) {
                *out = o;
                found++;
            }
    }
    return found == 1;
}

/* The longest name that the word begins with, of the options that take a glued value. */
static void glued_in_row(const struct program_row *row, struct str word, struct option *out, size_t *len)
{
    struct str rest = str_from(row->options), token, names, name;
    struct option o;

    while (next_token(&rest, &token)) {
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
            glued_in_row(r->rows[i], word, out, len);
    return *len > 0;
}

/* Can a value with this role do more than name data or a file to read? */
bool role_is_risky(struct str roles)
{
    for (size_t i = 0; i < roles.len; i++)
        if (!strchr(".,RrBb", roles.s[i]))
            return true;
    return false;
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

    while (next_token(&form, &token)) {
        chosen |= str_starts(token, STR("{-"));
        if (chosen && token_is_risky(token))
            return true;
    }
    return false;
}

bool row_is_risky(const struct program_row *row)
{
    struct str rest = str_from(row->options), token, form, tail;
    struct option o;

    while (next_token(&rest, &token))
        if (option_parse(token, &o) && (o.effects || role_is_risky(o.roles)))
            return true;
    /* A form that an option chooses: rm -r, sed -i. Where all it does is to read (grep -r), nobody gains by it. */
    rest = str_from(row->operands);
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, '|', &form, &tail);
        if (form_is_risky(form))
            return true;
    }
    return false;
}
