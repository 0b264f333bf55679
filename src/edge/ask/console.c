#include "ask/console.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "ask/line.h"
#include "ask/race.h"
#include "ask/terminal.h"
#include "machine/clock.h"

#define CONSOLE_MEMORY ((size_t)64 * 1024 * 1024)
#define GONE_MS        1000 /* between two checks whether it was answered elsewhere */
#define INPUT_ROWS     16
#define LABEL          "rule> "

struct console {
    const struct console_question *question;
    struct terminal terminal;
    struct arena scratch; /* of one turn */
    int64_t started, looked;
    bool editing, pasting, over;
    enum console_key answer;
    struct line line;
    char bytes[256];
    size_t byte_count;
};

/* ---- drawing ---- */

static void say(const struct console *c, const char *text)
{
    terminal_write(&c->terminal, str_from(text));
}

static void draw_line(struct console *c)
{
    struct panel_layout layout = panel_layout_on(&c->terminal, 0);

    terminal_write(&c->terminal,
                   line_draw(&c->scratch, &c->line, LABEL, layout.width, layout.ascii));
}

static void draw(struct console *c, size_t input_rows)
{
    struct panel_layout layout = panel_layout_on(&c->terminal, input_rows);
    struct strs lines = {0};

    panel_lines(&c->scratch, c->question->panel, &layout, &lines);
    terminal_write_lines(&c->terminal, &c->scratch, &lines);
    if (c->editing) {
        say(c, "[Enter] approve and add this rule   [Esc] back\n");
        draw_line(c);
        return;
    }
    say(c, c->question->rule.len
               ? "[a] Approve once   [d] Deny   [p] Approve and promote to a rule\n"
               : "[a] Approve once   [d] Deny\n");
    say(c, "[s] Skip   [v] View all of it   [?] Help   [q] Quit\n> ");
}

/* ---- keys ---- */

static void end(struct console *c, enum console_key answer, const char *said)
{
    say(c, said);
    c->answer = answer;
    c->over = true;
}

static void begin_rule(struct console *c)
{
    if (!c->question->rule.len || !line_set(&c->line, c->question->rule)) {
        say(c, "no rule can match exactly this\n> ");
        return;
    }
    c->editing = true;
    say(c, "promote\n");
    draw(c, INPUT_ROWS);
}

static void show_help(struct console *c)
{
    say(c, "help\n"
           "[a] the call runs, once\n"
           "[d] it does not run, and the worker is told so\n");
    if (c->question->rule.len)
        say(c, "[p] it runs, and a rule is added; you may edit the rule first\n");
    say(c, "[s] left to another reviewer\n"
           "[v] all of the question\n"
           "[q] ends this; the question goes on waiting\n> ");
}

static void choose(struct console *c, char key)
{
    static const struct {
        char key;
        enum console_key answer;
        const char *said;
    } rows[] = {{'a', CONSOLE_APPROVE, "approve\n"},
                {'d', CONSOLE_DENY, "deny\n"},
                {'s', CONSOLE_SKIP, "skip\n"},
                {'q', CONSOLE_QUIT, "quit\n"}};

    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].key == key) {
            end(c, rows[i].answer, rows[i].said);
            return;
        }
    if (key == 'p') {
        begin_rule(c);
        return;
    }
    if (key != 'v') {
        show_help(c);
        return;
    }
    say(c, "\n");
    draw(c, 0);
}

static void rule_key(struct console *c, enum key key, struct str text)
{
    if (key == KEY_ENTER && str_trim(line_text(&c->line)).len) {
        end(c, CONSOLE_PROMOTE, "\n");
    } else if (key == KEY_ESCAPE || key == KEY_EOF) {
        c->editing = false;
        say(c, "\n");
        draw(c, INPUT_ROWS);
    } else if (line_key(&c->line, key, text)) {
        draw_line(c);
    }
}

static void take_key(struct console *c, enum key key, struct str text)
{
    if (key == KEY_PASTE_BEGIN || key == KEY_PASTE_END) {
        c->pasting = key == KEY_PASTE_BEGIN;
        return;
    }
    if (c->pasting && (!c->editing || key != KEY_TEXT))
        return;
    if (c->editing)
        rule_key(c, key, text);
    else if (key == KEY_EOF)
        end(c, CONSOLE_QUIT, "quit\n");
    else if (key == KEY_TEXT && text.len == 1)
        choose(c, text.s[0]);
}

