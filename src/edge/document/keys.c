#include "document/keys.h"

/* An AA tree: a binary tree in which a right child may have its parent's level (a "horizontal"
 * link), a left child never, and no two such links follow each other. That keeps the depth below
 * twice the logarithm of the count. */
struct key_node {
    struct str key;
    size_t number;
    unsigned level;
    struct key_node *left, *right;
};

size_t keys_find(const struct keys *k, struct str key)
{
    const struct key_node *n = k->root;

    while (n) {
        int order = str_compare(key, n->key);
        if (order == 0)
            return n->number;
        n = order < 0 ? n->left : n->right;
    }
    return KEY_NONE;
}

/* Turns a horizontal link to the left into one to the right. */
static struct key_node *skew(struct key_node *n)
{
    struct key_node *left = n->left;

    if (!left || left->level != n->level)
        return n;
    n->left = left->right;
    left->right = n;
    return left;
}

/* Moves the middle node of two horizontal links in a row up a level. */
static struct key_node *split(struct key_node *n)
{
    struct key_node *right = n->right;

    if (!right || !right->right || right->right->level != n->level)
        return n;
    n->right = right->left;
    right->left = n;
    right->level++;
    return right;
}

static struct key_node *insert(struct key_node *n, struct key_node *added)
{
    if (!n)
        return added;
    if (str_compare(added->key, n->key) < 0)
        n->left = insert(n->left, added);
    else
        n->right = insert(n->right, added);
    return split(skew(n));
}

void keys_add(struct arena *a, struct keys *k, struct str key)
{
    struct key_node *n = ARENA_NEW(a, struct key_node);

    *n = (struct key_node){.key = key, .number = k->count++, .level = 1};
    k->root = insert(k->root, n);
}
