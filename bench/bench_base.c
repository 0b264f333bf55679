/* bench_base.c - the arena compared with malloc() and free(): builds and frees a document of a
 * thousand nodes, as every decision does.
 *
 *     bench_base [FILE]     FILE gets the figures as lines of JSON */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "lines.h"

#define NODES 1000

struct node {
    struct node *next;
    char *key;
    char *text;
};

static const char *const words[] = {"permissions", "allow",        "Bash(npm run test:*)",
                                    "deny",        "Read(./.env)", "ask"};

static const char *word(size_t i)
{
    return words[i % COUNT(words)];
}

static struct arena arena;
/* The last document; volatile, so that the compiler cannot optimise it away. */
static struct node *volatile built;

static void build_in_arena(void *arg)
{
    struct node *list = NULL;

    (void)arg;
    for (size_t i = 0; i < NODES; i++) {
        struct node *node = ARENA_NEW(&arena, struct node);
        node->key = arena_copy(&arena, word(i), strlen(word(i)));
        node->text = arena_copy(&arena, word(i + 1), strlen(word(i + 1)));
        node->next = list;
        list = node;
    }
    built = list;
}

static void with_arena(void)
{
    if (!arena_try(&arena, build_in_arena, NULL))
        exit(1);
    arena_reset(&arena);
}

static void *must(void *p)
{
    if (!p)
        exit(1);
    return p;
}

static void with_malloc(void)
{
    struct node *list = NULL;

    for (size_t i = 0; i < NODES; i++) {
        struct node *node = must(calloc(1, sizeof(*node)));
        node->key = must(strdup(word(i)));
        node->text = must(strdup(word(i + 1)));
        node->next = list;
        list = node;
    }
    built = list;
    for (struct node *node = built, *next; node; node = next) {
        next = node->next;
        free(node->key);
        free(node->text);
        free(node);
    }
}

int main(int argc, char **argv)
{
    lines_open(argc > 1 ? argv[1] : NULL);
    arena_init(&arena, (size_t)16 << 20);
    measure_compare("a document of 1000 nodes", (struct contender){"arena", with_arena},
                    (struct contender){"malloc", with_malloc});
    arena_release(&arena);
    lines_close();
    return 0;
}
