/* trust.c - the API of policy/trust: which projects a person trusts. */
#include "policy/trust.h"

#include <errno.h>
#include <unistd.h>

#include "engine/report.h"
#include "machine/statedir.h"

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

/* What the project's own files contain: read as if a person had named them. */
static void preview_rules(struct report *r, const struct rules *rules)
{
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        if (rule->source == SOURCE_BUILTIN)
            continue;
        json_begin_object(&r->json);
        report_member(r, "behavior", str_from(behavior_name(rule->effect)));
        report_member(r, "rule", rule->text);
        json_end_object(&r->json);
        buf_format(&r->text, "  %-5s  ", behavior_name(rule->effect));
        report_show(r, rule->text);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void preview_hooks(struct report *r, const struct hooks *hooks)
{
    json_key(&r->json, "hooks");
    json_begin_array(&r->json);
    for (size_t i = 0; i < hooks->count; i++) {
        json_text(&r->json, hooks->items[i].command);
        buf_text(&r->text, "  hook   ");
        report_show(r, hooks->items[i].command);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void preview_programs(struct report *r, const struct program_rows *rows)
{
    json_key(&r->json, "programs");
    json_begin_array(&r->json);
    for (size_t i = 0; rows && i < rows->count; i++) {
        json_text(&r->json, str_from(rows->items[i].name));
        buf_text(&r->text, "  program  ");
        report_show(r, str_from(rows->items[i].name));
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void preview(struct report *r, const void *about)
{
    const struct held *held = about;
    const struct rulebook *book = held->project->book;

    json_begin_object(&r->json);
    json_key(&r->json, "files");
    json_begin_array(&r->json);
    for (size_t i = 0; i < book->files.count; i++) {
        json_text(&r->json, book->files.items[i].path);
        report_show(r, book->files.items[i].path);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
    preview_rules(r, &book->rules);
    preview_hooks(r, &book->hooks);
    preview_programs(r, book->programs);
    report_member(r, "mode",
                  book->mode.given ? str_from(mode_name(book->mode.mode)) : (struct str){0});
    if (book->mode.given)
        buf_format(&r->text, "  mode   %s\n", mode_name(book->mode.mode));
    json_end_object(&r->json);
}

#define PREVIEW_FILES_MAX 32

/* The project's files that were found, as paths for warder_options. */
static size_t project_files(const struct policy_files *files, const char *paths[PREVIEW_FILES_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < files->count && count < PREVIEW_FILES_MAX; i++) {
        const struct policy_file *f = &files->items[i];
        if (f->found && (f->source == SOURCE_PROJECT || f->source == SOURCE_LOCAL))
            paths[count++] = f->path.s;
    }
    return count;
}

/* Reads the named files and nothing else. */
static warder_status preview_named(const warder_options *options, warder_report **out,
                                   warder_error *err)
{
    warder_engine *engine;
    warder_status status = warder_engine_new(options, &engine, err);

    if (status != WARDER_OK)
        return status;
    status = report_held(engine, preview, out, err);
    warder_engine_free(engine);
    return status;
}

warder_status warder_trust_preview(const char *home, const char *directory, warder_report **out,
                                   warder_error *err)
{
    warder_options options = WARDER_OPTIONS_INIT;
    const char *paths[PREVIEW_FILES_MAX];
    warder_engine *engine;
    struct held held;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    options.home = home;
    options.project = directory;
    warder_status status = warder_engine_new(&options, &engine, err);
    if (status != WARDER_OK)
        return status;
    if ((status = policy_borrow(engine, &held, err)) == WARDER_OK) {
        options.policy_count = project_files(&held.project->book->files, paths);
        options.policies = paths;
        status = options.policy_count ? preview_named(&options, out, err)
                                      : give_usage(err, "the project has no policy files");
        snapshot_drop(held.snapshot);
    }
    warder_engine_free(engine);
    return status;
}
