/* programs.c - explains a command: finds its row, reads its words, gives each its role. */
#include "programs/programs.h"

#include "base/ascii.h"
#include "base/path.h"
#include "programs/reading.h"

void doubt(struct reading *r, size_t word)
{
    r->out->effects |= EFFECT_UNKNOWN;
    if (!r->out->doubt)
        r->out->doubt = word;
}

void note_option(struct reading *r, struct program_option o)
{
    /* what project code is configured with */
    bool changes = o.effects || o.directory || o.deletes ||
                   (o.paths && (r->use->row->effects & EFFECT_PROJECT));

    for (size_t i = o.path; i < o.path + o.paths; i++)
        changes |= r->out->paths.items[i].access != PROGRAM_READS;
    if (changes)
        LIST_PUSH(r->arena, &r->out->options, o);
}

void note_task(struct reading *r, struct piece p)
{
    if (p.known && p.text.len)
        LIST_PUSH(r->arena, &r->out->tasks, p.text);
}

struct piece whole_word(const struct reading *r, size_t word)
{
    const struct shell_word *w = &r->words[word];

    return (struct piece){
        .word = word, .text = w->text, .known = w->known, .may_glob = w->may_glob, .operand = true};
}

void add_path(struct reading *r, struct piece p, unsigned access, bool recursive)
{
    /* "-" is a standard stream; as an operand that is written it may as well be a file (tee -) */
    if (str_is(p.text, "-") && p.known && (!p.operand || access == PROGRAM_READS))
        return;
    LIST_PUSH(r->arena, &r->out->paths,
              (struct program_path){.text = p.text,
                                    .word = p.word,
                                    .access = access,
                                    .recursive = recursive,
                                    .known = p.known,
                                    .may_glob = p.may_glob});
}

/* "make $target" begins with what is known; "$command", "exec=$command" and "!$command" do not. */
static bool begins_unknown(struct str text)
{
    size_t at = str_index(text, WORD_UNKNOWN);

    return at != STR_NONE && (at == 0 || strchr("=!:", text.s[at - 1]));
}

static void add_code(struct reading *r, struct str text)
{
    r->out->effects |= EFFECT_CODE;
    r->told = true;
    r->out->unseen |= begins_unknown(text);
    LIST_PUSH(r->arena, &r->out->codes, text);
}

/* git fetch "ext::ssh% host %S": the command that git starts to talk to. "% " is a blank in one of
 * its words. */
RARE static void add_transport(struct reading *r, struct str text)
{
    struct buf b = buf_in(r->arena);

    for (size_t i = strlen("ext::"); i < text.len; i++)
        if (text.s[i] != '%' || i + 1 == text.len || text.s[i + 1] != ' ')
            buf_byte(&b, text.s[i]);
    add_code(r, buf_str(&b));
}

static void add_host(struct reading *r, struct str text)
{
    if (str_starts(text, STR("ext::")))
        add_transport(r, text);
    r->out->effects |= EFFECT_NETWORK;
    LIST_PUSH(r->arena, &r->out->hosts, text);
}

/* A colon before the first slash names a host (scp, rsync, tar, git) or begins a URL. What is not
 * known may hold one.
 */
static bool names_host(const struct reading *r, struct piece p)
{
    struct str head, tail;

    str_cut(p.text, '/', &head, &tail);
    return str_has(head, ':') ||
           (str_has(head, WORD_UNKNOWN) && !(r->words[p.word].shape & SHAPE_PLAIN));
}

/* What could be more than the name of a remote in a repository's configuration. */
static bool is_remote_name(struct piece p)
{
    return p.known && p.text.len && !str_has(p.text, ':') && !str_has(p.text, '/') &&
           p.text.s[0] != '.' && p.text.s[0] != '-' && p.text.s[0] != '~' &&
           !str_ends(p.text, STR(".bundle")) && !str_ends(p.text, STR(".git"));
}

static void add_directory(struct reading *r, struct piece p)
{
    add_path(r, p, PROGRAM_READS, false);
    if (!p.known || !p.text.len) {
        doubt(r, p.word);
        return;
    }
    r->out->directory = path_join(r->arena, r->out->directory, p.text);
}

/* Subscripts are arithmetic, and arithmetic runs $( ). */
static void check_variable(struct reading *r, struct piece p)
{
    struct str name, value;

    str_cut(p.text, '=', &name, &value);
    if (!name.len || (name.s[0] >= '0' && name.s[0] <= '9'))
        doubt(r, p.word);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.s[i];
        bool plain = ascii_is_name(c) || (c == '+' && i + 1 == name.len);
        if (!plain) {
            r->out->effects |= EFFECT_CODE;
            doubt(r, p.word);
            return;
        }
    }
}

