/* utf8_tables.h - the tables behind utf8_fold(); tools/unicode-tables writes them. All ascending by
 * their first field.
 */
#ifndef BASE_UTF8_TABLES_H
#define BASE_UTF8_TABLES_H

#include <stdint.h>

#define UTF8_PAIRS     2061
#define UTF8_COMPOSED  941
#define UTF8_MARKS     382
#define UTF8_FOLD_RUNS 201

/* A code point and the two that are the same as it; one, when `second` is 0. */
struct utf8_pair {
    uint32_t whole, first, second;
};
extern const struct utf8_pair utf8_pairs[UTF8_PAIRS];
/* The places of those pairs that compose, ascending by first, then by second. */
extern const uint16_t utf8_composed[UTF8_COMPOSED];

/* Combining marks and their class: marks of different classes may stand in any order. */
struct utf8_mark {
    uint32_t first, last;
    uint8_t class;
};
extern const struct utf8_mark utf8_marks[UTF8_MARKS];

/* Every `step`-th code point from first to last is written in the other case `distance` further on.
 */
struct utf8_fold_run {
    uint32_t first, last;
    uint8_t step;
    int32_t distance;
};
extern const struct utf8_fold_run utf8_fold_runs[UTF8_FOLD_RUNS];

#endif
