#include "report/page.h"

#include "base/excerpt.h"

#define DEPTH_SHOWN 20 /* levels of indentation; deeper actions share the last one */

struct page page_of(struct arena *a, const warder_decision *decision, bool colour)
{
    struct page p = {.b = buf_in(a), .colour = colour, .decision = decision, .indent = PAGE_INDENT};

    if (decision->verdict.facts)
        p.outline = outline_of(a, decision->verdict.facts);
    return p;
}

void page_show(struct page *p, struct str text)
{
    show_text(&p->b, text);
}

void page_form(struct page *p, struct str form)
{
    struct str part;

    for (bool more = true; more;) {
        more = str_cut(form, WORD_UNKNOWN, &part, &form);
        page_show(p, part);
        buf_text(&p->b, more ? "<unknown>" : "");
    }
}

static void blanks(struct page *p, size_t count)
{
    while (count-- > 0)
        buf_byte(&p->b, ' ');
}

void page_line(struct page *p, const char *start)
{
    blanks(p, p->indent);
    buf_text(&p->b, start);
}

void page_carets(struct page *p, struct str text, size_t at, size_t len)
{
    struct excerpt e = excerpt_at(text, at);

    excerpt_show(&p->b, p->indent, &e, len);
}

static void verbs(struct page *p, unsigned access)
{
    static const struct {
        unsigned bit;
        const char *verb;
    } verbs[] = {{ACCESS_READ, "reads"},
                 {ACCESS_WRITE, "writes"},
                 {ACCESS_DELETE, "deletes"},
                 {ACCESS_RUN, "runs"}};
    const char *comma = "";

    for (size_t i = 0; i < COUNT(verbs); i++)
        if (access & verbs[i].bit) {
            buf_format(&p->b, "%s%s", comma, verbs[i].verb);
            comma = ", ";
        }
}

static void touched(struct page *p, const struct subject_path *path)
{
    if (path->below)
        return; /* exists for rules only; its directory is listed */
    page_line(p, path->uncertain ? "perhaps " : "");
    verbs(p, path->access);
    buf_byte(&p->b, ' ');
    page_show(p, path->written);
    if (path->resolved.len && !str_eq(path->resolved, path->written)) {
        buf_text(&p->b, " -> ");
        page_show(p, path->resolved);
    }
    buf_byte(&p->b, '\n');
}

static void all_touched(struct page *p, const struct action *a)
{
    for (size_t i = 0; i < a->subject.paths.count; i++)
        touched(p, &a->subject.paths.items[i]);
    if (!a->unknown)
        return;
    page_line(p, "");
    verbs(p, a->unknown);
    buf_text(&p->b, " a path that is not known before run time\n");
}

static void place(struct page *p, const struct action *a)
{
    if (str_eq(a->cwd, p->decision->call.cwd))
        return;
    page_line(p, a->cwd.len ? "in " : "in an unknown directory");
    page_show(p, a->cwd);
    buf_byte(&p->b, '\n');
}

static void does(struct page *p, const struct action *a)
{
    const struct subject *s = &a->subject;

    if (a->effects) {
        page_line(p, program_effects_text(p->b.arena, a->effects).s);
        buf_byte(&p->b, '\n');
    } else if (s->shell && s->words.count && !a->redirect && !a->assignment && !a->program) {
        page_line(p, "unknown program\n");
    }
    for (size_t n = 0; n < s->hosts.count; n++) {
        page_line(p, "talks to ");
        page_show(p, s->hosts.items[n]);
        buf_byte(&p->b, '\n');
    }
}

static void title(struct page *p, const struct action *a)
{
    const struct subject *s = &a->subject;
    struct str what = s->forms_allow.count ? s->forms_allow.items[0] : s->first;

    if (a->redirect && s->paths.count)
        what = s->paths.items[0].written;
    if (a->assignment && s->forms_deny.count)
        what = s->forms_deny.items[0];
    if (s->shell && !s->words.count && !a->redirect)
        what = STR("the whole text");
    buf_text(&p->b, a->redirect ? "redirection " : a->assignment ? "assignment " : "");
    page_form(p, what.len ? what : p->decision->call.tool);
    buf_byte(&p->b, '\n');
}

void page_action(struct page *p, const struct outline_row *row)
{
    const struct action *a = &p->decision->verdict.facts->actions.items[row->action];
    unsigned deep = row->depth < DEPTH_SHOWN ? row->depth : DEPTH_SHOWN;

    p->indent = PAGE_INDENT + 2 * deep;
    blanks(p, 2 * (size_t)deep);
    buf_format(&p->b, "%3zu. ", p->outline.number[row->action]);
    title(p, a);
    if (a->subject.shell)
        page_carets(p, a->subject.first, a->at, a->len);
    place(p, a);
    all_touched(p, a);
    does(p, a);
}
