/* console.c - a review of the service on the terminal of a reviewer. */
#include "ask/console.h"
#include "ask/caller.h"
#include "engine/report.h"

#define CONSOLE_MEMORY_MAX ((size_t)128 * 1024 * 1024)

struct review_page {
    struct arena arena;
    struct str json;
    struct panel panel;
    struct str rule;
    struct error *err;
    enum status status;
};

static void add_who(struct arena *a, struct str *who, const char *label, struct str text)
{
    if (text.len)
        *who = str_format(a, "%.*s%s%s %.*s", STR_ARG(*who), who->len ? ", " : "", label,
                          STR_ARG(text));
}

static void add_context(struct arena *a, const struct value *context, struct panel *p)
{
    const struct value *recent = value_get(context, "recent_commands");
    struct str task = value_text(context, "task_description");

    if (task.len)
        LIST_PUSH(a, &p->findings, str_format(a, "task: %.*s", STR_ARG(task)));
    for (size_t i = 0; recent && recent->kind == VALUE_ARRAY && i < recent->count; i++)
        LIST_PUSH(a, &p->findings, str_format(a, "before: %.*s", STR_ARG(recent->items[i].text)));
    p->cwd = value_text(context, "worktree_path");
}

/* If the person leaves it as it is, all of them are added; else only what they wrote. */
static void add_suggested(struct review_page *s, const struct value *list)
{
    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++)
        LIST_PUSH(&s->arena, &s->panel.suggestions, list->items[i].text);
    if (s->panel.suggestions.count)
        s->rule = s->panel.suggestions.items[0];
}

static void make_panel(void *arg)
{
    struct review_page *s = arg;
    struct arena *a = &s->arena;
    struct value *v = ARENA_NEW(a, struct value);

    if ((s->status = json_read(a, s->json, NULL, v, s->err)) != STATUS_OK)
        return;
    s->panel = (struct panel){.profile = "review",
                              .tool = value_text(v, "tool"),
                              .input = value_text(v, "command"),
                              .reason = value_text(v, "reason"),
                              .no_allow = {"", 0}};
    add_who(a, &s->panel.who, "worker", value_text(v, "worker_id"));
    add_who(a, &s->panel.who, "task", value_text(v, "task_id"));
    add_who(a, &s->panel.who, "project", value_text(v, "project_id"));
    add_who(a, &s->panel.who, "until", value_text(v, "expires_at"));
    add_context(a, value_get(v, "context"), &s->panel);
    add_suggested(s, value_get(v, "suggested"));
}

struct asking_elsewhere {
    int (*gone)(void *context);
    void *context;
};

static bool ask_elsewhere(void *arg)
{
    const struct asking_elsewhere *e = arg;

    return e->gone && e->gone(e->context) != 0;
}

static void fill_rule(struct report *r, const void *about)
{
    const struct str *rule = about;

    buf_add(&r->text, *rule);
    json_text(&r->json, *rule);
}

static warder_status ask(struct review_page *s, struct asking_elsewhere *elsewhere,
                         warder_review_word *word, warder_report **rule, warder_error *err)
{
    const struct console_question q = {
        .panel = &s->panel, .rule = s->rule, .gone = ask_elsewhere, .context = elsewhere};
    enum console_key key;
    struct str text;
    struct error inner = {0};

    if (console_ask(&s->arena, &q, &key, &text, &inner) != STATUS_OK)
        return error_out(err, &inner);
    if (key == CONSOLE_PROMOTE &&
        !str_eq(text, s->rule)) { /* the service adds the suggested rules anyway */
        warder_status status = report_make(fill_rule, &text, rule, err);
        if (status != WARDER_OK)
            return status;
    }
    *word = (warder_review_word)key;
    return WARDER_OK;
}

warder_status warder_review_ask(const char *review, size_t len, int (*gone)(void *context),
                                void *context, warder_review_word *word, warder_report **rule,
                                warder_error *err)
{
    struct error inner = {0};
    struct review_page s = {.json = {review, len}, .err = &inner};
    struct asking_elsewhere elsewhere = {gone, context};
    warder_status status;

    if (!review || !word || !rule)
        return give_usage(err, "missing argument: review or answer");
    *word = WARDER_REVIEW_QUIT;
    *rule = NULL;
    arena_init(&s.arena, CONSOLE_MEMORY_MAX);
    s.status = caller_is_person(&inner);
    if (s.status == STATUS_OK && !arena_try(&s.arena, make_panel, &s))
        s.status = fail(&inner, STATUS_NOMEM, "the review is too large to be shown");
    status = s.status == STATUS_OK ? ask(&s, &elsewhere, word, rule, err) : error_out(err, &inner);
    arena_release(&s.arena);
    return status;
}
