/* added.c - wrappers that a policy file names, and launchers of projects: rows of programs/ with a
 * command (role I) or a shell text (role S) among their operands or values. Their own row says
 * where it begins. */
#include "programs/programs.h"
#include "shell/walk.h"

/* Of such words there is nothing to say but their texts: whoever asks again is told the same. */
static bool all_known(const struct shell_words *argv)
{
    for (size_t i = 0; i < argv->count; i++)
        if (!argv->items[i].known || argv->items[i].may_glob || argv->items[i].may_split ||
            argv->items[i].shape)
            return false;
    return true;
}

/* Where an inner command begins does not depend on what may be guessed. */
static const struct shell_word *without_shapes(struct walk *w, const struct shell_words *argv)
{
    struct shell_word *words = arena_room(w->arena, argv->count, sizeof(*words));

    for (size_t i = 0; i < argv->count; i++) {
        words[i] = argv->items[i];
        words[i].shape = 0;
    }
    return words;
}

static bool explain_words(struct walk *w, const struct shell_words *argv, struct program_use *use)
{
    const struct shell_word *words = all_known(argv) ? argv->items : without_shapes(w, argv);

    program_explain(w->arena, words, argv->count, w->context->programs, use);
    return use->row && use->inners > 0;
}

/* False: no policy file speaks of this program, or what it says wraps nothing. */
static bool explain(struct walk *w, const struct shell_words *argv, struct program_use *use)
{
    const struct program_rows *added = w->context->programs;

    return added && program_added(added, command_name(w, argv->items[0].text)) &&
           explain_words(w, argv, use);
}

size_t added_inner(struct walk *w, const struct shell_words *argv, bool transparent_only)
{
    struct program_use use;

    if (!explain(w, argv, &use) || use.inner_text.s || use.inners != 1 ||
        (use.effects & EFFECT_UNKNOWN))
        return 0;
    /* ./name is somebody's program, whatever it is called */
    if (transparent_only &&
        (!use.row->transparent || str_has(argv->items[0].text, '/') ||
         (use.effects & ~(unsigned)EFFECT_INNER) || use.paths.count || use.hosts.count))
        return 0;
    return use.inner;
}

void run_added(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    bool plain_sh = w->plain_sh;
    struct program_use use;

    if (!explain(w, argv, &use))
        return;
    struct env before = w->env;
    if (use.inners > 1 || (use.effects & EFFECT_UNKNOWN)) {
        not_understood(w, at, "a wrapper with a word that its row does not explain");
        return;
    }
    if (use.inner_text.s) {
        env_new_shell(w);
        w->plain_sh = true;
        walk_text(w, use.inner_text, index, at, len);
    } else {
        struct shell_words inner = {.items = argv->items + use.inner,
                                    .count = argv->count - use.inner};
        w->env.functions = NULL; /* a program, never a function */
        run_command(w, inner, at, len, index);
    }
    w->plain_sh = plain_sh;
    w->env = before;
}

/* uv run, poetry run, mise exec --: the command is a program of the project's environment or of the
 * system. Where it is started elsewhere, or in a way that the row does not explain, it is not
 * listed, and so nobody has seen it. */
bool run_launched(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    if (w->context->programs &&
        program_added(w->context->programs, command_name(w, argv->items[0].text)))
        return false;
    struct program_use *use = ARENA_NEW(w->arena, struct program_use);
    bool wraps = explain_words(w, argv, use);
    if (all_known(argv) && !use->input.len)
        w->out->actions.items[index].use = use;
    if (!wraps || use->inners > 1 || use->inner_text.s || use->directory.len ||
        (use->effects & EFFECT_UNKNOWN))
        return true;
    struct env before = w->env;
    struct shell_words inner = {.items = argv->items + use->inner,
                                .count = argv->count - use->inner};
    w->env.functions = NULL; /* a program, never a function */
    run_command(w, inner, at, len, index);
    w->env = before;
    w->output = (struct output){0};
    return true;
}
