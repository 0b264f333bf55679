/* regex.h - the regular expressions of long-form rules, by PCRE2, within limits.
 *
 * Patterns and texts are bytes: a text that is not UTF-8 must not slip past a
 * deny. `.` matches a line feed too, and `$` only the very end, so that a
 * quoted line break hides nothing. */
#ifndef MACHINE_REGEX_H
#define MACHINE_REGEX_H

#include "base/error.h"
#include "base/str.h"
#include "base/world.h"

#define REGEX_PATTERN_MAX 4096u   /* bytes of a pattern */
#define REGEX_MATCH_MAX   100000u /* steps of one match; beyond it the answer is REGEX_LIMIT */
#define REGEX_DEPTH_MAX   1000u   /* nested backtracking, where there is no JIT */
#define REGEX_HEAP_MAX    1024u   /* KiB that one match may take, where there is no JIT */

struct regex;

/* All patterns of one policy: they live and die together. Zeroed memory is an empty set. */
struct regexes {
    struct regex *first;
};

/* *out belongs to the set. STATUS_SYNTAX has the byte of the pattern, counted from 1, as its
 * column. */
enum status regex_compile(struct regexes *set, struct str pattern, const void **out,
                          struct error *err);
void regexes_release(struct regexes *set);

/* Any number of threads may match with the same code. Whatever goes wrong is REGEX_LIMIT. */
enum regex_answer regex_match(const void *code, struct str text);

#endif
