/* regex.h - regular expressions of long-form rules, by PCRE2, with limits.
 *
 * Patterns and texts are bytes: a text that is not UTF-8 must not slip past a deny. `.` also
 * matches a line feed, and `$` only the very end, so that a quoted line break hides nothing. */
#ifndef MACHINE_REGEX_H
#define MACHINE_REGEX_H

#include "base/error.h"
#include "base/str.h"
#include "base/world.h"

#define REGEX_PATTERN_MAX 4096u   /* bytes of a pattern */
#define REGEX_MATCH_MAX   100000u /* steps per match; beyond it the answer is REGEX_LIMIT */
#define REGEX_DEPTH_MAX   1000u   /* nested backtracking, without JIT */
#define REGEX_HEAP_MAX    1024u   /* KiB per match, without JIT */

struct regex;

/* All patterns of one policy, freed together. Zeroed memory is an empty set. */
struct regexes {
    struct regex *first;
};

/* The set owns *out. With STATUS_SYNTAX, the error's column is the byte of the pattern, counted
 * from 1. */
enum status regex_compile(struct regexes *set, struct str pattern, const void **out,
                          struct error *err);
void regexes_release(struct regexes *set);

/* Threads may share the code. Any error is REGEX_LIMIT. */
enum regex_answer regex_match(const void *code, struct str text);

#endif
