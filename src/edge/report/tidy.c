/* tidy.c - takes rules out of a policy file that do nothing: dead, said twice, or unused by a log.
 *
 * A rule goes that says the same as another, or that a stricter one always beats: that changes no
 * verdict. So does an allow rule on what nobody runs, or that a log shows to be unused: what it
 * would have allowed is asked about. A deny or ask rule that matches nothing is a mistake to be
 * fixed, one that is unused is doing its work, and a path that is not where its author thinks is a
 * path. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "policy/edit.h"
#include "report/diff.h"
#include "report/findings.h"

#define BACKUP_SUFFIX ".before-tidy"

struct tidied {
    struct str behavior, rule, message;
    const char *name;
    uint32_t line, column;
    struct str why; /* it stays: it cannot be removed; empty: it is gone */
};
struct tidied_list LIST_OF(struct tidied);

struct warder_tidy {
    struct arena arena;
    char file[PATH_MAX]; /* as it was named */
    char path[PATH_MAX]; /* absolute, without links */
    struct file_text old;
    char *text; /* the new one, malloc'ed; NULL: nothing changes */
    size_t len;
    struct tidied_list rules;
    size_t removed;
    enum dialect dialect;
    struct held held;
    const struct usage *usage;
};

/* ---- what goes ---- */

static bool is_to_go(const struct policy_finding *f)
{
    static const char *const any[] = {"duplicate", "shadowed", "contradictory", "unreachable"};
    static const char *const of_allow[] = {"never-matches", "mangled", "unused"};
    struct str name = str_from(f->name);

    bool suspected = f->rule && f->rule->matcher == MATCH_PATH && !str_is(name, "unused");

    return f->rule && (STR_IN(name, any) ||
                       (f->rule->effect == BEHAVIOR_ALLOW && STR_IN(name, of_allow) && !suspected));
}

static bool is_listed(const struct warder_tidy *t, const struct rule *r)
{
    for (size_t i = 0; i < t->rules.count; i++)
        if (t->rules.items[i].line == r->line && t->rules.items[i].column == r->column)
            return true;
    return false;
}

static void find_rules(void *arg)
{
    struct warder_tidy *t = arg;
    struct arena *a = &t->arena;
    const struct policy_findings all = findings_of(a, t->held.project->book, t->usage);

    for (size_t i = 0; i < all.count; i++) {
        const struct rule *r = all.items[i].rule;
        if (!is_to_go(&all.items[i]) || !r->line || !str_is(r->file, t->file) || is_listed(t, r))
            continue;
        LIST_PUSH(a, &t->rules,
                  (struct tidied){.behavior = str_from(behavior_name(r->effect)),
                                  .rule = str_copy(a, r->text),
                                  .message = str_copy(a, all.items[i].message),
                                  .name = all.items[i].name,
                                  .line = r->line,
                                  .column = r->column});
    }
}

/* ---- the new text ---- */

static struct str text_of(const struct warder_tidy *t)
{
    return t->text ? (struct str){t->text, t->len} : (struct str){t->old.text, t->old.len};
}

/* From the end of the file, so that the places of the others stay what they are. */
static struct tidied *next_to_remove(struct warder_tidy *t, uint32_t line, uint32_t column)
{
    struct tidied *next = NULL;

    for (size_t i = 0; i < t->rules.count; i++) {
        struct tidied *r = &t->rules.items[i];
        bool before = r->line < line || (r->line == line && r->column < column);
        if (before &&
            (!next || r->line > next->line || (r->line == next->line && r->column > next->column)))
            next = r;
    }
    return next;
}

static enum status remove_one(struct warder_tidy *t, struct arena *a, struct tidied *r,
                              struct error *err)
{
    struct str result;
    enum status status = edit_remove(a, str_from(t->file), text_of(t), FORMAT_UNKNOWN, t->dialect,
                                     (struct edit_place_of){r->line, r->column}, &result, err);

    if (status != STATUS_OK)
        return status;
    char *text = malloc(result.len + 1);
    if (!text)
        return fail(err, STATUS_NOMEM, "out of memory");
    memcpy(text, result.s, result.len);
    text[result.len] = '\0';
    free(t->text);
    t->text = text;
    t->len = result.len;
    t->removed++;
    return STATUS_OK;
}

