/* json.h - a strict JSON reader that knows lines and columns, and a writer whose output is always
 * valid.
 *
 * If two programs read one text differently, that is a way past a permission check: Warder would
 * judge one meaning and the agent would run the other. So the reader accepts RFC 8259 and nothing
 * more, and refuses what the RFC leaves open: duplicate keys, lone surrogates, bytes that are not
 * UTF-8, a byte order mark. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

#define JSON_MAX_BYTES     10000000u
#define JSON_MAX_DEPTH     128u     /* arrays and objects inside each other */
#define JSON_MAX_VALUES    1000000u /* of any kind, including the outermost; keys do not count */
#define JSON_DEPTH_CEILING 1000u    /* hard limit, because the reader and its users recurse */

/* Zero means the default above. */
struct json_limits {
    uint32_t bytes, depth, values;
    bool comments; /* JSONC: // and slash-star comments, */
    bool commas;   /* and a comma before a closing bracket */
};

/* Reads the one value that `text` holds. Nothing in *out points into `text`.
 *
 * Needs no arena_try() around it. An error always has a line and column; *out is then null, and
 * what was allocated on the way stays in the arena unused. STATUS_SYNTAX: not JSON. STATUS_LIMIT:
 * over a limit above. STATUS_NOMEM: the arena is full.
 *
 * A string or key may contain NUL (written \u0000): trust its len, not strlen(). Refuse such a
 * string before you pass it to anything that stops at NUL. Numbers are kept as written, at any
 * size. */
enum status json_read(struct arena *a, struct str text, const struct json_limits *limits,
                      struct value *out, struct error *err);

bool json_is_number(struct str s); /* all of it, in RFC 8259 syntax */

/* Writing. The output is valid JSON whatever the bytes are, and safe to show on a terminal: control
 * characters (C0, DEL, C1), U+2028 and U+2029 are escaped, and each byte that is not UTF-8 becomes
 * \ufffd. */
void json_string(struct buf *out, struct str s);

/* On one line. A time, or a number that JSON cannot express (0x1f, inf), is written as a string. */
void json_value(struct buf *out, const struct value *v);

/* Adds commas, colons and line breaks by itself:
 *
 *     struct json_writer w = json_to(&buf);
 *     json_begin_object(&w);
 *     json_key(&w, "verdict");
 *     json_text(&w, STR("deny"));
 *     json_end_object(&w); */
struct json_writer {
    struct buf *out;
    unsigned indent; /* blanks per level; 0 writes one line */
    unsigned depth;
    bool comma, keyed; /* a comma is due on this level; a key waits for its value */
};

static inline struct json_writer json_to(struct buf *out)
{
    return (struct json_writer){.out = out};
}
static inline struct json_writer json_to_indented(struct buf *out)
{
    return (struct json_writer){.out = out, .indent = 2};
}

void json_begin_object(struct json_writer *w);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w);
void json_end_array(struct json_writer *w);
void json_key(struct json_writer *w, const char *key);
void json_key_str(struct json_writer *w, struct str key);
void json_text(struct json_writer *w, struct str s);
void json_bool(struct json_writer *w, bool b);
void json_int(struct json_writer *w, int64_t n);
void json_null(struct json_writer *w);
void json_any(struct json_writer *w, const struct value *v);
void json_raw(struct json_writer *w, struct str json); /* a value that is already JSON */

/* A member of an object: its key and its value in one call. */
void json_text_member(struct json_writer *w, const char *key, struct str text);
void json_text_member_if(struct json_writer *w, const char *key,
                         struct str text);                                    /* not if empty */
void json_true_member_if(struct json_writer *w, const char *key, bool value); /* not if false */

/* buf_try() for JSON on one line: opens a door on the arena and calls write(), which writes one
 * value. */
bool json_try(struct arena *a, void (*write)(struct json_writer *w, const void *about),
              const void *about, struct str *out);
void json_strings(struct json_writer *w, const char *key, const struct strs *list);
struct str json_try_value(struct arena *a, const struct value *v); /* its s is NULL: no memory */

#endif
