/* form_match.c - the language of the operands column: picks the form, gives every operand and value
 * its role. */
#include "base/ascii.h"
#include "programs/reading.h"

static bool is_given(const struct reading *r, struct str name)
{
    for (size_t i = 0; i < r->given.count; i++)
        if (option_named(&r->given.items[i].option, name))
            return true;
    return false;
}

static bool begins_empty(const struct reading *r)
{
    const struct shell_word *first = r->operands.count ? &r->words[r->operands.items[0]] : NULL;

    return first && first->known && first->text.len == 0;
}

/* "-", the standard input */
static bool begins_with_dash(const struct reading *r)
{
    const struct shell_word *first = r->operands.count ? &r->words[r->operands.items[0]] : NULL;

    return first && first->known && str_is(first->text, "-");
}

/* {2:-c}: the second operand is "-c". */
static bool is_operand(const struct reading *r, struct str what)
{
    size_t i = (size_t)(what.s[0] - '1');

    return i < r->operands.count && r->words[r->operands.items[i]].known &&
           str_eq(r->words[r->operands.items[i]].text, str_from_byte(what, 2));
}

/* One alternative of a condition: an option, a number of operands, an operand, "bare", "empty" or
 * "-". */
static bool holds_one(struct reading *r, struct str what)
{
    if (what.len > 1 && what.s[0] == '-')
        return (r->names & name_bit(what)) && is_given(r, what);
    if (str_is(what, "bare"))
        return r->count == 1;
    if (str_is(what, "empty"))
        return begins_empty(r);
    if (str_is(what, "-"))
        return begins_with_dash(r);
    if (is_operand_condition(what))
        return is_operand(r, what);
    if (what.len != 1 || what.s[0] < '0' || what.s[0] > '9')
        return is_given(r, what);
    /* words that may become several, or none, cannot be counted */
    for (size_t i = 0; i < r->operands.count; i++) {
        const struct shell_word *w = &r->words[r->operands.items[i]];
        if ((w->may_split || w->may_glob) && !r->uncounted)
            r->uncounted = r->operands.items[i];
    }
    return r->operands.count == (size_t)(what.s[0] - '0');
}

/* {-e,-f} */
static bool holds(struct reading *r, struct str condition)
{
    const char *from = condition.s + 1, *end = condition.s + condition.len - 1;

    for (const char *at = from; at <= end; at++)
        if (at == end || *at == ',') {
            if (holds_one(r, (struct str){from, (size_t)(at - from)}))
                return true;
            from = at + 1;
        }
    return false;
}

static struct str text_of(const struct reading *r, struct part p)
{
    return (struct str){r->use->row->operands + p.at, p.len};
}

static bool fits(struct reading *r, const struct form *f)
{
    struct str rest = text_of(r, f->conditions), token;

    if (!rest.len)
        return true;
    if (f->options && !(f->options & r->names))
        return false;
    while (str_next_word(&rest, &token))
        if (token.s[0] == '{' && !holds(r, token))
            return false;
    return true;
}

RARE static void take_apart(struct arena *a, struct row_use *use)
{
    const char *operands = use->row->operands, *at = operands;
    size_t count = forms_count(operands);
    struct form *forms = ARENA_ARRAY(a, struct form, count);

    for (size_t i = 0; i < count; i++)
        at = form_parse(operands, at, &forms[i]);
    use->forms = forms;
    use->form_count = count;
}

/* The first one whose conditions hold; NULL: none. */
static const struct form *pick_form(struct reading *r)
{
    struct row_use *use = r->use;

    if (!use->forms)
        take_apart(r->arena, use);
    if (!use->forms[0].conditions.len)
        return &use->forms[0];
    for (size_t i = 0; i < use->form_count; i++)
        if (fits(r, &use->forms[i]))
            return &use->forms[i];
    return NULL;
}

/* The value of an option may have another role in this form. */
RARE static struct str roles_of(const struct reading *r, const struct form *f,
                                const struct given *g)
{
    struct str rest = text_of(r, f->text), token, name, roles;

    while (str_next_word(&rest, &token))
        if (token.s[0] == '-' && str_cut(token, '=', &name, &roles) &&
            option_named(&g->option, name))
            return roles;
    return g->roles;
}

