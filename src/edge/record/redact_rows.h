/* redact_rows.h - which argument of which program is a secret, as tables. */
#ifndef RECORD_REDACT_ROWS_H
#define RECORD_REDACT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "record/redact_parts.h"

enum how {
    WHOLE,    /* the value, as a word of its own or joined to a letter */
    SEPARATE, /* the value, only as a word of its own: openssl -k secret, but -key is another option
               */
    JOINED,   /* only as one word: mysql -psecret; -p alone asks for it */
    PASSWORD, /* user:password, user%password, user,password: the part after the sign */
    PREFIXED, /* pass:secret, but not env:NAME and file:NAME */
    HEADER,   /* Name: value */
    FIRST_WORD, /* the word itself: ngrok authtoken SECRET */
    LAST_WORD,  /* the last word of the command */
    SLASHED,    /* user/password@database, as a word or after userid= */
};

/* A row applies if one of the programs, and after it the subcommand, comes before the option. The
 * program need not be the first word: sudo, docker exec and xargs come before programs. */
struct argument {
    const char *programs; /* NULL: any */
    const char *sub;      /* NULL: none */
    const char *options;  /* separated by blanks */
    enum how how;
};

#define REDACT_ROWS_MAX 64

extern const struct argument redact_arguments[];
extern const size_t redact_argument_count;

/* Programs that take "name value" as two words, and the word that must come before: npm config set
 * _authToken X. */
extern const char redact_setters[], redact_setting_words[];

/* How a secret is fed to a program by a pipe or a here-string. */
struct secret_reader {
    const char *program, *word; /* either may be NULL */
};

extern const struct secret_reader redact_readers[];
extern const size_t redact_reader_count;

/* The endings of names that a secret follows. */
struct key_end {
    struct str text; /* at least two small letters */
    enum {
        KEY_NOUN,  /* as the end of a longer word, too: PGPASSWORD, authtoken */
        KEY_WORD,  /* as a whole word */
        KEY_OTHER, /* by its own rules: headers, signatures, a key of something */
    } kind;
};

extern const struct key_end redact_key_ends[];
extern const size_t redact_key_end_count;

/* Tokens with a known prefix (redact_shapes.c). */
struct shape {
    const char *prefix;        /* at least two bytes */
    enum redact_charset chars; /* of what follows it */
    size_t least;              /* the least number of them */
};

extern const struct shape redact_shapes[];
extern const size_t redact_shape_count;

/* For each first byte, one bit for each second one. */
#define REDACT_FIRSTS 64u

static inline unsigned redact_second(char c)
{
    return (unsigned char)c % 64u;
}

/* The role of a word in these tables. */
enum redact_role {
    ROLE_ALONE = 1,  /* a row needs this word and no other */
    ROLE_WITH = 2,   /* a program that a row needs ... */
    ROLE_WORD = 4,   /* ... together with this word */
    ROLE_SETTER = 8, /* one of redact_setters */
    ROLES = 15,
};

/* The hash of a word selects a slot. Its low bits are the roles, its high bits the rest of the hash
 * of the one word it is for, or 0 if it is for several. */
#define REDACT_SLOTS 2048u
#define REDACT_HASH  2166136261u /* of no bytes yet */

static inline uint32_t redact_hash(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u;
}

static inline uint32_t redact_slot(uint32_t hash)
{
    return (hash ^ hash >> 16) % REDACT_SLOTS;
}

static inline uint16_t redact_rest(uint32_t hash)
{
    return (uint16_t)(hash >> 16 & ~(uint32_t)ROLES);
}

unsigned
redact_roles(uint32_t hash); /* of the word with this hash; rarely too many, never too few */

#endif
