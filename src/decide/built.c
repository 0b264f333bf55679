#include "decide/built.h"

#include "base/path.h"
#include "decide/actions.h"

/* go build -o FILE PACKAGE, in any order and with nothing else. */
static bool is_build(const struct shell_words *w, const struct shell_word **file, const struct shell_word **package)
{
    *file = *package = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (!w->items[i].known || w->items[i].text.len == 0)
            return false;
    if (w->count != 5 || !str_is(w->items[0].text, "go") || !str_is(w->items[1].text, "build"))
        return false;
    for (size_t i = 2; i < w->count; i++) {
        if (str_is(w->items[i].text, "-o") && i + 1 < w->count && !*file)
            *file = &w->items[++i];
        else if (w->items[i].text.s[0] != '-' && !*package)
            *package = &w->items[i];
        else
            return false;
    }
    return *file && *package;
}

static bool only_writer(const struct facts *f, size_t build, struct str file)
{
    for (size_t i = 0; i < f->actions.count; i++)
        if (i != build && action_may_write(&f->actions.items[i], file))
            return false;
    return true;
}

bool built_here(const struct facts *f, const struct shell_actions *all, size_t at, struct shell_words *as)
{
    const struct shell_action *run = &all->items[at];
    const struct shell_word *file, *package;
    struct str program, output;

    if (run->kind != SHELL_COMMAND || run->words.count == 0 || !run->words.items[0].known || run->cwd_other.len ||
        !str_has(run->words.items[0].text, '/') ||
        !path_absolute(f->arena, run->cwd, f->home, run->words.items[0].text, &program))
        return false;
    for (int i = run->after; i >= 0; i = all->items[i].after) {
        const struct shell_action *build = &all->items[i];
        if (build->kind != SHELL_COMMAND || build->cwd_other.len || !is_build(&build->words, &file, &package) ||
            !path_absolute(f->arena, build->cwd, f->home, file->text, &output) || !str_eq(output, program) ||
            !str_eq(build->cwd, run->cwd) || !only_writer(f, (size_t)i, program))
            continue;
        *as = (struct shell_words){0};
        LIST_PUSH(f->arena, as, build->words.items[0]);
        LIST_PUSH(f->arena, as, ((struct shell_word){.text = STR("run"), .known = true}));
        LIST_PUSH(f->arena, as, *package);
        for (size_t n = 1; n < run->words.count; n++)
            LIST_PUSH(f->arena, as, run->words.items[n]);
        return true;
    }
    return false;
}
