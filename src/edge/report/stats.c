/* stats.c - the log in figures: how much ran without a question, by day and by agent, what people
 * were asked about most, and which rules decided most. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/json.h"
#include "engine/report.h"
#include "programs/programs.h"
#include "report/when.h"

#define MEMORY_MAX    ((size_t)256 * 1024 * 1024)
#define SINCE_DEFAULT "7d"
#define TOP           8  /* rows of what comes most often */
#define BAR           20 /* cells */
#define DAY_LENGTH    10 /* 2026-01-31 */
#define SESSION_SHOWN 8  /* bytes of its name */

struct tally {
    struct str name;
    size_t allowed, asked, denied;
};
struct tallies LIST_OF(struct tally);

struct stats {
    struct arena arena;  /* of the figures */
    struct arena record; /* of one record */
    const char *json;
    struct tally all;
    struct tallies days, agents, sessions, asked, rules;
    bool failed;
};

/* ---- counting ---- */

static struct tally *tally_of(struct arena *a, struct tallies *list, struct str name)
{
    for (size_t i = list->count; i-- > 0;)
        if (str_eq(list->items[i].name, name))
            return &list->items[i];
    LIST_PUSH(a, list, (struct tally){.name = str_copy(a, name)});
    return &list->items[list->count - 1];
}

/* A question is one, whoever answered it. */
static void count(struct tally *t, struct str decision)
{
    t->allowed += str_is(decision, "auto-accept");
    t->denied += str_is(decision, "auto-deny");
    t->asked += !str_is(decision, "auto-accept") && !str_is(decision, "auto-deny");
}

/* "git push", "curl", or the tool. */
static struct str what_asked(struct arena *a, const struct value *v)
{
    struct str rest = value_text(v, "command"), first, second;

    if (!str_is(value_text(v, "tool"), "Bash") || !str_next_word(&rest, &first))
        return value_text(v, "tool");
    if (str_next_word(&rest, &second) && program_subcommand(first, second))
        return str_format(a, "%.*s %.*s", STR_ARG(first), STR_ARG(second));
    return first;
}

/* "claude 0e5a1f2c": agents give their sessions long names. */
static struct str session_name(struct arena *a, struct str agent, const struct value *v)
{
    struct str name = value_text(v, "session_id");

    if (!name.len)
        return STR("without a session");
    return str_format(
        a, "%.*s %.*s", STR_ARG(agent.len ? agent : STR("others")),
        STR_ARG(str_slice(name, 0, name.len < SESSION_SHOWN ? name.len : SESSION_SHOWN)));
}

static void take(void *arg)
{
    struct stats *s = arg;
    struct buf day = buf_in(&s->record);
    struct value v;

    if (json_read(&s->record, str_from(s->json), NULL, &v, NULL) != STATUS_OK ||
        str_is(value_text(&v, "session_id"), CANARY_SESSION))
        return;
    struct str decision = value_text(&v, "decision"), agent = value_text(&v, "client"),
               rule = value_text(&v, "matched_rule_id");
    when_print(&day, value_text(&v, "timestamp"));
    count(&s->all, decision);
    count(tally_of(&s->arena, &s->days, str_slice(buf_str(&day), 0, DAY_LENGTH)), decision);
    count(tally_of(&s->arena, &s->agents, agent.len ? agent : STR("others")), decision);
    count(tally_of(&s->arena, &s->sessions, session_name(&s->record, agent, &v)), decision);
    if (!str_starts(decision, STR("auto-")))
        count(tally_of(&s->arena, &s->asked, what_asked(&s->record, &v)), decision);
    if (rule.len)
        count(tally_of(&s->arena, &s->rules, rule), decision);
}

static void take_guarded(void *arg)
{
    struct stats *s = arg;

    if (!arena_try(&s->record, take, s))
        s->failed = true;
    arena_reset(&s->record);
}

