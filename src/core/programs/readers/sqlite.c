/* sqlite.c - accepts a query that only reads.
 *
 * The SQLite shell has its own commands (.shell, .output) and functions that write files or load
 * code (writefile, load_extension, edit). So accepted is one SELECT with no word that changes
 * anything and only functions known to compute; or a command that shows tables.
 *
 * What the query calls a table may be a view of the database file, and a view may call edit(),
 * which runs a command. So without -safe it may read the schema only, which cannot be a view; or a
 * database in memory, which has none. */
#include "base/ascii.h"
#include "programs/reading.h"

#define WORD_MAX 32 /* longer than any in the lists below */

static bool in_words(const char *list, struct str word)
{
    char lower[WORD_MAX];

    for (size_t i = 0; word.len <= WORD_MAX && i < word.len; i++)
        lower[i] = ascii_lower(word.s[i]);
    return word.len <= WORD_MAX && str_has_word(str_from(list), (struct str){lower, word.len});
}

/* Words that change something, and tables that are really files (fsdir needs no parenthesis). */
static bool reaches_out(struct str word)
{
    return in_words("alter analyze attach create delete detach drop insert into pragma reindex "
                    "replace update vacuum "
                    "csv edit fsdir load_extension readfile writefile zipfile",
                    word);
}

static bool computes(struct str word)
{
    return in_words(
        "abs and as avg by case cast ceil coalesce count date datetime distinct else exists floor "
        "from glob group_concat having hex ifnull iif in instr join json json_array_length "
        "json_each "
        "json_extract json_group_array json_group_object json_object json_type julianday length "
        "like limit "
        "lower ltrim max min not nullif on or over partition printf quote round row_number rtrim "
        "select "
        "strftime substr substring sum then time total trim typeof unicode unixepoch upper using "
        "values when "
        "where with",
        word);
}

/* The index after a quoted text that begins at i; i itself if there is none. */
static size_t skip_quoted(struct str s, size_t i)
{
    char quote = s.s[i] == '[' ? ']' : s.s[i];

    if (!strchr("'\"`[", s.s[i]))
        return i;
    for (i++; i < s.len && s.s[i] != quote;)
        i++;
    return i + 1;
}

/* A name before a parenthesis is a function's, even in quotes. */
static bool is_called(struct str s, size_t end)
{
    while (end < s.len && strchr(" \t\n\r\f\v", s.s[end]))
        end++;
    return end < s.len && s.s[end] == '(';
}

static bool word_is_fine(struct str s, size_t from, size_t to)
{
    struct str word = str_slice(s, from, to);

    return !reaches_out(word) && (!is_called(s, to) || computes(word));
}

static bool only_reads(struct str s)
{
    for (size_t i = 0; i < s.len;) {
        size_t from = i;
        char c = s.s[i];
        if (c == '\0' || c == WORD_UNKNOWN || str_starts(str_from_byte(s, i), STR("/*")) ||
            str_starts(str_from_byte(s, i), STR("--")))
            return false;
        i = skip_quoted(s, i);
        if (i > from) { /* text in quotes of any kind may name a table or a function */
            if (i > s.len || is_called(s, i) || reaches_out(str_slice(s, from + 1, i - 1)))
                return false;
            continue;
        }
        while (i < s.len && ascii_is_name(s.s[i]))
            i++;
        if (i > from ? !word_is_fine(s, from, i)
                     : c == ';' && str_trim(str_from_byte(s, i + 1)).len)
            return false;
        i += i == from;
    }
    return true;
}

static bool is_shown(struct str s)
{
    struct str command, rest;

    str_cut(s, ' ', &command, &rest);
    for (size_t i = 0; i < rest.len; i++)
        if (!ascii_is_name(rest.s[i]) && rest.s[i] != '%')
            return false;
    return in_words(".tables .schema .databases .indexes .indices .dbinfo", command);
}

/* The next word outside of quotes; empty at the end. */
static struct str next_name(struct str s, size_t *at)
{
    size_t i = *at, from;

    while (i < s.len && !ascii_is_name(s.s[i])) {
        size_t end = skip_quoted(s, i);
        i = end > i ? end : i + 1;
    }
    if (i > s.len)
        i = s.len;
    for (from = i; i < s.len && ascii_is_name(s.s[i]);)
        i++;
    *at = i;
    return str_slice(s, from, i);
}

static size_t skip_blanks(struct str s, size_t i)
{
    while (i < s.len && strchr(" \t\n\r\f\v", s.s[i]))
        i++;
    return i;
}

/* Is the word at `at` the schema, alone? With an alias or a comma it could be a list of tables. */
static bool names_schema(struct str s, size_t *at)
{
    size_t from = skip_blanks(s, *at);

    *at = from;
    if (from >= s.len || !ascii_is_name(s.s[from]) ||
        !in_words("sqlite_master sqlite_schema", next_name(s, at)))
        return false;
    return *at == s.len || (strchr(" \t\n\r);", s.s[*at]) && !str_has(str_from_byte(s, *at), ','));
}

/* Does it read no table but the schema? Tables stand after FROM, JOIN and IN. */
static bool reads_schema_only(struct str s)
{
    struct str word;

    for (size_t at = 0; (word = next_name(s, &at)).len;) {
        size_t next = skip_blanks(s, at);
        if (in_words("join", word) || (in_words("from", word) && !names_schema(s, &at)) ||
            (in_words("in", word) && (next >= s.len || s.s[next] != '(')))
            return false;
    }
    return true;
}

static bool is_query(struct str s)
{
    return s.len > 7 && str_eq_nocase(str_slice(s, 0, 6), STR("select")) &&
           !ascii_is_name(s.s[6]) && only_reads(s);
}

/* With -safe. */
void read_sqlite(struct reading *r, struct piece p)
{
    struct str s = str_trim(p.text);

    if (!p.known || !(is_shown(s) || is_query(s)))
        apply_role(r, STR("X"), p);
}

void read_query(struct reading *r, struct piece p)
{
    struct str s = str_trim(p.text);
    const struct shell_word *file =
        r->operands.count ? &r->words[r->operands.items[0]] : &r->words[p.word];
    bool in_memory = file->known && str_is(file->text, ":memory:");

    read_sqlite(r, p);
    if (p.known && !is_shown(s) && !in_memory && !reads_schema_only(s))
        apply_role(r, STR("X"), p);
}

/* A database; but file:%2Fhome%2F... is a URI that reaches other files than its text suggests. */
void read_dbfile(struct reading *r, struct piece p)
{
    if (str_starts(p.text, STR("file:")) || (p.text.len && p.text.s[0] == WORD_UNKNOWN))
        doubt(r, p.word);
    add_path(r, p, PROGRAM_READS, false);
}
