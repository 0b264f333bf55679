#include "facts/named_in.h"

#include "base/path.h"

#define TEXT_FEW ((size_t)16 * 1024)

enum lead {
    LEAD_NONE = 0,
    LEAD_RUN,  /* one of the next words is, up to the end of the command: options may take values */
    LEAD_NEXT, /* the next word is a name */
    LEAD_LINE, /* all words of the line are */
    LEAD_LIST, /* all words are, up to the bracket that closes the list, or of the line */
};

struct reading {
    const struct facts *facts;
    struct str text, directory;
    named_file *each;
    void *to;
    size_t at, tried;
    enum lead lead;
    bool runs;          /* after LEAD_RUN */
    bool json;          /* a quote ends a command */
    bool command;       /* the next word is one */
    int depth, scripts; /* in braces; how deep "scripts" is, 0: not in it */
    int open;           /* brackets, of a list */
    bool first;         /* no word of the line so far */
    bool known;
};

/* ---- words ---- */

static bool is_made(char c)
{
    return c == '$' || c == '*' || c == '%' || c == '?';
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("_./@+~-", c)) || is_made(c) || (unsigned char)c >= 0x80;
}

struct word {
    struct str text;
    bool made; /* part of it is only known at run time */
};

/* A variable or a call ends directly before it, or begins directly after it. */
static bool is_glued(const struct reading *r, size_t from)
{
    char before = from ? r->text.s[from - 1] : ' ',
         after = r->at < r->text.len ? r->text.s[r->at] : ' ';

    return before == ')' || before == '}' || before == '`' || after == '`';
}

static struct word take_word(struct reading *r)
{
    size_t from = r->at;
    struct word w = {0};

    for (; r->at < r->text.len && is_name_byte(r->text.s[r->at]); r->at++)
        w.made |= is_made(r->text.s[r->at]);
    w.text = str_slice(r->text, from, r->at);
    w.made |= is_glued(r, from);
    return w;
}

/* ---- files ---- */

/* How a script or a part of a build is named; empty: it is neither. */
static struct str script_ending(struct str name)
{
    static const char *const endings[] = {".bash", ".bzl",  ".cmake", ".fish",  ".gradle", ".kts",
                                          ".mak",  ".make", ".mk",    ".ninja", ".sh",     ".zsh"};

    for (size_t i = 0; i < COUNT(endings); i++)
        if (str_ends(name, str_from(endings[i])))
            return str_from(endings[i]);
    return (struct str){0};
}

static bool try_file(struct reading *r, struct str name)
{
    const struct facts *f = r->facts;
    struct str path;

    if (!path_absolute(f->arena, r->directory, f->home, name, &path) ||
        !path_is_inside(path, f->workspace) ||
        f->world->kind(f->world->context, path.s) != FILE_REGULAR)
        return false;
    r->each(r->to, path);
    return true;
}

static bool try_with(struct reading *r, struct str name, const char *endings)
{
    struct str rest = str_from(endings), ending;

    while (str_next_word(&rest, &ending))
        if (try_file(r, str_format(r->facts->arena, "%.*s%.*s", STR_ARG(name), STR_ARG(ending))))
            return true;
    return false;
}

/* tools.check is tools/check.py */
static struct str module_path(const struct reading *r, struct str name)
{
    struct buf path = buf_in(r->facts->arena);

    for (size_t i = 0; i < name.len; i++)
        buf_byte(&path, (char)(name.s[i] == '.' ? '/' : name.s[i]));
    return buf_str(&path);
}

static bool try_name(struct reading *r, struct str name)
{
    while (str_starts(name, STR("./")))
        name = str_from_byte(name, 2);
    if (!name.len)
        return false;
    return try_file(r, name) || try_with(r, name, ".js .cjs .mjs .ts .cts .mts .py") ||
           try_with(r, name, "/index.js /index.ts /__init__.py") ||
           (!str_has(name, '/') && try_with(r, module_path(r, name), ".py /__init__.py"));
}

/* ---- names that are made at run time ---- */

#define BESIDE_MAX ((size_t)64 * 1024) /* bytes of the names in a directory */

/* `ending` empty: all scripts and parts of builds. */
static void try_beside(struct reading *r, struct str directory, struct str ending)
{
    const struct facts *f = r->facts;
    char *names = arena_room(f->arena, BESIDE_MAX, 1);

    if (!f->world->list ||
        !f->world->list(f->world->context, str_copy(f->arena, directory).s, names, BESIDE_MAX)) {
        r->known = false;
        return;
    }
    for (; *names; names += strlen(names) + 1)
        if (ending.len ? str_ends(str_from(names), ending) : script_ending(str_from(names)).len > 0)
            (void)try_file(r, path_join(f->arena, directory, str_from(names)));
}

/* mk/(star).mk: the directory is written out. */
static void try_made(struct reading *r, struct str name)
{
    struct str above = path_dir(name), ending = script_ending(name), path;

    try_beside(r, r->directory, ending);
    for (size_t i = 0; i < above.len; i++)
        if (is_made(above.s[i]))
            return;
    if (str_has(name, '/') &&
        path_absolute(r->facts->arena, r->directory, r->facts->home, above, &path) &&
        path_is_inside(path, r->facts->workspace) && !str_eq(path, r->directory))
        try_beside(r, path, ending);
}

