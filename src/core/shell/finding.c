/* finding.c - the static checks: things worth a name, whether or not they are understood. */
#include "base/ascii.h"
#include "base/block.h"
#include "base/utf8.h"
#include "shell/walk.h"

const struct shell_finding_name shell_finding_names[] = {
    {"incomplete-command", "the command stops in the middle of something"},
    {"jq-system", "jq can run programs"},
    {"jq-file-argument", "jq reads a file through an option"},
    {"obfuscated-flag", "an option is written with quotes in it"},
    {"argument-metacharacter", "an argument holds characters that a shell would act on"},
    {"dangerous-variable", "a variable is set that makes other programs run code"},
    {"newline", "several lines"},
    {"substitution", "the output of a command becomes part of another"},
    {"input-redirection", "input comes from a file"},
    {"output-redirection", "output goes to a file"},
    {"ifs", "the characters that separate words are changed or used"},
    {"git-commit-substitution", "a commit message holds a command substitution"},
    {"proc-environ", "the environment of a process is read"},
    {"malformed-token", "syntax that Warder does not read"},
    {"escaped-whitespace", "a blank with a backslash before it"},
    {"brace-expansion", "braces make several words out of one"},
    {"control-character", "a control character"},
    {"unicode-whitespace", "a character that looks like a space but is not one"},
    {"mid-word-hash", "a # inside a word, where it begins no comment"},
    {"zsh-command", "a command that only zsh has"},
    {"escaped-operator", "an operator with a backslash before it"},
    {"comment-quote", "a quote inside a comment"},
    {"quoted-newline", "a newline inside quotes"},
    {"deceptive-character", "a character that is not what it looks like, or invalid UTF-8"},
    {"look-alike-letter",
     "a letter of another script among Latin ones, which looks like one of them"},
    {"recursive-function", "a function that calls itself"},
    {"fork-bomb", "a function that keeps starting two copies of itself"},
    {NULL, NULL},
};

void finding_add(struct walk *w, const char *name, struct str what, size_t at, size_t len)
{
    for (size_t i = 0; i < w->out->findings.count; i++)
        if (w->out->findings.items[i].name == name ||
            strcmp(w->out->findings.items[i].name, name) == 0)
            return; /* the first place is enough, and a list that grows with the text is not */
    LIST_PUSH(w->arena, &w->out->findings,
              (struct shell_finding){name, what, span_at(w, at), span_len(w, len)});
}

static bool is_unicode_space(uint32_t cp)
{
    return cp == 0x85 || cp == 0xa0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) ||
           cp == 0x2028 || cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

/* Bytes that are no ASCII, or control characters but tab and newline. */
static block odd_bytes(block b)
{
    block control =
        (block)((signed_block)b < (signed_block)block_of(0x20)); /* and what is not ASCII */

    return (control & (block)(b != block_of('\n')) & (block)(b != block_of('\t'))) |
           (block)(b == block_of(0x7f));
}

/* Most texts have nothing but what can be printed: that is said without a look at each byte by
 * itself. */
static bool is_printable(struct str text)
{
    char last[BLOCK];
    block odd = {0};
    size_t at = 0;

    for (; at + BLOCK <= text.len; at += BLOCK)
        odd |= odd_bytes(block_at(text.s + at));
    if (at < text.len)
        odd |= odd_bytes(block_at(block_end(text, last)));
    return !block_bits(odd);
}

RARE static void check_control(struct walk *w, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.s[i];
        if ((c >= 0x20 && c != 0x7f) || c == '\t' || c == '\n')
            continue;
        finding_add(w, "control-character", str_slice(text, i, i + 1), i, 1);
        walk_fail(w, i, "the text has a control character in it");
        return;
    }
}

/* The code point that ends at byte `at`. */
static uint32_t code_point_before(struct str text, size_t at)
{
    uint32_t cp = 0;
    size_t start = at;

    while (start > 0 && at - start < 4) {
        start--;
        if (((unsigned char)text.s[start] & 0xc0) != 0x80)
            break;
    }
    utf8_next(text, start, &cp);
    return cp;
}

/* An emoji is often a sign with a selector after it, or several signs with joiners between them.
 */
static bool belongs_to_emoji(struct str text, size_t at, uint32_t cp)
{
    uint32_t before = at ? code_point_before(text, at) : 0;

    if (cp != 0xfe0e && cp != 0xfe0f && cp != 0x200d)
        return false;
    return (before >= 0x2100 && before < 0xe000) || before == 0xfe0f ||
           (before >= 0x1f000 && before < 0x20000) || before == 0xa9 || before == 0xae;
}

/* A name in which two scripts are mixed reads as another name: the first letter of "api.github.com"
 * may be Cyrillic. It changes no verdict: hosts and paths are compared by their bytes. */