static int visit(void *context, const char *json, const char *text)
{
    struct stats *s = context;

    (void)text;
    s->json = json;
    if (json && !arena_try(&s->arena, take_guarded, s))
        s->failed = true;
    return s->failed;
}

/* ---- showing ---- */

static size_t total(const struct tally *t)
{
    return t->allowed + t->asked + t->denied;
}

static unsigned share(const struct tally *t)
{
    return total(t) ? (unsigned)(100 * (t->allowed + t->denied) / total(t)) : 100;
}

static int by_total(const void *a, const void *b)
{
    size_t x = total(a), y = total(b);

    return x < y   ? 1
           : x > y ? -1
                   : str_compare(((const struct tally *)a)->name, ((const struct tally *)b)->name);
}

static void tally_json(struct report *r, const char *key, const struct tally *t)
{
    json_begin_object(&r->json);
    if (key)
        report_member(r, key, t->name);
    report_number(r, "calls", (int64_t)total(t));
    report_number(r, "allowed", (int64_t)t->allowed);
    report_number(r, "asked", (int64_t)t->asked);
    report_number(r, "denied", (int64_t)t->denied);
    report_number(r, "without_question_percent", share(t));
    json_end_object(&r->json);
}

static void list_json(struct report *r, const char *name, const char *key,
                      const struct tallies *list, size_t most)
{
    json_key(&r->json, name);
    json_begin_array(&r->json);
    for (size_t i = 0; i < list->count && i < most; i++)
        tally_json(r, key, &list->items[i]);
    json_end_array(&r->json);
}

static void bars(struct report *r, const char *head, const struct tallies *list, size_t most)
{
    buf_format(&r->text, "\n%-18s %7s  without a question\n", head, "calls");
    for (size_t i = 0; i < list->count && i < most; i++) {
        const struct tally *t = &list->items[i];
        unsigned cells = (share(t) * BAR + 50) / 100;
        struct buf name = buf_in(r->arena);
        show_text(&name, t->name);
        buf_format(&r->text, "%-18.24s %7zu  ", buf_str(&name).s, total(t));
        for (unsigned c = 0; c < BAR; c++)
            buf_text(&r->text, c < cells ? "\u2588" : "\u2591");
        buf_format(&r->text, " %3u %%\n", share(t));
    }
}

static void most_often(struct report *r, const char *head, const struct tallies *list)
{
    if (list->count)
        buf_format(&r->text, "\n%s\n", head);
    for (size_t i = 0; i < list->count && i < TOP; i++) {
        buf_format(&r->text, "%7zu  ", total(&list->items[i]));
        report_show(r, list->items[i].name);
        buf_byte(&r->text, '\n');
    }
}

static void show(struct report *r, const void *about)
{
    const struct stats *s = about;

    json_begin_object(&r->json);
    json_key(&r->json, "all");
    tally_json(r, NULL, &s->all);
    list_json(r, "days", "day", &s->days, SIZE_MAX);
    list_json(r, "agents", "agent", &s->agents, SIZE_MAX);
    list_json(r, "sessions", "session", &s->sessions, TOP);
    list_json(r, "asked", "what", &s->asked, TOP);
    list_json(r, "rules", "rule", &s->rules, TOP);
    json_end_object(&r->json);
    if (!total(&s->all)) {
        buf_text(&r->text, "no decisions\n");
        return;
    }
    buf_format(&r->text,
               "%zu calls: %zu allowed, %zu denied, %zu asked; %u %% without a question\n",
               total(&s->all), s->all.allowed, s->all.denied, s->all.asked, share(&s->all));
    bars(r, "day", &s->days, SIZE_MAX);
    bars(r, "agent", &s->agents, SIZE_MAX);
    bars(r, "session", &s->sessions, TOP);
    most_often(r, "asked about most", &s->asked);
    most_often(r, "rules that decided most", &s->rules);
}

/* ---- drawing ---- */

