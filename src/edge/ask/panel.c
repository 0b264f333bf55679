/* panel.c - lays the question out. Pure: texts and a width in, lines out. */
#include "ask/panel.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

#include "base/show.h"
#include "base/utf8.h"

#define LABEL_WIDTH 9  /* "Suggest  " */
#define NARROW      40 /* columns, below which texts begin under their label */
#define LABELS                                                                                     \
    "Allow once", "Allow for this session", "Always allow", "Always allow, in all projects",       \
        "Deny once", "Always deny", "Cancel", "Help", "View all of it"

static const struct panel_style styles[] = {
    {"mink",
     "Permission required",
     {"", "Approve once", "Approve for this session", "Always allow this command",
      "Always allow this command, in all projects", "Deny once", "Always deny this command",
      "Cancel turn", "Help", "View all of it"},
     "the user denied it",
     false,
     false},
    {"caliban",
     "Permission required",
     {"", "Allow once", "Allow for this session", "Allow permanently",
      "Allow permanently, in all projects", "Deny once", "Deny permanently", "Cancel", "Help",
      "View all of it"},
     "the operator denied it",
     false,
     false},
    {"mini", "Allow?", {"", LABELS}, "User denied this action.", true, true},
    {"review",
     "A worker is waiting for an answer",
     {"", LABELS},
     "a reviewer denied it",
     false,
     false},
    {NULL, "Permission required", {"", LABELS}, "a person denied it", false, false},
};

static const char keys[CHOICE_COUNT] = {
    [CHOICE_ALLOW] = 'a',      [CHOICE_SESSION] = 's', [CHOICE_ALWAYS_ALLOW] = 'A',
    [CHOICE_USER_ALLOW] = 'u', [CHOICE_DENY] = 'd',    [CHOICE_ALWAYS_DENY] = 'D',
    [CHOICE_CANCEL] = 'c',     [CHOICE_HELP] = '?',    [CHOICE_VIEW] = 'v'};

/* Where there is no room for the labels. */
static const char *const short_labels[CHOICE_COUNT] = {
    [CHOICE_ALLOW] = "allow",         [CHOICE_SESSION] = "session",
    [CHOICE_ALWAYS_ALLOW] = "always", [CHOICE_USER_ALLOW] = "always everywhere",
    [CHOICE_DENY] = "deny",           [CHOICE_ALWAYS_DENY] = "never",
    [CHOICE_CANCEL] = "cancel",       [CHOICE_HELP] = "help",
    [CHOICE_VIEW] = "view",
};

static const char *const sentences[CHOICE_COUNT] = {
    [CHOICE_ALLOW] = "this call runs, once",
    [CHOICE_SESSION] = "this call runs, and the same call is not asked about again in this session",
    [CHOICE_ALWAYS_ALLOW] = "and the suggested rule is written, as you edit it",
    [CHOICE_USER_ALLOW] = "and the rule is written to your own settings",
    [CHOICE_DENY] = "this call does not run; the agent is told so and goes on",
    [CHOICE_ALWAYS_DENY] = "and a deny rule is written, as you edit it",
    [CHOICE_CANCEL] = "it does not run, and the agent stops what it is doing (also q and Ctrl-C)",
    [CHOICE_HELP] = "these lines",
    [CHOICE_VIEW] = "the whole input, what it would do, and what each layer said",
};

const struct panel_style *panel_style(const char *profile)
{
    for (size_t i = 0;; i++)
        if (!styles[i].profile || (profile && strcmp(styles[i].profile, profile) == 0))
            return &styles[i];
}

enum choice panel_choice(const struct panel_style *style, char key)
{
    if (style->yes_no && (key == 'y' || key == 'Y'))
        return CHOICE_ALLOW;
    if (style->yes_no && (key == 'n' || key == 'N'))
        return CHOICE_DENY;
    if (key == 'q')
        return CHOICE_CANCEL;
    for (int c = CHOICE_NONE + 1; c < CHOICE_COUNT; c++)
        if (keys[c] == key)
            return (enum choice)c;
    return CHOICE_NONE;
}

/* Digits choose between rules only where one rule is enough. */
static const struct strs *numbered(const struct panel *p)
{
    return p->no_allow.len == 0 && p->suggestions.count == 1 && p->wider ? &p->wider[0] : NULL;
}

struct str panel_numbered(const struct panel *p, char digit)
{
    const struct strs *wider = numbered(p);

    if (wider && digit == '1')
        return p->suggestions.items[0];
    if (wider && digit >= '2' && digit <= '9' && (size_t)(digit - '2') < wider->count)
        return wider->items[digit - '2'];
    return (struct str){"", 0};
}

/* ---- characters ---- */

static locale_t utf8;

