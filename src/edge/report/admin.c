/* admin.c - reports for operators: rules, policy, profiles. */
#include "base/path.h"
#include "engine/report.h"
#include "programs/programs.h"
#include "report/findings.h"

/* ---- rules ---- */

void report_rule(struct report *r, const struct rule *rule, size_t number)
{
    report_number(r, "number", (int64_t)number);
    report_member(r, "behavior", str_from(behavior_name(rule->effect)));
    report_member(r, "rule", rule->text);
    report_member(r, "source", str_from(source_name(rule->source)));
    report_member(r, "id", rule_about(rule)->id);
    report_member(r, "file", rule->file);
    report_number(r, "line", rule->line);
    report_number(r, "column", rule->column);
    report_member(r, "reason", rule_about(rule)->reason);
    report_member(r, "comment", rule_about(rule)->comment);
    report_member(r, "terms", rule_more(rule)->terms);
}

static void list_rules(struct report *r, const void *about)
{
    const struct held *held = about;
    const struct rules *rules = &held->project->book->rules;

    json_begin_object(&r->json);
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        json_begin_object(&r->json);
        report_rule(r, rule, i + 1);
        json_end_object(&r->json);
        buf_format(&r->text, "%4zu  %-5s  ", i + 1, behavior_name(rule->effect));
        report_show(r, rule->text);
        buf_text(&r->text, "  (");
        report_show(r, rule_place(r->arena, rule));
        buf_byte(&r->text, ')');
        if (rule_more(rule)->terms.len) {
            buf_text(&r->text, "  ");
            report_show(r, rule_more(rule)->terms);
        }
        if (rule_about(rule)->reason.len) {
            buf_text(&r->text, "  ");
            report_show(r, rule_about(rule)->reason);
        }
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
    json_end_object(&r->json);
    if (rules->count == 0)
        buf_text(&r->text, "there are no rules\n");
}

warder_status warder_rules_list(warder_engine *engine, warder_report **out, warder_error *err)
{
    return report_held(engine, list_rules, out, err);
}

void report_problem(struct report *r, const struct problem *p)
{
    json_begin_object(&r->json);
    report_member(r, "severity", p->fatal ? STR("error") : STR("warning"));
    report_member(r, "file", p->file);
    report_number(r, "line", p->line);
    report_number(r, "column", p->column);
    report_member(r, "message", p->message);
    report_member(r, "source", p->source.line);
    json_end_object(&r->json);
    report_show(r, p->file);
    if (p->line)
        buf_format(&r->text, ":%u:%u", p->line, p->column);
    buf_text(&r->text, p->file.len ? ": " : "");
    buf_text(&r->text, p->fatal ? "error: " : "warning: ");
    report_show(r, p->message);
    buf_byte(&r->text, '\n');
    if (p->source.line.len)
        excerpt_show(&r->text, EXCERPT_INDENT, &p->source, 1);
    if (p->fatal)
        r->errors++;
    else
        r->warnings++;
}

static void list_problems(struct report *r, const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        report_problem(r, &problems->items[i]);
}

/* The files could not be read again, and an older policy is in force. */
static void say_stale(struct report *r, const struct project_policy *project)
{
    const struct error *e = &project->stale;
    struct problem p = {.fatal = true};

    if (e->status == STATUS_OK)
        return;
    p.message = str_format(r->arena, "an older policy stays in force: %s", e->message);
    if (e->line)
        p.message =
            str_format(r->arena, "%s (line %u, column %u)", p.message.s, e->line, e->column);
    report_problem(r, &p);
}