enum { PLOT_WIDTH = 720, PLOT_HEIGHT = 240, PLOT_LEFT = 48, PLOT_FOOT = 200, PLOT_TOP = 24 };

static const struct {
    const char *name, *colour;
} series[] = {{"allowed", "#2e8b57"}, {"asked", "#d9a441"}, {"denied", "#b03a3a"}};

static size_t part_of(const struct tally *t, size_t which)
{
    const size_t parts[] = {t->allowed, t->asked, t->denied};

    return parts[which];
}

/* One column for each day, of three parts. The names of days are ours: digits and dashes. */
static void draw_day(struct report *r, const struct tally *t, size_t x, size_t width, size_t most)
{
    size_t y = PLOT_FOOT;

    for (size_t i = 0; i < COUNT(series); i++) {
        size_t height = part_of(t, i) * (PLOT_FOOT - PLOT_TOP) / most;
        y -= height;
        buf_format(&r->text,
                   "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"%s\"><title>%zu "
                   "%s</title></rect>\n",
                   x, y, width, height, series[i].colour, part_of(t, i), series[i].name);
    }
    buf_format(&r->text, "<text x=\"%zu\" y=\"%d\" text-anchor=\"middle\">", x + width / 2,
               PLOT_FOOT + 16);
    buf_add(&r->text, str_from_byte(t->name, 5));
    buf_text(&r->text, "</text>\n");
}

static void draw(struct report *r, const void *about)
{
    const struct stats *s = about;
    size_t most = 1, step;

    for (size_t i = 0; i < s->days.count; i++)
        if (total(&s->days.items[i]) > most)
            most = total(&s->days.items[i]);
    step = (PLOT_WIDTH - PLOT_LEFT) / (s->days.count ? s->days.count : 1);
    buf_format(&r->text,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" font-size=\"11\" fill=\"#666\">\n"
               "<text x=\"%d\" y=\"14\">%zu calls, %u %% without a question</text>\n"
               "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%zu</text>\n",
               PLOT_WIDTH, PLOT_HEIGHT, PLOT_LEFT, total(&s->all), share(&s->all), PLOT_LEFT - 6,
               PLOT_TOP + 6, most);
    for (size_t i = 0; i < s->days.count; i++)
        draw_day(r, &s->days.items[i], PLOT_LEFT + i * step, step > 4 ? step - 4 : 1, most);
    for (size_t i = 0; i < COUNT(series); i++)
        buf_format(&r->text, "<text x=\"%zu\" y=\"%d\" fill=\"%s\">%s</text>\n", PLOT_LEFT + i * 80,
                   PLOT_HEIGHT - 6, series[i].colour, series[i].name);
    buf_text(&r->text, "</svg>\n");
    json_null(&r->json);
}

static void sort(struct tallies *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof(list->items[0]), by_total);
}

warder_status warder_log_stats(warder_log *log, const warder_log_filter *filter, int plot,
                               warder_report **out, warder_error *err)
{
    warder_log_filter f = WARDER_LOG_FILTER_INIT;
    struct stats s = {0};

    if (!log || !out)
        return give_usage(err, "missing argument: log or report");
    *out = NULL;
    if (filter && !copy_versioned(&f, sizeof(f), filter, filter->struct_size))
        return give_usage(
            err, "the filter has no struct_size, or members that this version does not know");
    f.struct_size = sizeof(f);
    if (!f.since)
        f.since = SINCE_DEFAULT;
    arena_init(&s.arena, MEMORY_MAX);
    arena_init(&s.record, MEMORY_MAX);
    warder_status status = warder_log_export(log, &f, 0, visit, &s, err);
    sort(&s.agents);
    sort(&s.sessions);
    sort(&s.asked);
    sort(&s.rules);
    if (status == WARDER_OK)
        status = s.failed ? give_no_memory(err) : report_make(plot ? draw : show, &s, out, err);
    arena_release(&s.record);
    arena_release(&s.arena);
    return status;
}
