/* output_shape.c - what can be said of the words that a program prints, without knowing them.
 *
 * `for c in $(git log --format=%h)`: each word is letters and digits, so it is no option, no path
 * that leads elsewhere and no pattern. Only what the program itself guarantees is said here. The
 * attacker writes file names, branch names, commit messages and the words of the command; a message
 * that goes to the same place as the output (2>&1) is his, too. Everything can print nothing at
 * all. */
#include "shell/walk.h"

#include "base/ascii.h"

struct printing {
    struct walk *w;
    const struct shell_words *argv;
    const struct lines *in; /* what it reads */
};

static struct str arg(const struct printing *p, size_t i)
{
    return i < p->argv->count ? p->argv->items[i].text : (struct str){0};
}

/* It is what it looks like, or at least no option, and a single word. */
static bool is_settled(const struct shell_word *word)
{
    return word->known || (!word->may_split && !word->may_glob && !word->may_dash &&
                           word->text.len && word->text.s[0] != '-');
}

static bool all_settled(const struct printing *p)
{
    for (size_t i = 1; i < p->argv->count; i++)
        if (!is_settled(&p->argv->items[i]))
            return false;
    return true;
}

static struct lines one_column(unsigned shape, bool single)
{
    return (struct lines){.columns = {shape}, .count = 1, .single = single};
}

static void add_column(struct lines *lines, unsigned shape)
{
    if (lines->count < LINES_COLUMNS_MAX)
        lines->columns[lines->count++] = shape;
    else
        lines->more = true;
}

/* ---- git ---- */

#define SHAPE_HASH (SHAPE_ONE | SHAPE_NO_DASH | SHAPE_PLAIN)

/* A word of a format that is one placeholder. 0: not a kind that is known. */
static unsigned column_of_format(struct str word)
{
    static const char *const hashes[] = {"%H", "%h", "%T", "%t"};

    for (size_t i = 0; i < COUNT(hashes); i++)
        if (str_is(word, hashes[i]))
            return SHAPE_HASH;
    return str_is(word, "%at") || str_is(word, "%ct") ? SHAPE_HASH | SHAPE_DIGITS : 0;
}

/* Nothing in it prints an end of line: not the body of a message, not its trailers. */
static bool is_one_line(struct str format)
{
    static const char *const placeholders[] = {"H",  "h",  "T",  "t",  "at", "ct", "s",  "f",
                                               "an", "ae", "aN", "aE", "ad", "aD", "ar", "ai",
                                               "aI", "as", "cn", "ce", "cd", "cD", "cr", "ci",
                                               "cI", "cs", "d",  "D",  "al", "cl", "%"};

    for (size_t i = 0; i < format.len; i++) {
        bool found = format.s[i] != '%';
        if ((unsigned char)format.s[i] < ' ' && format.s[i] != '\t')
            return false;
        for (size_t n = 0; !found && n < COUNT(placeholders); n++)
            found = str_starts(str_from_byte(format, i + 1), str_from(placeholders[n]));
        if (!found)
            return false;
        i += format.s[i] == '%'; /* %% is no beginning of another */
    }
    return true;
}

static struct lines lines_of_format(struct str format)
{
    struct lines lines = {0};
    struct str word;

    if (!is_one_line(format))
        return lines;
    for (bool more = true; more;) {
        more = str_cut(format, ' ', &word, &format);
        unsigned shape = column_of_format(word);
        if (!shape) {
            lines.more = true;
            break;
        }
        add_column(&lines, shape);
    }
    return lines;
}

/* Options of git log that only choose commits. */
static bool chooses_commits(struct str word)
{
    static const char *const whole[] = {
        "--all",      "--merges", "--no-merges", "--first-parent", "--reverse",  "--no-walk",
        "--branches", "--tags",   "--remotes",   "--topo-order",   "--no-patch", "--date-order",
        "-s",         "-i",       "--no-color"};
    static const char *const begins[] = {"--since=",  "--until=", "--after=",     "--before=",
                                         "--author=", "--grep=",  "--max-count=", "--date="};

    for (size_t i = 0; i < COUNT(whole); i++)
        if (str_is(word, whole[i]))
            return true;
    for (size_t i = 0; i < COUNT(begins); i++)
        if (str_starts(word, str_from(begins[i])))
            return true;
    return false;
}

/* -5: of an option. */
static bool counts_commits(struct str option)
{
    return option.len > 1 && option.s[1] != '-' && text_is_number(str_from_byte(option, 1));
}

