#include "support/shell_serve.h"

#include <stdio.h>
#include <stdlib.h>

#include "shell/shell.h"
#include "shell/tree.h"

struct job {
    struct arena *arena;
    struct str text;
    struct buf *out;
    void (*answer)(struct arena *a, struct str text, struct buf *out);
};

static void run_job(void *arg)
{
    struct job *job = arg;

    *job->out = buf_in(job->arena);
    job->answer(job->arena, job->text, job->out);
}

void answer_tree(struct arena *a, struct str text, struct buf *out)
{
    struct tree tree;

    shell_parse(a, text, &tree);
    if (tree.why)
        buf_format(out, "refused %zu %s", tree.why_at, tree.why);
    else
        shell_print(out, tree.root);
}

static void put_text(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] == WORD_UNKNOWN)
            buf_text(out, "…");
        else if (text.s[i] == '\n')
            buf_text(out, "⏎");
        else
            buf_byte(out, text.s[i]);
    }
    buf_byte(out, '\n');
}

static const char *verb(const struct shell_action *action)
{
    switch (action->kind) {
    case SHELL_COMMAND:
        return "run ";
    case SHELL_ASSIGN:
        return "set ";
    case SHELL_REDIRECT:
        return action->access == SHELL_READS    ? "read "
               : action->access == SHELL_WRITES ? "write "
                                                : "open ";
    }
    return "";
}

void answer_actions(struct arena *a, struct str text, struct buf *out)
{
    struct shell_context context = {STR("/w"), STR("/home/u")};
    struct shell_analysis analysis;

    shell_analyse(a, text, &context, &analysis);
    for (size_t i = 0; i < analysis.actions.count; i++) {
        const struct shell_action *action = &analysis.actions.items[i];
        buf_text(out, verb(action));
        put_text(out, action->normal);
    }
    if (!analysis.understood) {
        buf_format(out, "? %zu ", analysis.why_at);
        put_text(out, analysis.why);
    }
    for (size_t i = 0; i < analysis.findings.count; i++)
        buf_format(out, "# %s\n", analysis.findings.items[i].name);
}

int serve_texts(void (*answer)(struct arena *a, struct str text, struct buf *out))
{
    struct arena arena;
    char *line = NULL;
    size_t room = 0;
    ssize_t len;

    arena_init(&arena, (size_t)256 << 20);
    while ((len = getdelim(&line, &room, '\0', stdin)) >= 0) {
        struct buf out;
        struct job job = {&arena, {line, (size_t)len}, &out, answer};
        if (len && line[len - 1] == '\0')
            job.text.len--;
        if (arena_try(&arena, run_job, &job))
            fwrite(buf_str(&out).s, 1, out.len, stdout);
        else
            printf("refused 0 out of memory");
        putchar('\0');
        fflush(stdout);
        arena_reset(&arena);
    }
    free(line);
    arena_release(&arena);
    return 0;
}
