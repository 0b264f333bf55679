/* row_fault.c - is a row well formed? Rows are written by contributors and by users, and the engine
 * doubts what it does not know; this says what is wrong with them before
 * everything is doubted for no visible reason. */
#include "programs/reading.h"

static bool roles_are_known(struct str roles)
{
    if (roles.len && roles.s[0] == '@')
        return reader_exists(str_from_byte(roles, 1));
    for (size_t i = 0; i < roles.len; i++)
        if (!strchr(".RWDBrwdbTtXFZSINMPVO", roles.s[i]) &&
            !(roles.s[i] == 'L' && i == 0 && roles.len > 1))
            return false;
    return true;
}

static const char *values_fault(struct str roles)
{
    struct str one, tail;

    for (bool more = true; more; roles = tail) {
        more = str_cut(roles, ',', &one, &tail);
        if (!roles_are_known(one))
            return "a role that does not exist";
    }
    return NULL;
}

/* Takes the marks off the front of an option or a form. False: one is no effect. */
static bool take_known_marks(struct str *marked)
{
    unsigned effects = 0;

    while (marked->len && strchr("!%^", marked->s[0])) {
        bool effect = marked->s[0] == '^';
        *marked = str_from_byte(*marked, 1);
        if (effect && !effect_take(marked, &effects))
            return false;
    }
    return true;
}

/* How many options of the row have this name. */
static size_t count_name(const struct program_row *row, struct str name)
{
    struct str rest = str_from(row->options), token;
    struct option o;
    size_t count = 0;

    while (str_next_word(&rest, &token))
        count += option_parse(token, &o) && option_named(&o, name);
    return count;
}

static bool is_option_name(struct str name, bool has_value)
{
    if (!name.len || strpbrk(name.s, " ") == name.s)
        return false;
    if (name.s[0] == '-')
        return name.len > 1;
    return has_value;
}

static const char *option_fault(const struct program_row *row, struct str token)
{
    struct option o;
    struct str marked = token, rest, name, tail;

    if (row_mode_named(token))
        return NULL;
    if (!take_known_marks(&marked))
        return "an effect that does not exist";
    if (!option_parse(token, &o))
        return "a word among the options that does not exist";
    rest = o.names;
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, ',', &name, &tail);
        if (!is_option_name(name, o.value))
            return "an option without a name";
        if (count_name(row, name) != 1)
            return "an option that is listed twice";
    }
    return values_fault(o.roles);
}

/* row_modes() relies on it. */
static bool modes_come_first(const struct program_row *row)
{
    struct str rest = str_from(row->options), token;
    bool options = false;

    while (str_next_word(&rest, &token)) {
        if (options && row_mode_named(token))
            return false;
        options |= !row_mode_named(token);
    }
    return true;
}

/* fetches_find() relies on it. */
static bool needed_come_first(const struct program_row *row)
{
    struct str rest = str_from(row->fetches ? row->fetches : ""), token;
    bool others = false;

    while (str_next_word(&rest, &token)) {
        if (others && token.s[0] == '+')
            return false;
        others |= token.s[0] != '+';
    }
    return true;
}

static const char *condition_fault(const struct program_row *row, struct str condition)
{
    struct str rest, one, tail;

    if (condition.len < 3 || condition.s[condition.len - 1] != '}')
        return "a condition that does not end";
    rest = str_slice(condition, 1, condition.len - 1);
    for (bool more = true; more; rest = tail) {
        more = str_cut(rest, ',', &one, &tail);
        if (str_is(one, "bare") || str_is(one, "empty") || str_is(one, "-") ||
            is_operand_condition(one) || (one.len == 1 && one.s[0] >= '0' && one.s[0] <= '9'))
            continue;
        if (!count_name(row, one))
            return "a condition on an option that is not listed";
    }
    return NULL;
}

