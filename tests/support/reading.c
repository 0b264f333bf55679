#include "support/reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/show.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

enum status (*reader)(struct arena *a, struct str text, struct value *out, struct error *err);
struct arena arena;
struct value document;
struct error error;

enum status read_bytes(struct str text)
{
    /* A copy of the exact size, so that AddressSanitizer sees a read past the end. */
    char *exact = malloc(text.len ? text.len : 1);

    assert_non_null(exact);
    memcpy(exact, text.s, text.len);
    memset(&document, 0xff, sizeof(document));
    error = (struct error){0};
    arena_init(&arena, ARENA_MAX);
    arena_fail_at(&arena, ARENA_COUNTS);
    enum status status = reader(&arena, (struct str){exact, text.len}, &document, &error);
    free(exact);
    return status;
}

void assert_reads(struct str text, const char *want, bool places)
{
    if (read_bytes(text) != STATUS_OK)
        fail_msg("refused at %u:%u: %s\n%.*s", error.line, error.column, error.message,
                 STR_ARG(text));
    char *got = show_text(&document, places);
    if (strcmp(got, want) != 0)
        fail_msg("%.*s\n  want %s\n  got  %s", STR_ARG(text), want, got);
    free(got);
    arena_release(&arena);
}

void assert_refused(struct str text, uint32_t line, uint32_t column, const char *says)
{
    if (read_bytes(text) != STATUS_SYNTAX)
        fail_msg("read without complaint: %.*s", STR_ARG(text));
    if (error.line != line || error.column != column || !strstr(error.message, says))
        fail_msg("%.*s\n  want %u:%u %s, got %u:%u %s", STR_ARG(text), line, column, says,
                 error.line, error.column, error.message);
    assert_int_equal(error.status, STATUS_SYNTAX);
    assert_true(strlen(error.message) > 10);
    assert_int_equal(document.kind, VALUE_NULL);
    arena_release(&arena);
}

char *repeat(const char *head, const char *part, size_t times, const char *tail)
{
    size_t len = strlen(part), room = strlen(head) + len * times + strlen(tail) + 1;
    char *text = malloc(room), *at = text;

    assert_non_null(text);
    at += snprintf(at, room, "%s", head);
    for (size_t i = 0; i < times; i++, at += len)
        memcpy(at, part, len);
    snprintf(at, strlen(tail) + 1, "%s", tail);
    return text;
}

void assert_status(const char *head, const char *part, size_t times, const char *tail,
                   enum status want)
{
    char *text = repeat(head, part, times, tail);
    enum status got = read_bytes(str_from(text));

    if (got != want)
        fail_msg("%s%s... %zu times: status %d, %u:%u %s", head, part, times, got, error.line,
                 error.column, error.message);
    if (want != STATUS_OK)
        assert_true(error.line >= 1 && error.column >= 1 && document.kind == VALUE_NULL);
    arena_release(&arena);
    free(text);
}

void assert_no_value_without_memory(struct str whole, size_t least)
{
    assert_int_equal(read_bytes(whole), STATUS_OK);
    size_t count = arena.allocations;
    arena_release(&arena);

    assert_true(count > least);
    for (size_t n = 1; n <= count; n++) {
        arena_init(&arena, ARENA_MAX);
        arena_fail_at(&arena, n);
        memset(&document, 0xff, sizeof(document));
        assert_int_equal(reader(&arena, whole, &document, &error), STATUS_NOMEM);
        assert_int_equal(error.status, STATUS_NOMEM);
        assert_true(error.line >= 1 && error.column >= 1);
        assert_int_equal(document.kind, VALUE_NULL);
        assert_null(document.members);
        assert_null(arena.door);
        arena_release(&arena);
    }
}