/* Has it something that a shell expands, or a part that begins like a path? */
static bool may_lead(struct str s)
{
    static const char leads[256] = {
        ['~'] = 1, ['$'] = 1, ['`'] = 1, ['\\'] = 1, ['\0'] = 1, ['/'] = 2, ['.'] = 2};

    for (size_t i = 0; i < s.len; i++) {
        const char how = leads[(unsigned char)s.s[i]];
        if (how && (how == 1 || i == 0 || !ascii_is_alnum(s.s[i - 1])))
            return true;
    }
    return false;
}

/* Does the row hand words on to a program that no row explains? Behind the name of a script pnpm
 * hands on what would be an option of its own in front of it (pnpm build --reporter=x). */
static bool hands_on(const struct reading *r)
{
    return strstr(r->use->row->operands, "@arg") != NULL;
}

/* gcc -I @x: the word stands for what is in the file x, whatever option is in front of it. */
static bool is_response_file(const struct reading *r, struct piece p)
{
    const char *operands = r->use->row->operands;

    return str_starts(r->words[p.word].text, STR("@")) &&
           (strstr(operands, "@input") || strstr(operands, "@code"));
}

/* Gives the value its role, and notes what the option does with it. */
static void apply_value(struct reading *r, const struct form *f, const struct given *g)
{
    struct program_use *out = r->out;
    unsigned effects = out->effects;
    size_t paths = out->paths.count, directory = out->directory.len;

    out->effects = 0;
    if (g->has_value) {
        struct str roles = f && f->names_roles ? roles_of(r, f, g) : g->roles;
        apply_role(r, roles, g->value);
        if (is_response_file(r, g->value))
            doubt(r, g->value.word);
        if (!roles.len && may_lead(g->value.text) && hands_on(r))
            read_arg(r, g->value);
    }
    const struct program_option does = {.names = g->option.names,
                                        .effects = out->effects | g->option.effects,
                                        .directory = out->directory.len != directory,
                                        .path = paths,
                                        .paths = out->paths.count - paths};
    if (does.effects || does.directory || does.paths) /* most options are settings */
        note_option(r, does);
    out->effects |= effects;
}

static bool form_deletes(const struct reading *r, const struct form *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct str roles = text_of(r, f->places[i]);
        if (roles.s[0] != '@' && (str_has(roles, 'd') || str_has(roles, 'D')))
            return true;
    }
    return false;
}

/* An option that chooses the form has what the form does: find -delete. */
static void note_form(struct reading *r, const struct form *f)
{
    struct str rest = text_of(r, f->conditions), token, names, name;

    if (!f->options)
        return;
    bool deletes = form_deletes(r, f);
    if (!deletes && !f->effects)
        return;
    while (str_next_word(&rest, &token))
        for (names = str_slice(token, 1, token.len - 1); names.len;) {
            size_t end = 0;
            while (end < names.len && names.s[end] != ',')
                end++;
            name = str_slice(names, 0, end);
            names = str_from_byte(names, end + 1);
            if (name.len > 1 && name.s[0] == '-' && (r->names & name_bit(name)) &&
                is_given(r, name))
                note_option(r, (struct program_option){
                                   .names = name, .effects = f->effects, .deletes = deletes});
        }
}

static bool is_listed(const char *names, const struct option *option)
{
    struct str rest = str_from(names ? names : ""), name;

    while (str_next_word(&rest, &name))
        if (option_named(option, name))
            return true;
    return false;
}

/* How it goes through whole directories with this option. */
static void apply_to_trees(struct reading *r, const struct option *option)
{
    const struct program_row *row = r->use->row;

    r->out->follows |= is_listed(row->follows, option);
    r->out->unhidden |= is_listed(row->unhides, option);
    r->out->searches_all |= is_listed(row->broadens, option);
    r->out->rewrites |= is_listed(row->rewrites, option);
    r->out->spares |= is_listed(row->spares, option);
    r->out->takes |= is_listed(row->takes, option);
}

static void apply_values(struct reading *r, const struct form *f)
{
    if (f)
        note_form(r, f);
    for (size_t i = 0; i < r->given.count; i++) {
        if (r->use->trees & r->given.items[i].option.set)
            apply_to_trees(r, &r->given.items[i].option);
        apply_value(r, f, &r->given.items[i]);
    }
    r->given.count = 0;
    r->names = 0;
}

/* Before a subcommand there is no form yet. */
void apply_given(struct reading *r)
{
    apply_values(r, NULL);
}

