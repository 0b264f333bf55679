/* handed.c - words that a runner hands on to a program that no row explains: behind `npm test --`,
 * behind the name of a script.
 *
 * That program may take any part of a word for a path, whatever stands in front of it (-o/x,
 * --emit=metadata=/x, file:/x, 'cache-dir="/x"'). So every part is one, and the caller judges where
 * it leads. Old versions of npm and pnpm also put these words between double quotes and give them
 * to a shell: what a shell would expand there is code. */
#include "base/ascii.h"
#include "programs/reading.h"

#define PARTS_MAX 64 /* of one word; one with more of them is doubted */

/* Signs of patterns and of names (c++), behind which a path is less likely. */
static bool separates_perhaps(char c)
{
    return c && strchr("\\%^!#+?", c);
}

/* Where a part of a word ends. */
static bool separates(char c)
{
    return c && (strchr("=:,@;|&<>(){}[]'\" \t\n\r", c) || separates_perhaps(c));
}

/* Would a shell that finds the word between double quotes run a part of it, or put a variable in
 * its place? A backslash before a quote ends those quotes where only quotes are escaped, and one at
 * the end of the word does so for the next. */
bool word_is_expanded(struct str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char next = i + 1 < s.len ? s.s[i + 1] : '\0';
        if (s.s[i] == '`' || (s.s[i] == '\\' && (!next || next == '"')) ||
            (s.s[i] == '$' && (ascii_is_letter(next) || (next && strchr("_({", next)))))
            return true;
        i += s.s[i] == '\\';
    }
    return false;
}

/* $NAME and ${NAME}, which a program may put a value in place of, whatever a shell made of them. */
static bool names_variable(struct str s)
{
    for (size_t i = 0; i + 1 < s.len; i++)
        if (s.s[i] == '$' && (ascii_is_letter(s.s[i + 1]) || s.s[i + 1] == '_'))
            return true;
    return false;
}

static bool looks_like_path(struct str s)
{
    return s.len && (str_has(s, '/') || s.s[0] == '~' || s.s[0] == '.');
}

/* Does an option of this name write a file? Where it does not, its value is mostly no file at all.
 */
static bool is_output_name(struct str name)
{
    static const char *const words[] = {"dest",  "dump",  "emit",  "export", "file",
                                        "junit", "log",   "out",   "record", "report",
                                        "save",  "store", "trace", "write",  "prof"};
    static const char *const inputs[] = {"config", "tsconfig", "ignore", "input", "filter"};

    if (str_is(name, "-o"))
        return true;
    if (!str_starts(name, STR("--")))
        return false;
    for (size_t i = 0; i < COUNT(inputs); i++)
        if (str_contains(name, str_from(inputs[i])))
            return false;
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_contains(name, str_from(words[i])))
            return true;
    return false;
}

/* --logfile FILE: the word in front of it is such an option. */
static bool follows_output(const struct reading *r, struct piece p)
{
    struct str before = p.word > 1 ? r->words[p.word - 1].text : (struct str){0};

    return is_output_name(before) && !str_has(before, '=');
}

static void add_part(struct reading *r, struct piece p, struct str text, bool guess)
{
    size_t before = r->out->paths.count;

    p.text = text;
    p.operand = false;
    p.known |=
        !str_has(text, WORD_UNKNOWN) && !p.may_glob && str_has(r->words[p.word].text, WORD_UNKNOWN);
    apply_role(r, STR("R"), p);
    if (r->out->paths.count > before)
        r->out->paths.items[before].guess = guess;
}

/* -o/x, -MF/x, -I./x, -o.git/config: a value right behind the letters of an option, or behind the
 * dash alone. After two letters it may as well be a relative path, of which the slash is the
 * middle. */
static void add_glued(struct reading *r, struct piece p, struct str part)
{
    size_t slash = str_index(part, '/');
    struct str value = str_from_byte(part, part.len < 2 ? part.len : 2);

    if (part.len < 3 || part.s[1] == '-')
        return;
    if (strchr("/~.", part.s[1]))
        add_part(r, p, str_from_byte(part, 1), false); /* -/x */
    if (part.s[1] == 'o') {
        p.text = value;
        apply_role(r, STR("W"), p);
    } else if (looks_like_path(value)) {
        add_part(r, p, value, false);
    }
    if (slash == 3 && ascii_is_letter(part.s[1]) && ascii_is_letter(part.s[2]))
        add_part(r, p, str_from_byte(part, slash), true);
}

