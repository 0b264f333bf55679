/* learn_show.c - what was learned, for a person to read and tick; as JSON it is a policy. */
#include "report/learn.h"

#include <stdlib.h>

#define MEMORY_MAX ((size_t)1024 * 1024 * 1024)

static const struct {
    const char *word, *sentence;
} kinds[] = {
    [GENERAL_NEVER] = {"never", ""},
    [GENERAL_BOUNDED] = {"bounded",
                         "what its row says; paths in the workspace, configured servers"},
    [GENERAL_WRITES] = {"writes", "this one command; what it writes is the agent's choice"},
    [GENERAL_SENDS] = {"sends", "it sends to a server, which cannot be taken back"},
    [GENERAL_SCRIPT] = {"script", "it runs files of the project, which may change"},
    [GENERAL_UNKNOWN] = {"unknown", "Warder does not know the program: nothing limits it"},
};

static const char *kind_word(const struct learn_offer *o)
{
    return o->wraps ? "wrapper" : kinds[o->kind].word;
}

static const char *kind_sentence(const struct learn_offer *o)
{
    return o->wraps ? "what it starts is judged by itself" : kinds[o->kind].sentence;
}

/* ---- one offer ---- */

static void show_line(struct report *r, const char *title, struct str text)
{
    buf_format(&r->text, "        %-10s ", title);
    report_show(r, text);
    buf_byte(&r->text, '\n');
}

#define SHOWN_MAX 100 /* bytes of a command */

static void show_lines(struct report *r, const char *title, const struct strs *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct str text = list->items[i];
        if (text.len > SHOWN_MAX)
            text = str_join(r->arena, str_slice(text, 0, SHOWN_MAX), STR("..."));
        show_line(r, i ? "" : title, text);
    }
}

static void show_offer(struct report *r, const struct learn_offer *o, size_t number)
{
    struct buf hosts = buf_in(r->arena);

    buf_format(&r->text, "%3zu [%c] ", number, o->ticked ? 'x' : ' ');
    report_show(r, o->wraps ? str_format(r->arena, "a wrapper: %.*s COMMAND", STR_ARG(o->name))
                            : o->rule);
    buf_byte(&r->text, '\n');
    show_line(r, "evidence", str_from_byte(o->comment, strlen("learned: ")));
    show_line(r, "ceiling", str_from(kind_sentence(o)));
    for (size_t i = 0; i < o->hosts.count; i++)
        buf_format(&hosts, "%s%.*s", i ? ", " : "", STR_ARG(o->hosts.items[i]));
    if (hosts.len)
        show_line(r, "hosts", buf_str(&hosts));
    show_lines(r, "accepted", &o->examples);
    if (o->other_count)
        show_line(r, "also",
                  str_format(r->arena, "recorded calls that no one answered: %zu", o->other_count));
    show_lines(r, "", &o->others);
    show_lines(r, "beside it", &o->neighbours);
}

static void write_offer(struct report *r, const struct learn_offer *o, size_t number)
{
    json_begin_object(&r->json);
    report_number(r, "number", (int64_t)number);
    report_member(r, o->wraps ? "wrapper" : "rule", o->rule);
    report_member(r, "kind", str_from(kind_word(o)));
    json_key(&r->json, "ticked");
    json_bool(&r->json, o->ticked);
    report_member(r, "ceiling", str_from(kind_sentence(o)));
    json_strings(&r->json, "hosts", &o->hosts);
    report_number(r, "calls", (int64_t)o->calls);
    report_number(r, "sessions", (int64_t)o->sessions);
    report_member(r, "first", o->first);
    report_member(r, "last", o->last);
    json_strings(&r->json, "examples", &o->examples);
    report_number(r, "others", (int64_t)o->other_count);
    json_strings(&r->json, "other_examples", &o->others);
    json_strings(&r->json, "neighbours", &o->neighbours);
    json_key(&r->json, "entry");
    json_raw(&r->json, learn_entry(r->arena, o));
    json_end_object(&r->json);
}

/* ---- what was not learned ---- */

struct reason {
    struct str why;
    size_t count;
};
struct reasons LIST_OF(struct reason);