/* --format=X and its other spellings. */
static bool read_format(struct str word, struct lines *lines)
{
    static const char *const names[] = {"--pretty=format:", "--pretty=tformat:", "--format=format:",
                                        "--format=tformat:", "--format="};

    if (str_is(word, "--oneline")) {
        *lines = (struct lines){.columns = {SHAPE_HASH}, .count = 1, .more = true};
        return true;
    }
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_starts(word, str_from(names[i]))) {
            *lines = lines_of_format(str_from_byte(word, strlen(names[i])));
            return true;
        }
    return false;
}

/* git log and rev-list; git show prints the messages of tags, too. The last format counts. */
static struct lines print_log(const struct printing *p, size_t from)
{
    bool list = str_is(arg(p, from - 1), "rev-list"), single = false;
    struct lines lines = list ? one_column(SHAPE_HASH, false) : (struct lines){0};

    for (size_t i = from; i < p->argv->count; i++) {
        struct str word = arg(p, i);
        if (!p->argv->items[i].known || !str_starts(word, STR("-")) || str_is(word, "--"))
            continue;
        if (str_is(word, "-n") && text_is_number(arg(p, i + 1)))
            single |= str_is(arg(p, ++i), "1");
        else if (counts_commits(word) || str_is(word, "-n1"))
            single |= str_is(word, "-1") || str_is(word, "-n1");
        else if (list ? !chooses_commits(word)
                      : !chooses_commits(word) && !read_format(word, &lines))
            return (struct lines){0};
    }
    lines.single = single;
    return lines;
}

/* What is no revision git rev-parse prints as it is. */
static bool prints_plainly(struct str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!ascii_is_alnum(word.s[i]))
            return false;
    return word.len > 0;
}

static struct lines print_rev_parse(const struct printing *p, size_t from)
{
    size_t revisions = 0;
    bool verify = false, plain = true, name = false;

    for (size_t i = from; i < p->argv->count; i++) {
        struct str word = arg(p, i);
        if (!p->argv->items[i].known)
            return (struct lines){0};
        verify |= str_is(word, "--verify");
        name |= str_is(word, "--abbrev-ref");
        if (str_is(word, "--verify") || str_is(word, "--short") || str_is(word, "--abbrev-ref") ||
            str_is(word, "-q") || str_is(word, "--quiet"))
            continue;
        plain &= prints_plainly(word);
        revisions++;
        if (str_starts(word, STR("-")))
            return (struct lines){0};
    }
    if (revisions != 1 || (!verify && !plain))
        return (struct lines){0};
    return one_column(name ? SHAPE_ONE : SHAPE_HASH, true);
}

/* Mode, type, hash, and after a tab the path. */
static struct lines print_tree(const struct printing *p, size_t from)
{
    struct lines lines = {
        .columns = {SHAPE_HASH | SHAPE_DIGITS, SHAPE_HASH, SHAPE_HASH}, .count = 3, .more = true};

    for (size_t i = from; i < p->argv->count; i++) {
        struct str word = arg(p, i);
        if (str_starts(word, STR("-")) && !str_is(word, "-r") && !str_is(word, "-d") &&
            !str_is(word, "-t") && !str_is(word, "--full-tree") && !str_is(word, "--"))
            return (struct lines){0};
    }
    return lines;
}

/* A name of a branch holds neither blanks nor *, ? and [, but it may begin with a dash for who
 * makes it by hand. */
static struct lines print_git(const struct printing *p)
{
    size_t sub = str_is(arg(p, 1), "-C") ? 3 : 1;
    struct str name = arg(p, sub);

    if (!all_settled(p))
        return (struct lines){0};
    if (str_is(name, "log") || str_is(name, "rev-list"))
        return print_log(p, sub + 1);
    if (str_is(name, "rev-parse"))
        return print_rev_parse(p, sub + 1);
    if (str_is(name, "ls-tree"))
        return print_tree(p, sub + 1);
    if (str_is(name, "branch") && p->argv->count == sub + 2 &&
        str_is(arg(p, sub + 1), "--show-current"))
        return one_column(SHAPE_ONE, true);
    if (str_is(name, "merge-base") && p->argv->count == sub + 3 &&
        !str_starts(arg(p, sub + 1), STR("-")) && !str_starts(arg(p, sub + 2), STR("-")))
        return one_column(SHAPE_HASH, true);
    return (struct lines){0};
}

/* ---- gh ---- */