void add_inner(struct reading *r, char letter, struct piece p)
{
    r->out->effects |= p.known ? EFFECT_INNER : EFFECT_CODE | EFFECT_UNKNOWN;
    r->out->inners++;
    r->told = true;
    r->out->unseen |= begins_unknown(p.text);
    if (!r->out->inner) {
        r->out->inner = p.word;
        r->out->inner_text = letter == 'S' ? p.text : (struct str){0};
        r->out->inner_known = p.known;
    }
}

/* What begins with a sign may be one more option: then the script is another word. */
static void add_script(struct reading *r, struct piece p)
{
    if (p.known && !p.may_glob && p.text.len && !strchr("+-", p.text.s[0]))
        r->out->script = p.word;
    else
        r->out->effects |= EFFECT_CODE;
}

static unsigned path_access(char letter)
{
    switch (letter) {
    case 'B':
    case 'b':
    case 'R':
    case 'r':
        return PROGRAM_READS;
    case 'W':
    case 'w':
        return PROGRAM_WRITES;
    case 'D':
    case 'd':
        return PROGRAM_DELETES;
    case 'F':
    case 'Z':
        return PROGRAM_READS | PROGRAM_RUNS;
    default:
        return 0;
    }
}

/* deno run https://x.org/y.ts, npm:x: the file that is run comes from a server. */
static void add_fetched(struct reading *r, struct piece p)
{
    size_t colon = str_index(p.text, ':');

    if (colon == STR_NONE || colon < 2 || str_index(p.text, '/') < colon)
        return;
    if (str_starts(str_from_byte(p.text, colon), STR("://")))
        add_host(r, p.text);
    else
        r->out->effects |= EFFECT_INSTALL;
}

/* The letters that are not about paths. */
static void apply_letter(struct reading *r, char letter, struct piece p)
{
    switch (letter) {
    case 'F':
        add_fetched(r, p);
        r->out->effects |= EFFECT_CODE;
        r->told = true;
        break;
    case 'X':
        add_code(r, p.text);
        break;
    case 'Z':
        add_script(r, p);
        break;
    case 'S':
    case 'I':
        add_inner(r, letter, p);
        break;
    case 'N':
        add_host(r, p.text);
        break;
    case 'M':
        if (is_remote_name(p))
            LIST_PUSH(r->arena, &r->out->remotes, p.text);
        else
            add_host(r, p.text);
        break;
    case 'P':
        add_directory(r, p);
        break;
    case 'T':
    case 't':
        r->target = p;
        r->target_recursive = letter == 't';
        break;
    case 'V':
        check_variable(r, p);
        break;
    case 'O':
        r->out->mark = p.text;
        break;
    case '.':
        break;
    default: /* program_row_fault() finds it: a row that was not checked */
        doubt(r, p.word);
    }
}

void apply_role(struct reading *r, struct str roles, struct piece p)
{
    unsigned access = 0;
    bool recursive = false;

    if (roles.len && roles.s[0] == '@') {
        if (!run_reader(r, str_from_byte(roles, 1), p))
            doubt(r, p.word);
        return;
    }
    if (roles.len && roles.s[0] == 'L') {
        if (names_host(r, p)) {
            add_host(r, p.text);
            return;
        }
        roles = str_from_byte(roles, 1);
    }
    for (size_t i = 0; i < roles.len; i++) {
        unsigned one = path_access(roles.s[i]);
        access |= one;
        recursive |= one && roles.s[i] >= 'a';
        if (!one || roles.s[i] == 'F' || roles.s[i] == 'Z')
            apply_letter(r, roles.s[i], p);
    }
    size_t before = r->out->paths.count;
    if (access)
        add_path(r, p, access, recursive);
    if (r->out->paths.count > before)
        r->out->paths.items[before].names = str_is(roles, "B") || str_is(roles, "b");
}

static bool is_surely_directory(struct str path)
{
    struct str last = path_base(path);

    return str_ends(path, STR("/")) || str_is(last, ".") || str_is(last, "..");
}

/* cp a b dir/ writes dir/a and dir/b. Whether the target is a directory, only the disk knows: then
 * both are said. */
