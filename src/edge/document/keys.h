/* keys.h - the keys of one table, numbered in order of insertion.
 *
 * A balanced tree, not a hash table: an attacker who can write a file in a project could choose
 * keys that collide and keep the reader busy for minutes. Here a look-up takes a logarithmic number
 * of comparisons whatever the keys are. */
#ifndef DOCUMENT_KEYS_H
#define DOCUMENT_KEYS_H

#include "base/arena.h"
#include "base/str.h"

struct key_node;

struct keys {
    struct key_node *root;
    size_t count;
};

#define KEY_NONE ((size_t)-1)

/* The number of `key`, or KEY_NONE. */
size_t keys_find(const struct keys *k, struct str key);

/* Keys are numbered 0, 1, 2, ... The key must be new, and its bytes must outlive the tree. */
void keys_add(struct arena *a, struct keys *k, struct str key);

#endif