static void find_locale(void)
{
    utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/* libc knows the widths, but depends on the locale, which is the program's choice and not ours. */
int panel_width_of(uint32_t cp)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (cp < 0x80)
        return cp >= ' ' && cp != 0x7f ? 1 : -1;
    pthread_once(&once, find_locale);
    if (!utf8)
        return -1;
    locale_t before = uselocale(utf8);
    int width = wcwidth((wchar_t)cp);
    uselocale(before);
    return width;
}

size_t panel_show_next(struct buf *b, struct str text, bool ascii, size_t *width)
{
    size_t start = b->len;
    uint32_t cp;
    size_t len = utf8_next(text, 0, &cp);
    int columns = len > 1 && !ascii && !utf8_suspicious_name(cp) ? panel_width_of(cp) : -1;

    if (columns >= 0)
        buf_add(b, str_slice(text, 0, len));
    else if (len > 1)
        buf_format(b, "<U+%04X>", (unsigned)cp);
    else
        len = show_next(b, text);
    *width = columns >= 0 ? (size_t)columns : b->len - start; /* ASCII: one column a byte */
    return len;
}

/* ---- lines ---- */

struct line_list {
    struct arena *arena;
    const struct panel_layout *layout;
    struct strs *out;
    size_t width;
};

static struct line_list line_list_in(struct arena *a, const struct panel_layout *layout,
                                     struct strs *out)
{
    return (struct line_list){a, layout, out,
                              layout->width > PANEL_WIDTH_MIN ? layout->width : PANEL_WIDTH_MIN};
}

static void add_line(struct line_list *l, struct str line)
{
    LIST_PUSH(l->arena, l->out, str_copy(l->arena, line));
}

/* A line while it is filled. */
struct open_line {
    struct buf b;
    size_t used;              /* columns */
    size_t blank, blank_used; /* after the last blank where it may be broken; 0: nowhere */
    const char *rest;         /* how the lines after the first begin */
    bool words;               /* break at blanks */
};

static void next_line(struct line_list *l, struct open_line *f, struct strs *out)
{
    struct str tail = {"", 0};
    size_t tail_used = 0;

    if (f->words && f->blank) {
        tail = str_slice(buf_str(&f->b), f->blank, f->b.len);
        tail_used = f->used - f->blank_used;
        LIST_PUSH(l->arena, out, str_copy(l->arena, str_slice(buf_str(&f->b), 0, f->blank - 1)));
    } else {
        LIST_PUSH(l->arena, out, buf_str(&f->b));
    }
    f->b = buf_in(l->arena);
    buf_text(&f->b, f->rest);
    buf_add(&f->b, tail);
    f->used = strlen(f->rest) + tail_used;
    f->blank = 0;
}

/* Breaks one line of a text; the first piece begins with `first`, the others with `rest`. */
static void wrap(struct line_list *l, struct str text, const char *first, struct open_line f,
                 struct strs *out)
{
    struct buf shown = buf_in(l->arena);

    f.b = buf_in(l->arena);
    f.used = strlen(first);
    buf_text(&f.b, first);
    while (text.len) {
        size_t width;
        shown.len = 0;
        size_t len = panel_show_next(&shown, text, l->layout->ascii, &width);
        /* Twice, if the text after the last blank fills the next line. */
        while (f.used + width > l->width && f.used > strlen(f.rest))
            next_line(l, &f, out);
        buf_add(&f.b, buf_str(&shown));
        f.used += width;
        if (text.s[0] == ' ') {
            f.blank = f.b.len;
            f.blank_used = f.used;
        }
        text = str_from_byte(text, len);
    }
    LIST_PUSH(l->arena, out, buf_str(&f.b));
}

/* A line break of the text must not look like one made by the width: it gets a bar. */
static void wrap_all(struct line_list *l, struct str text, bool bars, struct strs *out)
{
    struct str line;

    do {
        str_cut(text, '\n', &line, &text);
        wrap(l, line, bars ? "| " : "",
             (struct open_line){.rest = bars ? "  " : "", .words = !bars}, out);
    } while (text.len);
}

static struct str cut_sign(struct line_list *l, size_t lines)
{
    struct str sign = str_format(l->arena, "... %zu more %s: press v to see all ...", lines,
                                 lines == 1 ? "line" : "lines");

    return sign.len <= l->width ? sign : str_format(l->arena, "... %zu more: v", lines);
}

/* Keeps the beginning and the end: what follows a long middle matters as much as what comes before
 * it. */
static struct strs cut(struct line_list *l, const struct strs *lines, size_t rows)
{
    struct strs kept = {0};
    size_t tail = rows > 3 ? 2 : rows > 2 ? 1 : 0;