void apply_target(struct reading *r)
{
    struct piece target = r->target;

    if (!is_surely_directory(target.text))
        add_path(r, target, PROGRAM_WRITES, r->target_recursive);
    for (size_t i = 0; i < r->operands.count; i++) {
        if (r->operands.items[i] == target.word)
            continue;
        struct piece p = whole_word(r, r->operands.items[i]);
        struct str name = path_base(p.text);
        bool whole = str_is(name, ".") || str_is(name, "..") || str_is(name, "/");
        p.text = whole ? target.text : path_join(r->arena, target.text, name);
        p.known &= target.known;
        p.may_glob |= target.may_glob;
        add_path(r, p, PROGRAM_WRITES, whole || r->target_recursive);
    }
}

/* npx eslint --version: the launcher has run the project's eslint by then. */
static bool is_other_program(const struct row_use *use, const struct row_use *outer)
{
    return use->renamed && strncmp(use->row->name, outer->row->name, outer->len) != 0;
}

static bool enter(struct reading *r)
{
    const struct shell_word *w = &r->words[r->at];

    if (!w->known) {
        doubt(r, r->at);
        r->out->unseen |= w->may_split && !w->may_vanish && begins_unknown(w->text);
        return false;
    }
    if (str_has(w->text, ' ') || r->depth == SUBCOMMAND_DEPTH_MAX)
        return false;
    struct row_use *use = &r->rows[r->depth];
    if (!row_find(r, r->use, w->text, use))
        return false;
    apply_given(r);
    r->loads |= is_other_program(use, r->use);
    r->named |= (use->modes & MODE_NAMED) != 0;
    r->use = use;
    r->depth++;
    r->ended = false; /* npx -- eslint -o FILE: the options after the subcommand are its own */
    return true;
}

/* The word at r->at begins the row of a subcommand, when there is one. */
static inline bool enter_subcommand(struct reading *r)
{
    return !r->operands.count && r->use->subcommands && enter(r);
}

/* if=FILE: an option without a dash. False: it is none. */
RARE static bool give_named(struct reading *r)
{
    struct piece p = whole_word(r, r->at);
    struct str name, value;
    struct option o;

    str_cut(p.text, '=', &name, &value);
    if (!name.len || name.s[0] == '-' || !option_find(r, name, &o))
        return false;
    p.text = value;
    p.operand = false;
    r->out->effects |= o.effects;
    r->names |= o.set;
    LIST_PUSH(r->arena, &r->given,
              (struct given){.option = o, .has_value = true, .roles = o.roles, .value = p});
    return true;
}

static bool is_plain_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_name(name.s[i]) && !ascii_is_digit(name.s[i]))
            return false;
    return name.len > 0;
}

/* env A=b command. A lone "-" is env's -i, and programs differ on names that no shell would take:
 * the word may be the command, too. */
RARE static bool take_assignment(struct reading *r)
{
    const struct shell_word *w = &r->words[r->at];
    bool dash = w->known && str_is(w->text, "-");
    struct str name, value;

    if (r->operands.count || !(is_assignment(w) || dash))
        return false;
    str_cut(w->text, '=', &name, &value);
    if (dash || !is_plain_name(name))
        doubt(r, r->at);
    r->out->assigns = true;
    return true;
}

static void read_operand(struct reading *r)
{
    if (enter_subcommand(r))
        return;
    if (in_mode(r, MODE_ASSIGNS) && take_assignment(r))
        return;
    if (r->named && str_has(r->words[r->at].text, '=') && give_named(r))
        return;
    LIST_PUSH(r->arena, &r->operands, r->at);
    r->ended |= !in_mode(r, MODE_MIXED) && (r->operands.count > 1 || !in_mode(r, MODE_AGAIN));
}

static bool is_operator(struct str text)
{
    return str_is(text, "(") || str_is(text, ")") || str_is(text, "!") || str_is(text, ",");
}

/* grep '--- FAIL': no program has an option of that name, so the word is refused, or an operand.
 * Only what comes before a '=' is a name. */
static bool is_no_option(const struct shell_word *w)
{
    struct str name, value;

    if (!w->known || !str_starts(w->text, STR("--")))
        return w->known && w->text.s[1] == ' ';
    str_cut(w->text, '=', &name, &value);
    return str_has(name, ' ') || str_has(name, '|');
}

/* 0.0.0.0, 10.0.0.1:80, ::1: where it listens, or what it talks to. */
static bool is_address(struct str text)
{
    size_t dots = 0, i = 0;

    while (i < text.len && (ascii_is_digit(text.s[i]) || text.s[i] == '.'))
        dots += text.s[i++] == '.';
    return str_contains(text, STR("::")) || (dots == 3 && (i == text.len || text.s[i] == ':'));
}

