/* analyse.c - shell_analyse(): reads the bytes, then the tree, then walks it. */
#include "shell/walk.h"

/* Where a shell is that goes on. */
static void find_end(const struct walk *w, struct shell_analysis *out)
{
    const struct shell_directory *d = &w->env.directory;
    const struct shell_place start = place_at(w->context->cwd);
    const bool moved = !place_eq(d->here, start);

    if (!place_is_known(start) || !place_is_known(d->here) || d->skipped ||
        d->if_mktemp_failed.kind != PLACE_NONE || str_has(d->here.path, WORD_UNKNOWN) ||
        (d->other.kind != PLACE_NONE && !place_eq(d->other, start)))
        return;
    out->stays = true;
    if (moved)
        out->enters = d->here.path;
}

/* A secret that belongs to no action: one in a here-document is expanded after its command; one in
 * [[ ]] or case may be known by the status. */
static void show_secret(struct walk *w, struct str text)
{
    struct shell_actions *all = &w->out->actions;

    if (!w->secret)
        return;
    if (!all->count) {
        struct shell_action *a = shell_action_begin(w, SHELL_COMMAND, 0, text.len);
        LIST_PUSH(w->arena, &a->words, (struct shell_word){.text = STR("test"), .known = true});
        shell_action_end(w);
        return;
    }
    all->items[all->count - 1].secret = true;
}

void shell_analyse(struct arena *a, struct str text, const struct shell_context *c,
                   struct shell_analysis *out)
{
    struct tree tree;
    size_t paid = text.len < SHELL_TEXT_MAX ? text.len : SHELL_TEXT_MAX;
    struct walk w = {.arena = a,
                     .context = c,
                     .out = out,
                     .text = text,
                     .env = {.directory = {.here = place_at(c->cwd)},
                             .ifs = {STR(" \t\n"), true},
                             .args = {.known = true},
                             .after = -1},
                     .frame = {.parent = -1, .unroll = 1},
                     .left = {.steps = SHELL_STEPS_FREE + SHELL_STEPS_PER_BYTE * paid,
                              .commands = SHELL_COMMANDS_MAX,
                              .nodes = SHELL_WALK_DEPTH_MAX,
                              .calls = SHELL_CALL_DEPTH_MAX,
                              .texts = SHELL_TEXT_DEPTH_MAX,
                              .wrappers = SHELL_WRAP_DEPTH_MAX + 1},
                     .simple = -1};

    *out = (struct shell_analysis){0};
    findings_in_bytes(&w, text);
    shell_parse(a, text, &tree);
    out->bash_only = tree.bash_only;
    if (tree.why)
        walk_fail(&w, tree.why_at, tree.why);
    findings_in_tree(&w, &tree, text);
    if (tree.root)
        walk_node(&w, tree.root);
    out->lasting = w.env.functions || w.env.constants || w.env.all_constants ||
                   w.env.args.words.count || !w.env.args.known || w.traps.count || w.maps.count ||
                   w.seen.other_letters;
    find_end(&w, out);
    builtin_run_traps(&w);
    show_secret(&w, text);
    out->understood = !w.failed; /* set last: if memory ends before this, nothing was understood */
}