    if (rows == 0 || lines->count <= rows)
        return *lines;
    size_t head = rows > tail + 1 ? rows - tail - 1 : 0;
    for (size_t i = 0; i < head; i++)
        LIST_PUSH(l->arena, &kept, lines->items[i]);
    LIST_PUSH(l->arena, &kept, cut_sign(l, lines->count - head - tail));
    for (size_t i = lines->count - tail; i < lines->count; i++)
        LIST_PUSH(l->arena, &kept, lines->items[i]);
    return kept;
}

/* "Label    text", and the text's further lines under its beginning. */
static void part(struct line_list *l, const char *label, struct str text, size_t rows, bool bars)
{
    bool narrow = l->width < NARROW;
    struct line_list inner = *l;
    struct strs lines = {0};

    if (text.len == 0)
        return;
    inner.width -= narrow ? 2 : LABEL_WIDTH;
    wrap_all(&inner, text, bars, &lines);
    lines = cut(&inner, &lines, rows);
    if (narrow)
        add_line(l, str_from(label));
    for (size_t i = 0; i < lines.count; i++)
        add_line(l, narrow ? str_join(l->arena, STR("  "), lines.items[i])
                           : str_format(l->arena, "%-*s%.*s", LABEL_WIDTH, i ? "" : label,
                                        STR_ARG(lines.items[i])));
}

static void rule_line(struct line_list *l, const char *title)
{
    size_t len = strlen(title) + 2, side = l->width > len ? (l->width - len) / 2 : 0;
    struct buf b = buf_in(l->arena);

    for (size_t i = 0; i < side; i++)
        buf_byte(&b, '-');
    if (title[0] && side)
        buf_format(&b, " %s ", title);
    else
        buf_text(&b, title);
    while (b.len < l->width)
        buf_byte(&b, '-');
    add_line(l, buf_str(&b));
}

static size_t part_rows(const struct line_list *l)
{
    return l->layout->input_rows ? PANEL_PART_MAX : 0;
}

static void rule_parts(struct line_list *l, const struct panel *p)
{
    struct str rule = p->rule;

    if (rule.len && p->rule_place.len)
        rule = str_format(l->arena, "%.*s  at %.*s", STR_ARG(rule), STR_ARG(p->rule_place));
    part(l, "Rule", rule, part_rows(l), false);
    part(l, "Comment", p->comment, part_rows(l), false);
}

static void list_parts(struct line_list *l, const char *label, const struct strs *list)
{
    size_t most = l->layout->input_rows ? PANEL_PART_MAX : list->count;

    for (size_t i = 0; i < list->count && i < most; i++)
        part(l, i ? "" : label, list->items[i], part_rows(l), false);
    if (list->count > most)
        part(l, "", cut_sign(l, list->count - most), 0, false);
}

/* Rules that also allow it, and more: "Or [2]   Bash(make:*)". */
static void wider_parts(struct line_list *l, const struct panel *p)
{
    const struct strs *wider = numbered(p);

    for (size_t i = 0; wider && i < wider->count && i + 2 <= 9; i++)
        part(l, str_format(l->arena, "Or [%zu]", i + 2).s, wider->items[i], part_rows(l), false);
}

void panel_lines(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                 struct strs *out)
{
    struct line_list l = line_list_in(a, layout, out);

    rule_line(&l, panel_style(p->profile)->title);
    part(&l, "From", p->who, part_rows(&l), false);
    part(&l, "Tool", p->tool, part_rows(&l), false);
    part(&l, "Input", p->input, layout->input_rows, true);
    part(&l, "In", p->cwd, part_rows(&l), false);
    part(&l, "Risk", p->risk, part_rows(&l), false);
    part(&l, "Reason", p->reason, part_rows(&l), false);
    rule_parts(&l, p);
    list_parts(&l, "Finding", &p->findings);
    if (p->no_allow.len == 0)
        list_parts(&l, "Suggest", &p->suggestions);
    wider_parts(&l, p);
    part(&l, "No rule", p->no_allow, part_rows(&l), false);
}

/* ---- keys ---- */

bool panel_offers(const struct panel *p, enum choice choice)
{
    if (choice == CHOICE_SESSION)
        return p->session;
    if (choice == CHOICE_ALWAYS_ALLOW)
        return p->no_allow.len == 0;
    if (choice == CHOICE_USER_ALLOW)
        return p->no_allow.len == 0 && p->user_target.len;
    return choice != CHOICE_ALWAYS_DENY || p->no_deny.len == 0;
}

/* How a key is written: [a] Allow once; a allow; a. */
enum key_size { KEYS_LONG, KEYS_SHORT, KEYS_BARE };

static struct str key_shown(struct arena *a, const struct panel *p, int choice, enum key_size size)
{
    switch (size) {
    case KEYS_LONG:
        return str_format(a, "[%c] %s", keys[choice], panel_style(p->profile)->labels[choice]);
    case KEYS_SHORT:
        return str_format(a, "%c %s", keys[choice], short_labels[choice]);
    case KEYS_BARE:
        break;
    }
    return str_format(a, "%c", keys[choice]);
}

