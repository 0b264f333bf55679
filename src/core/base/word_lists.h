/* word_lists.h - lists of words as constant texts, with blanks between the words. */
#ifndef BASE_WORD_LISTS_H
#define BASE_WORD_LISTS_H

#include <stddef.h>

struct word_lists {
    const char *const *items;
    size_t count;
};

#endif
