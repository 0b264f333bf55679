/* document.h - what must hold for every document that a reader of policy files
 * gives out, and for every refusal. A broken promise aborts. */
#ifndef TESTS_FUZZ_DOCUMENT_H
#define TESTS_FUZZ_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/str.h"
#include "base/value.h"
#include "document/text.h"

#define FUZZ_ARENA_MAX ((size_t)64 << 20)

typedef enum status document_reader(struct arena *a, struct str text, struct value *out,
                                    struct error *err);

static inline void must(bool kept)
{
    if (!kept)
        abort();
}

static inline void check_place(uint32_t line, uint32_t column, size_t text_len)
{
    must(line >= 1 && line <= text_len + 1 && column >= 1 && column <= text_len + 1);
}

static inline void check_value(const struct value *v, size_t text_len, unsigned depth)
{
    int64_t n;

    check_place(v->line, v->column, text_len);
    must(!v->text.s || v->text.s[v->text.len] == '\0');
    must(v->kind != VALUE_STRING || v->text.s);
    must(v->kind != VALUE_INTEGER || value_integer(v, &n));
    if (v->kind != VALUE_ARRAY && v->kind != VALUE_OBJECT)
        return;
    must(depth <= POLICY_DEPTH_MAX);
    for (size_t i = 0; i < v->count; i++) {
        if (v->kind == VALUE_ARRAY) {
            check_value(&v->items[i], text_len, depth + 1);
            continue;
        }
        const struct member *m = &v->members[i];
        check_place(m->line, m->column, text_len);
        must(m->key.s[m->key.len] == '\0');
        must(value_member(v, m->key) == m); /* the first of its name, so the only one */
        check_value(&m->value, text_len, depth + 1);
    }
}

struct printing {
    struct arena *arena;
    const struct value *value;
    struct str printed;
};

static inline void print_json(void *arg)
{
    struct printing *p = arg;
    struct buf out = buf_in(p->arena);

    json_value(&out, p->value);
    p->printed = buf_str(&out);
}

/* What was read can be printed as JSON, and is JSON. */
static inline void check_printing(struct arena *a, const struct value *v)
{
    struct printing p = {.arena = a, .value = v};
    struct value again;

    must(arena_try(a, print_json, &p));
    must(json_read(a, p.printed, NULL, &again, NULL) == STATUS_OK);
    must(again.count == v->count);
}

/* Memory that ends on the way is that, or comes too late to matter; it never makes a document of a
 * refused text. */
static inline void check_torture(document_reader *read, struct str text, enum status want)
{
    struct arena a;
    struct value v;

    arena_init(&a, FUZZ_ARENA_MAX);
    arena_fail_at(&a, 1 + text.len % 61);
    enum status status = read(&a, text, &v, NULL);
    must(status == want || (status == STATUS_NOMEM && v.kind == VALUE_NULL && v.count == 0));
    must(a.door == NULL);
    arena_release(&a);
}

static inline void check_document(document_reader *read, struct str text)
{
    struct arena a;
    struct value v;
    struct error err = {0};

    arena_init(&a, FUZZ_ARENA_MAX);
    enum status status = read(&a, text, &v, &err);
    if (status == STATUS_OK) {
        check_value(&v, text.len, 1);
        check_printing(&a, &v);
    } else {
        must(err.status == status && err.message[0] && v.kind == VALUE_NULL);
        check_place(err.line, err.column, text.len);
    }
    arena_release(&a);
    check_torture(read, text, status);
}

#endif