static void count_reason(struct arena *a, struct reasons *reasons, struct str why)
{
    for (size_t i = 0; i < reasons->count; i++)
        if (str_eq(reasons->items[i].why, why)) {
            reasons->items[i].count++;
            return;
        }
    LIST_PUSH(a, reasons, (struct reason){why, 1});
}

static int by_count(const void *x, const void *y)
{
    const struct reason *a = x, *b = y;

    return (a->count < b->count) - (a->count > b->count);
}

static const char *reason_of(const warder_learning *l, size_t call)
{
    const struct lesson_needs *needs = &l->lessons.items[call].needs;

    if (l->calls.items[call].why)
        return l->calls.items[call].why;
    for (size_t i = 0; i < needs->count; i++)
        if (l->lesson_rules.items[needs->items[i].rule].vetoed)
            return "was rejected once, or has the name of what was";
    return "was accepted in one session only";
}

/* Accepted, asked about today, and not covered by what is offered. */
static void find_reasons(const warder_learning *l, struct report *r, struct reasons *out)
{
    const struct lesson lesson = {.rules = l->lesson_rules.items};

    for (size_t i = 0; i < l->calls.count; i++) {
        const struct learn_call *call = &l->calls.items[i];
        if (call->answer != ANSWER_ACCEPT || call->now == BEHAVIOR_ALLOW ||
            (l->lessons.items[i].counts && lesson_covers(&lesson, &l->lessons.items[i])))
            continue;
        count_reason(r->arena, out, str_from(reason_of(l, i)));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_count);
}

