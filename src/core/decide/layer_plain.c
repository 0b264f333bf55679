/* layer_plain.c - mink's allow rules, which only cover commands that are written plainly.
 *
 * mink reads the settings files of another program, and users know what their rules allow there:
 * that program matches its patterns against the commands of a list or a pipeline as written, and
 * asks about groups, background jobs, env, expansions and continued lines. Rules written for it
 * must not allow more here. */
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "shell/shell.h"

/* Nothing in it could expand to other words before the program runs. */
static bool is_literal(struct str text)
{
    char quote = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (quote == '\'' && c != '\'')
            continue;
        if (strchr(quote ? "$`" : "$`{}", c) ||
            (c == '\\' && i + 1 < text.len && text.s[i + 1] == '\n'))
            return false;
        if (c == '\\')
            i++;
        else if (c == quote)
            quote = 0;
        else if (!quote && (c == '\'' || c == '"'))
            quote = c;
    }
    return true;
}

static bool opens_group(struct str between)
{
    return str_has(between, '(') || str_has(between, '{');
}

static bool is_plain(const struct shell_action *a, struct str written)
{
    bool env = a->words.count && str_is(a->words.items[0].text, "env");

    return !a->in_background && !env && is_literal(written);
}

static bool all_plain(const struct shell_actions *all, struct str text)
{
    size_t end = 0; /* of the commands checked so far */

    for (size_t i = 0; i < all->count; i++) {
        const struct shell_action *a = &all->items[i];
        if (a->at + a->len <= end) /* inside the previous one */
            continue;
        if (opens_group(str_slice(text, end, a->at)) ||
            !is_plain(a, str_slice(text, a->at, a->at + a->len)))
            return false;
        end = a->at + a->len;
    }
    return true;
}

const struct said *layer_plain_allow(const struct facts *f)
{
    const bool plain =
        !f->shell ||
        (f->actions.count && all_plain(&f->shell->actions, f->actions.items[0].subject.first));
    const struct rule *r = allow_rule_for_all(f, !plain);

    if (!r)
        return NULL;
    return say_rule(f, SAY_ALLOW, r, f->actions.count - 1);
}
