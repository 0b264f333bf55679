#include "facts/code_paths.h"

#include "base/ascii.h"
#include "facts/actions.h"
#include "facts/copies_in.h"
#include "facts/own_places.h"
#include "facts/sensitive_paths.h"

#define CODE_CALLS_MAX 256 /* of one text; more of them ask */

static const char *const computed = "any file, by a name that inline code computes";

enum kind {
    NAMES_FILES,  /* its arguments are the names of files, which it changes */
    NAMES_FIRST,  /* the first one is */
    OPENS,        /* the first one, if another says that it is written */
    ON_RECEIVER,  /* the object in front of it is: Path("x").unlink() */
    RUNS_COMMAND, /* its arguments are a command */
    RUNS_CODE,    /* its argument is code */
    LOADS,        /* its argument is the name of a module */
};

/* The functions of all these languages; with a dot only as a member of that. */
static const struct functions {
    enum kind kind;
    const char *names;
} functions[] = {
    {NAMES_FILES, "os.remove os.unlink os.rmdir removedirs rename renames os.replace symlink link "
                  "shutil.move shutil.copy copy2 copyfile copytree renameSync copyFileSync cpSync "
                  "symlinkSync linkSync copyFile File.delete Dir.delete FileUtils.mv FileUtils.cp "
                  "FileUtils.cp_r"},
    {NAMES_FIRST, "os.truncate os.chmod rmtree rmSync unlinkSync rmdirSync writeFileSync "
                  "appendFileSync truncateSync chmodSync rm writeFile appendFile "
                  "createWriteStream remove_tree File.write rm_rf rm_r rm_f file_put_contents"},
    {OPENS, "open fopen"},
    {ON_RECEIVER, "extractall unlink rmdir write_text write_bytes symlink_to hardlink_to"},
    {RUNS_COMMAND, "system popen Popen subprocess.run subprocess.call check_call check_output "
                   "getoutput execSync spawnSync execFileSync shell_exec passthru proc_open execv "
                   "execvp"},
    {RUNS_CODE, "eval exec"},
    {LOADS, "__import__"},
};

struct code {
    const struct facts *f;
    const struct action *action;
    struct str text;
    size_t calls;
};

static bool is_name(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_';
}

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.len && strchr(" \t\n", text.s[at]))
        at++;
    return at;
}

/* ---- arguments ---- */

/* One argument: a string without anything that is filled in, and nothing else. */
struct argument {
    struct str text;
    bool literal;
    bool named;  /* key=value, or {key: value} */
    bool moves;  /* ... with a directory to work in */
    bool mode;   /* mode=value */
    bool spread; /* *list or **list: any arguments */
};
struct arguments LIST_OF(struct argument);

/* Behind the closing quote; the end of the text if there is none. */
static size_t string_end(struct str text, size_t at)
{
    char quote = text.s[at];

    for (at++; at < text.len && text.s[at] != quote; at++)
        if (text.s[at] == '\\')
            at++;
    return at < text.len ? at + 1 : text.len;
}

/* The end of the argument: a comma or a bracket outside of others; without brackets around the
 * arguments also the end of the statement. */
static size_t argument_end(struct str text, size_t at, bool bracketed)
{
    size_t depth = 0;

    while (at < text.len) {
        char c = text.s[at];
        if (strchr("'\"`", c)) {
            at = string_end(text, at);
            continue;
        }
        if (depth == 0 && (strchr(",)]}", c) || (!bracketed && strchr(";\n", c))))
            break;
        if (strchr("([{", c))
            depth++;
        else if (strchr(")]}", c))
            depth--;
        at++;
    }
    return at;
}

/* What the functions above call a file, a command or a module: dst=x is x. */
static bool is_subject(struct str key)
{
    return str_has_word(STR("src dst path file filename name old new from to command cmd args argv "
                            "executable"),
                        key);
}

static struct argument argument_of(struct str text)
{
    struct argument out = {0};
    size_t at = 0;

    while (text.len && strchr(" \t\n", text.s[text.len - 1]))
        text.len--;
    at = skip_blanks(text, 0);
    text = str_from_byte(text, at);
    for (at = 0; at < text.len && is_name(text.s[at]);)
        at++;
    if (at > 0 && at < text.len && strchr("=:", text.s[at]) && is_subject(str_slice(text, 0, at)))
        return argument_of(str_from_byte(text, at + 1));
    out.mode = str_is(str_slice(text, 0, at), "mode");
    out.spread = str_starts(text, STR("*"));
    out.named = (at > 0 ? at < text.len && strchr("=:", text.s[at]) : str_starts(text, STR("{"))) &&
                !str_starts(text, STR("mode"));
    out.moves = out.named && str_contains(text, STR("cwd"));
    /* r"x", b"x"; in f"x" and u8"x" more may happen */
    bool prefixed = at == 1 && strchr("rRbBuU", text.s[0]);
    if (at > 0 && !prefixed)
        return out;
    if (at < text.len && strchr("'\"", text.s[at]) && string_end(text, at) == text.len) {
        out.text = str_slice(text, at + 1, text.len - 1);
        out.literal = str_until(out.text, text.s[at] == '"' ? "\\$#" : "\\") == out.text.len;
    }
    return out;
}

