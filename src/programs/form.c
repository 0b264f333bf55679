/* form.c - the language of the operands column: picks the form, gives every operand and value its role. */
#include "programs/reading.h"

/* One form while it is applied. */
struct form {
    struct str text;
    struct str places[PLACES_MAX];
    size_t count;
    size_t many;      /* the place that repeats; STR_NONE: none does */
    bool reads;       /* no role in it does more than read */
    bool names_roles; /* it gives the value of an option another role */
    unsigned effects;
    struct str cwd;   /* "cwd", "cwd=w" or empty */
    struct str input; /* of "in=@python" the name; empty: none */
};

static uint32_t names_given(const struct reading *r)
{
    uint32_t set = 0;

    for (size_t i = 0; i < r->given.count; i++) {
        struct str rest = r->given.items[i].option.names, name;
        for (bool more = true; more;) {
            more = str_cut(rest, ',', &name, &rest);
            set |= name.len ? name_bit(name) : 0;
        }
    }
    return set;
}

static bool is_given(const struct reading *r, struct str name)
{
    for (size_t i = 0; i < r->given.count; i++)
        if (option_named(&r->given.items[i].option, name))
            return true;
    return false;
}

static bool begins_empty(const struct reading *r)
{
    const struct program_word *first = r->operands.count ? &r->words[r->operands.items[0]] : NULL;

    return first && first->known && first->text.len == 0;
}

/* "-", the standard input */
static bool begins_with_dash(const struct reading *r)
{
    const struct program_word *first = r->operands.count ? &r->words[r->operands.items[0]] : NULL;

    return first && first->known && str_is(first->text, "-");
}

/* One alternative of a condition: an option, a number of operands, "bare", "empty" or "-". */
static bool holds_one(struct reading *r, struct str what, uint32_t given)
{
    if (what.len > 1 && what.s[0] == '-')
        return (given & name_bit(what)) && is_given(r, what);
    if (str_is(what, "bare"))
        return r->count == 1;
    if (str_is(what, "empty"))
        return begins_empty(r);
    if (str_is(what, "-"))
        return begins_with_dash(r);
    if (what.len != 1 || what.s[0] < '0' || what.s[0] > '9')
        return is_given(r, what);
    /* words that may become several, or none, cannot be counted */
    for (size_t i = 0; i < r->operands.count; i++) {
        const struct program_word *w = &r->words[r->operands.items[i]];
        if (w->may_split || w->may_glob)
            doubt(r, r->operands.items[i]);
    }
    return r->operands.count == (size_t)(what.s[0] - '0');
}

/* {-e,-f} */
static bool holds(struct reading *r, struct str condition, uint32_t given)
{
    const char *from = condition.s + 1, *end = condition.s + condition.len - 1;

    for (const char *at = from; at <= end; at++)
        if (at == end || *at == ',') {
            if (holds_one(r, (struct str){from, (size_t)(at - from)}, given))
                return true;
            from = at + 1;
        }
    return false;
}

static struct str place_roles(struct str place)
{
    char last = place.s[place.len - 1];

    return last == '*' || last == '+' ? str_slice(place, 0, place.len - 1) : place;
}

static void add_place(struct form *f, struct str token)
{
    struct str roles = place_roles(token);

    if (f->count == PLACES_MAX)
        return;
    if (roles.len < token.len)
        f->many = f->count;
    f->reads &= !role_is_risky(roles);
    f->places[f->count++] = roles;
}

static void add_token(struct form *f, struct str token)
{
    switch (token.s[0]) {
    case '-':
        f->names_roles = true;
        break;
    case '^':
        for (size_t i = 1; i < token.len; i++)
            f->effects |= program_effect_bit(token.s[i]);
        break;
    default:
        if (str_is(token, "cwd") || str_starts(token, STR("cwd=")))
            f->cwd = token;
        else if (str_starts(token, STR("in=@")))
            f->input = str_from_byte(token, strlen("in=@"));
        else if (!str_is(token, "none") && !str_is(token, "sub"))
            add_place(f, token);
    }
}

/* The form that begins at *rest, which moves behind it; NULL at the last one. False: a condition of it does not hold.
 */