RARE static void check_look_alikes(struct walk *w, struct str text)
{
    size_t found = STR_NONE, len = 0, n;
    bool latin = false;
    uint32_t cp;

    for (size_t at = 0; at <= text.len; at += n ? n : 1) {
        n = utf8_next(text, at, &cp);
        if (n && utf8_looks_latin(cp)) {
            len = found == STR_NONE ? n : len;
            found = found == STR_NONE ? at : found;
        } else if (n == 1 && ascii_is_letter((char)cp)) {
            latin = true;
        } else { /* the end of a run of such letters */
            if (found != STR_NONE && latin)
                break;
            found = STR_NONE;
            latin = false;
        }
    }
    if (found != STR_NONE && latin)
        finding_add(w, "look-alike-letter", str_slice(text, found, found + len), found, len);
}

/* Bytes that a reader cannot see or takes for something else. A person who is asked must see what
 * runs. */
void findings_in_bytes(struct walk *w, struct str text)
{
    size_t at = 0, from = 0;
    uint32_t cp;

    if (is_printable(text))
        return;
    check_control(w, text);
    check_look_alikes(w, text);
    for (; from < text.len && utf8_suspicious(str_from_byte(text, from), &at, &cp); from += at) {
        from += at;
        at = utf8_next(text, from, &cp);
        at = at ? at : 1;
        if (cp < 0x80 || belongs_to_emoji(text, from, cp))
            continue; /* control characters are looked for above */
        finding_add(w, is_unicode_space(cp) ? "unicode-whitespace" : "deceptive-character",
                    str_slice(text, from, from + at), from, at);
        walk_fail(w, from, "the text has characters in it that are not what they look like");
    }
}

RARE static void classify_refusal(struct walk *w, const struct tree *tree, struct str text)
{
    static const char *const incomplete[] = {"not closed", "is missing", "end of the text",
                                             "without"};
    const char *name = "malformed-token";

    for (size_t i = 0; i < COUNT(incomplete); i++)
        if (strstr(tree->why, incomplete[i]))
            name = "incomplete-command";
    finding_add(w, name, str_slice(text, tree->why_at, tree->why_at + 1), tree->why_at, 1);
}

void findings_in_tree(struct walk *w, const struct tree *tree, struct str text)
{
    size_t newline = str_has(text, '\n') ? str_index(str_trim(text), '\n') : STR_NONE;

    if (tree->why)
        classify_refusal(w, tree, text);
    else if (tree->unclosed_at)
        finding_add(w, "incomplete-command", (struct str){0}, tree->unclosed_at - 1, 1);
    if (newline != STR_NONE)
        finding_add(w, "newline", (struct str){0}, newline, 1);
    if (tree->comment_at)
        finding_add(w, "comment-quote", (struct str){0}, tree->comment_at - 1, 1);
}

/* What of interest is in a text, as bytes that are not zero. */
struct marks {
    block hash, newline, action;
};

static inline void mark(struct marks *m, block b)
{
    m->hash |= (block)(b == block_of('#'));
    m->newline |= (block)(b == block_of('\n'));
    m->action |=
        (block)(b == block_of(';')) | (block)(b == block_of('|')) | (block)(b == block_of('&'));
}

static inline struct marks marks_in(struct str text)
{
    struct marks m = {0};
    char last[BLOCK];
    size_t at = 0;

    for (; at + BLOCK <= text.len; at += BLOCK)
        mark(&m, block_at(text.s + at));
    if (at < text.len)
        mark(&m, block_at(block_end(text, last)));
    return m;
}

static void check_text_part(struct walk *w, const struct part *part, bool first,
                            const struct word *word)
{
    char c = part->text.len ? part->text.s[0] : 'x';
    struct marks has = marks_in(part->text);

    if (part->escaped && (c == ' ' || c == '\t'))
        finding_add(w, "escaped-whitespace", part->text, word->at, word->len);
    if (part->escaped && strchr(";|&<>", c) && c)
        finding_add(w, "escaped-operator", part->text, word->at, word->len);
    if (part->quoted && block_bits(has.newline))
        finding_add(w, "quoted-newline", (struct str){0}, word->at, word->len);
    if (!part->quoted && block_bits(has.hash) && (c != '#' || !first))
        finding_add(w, "mid-word-hash", part->text, word->at, word->len);
    if (part->quoted && !part->escaped && block_bits(has.action))
        finding_add(w, "argument-metacharacter", part->text, word->at, word->len);
}

/* -x, --long-name: what getopt would take for the name of an option. */
static bool is_option_name(struct str s)
{
    size_t dashes = str_starts(s, STR("--")) ? 2 : 1;

    if (s.len <= dashes || s.s[0] != '-' || s.s[dashes] == '-')
        return false;
    for (size_t i = dashes; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && s.s[i] != '-' && s.s[i] != '_')
            return false;
    return true;
}