/* `at` is behind the name. Lists inside are read as further arguments: ["git", "stash"]. */
static struct arguments arguments_of(const struct code *c, size_t at)
{
    struct arguments list = {0};
    bool bracketed;

    at = skip_blanks(c->text, at);
    bracketed = at < c->text.len && c->text.s[at] == '(';
    at += bracketed;
    while (at < c->text.len) {
        at = skip_blanks(c->text, at);
        if (at < c->text.len && c->text.s[at] == '[') {
            at++;
            continue;
        }
        size_t end = argument_end(c->text, at, bracketed);
        if (end > at)
            LIST_PUSH(c->f->arena, &list, argument_of(str_slice(c->text, at, end)));
        while (end < c->text.len && c->text.s[end] == ']')
            end = skip_blanks(c->text, end + 1);
        if (end >= c->text.len || c->text.s[end] != ',')
            break;
        at = end + 1;
    }
    return list;
}

static bool all_literal(const struct arguments *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].literal && !list->items[i].named)
            return false;
    return list->count > 0;
}

/* ---- what a call does ---- */

/* "w", ">", "r+": written; "r", "rb", "<" and nothing: read. */
static bool says_read(struct str mode)
{
    for (size_t i = 0; i < mode.len; i++)
        if (!strchr("rbtU<:utf8-", mode.s[i]))
            return false;
    return true;
}

static bool has_direction(const struct argument *arg)
{
    return arg->literal && arg->text.len && strchr("<>+|-", arg->text.s[0]);
}

/* open(PATH, "w"); Perl: open(F, ">", PATH), open(F, ">PATH"), open(F, "command |") */
static const char *opens(const struct code *c, const struct arguments *list)
{
    const struct argument *first = list->items, *second = first + 1;
    bool perl = strchr(c->action->row->launches, 'o') != NULL;

    for (size_t i = 0; !perl && i < list->count; i++)
        if (list->items[i].spread || (list->items[i].mode && !first->literal))
            return computed;
    if (list->count < 2)
        return NULL; /* only read */
    if (perl && (has_direction(second) || !first->literal)) {
        const struct argument *path = list->count > 2 ? second + 1 : second;
        if (second->literal && (says_read(second->text) || str_ends(second->text, STR("|"))))
            return NULL;
        return path->literal ? NULL : computed;
    }
    return first->literal || second->named || (second->literal && says_read(second->text))
               ? NULL
               : computed;
}

static bool changes_any(const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        if (a->subject.paths.items[i].access & (ACCESS_WRITE | ACCESS_DELETE))
            return true;
    return !a->program || a->effects || a->unknown;
}

static bool changes_own_place(const struct facts *f, const struct action *a)
{
    if (a->mention || (copies_in_rewrites(a) && own_place_in_tree(f, a)))
        return true;
    for (size_t i = 0; i < a->subject.paths.count; i++) {
        const struct subject_path *p = &a->subject.paths.items[i];
        if ((p->access & (ACCESS_WRITE | ACCESS_DELETE)) &&
            (own_place_below(f, a, p) || (!p->below && path_own_state(f, p))))
            return true;
    }
    return false;
}

/* The command as a shell would read it. */
static const char *command_of(const struct code *c, const struct arguments *list)
{
    struct buf b = buf_in(c->f->arena);
    bool moves = false;

    for (size_t i = 0; i < list->count; i++) {
        const struct argument *arg = &list->items[i];
        if (!arg->literal && !arg->named)
            return computed;
        if (!arg->named)
            buf_format(&b, "%s%.*s", i ? " " : "", STR_ARG(arg->text));
        moves |= arg->moves;
    }
    struct facts *inner = actions_of_text(c->f, buf_str(&b), c->action->cwd);
    if (!inner)
        return computed;
    for (size_t i = 0; i < inner->actions.count; i++)
        if (changes_own_place(inner, &inner->actions.items[i]) ||
            (moves && changes_any(&inner->actions.items[i])))
            return "a path that verdicts depend on, through a command that inline code starts";
    return NULL;
}

/* Path("x").unlink(): the object is one literal. */
static bool has_literal_receiver(struct str text, size_t name)
{
    size_t at = name;

    if (at < 4 || text.s[at - 1] != '.' || text.s[at - 2] != ')' || !strchr("'\"", text.s[at - 3]))
        return false;
    char quote = text.s[at - 3];
    for (at -= 3; at > 0 && text.s[at - 1] != quote;)
        at--;
    return at > 5 && str_ends(str_slice(text, 0, at - 1), STR("Path("));
}