static void take_keys(struct console *c)
{
    struct str rest = {c->bytes, c->byte_count}, text;
    enum key key;

    while (!c->over && (key = key_next(&rest, &text)) != KEY_NONE)
        take_key(c, key, text);
    if (c->over || rest.len > sizeof(c->bytes) / 2)
        rest.len = 0; /* what was typed after an answer is not kept for the next question */
    if (rest.len)
        memmove(c->bytes, rest.s, rest.len);
    c->byte_count = rest.len;
}

/* If single keys cannot be read, the first character of a line counts. */
static void take_typed_line(struct console *c)
{
    struct str rest = {c->bytes, c->byte_count}, line;

    while (!c->over && str_has(rest, '\n')) {
        str_cut(rest, '\n', &line, &rest);
        choose(c, line.len ? line.s[0] : '?');
    }
    if (rest.len == sizeof(c->bytes))
        rest.len = 1;
    if (rest.len)
        memmove(c->bytes, rest.s, rest.len);
    c->byte_count = rest.len;
}

static void read_keys(struct console *c)
{
    ssize_t n = read(c->terminal.in, c->bytes + c->byte_count, sizeof(c->bytes) - c->byte_count);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0) {
        end(c, CONSOLE_QUIT, "quit\n");
        return;
    }
    if (c->terminal.typed && clock_ms() - c->started < RACE_GRACE_MS)
        return;
    c->byte_count += (size_t)n;
    if (c->terminal.keys)
        take_keys(c);
    else
        take_typed_line(c);
}

static void take_signals(struct console *c)
{
    unsigned news = terminal_news(&c->terminal);

    if (news & (TERMINAL_INTERRUPTED | TERMINAL_ENDED)) {
        end(c, CONSOLE_QUIT, "quit\n");
        return;
    }
    if (news & TERMINAL_STOPPED)
        terminal_suspend(&c->terminal);
    else if (news & TERMINAL_CONTINUED)
        terminal_resume(&c->terminal);
    if (news) {
        say(c, "\n");
        draw(c, INPUT_ROWS);
    }
}

/* ---- the question ---- */

static void look_elsewhere(struct console *c)
{
    if (!c->question->gone || clock_ms() - c->looked < GONE_MS)
        return;
    if (c->question->gone(c->question->context))
        end(c, CONSOLE_GONE, "\n(it was answered elsewhere)\n");
    c->looked = clock_ms();
}

static void turn(void *arg)
{
    struct console *c = arg;
    struct pollfd fds[] = {{.fd = c->terminal.in, .events = POLLIN},
                           {.fd = c->terminal.wake, .events = POLLIN}};

    if (poll(fds, COUNT(fds), GONE_MS) < 0 && errno != EINTR) {
        end(c, CONSOLE_QUIT, "quit\n");
        return;
    }
    if (fds[1].revents)
        take_signals(c);
    if (!c->over && fds[0].revents)
        read_keys(c);
    if (!c->over)
        look_elsewhere(c);
}

static void begin(void *arg)
{
    draw(arg, INPUT_ROWS);
}

static enum status run(struct console *c, struct arena *a, struct str *rule, struct error *err)
{
    bool fits = arena_try(&c->scratch, begin, c);

    c->started = c->looked = clock_ms();
    while (fits && !c->over) {
        arena_reset(&c->scratch);
        fits = arena_try(&c->scratch, turn, c);
    }
    if (fits && c->answer == CONSOLE_PROMOTE) {
        *rule = str_try_copy(a, line_text(&c->line));
        fits = rule->s != NULL;
    }
    return fits ? STATUS_OK : fail(err, STATUS_NOMEM, "out of memory");
}

enum status console_ask(struct arena *a, const struct console_question *q, enum console_key *key,
                        struct str *rule, struct error *err)
{
    static struct console c; /* static because it is large; a process has one terminal, which takes
                                one question at a time */
    enum status status;

    *key = CONSOLE_QUIT;
    *rule = (struct str){0};
    c = (struct console){.question = q, .terminal = {.in = -1, .out = -1, .wake = -1}};
    arena_init(&c.scratch, CONSOLE_MEMORY);
    if (terminal_open(&c.terminal, -1, -1))
        status = run(&c, a, rule, err);
    else
        status = fail(err, STATUS_UNSAFE, "this needs a terminal");
    if (status == STATUS_OK)
        *key = c.answer;
    terminal_close(&c.terminal);
    arena_release(&c.scratch);
    return status;
}