static enum status remove_all(struct warder_tidy *t, struct error *err)
{
    struct tidied *r;
    uint32_t line = UINT32_MAX, column = UINT32_MAX;
    enum status status = STATUS_OK;
    struct arena a;

    arena_init(&a, EDIT_MEMORY_MAX);
    while (status != STATUS_NOMEM && (r = next_to_remove(t, line, column))) {
        struct error why = {0};
        line = r->line;
        column = r->column;
        arena_reset(&a);
        status = remove_one(t, &a, r, &why);
        if (status == STATUS_NOMEM)
            *err = why;
        else if (status)
            r->why = str_try_format(&t->arena, "%s", why.message);
    }
    arena_release(&a);
    return status == STATUS_NOMEM ? status : STATUS_OK;
}

/* The file has tests, perhaps, and they must hold without the rules. */
static enum status check_new(struct warder_tidy *t, struct error *err)
{
    struct policy_request request = t->held.snapshot->request;
    struct policy_text text = {.name = str_from(t->file), .text = text_of(t)};
    struct policy *policy;

    request.project = str_from(t->held.project->project);
    request.named = true;
    request.files = (struct strs){0};
    request.texts = (struct policy_texts){&text, 1, 1};
    enum status status = policy_open(&request, &policy, err);
    if (status)
        return status;
    const struct problem *broken = rulebook_broken(&policy->book);
    if (broken)
        status = fail_at(err, STATUS_USAGE, broken->line, broken->column,
                         "without these rules, %.*s", STR_ARG(broken->message));
    policy_free(policy);
    return status;
}

static enum status plan(struct warder_tidy *t, struct error *err)
{
    if (!realpath(t->file, t->path))
        return fail(err, STATUS_IO, "there is no policy file %s", t->file);
    enum status status = file_read(t->path, FILE_PERSON, NULL, &t->old, err);
    if (status)
        return status;
    if (rulebook_broken(t->held.project->book))
        return fail(err, STATUS_SYNTAX, "%s has a mistake: see warder lint", t->file);
    if (!arena_try(&t->arena, find_rules, t))
        return fail(err, STATUS_NOMEM, "out of memory");
    status = remove_all(t, err);
    return status || !t->text ? status : check_new(t, err);
}

warder_status warder_tidy_plan(warder_engine *engine, const char *file, warder_log *log,
                               uint32_t days, warder_tidy **out, warder_error *err)
{
    struct error inner = {0};
    struct usage usage = {0};

    if (!engine || !file || !out)
        return give_usage(err, "missing argument: engine, file or plan");
    *out = NULL;
    warder_tidy *t = calloc(1, sizeof(*t));
    if (!t)
        return give_no_memory(err);
    arena_init(&t->arena, EDIT_MEMORY_MAX);
    snprintf(t->file, sizeof(t->file), "%s", file);
    warder_status status = policy_borrow(engine, &t->held, err);
    if (status == WARDER_OK && log) {
        status = usage_gather(log, days, &usage, err);
        t->usage = &usage;
    }
    if (status == WARDER_OK) {
        t->dialect = t->held.snapshot->profile->dialect;
        if (plan(t, &inner) != STATUS_OK)
            status = error_out(err, &inner);
    }
    usage_release(&usage);
    t->usage = NULL;
    if (status != WARDER_OK) {
        warder_tidy_free(t);
        return status;
    }
    *out = t;
    return WARDER_OK;
}

void warder_tidy_free(warder_tidy *t)
{
    if (!t)
        return;
    snapshot_drop(t->held.snapshot);
    free(t->old.text);
    free(t->text);
    arena_release(&t->arena);
    free(t);
}

/* ---- the report ---- */

