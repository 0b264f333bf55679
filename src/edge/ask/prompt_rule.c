/* prompt_rule.c - "always": the rule is shown, may be edited, and is then written as it was last
 * shown.
 *
 * An unchanged rule was on the screen when the person pressed Enter. A changed one is parsed first
 * and shown again with what it would match. */
#include "ask/prompt_parts.h"

#define LABEL "rule> "

static const struct strs *offered(const struct prompt *p)
{
    return &p->panel->suggestions;
}

/* Wider rules are offered to allow, not to deny: a deny that covers too much is a nuisance. */
static const struct strs *wider(const struct prompt *p)
{
    static const struct strs none;
    bool some = p->effect == BEHAVIOR_ALLOW && p->panel->wider && p->rule < offered(p)->count;

    return some ? &p->panel->wider[p->rule] : &none;
}

/* The rule that is offered now. */
static struct str suggestion(const struct prompt *p)
{
    if (p->offer)
        return wider(p)->items[p->offer - 1];
    return p->rule < offered(p)->count ? offered(p)->items[p->rule] : (struct str){"", 0};
}

/* Each key redraws the line alone, in the cursor's row. */
static void draw_line(struct prompt *p)
{
    struct panel_layout layout = panel_layout_on(&p->terminal, 0);

    prompt_say(p, line_draw(&p->scratch, &p->line, LABEL, layout.width, layout.ascii));
}

static void draw_editing(struct prompt *p)
{
    const char *which = p->effect == BEHAVIOR_ALLOW ? "Always allow" : "Always deny";
    struct str target = p->to_user ? p->panel->user_target : p->panel->target;
    struct str where =
        str_format(&p->scratch, "%s: this rule goes to %.*s", which, STR_ARG(target));

    if (p->rules > 1)
        where = str_format(&p->scratch, "%.*s (%zu of %zu)", STR_ARG(where), p->rule + 1, p->rules);
    prompt_note(p, "", where);
    if (p->panel->note.len && p->effect == BEHAVIOR_ALLOW && !p->to_user)
        prompt_note(p, "", p->panel->note);
    prompt_say(p, wider(p)->count ? STR("[Enter] write it   [Tab] another rule   [Esc] back\n")
                                  : STR("[Enter] write it   [Esc] back\n"));
    draw_line(p);
}

static bool draw_confirming(struct prompt *p)
{
    struct strs sentences = {0};
    struct error err = {0};

    if (always_check(&p->scratch, p->always, p->effect, line_text(&p->line), &sentences, &err)) {
        prompt_note(p, "not a rule: ", str_from(err.message));
        return false;
    }
    prompt_note(p, p->effect == BEHAVIOR_ALLOW ? "allow " : "deny ", line_text(&p->line));
    for (size_t i = 0; i < sentences.count; i++)
        prompt_note(p, "  ", sentences.items[i]);
    prompt_say(p, STR("[Enter] write it   [e] edit again   [Esc] back\n> "));
    return true;
}

void prompt_rule_draw(struct prompt *p)
{
    if (p->state == PROMPT_CONFIRMING && draw_confirming(p))
        return;
    p->state = PROMPT_EDITING;
    draw_editing(p);
}

/* ---- writing ---- */

/* The texts outlive the prompt, so they go to the decision's arena, which needs its own door. */
struct rule_copy {
    struct prompt *prompt;
    struct str text;
};

static void copy_rule(void *arg)
{
    struct rule_copy *r = arg;
    struct prompt *p = r->prompt;

    if (!p->written)
        p->written = ARENA_ARRAY(p->arena, struct str, p->rules);
    p->written[p->rule] = str_copy(p->arena, r->text);
}

static bool keep_rule(struct prompt *p, struct str text)
{
    return arena_try(p->arena, copy_rule, &(struct rule_copy){p, text});
}

static bool write_all(struct prompt *p)
{
    for (size_t i = 0; i < p->rules; i++) {
        struct error err = {0};
        uint32_t line;
        enum status status = (p->to_user ? always_write_user : always_write)(
            p->always, p->effect, p->written[i], &line, &err);
        if (status) {
            prompt_note(p, "the rule was not written: ", str_from(err.message));
            return false;
        }
        const char *path = p->to_user ? p->always->user_path : p->always->path;
        struct str place = line ? str_format(&p->scratch, "%s:%u: ", path, line)
                                : str_format(&p->scratch, "%s already has it: ", path);
        prompt_note(p, "", str_join(&p->scratch, place, p->written[i]));
    }
    return true;
}

