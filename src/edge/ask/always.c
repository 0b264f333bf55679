#include "ask/always.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/project.h"
#include "rule/lint.h"

/* ---- where ---- */

static const struct {
    const char *name;
    enum format format;
    bool made; /* used even if it does not exist yet */
} places[] = {
    {".caliban/permissions.toml", FORMAT_CALIBAN, true},
    {".warder/authorization.yml", FORMAT_GUILD, false},
    {".warder/authorization.toml", FORMAT_GUILD, false},
    {".warder/authorization.json", FORMAT_GUILD, false},
    {".warder/authorization.yaml", FORMAT_GUILD, true},
    {".warder/warder.local.yaml", FORMAT_WARDER, false},
    {".warder/warder.local.yml", FORMAT_WARDER, false},
    {".warder/warder.local.toml", FORMAT_WARDER, false},
    {".warder/warder.local.json", FORMAT_WARDER, false},
    {".claude/settings.local.json", FORMAT_SETTINGS, true}, /* see is_taken() */
    {".warder/warder.local.yaml", FORMAT_WARDER, true},
};

/* Two profiles spell rules in a way that belongs into files of their own format. In a file that all
 * profiles read, the others would take such a rule for an error, and deny everything. In guild only
 * rules about commands are spelled so. */
static bool takes(enum format format, const struct always *r)
{
    const struct facts *f = r->verdict->facts;

    switch (r->profile->dialect) {
    case DIALECT_FIRST_ARG:
        return format == FORMAT_CALIBAN;
    case DIALECT_ACTION:
        if (!f || f->call->kind == TOOL_SHELL)
            return format == FORMAT_GUILD;
        break;
    case DIALECT_WARDER:
    case DIALECT_DOUBLESTAR:
    case DIALECT_TRAILING:
    case DIALECT_FNMATCH:
        break;
    }
    return format == FORMAT_WARDER || format == FORMAT_SETTINGS;
}

static bool is_in_project(const struct always *r, const char *name)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof(path), "%s/%s", r->project.s, name) < (int)sizeof(path) &&
           access(path, F_OK) == 0;
}

/* A directory of Claude Code is not made for people who use another agent; the profiles whose texts
 * name that file get it. */
static bool is_taken(size_t place, const struct always *r)
{
    if (is_in_project(r, places[place].name))
        return true;
    if (places[place].format == FORMAT_SETTINGS && r->profile->dialect == DIALECT_WARDER)
        return is_in_project(r, ".claude");
    return places[place].made;
}

/* Only rules in the default spelling: every profile reads that file. */
static void find_user_file(struct always *r)
{
    char directory[PATH_MAX];

    if (r->profile->dialect != DIALECT_WARDER || r->config_home.len == 0 ||
        snprintf(directory, sizeof(directory), "%s/warder", r->config_home.s) >=
            (int)sizeof(directory) ||
        !edit_file_in(directory, "warder", r->user_path))
        r->user_path[0] = '\0';
}

enum status always_find(struct always *r, struct error *err)
{
    struct error ignored;

    r->path[0] = r->user_path[0] = '\0';
    if (r->project.len == 0)
        return fail(err, STATUS_USAGE, "this directory is in no project to write the rule to");
    for (size_t i = 0; i < COUNT(places); i++) {
        if (!takes(places[i].format, r))
            continue;
        if (snprintf(r->path, sizeof(r->path), "%s/%s", r->project.s, places[i].name) >=
            (int)sizeof(r->path))
            return fail(err, STATUS_LIMIT, "the path of the project is too long");
        r->format = places[i].format;
        if (is_taken(i, r))
            break;
    }
    if (trust_check(r->state_dir.s, r->project.s, &r->trust, &ignored))
        r->trust = TRUST_NO;
    find_user_file(r);
    return STATUS_OK;
}

/* ---- meaning ---- */

static struct str coverage(struct arena *a, const struct always *r, const struct rule *rule)
{
    const struct facts *f = r->verdict->facts;
    size_t matched = 0, count = f ? f->actions.count : 0;

    for (size_t i = 0; i < count; i++)
        matched += rule_matches(a, rule, &f->actions.items[i].subject, &f->env);
    if (rule->effect == BEHAVIOR_DENY)
        return matched ? STR("matches this call")
                       : STR("does not match this call, which is denied once");
    if (matched == count && count)
        return STR("covers this call");
    return str_format(a, "covers %zu of the %zu actions of this call; the rest is allowed once",
                      matched, count);
}

enum status always_check(struct arena *a, const struct always *r, enum behavior effect,
                         struct str text, struct strs *sentences, struct error *err)
{
    struct rules rules = {0};
    struct lint_findings findings = {0};
    struct rule rule;
    enum status status = rule_parse(a, text, r->profile->dialect, &rule, err);