static void show_rule(struct report *r, const struct tidied *t)
{
    json_begin_object(&r->json);
    report_member(r, "behavior", t->behavior);
    report_member(r, "rule", t->rule);
    report_number(r, "line", t->line);
    report_number(r, "column", t->column);
    report_member(r, "name", str_from(t->name));
    report_member(r, "message", t->message);
    report_member(r, "stays", t->why);
    json_end_object(&r->json);
    buf_format(&r->text, "line %u: %.*s ", t->line, STR_ARG(t->behavior));
    report_show(r, t->rule);
    buf_text(&r->text, ": ");
    report_show(r, t->message);
    if (t->why.len) {
        buf_text(&r->text, "; stays: ");
        report_show(r, t->why);
    }
    buf_byte(&r->text, '\n');
}

static void show_diff(struct report *r, struct str diff)
{
    struct str line;

    while (diff.len) {
        if (!str_cut(diff, '\n', &line, &diff))
            diff = (struct str){0};
        report_show(r, line);
        buf_byte(&r->text, '\n');
    }
}

static void show(struct report *r, const void *about)
{
    const struct warder_tidy *t = about;
    struct str old = {t->old.text, t->old.len};
    struct str diff = diff_lines(r->arena, old, text_of(t));

    json_begin_object(&r->json);
    report_member(r, "file", str_from(t->file));
    json_key(&r->json, "rules");
    json_begin_array(&r->json);
    for (size_t i = 0; i < t->rules.count; i++)
        show_rule(r, &t->rules.items[i]);
    json_end_array(&r->json);
    report_number(r, "removed", (int64_t)t->removed);
    report_member(r, "diff", diff);
    json_end_object(&r->json);
    if (t->rules.count)
        buf_byte(&r->text, '\n');
    show_diff(r, diff);
    if (!t->removed)
        buf_text(&r->text, "there is nothing to remove\n");
    r->warnings = t->removed;
}

warder_status warder_tidy_report(const warder_tidy *t, warder_report **out, warder_error *err)
{
    if (!t)
        return give_usage(err, "missing argument: plan");
    return report_make(show, t, out, err);
}

/* ---- writing ---- */

static enum status backup_name(const char *file, char out[PATH_MAX], struct error *err)
{
    return snprintf(out, PATH_MAX, "%s" BACKUP_SUFFIX, file) < PATH_MAX
               ? STATUS_OK
               : fail(err, STATUS_LIMIT, "the name of the file is too long");
}

static enum status write_text(const char *file, struct str text, struct error *err)
{
    const struct edit_target target = {.path = file, .guard = FILE_PERSON};
    struct file_text old = {0};
    enum status status = file_read(file, FILE_PERSON, NULL, &old, err);

    if (!status)
        status = edit_replace(&target, (struct str){old.text, old.len}, text, err);
    free(old.text);
    return status;
}

warder_status warder_tidy_apply(const warder_tidy *t, warder_error *err)
{
    const struct edit_target target = {.path = t ? t->path : NULL, .guard = FILE_PERSON};
    struct error inner = {0};
    char backup[PATH_MAX];

    if (!t)
        return give_usage(err, "missing argument: plan");
    if (!t->text)
        return WARDER_OK;
    const struct str old = {t->old.text, t->old.len};
    if (backup_name(t->path, backup, &inner) != STATUS_OK ||
        write_text(backup, old, &inner) != STATUS_OK ||
        edit_replace(&target, old, text_of(t), &inner) != STATUS_OK)
        return error_out(err, &inner);
    return WARDER_OK;
}

warder_status warder_tidy_undo(const char *file, warder_error *err)
{
    struct error inner = {0};
    struct file_text kept = {0};
    char path[PATH_MAX], backup[PATH_MAX];

    if (!file || !realpath(file, path))
        return give_usage(err, "there is no such file");
    enum status status = backup_name(path, backup, &inner);
    if (!status)
        status = file_read(backup, FILE_PERSON, NULL, &kept, &inner);
    if (!status && !kept.found)
        status = fail(&inner, STATUS_USAGE, "there is nothing to undo: no %.150s", backup);
    if (!status)
        status = write_text(path, (struct str){kept.text, kept.len}, &inner);
    if (!status && unlink(backup) < 0)
        status = fail(&inner, STATUS_IO, "cannot remove %.150s", backup);
    free(kept.text);
    return status ? error_out(err, &inner) : WARDER_OK;
}
