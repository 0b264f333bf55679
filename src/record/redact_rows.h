/* redact_rows.h - which argument of which program is a secret, as tables. */
#ifndef RECORD_REDACT_ROWS_H
#define RECORD_REDACT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum how {
    WHOLE,      /* the value, as a word of its own or joined to a letter */
    SEPARATE,   /* the value, only as a word of its own: openssl -k secret, but -key is another option */
    JOINED,     /* only as one word: mysql -psecret; -p alone asks for it */
    PASSWORD,   /* user:password, user%password, user,password: what stands behind the sign */
    PREFIXED,   /* pass:secret, but env:NAME and file:NAME are none */
    HEADER,     /* Name: value */
    FIRST_WORD, /* the word itself: ngrok authtoken SECRET */
    LAST_WORD,  /* the last word of the command */
};

/* A row holds when one of the programs, and behind it the subcommand, stands before the option. It need not be the
 * first word: sudo, docker exec and xargs stand before programs. */
struct argument {
    const char *programs; /* NULL: any */
    const char *sub;      /* NULL: none */
    const char *options;  /* separated by blanks */
    enum how how;
};

extern const struct argument redact_arguments[];
extern const size_t redact_argument_count;

/* Programs that take "name value" as two words, and the word that must stand before: npm config set _authToken X. */
extern const char redact_setters[], redact_setting_words[];

/* Most words of a command are no program of the tables, and one bit says so of nearly each of them. */
#define REDACT_BITS 4096u

static inline uint32_t redact_bit(struct str name)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < name.len; i++)
        h = (h ^ (unsigned char)name.s[i]) * 16777619u;
    return (h ^ h >> 16) % REDACT_BITS;
}

#endif