static const char *in_call(const struct code *c, const struct functions *function, size_t name,
                           size_t behind)
{
    const struct arguments list = arguments_of(c, behind);

    switch (function->kind) {
    case NAMES_FILES:
        return all_literal(&list) ? NULL : computed;
    case NAMES_FIRST:
        return list.count && list.items[0].literal ? NULL : computed;
    case OPENS:
        return opens(c, &list);
    case ON_RECEIVER:
        if (name > 0 && strchr(".>", c->text.s[name - 1]))
            return has_literal_receiver(c->text, name) ? NULL : computed;
        return all_literal(&list) ? NULL : computed; /* a function: unlink "x" */
    case RUNS_COMMAND:
        return command_of(c, &list);
    case RUNS_CODE: /* of an expression of JavaScript, or of its child_process */
        if (name > 0 && c->text.s[name - 1] == '.')
            return str_contains(c->text, STR("child_process")) ? command_of(c, &list) : NULL;
        return list.count ? computed : NULL;
    case LOADS:
        return all_literal(&list) ? NULL : computed;
    }
    return computed;
}

/* ---- finding calls ---- */

/* os.remove, File::delete: `of` is the name in front of these marks. */
static bool is_member_of(struct str text, size_t name, struct str of)
{
    size_t mark = 0;

    while (mark < name && strchr(".:", text.s[name - mark - 1]))
        mark++;
    return mark > 0 && name >= of.len + mark &&
           str_eq(str_slice(text, name - mark - of.len, name - mark), of);
}

static bool is_listed(const char *names, struct str text, size_t from, size_t to)
{
    struct str rest = str_from(names), one, of, name;

    while (str_next_word(&rest, &one)) {
        bool member = str_cut(one, '.', &of, &name);
        if (str_eq(str_slice(text, from, to), member ? name : one) &&
            (!member || is_member_of(text, from, of)))
            return true;
    }
    return false;
}

static const struct functions *function_at(struct str text, size_t from, size_t to)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (is_listed(functions[i].names, text, from, to))
            return &functions[i];
    return NULL;
}

/* A name that is called: with a bracket, or with an argument behind a blank (Perl, Ruby). */
static bool is_called(const struct code *c, const struct functions *function, size_t behind)
{
    size_t at = skip_blanks(c->text, behind);

    if (at < c->text.len && c->text.s[at] == '(')
        return true;
    if (c->action->row->launches[0] != '$' || at == behind || at == c->text.len)
        return false;
    return (function->kind == OPENS && is_name(c->text.s[at])) ||
           (str_starts(str_from_byte(c->text, at), STR("glob")) || strchr("'\"$@<", c->text.s[at]));
}

/* perl: unlink without an argument, for (<.c*>) { unlink } */
static bool is_bare(const struct code *c, size_t from, size_t behind)
{
    return c->action->row->launches[0] == '$' && str_is(str_slice(c->text, from, behind), "unlink");
}

/* awk: print > f, print | c. */
static const char *in_print(const struct code *c, size_t at)
{
    while (at < c->text.len && !strchr(">|;}\n", c->text.s[at]))
        at = strchr("\"", c->text.s[at]) ? string_end(c->text, at) : at + 1;
    if (at >= c->text.len || !strchr(">|", c->text.s[at]))
        return NULL;
    bool command = c->text.s[at] == '|';
    while (at < c->text.len && strchr(">|&", c->text.s[at]))
        at++;
    const struct argument to =
        argument_of(str_slice(c->text, at, argument_end(c->text, at, false)));
    if (!to.literal)
        return computed;
    struct arguments only = {0};
    LIST_PUSH(c->f->arena, &only, to);
    return command ? command_of(c, &only) : NULL;
}

/* perl: `command` */
static const char *in_backticks(struct code *c, size_t at, size_t *end)
{
    struct arguments only = {0};

    *end = string_end(c->text, at);
    struct str text = str_slice(c->text, at + 1, *end > at + 1 ? *end - 1 : *end);
    LIST_PUSH(c->f->arena, &only,
              ((struct argument){.text = text, .literal = !str_has(text, '$')}));
    return ++c->calls > CODE_CALLS_MAX ? computed : command_of(c, &only);
}

/* The name between these two places. */
static const char *in_name(struct code *c, size_t at, size_t end)
{
    const struct functions *function = function_at(c->text, at, end);

    if (function && (is_called(c, function, end) || is_bare(c, at, end)))
        return ++c->calls > CODE_CALLS_MAX ? computed : in_call(c, function, at, end);
    if (c->action->row->launches[0] == '|' && str_starts(str_slice(c->text, at, end), STR("print")))
        return in_print(c, end);
    return NULL;
}

const char *code_paths(const struct facts *f, const struct action *a, struct str code)
{
    struct code c = {.f = f, .action = a, .text = code};
    const char *what = NULL;

    for (size_t at = 0, end; !what && at < code.len; at = end) {
        for (end = at; end < code.len && is_name(code.s[end]);)
            end++;
        if (end > at)
            what = in_name(&c, at, end);
        else if (code.s[at] == '`' && strchr(a->row->launches, '`'))
            what = in_backticks(&c, at, &end);
        else
            end = at + 1;
    }
    return what;
}