static const char *place_fault(struct str token)
{
    struct str roles = token;

    if (str_starts(token, STR("@@")))
        return reader_exists(str_from_byte(token, 2)) ? NULL : "a reader that does not exist";
    if (str_starts(token, STR("cwd=")))
        return values_fault(str_from_byte(token, 4));
    if (str_starts(token, STR("in=@")))
        return reader_exists(str_from_byte(token, 4)) ? NULL : "a reader that does not exist";
    if (str_is(token, "none") || str_is(token, "sub") || str_is(token, "cwd"))
        return NULL;
    if (roles.s[roles.len - 1] == '*' || roles.s[roles.len - 1] == '+')
        roles.len--;
    return roles.len && roles_are_known(roles) ? NULL
                                               : "an operand with a role that does not exist";
}

static const char *operand_fault(const struct program_row *row, struct str token)
{
    struct str name, roles;

    switch (token.s[0]) {
    case '{':
        return condition_fault(row, token);
    case '^':
        return take_known_marks(&token) && !token.len ? NULL : "an effect that does not exist";
    case '-':
        if (!str_cut(token, '=', &name, &roles) || !count_name(row, name))
            return "a role for an option that is not listed";
        return values_fault(roles);
    default:
        return place_fault(token);
    }
}

static const char *form_fault(const struct program_row *row, struct str form)
{
    struct str token;
    size_t places = 0, many = 0;

    while (str_next_word(&form, &token)) {
        const char *fault = operand_fault(row, token);
        if (fault)
            return fault;
        places += !strchr("{^-", token.s[0]);
        many += token.s[token.len - 1] == '*' || token.s[token.len - 1] == '+';
    }
    if (places > PLACES_MAX)
        return "more operands than a form may have";
    return many > 1 ? "two operands that repeat" : NULL;
}

const char *program_row_fault(const struct program_row *row)
{
    struct str rest = str_from(row->options), token, form, tail;
    const char *fault = NULL;

    if (!row->name[0] || !row->source || !row->source[0])
        return "no name or no source";
    if (row->options[0] == '=')
        return (row->options[1] || row->strength == PROGRAM_SHIPPED) && !row->operands[0]
                   ? NULL
                   : "another name with operands of its own";
    if (!modes_come_first(row))
        return "a word such as mixed after the options";
    if (!needed_come_first(row))
        return "in `fetches` an option that must be there after one that need not";
    while (!fault && str_next_word(&rest, &token))
        fault = option_fault(row, token);
    rest = str_from(row->operands);
    for (bool more = true; more && !fault; rest = tail) {
        more = str_cut(rest, '|', &form, &tail);
        fault = form_fault(row, form);
    }
    return fault;
}

/* A word that a shell could pass as the name of a program or subcommand. */
static bool is_plain_name(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if ((unsigned char)word.s[i] <= ' ' || word.s[i] == 0x7f || word.s[i] == '/')
            return false;
    return word.len > 0;
}

static const char *name_fault(struct str name)
{
    struct str word, rest;
    size_t words = 0;

    for (bool more = true; more; name = rest) {
        more = str_cut(name, ' ', &word, &rest);
        if (!is_plain_name(word))
            return "a name that is no word, or several with single blanks between them";
        words++;
    }
    return words > SUBCOMMAND_DEPTH_MAX ? "more words in a name than are read" : NULL;
}

/* Where the command of an option such as find -exec ends, the shell analysis knows for our own rows
 * only. */
static bool has_inner_option(const struct program_row *row)
{
    struct str rest = str_from(row->options), token;
    struct option o;

    while (str_next_word(&rest, &token))
        if (option_parse(token, &o) && str_has(o.roles, 'I') && o.roles.s[0] != '@')
            return true;
    return false;
}

const char *program_added_fault(const struct program_row *row)
{
    const char *fault = name_fault(str_from(row->name));

    if (!fault && strlen(row->options) + strlen(row->operands) > ADDED_TEXT_MAX)
        fault = "more text than one row may have";
    if (!fault)
        fault = program_row_fault(row);
    if (!fault && has_inner_option(row))
        fault = "a command can begin as an operand, not as the value of an option";
    return fault;
}