/* .number, .jobs[0].databaseId: one value, which gh itself has made of a number. Or null. */
static bool asks_for_number(struct str filter)
{
    static const char *const numbers[] = {"additions", "changedFiles", "databaseId", "deletions",
                                          "number"};
    size_t dot = str_last_index(filter, '.');
    bool found = false;

    if (dot == STR_NONE || filter.s[0] != '.')
        return false;
    for (size_t i = 0; i < COUNT(numbers); i++)
        found |= str_is(str_from_byte(filter, dot + 1), numbers[i]);
    for (size_t i = 0; i < filter.len; i++)
        if (!ascii_is_alnum(filter.s[i]) && !strchr("._[]", filter.s[i]))
            return false;
    return found && !str_contains(filter, STR("[]")) && !str_contains(filter, STR(".."));
}

/* What --json prints has the types that gh knows; gh api prints whatever a server says. */
static struct lines print_gh(const struct printing *p)
{
    bool typed = false, number = false;

    if (!all_settled(p) || str_is(arg(p, 1), "api"))
        return (struct lines){0};
    for (size_t i = 2; i < p->argv->count; i++) {
        struct str word = arg(p, i), next = i + 1 < p->argv->count && p->argv->items[i + 1].known
                                                ? arg(p, i + 1)
                                                : word;
        typed |= str_is(word, "--json");
        if (str_is(word, "--jq") || str_is(word, "-q"))
            number = asks_for_number(next);
        else if (str_starts(word, STR("--jq=")) || str_starts(word, STR("-q")) ||
                 str_starts(word, STR("-t")) || str_starts(word, STR("--template")) ||
                 str_starts(word, STR("-w")) || str_starts(word, STR("--web")))
            return (struct lines){0};
    }
    return typed && number ? one_column(SHAPE_HASH, true) : (struct lines){0};
}

/* ---- names and times ---- */

/* The machine's owner has named it and its users. */
static struct lines print_name(const struct printing *p)
{
    static const char *const forms[] = {"hostname", "hostname -s", "hostname -f", "id -un",
                                        "id -gn",   "logname",     "uname",       "uname -m",
                                        "uname -n", "uname -r",    "uname -s",    "whoami"};
    struct str form = p->argv->count == 1 ? arg(p, 0)
                                          : str_format(p->w->arena, "%.*s %.*s", STR_ARG(arg(p, 0)),
                                                       STR_ARG(arg(p, 1)));

    for (size_t i = 0; p->argv->count <= 2 && i < COUNT(forms); i++)
        if (str_is(form, forms[i]))
            return one_column(SHAPE_ONE, true);
    return (struct lines){0};
}

/* id -u, id -g */
static struct lines print_id(const struct printing *p)
{
    bool number = p->argv->count == 2 && (str_is(arg(p, 1), "-u") || str_is(arg(p, 1), "-g"));

    return number ? one_column(SHAPE_HASH | SHAPE_DIGITS, true) : print_name(p);
}

static struct lines print_uuid(const struct printing *p)
{
    return p->argv->count == 1 ? one_column(SHAPE_ONE | SHAPE_NO_DASH, true) : (struct lines){0};
}

/* date +%Y%m%d-%H%M%S, with what is padded by zeros. */
static struct lines print_date(const struct printing *p)
{
    struct str format = arg(p, p->argv->count - 1);
    unsigned shape = SHAPE_ONE | SHAPE_PLAIN | SHAPE_DIGITS;

    if (!all_settled(p) ||
        !(p->argv->count == 2 || (p->argv->count == 3 && str_is(arg(p, 1), "-u"))) ||
        !str_starts(format, STR("+")) || format.len < 2)
        return (struct lines){0};
    for (size_t i = 1; i < format.len; i++) {
        bool field = format.s[i] == '%' && i + 1 < format.len;
        if (field ? !strchr("YmdHMSsjyNFT", format.s[++i])
                  : !ascii_is_alnum(format.s[i]) && !strchr("_.:-", format.s[i]))
            return (struct lines){0};
        if (field ? strchr("FT", format.s[i]) != NULL : strchr("_.:-", format.s[i]) != NULL)
            shape &= ~(unsigned)(SHAPE_PLAIN | SHAPE_DIGITS);
        if (!field && format.s[i] > '9')
            shape &= ~(unsigned)SHAPE_DIGITS;
    }
    return one_column(shape | (format.s[1] == '-' ? 0 : SHAPE_NO_DASH), true);
}

/* ---- numbers ---- */

#define SHAPE_COUNT (SHAPE_HASH | SHAPE_DIGITS)

/* wc -l of its input. Some put blanks in front of the number. */
static struct lines print_wc(const struct printing *p)
{
    struct str option = arg(p, 1);
    bool counts = str_is(option, "-l") || str_is(option, "-c") || str_is(option, "-w") ||
                  str_is(option, "-m");

