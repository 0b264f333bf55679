/* fuzz_json.c - fuzzes src/core/base/{json_read,json_write,twin,utf8}.c.
 *
 * Properties: an error has a place inside the text and leaves no value; an accepted text, written
 * and read again, is written as the same text, on one line and indented; JSON with comments accepts
 * all strict JSON with the same meaning; any bytes as one string are written as valid JSON. */
#include <stdint.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/utf8.h"

#define ARENA_LIMIT ((size_t)256 << 20)
/* Indented, each byte may become a line of 256 blanks: must stay below JSON_MAX_BYTES. */
#define LARGEST ((size_t)1 << 15)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static struct str write_compact(struct arena *a, const struct value *v)
{
    struct buf b = buf_in(a);

    json_value(&b, v);
    return buf_str(&b);
}

static struct str write_indented(struct arena *a, const struct value *v)
{
    struct buf b = buf_in(a);
    struct json_writer w = json_to_indented(&b);

    json_any(&w, v);
    return buf_str(&b);
}

/* Reads `text`, which must be valid, and writes it on one line. */
static struct str rewritten(struct arena *a, struct str text)
{
    struct value v;

    must(json_read(a, text, NULL, &v, NULL) == STATUS_OK);
    return write_compact(a, &v);
}

static bool take(struct arena *a, struct str text, bool comments, struct str *written)
{
    const struct json_limits limits = {.comments = comments, .commas = comments};
    struct value v;
    struct error err = {0};
    enum status s = json_read(a, text, &limits, &v, &err);

    if (s) {
        must(err.status == s && err.line >= 1 && err.column >= 1 && err.message[0]);
        must(err.line <= text.len + 1 && err.column <= text.len + 1);
        must(v.kind == VALUE_NULL && !v.items && !v.members && !v.text.s);
        must(utf8_valid(str_from(err.message)));
        return false;
    }
    must(utf8_valid(text));
    *written = write_compact(a, &v);
    must(str_eq(rewritten(a, *written), *written));
    must(str_eq(rewritten(a, write_indented(a, &v)), *written));
    return true;
}

struct input {
    struct arena *arena;
    struct str text;
};

static void check(void *arg)
{
    struct input *in = arg;
    struct str strict, lax;
    struct buf string = buf_in(in->arena);

    if (take(in->arena, in->text, false, &strict)) {
        must(take(in->arena, in->text, true, &lax));
        must(str_eq(strict, lax));
    } else {
        take(in->arena, in->text, true, &lax);
    }

    json_string(&string, in->text);
    must(str_eq(rewritten(in->arena, buf_str(&string)), buf_str(&string)) || !utf8_valid(in->text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct arena arena;
    struct input in = {&arena, {(const char *)data, size}};

    if (size > LARGEST)
        return 0;
    arena.limit = ARENA_LIMIT;
    must(arena_try(&arena, check, &in));
    arena_reset(&arena);
    return 0;
}
