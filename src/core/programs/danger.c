/* danger.c - what a program could be made to do by any words after its name. */
#include "programs/reading.h"

static const char *const sentences[] = {
    [DANGER_NONE] = NULL,
    [DANGER_RIGHTS] = "runs any other command with another user's rights",
    [DANGER_NETWORK] = "sends and fetches whatever it is told to",
    [DANGER_COMMANDS] = "runs any other command",
    [DANGER_CODE] = "runs whatever code it is given",
    [DANGER_REMOVAL] = "removes or overwrites whatever it is given",
    [DANGER_CONTROL] = "changes the machine or its processes",
    [DANGER_SCRIPTS] = "runs whatever the project's file says, even what was written a moment ago",
    [DANGER_MANY] = "has subcommands that lose work, send it away or run code",
};

/* The first of them that holds for any use of the row. That a program writes (role W) says too
 * little: mkdir and touch overwrite nothing. Of the effects of a single form only code counts:
 * `date` sets the clock in one of several. */
static const struct {
    enum program_danger danger;
    unsigned effects;
    const char *roles;
} signs[] = {
    {DANGER_RIGHTS, EFFECT_PRIVILEGE, ""},
    {DANGER_NETWORK, EFFECT_NETWORK, "NL"},
    {DANGER_COMMANDS, 0, "I"},
    {DANGER_CODE, EFFECT_CODE, "XFZS"},
    {DANGER_REMOVAL, EFFECT_LOSS, "DdTt"},
    {DANGER_CONTROL, EFFECT_PROCESS | EFFECT_SYSTEM, ""},
};

static bool has_role(const struct form *f, const char *operands, const char *letters)
{
    for (size_t i = 0; i < f->count; i++) {
        struct str roles = {operands + f->places[i].at, f->places[i].len};
        for (size_t n = 0; roles.s[0] != '@' && n < roles.len; n++)
            if (strchr(letters, roles.s[n]))
                return true;
    }
    return false;
}

static bool has_sign(const struct program_row *row, unsigned effects, const char *roles)
{
    const char *at = row->operands;
    struct form form;

    if (row->effects & effects)
        return true;
    do {
        at = form_parse(row->operands, at, &form);
        if ((form.effects & effects & EFFECT_CODE) || has_role(&form, row->operands, roles))
            return true;
    } while (*at);
    return false;
}

static enum program_danger danger_of(const struct program_row *row)
{
    if (!row || row->danger)
        return row ? row->danger : DANGER_NONE;
    for (size_t i = 0; i < COUNT(signs); i++)
        if (has_sign(row, signs[i].effects, signs[i].roles))
            return signs[i].danger;
    return DANGER_NONE;
}

static bool has_language(const struct form *f, const char *operands)
{
    for (size_t i = 0; i < f->count; i++) {
        struct str roles = {operands + f->places[i].at, f->places[i].len};
        if (str_starts(roles, STR("@")) && reader_is_language(str_from_byte(roles, 1)))
            return true;
    }
    return false;
}

/* The build has taken the forms of our own rows apart. */
static bool find_forms(const struct program_row *row, struct row_use *out)
{
    static const struct reading no_reading;

    return row_find(&no_reading, NULL, str_from(row->name), out) && out->row == row && out->forms;
}

bool program_runs_operands(const struct program_row *row)
{
    struct row_use use;
    bool ready = find_forms(row, &use);
    const char *at = row->operands;
    struct str reader = row_reader(row);
    bool runs = reader.len && reader_is_language(reader);
    struct form parsed;

    for (size_t i = 0; ready ? i < use.form_count : !i || *at; i++) {
        const struct form *form = ready ? &use.forms[i] : &parsed;
        if (!ready)
            at = form_parse(row->operands, at, &parsed);
        if (form->talks)
            return false;
        runs |= form->runs || has_language(form, row->operands);
    }
    return runs;
}

/* Without what looks like a version at the end: python3.11, perl5. */
static struct str strip_version(struct str s)
{
    while (s.len > 1 && ((s.s[s.len - 1] >= '0' && s.s[s.len - 1] <= '9') || s.s[s.len - 1] == '.'))
        s.len--;
    return s;
}

/* Of a program that is only dangerous by some of its subcommands the star after its name says so,
 * the name alone does not. */
static const char *sentence(enum program_danger danger, bool star)
{
    return danger == DANGER_MANY && !star ? NULL : sentences[danger];
}

const char *program_danger(struct str program)
{
    size_t slash = str_last_index(program, '/');
    struct str name = str_trim(slash == STR_NONE ? program : str_from_byte(program, slash + 1));
    bool star = str_ends(program, STR(" "));
    bool subcommand = str_has(name, ' ');
    enum program_danger danger =
        danger_of(subcommand ? program_shipped(name) : program_by_any_name(name));

    /* gh pr view talks to the server that gh is for: whoever names the subcommand knows that */
    if (subcommand && danger == DANGER_NETWORK)
        return NULL;
    return sentence(danger ? danger : danger_of(program_by_any_name(strip_version(name))), star);
}

/* Does an option of the row run something? */
static bool has_running_option(const struct program_row *row)
{
    struct str rest = str_from(row->options), token;
    struct option option;

    while (str_next_word(&rest, &token))
        if (option_parse(token, &option) && ((option.effects & EFFECT_CODE) ||
                                             (!str_starts(option.roles, STR("@")) &&
                                              str_until(option.roles, "XISFZ") < option.roles.len)))
            return true;
    return false;
}

/* Does it read the files that it is given, and print what is in them? */
static bool prints_files(const struct program_row *row)
{
    const char *at = row->operands;
    struct form form;

    if (row->prints != PRINTS_LINES)
        return false;
    do {
        at = form_parse(row->operands, at, &form);
        if (has_role(&form, row->operands, "Rr"))
            return true;
    } while (*at);
    return false;
}

const char *program_caution(struct str program)
{
    const char *danger = program_danger(program);
    const struct program_row *row = program_by_any_name(str_trim(program));

    if (danger || !row || row->danger == DANGER_MANY) /* it is the star that is dangerous then */
        return danger;
    if (has_running_option(row))
        return "has options that run any other command";
    return prints_files(row) ? "prints any file, keys included" : NULL;
}

const char *program_meant(struct str program)
{
    const struct program_row *row = program_named(program);

    return row ? row->meant : NULL;
}
