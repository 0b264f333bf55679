/* trust.c - the API of policy/trust: which projects a person trusts. */
#include "policy/trust.h"

#include <errno.h>
#include <unistd.h>

#include "engine/edges.h"
#include "engine/report.h"
#include "machine/statedir.h"
#include "policy/project.h"

struct places {
    char state[STATEDIR_MAX], project[STATEDIR_MAX];
};

static enum status find_places(const char *home, const char *directory, struct places *p,
                               struct error *err)
{
    enum status status = statedir_find(home, p->state, err);

    if (status != STATUS_OK)
        return status;
    if (!realpath(directory ? directory : ".", p->project))
        return fail(err, STATUS_IO, "%s: %s", directory ? directory : ".", strerror(errno));
    return STATUS_OK;
}

warder_status warder_trust_status(const char *home, const char *directory, warder_trust *out,
                                  warder_error *err)
{
    struct places p;
    struct error inner = {0};
    enum trust trust = TRUST_NO;
    enum status status = find_places(home, directory, &p, &inner);

    if (!out)
        return give_usage(err, "missing argument: answer");
    *out = WARDER_UNTRUSTED;
    if (status == STATUS_OK)
        status = trust_check(p.state, p.project, &trust, &inner);
    if (status != STATUS_OK)
        return error_out(err, &inner);
    *out = trust == TRUST_YES        ? WARDER_TRUSTED
           : trust == TRUST_NO_FILES ? WARDER_NOTHING_TO_TRUST
                                     : WARDER_UNTRUSTED;
    return WARDER_OK;
}

warder_status warder_trust_add(const char *home, const char *directory, warder_error *err)
{
    struct places p;
    struct error inner = {0};

    if (find_places(home, directory, &p, &inner) != STATUS_OK ||
        trust_add(p.state, p.project, &inner) != STATUS_OK)
        return error_out(err, &inner);
    return WARDER_OK;
}

warder_status warder_trust_remove(const char *home, const char *directory, warder_error *err)
{
    struct places p;
    struct error inner = {0};

    if (find_places(home, directory, &p, &inner) != STATUS_OK ||
        trust_remove(p.state, p.project, &inner) != STATUS_OK)
        return error_out(err, &inner);
    return WARDER_OK;
}

/* ---- what trust would switch on ---- */

struct preview {
    const struct rulebook *book;
    const struct project_files *files;
};

/* A list of texts: a member of the JSON, and lines of the text. */
static void begin_list(struct report *r, const char *key)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
}

static void show_line(struct report *r, const char *what, struct str text)
{
    buf_format(&r->text, "  %-9s  ", what);
    report_show(r, text);
    buf_byte(&r->text, '\n');
}

static void add_item(struct report *r, const char *what, struct str text)
{
    json_text(&r->json, text);
    show_line(r, what, text);
}

/* Everything that the hash covers: a change of any of them ends the trust. */
static void preview_files(struct report *r, const struct project_files *files)
{
    begin_list(r, "files");
    for (size_t i = 0; i < files->count; i++) {
        json_text(&r->json, str_from(files->items[i].name));
        report_show(r, str_from(files->items[i].name));
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void preview_problems(struct report *r, const struct problems *problems)
{
    begin_list(r, "problems");
    for (size_t i = 0; i < problems->count; i++)
        add_item(r, "problem",
                 str_format(r->arena, "%.*s:%u: %.*s", STR_ARG(problems->items[i].file),
                            problems->items[i].line, STR_ARG(problems->items[i].message)));
    json_end_array(&r->json);
}

static void preview_rules(struct report *r, const struct rules *rules)
{
    begin_list(r, "rules");
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        json_begin_object(&r->json);
        report_member(r, "behavior", str_from(behavior_name(rule->effect)));
        report_member(r, "rule", rule->text);
        report_member(r, "file", rule->file);
        json_end_object(&r->json);
        show_line(r, behavior_name(rule->effect), rule->text);
    }
    json_end_array(&r->json);
}

static void preview_tools(struct report *r, const char *key, const char *what,
                          const struct tool_entries *tools)
{
    begin_list(r, key);
    for (size_t i = 0; i < tools->count; i++)
        add_item(r, what, tools->items[i].name);
    json_end_array(&r->json);
}

static void preview_directories(struct report *r, const struct directories *directories)
{
    begin_list(r, "additionalDirectories");
    for (size_t i = 0; i < directories->count; i++)
        add_item(r, "directory", directories->items[i].path);
    json_end_array(&r->json);
}

static void preview_hooks(struct report *r, const struct hooks *hooks)
{
    begin_list(r, "hooks");
    for (size_t i = 0; i < hooks->count; i++)
        add_item(r, "hook", hooks->items[i].command);
    json_end_array(&r->json);
}

static void preview_programs(struct report *r, const struct program_rows *rows)
{
    begin_list(r, "programs");
    for (size_t i = 0; rows && i < rows->count; i++)
        add_item(r, "program", str_from(rows->items[i].name));
    json_end_array(&r->json);
}

static void preview_settings(struct report *r, const struct rulebook *book)
{
    struct str mode = book->mode.given ? str_from(mode_name(book->mode.mode)) : (struct str){0};

    report_member(r, "mode", mode);
    if (mode.len)
        show_line(r, "mode", mode);
    json_true_member_if(&r->json, "disableAllHooks", book->client_hooks_off);
    if (book->client_hooks_off)
        show_line(r, "hooks", STR("the client's own hooks are switched off"));
}

static void preview(struct report *r, const void *about)
{
    const struct preview *p = about;
    const struct rulebook *book = p->book;

    json_begin_object(&r->json);
    preview_files(r, p->files);
    preview_problems(r, &book->problems);
    preview_rules(r, &book->rules);
    preview_tools(r, "allowedTools", "allowed", &book->allowed);
    preview_tools(r, "disabledTools", "disabled", &book->disabled);
    preview_directories(r, &book->directories);
    preview_hooks(r, &book->hooks);
    preview_programs(r, book->programs);
    preview_settings(r, book);
    json_end_object(&r->json);
}

/* Reads the project's files alone, as the profile of the engine does where they are trusted. */
static warder_status preview_project(warder_engine *engine, const struct project_files *files,
                                     warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct policy *policy;
    struct held held;
    warder_status status = policy_borrow(engine, &held, err);

    if (status != WARDER_OK)
        return status;
    struct policy_request request = engine_request(engine, held.snapshot->profile, engine->project);
    request.preview = true;
    request.shipped = NULL;
    request.cli = (struct cli_rules){0};
    request.mode = (struct str){0};
    if (engine->edges->open_policy(&request, &policy, &inner) == STATUS_OK) {
        status = report_make(preview, &(struct preview){&policy->book, files}, out, err);
        policy_free(policy);
    } else {
        status = error_out(err, &inner);
    }
    snapshot_drop(held.snapshot);
    return status;
}

warder_status warder_trust_preview(const char *home, const char *directory, const char *profile,
                                   warder_report **out, warder_error *err)
{
    warder_options options = WARDER_OPTIONS_INIT;
    struct project_files files = {0};
    struct error inner = {0};
    warder_engine *engine;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    options.home = home;
    options.project = directory;
    options.profile = profile;
    warder_status status = warder_engine_new(&options, &engine, err);
    if (status != WARDER_OK)
        return status;
    if (project_read(engine->project.s, &files, &inner) != STATUS_OK)
        status = error_out(err, &inner);
    else if (files.count == 0)
        status = give_usage(err, "the project has no policy files");
    else
        status = preview_project(engine, &files, out, err);
    project_release(&files);
    warder_engine_free(engine);
    return status;
}
