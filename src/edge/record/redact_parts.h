/* redact_parts.h - shared by the files of the redaction. */
#ifndef RECORD_REDACT_PARTS_H
#define RECORD_REDACT_PARTS_H

#include <stdint.h>

#include "base/list.h"
#include "base/str.h"

/* Longer names are not names of secrets, and searching further back would not be linear. */
#define REDACT_KEY_MAX 64

/* One redaction of one source text. */
struct redactor {
    struct arena *arena;
    struct str source;
    unsigned char *marked; /* one per byte of the source: it is removed */
    uint32_t *
        stretch; /* one per byte, or NULL: a mark on it extends up to here. For escapes in $'...' */
    unsigned depth;
    struct strs *found; /* what was marked, as the program would get it; NULL: not needed */
};

/* A text to be scanned, and the places of its bytes in the source: quotes are removed from it, and
 * for a substitution it has one byte without a place, which cannot be marked. */
struct piece {
    struct redactor *redactor;
    struct str text;
    const uint32_t
        *from;   /* place plus one per byte; 0: none. NULL: the text is a view of the source */
    bool dollar; /* a dollar begins a substitution */
    bool shell; /* shell text as it was written: its quotes are the shell's, not those of a value */
    bool assignment; /* a word that the shell takes for NAME=value */
};
struct pieces LIST_OF(struct piece);

void piece_mark(const struct piece *p, size_t from, size_t to);
struct piece piece_slice(const struct piece *p, size_t from, size_t to);

/* redact_scan.c: a text of any kind. */
void redact_scan(const struct piece *p);
/* The value of a header as an argument of -H: "X-Api-Key: abc". */
void redact_header(const struct piece *p);

/* redact_key.c: names of secrets, and values that are not secret despite such a name. */
bool redact_key_is_secret(
    struct str key); /* DB_PASSWORD, apiKey, --auth-token; not max_tokens, not PASSWORD_FILE */
/* Does it end with a word that can end such a name, or another name that the scans recognise? */
bool redact_ends_key(struct str text);
/* `written`: in program text, where names and types may follow a name, too; otherwise an argument
 * or a variable. */
bool redact_value_is_plain(struct str value, bool written);

/* redact_shapes.c: the length of the token of a known form that begins here; 0: none. */
enum redact_charset {
    CHARS_WORD,
    CHARS_ALNUM,
    CHARS_HEX,
    CHARS_UPPER,
    CHARS_DOTTED,
    CHARS_BASE64,
    CHARS_TOKEN, /* bytes that any scan joins to their neighbours, and quotes: they may be removed
                  */
    CHARSET_COUNT
};
extern const unsigned char redact_charsets[256]; /* one bit for each set */

static inline bool redact_in_charset(enum redact_charset set, char c)
{
    return redact_charsets[(unsigned char)c] >> set & 1;
}

/* The last run of each charset that was scanned: a query inside it does not scan it again. */
struct charset_run {
    size_t start, end;
};
struct charset_runs {
    struct str text;
    size_t blank; /* the next one, from the last search */
    struct charset_run of[CHARSET_COUNT];
};
size_t redact_run_end(struct charset_runs *r, enum redact_charset set, size_t at);
size_t redact_shape(struct charset_runs *r, size_t at);

/* redact_random.c: does this run of bytes look random? */
#define REDACT_RANDOM_LEAST 20 /* bytes; fewer look like anything */
bool redact_is_random(struct str run);

/* redact_plain.c: a command in which redact_scan() finds every secret. Longer commands are never
 * plain. */
#define REDACT_PLAIN_MAX ((size_t)16 * 1024)
bool redact_is_plain(struct str command);
/* redact.c: redact_command() without that shortcut. The tests compare the two. */
struct str redact_command_fully(struct arena *a, struct str command, struct strs *found);

/* redact_argv.c: the words of one command. `fed`: its output goes to a program that reads a secret.
 */
void redact_argv(const struct pieces *words, bool fed);
bool redact_reads_secret(
    const struct pieces *words); /* from its standard input: --password-stdin, chpasswd */

#endif
