/* What the table of programs says of commands: each is a line of the standard input, and gets one
 * line, "effects | paths" as tests/rows has it. For tools/prove-rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program_use.h"

#define ARENA_LIMIT ((size_t)64 * 1024 * 1024)

struct work {
    struct arena arena;
    const char *command;
};

static void explain(void *arg)
{
    struct work *w = arg;
    struct use_words words = use_words(&w->arena, w->command);
    struct program_use use;

    program_explain(&w->arena, words.items, words.count, NULL, &use);
    struct str text = use_facts(&w->arena, &use);
    printf("%.*s\n", STR_ARG(text));
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    int status = 0;

    while (status == 0 && getline(&line, &room, stdin) > 0) {
        struct work w = {.command = line};
        line[strcspn(line, "\n")] = '\0';
        arena_init(&w.arena, ARENA_LIMIT);
        status = arena_try(&w.arena, explain, &w) ? 0 : 1;
        arena_release(&w.arena);
    }
    free(line);
    return status;
}
