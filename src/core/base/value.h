/* value.h - the document model that JSON, TOML and YAML are read into.
 *
 * A value knows its line and column, so that messages can point there. Everything lives in the
 * arena of its document. */
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum value_kind {
    VALUE_NULL = 0,
    VALUE_BOOL,
    VALUE_INTEGER, /* also JSON numbers without fraction and exponent */
    VALUE_FLOAT,
    VALUE_TIME, /* TOML's four kinds of date and time, as written */
    VALUE_STRING,
    VALUE_ARRAY,
    VALUE_OBJECT,
};

struct member;

struct value {
    enum value_kind kind;
    bool boolean;
    uint32_t line, column; /* 1-based, column in bytes, of the first byte of the value */
    struct str text;       /* a string's contents, NUL-terminated; a number or time as written */
    size_t count;          /* of items or members */
    struct value *items;
    struct member *members; /* in the order of the text; no key twice */
};

struct member {
    struct str key; /* NUL-terminated */
    uint32_t line, column;
    struct value value;
};

/* NULL when `object` is NULL, not an object, or has no such key. */
const struct value *value_get(const struct value *object, const char *key);
const struct member *value_member(const struct value *object, struct str key);

/* The text of a string member; empty if it is missing or not a string. */
struct str value_text(const struct value *object, const char *key);

const char *value_kind_name(enum value_kind kind); /* "a string", "an object", ... */

/* False if it does not fit or is not plain decimal. */
bool value_integer(const struct value *v, int64_t *out);

#endif
