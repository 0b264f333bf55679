/* lint.c - the findings about a policy, for people and programs. */
#include "report/findings.h"

struct lint_request {
    struct held held;
    const struct usage *usage;
};

static void show_rule(struct report *r, const struct policy_finding *f)
{
    json_begin_object(&r->json);
    report_member(r, "severity", STR("warning"));
    report_member(r, "name", str_from(f->name));
    report_rule(r, f->rule, f->number);
    report_member(r, "message", f->message);
    json_end_object(&r->json);
    report_show(r, rule_place(r->arena, f->rule));
    buf_text(&r->text, ": warning: ");
    report_show(r, f->rule->text);
    buf_text(&r->text, ": ");
    report_show(r, f->message);
    buf_format(&r->text, " [%s]\n", f->name);
    r->warnings++;
}

static void say_short_log(struct report *r, const struct usage *usage)
{
    if (!usage || usage->complete)
        return;
    buf_format(&r->text, "the log is younger than %u days: it cannot say which rules are unused\n",
               usage->days);
}

static void show(struct report *r, const void *about)
{
    const struct lint_request *l = about;
    const struct rulebook *book = l->held.project->book;
    const struct policy_findings all = findings_of(r->arena, book, l->usage);

    json_begin_object(&r->json);
    json_key(&r->json, "findings");
    json_begin_array(&r->json);
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].problem)
            report_problem(r, all.items[i].problem);
        else
            show_rule(r, &all.items[i]);
    json_end_array(&r->json);
    report_number(r, "errors", (int64_t)r->errors);
    report_number(r, "warnings", (int64_t)r->warnings);
    json_end_object(&r->json);
    say_short_log(r, l->usage);
    buf_format(&r->text, "%zu rule%s, %zu error%s, %zu warning%s\n", book->rules.count,
               book->rules.count == 1 ? "" : "s", r->errors, r->errors == 1 ? "" : "s", r->warnings,
               r->warnings == 1 ? "" : "s");
}

/* ---- SARIF 2.1.0 ---- */

static void sarif_text(struct report *r, const char *key, struct str text)
{
    json_key(&r->json, key);
    json_begin_object(&r->json);
    json_text_member(&r->json, "text", text);
    json_end_object(&r->json);
}

static void sarif_names(struct report *r)
{
    const char *name, *means;

    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; finding_name(i, &name, &means); i++) {
        json_begin_object(&r->json);
        json_text_member(&r->json, "id", str_from(name));
        sarif_text(r, "shortDescription", str_from(means));
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

/* A path as a URI reference: every byte that may mean something else is escaped. */
static struct str uri_of(struct arena *a, struct str path)
{
    struct buf b = buf_in(a);

    if (path.len && path.s[0] == '/')
        buf_text(&b, "file://");
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.s[i];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
            strchr("-._~/", c))
            buf_byte(&b, (char)c);
        else
            buf_format(&b, "%%%02X", c);
    }
    return buf_str(&b);
}

static void sarif_place(struct report *r, struct str file, uint32_t line, uint32_t column)
{
    json_key(&r->json, "locations");
    json_begin_array(&r->json);
    if (file.len) {
        json_begin_object(&r->json);
        json_key(&r->json, "physicalLocation");
        json_begin_object(&r->json);
        json_key(&r->json, "artifactLocation");
        json_begin_object(&r->json);
        json_text_member(&r->json, "uri", uri_of(r->arena, file));
        json_end_object(&r->json);
        json_key(&r->json, "region");
        json_begin_object(&r->json);
        report_number(r, "startLine", line ? line : 1);
        report_number(r, "startColumn", column ? column : 1);
        json_end_object(&r->json);
        json_end_object(&r->json);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void sarif_result(struct report *r, const struct policy_finding *f)
{
    bool fatal = f->problem && f->problem->fatal;

    json_begin_object(&r->json);
    json_text_member(&r->json, "ruleId", str_from(f->name));
    json_text_member(&r->json, "level", fatal ? STR("error") : STR("warning"));
    sarif_text(r, "message",
               f->rule ? str_format(r->arena, "%s %.*s: %.*s", behavior_name(f->rule->effect),
                                    STR_ARG(f->rule->text), STR_ARG(f->message))
                       : f->message);
    if (f->rule)
        sarif_place(r, f->rule->file, f->rule->line, f->rule->column);
    else
        sarif_place(r, f->problem->file, f->problem->line, f->problem->column);
    json_end_object(&r->json);
    *(fatal ? &r->errors : &r->warnings) += 1;
}

static void show_sarif(struct report *r, const void *about)
{
    const struct lint_request *l = about;
    const struct policy_findings all = findings_of(r->arena, l->held.project->book, l->usage);

    json_begin_object(&r->json);
    json_text_member(&r->json, "$schema", STR("https://json.schemastore.org/sarif-2.1.0.json"));
    json_text_member(&r->json, "version", STR("2.1.0"));
    json_key(&r->json, "runs");
    json_begin_array(&r->json);
    json_begin_object(&r->json);
    json_key(&r->json, "tool");
    json_begin_object(&r->json);
    json_key(&r->json, "driver");
    json_begin_object(&r->json);
    json_text_member(&r->json, "name", STR("warder"));
    json_text_member(&r->json, "version", str_from(warder_version()));
    sarif_names(r);
    json_end_object(&r->json);
    json_end_object(&r->json);
    json_key(&r->json, "results");
    json_begin_array(&r->json);
    for (size_t i = 0; i < all.count; i++)
        sarif_result(r, &all.items[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

/* ---- the API ---- */

static warder_status make(warder_engine *engine, warder_log *log, uint32_t days,
                          void (*fill)(struct report *, const void *), warder_report **out,
                          warder_error *err)
{
    struct lint_request request = {0};
    struct usage usage = {0};

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    warder_status status = policy_borrow(engine, &request.held, err);
    if (status != WARDER_OK)
        return status;
    if (log) {
        status = usage_gather(log, days, &usage, err);
        request.usage = &usage;
    }
    if (status == WARDER_OK)
        status = report_make(fill, &request, out, err);
    usage_release(&usage);
    snapshot_drop(request.held.snapshot);
    return status;
}

warder_status warder_rules_lint(warder_engine *engine, warder_report **out, warder_error *err)
{
    return make(engine, NULL, 0, show, out, err);
}

warder_status warder_lint(warder_engine *engine, warder_log *log, uint32_t days,
                          warder_report **out, warder_error *err)
{
    return make(engine, log, days, show, out, err);
}

warder_status warder_lint_sarif(warder_engine *engine, warder_log *log, uint32_t days,
                                warder_report **out, warder_error *err)
{
    return make(engine, log, days, show_sarif, out, err);
}
