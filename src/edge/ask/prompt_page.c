/* prompt_page.c - the whole input and the explanation, page by page, on the alternate screen. It
 * does not answer the question. */
#include "ask/prompt_parts.h"

#define CLEAR "\033[H\033[2J"

static size_t page_rows(const struct prompt *p)
{
    size_t rows, columns;

    terminal_size(&p->terminal, &rows, &columns);
    return rows > 2 ? rows - 1 : 1;
}

struct page_fill {
    struct prompt *prompt;
    struct panel_layout layout;
};

static void fill(void *arg)
{
    struct page_fill *job = arg;
    struct prompt *p = job->prompt;

    panel_lines(&p->page_arena, p->panel, &job->layout, &p->page);
    if (p->panel->explanation.len) {
        LIST_PUSH(&p->page_arena, &p->page, STR(""));
        panel_text(&p->page_arena, p->panel->explanation, &job->layout, &p->page);
    }
}

/* Laid out again for each width. */
static bool lay_out(struct prompt *p)
{
    struct page_fill job = {p, panel_layout_on(&p->terminal, 0)};

    arena_reset(&p->page_arena);
    p->page = (struct strs){0};
    if (arena_try(&p->page_arena, fill, &job))
        return true;
    p->page = (struct strs){0};
    return false;
}

static size_t last_top(const struct prompt *p)
{
    size_t rows = page_rows(p);

    return p->page.count > rows ? p->page.count - rows : 0;
}

static void show_page(struct prompt *p)
{
    struct buf b = buf_in(&p->scratch);
    size_t rows = page_rows(p), end;

    if (p->top > last_top(p))
        p->top = last_top(p);
    end = p->top + rows < p->page.count ? p->top + rows : p->page.count;
    buf_text(&b, CLEAR);
    for (size_t i = p->top; i < end; i++) {
        buf_add(&b, p->page.items[i]);
        buf_byte(&b, '\n');
    }
    buf_format(&b, "-- %zu-%zu of %zu: space next, b back, q quit", p->top + 1, end, p->page.count);
    prompt_say(p, buf_str(&b));
}

void prompt_page_draw(struct prompt *p)
{
    if (lay_out(p)) {
        show_page(p);
        return;
    }
    terminal_page(&p->terminal, false);
    prompt_say(p, STR("too large to show\n"));
    prompt_back(p);
}

/* Without a terminal there are no pages: all of it is written. */
static void print_all(struct prompt *p)
{
    if (lay_out(p))
        prompt_lines(p, &p->page);
    prompt_say(p, STR("> "));
}

void prompt_page_begin(struct prompt *p)
{
    p->top = 0;
    if (!p->terminal.keys) {
        print_all(p);
        return;
    }
    p->state = PROMPT_VIEWING;
    terminal_page(&p->terminal, true);
    prompt_page_draw(p);
}

static void leave_page(struct prompt *p)
{
    terminal_page(&p->terminal, false);
    prompt_back(p);
}

static void move(struct prompt *p, size_t up, size_t down)
{
    p->top = p->top > up ? p->top - up : 0;
    p->top += down;
    show_page(p);
}

void prompt_page_key(struct prompt *p, enum key key, struct str text)
{
    char c = key == KEY_TEXT && text.len == 1 ? text.s[0] : '\0';
    size_t page = page_rows(p);

    if (c == 'q' || c == 'v' || key == KEY_ESCAPE || key == KEY_EOF)
        leave_page(p);
    else if (c == ' ' || c == 'f' || key == KEY_PAGE_DOWN)
        move(p, 0, page);
    else if (c == 'b' || key == KEY_PAGE_UP)
        move(p, page, 0);
    else if (c == 'j' || key == KEY_DOWN || key == KEY_ENTER)
        move(p, 0, 1);
    else if (c == 'k' || key == KEY_UP)
        move(p, 1, 0);
    else if (c == 'g' || key == KEY_HOME)
        move(p, p->top, 0);
    else if (c == 'G' || key == KEY_END)
        move(p, 0, p->page.count);
}