static void show_rule(struct report *r, const void *about)
{
    static const char *const matchers[] = {
        [MATCH_ANY] = "every call of the tool",
        [MATCH_EXACT] = "exactly this text",
        [MATCH_PREFIX] = "texts that start with these words",
        [MATCH_STARTS] = "texts that start with these bytes",
        [MATCH_GLOB] = "texts that fit this pattern",
        [MATCH_SUBSTRING] = "texts that contain this, ignoring case",
        [MATCH_FIELD] = "calls whose input field fits this pattern",
        [MATCH_PATH] = "paths, as in gitignore",
        [MATCH_DOMAIN] = "hosts",
        [MATCH_ACTION] = "actions that fit this pattern, and with a / in it paths",
    };
    const struct rule *rule = about;

    json_begin_object(&r->json);
    report_rule(r, rule, 0);
    report_member(r, "printed", rule_print(r->arena, rule));
    report_member(r, "dialect", str_from(dialect_name(rule->dialect)));
    report_member(r, "tool", rule->tool);
    report_member(r, "matches", str_from(matchers[rule->matcher]));
    report_member(r, "pattern", rule->pattern);
    report_member(r, "field", rule_more(rule)->field);
    report_member(r, "regex", rule_more(rule)->regex);
    json_end_object(&r->json);

    buf_format(&r->text, "%s  ", behavior_name(rule->effect));
    report_show(r, rule->text);
    buf_format(&r->text, "\nsource   %s\nplace    ", source_name(rule->source));
    report_show(r, rule_place(r->arena, rule));
    buf_format(&r->text, "\ndialect  %s\ntool     ", dialect_name(rule->dialect));
    report_show(r, rule->tool);
    buf_format(&r->text, "\nmatches  %s\n", matchers[rule->matcher]);
    const struct {
        const char *name;
        struct str text;
    } rest[] = {{"pattern", rule->pattern},           {"field", rule_more(rule)->field},
                {"regex", rule_more(rule)->regex},    {"terms", rule_more(rule)->terms},
                {"reason", rule_about(rule)->reason}, {"comment", rule_about(rule)->comment},
                {"id", rule_about(rule)->id}};
    for (size_t i = 0; i < COUNT(rest); i++)
        if (rest[i].text.len) {
            buf_format(&r->text, "%-8s ", rest[i].name);
            report_show(r, rest[i].text);
            buf_byte(&r->text, '\n');
        }
}

static const struct rule *find_rule(const struct rules *rules, const char *which)
{
    char *end;
    unsigned long number = strtoul(which, &end, 10);

    if (*end == '\0' && number >= 1 && number <= rules->count)
        return &rules->items[number - 1];
    for (size_t i = 0; i < rules->count; i++)
        if (str_is(rule_about(&rules->items[i])->id, which) || str_is(rules->items[i].text, which))
            return &rules->items[i];
    return NULL;
}

warder_status warder_rules_show(warder_engine *engine, const char *which, warder_report **out,
                                warder_error *err)
{
    struct held held;
    struct error inner;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!which)
        return give_usage(err, "which rule?");
    warder_status status = policy_borrow(engine, &held, err);
    if (status != WARDER_OK)
        return status;
    const struct rule *rule = find_rule(&held.project->book->rules, which);
    if (rule) {
        status = report_make(show_rule, rule, out, err);
    } else {
        fail(&inner, STATUS_USAGE, "no rule with the number, id or text \"%.100s\"", which);
        status = error_out(err, &inner);
    }
    snapshot_drop(held.snapshot);
    return status;
}

/* ---- policy ---- */

/* What can be found out about a file that is there. */
static void show_file(struct report *r, const struct policy_file *f)
{
    buf_format(&r->text, "  %-8s ", source_name(f->source));
    report_show(r, f->path);
    if (!f->found)
        buf_text(&r->text, "  not there");
    else if (!f->format.len)
        buf_text(&r->text, "  cannot be read");
    else
        buf_format(&r->text, "  %.*s, %zu rule%s%s", STR_ARG(f->format), f->rules,
                   f->rules == 1 ? "" : "s", f->trusted ? "" : ", not trusted");
    buf_byte(&r->text, '\n');
}

static void show_files(struct report *r, const struct policy_files *files, bool all)
{
    size_t shown = 0;

    json_key(&r->json, "files");
    json_begin_array(&r->json);
    buf_text(&r->text, "files, strongest source first\n");
    for (size_t i = 0; i < files->count; i++) {
        const struct policy_file *f = &files->items[i];
        json_begin_object(&r->json);
        report_member(r, "path", f->path);
        report_member(r, "source", str_from(source_name(f->source)));
        json_key(&r->json, "found");
        json_bool(&r->json, f->found);
        json_key(&r->json, "trusted");
        json_bool(&r->json, f->trusted);
        report_member(r, "format", f->format);
        report_number(r, "rules", (int64_t)f->rules);
        json_end_object(&r->json);
        shown += f->found || all;
        if (f->found || all)
            show_file(r, f);
    }
    json_end_array(&r->json);
    if (!shown)
        buf_format(&r->text, "  none (--all lists the %zu places)\n", files->count);
}

