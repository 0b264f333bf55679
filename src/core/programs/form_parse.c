/* form_parse.c - takes the operands column apart. Of our own rows the index has what comes out:
 * this runs while Warder is built, and for the rows of policy files. */
#include <limits.h>

#include "programs/reading.h"

/* Can a value with this role do more than name data or a file to read? */
bool role_is_risky(struct str roles)
{
    static const bool reads[UCHAR_MAX + 1] = {
        ['.'] = true, [','] = true, ['R'] = true, ['r'] = true,
        ['B'] = true, ['b'] = true, ['O'] = true};

    if (str_is(roles, "@only") || str_is(roles, "@except") || str_is(roles, "@pattern"))
        return false;
    for (size_t i = 0; i < roles.len; i++)
        if (!reads[(unsigned char)roles.s[i]])
            return true;
    return false;
}

static struct part part_at(const char *operands, const char *from, size_t len)
{
    return (struct part){(uint16_t)(from - operands), (uint16_t)len};
}

/* {-e,-f}: the set of these names; 0 when one of them is no option's. */
static uint32_t options_of(struct str condition)
{
    struct str rest = str_slice(condition, 1, condition.len - 1), name;
    uint32_t names = 0;

    for (bool more = true; more;) {
        more = str_cut(rest, ',', &name, &rest);
        if (name.len < 2 || name.s[0] != '-')
            return 0;
        names |= name_bit(name);
    }
    return names;
}

static void add_condition(struct form *f, const char *operands, struct str token)
{
    if (!f->conditions.len) {
        f->conditions = part_at(operands, token.s, 0);
        f->options = options_of(token);
    }
    f->conditions.len = (uint16_t)(token.s + token.len - operands - f->conditions.at);
}

static bool has_letter(struct str roles, const char *letters)
{
    for (size_t i = 0; roles.s[0] != '@' && i < roles.len; i++)
        if (strchr(letters, roles.s[i]))
            return true;
    return false;
}

static void add_place(struct form *f, const char *operands, struct str token)
{
    bool many = token.s[token.len - 1] == '*' || token.s[token.len - 1] == '+';
    struct str roles = {token.s, token.len - many};

    if (f->count == PLACES_MAX)
        return;
    if (many)
        f->many = f->count;
    f->reads &= !role_is_risky(roles);
    f->runs |= has_letter(roles, "IXFZS");
    f->talks |= has_letter(roles, "NLM");
    f->places[f->count++] = part_at(operands, roles.s, roles.len);
}

/* "^loss^secrets" */
static unsigned effects_parse(struct str token)
{
    unsigned effects = 0;

    while (token.len) {
        token = str_from_byte(token, 1);
        effect_take(&token, &effects);
    }
    return effects;
}

static void add_token(struct form *f, const char *operands, struct str token)
{
    switch (token.s[0]) {
    case '{':
        add_condition(f, operands, token);
        break;
    case '-':
        f->names_roles = true;
        break;
    case '^':
        f->effects |= (uint16_t)effects_parse(token);
        break;
    default:
        if (str_is(token, "cwd") || str_starts(token, STR("cwd=")))
            f->cwd = part_at(operands, token.s, token.len);
        else if (str_starts(token, STR("in=@")))
            f->input = part_at(operands, token.s + strlen("in=@"), token.len - strlen("in=@"));
        else if (!str_is(token, "none") && !str_is(token, "sub"))
            add_place(f, operands, token);
    }
}

size_t forms_count(const char *operands)
{
    size_t count = 1;

    for (; *operands; operands++)
        count += *operands == '|';
    return count;
}

const char *form_parse(const char *operands, const char *at, struct form *out)
{
    const char *from = at;

    *out = (struct form){.many = FORM_NONE, .reads = true};
    while (*at && *at != '|') {
        struct str token = {at, strcspn(at, " |")};
        if (token.len)
            add_token(out, operands, token);
        at += token.len ? token.len : 1;
    }
    out->text = part_at(operands, from, (size_t)(at - from));
    return *at ? at + 1 : at;
}
