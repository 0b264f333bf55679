/* sed.c - what a sed script does beyond editing its input.
 *
 * Reads the language of GNU sed 4.9. Where other versions read a script differently (a delimiter
 * inside brackets, a label before '}'), or where the next -e would continue it, the script is
 * doubted: reading one part too far hides the commands after it. */
#include "base/ascii.h"
#include "programs/reading.h"

struct script {
    struct reading *r;
    struct piece p;
    struct str text;
    size_t at;
    unsigned depth; /* nesting of { } */
    bool labelled;  /* a label began this line: BSD sed takes the rest of the line for its name */
    bool bad;
};

static int look(const struct script *s)
{
    return !s->bad && s->at < s->text.len ? (unsigned char)s->text.s[s->at] : -1;
}

static void give_up(struct script *s)
{
    s->bad = true;
    doubt(s->r, s->p.word);
}

static void skip_blanks(struct script *s)
{
    while (look(s) == ' ' || look(s) == '\t')
        s->at++;
}

static void skip_digits(struct script *s)
{
    while (ascii_is_digit(look(s)))
        s->at++;
}

/* After '[': to the ']' that ends the brackets. */
static void skip_brackets(struct script *s)
{
    if (look(s) == '^')
        s->at++;
    if (look(s) == ']')
        s->at++;
    while (look(s) != ']') {
        int c = look(s);
        if (c < 0 || c == '\n') {
            give_up(s);
            return;
        }
        s->at++;
        int kind = look(s);
        if (c == '\\' && kind == ']')
            give_up(s); /* for BSD sed the brackets continue */
        if (c == '[' && (kind == ':' || kind == '.' || kind == '=')) {
            do
                s->at++;
            while (look(s) >= 0 &&
                   !(look(s) == kind && s->at + 1 < s->text.len && s->text.s[s->at + 1] == ']'));
            s->at += 2;
        }
    }
    s->at++;
}

/* Past the next delimiter. */
static void skip_part(struct script *s, int delimiter, bool regex)
{
    for (;;) {
        int c = look(s);
        if (c < 0 || c == '\n') {
            give_up(s);
            return;
        }
        s->at++;
        if (c == delimiter)
            return;
        if (c == '\\') {
            if (look(s) < 0)
                give_up(s);
            s->at++;
        } else if (c == '[' && regex) {
            size_t from = s->at;
            skip_brackets(s);
            if (!s->bad && str_has(str_slice(s->text, from, s->at), (char)delimiter))
                give_up(s);
        }
    }
}

static int take_delimiter(struct script *s)
{
    int c = look(s);

    if (c < '!' || c > '~' || c == '\\' || c == '[' || ascii_is_digit(c) || ascii_is_letter(c))
        give_up(s);
    s->at++;
    return c;
}

/* False if there is none. */
static bool skip_address(struct script *s, bool second)
{
    int c = look(s);

    if (ascii_is_digit(c)) {
        skip_digits(s);
        if (look(s) == '~') {
            s->at++;
            skip_digits(s);
        }
    } else if (c == '$') {
        s->at++;
    } else if (second && (c == '+' || c == '~')) {
        s->at++;
        skip_digits(s);
    } else if (c == '/' || c == '\\') {
        if (c == '\\')
            s->at++;
        skip_part(s, take_delimiter(s), true);
        while (look(s) == 'I' || look(s) == 'M')
            s->at++;
    } else {
        return false;
    }
    return true;
}

static void skip_addresses(struct script *s)
{
    if (!skip_address(s, false))
        return;
    skip_blanks(s);
    if (look(s) == ',') {
        s->at++;
        skip_blanks(s);
        if (!skip_address(s, true))
            give_up(s);
    }
}

static void expect_end(struct script *s)
{
    skip_blanks(s);
    int c = look(s);
    s->labelled &= c != '\n';
    if (c == ';' || c == '\n')
        s->at++;
    else if (c >= 0 && c != '}' && c != '#')
        give_up(s);
}