static void finish(struct prompt *p)
{
    bool allow = p->effect == BEHAVIOR_ALLOW;

    if (!write_all(p)) {
        prompt_back(p);
        return;
    }
    prompt_say(p, allow ? STR("allowed\n") : STR("denied by you\n"));
    prompt_answer(p, p->effect, allow ? "" : panel_style(p->panel->profile)->denied);
    p->reply->remember = REMEMBER_WRITTEN;
    p->reply->rule = p->written[0];
}

static void begin_line(struct prompt *p)
{
    p->state = PROMPT_EDITING;
    (void)line_set(&p->line, suggestion(p));
    draw_editing(p);
}

/* The next rule that is offered, in place of what the line holds. */
static void next_offer(struct prompt *p)
{
    if (!wider(p)->count)
        return;
    p->offer = (p->offer + 1) % (wider(p)->count + 1);
    (void)line_set(&p->line, suggestion(p));
    draw_line(p);
}

/* Each rule is taken as it was last shown; all are written after the last one. */
static void take_rule(struct prompt *p)
{
    if (!keep_rule(p, line_text(&p->line))) {
        prompt_say(p, STR("no memory for the rule\n"));
        prompt_back(p);
    } else if (++p->rule < p->rules) {
        p->offer = 0;
        begin_line(p);
    } else {
        finish(p);
    }
}

/* ---- keys ---- */

/* A deny of one part denies the whole call; to allow it, each part needs its rule. */
static void prepare(struct prompt *p, enum behavior effect)
{
    p->effect = effect;
    p->rule = p->offer = 0;
    p->rules = effect == BEHAVIOR_ALLOW && offered(p)->count > 1 ? offered(p)->count : 1;
    p->written = NULL;
}

void prompt_rule_begin(struct prompt *p, enum behavior effect)
{
    prepare(p, effect);
    prompt_say(p, STR("\n"));
    begin_line(p);
}

static void write_as_shown(struct prompt *p)
{
    if (offered(p)->count == 0) {
        prompt_say(p, STR("no rule is suggested\n> "));
        return;
    }
    for (; p->rule < p->rules; p->rule++)
        if (!keep_rule(p, suggestion(p)))
            return;
    finish(p);
}

void prompt_rule_as_shown(struct prompt *p, enum behavior effect)
{
    prepare(p, effect);
    write_as_shown(p);
}

void prompt_rule_choose(struct prompt *p, size_t offer)
{
    p->to_user = false;
    prepare(p, BEHAVIOR_ALLOW);
    p->offer = offer;
    if (!p->terminal.keys) {
        write_as_shown(p);
        return;
    }
    prompt_say(p, STR("\n"));
    begin_line(p);
}

static void confirming_key(struct prompt *p, enum key key, struct str text)
{
    if (key == KEY_ENTER) {
        take_rule(p);
    } else if (key == KEY_ESCAPE) {
        prompt_say(p, STR("\n"));
        prompt_back(p);
    } else if (key == KEY_TEXT && str_is(text, "e")) {
        p->state = PROMPT_EDITING;
        prompt_draw(p);
    }
}

static void enter(struct prompt *p)
{
    struct str text = line_text(&p->line);

    if (str_trim(text).len == 0)
        return;
    prompt_say(p, STR("\n"));
    if (str_eq(text, suggestion(p))) {
        take_rule(p);
        return;
    }
    p->state = PROMPT_CONFIRMING;
    prompt_rule_draw(p);
}

void prompt_rule_key(struct prompt *p, enum key key, struct str text)
{
    if (p->state == PROMPT_CONFIRMING) {
        confirming_key(p, key, text);
    } else if (key == KEY_ENTER) {
        enter(p);
    } else if (key == KEY_TAB) {
        next_offer(p);
    } else if (key == KEY_ESCAPE || (key == KEY_EOF && p->line.len == 0)) {
        prompt_say(p, STR("\n"));
        prompt_back(p);
    } else if (line_key(&p->line, key, text)) {
        draw_line(p);
    }
}