    return p->argv->count == 2 && counts ? one_column(SHAPE_COUNT, true) : (struct lines){0};
}

static struct lines print_nproc(const struct printing *p)
{
    return p->argv->count == 1 ? one_column(SHAPE_COUNT, true) : (struct lines){0};
}

/* seq 1 10 */
static struct lines print_seq(const struct printing *p)
{
    for (size_t i = 1; i < p->argv->count; i++)
        if (!p->argv->items[i].known || !text_is_number(arg(p, i)) || arg(p, i).s[0] == '-')
            return (struct lines){0};
    return one_column(SHAPE_COUNT, false);
}

/* ---- places ---- */

static bool is_plain_path(struct str path)
{
    for (size_t i = 0; i < path.len; i++)
        if (!ascii_is_alnum(path.s[i]) && !strchr("/._-", path.s[i]))
            return false;
    return path.len > 0;
}

/* go env NAME: a directory where it usually is, or where its user wants it, which no file of a
 * project can say. */
static struct lines print_go(const struct printing *p)
{
    static const char *const settings[] = {"HOME",   "GOENV",  "GOFLAGS",    "GOMODCACHE",
                                           "GOPATH", "GOROOT", "GOTOOLCHAIN"};
    struct lines lines = one_column(SHAPE_ONE | SHAPE_NO_DASH, true);
    struct str home = p->w->context->home;
    struct shell_value v;

    if (p->argv->count != 3 || !all_settled(p) || !str_is(arg(p, 1), "env") || !is_plain_path(home))
        return (struct lines){0};
    for (size_t i = 0; i < COUNT(settings); i++)
        if (env_lookup(&p->w->env, str_from(settings[i]), &v))
            return (struct lines){0};
    if (str_is(arg(p, 2), "GOMODCACHE"))
        lines.place = str_join(p->w->arena, home, STR("/go/pkg/mod"));
    else if (str_is(arg(p, 2), "GOPATH"))
        lines.place = str_join(p->w->arena, home, STR("/go"));
    else if (str_is(arg(p, 2), "GOROOT"))
        lines.place = STR("/usr/local/go");
    lines.variable = arg(p, 2);
    return lines.place.len ? lines : (struct lines){0};
}

/* which NAME: a program of that name, in a directory that programs are found in. */
static struct lines print_which(const struct printing *p)
{
    struct lines lines = one_column(SHAPE_ONE | SHAPE_NO_DASH, true);
    struct shell_value v;

    if (p->argv->count != 2 || !p->argv->items[1].known || !is_plain_path(arg(p, 1)) ||
        str_has(arg(p, 1), '/') || arg(p, 1).s[0] == '-' || env_lookup(&p->w->env, STR("PATH"), &v))
        return (struct lines){0};
    lines.place = str_join(p->w->arena, STR("/usr/bin/"), arg(p, 1));
    return lines;
}

/* ---- filters ---- */

/* Keeps some of the lines that it reads, and changes none. */
bool output_keeps_lines(const struct shell_words *argv)
{
    struct str name = base_name(argv->items[0].text);
    bool grep = str_is(name, "grep");
    size_t operands = 0;

    for (size_t i = 1; i < argv->count; i++) {
        struct str word = argv->items[i].text;
        bool option = word.len > 1 && word.s[0] == '-';
        if (!argv->items[i].known)
            return false;
        for (size_t n = 1; option && n < word.len; n++)
            if (!strchr(grep ? "viEFwx" : "nur0123456789", word.s[n]))
                return false;
        operands += !option && (grep || !text_is_number(word));
    }
    return operands == grep;
}

/* grep -c of one file, or of its input. */
static bool counts_lines(const struct printing *p)
{
    struct str option = arg(p, 1);
    bool count = str_starts(option, STR("-")) && str_has(option, 'c') && p->argv->count <= 4 &&
                 all_settled(p);

    for (size_t i = 1; i < option.len; i++)
        count &= strchr("cviEFwx", option.s[i]) != NULL;
    for (size_t i = 2; i < p->argv->count; i++)
        count &= !str_starts(arg(p, i), STR("-"));
    return count && str_is(base_name(arg(p, 0)), "grep");
}

static struct lines print_same(const struct printing *p)
{
    if (counts_lines(p))
        return one_column(SHAPE_COUNT, true);
    struct lines lines = output_keeps_lines(p->argv) ? *p->in : (struct lines){0};
    struct str last = arg(p, p->argv->count - 1);
    bool ends = str_is(base_name(arg(p, 0)), "head") || str_is(base_name(arg(p, 0)), "tail");

