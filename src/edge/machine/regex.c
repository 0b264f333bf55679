#define PCRE2_CODE_UNIT_WIDTH 8

#include "machine/regex.h"

#include <pcre2.h>
#include <stdlib.h>

#include "machine/guard.h"

struct regex {
    struct regex *next;
    pcre2_code *code;
    pcre2_match_context *limits; /* only read while matching */
};

/* NEVER_UTF: a pattern that starts with (*UTF) would make every text that is not UTF-8 an error. */
#define OPTIONS                                                                                    \
    (PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |                     \
     PCRE2_NEVER_BACKSLASH_C)

static void regex_free(struct regex *r)
{
    pcre2_match_context_free(r->limits);
    pcre2_code_free(r->code);
    free(r);
}

static enum status compile(struct regex *r, struct str pattern, struct error *err)
{
    int number;
    PCRE2_SIZE at;
    unsigned char message[128];

    r->limits = pcre2_match_context_create(NULL);
    if (!r->limits)
        return fail(err, STATUS_NOMEM, "out of memory for a regular expression");
    pcre2_set_match_limit(r->limits, REGEX_MATCH_MAX);
    pcre2_set_depth_limit(r->limits, REGEX_DEPTH_MAX);
    pcre2_set_heap_limit(r->limits, REGEX_HEAP_MAX);

    r->code = pcre2_compile((PCRE2_SPTR)pattern.s, pattern.len, OPTIONS, &number, &at, NULL);
    if (!r->code) {
        pcre2_get_error_message(number, message, sizeof(message));
        return fail_at(err, STATUS_SYNTAX, 1, (uint32_t)at + 1, "%s", (char *)message);
    }
    /* Without JIT the interpreter matches, within the same limits. */
    (void)pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE);
    return STATUS_OK;
}

enum status regex_compile(struct regexes *set, struct str pattern, const void **out,
                          struct error *err)
{
    *out = NULL;
    if (pattern.len > REGEX_PATTERN_MAX)
        return fail(err, STATUS_LIMIT, "the regular expression is longer than %u bytes",
                    REGEX_PATTERN_MAX);

    struct regex *r = calloc(1, sizeof(*r));
    if (!r)
        return fail(err, STATUS_NOMEM, "out of memory for a regular expression");
    enum status status = compile(r, pattern, err);
    if (status) {
        regex_free(r);
        return status;
    }
    r->next = set->first;
    set->first = r;
    *out = r;
    return STATUS_OK;
}

void regexes_release(struct regexes *set)
{
    for (struct regex *r = set->first, *next; r; r = next) {
        next = r->next;
        regex_free(r);
    }
    *set = (struct regexes){0};
}

enum regex_answer regex_match(const void *code, struct str text)
{
    const struct regex *r = code;
    struct guard_frame *paused = guard_pause(); /* PCRE2 calls malloc() */
    pcre2_match_data *data = r ? pcre2_match_data_create(1, NULL) : NULL;
    int found = PCRE2_ERROR_NOMEMORY;

    if (data)
        found = pcre2_match(r->code, (PCRE2_SPTR)(text.s ? text.s : ""), text.len, 0, 0, data,
                            r->limits);
    pcre2_match_data_free(data);
    guard_resume(paused);
    if (found >= 0)
        return REGEX_YES;
    return found == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_LIMIT;
}
