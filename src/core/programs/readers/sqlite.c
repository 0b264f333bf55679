/* sqlite.c - accepts a query that only reads.
 *
 * The SQLite shell has its own commands (.shell, .output) and functions that write files or load
 * code (writefile, load_extension, edit). So accepted is one SELECT with no word that changes
 * anything and only functions known to compute; or a command that shows tables. */
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
    return in_words(".tables .schema .databases .indexes .indices .dbinfo .fullschema", command);
}

void read_sqlite(struct reading *r, struct piece p)
{
    struct str s = str_trim(p.text);
    bool select =
        s.len > 7 && str_eq_nocase(str_slice(s, 0, 6), STR("select")) && !ascii_is_name(s.s[6]);

    if (!p.known || !(is_shown(s) || (select && only_reads(s))))
        r->out->effects |= EFFECT_CODE;
}

/* A database; but file:%2Fhome%2F... is a URI that reaches other files than its text suggests. */
void read_dbfile(struct reading *r, struct piece p)
{
    if (str_starts(p.text, STR("file:")) || (p.text.len && p.text.s[0] == WORD_UNKNOWN))
        doubt(r, p.word);
    add_path(r, p, PROGRAM_READS, false);
}