    if (status)
        return status;
    rule.effect = effect;
    rule.source = SOURCE_LOCAL;
    rule.base = r->project;
    LIST_PUSH(a, sentences, coverage(a, r, &rule));
    LIST_PUSH(a, &rules, rule);
    rules_lint(a, &rules, r->danger, r->meant, &findings);
    for (size_t i = 0; i < findings.count; i++)
        LIST_PUSH(a, sentences, findings.items[i].message);
    return STATUS_OK;
}

/* ---- writing ---- */

static bool is_same_file(const struct project_file *a, const char *text, size_t len)
{
    return a->text.text && a->text.len == len && memcmp(a->text.text, text, len) == 0;
}

/* True if only this rule has changed: the agent may have written other files while the person was
 * deciding. */
static bool is_ours_alone(const struct always *r, const struct project_files *before,
                          const struct project_files *after, const struct edit_done *done)
{
    const char *name = r->path + r->project.len + 1;
    bool was_there = project_find(before, name) != NULL;

    if (!before->complete || !after->complete || after->count != before->count + !was_there)
        return false;
    for (size_t i = 0; i < after->count; i++) {
        const struct project_file *now = &after->items[i], *then = project_find(before, now->name);
        bool same = strcmp(now->name, name) == 0
                        ? is_same_file(now, done->text, done->len)
                        : then && is_same_file(now, then->text.text, then->text.len);
        if (!same)
            return false;
    }
    return true;
}

static enum status keep_trust(const struct always *r, const struct project_files *before,
                              const struct edit_done *done, struct error *err)
{
    struct project_files after;
    enum status status = project_read(r->project.s, &after, err);

    if (!status && !is_ours_alone(r, before, &after, done))
        status = fail(err, STATUS_UNSAFE,
                      "the rule is written, but other policy files of the project changed: check "
                      "them, then run warder trust");
    if (!status)
        status = trust_add_digest(r->state_dir.s, after.digest, r->project.s, err);
    project_release(&after);
    return status;
}

/* Whether the files in `before` were trusted: they must be the same files that are then compared.
 */
static bool was_trusted(const struct always *r, const struct project_files *before)
{
    struct trust_store store = {0};
    struct trust_place at;
    bool trusted = before->count == 0;

    if (!trusted && before->complete && trust_load(r->state_dir.s, &store, NULL) == STATUS_OK &&
        trust_locate(r->project.s, &at, NULL) == STATUS_OK)
        trusted = trust_has(&store, before->digest, &at);
    trust_release(&store);
    return trusted;
}

enum status always_write_user(const struct always *r, enum behavior effect, struct str rule,
                              uint32_t *line, struct error *err)
{
    const struct edit_target target = {
        .path = r->user_path, .guard = FILE_PERSON, .format = FORMAT_WARDER};
    const struct edit_rule edit = {.effect = effect, .text = rule, .dialect = r->profile->dialect};
    struct edit_done done = {0};

    *line = 0;
    if (mkdir(r->config_home.s, S_IRWXU) < 0 && errno != EEXIST)
        return fail(err, STATUS_IO, "cannot create %s: %s", r->config_home.s, strerror(errno));
    enum status status = edit_add(&target, &edit, &done, err);
    if (!status)
        *line = done.line;
    free(done.text);
    return status;
}

enum status always_write(const struct always *r, enum behavior effect, struct str rule,
                         uint32_t *line, struct error *err)
{
    const struct edit_target target = {
        .path = r->path, .guard = FILE_PROJECT, .inside = r->project.s, .format = r->format};
    const struct rule *decider = r->verdict->rule;
    struct edit_rule edit = {.effect = effect, .text = rule, .dialect = r->profile->dialect};
    struct project_files before;
    struct edit_done done = {0};

    *line = 0;
    if (decider && str_is(decider->file, r->path)) {
        edit.above_line = decider->line;
        edit.above_column = decider->column;
    }
    enum status status = project_read(r->project.s, &before, err);
    if (!status)
        status = edit_add(&target, &edit, &done, err);
    if (!status && !done.already && was_trusted(r, &before))
        status = keep_trust(r, &before, &done, err);
    if (!status)
        *line = done.line;
    free(done.text);
    project_release(&before);
    return status;
}

enum status always_replace(const struct always *r, struct str old, struct str text,
                           struct error *err)
{
    const struct edit_target target = {
        .path = r->path, .guard = FILE_PROJECT, .inside = r->project.s, .format = r->format};
    struct edit_done done = {.len = text.len};
    struct project_files before;

    if (!(done.text = strndup(text.s, text.len)))
        return fail(err, STATUS_NOMEM, "out of memory");
    enum status status = project_read(r->project.s, &before, err);
    if (!status)
        status = edit_replace(&target, old, text, err);
    if (!status && was_trusted(r, &before))
        status = keep_trust(r, &before, &done, err);
    free(done.text);
    project_release(&before);
    return status;
}