static void show_reasons(const warder_learning *l, struct report *r)
{
    struct reasons reasons = {0};

    find_reasons(l, r, &reasons);
    json_key(&r->json, "not_learned");
    json_begin_array(&r->json);
    if (reasons.count)
        buf_text(&r->text, "\nnot learned, by the first thing in a call that speaks against it\n");
    for (size_t i = 0; i < reasons.count; i++) {
        json_begin_object(&r->json);
        report_member(r, "why", reasons.items[i].why);
        report_number(r, "calls", (int64_t)reasons.items[i].count);
        json_end_object(&r->json);
        buf_format(&r->text, "%5zu  ", reasons.items[i].count);
        report_show(r, reasons.items[i].why);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

/* ---- figures ---- */

static int percent(size_t part, size_t of)
{
    return of ? (int)(100 * part / of) : 0;
}

static void show_figures(const warder_learning *l, struct report *r)
{
    const struct learn_figures *f = &l->figures;

    json_key(&r->json, "figures");
    json_begin_object(&r->json);
    report_number(r, "trained_sessions", (int64_t)f->train);
    report_number(r, "tested_sessions", (int64_t)f->test);
    report_number(r, "asks", (int64_t)f->asks);
    report_number(r, "removed_by_ticked", (int64_t)f->ticked);
    report_number(r, "removed_by_all", (int64_t)f->all);
    report_number(r, "rejected", (int64_t)f->rejected);
    report_number(r, "rejected_let_through_by_ticked", (int64_t)f->passed_ticked);
    report_number(r, "rejected_let_through_by_all", (int64_t)f->passed);
    json_end_object(&r->json);
    if (!f->train || !f->test)
        return; /* nothing to learn from, or to try it on */
    buf_format(&r->text,
               "\nrules of the first half of the sessions (%zu), tried on the other (%zu): of %zu "
               "asks that "
               "people\n"
               "accepted there, ticked rules remove %zu (%d %%) and all rules %zu (%d %%);\n"
               "of %zu rejected calls, ticked rules let %zu through and all rules %zu\n",
               f->train, f->test, f->asks, f->ticked, percent(f->ticked, f->asks), f->all,
               percent(f->all, f->asks), f->rejected, f->passed_ticked, f->passed);
}

/* ---- all of it ---- */

static void show_counts(const warder_learning *l, struct report *r)
{
    size_t accepted = 0, rejected = 0, asks = 0;

    for (size_t i = 0; i < l->calls.count; i++) {
        accepted += l->calls.items[i].answer == ANSWER_ACCEPT;
        rejected += l->calls.items[i].answer == ANSWER_REJECT;
        asks += l->calls.items[i].answer == ANSWER_ACCEPT && l->calls.items[i].now == BEHAVIOR_ASK;
    }
    report_number(r, "calls", (int64_t)l->calls.count);
    report_number(r, "sessions", (int64_t)l->sessions.list.count);
    report_number(r, "accepted", (int64_t)accepted);
    report_number(r, "rejected", (int64_t)rejected);
    report_number(r, "asks", (int64_t)asks);
    report_number(r, "skipped", (int64_t)l->skipped);
    report_number(r, "unread", (int64_t)l->unread);
    buf_format(
        &r->text,
        "%zu call%s of %zu session%s: %zu accepted, of which %zu would be asked about today, "
        "%zu rejected\n",
        l->calls.count, l->calls.count == 1 ? "" : "s", l->sessions.list.count,
        l->sessions.list.count == 1 ? "" : "s", accepted, asks, rejected);
    if (l->unread)
        buf_format(&r->text, "%zu lines of transcripts could not be read\n", l->unread);
}

static void show(struct report *r, const void *about)
{
    const warder_learning *l = about;

    json_begin_object(&r->json);
    learn_policy_members(&r->json, &l->offers, true);
    json_key(&r->json, "learned");
    json_begin_object(&r->json);
    show_counts(l, r);
    json_key(&r->json, "offers");
    json_begin_array(&r->json);
    buf_text(&r->text, l->offers.count ? "\n" : "\nno rule can be learned from them\n");
    for (size_t i = 0; i < l->offers.count; i++) {
        show_offer(r, &l->offers.items[i], i + 1);
        write_offer(r, &l->offers.items[i], i + 1);
    }
    json_end_array(&r->json);
    show_reasons(l, r);
    show_figures(l, r);
    json_end_object(&r->json);
    json_end_object(&r->json);
}

warder_status warder_learning_report(warder_learning *l, warder_report **out, warder_error *err)
{
    if (!l || !out)
        return give_usage(err, "missing argument: learning or report");
    *out = NULL;
    warder_status status = learn_work(l, err);
    return status == WARDER_OK ? report_make(show, l, out, err) : status;
}

warder_status warder_learning_tick(warder_learning *l, uint32_t number, int ticked,
                                   warder_error *err)
{
    struct error inner;

    if (!l)
        return give_usage(err, "missing argument: learning");
    warder_status status = learn_work(l, err);
    if (status != WARDER_OK)
        return status;
    if (!number || number > l->offers.count) {
        fail(&inner, STATUS_USAGE, "no rule has the number %u: %zu are offered", number,
             l->offers.count);
        return error_out(err, &inner);
    }
    l->offers.items[number - 1].ticked = ticked != 0;
    return WARDER_OK;
}

/* ---- life ---- */

warder_status warder_learning_new(const warder_options *options, int everywhere,
                                  warder_learning **out, warder_error *err)
{
    if (!options || !out)
        return give_usage(err, "missing argument: options or learning");
    *out = NULL;
    warder_learning *l = calloc(1, sizeof(*l));
    if (!l)
        return give_no_memory(err);
    arena_init(&l->arena, MEMORY_MAX);
    arena_init(&l->scratch, LEARN_LINE_MAX);
    l->options = *options;
    warder_status status = warder_engine_new(&l->options, &l->engine, err);
    if (status == WARDER_OK && l->engine->slot.now->profile->dialect != DIALECT_WARDER)
        status = give_usage(err, "rules are learned in the spelling of the profile warder: use "
                                 "--profile warder");
    if (status != WARDER_OK) {
        warder_learning_free(l);
        return status;
    }
    l->project = everywhere ? (struct str){0} : l->engine->project;
    *out = l;
    return WARDER_OK;
}

void warder_learning_free(warder_learning *l)
{
    if (!l)
        return;
    learn_change_release(l);
    warder_engine_free(l->engine);
    arena_release(&l->arena);
    arena_release(&l->scratch);
    free(l);
}