static void take_file(struct script *s, unsigned access)
{
    struct piece file = s->p;

    skip_blanks(s);
    file.text = str_from_byte(s->text, s->at);
    file.text = str_slice(file.text, 0, str_index(file.text, '\n'));
    file.operand = true;
    if (!file.text.len)
        give_up(s);
    else
        add_path(s->r, file, access, false);
    s->at += file.text.len;
}

/* a, i, c: to the end of the first line without a trailing backslash. */
static void skip_text(struct script *s)
{
    bool any = false;

    for (; look(s) >= 0 && look(s) != '\n'; s->at++) {
        if (look(s) == '\\') {
            s->at++;
            if (look(s) < 0 || (look(s) == '\n' && s->labelled))
                give_up(s); /* the next -e continues it; or there is no text, and its second line is
                               code */
        }
        any = true;
    }
    if (!any)
        give_up(s);
}

static void skip_label(struct script *s)
{
    skip_blanks(s);
    for (int c = look(s); c == '_' || ascii_is_alnum(c); c = look(s))
        s->at++;
    if (look(s) == '}')
        give_up(s);
    s->labelled = true;
    expect_end(s);
}

static void run_code(struct script *s)
{
    s->r->out->effects |= EFFECT_CODE;
    give_up(s);
}

static void read_substitute(struct script *s)
{
    int delimiter = take_delimiter(s);

    skip_part(s, delimiter, true);
    skip_part(s, delimiter, false);
    for (;; s->at++) {
        int c = look(s);
        if (c == 'e') {
            run_code(s);
            return;
        }
        if (c == 'w') {
            s->at++;
            take_file(s, PROGRAM_WRITES);
            return;
        }
        if (c < 0 || !(ascii_is_digit(c) || strchr("gpiImM", c)))
            break;
    }
    expect_end(s);
}

/* One switch over the commands of the language. */
static void read_command(struct script *s)
{
    int c = look(s);

    s->at++;
    switch (c) {
    case '{':
        s->depth++;
        break;
    case '}':
        if (!s->depth--)
            give_up(s);
        expect_end(s);
        break;
    case '#':
        while (look(s) >= 0 && look(s) != '\n')
            s->at++;
        break;
    case 'a':
    case 'c':
    case 'i':
        skip_text(s);
        break;
    case ':':
    case 'b':
    case 't':
    case 'T':
        skip_label(s);
        break;
    case 'r':
    case 'R':
        take_file(s, PROGRAM_READS);
        break;
    case 'w':
    case 'W':
        take_file(s, PROGRAM_WRITES);
        break;
    case 'e':
        run_code(s);
        break;
    case 's':
        read_substitute(s);
        break;
    case 'y':
        c = take_delimiter(s);
        skip_part(s, c, false);
        skip_part(s, c, false);
        expect_end(s);
        break;
    case 'l':
    case 'q':
    case 'Q':
        skip_blanks(s);
        skip_digits(s);
        expect_end(s);
        break;
    default:
        if (c < 0 || !strchr("=dDgGhHnNpPxzF", c))
            give_up(s);
        expect_end(s);
    }
}

/* sed -i '' SCRIPT: an empty script here, but on macOS the empty word is the suffix and the next
 * word the script. */
static bool is_foreign_suffix(const struct reading *r, struct piece p)
{
    struct str before = r->words[p.word - 1].text;

    return !p.text.len && before.len > 1 && before.s[0] == '-' && before.s[before.len - 1] == 'i';
}

void read_sed(struct reading *r, struct piece p)
{
    struct script s = {.r = r, .p = p, .text = p.text};

    if (is_foreign_suffix(r, p))
        give_up(&s);
    /* Numbers that the shell inserts (sed -n "${n}p") could be anything. */
    if (!p.known || str_has(p.text, '\0'))
        give_up(&s);
    while (look(&s) >= 0) {
        if (strchr(" \t\n;", look(&s))) {
            s.labelled &= look(&s) != '\n';
            s.at++;
            continue;
        }
        skip_addresses(&s);
        skip_blanks(&s);
        while (look(&s) == '!' || look(&s) == ' ')
            s.at++;
        if (look(&s) < 0)
            give_up(&s);
        else
            read_command(&s);
    }
    if (s.depth && !s.bad)
        doubt(r, p.word); /* the next -e continues it */
}