/* The parts of a word, of which the whole and what is behind its first `value` bytes are added
 * already. A text with blanks in it is mostly prose (the name of a test): there only what looks
 * like a path counts, and an absolute one only if its first directory exists ("GET /users"). The
 * same holds behind the signs of a pattern (src\/a\.test). */
static void add_parts(struct reading *r, struct piece p, size_t value)
{
    bool prose = str_has(p.text, ' ');
    size_t parts = 0;

    for (size_t at = 0, end; at <= p.text.len; at = end + 1) {
        for (end = at; end < p.text.len && !separates(p.text.s[end]);)
            end++;
        struct str part = str_slice(p.text, at, end);
        if (!part.len)
            continue;
        if (++parts > PARTS_MAX) {
            doubt(r, p.word);
            return;
        }
        if (names_variable(part) && looks_like_path(part))
            doubt(r, p.word);
        bool added = end == p.text.len && (at == 0 || at == value);
        bool guess = prose || (at > 0 && separates_perhaps(p.text.s[at - 1]));
        if (part.s[0] == '-')
            add_glued(r, p, part);
        else if (!added && (looks_like_path(part) || (at > 0 && !guess)))
            add_part(r, p, part, guess);
    }
}

void read_arg(struct reading *r, struct piece p)
{
    struct str name, value = {0};

    p.operand = false;
    if (word_is_expanded(p.text))
        r->out->effects |= EFFECT_CODE;
    if (str_cut(p.text, '=', &name, &value)) {
        struct piece after = p;
        after.text = value;
        apply_role(r, is_output_name(name) ? STR("W") : STR("R"), after);
    }
    if (p.text.len && (p.text.s[0] != '-' || str_has(p.text, WORD_UNKNOWN)))
        apply_role(r, follows_output(r, p) ? STR("W") : STR("R"), p);
    add_parts(r, p, value.len ? p.text.len - value.len : 0);
}

void read_args(struct reading *r, struct piece p)
{
    for (size_t i = p.word; i < r->count; i++)
        read_arg(r, whole_word(r, i));
}

/* A file of settings, or the settings themselves (ruff --config 'cache-dir="/x"'). */
void read_settings(struct reading *r, struct piece p)
{
    if (str_has(p.text, '=') || str_has(p.text, ':') || str_has(p.text, '{'))
        read_arg(r, p);
    else
        apply_role(r, STR("R"), p);
}

/* What follows `--` are options of another program, which has a row: cargo clippy -- -D warnings.
 */
static void read_as(struct reading *r, struct piece p, const char *program)
{
    size_t count = r->count - p.word + 1;
    struct shell_word *words = arena_room(r->arena, count, sizeof(*words));
    struct program_use use;

    words[0] = (struct shell_word){.text = str_from(program), .known = true};
    memcpy(words + 1, r->words + p.word, (count - 1) * sizeof(*words));
    program_explain(r->arena, words, count, r->more, &use);
    r->out->effects |= use.effects & ~(unsigned)EFFECT_UNKNOWN;
    if ((use.effects & EFFECT_UNKNOWN) || use.script || use.inners || use.directory.len)
        doubt(r, use.doubt ? p.word + use.doubt - 1 : p.word);
    for (size_t i = 0; i < use.paths.count; i++) {
        struct program_path path = use.paths.items[i];
        path.word = path.word ? p.word + path.word - 1 : 0;
        LIST_PUSH(r->arena, &r->out->paths, path);
    }
    for (size_t i = 0; i < use.hosts.count; i++)
        LIST_PUSH(r->arena, &r->out->hosts, use.hosts.items[i]);
}

/* Called for the first of these words, and then for each further one: they are read once. */
static bool is_first_operand(const struct reading *r, struct piece p)
{
    return r->operands.count && r->operands.items[0] == p.word;
}

void read_rustc(struct reading *r, struct piece p)
{
    if (is_first_operand(r, p))
        read_as(r, p, "rustc");
}

void read_rustfmt(struct reading *r, struct piece p)
{
    if (is_first_operand(r, p))
        read_as(r, p, "rustfmt");
}
