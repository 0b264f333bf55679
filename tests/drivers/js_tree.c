/* How the JavaScript reader understands texts: each of them ends with a NUL byte on the standard
 * input, and gets one line, its tree, or nothing when it is refused.
 * tests/judges/javascript/tree.js makes the same of what acorn understands. */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "programs/javascript/javascript.h"

#define ARENA_LIMIT ((size_t)64 * 1024 * 1024)

struct work {
    struct arena arena;
    struct str text;
};

/* NULL: only its parts are printed. */
static const char *label(const struct node *n)
{
    switch (n->kind) {
    case NODE_LOOK:
    case NODE_ARITH:
        return "look";
    case NODE_CHOICE:
        return "choice";
    case NODE_ARRAY:
        return "array";
    case NODE_OBJECT:
        return "object";
    case NODE_ENTRY:
        return ":";
    case NODE_COMPUTED:
        return "[]:";
    case NODE_SPREAD:
        return "...";
    case NODE_FUNCTION:
        return "function";
    case NODE_CALL:
        return "call";
    case NODE_NEW:
        return "new";
    case NODE_MEMBER:
        return ".";
    case NODE_INDEX:
        return "[]";
    case NODE_ASSIGN:
        return "=";
    case NODE_UPDATE:
        return "++";
    case NODE_RETURN:
        return "return";
    case NODE_STATEMENT:
        return ";";
    case NODE_GROUP:
    case NODE_EMPTY:
    case NODE_NAME:
    case NODE_CONSTANT:
    case NODE_NUMBER:
    case NODE_STRING:
    case NODE_PARENS:
    case NODE_REGEX:
    case NODE_INSTANCE:
    case NODE_BIND:
    case NODE_EACH:
        break;
    }
    return NULL;
}

static void print_text(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        putchar(text.s[i] == '\n' ? ' ' : text.s[i]);
}

static void print(const struct node *n)
{
    const char *name = label(n);

    if (n->kind == NODE_NAME || n->kind == NODE_NUMBER) {
        putchar(' ');
        print_text(n->text);
    } else if (n->kind == NODE_CONSTANT || n->kind == NODE_STRING || n->kind == NODE_REGEX) {
        printf(" %s", n->kind == NODE_CONSTANT ? "constant" : n->kind == NODE_STRING ? "'" : "/");
    }
    if (name)
        printf(" (%s", name);
    if (n->kind == NODE_MEMBER || n->kind == NODE_ENTRY || n->kind == NODE_ASSIGN)
        print_text(n->text);
    for (const struct node *part = n->parts; part; part = part->next)
        print(part);
    if (name)
        putchar(')');
}

static void parse(void *arg)
{
    struct work *w = arg;
    struct parser *p = ARENA_NEW(&w->arena, struct parser);
    struct node *tree = js_parse(p, &w->arena, w->text);

    if (tree)
        print(tree);
}

int main(void)
{
    struct work w = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    arena_init(&w.arena, ARENA_LIMIT);
    while ((len = getdelim(&line, &room, '\0', stdin)) > 0) {
        w.text = (struct str){line, (size_t)len - 1};
        (void)arena_try(&w.arena, parse, &w);
        puts("");
        arena_reset(&w.arena);
    }
    free(line);
    arena_release(&w.arena);
    return ferror(stdin) != 0;
}
