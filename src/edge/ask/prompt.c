#include "ask/prompt.h"

#include <errno.h>
#include <unistd.h>

#include "ask/prompt_parts.h"
#include "machine/clock.h"

#define GRACE_MORE_MS                                                                              \
    20 /* the race starts its clock a moment later than the prompt, and would reject what we       \
          accept */

/* ---- writing ---- */

void prompt_say(struct prompt *p, struct str text)
{
    terminal_write(&p->terminal, text);
}

void prompt_lines(struct prompt *p, const struct strs *lines)
{
    terminal_write_lines(&p->terminal, &p->scratch, lines);
}

void prompt_note(struct prompt *p, const char *label, struct str text)
{
    struct panel_layout layout = panel_layout_on(&p->terminal, 0);
    struct strs lines = {0};

    panel_text(&p->scratch, str_format(&p->scratch, "%s%.*s", label, STR_ARG(text)), &layout,
               &lines);
    prompt_lines(p, &lines);
}

static void draw_panel(struct prompt *p)
{
    struct panel_layout layout = panel_layout_on(&p->terminal, PROMPT_INPUT_ROWS);
    struct strs lines = {0};

    if (!p->terminal.keys)
        layout.rows = 0; /* what is no screen has no end */
    panel_question(&p->scratch, p->panel, &layout, &lines);
    prompt_lines(p, &lines);
    prompt_say(p, STR("> "));
}

/* Drawn below the old lines: a terminal that changed its width has moved them. */
void prompt_draw(struct prompt *p)
{
    if (p->state == PROMPT_VIEWING) {
        prompt_page_draw(p);
        return;
    }
    prompt_say(p, STR("\n"));
    if (p->state == PROMPT_CHOOSING)
        draw_panel(p);
    else
        prompt_rule_draw(p);
}

void prompt_back(struct prompt *p)
{
    p->state = PROMPT_CHOOSING;
    prompt_draw(p);
}

/* ---- answers ---- */

void prompt_answer(struct prompt *p, enum behavior behavior, const char *message)
{
    p->reply->behavior = behavior;
    p->reply->message = str_from(message);
    p->news = NEWS_ANSWER;
}

static void answer_allow(struct prompt *p)
{
    prompt_say(p, STR("allowed once\n"));
    prompt_answer(p, BEHAVIOR_ALLOW, "");
    if (panel_style(p->panel->profile)->keeps_approvals)
        p->reply->remember = REMEMBER_SESSION;
}

static void answer_session(struct prompt *p)
{
    prompt_say(p, STR("allowed for this session\n"));
    prompt_answer(p, BEHAVIOR_ALLOW, "");
    p->reply->remember = REMEMBER_SESSION;
}

static void answer_deny(struct prompt *p, const char *shown)
{
    prompt_say(p, str_from(shown));
    prompt_answer(p, BEHAVIOR_DENY, panel_style(p->panel->profile)->denied);
}

static void answer_cancel(struct prompt *p)
{
    prompt_say(p, STR("cancelled\n"));
    prompt_answer(p, BEHAVIOR_DENY, "cancelled");
    p->reply->cancelled = true;
}

static void show_help(struct prompt *p)
{
    struct panel_layout layout = panel_layout_on(&p->terminal, 0);
    struct strs lines = {0};

    prompt_say(p, STR("help\n"));
    panel_help(&p->scratch, p->panel, &layout, &lines);
    prompt_lines(p, &lines);
    prompt_say(p, STR("> "));
}

static void begin_rule(struct prompt *p, enum behavior effect, bool to_user)
{
    p->to_user = to_user;
    if (!p->always)
        show_help(p);
    else if (p->terminal.keys)
        prompt_rule_begin(p, effect);
    else
        prompt_rule_as_shown(p, effect);
}

static void choose(struct prompt *p, char key)
{
    enum choice choice = panel_choice(panel_style(p->panel->profile), key);

    if (!panel_offers(p->panel, choice))
        choice = CHOICE_NONE;
    if (p->always && panel_numbered(p->panel, key).len) {
        prompt_rule_choose(p, (size_t)(key - '1'));
        return;
    }
    switch (choice) {
    case CHOICE_ALLOW:
        answer_allow(p);
        return;
    case CHOICE_SESSION:
        answer_session(p);
        return;
    case CHOICE_ALWAYS_ALLOW:
        begin_rule(p, BEHAVIOR_ALLOW, false);
        return;
    case CHOICE_USER_ALLOW:
        begin_rule(p, BEHAVIOR_ALLOW, true);
        return;
    case CHOICE_DENY:
        answer_deny(p, "denied by you\n");
        return;
    case CHOICE_ALWAYS_DENY:
        begin_rule(p, BEHAVIOR_DENY, false);
        return;
    case CHOICE_CANCEL:
        answer_cancel(p);
        return;
    case CHOICE_VIEW:
        prompt_page_begin(p);
        return;
    case CHOICE_HELP:
    case CHOICE_NONE:
        break;
    }
    show_help(p); /* after a mistyped key, too */
}

/* ---- keys ---- */

static void choosing_key(struct prompt *p, enum key key, struct str text)
{
    if (key == KEY_EOF)
        answer_deny(p, "end of input: denied\n");
    else if (key == KEY_TEXT && text.len == 1)
        choose(p, text.s[0]);
    else
        show_help(p);
}

