/* option_parse.c - takes the options column apart. Of our own rows the index has what comes out:
 * this runs while Warder is built, for the rows of policy files, and where an option is not written
 * out.
 */
#include "programs/reading.h"

/* Takes "!", "%" and "^effect" off the front of a token. */
static struct str take_marks(struct str token, struct option *o)
{
    while (token.len && strchr("!%^", token.s[0])) {
        char mark = token.s[0];
        token = str_from_byte(token, 1);
        if (mark == '!')
            o->effects |= EFFECT_UNKNOWN;
        else if (mark == '%')
            o->prints = true;
        else
            effect_take(&token, &o->effects);
    }
    return token;
}

uint32_t names_set(struct str names)
{
    uint32_t set = 0;
    struct str name;

    for (bool more = true; more;) {
        more = str_cut(names, ',', &name, &names);
        set |= name.len ? name_bit(name) : 0;
    }
    return set;
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