    lines.single |= ends && (p->argv->count == 2 || p->argv->count == 3) &&
                    (str_is(last, "-1") || str_is(last, "-n1") ||
                     (str_is(arg(p, 1), "-n") && str_is(last, "1")));
    return lines;
}

static struct lines take_column(const struct lines *in, size_t column)
{
    return column < in->count ? one_column(in->columns[column], in->single) : (struct lines){0};
}

/* awk '{print $1}' */
static struct lines print_awk(const struct printing *p)
{
    struct str text = arg(p, 1);

    if (p->argv->count != 2 || !p->argv->items[1].known || !str_starts(text, STR("{print $")) ||
        text.len != 10 || text.s[8] < '1' || text.s[8] > '9' || text.s[9] != '}')
        return (struct lines){0};
    return take_column(p->in, (size_t)(text.s[8] - '1'));
}

/* cut -d' ' -f1: the first column ends at a blank, or is the whole line. */
static struct lines print_cut(const struct printing *p)
{
    bool glued = p->argv->count == 3 && str_is(arg(p, 1), "-d ") && str_is(arg(p, 2), "-f1");
    bool apart = p->argv->count == 4 && str_is(arg(p, 1), "-d") && str_is(arg(p, 2), " ") &&
                 str_is(arg(p, 3), "-f1");

    return glued || apart ? take_column(p->in, 0) : (struct lines){0};
}

static const struct printer {
    const char *name;
    struct lines (*print)(const struct printing *);
} printers[] = {
    {"awk", print_awk},    {"cut", print_cut},      {"date", print_date},
    {"gh", print_gh},      {"git", print_git},      {"go", print_go},
    {"grep", print_same},  {"head", print_same},    {"hostname", print_name},
    {"id", print_id},      {"logname", print_name}, {"nproc", print_nproc},
    {"seq", print_seq},    {"sort", print_same},    {"tail", print_same},
    {"uname", print_name}, {"uniq", print_same},    {"uuidgen", print_uuid},
    {"wc", print_wc},      {"which", print_which},  {"whoami", print_name},
};

const struct names printer_names = NAMES(printers, NAMED_PRINTER);

/* 2> FILE and < FILE leave the output as it is. */
static bool prints_itself(const struct node *n)
{
    for (size_t i = 0; i < n->redirects.count; i++) {
        const struct redirect *r = n->redirects.items[i];
        bool in = r->op == REDIRECT_IN || r->op == REDIRECT_HERE_DOC || r->op == REDIRECT_HERE_STR;
        bool out = r->op == REDIRECT_OUT || r->op == REDIRECT_APPEND || r->op == REDIRECT_CLOBBER;
        if (!(in && !r->fd.len) && !(out && str_is(r->fd, "2")))
            return false;
    }
    return true;
}

const struct lines *lines_printed(struct walk *w, const struct node *n,
                                  const struct shell_words *argv)
{
    const struct printer *row = names_find(w, &printer_names, command_name(w, argv->items[0].text));
    struct printing p = {w, argv, known_lines(w->env.input.lines)};

    if (!row || !prints_itself(n) || n->assigns.count || env_function(&w->env, argv->items[0].text))
        return NULL;
    struct lines *lines = ARENA_NEW(w->arena, struct lines);
    *lines = row->print(&p);
    return lines;
}

/* ---- values ---- */

void shape_of_output(const struct walk *w, struct shell_value *v)
{
    const struct lines *lines = known_lines(w->output.lines);

    if (v->known || !lines->count || lines->more)
        return;
    v->shape = lines->columns[0];
    for (size_t i = 1; i < lines->count; i++)
        v->shape &= lines->columns[i];
    v->one = lines->single && lines->count == 1;
    if (v->one && lines->place.len)
        v->like = lines->place;
    v->number |= v->one && (v->shape & SHAPE_DIGITS);
}

/* What read puts into the name number `i` of `count`. The last one takes the rest of the line. */
struct shell_value shape_of_name(const struct walk *w, size_t i, size_t count)
{
    const struct lines *lines = known_lines(w->env.input.lines);
    bool rest = i + 1 == count && (lines->more || lines->count > count);
    bool whole = w->env.ifs.known && !w->env.ifs.chars.len && count == 1;

    if (i >= lines->count || rest || !w->env.ifs.known ||
        !(whole || str_is(w->env.ifs.chars, " \t\n")))
        return (struct shell_value){0};
    return (struct shell_value){.shape = lines->columns[i],
                                .one = true,
                                .filled = true,
                                .number = (lines->columns[i] & SHAPE_DIGITS) != 0};
}