static bool has_letter(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (ascii_is_letter(s.s[i]))
            return true;
    return false;
}

/* -"r"f and $'-rf': the name of an option never needs a quote. The value of -F',' does. */
static bool hides_flag(const struct word *word, const struct shell_word *field)
{
    struct str name = field->text;
    size_t read = 0;

    if (!name.len || name.s[0] != '-')
        return false;
    name = str_slice(name, 0, str_index(name, '='));
    if (!is_option_name(name))
        return false;
    for (size_t i = 0; i < word->parts.count && read < name.len; i++) {
        const struct part *part = &word->parts.items[i];
        if (part->kind != PART_TEXT)
            return read < 2;
        if (part->quoted && (read < 2 || has_letter(part->text)))
            return true;
        read += part->text.len;
    }
    return false;
}

void findings_in_word(struct walk *w, const struct word *word, const struct shell_words *fields,
                      size_t first)
{
    for (size_t i = 0; i < word->parts.count; i++) {
        const struct part *part = &word->parts.items[i];
        if (part->kind == PART_TEXT)
            check_text_part(w, part, i == 0, word);
        else if (part->kind == PART_COMMAND || part->kind == PART_BACKTICK ||
                 part->kind == PART_PROCESS_IN || part->kind == PART_PROCESS_OUT)
            finding_add(w, "substitution", (struct str){0}, part->at, part->len);
        if (part->kind == PART_PARAM && str_is(part->param->name, "IFS"))
            finding_add(w, "ifs", STR("IFS"), part->at, part->len);
    }
    if (fields->count == first + 1 && hides_flag(word, &fields->items[first]))
        finding_add(w, "obfuscated-flag", fields->items[first].text, word->at, word->len);
}

static const char *const zsh_commands[] = {
    "autoload", "bindkey",  "emulate",  "setopt",   "sysopen",  "sysread", "sysseek",  "syswrite",
    "unsetopt", "vared",    "zcompile", "zf_chmod", "zf_chown", "zf_ln",   "zf_mkdir", "zf_mv",
    "zf_rm",    "zf_rmdir", "zle",      "zmodload", "zpty",     "zsocket", "ztcp",
};
const struct names zsh_names = NAMES(zsh_commands, NAMED_ZSH);

RARE static void check_jq(struct walk *w, const struct shell_action *a)
{
    for (size_t i = 1; i < a->words.count; i++) {
        struct str s = a->words.items[i].text;
        if (str_contains(s, STR("system(")) || str_contains(s, STR("input_filename")))
            finding_add(w, "jq-system", s, a->at, a->len);
        if (str_is(s, "-f") || str_is(s, "--from-file") || str_is(s, "--rawfile") ||
            str_is(s, "--slurpfile") || str_is(s, "-L") || str_is(s, "--argfile"))
            finding_add(w, "jq-file-argument", s, a->at, a->len);
    }
}

static bool is_proc_environ(struct str s)
{
    return str_starts(s, STR("/proc/")) && str_ends(s, STR("environ"));
}

static void check_command(struct walk *w, const struct shell_action *a)
{
    struct str name = command_name(w, a->words.items[0].text);

    if (str_is(name, "jq"))
        check_jq(w, a);
    if (names_find(w, &zsh_names, name))
        finding_add(w, "zsh-command", name, a->at, a->len);
    if (str_is(name, "git") && a->words.count > 1 && str_is(a->words.items[1].text, "commit"))
        for (size_t i = 2; i < a->words.count; i++)
            if (!a->words.items[i].known && str_has(a->words.items[i].text, WORD_UNKNOWN))
                finding_add(w, "git-commit-substitution", (struct str){0}, a->at, a->len);
}

void findings_in_action(struct walk *w, const struct shell_action *a, bool slashed)
{
    switch (a->kind) {
    case SHELL_COMMAND:
        check_command(w, a);
        break;
    case SHELL_REDIRECT:
        finding_add(w, a->access & SHELL_WRITES ? "output-redirection" : "input-redirection",
                    a->normal, a->at, a->len);
        break;
    case SHELL_ASSIGN:
        if (str_is(a->words.items[0].text, "IFS"))
            finding_add(w, "ifs", a->normal, a->at, a->len);
        if (a->uses & VARIABLE_NOTED)
            finding_add(w, "dangerous-variable", a->words.items[0].text, a->at, a->len);
        break;
    }
    for (size_t i = 0; slashed && i < a->words.count; i++)
        if (is_proc_environ(a->words.items[i].text))
            finding_add(w, "proc-environ", a->words.items[i].text, a->at, a->len);
}
