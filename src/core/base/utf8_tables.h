/* utf8_tables.h - the tables of utf8_fold(), written by tools/unicode-tables. All ascending by
 * their first field. */
#ifndef BASE_UTF8_TABLES_H
#define BASE_UTF8_TABLES_H

#include <stdint.h>

#define UTF8_PAIRS     2061
#define UTF8_COMPOSED  941
#define UTF8_MARKS     382
#define UTF8_FOLD_RUNS 201

/* A code point and its canonical decomposition: two code points, or one if `second` is 0. */
struct utf8_pair {
    uint32_t whole, first, second;
};
extern const struct utf8_pair utf8_pairs[UTF8_PAIRS];
/* Indexes of the pairs that compose, ascending by first, then by second. */
extern const uint16_t utf8_composed[UTF8_COMPOSED];

/* Combining marks and their class: the order of marks of different classes does not matter. */
struct utf8_mark {
    uint32_t first, last;
    uint8_t class;
};
extern const struct utf8_mark utf8_marks[UTF8_MARKS];

/* Every `step`-th code point from first to last folds to the one `distance` further on. */
struct utf8_fold_run {
    uint32_t first, last;
    uint8_t step;
    int32_t distance;
};
extern const struct utf8_fold_run utf8_fold_runs[UTF8_FOLD_RUNS];

#endif