static bool take_form(struct reading *r, const char **rest, uint32_t given, struct form *f)
{
    const char *at = *rest;
    bool fits = true;

    f->count = 0;
    f->many = STR_NONE;
    f->reads = true;
    f->names_roles = false;
    f->effects = 0;
    f->cwd = f->input = (struct str){0};
    while (fits && *at && *at != '|') {
        struct str token = {at, 0};
        for (; *at && *at != ' ' && *at != '|'; at++)
            token.len++;
        if (!token.len)
            at++; /* a blank */
        else if (*token.s == '{')
            fits = holds(r, token, given);
        else
            add_token(f, token);
    }
    at += fits ? 0 : strcspn(at, "|");
    f->text = (struct str){*rest, (size_t)(at - *rest)};
    *rest = *at ? at + 1 : NULL;
    return fits;
}

/* The first one whose conditions hold. */
static bool pick_form(struct reading *r, struct form *f)
{
    const struct row_use *use = row_in_use(r);
    const char *rest = use->row->operands;
    uint32_t given = names_given(r);

    if (!(given & use->conditions))
        rest += use->plain_form;
    while (rest)
        if (take_form(r, &rest, given, f))
            return true;
    return false;
}

/* The value of an option may have another role in this form. */
static struct str roles_of(const struct form *f, const struct given *g)
{
    struct str rest = f->text, token, name, roles;

    while (f->names_roles && next_token(&rest, &token))
        if (token.s[0] == '-' && str_cut(token, '=', &name, &roles) && option_named(&g->option, name))
            return roles;
    return g->roles;
}

static void apply_values(struct reading *r, const struct form *f)
{
    for (size_t i = 0; i < r->given.count; i++) {
        const struct given *g = &r->given.items[i];
        if (g->has_value)
            apply_role(r, f ? roles_of(f, g) : g->roles, g->value);
    }
    r->given.count = 0;
}

/* Before a subcommand there is no form yet. */
void apply_given(struct reading *r)
{
    apply_values(r, NULL);
}

/* Which place operand i of n has; STR_NONE: none. Behind the place that repeats they are counted from the end. */
static size_t place_of(const struct form *f, size_t i, size_t n)
{
    if (f->many == STR_NONE || i < f->many)
        return i < f->count ? i : STR_NONE;
    size_t behind = f->count - f->many - 1;
    return n - i <= behind ? f->count - (n - i) : f->many;
}

/* An operand that may become several words, or none, moves the others to other places. That is nothing when all places
 * are alike or only read; otherwise nobody knows what will be written. A glob finds at least itself, so it only spreads
 * towards its neighbours. */
static void apply_spread(struct reading *r, const struct form *f, size_t place, size_t word)
{
    const struct program_word *w = &r->words[word];
    struct piece p = whole_word(r, word);

    if (!w->may_split && !w->may_glob)
        return;
    if (place == f->many && (!w->may_split || f->count == 1 || (w->no_dash && f->many + 1 == f->count)))
        return;
    if (f->reads) {
        for (size_t i = 0; i < f->count; i++)
            if (i != place)
                apply_role(r, f->places[i], p);
    } else if (w->may_split || f->many == STR_NONE || place < f->many) {
        doubt(r, word);
    } else {
        apply_role(r, f->places[f->many], p);
    }
}

static void apply_operands(struct reading *r, const struct form *f)
{
    for (size_t i = 0; i < r->operands.count; i++) {
        size_t word = r->operands.items[i];
        size_t place = place_of(f, i, r->operands.count);
        if (place == STR_NONE) {
            doubt(r, word);
            continue;
        }
        apply_role(r, f->places[place], whole_word(r, word));
        apply_spread(r, f, place, word);
        /* the rest belongs to the command that begins here */
        if (str_is(f->places[place], "I"))
            break;
    }
}

static void apply_cwd(struct reading *r, const struct form *f, size_t paths_before)
{
    struct piece here = {.text = STR("."), .known = true};

    if (f->cwd.len > strlen("cwd="))
        apply_role(r, str_from_byte(f->cwd, strlen("cwd=")), here);
    else if (f->cwd.len && r->out->paths.count == paths_before && f->count)
        apply_role(r, f->places[f->count - 1], here);
}

void apply_form(struct reading *r)
{
    struct form f;

    if (!pick_form(r, &f)) {
        r->out->effects |= EFFECT_UNKNOWN;
        apply_values(r, NULL);
        return;
    }
    apply_values(r, &f);
    r->by_options = r->out->effects;
    size_t before = r->out->paths.count;
    apply_operands(r, &f);
    apply_target(r);
    apply_cwd(r, &f, before);
    if (!(r->out->effects & EFFECT_CODE)) {
        r->out->input = f.input;
        r->out->input_word = r->operands.count ? r->operands.items[0] : r->count;
    }
    r->out->effects |= f.effects;
}
