/* parse.c - a shell text as the decision sees it, for people who debug a rule. The actions are
 * those that decide() judged; only the tree is parsed again, because a decision does not keep it.
 */
#include "engine/action_json.h"
#include "engine/report.h"
#include "report/page.h"
#include "report/tree_json.h"
#include "shell/shell.h"
#include "shell/tree.h"

struct parse_page {
    struct report *report;
    struct page *page;
    const warder_decision *decision;
    const struct facts *facts;
    struct str text;
    struct tree tree;
};

/* ---- what was not understood ---- */

static void line_and_column(struct str text, size_t at, size_t *line, size_t *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < at && i < text.len; i++) {
        *column = text.s[i] == '\n' ? 1 : *column + 1;
        *line += text.s[i] == '\n';
    }
}

static void show_refusal(struct parse_page *p)
{
    struct json_writer *w = &p->report->json;
    size_t line, column;

    json_key(w, "understood");
    json_bool(w, p->facts->understood);
    json_key(w, "refusal");
    if (p->facts->understood) {
        json_null(w);
        return;
    }
    p->report->errors++;
    line_and_column(p->text, p->facts->why_at, &line, &column);
    json_begin_object(w);
    json_text_or_null(w, "why", p->facts->why);
    report_number(p->report, "at", (int64_t)p->facts->why_at);
    report_number(p->report, "line", (int64_t)line);
    report_number(p->report, "column", (int64_t)column);
    json_text_member(w, "by", p->tree.why ? STR("parser") : STR("analysis"));
    json_end_object(w);
    buf_format(&p->page->b,
               "%s at byte %zu, line %zu, column %zu: ", p->tree.why ? "refused" : "not understood",
               p->facts->why_at, line, column);
    page_show(p->page, p->facts->why);
    buf_byte(&p->page->b, '\n');
    page_carets(p->page, p->text, p->facts->why_at, 1);
    buf_byte(&p->page->b, '\n');
}

/* ---- the tree ---- */

static void show_tree(struct parse_page *p)
{
    struct buf printed = buf_in(p->report->arena);
    struct str rest, line;

    json_key(&p->report->json, "tree");
    tree_json(&p->report->json, p->tree.root);
    shell_print(&printed, p->tree.root);
    rest = str_trim(buf_str(&printed));
    buf_text(&p->page->b, p->tree.why ? "tree, as far as it was read\n" : "tree\n");
    for (bool more = rest.len > 0; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        buf_text(&p->page->b, "  ");
        page_show(p->page, line);
        buf_byte(&p->page->b, '\n');
    }
}

/* ---- the actions ---- */

static const char *kind_name(const struct action *a)
{
    return a->redirect              ? "redirection"
           : a->assignment          ? "assignment"
           : a->subject.words.count ? "command"
                                    : "text";
}

static void word_object(struct json_writer *w, const struct shell_word *word)
{
    const struct {
        const char *key;
        bool value;
    } flags[] = {{"known", word->known},
                 {"may_glob", word->may_glob},
                 {"may_split", word->may_split},
                 {"may_dash", word->may_dash}};

    json_begin_object(w);
    json_text_member(w, "text", word->text);
    for (size_t i = 0; i < COUNT(flags); i++) {
        json_key(w, flags[i].key);
        json_bool(w, flags[i].value);
    }
    json_span(w, word->at, word->len);
    json_end_object(w);
}

static void words_array(struct json_writer *w, const struct shell_action *from)
{
    json_key(w, "words");
    json_begin_array(w);
    for (size_t i = 0; from && i < from->words.count; i++)
        word_object(w, &from->words.items[i]);
    json_end_array(w);
}

static void show_forms(struct parse_page *p, const struct subject *s)
{
    for (size_t i = 1; i < s->forms_allow.count; i++) {
        page_line(p->page, "every rule also sees ");
        page_form(p->page, s->forms_allow.items[i]);
        buf_byte(&p->page->b, '\n');
    }
    for (size_t i = 0; i < s->forms_deny.count; i++) {
        if (strs_has(&s->forms_allow, s->forms_deny.items[i]) || (i == 0 && !s->forms_allow.count))
            continue;
        page_line(p->page, "deny and ask rules also see ");
        page_form(p->page, s->forms_deny.items[i]);
        buf_byte(&p->page->b, '\n');
    }
}

