/* What a reader of inline code says of texts, text_reader PROGRAM OPTION: each of them ends with a
 * NUL byte on the standard input, and gets one line, "asks", or "reads" and its paths as
 * programs.case writes them. tests/tools/python.sh and javascript.sh hold the real programs against
 * it. */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "programs/programs.h"

#define ARENA_LIMIT ((size_t)64 * 1024 * 1024)

struct work {
    struct arena arena;
    const char *program, *option;
    struct str text;
};

static struct shell_word word(struct str text)
{
    return (struct shell_word){.text = text, .known = true};
}

static void print_path(const struct program_path *p)
{
    printf(" %s%s:", p->access & PROGRAM_READS ? (p->names ? "B" : "R") : "",
           p->access & PROGRAM_WRITES ? "W" : "");
    for (size_t i = 0; i < p->text.len; i++)
        putchar(p->text.s[i] == '\n' ? ' ' : p->text.s[i] == WORD_UNKNOWN ? '$' : p->text.s[i]);
}

static void explain(void *arg)
{
    struct work *w = arg;
    struct shell_word words[] = {word(str_from(w->program)), word(str_from(w->option)),
                                 word(w->text), word(STR("first"))};
    struct program_use use;

    program_explain(&w->arena, words, COUNT(words), NULL, &use);
    if (use.effects != EFFECT_MODULES) {
        puts("asks");
        return;
    }
    printf("reads");
    for (size_t i = 0; i < use.paths.count; i++)
        print_path(&use.paths.items[i]);
    puts("");
}

int main(int argc, char **argv)
{
    struct work w = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    if (argc != 3)
        return 64;
    w.program = argv[1];
    w.option = argv[2];
    arena_init(&w.arena, ARENA_LIMIT);
    while ((len = getdelim(&line, &room, '\0', stdin)) > 0) {
        w.text = (struct str){line, (size_t)len - 1};
        if (!arena_try(&w.arena, explain, &w))
            puts("asks");
        arena_reset(&w.arena);
        fflush(stdout);
    }
    free(line);
    arena_release(&w.arena);
    return ferror(stdin) != 0;
}