static void note_unlisted(struct reading *r)
{
    struct str name, value;

    str_cut(r->words[r->at].text, '=', &name, &value);
    if (!option_is_plain(r))
        note_option(r, (struct program_option){.names = name, .effects = EFFECT_CODE});
    /* node --snapshot-blob=FILE: of a program that is there to run files, the file may be one */
    if (str_has(value, '/') && program_runs_operands(r->use->row))
        apply_role(r, STR("F"), (struct piece){r->at, value, r->words[r->at].known, false, false});
    else if (is_address(value))
        add_host(r, value);
}

static void doubt_option(struct reading *r)
{
    struct option o;

    doubt(r, r->at);
    if (option_like(r, r->words[r->at].text, &o))
        note_option(r, (struct program_option){.names = o.names, .effects = EFFECT_CODE});
    else
        note_unlisted(r);
}

/* git no-such-command --output=x: which of the words are options, only that command knows. */
static void note_unknown_subcommand(struct reading *r)
{
    bool ended = false;

    if (!r->use->subcommands || !r->operands.count || !(r->out->effects & EFFECT_UNKNOWN))
        return;
    for (size_t i = 1; i < r->operands.count && !ended; i++) {
        r->at = r->operands.items[i];
        struct str text = r->words[r->at].text;
        ended = str_is(text, "--");
        if (!ended && text.len > 1 && text.s[0] == '-')
            note_unlisted(r);
    }
}

static void read_word(struct reading *r)
{
    const struct shell_word *w = &r->words[r->at];
    bool dashed = w->text.len > 1 && w->text.s[0] == '-';

    if (!r->ended && dashed && !in_mode(r, MODE_LONG) && is_no_option(w)) {
        if (in_mode(r, MODE_WRAPS)) /* then another word may be the command */
            doubt(r, r->at);
        LIST_PUSH(r->arena, &r->operands,
                  r->at); /* a program that only complains still takes the options after it */
        return;
    }
    if (!r->ended && dashed) {
        /* python -m, cmake -E: an option that is followed by a command line of its own has a row.
         * What it does comes first: a module that prints its version has been loaded from the
         * working directory. */
        if (w->known && enter_subcommand(r)) {
            r->out->effects |= r->use->row->effects;
            r->loads = true;
            return;
        }
        if (str_is(w->text, "--"))
            r->ended = true;
        else if (!read_option(r))
            doubt_option(r);
        return;
    }
    if (!r->ended && in_mode(r, MODE_PLUS) && w->text.len && w->text.s[0] == '+')
        return;
    if (in_mode(r, MODE_EXPRESSION) && w->known && is_operator(w->text))
        return;
    if (!r->ended && (w->may_dash || w->may_split || w->may_glob) && could_be_option(r, w))
        doubt(r, r->at);
    read_operand(r);
}

/* Listed options first, then the reader takes everything. */
static void read_with(struct reading *r, struct str reader)
{
    while (r->at < r->count && r->words[r->at].text.len > 1 && r->words[r->at].text.s[0] == '-' &&
           read_option(r))
        r->at++;
    if (!run_reader(r, reader,
                    r->at < r->count ? whole_word(r, r->at) : (struct piece){.word = r->at}))
        doubt(r, 0);
}

static void read_words(struct reading *r)
{
    r->at = 1;
    if (in_mode(r, MODE_BUNDLE) && r->count > 1 && r->words[1].known && r->words[1].text.len &&
        r->words[1].text.s[0] != '-') {
        read_bundle(r);
        r->at++;
    }
    for (; r->at < r->count && !r->use->reader.len; r->at++)
        read_word(r);
    if (r->use->reader.len)
        read_with(r, r->use->reader);
    else
        apply_form(r);
}

/* A script is code of its arguments; where it is the only such code, a caller that knows the
 * file may judge it by that. */
static void settle_script(struct program_use *out)
{
    if (!out->script)
        return;
    if (out->effects & EFFECT_CODE)
        out->script = 0;
    out->effects |= EFFECT_CODE;
}

void program_explain_input(struct arena *a, const struct shell_word *words, size_t count,
                           struct str text, struct program_use *use)
{
    struct reading r = {.arena = a, .words = words, .count = count, .out = use};

    if (use->input.len == 0)
        return;
    use->effects &= ~(unsigned)EFFECT_CODE;
    if (!run_reader(&r, use->input,
                    (struct piece){.word = use->input_word, .text = text, .known = true}))
        use->effects |= EFFECT_CODE;
}