static void show_entries(struct report *r, const char *key, const struct tool_entries *entries)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < entries->count; i++) {
        json_text(&r->json, entries->items[i].name);
        buf_format(&r->text, "%s  ", key);
        report_show(r, entries->items[i].name);
        buf_format(&r->text, "  (%s)\n", source_name(entries->items[i].source));
    }
    json_end_array(&r->json);
}

static void show_directories(struct report *r, const struct directories *directories)
{
    json_key(&r->json, "additionalDirectories");
    json_begin_array(&r->json);
    for (size_t i = 0; i < directories->count; i++) {
        json_text(&r->json, directories->items[i].path);
        buf_text(&r->text, "additionalDirectories  ");
        report_show(r, directories->items[i].path);
        buf_format(&r->text, "  (%s)\n", source_name(directories->items[i].source));
    }
    json_end_array(&r->json);
}

static void show_hooks(struct report *r, const struct hooks *hooks)
{
    json_key(&r->json, "hooks");
    json_begin_array(&r->json);
    for (size_t i = 0; i < hooks->count; i++) {
        const struct hook *h = &hooks->items[i];
        json_begin_object(&r->json);
        report_member(r, "event", str_from(hook_event_name(h->event)));
        report_member(r, "matcher", h->matcher);
        report_member(r, "command", h->command);
        report_member(r, "source", str_from(source_name(h->source)));
        report_member(r, "file", h->file);
        json_end_object(&r->json);
        buf_format(&r->text, "hook  %s ", hook_event_name(h->event));
        report_show(r, h->matcher.len ? h->matcher : STR("*"));
        buf_text(&r->text, "  ");
        report_show(r, h->command);
        buf_format(&r->text, "  (%s)\n", source_name(h->source));
    }
    json_end_array(&r->json);
}

static void show_programs(struct report *r, const struct program_rows *rows)
{
    json_key(&r->json, "programs");
    json_begin_array(&r->json);
    for (size_t i = 0; rows && i < rows->count; i++) {
        const struct program_row *row = &rows->items[i];
        json_begin_object(&r->json);
        report_member(r, "name", str_from(row->name));
        report_member(r, "options", str_from(row->options));
        report_member(r, "operands", str_from(row->operands));
        report_member(r, "effects", program_effects_text(r->arena, row->effects));
        report_member(r, "at", str_from(row->source));
        json_end_object(&r->json);
        buf_text(&r->text, "program  ");
        report_show(r, str_from(row->name));
        buf_text(&r->text, "  (");
        report_show(r, str_from(row->source));
        buf_text(&r->text, ")\n");
    }
    json_end_array(&r->json);
}

static void show_mode(struct report *r, const struct rulebook *book)
{
    const struct mode_setting *m = &book->mode;

    report_member(r, "mode", str_from(mode_name(m->given ? m->mode : MODE_DEFAULT)));
    report_member(r, "mode_source", m->given ? str_from(source_name(m->source)) : STR("builtin"));
    buf_format(&r->text, "mode     %s  (%s", mode_name(m->given ? m->mode : MODE_DEFAULT),
               m->given ? source_name(m->source) : "builtin");
    if (m->given && m->file.len) {
        buf_text(&r->text, ", ");
        report_show(r, m->file);
        buf_format(&r->text, ":%u", m->line);
    }
    buf_text(&r->text, ")\n");
    json_key(&r->json, "bypass_disabled");
    json_bool(&r->json, book->bypass_disabled);
    if (book->bypass_disabled)
        buf_text(&r->text, "bypassPermissions is switched off\n");
}