/* ---- what a word is ---- */

/* node, bash, python3.11: what follows may be a file that it runs. */
static bool is_interpreter(struct str word)
{
    struct str name = path_base(word);
    const struct program_row *row = program_by_any_name(name);

    while (!row && name.len > 1 && strchr("0123456789.", name.s[name.len - 1])) {
        name.len--;
        row = program_by_any_name(name);
    }
    return row && ((row->effects & EFFECT_CODE) || program_runs_operands(row));
}

static enum lead lead_of(const struct reading *r, struct str word)
{
    if (r->first && str_has_word(STR("include -include sinclude"), word))
        return LEAD_LINE;
    if (str_has_word(STR("globalSetup globalTeardown setupFiles setupFilesAfterEnv pytest_plugins "
                         "plugins require extends preset runner testEnvironment testRunner "
                         "transform resolver reporters"),
                     word))
        return LEAD_LIST;
    if (str_has_word(STR("import from source -r --require --import --loader -p -m"), word))
        return LEAD_NEXT;
    return is_interpreter(word) ? LEAD_RUN : LEAD_NONE;
}

static bool may_try(struct reading *r)
{
    r->known = r->known && r->tried < NAMED_IN_MAX;
    return r->tried++ < NAMED_IN_MAX;
}

/* Is it the name of a file? */
static bool take_name(struct reading *r, struct word w)
{
    if (!may_try(r))
        return false;
    if (w.made)
        try_made(r, w.text);
    return !w.made && try_name(r, w.text);
}

/* python -m runs the module, and no file after it. */
static void begin_lead(struct reading *r, struct str word, enum lead lead)
{
    if (lead == LEAD_RUN)
        r->runs = true;
    else
        r->lead = lead;
    if (str_is(word, "-m"))
        r->runs = false;
    r->open = 0;
}

/* @bash x: what a line of a recipe may begin with. */
static struct str without_marks(struct str word)
{
    while (word.len && strchr("@+-", word.s[0]))
        word = str_from_byte(word, 1);
    return word;
}

static void judge_word(struct reading *r, struct word w)
{
    enum lead lead = lead_of(r, w.text);

    if (r->first && lead == LEAD_NONE) {
        w.text = without_marks(w.text);
        lead = lead_of(r, w.text);
    }
    bool option = str_starts(w.text, STR("-"));

    r->first = false;
    if (r->json && str_is(w.text, "scripts"))
        r->scripts = r->depth;
    if (lead != LEAD_NONE) {
        r->command = false;
        begin_lead(r, w.text, lead);
        return;
    }
    bool led = r->lead != LEAD_NONE && !option, run = !led && r->runs && !option;
    bool command = r->command && str_has(w.text, '/');
    r->command = false;
    if (r->lead == LEAD_NEXT && !option)
        r->lead = LEAD_NONE;
    if ((led || run || command || script_ending(w.text).len ||
         (str_starts(w.text, STR("./")) && w.text.len > 2)) &&
        take_name(r, w) && run)
        r->runs = false;
}

/* The values of "scripts" in package.json are commands; other texts of JSON are not. */
static void judge_depth(struct reading *r, char c)
{
    if (c == '{')
        r->depth++;
    if (c == '}' && --r->depth == r->scripts)
        r->scripts = 0;
}

static void judge_mark(struct reading *r, char c)
{
    if (c == ';' || c == '|' || c == '&' || (c == '\n' && !r->json))
        r->command = true;
    if (c == '"' && r->json)
        r->command = r->scripts && r->depth > r->scripts;
    if (c == '\n' || c == ';' || c == '|' || c == '&' || (c == '"' && r->json))
        r->runs = false;
    judge_depth(r, c);
    if (c == '\n') {
        r->first = true;
        if (r->lead != LEAD_LIST || r->open <= 0)
            r->lead = LEAD_NONE;
    } else if (c == '[' || c == '{' || c == '(') {
        r->open++;
    } else if (c == ']' || c == '}' || c == ')') {
        r->open--;
        if (r->lead == LEAD_LIST && r->open <= 0)
            r->lead = LEAD_NONE;
    }
}

/* Most of them are small. */
bool named_in_read(const struct facts *f, const char *path, struct str *out)
{
    size_t len = 0;

    if (!f->world->text)
        return false;
    for (size_t size = TEXT_FEW; size <= NAMED_IN_TEXT; size *= NAMED_IN_TEXT / TEXT_FEW) {
        char *text = arena_room(f->arena, size, 1);
        if (f->world->text(f->world->context, path, text, size, &len)) {
            *out = (struct str){text, len};
            return true;
        }
    }
    return false;
}

bool named_in(const struct facts *f, struct str path, named_file *each, void *to)
{
    struct reading r = {.facts = f,
                        .directory = path_dir(path),
                        .each = each,
                        .to = to,
                        .first = true,
                        .command = true,
                        .known = true};

    if (!f->world->text || !f->workspace.len)
        return true;
    if (!named_in_read(f, str_copy(f->arena, path).s, &r.text))
        return false;
    r.json = r.text.len && r.text.s[0] == '{';
    while (r.at < r.text.len)
        if (is_name_byte(r.text.s[r.at]))
            judge_word(&r, take_word(&r));
        else
            judge_mark(&r, r.text.s[r.at++]);
    return r.known;
}