#define WRAPPED_MAX 8 /* names of programs among the words of a script that are explained */

static unsigned effects_of(const struct program_use *use)
{
    const unsigned heavy = EFFECT_CODE | EFFECT_MODULES | EFFECT_NETWORK | EFFECT_SEND |
                           EFFECT_PRIVILEGE | EFFECT_PROCESS | EFFECT_SYSTEM | EFFECT_LOSS |
                           EFFECT_SECRETS | EFFECT_INSTALL;
    unsigned effects = use->effects & heavy;

    if (use->inner_text.s)
        effects |= EFFECT_CODE; /* sh -c; the words after env or timeout are explained separately */
    for (size_t i = 0; i < use->paths.count; i++)
        if (use->paths.items[i].access & PROGRAM_DELETES)
            effects |= EFFECT_LOSS;
    return effects;
}

/* `./with-env.sh curl ...`: the script may run its words as a command. */
static unsigned wrapped_effects(const struct reading *r, size_t from)
{
    struct program_use use;
    unsigned effects = 0;
    size_t names = 0;

    for (size_t i = from; i < r->count; i++) {
        struct row_use row;
        if (!r->words[i].known || !r->words[i].text.len ||
            !row_of_program(r, r->words[i].text, &row))
            continue;
        if (++names > WRAPPED_MAX)
            return effects | EFFECT_UNKNOWN;
        program_explain(r->arena, r->words + i, r->count - i, r->more, &use);
        effects |= effects_of(&use);
    }
    return effects;
}

void program_explain_script(struct arena *a, const struct shell_word *words, size_t count,
                            size_t script, struct program_use *out)
{
    struct reading r = {.arena = a, .words = words, .count = count, .out = out};

    *out = (struct program_use){.effects = EFFECT_PROJECT};
    out->effects |= task_effects(path_base(words[script].text));
    for (size_t i = script + 1; i < count; i++) {
        if (!str_has(words[i].text, '/'))
            out->effects |= task_effects(words[i].text);
        read_arg(&r, whole_word(&r, i));
    }
    out->effects |= wrapped_effects(&r, script + 1);
}

/* bun build --banner=TEXT --outfile=FILE: a file with a text of the agent's, which may be run. */
static bool writes_text(const struct reading *r)
{
    for (size_t i = 0; r->text && i < r->out->paths.count; i++)
        if (r->out->paths.items[i].access & PROGRAM_WRITES)
            return true;
    return false;
}

/* npx jest -t '$(id)': npm 7 gives the words to a shell. */
static bool expands_words(const struct reading *r)
{
    bool quotes = false;

    for (size_t i = 0; i < r->depth; i++)
        quotes |= r->rows[i].row->quotes_words;
    for (size_t i = 1; quotes && i < r->count; i++)
        if (word_is_expanded(r->words[i].text))
            return true;
    return false;
}

void program_explain(struct arena *a, const struct shell_word *words, size_t count,
                     const struct program_rows *more, struct program_use *out)
{
    struct row_use rows[SUBCOMMAND_DEPTH_MAX];
    struct reading r = {.arena = a,
                        .words = words,
                        .count = count,
                        .more = more,
                        .out = out,
                        .rows = rows,
                        .use = rows};

    *out = (struct program_use){.effects = EFFECT_UNKNOWN};
    if (!count || !words[0].known || !words[0].text.len)
        return;
    if (!row_of_program(&r, words[0].text, &r.rows[0]))
        return;
    r.depth = 1;
    r.named = (r.use->modes & MODE_NAMED) != 0;
    out->effects = 0;
    read_words(&r);
    if (r.given.count)
        apply_given(&r);
    note_unknown_subcommand(&r);
    out->row = r.use->row;
    out->effects |= out->row->effects;
    if (writes_text(&r) || expands_words(&r))
        out->effects |= EFFECT_CODE;
    settle_script(out);
    if (r.uncounted) {
        out->only_uncounted = !(out->effects & EFFECT_UNKNOWN);
        doubt(&r, r.uncounted);
    }
    out->prints = r.prints;
    /* `python -c CODE --version` and `php -d extension=FILE -v` run code all the same */
    if (r.prints && !r.loads && !r.by_options && !(out->effects & EFFECT_UNKNOWN))
        *out = (struct program_use){.row = out->row,
                                    .effects = r.rows[0].row->fronted ? EFFECT_PROJECT : 0,
                                    .prints = true,
                                    .inner = out->inner,
                                    .inners = out->inners,
                                    .inner_text = out->inner_text,
                                    .inner_known = out->inner_known};
}