static void write_policy(struct report *r, const struct held *held, bool all)
{
    const struct rulebook *book = held->project->book;
    const struct profile *profile = held->snapshot->profile;
    size_t by_effect[3] = {0};

    json_begin_object(&r->json);
    report_member(r, "profile", str_from(profile->name));
    buf_format(&r->text, "profile  %s\n", profile->name);
    show_mode(r, book);
    show_files(r, &book->files, all);
    show_directories(r, &book->directories);
    show_entries(r, "disabledTools", &book->disabled);
    show_entries(r, "allowedTools", &book->allowed);
    show_hooks(r, &book->hooks);
    show_programs(r, book->programs);
    for (size_t i = 0; i < book->rules.count; i++)
        by_effect[book->rules.items[i].effect]++;
    report_number(r, "deny_rules", (int64_t)by_effect[BEHAVIOR_DENY]);
    report_number(r, "ask_rules", (int64_t)by_effect[BEHAVIOR_ASK]);
    report_number(r, "allow_rules", (int64_t)by_effect[BEHAVIOR_ALLOW]);
    buf_format(&r->text, "rules    %zu deny, %zu ask, %zu allow (warder rules list shows them)\n",
               by_effect[BEHAVIOR_DENY], by_effect[BEHAVIOR_ASK], by_effect[BEHAVIOR_ALLOW]);
    json_key(&r->json, "problems");
    json_begin_array(&r->json);
    say_stale(r, held->project);
    list_problems(r, &book->problems);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

static void show_policy(struct report *r, const void *about)
{
    write_policy(r, about, false);
}

static void show_all_of_policy(struct report *r, const void *about)
{
    write_policy(r, about, true);
}

warder_status warder_policy_show(warder_engine *engine, int all, warder_report **out,
                                 warder_error *err)
{
    return report_held(engine, all ? show_all_of_policy : show_policy, out, err);
}

warder_status warder_policy_check(const warder_options *options, const char *file,
                                  warder_report **out, warder_error *err)
{
    warder_options only = {0};
    warder_engine *engine;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!file)
        return give_usage(err, "which file?");
    if (options && !copy_versioned(&only, sizeof(only), options, options->struct_size))
        return give_usage(
            err, "the options have no struct_size, or members that this version does not know");
    only.struct_size = sizeof(only);
    only.policies = &file;
    only.policy_count = 1;
    warder_status status = warder_engine_new(&only, &engine, err);
    if (status != WARDER_OK)
        return status;
    status = warder_rules_lint(engine, out, err);
    warder_engine_free(engine);
    return status;
}

static void show_problems(struct report *r, const void *about)
{
    const struct held *held = about;

    json_begin_object(&r->json);
    json_key(&r->json, "problems");
    json_begin_array(&r->json);
    say_stale(r, held->project);
    list_problems(r, &held->project->book->problems);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_status warder_engine_problems(warder_engine *engine, warder_report **out, warder_error *err)
{
    return report_held(engine, show_problems, out, err);
}

/* ---- profiles ---- */

static void show_profile(struct report *r, const struct profile *p)
{
    json_begin_object(&r->json);
    report_member(r, "name", str_from(p->name));
    report_member(r, "spec", str_from(p->spec));
    report_member(r, "summary", str_from(p->summary));
    report_member(r, "dialect", str_from(dialect_name(p->dialect)));
    json_key(&r->json, "layers");
    json_begin_array(&r->json);
    buf_format(&r->text, "%s: %s\n  after     %s\n  dialect   %s\n  sources   ", p->name,
               p->summary, p->spec, dialect_name(p->dialect));
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        buf_format(&r->text, "%s%s", i ? " > " : "", source_name(p->order[i]));
    buf_text(&r->text, "\n  layers\n");
    for (size_t i = 0; i < p->step_count; i++) {
        const struct layer *l = &layers[p->steps[i].layer];
        buf_format(&r->text, "    %-14s %-7s %s\n", l->name, role_name(p->steps[i].role), l->says);
        json_begin_object(&r->json);
        report_member(r, "name", str_from(l->name));
        report_member(r, "role", str_from(role_name(p->steps[i].role)));
        report_member(r, "says", str_from(l->says));
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
    json_key(&r->json, "sources");
    json_begin_array(&r->json);
    for (size_t i = 0; i < SOURCE_COUNT; i++)
        json_text(&r->json, str_from(source_name(p->order[i])));
    json_end_array(&r->json);
    report_member(r, "headless", str_from(p->headless));
    json_end_object(&r->json);
    buf_format(&r->text, "    otherwise      ask; if no person can answer: deny, \"%s\"\n\n",
               p->headless);
}

const char *warder_profile_name(size_t number)
{
    size_t count;
    const struct profile *rows = profile_rows(&count);

    return number < count ? rows[number].name : NULL;
}

/* A name of the table ends in NUL: it is written there. */
const char *warder_tool_name(size_t number)
{
    const struct tool *row = tool_at(number);

    return row ? row->name.s : NULL;
}

static void show_profiles(struct report *r, const void *about)
{
    size_t count;
    const struct profile *rows = profile_rows(&count);

    (void)about;
    json_begin_object(&r->json);
    json_key(&r->json, "profiles");
    json_begin_array(&r->json);
    for (size_t i = 0; i < count; i++)
        show_profile(r, &rows[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_status warder_profiles(warder_report **out, warder_error *err)
{
    return report_make(show_profiles, NULL, out, err);
}