static void key_lines(struct line_list *l, const struct panel *p, enum key_size size)
{
    static const char *const between[] = {
        [KEYS_LONG] = "   ", [KEYS_SHORT] = "  ", [KEYS_BARE] = " "};
    struct buf line = buf_in(l->arena);

    for (int c = CHOICE_NONE + 1; c < CHOICE_COUNT; c++) {
        struct str key = key_shown(l->arena, p, c, size);
        if (!panel_offers(p, (enum choice)c))
            continue;
        if (line.len && line.len + strlen(between[size]) + key.len > l->width) {
            add_line(l, buf_str(&line));
            line = buf_in(l->arena);
        }
        buf_text(&line, line.len ? between[size] : "");
        buf_add(&line, key);
    }
    add_line(l, buf_str(&line));
}

void panel_keys(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                struct strs *out)
{
    struct line_list l = line_list_in(a, layout, out);
    bool fits = true;

    for (int c = CHOICE_NONE + 1; c < CHOICE_COUNT; c++)
        fits &= !panel_offers(p, (enum choice)c) || key_shown(a, p, c, KEYS_LONG).len <= l.width;
    key_lines(&l, p, fits ? KEYS_LONG : KEYS_SHORT);
    rule_line(&l, "");
}

/* ---- small screens ---- */

static void add_cut(struct line_list *l, struct str text, bool bars, size_t rows)
{
    struct strs lines = {0};

    if (text.len == 0 || rows == 0)
        return;
    wrap_all(l, text, bars, &lines);
    lines = cut(l, &lines, rows);
    for (size_t i = 0; i < lines.count; i++)
        add_line(l, lines.items[i]);
}

/* The input, the reason and the keys, without labels: everything else is a key away. */
static void small_lines(struct line_list *l, const struct panel *p)
{
    struct strs key_list = {0};
    struct line_list below = *l;
    size_t rows = l->layout->rows > 4 ? l->layout->rows - 1 : 3;

    below.out = &key_list;
    key_lines(&below, p, KEYS_SHORT);
    if (key_list.count + 4 > rows) {
        key_list = (struct strs){0};
        key_lines(&below, p, KEYS_BARE);
    }
    size_t left = rows > key_list.count + 2 ? rows - key_list.count : 2;
    if (left > 4) {
        rule_line(l, panel_style(p->profile)->title);
        left--;
    }
    size_t reason = p->reason.len == 0 ? 0 : left / 3 ? left / 3 : 1;
    add_cut(l, p->input.len ? p->input : p->tool, true, left - reason);
    add_cut(l, p->reason, false, reason);
    for (size_t i = 0; i < key_list.count; i++)
        add_line(l, key_list.items[i]);
}

void panel_question(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                    struct strs *out)
{
    struct strs lines = {0};

    panel_lines(a, p, layout, &lines);
    panel_keys(a, p, layout, &lines);
    if (layout->rows && lines.count + 1 > layout->rows) {
        struct line_list l = line_list_in(a, layout, &lines);
        lines = (struct strs){0};
        small_lines(&l, p);
    }
    *out = lines;
}

void panel_help(struct arena *a, const struct panel *p, const struct panel_layout *layout,
                struct strs *out)
{
    const struct panel_style *style = panel_style(p->profile);
    struct line_list l = line_list_in(a, layout, out);

    for (int c = CHOICE_NONE + 1; c < CHOICE_COUNT; c++)
        if (panel_offers(p, (enum choice)c))
            part(&l, str_format(a, "[%c]", keys[c]).s,
                 str_format(a, "%s: %s", style->labels[c], sentences[c]), 0, false);
    if (numbered(p))
        part(&l, "[1-9]", STR("Always allow, with the rule of that number (Tab: the next one)"), 0,
             false);
    if (p->no_allow.len == 0 || p->no_deny.len == 0)
        part(&l, "Rules", str_format(a, "go to %.*s", STR_ARG(p->target)), 0, false);
    part(&l, "Note", p->note, 0, false);
}

void panel_text(struct arena *a, struct str text, const struct panel_layout *layout,
                struct strs *out)
{
    struct line_list l = line_list_in(a, layout, out);
    struct strs lines = {0};

    wrap_all(&l, text, false, &lines);
    for (size_t i = 0; i < lines.count; i++)
        add_line(&l, lines.items[i]);
}

struct panel_layout panel_layout_on(const struct terminal *t, size_t input_rows)
{
    struct panel_layout layout = {.input_rows = input_rows, .ascii = !t->utf8};

    terminal_size(t, &layout.rows, &layout.width);
    if (input_rows && layout.rows / 2 < input_rows)
        layout.input_rows = layout.rows / 2 > 3 ? layout.rows / 2 : 3;
    return layout;
}