/* Only words that may differ from their text. */
static void show_word(struct parse_page *p, const struct shell_word *word)
{
    const struct {
        bool holds;
        const char *says;
    } doubts[] = {{!word->known && !word->may_glob, "not known before run time"},
                  {word->may_glob, "may match files"},
                  {word->may_split, "may be several words or none"},
                  {word->may_dash, "may be an option"}};
    const char *mark = ": ";

    if (word->known && !word->may_glob && !word->may_split && !word->may_dash)
        return;
    page_line(p->page, "word ");
    page_show(p->page, str_slice(p->text, word->at, word->at + word->len));
    for (size_t i = 0; i < COUNT(doubts); i++)
        if (doubts[i].holds) {
            buf_format(&p->page->b, "%s%s", mark, doubts[i].says);
            mark = ", ";
        }
    buf_byte(&p->page->b, '\n');
}

/* The node of action i; NULL for the whole text, which comes last if it was not understood. */
static const struct shell_action *origin(const struct parse_page *p, size_t i)
{
    const struct shell_actions *all = &p->facts->shell->actions;

    return i < all->count ? &all->items[i] : NULL;
}

static void show_action(struct parse_page *p, const struct outline_row *row)
{
    const struct shell_action *from = origin(p, row->action);

    page_action(p->page, row);
    show_forms(p, &p->facts->actions.items[row->action].subject);
    for (size_t i = 0; from && from->kind == SHELL_COMMAND && i < from->words.count; i++)
        show_word(p, &from->words.items[i]);
}

static void action_object(struct parse_page *p, size_t i)
{
    struct json_writer *w = &p->report->json;
    const struct action *a = &p->facts->actions.items[i];

    json_begin_object(w);
    json_text_member(w, "kind", str_from(kind_name(a)));
    json_action_members(w, p->facts, i);
    json_strings(w, "allow_forms", &a->subject.forms_allow);
    json_text_or_null(w, "cwd_other", place_text(a->cwd_other));
    words_array(w, origin(p, i));
    json_end_object(w);
}

static void show_actions(struct parse_page *p)
{
    json_key(&p->report->json, "actions");
    json_begin_array(&p->report->json);
    for (size_t i = 0; i < p->facts->actions.count; i++)
        action_object(p, i);
    json_end_array(&p->report->json);
    buf_text(&p->page->b, "\nactions\n");
    for (size_t i = 0; i < p->page->outline.count; i++)
        show_action(p, &p->page->outline.rows[i]);
    p->page->indent = PAGE_INDENT;
}

static void show_findings(struct parse_page *p)
{
    json_findings(&p->report->json, p->facts);
    for (size_t i = 0; i < p->facts->findings.count; i++) {
        const struct finding *f = &p->facts->findings.items[i];
        const struct shell_finding_name *row = shell_finding_names;
        while (row->name && strcmp(row->name, f->name) != 0)
            row++;
        buf_format(&p->page->b, "\nfinding %s: %s\n", f->name, row->name ? row->says : "");
        page_carets(p->page, p->text, f->at, f->len);
    }
}

static void show_parsing(struct report *r, const void *about)
{
    const warder_decision *decision = about;
    struct page page = page_of(r->arena, decision, false);
    struct parse_page p = {
        .report = r, .page = &page, .decision = decision, .facts = decision->verdict.facts};

    p.text = value_text(decision->call.input, "command");
    shell_parse(r->arena, p.text, &p.tree);
    json_begin_object(&r->json);
    show_refusal(&p);
    show_tree(&p);
    show_actions(&p);
    show_findings(&p);
    json_end_object(&r->json);
    r->text = page.b;
}

warder_status warder_shell_parse(warder_engine *engine, const char *text, size_t len,
                                 warder_report **out, warder_error *err)
{
    warder_decision *decision;
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    warder_status status = engine_ask(engine, "Bash", (struct str){text, len}, &decision, err);
    if (status != WARDER_OK)
        return status;
    if (decision->verdict.facts && decision->verdict.facts->shell) {
        status = report_make(show_parsing, decision, out, err);
    } else {
        fail(&inner, STATUS_LIMIT, "%s", warder_decision_reason(decision));
        status = error_out(err, &inner);
    }
    warder_decision_free(decision);
    return status;
}