/* Which place operand i of n has. Behind the place that repeats they are counted from the end. */
static size_t place_of(const struct form *f, size_t i, size_t n)
{
    if (f->many == FORM_NONE || i < f->many)
        return i < f->count ? i : FORM_NONE;
    size_t after = f->count - f->many - 1U;
    return n - i <= after ? f->count - (n - i) : f->many;
}

/* An operand that may become several words, or none, moves the others to other places. That is
 * nothing when all places are alike or only read; otherwise it is not known what will be written. A
 * glob finds at least itself, so it only spreads towards its neighbours. */
RARE static void apply_spread(struct reading *r, const struct form *f, size_t place, size_t word)
{
    const struct shell_word *w = &r->words[word];

    if (place == f->many &&
        (!w->may_split || f->count == 1 || (begins_with_no_dash(w) && f->many + 1 == f->count)))
        return;
    struct piece p = whole_word(r, word);
    if (f->reads) {
        for (size_t i = 0; i < f->count; i++)
            if (i != place)
                apply_role(r, text_of(r, f->places[i]), p);
    } else if (w->may_split || f->many == FORM_NONE || place < f->many) {
        doubt(r, word);
    } else {
        apply_role(r, text_of(r, f->places[f->many]), p);
    }
}

/* S*: a shell gets the words from operand i on as one text. */
static void add_joined(struct reading *r, size_t i)
{
    struct piece all = whole_word(r, r->operands.items[i]);
    struct buf text = buf_in(r->arena);

    for (size_t k = i; k < r->operands.count; k++) {
        const struct shell_word *w = &r->words[r->operands.items[k]];
        buf_format(&text, "%s%.*s", k > i ? " " : "", STR_ARG(w->text));
        all.known &= w->known;
    }
    all.text = buf_str(&text);
    r->out->effects |= r->words[all.word].known ? EFFECT_INNER : 0;
    add_inner(r, 'S', all);
}

/* Data for the row is still a word that the project's code gets. */
static void read_data_for_project(struct reading *r, struct piece p)
{
    bool plain = true;

    for (size_t i = 0; i < p.text.len; i++)
        plain &= !strchr("/~$`", p.text.s[i]);
    if (!plain || str_starts(p.text, STR(".")) || str_contains(p.text, STR("..")))
        read_arg(r, p);
}

static void apply_operands(struct reading *r, const struct form *f)
{
    for (size_t i = 0; i < r->operands.count; i++) {
        size_t word = r->operands.items[i];
        size_t place = place_of(f, i, r->operands.count);
        if (place == FORM_NONE) {
            doubt(r, word);
            continue;
        }
        struct str roles = text_of(r, f->places[place]);
        if (place == f->many && str_is(roles, "S")) {
            add_joined(r, i);
            break;
        }
        if (!str_is(roles, "."))
            apply_role(r, roles, whole_word(r, word));
        else if ((r->use->row->effects | f->effects) & EFFECT_PROJECT)
            read_data_for_project(r, whole_word(r, word));
        if (r->words[word].may_split || r->words[word].may_glob)
            apply_spread(r, f, place, word);
        /* the rest belongs to the command that begins here */
        if (str_is(roles, "I"))
            break;
    }
}

static void apply_cwd(struct reading *r, const struct form *f, size_t paths_before)
{
    struct piece here = {.text = STR("."), .known = true};

    if (f->cwd.len > strlen("cwd="))
        apply_role(r, str_from_byte(text_of(r, f->cwd), strlen("cwd=")), here);
    else if (r->out->paths.count == paths_before && f->count)
        apply_role(r, text_of(r, f->places[f->count - 1]), here);
}

void apply_form(struct reading *r)
{
    const struct form *f = pick_form(r);

    if (!f) {
        r->out->effects |= EFFECT_UNKNOWN;
        apply_values(r, NULL);
        return;
    }
    apply_values(r, f);
    r->by_options = r->out->effects;
    size_t before = r->out->paths.count;
    apply_operands(r, f);
    if (r->target.word)
        apply_target(r);
    if (f->cwd.len)
        apply_cwd(r, f, before);
    if (!(r->out->effects & EFFECT_CODE)) {
        r->out->input = text_of(r, f->input);
        r->out->input_word = r->operands.count ? r->operands.items[0] : r->count;
    }
    r->out->effects |= f->effects;
    r->out->awaits = (f->effects & EFFECT_CODE) && !r->told;
}