static void take_key(struct prompt *p, enum key key, struct str text)
{
    if (key == KEY_PASTE_BEGIN || key == KEY_PASTE_END) {
        p->pasting = key == KEY_PASTE_BEGIN;
        return;
    }
    /* Pasted text counts only in a line that is being edited, without its line breaks. */
    if (p->pasting && (p->state != PROMPT_EDITING || key != KEY_TEXT))
        return;
    switch (p->state) {
    case PROMPT_CHOOSING:
        choosing_key(p, key, text);
        break;
    case PROMPT_EDITING:
    case PROMPT_CONFIRMING:
        prompt_rule_key(p, key, text);
        break;
    case PROMPT_VIEWING:
        prompt_page_key(p, key, text);
        break;
    }
}

static void take_keys(struct prompt *p)
{
    struct str rest = {p->bytes, p->byte_count}, text;
    enum key key;

    while (p->news != NEWS_ANSWER && (key = key_next(&rest, &text)) != KEY_NONE)
        take_key(p, key, text);
    /* An incomplete sequence is not a key. What was typed after an answer is not kept for the next
     * question. */
    if (p->news == NEWS_ANSWER || rest.len > sizeof(p->bytes) / 2)
        rest.len = 0;
    if (rest.len)
        memmove(p->bytes, rest.s, rest.len);
    p->byte_count = rest.len;
}

/* The first character of each whole line. */
static void take_typed_lines(struct prompt *p)
{
    struct str rest = {p->bytes, p->byte_count}, line, left;

    while (p->news != NEWS_ANSWER && str_has(rest, '\n')) {
        str_cut(rest, '\n', &line, &left);
        rest = left;
        choose(p, line.len ? line.s[0] : '?');
    }
    /* Only the first character matters of a line that is longer than the buffer. */
    if (rest.len == sizeof(p->bytes))
        rest.len = 1;
    if (rest.len)
        memmove(p->bytes, rest.s, rest.len);
    p->byte_count = rest.len;
}

static void read_input(struct prompt *p, int64_t now)
{
    /* What follows the answer in a pipe is for the command that it is about. */
    size_t room = p->terminal.typed ? sizeof(p->bytes) - p->byte_count : 1;
    ssize_t n = read(p->terminal.in, p->bytes + p->byte_count, room);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        answer_deny(p, "end of input: denied\n");
        return;
    }
    if (p->terminal.typed && p->grace_ms && now - p->started < p->grace_ms + GRACE_MORE_MS)
        return;
    p->byte_count += (size_t)n;
    p->news = NEWS_TOUCHED;
    if (p->terminal.keys)
        take_keys(p);
    else
        take_typed_lines(p);
}

static void take_signals(struct prompt *p)
{
    unsigned news = terminal_news(&p->terminal);

    if (news & (TERMINAL_INTERRUPTED | TERMINAL_ENDED)) {
        answer_cancel(p);
        return;
    }
    if (news & TERMINAL_STOPPED)
        terminal_suspend(&p->terminal);
    else if (news & TERMINAL_CONTINUED)
        terminal_resume(&p->terminal);
    if (news == 0)
        return;
    terminal_page(&p->terminal, p->state == PROMPT_VIEWING);
    prompt_draw(p);
}

/* ---- the asker ---- */

static void begin(void *self)
{
    struct prompt *p = self;

    draw_panel(p);
}

static bool start(void *self, int64_t now)
{
    struct prompt *p = self;

    (void)now;
    p->terminal = (struct terminal){.in = -1, .out = -1, .wake = -1};
    arena_init(&p->scratch, PROMPT_MEMORY);
    arena_init(&p->page_arena, PROMPT_MEMORY);
    bool started = terminal_open(&p->terminal, p->in, p->out) && arena_try(&p->scratch, begin, p);
    p->started = clock_ms();
    return started;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the kind has this type */
static size_t wait_for(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    struct prompt *p = self;

    (void)wake;
    if (room < 2)
        return 0;
    fds[0] = (struct pollfd){.fd = p->terminal.in, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = p->terminal.wake, .events = POLLIN};
    return 2;
}

struct prompt_turn {
    struct prompt *prompt;
    const struct pollfd *fds;
    size_t count;
    int64_t now;
};

static void take_turn(void *arg)
{
    struct prompt_turn *t = arg;

    if (t->count > 1 && t->fds[1].revents)
        take_signals(t->prompt);
    if (t->prompt->news == NEWS_NONE && t->count > 0 && t->fds[0].revents)
        read_input(t->prompt, t->now);
}

static enum news turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                      struct reply *reply)
{
    struct prompt *p = self;
    struct prompt_turn t = {p, fds, count, now};

    p->reply = reply;
    p->news = NEWS_NONE;
    arena_reset(&p->scratch);
    if (!arena_try(&p->scratch, take_turn, &t))
        return NEWS_GONE;
    return p->news;
}

static void stop(void *self)
{
    struct prompt *p = self;

    if (p->news != NEWS_ANSWER && (p->terminal.keys || p->terminal.out >= 0)) {
        terminal_page(&p->terminal, false);
        prompt_say(p, STR("(no longer asked)\n"));
    }
    arena_release(&p->scratch);
    arena_release(&p->page_arena);
    terminal_close(&p->terminal);
}

const struct asker_kind prompt_asker = {
    .name = "prompt", .person = true, .start = start, .wait = wait_for, .turn = turn, .stop = stop};
