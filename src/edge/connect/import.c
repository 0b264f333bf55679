/* import.c - another agent's permission file as a policy of ours, with what could not be said. */
#include "client/import.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "client/client.h"
#include "document/document.h"
#include "engine/report.h"
#include "policy/edit.h"
#include "rule/dialect.h"
#include "rule/rule.h"

#define IMPORT_MEMORY_MAX ((size_t)64 * 1024 * 1024)

/* Where each client keeps its permissions, below the home; NULL: they cannot be imported. */
static const struct {
    const char *client, *file;
    enum import_format format;
} homes[] = {
#define PERMISSIONS(file, format)    file, format
#define AGENT(name, title, sections) {#name, sections},
#include "call/agents.def"
};

const char *warder_import_name(size_t number)
{
    for (size_t i = 0; i < COUNT(homes); i++)
        if (homes[i].file && number-- == 0)
            return homes[i].client;
    return NULL;
}

struct import_job {
    struct arena arena;
    char path[PATH_MAX];
    bool known; /* `format` is not to be found out */
    enum import_format format;
    struct str text;
    struct import import;
    struct error *err;
    enum status status;
};

/* ---- reading ---- */

/* Neither a file nor an agent whose permissions can be read. */
static enum status refuse_name(struct import_job *i, const char *what)
{
    const struct client *c = client_find(str_from(what));

    if (strchr(what, '/') || strchr(what, '.'))
        return fail(i->err, STATUS_IO, "%s: %s", what, strerror(errno));
    if (c && strcmp(c->name, "claude") == 0)
        return fail(i->err, STATUS_USAGE,
                    "nothing to import: Warder reads Claude Code's settings as they are");
    if (c)
        return fail(i->err, STATUS_USAGE, "the permissions of %s cannot be imported", c->title);
    return fail(i->err, STATUS_USAGE, "\"%.60s\" is neither a file nor an agent", what);
}

static enum status find_file(struct import_job *i, const char *home, const char *what)
{
    const char *base = home ? home : getenv("HOME");

    for (size_t n = 0; n < COUNT(homes); n++)
        if (homes[n].file && strcmp(what, homes[n].client) == 0) {
            if (!base || base[0] != '/')
                return fail(i->err, STATUS_USAGE,
                            "the home directory is not known: set HOME, or name it");
            snprintf(i->path, sizeof(i->path), "%s/%s", base, homes[n].file);
            i->format = homes[n].format;
            i->known = true;
            return STATUS_OK;
        }
    if (!realpath(what, i->path))
        return refuse_name(i, what);
    if (str_ends(str_from(i->path), STR(".rules"))) {
        i->format = IMPORT_CODEX;
        i->known = true;
    }
    return STATUS_OK;
}

static void convert_document(struct import_job *i)
{
    static void (*const readers[])(struct import *, const struct value *) = {
        [IMPORT_CODEX] = NULL,
        [IMPORT_GEMINI] = import_gemini,
        [IMPORT_OPENCODE] = import_opencode,
        [IMPORT_CURSOR] = import_cursor,
        [IMPORT_COPILOT] = import_copilot,
    };
    struct value *document = ARENA_NEW(&i->arena, struct value);

    i->status =
        document_read(&i->arena, document_syntax(str_from(i->path)), i->text, document, i->err);
    if (i->status == STATUS_OK && !i->known && !import_recognise(document, &i->format))
        i->status = fail(i->err, STATUS_SYNTAX,
                         "it has no permissions of Gemini CLI, OpenCode, Cursor or Copilot");
    if (i->status == STATUS_OK)
        readers[i->format](&i->import, document);
}

/* What ours cannot read is worth nothing: an allow is left out, the rest is asked about. */
static void check_rules(struct import_job *i)
{
    struct import *im = &i->import;
    size_t kept = 0, count = im->rules.count;

    for (size_t n = 0; n < count; n++) {
        struct import_rule r = im->rules.items[n];
        struct rule parsed = {0};
        struct error err = {0};
        if (rule_parse(&i->arena, r.text, DIALECT_WARDER, &parsed, &err) == STATUS_OK) {
            im->rules.items[kept++] = r;
            continue;
        }
        import_note(im, 0, true, "%s %.*s cannot be read as a rule: %s", behavior_name(r.effect),
                    STR_ARG(r.text), err.message);
        if (r.effect != BEHAVIOR_ALLOW)
            im->rules.items[kept++] = (struct import_rule){BEHAVIOR_ASK, STR("*"), {0}};
    }
    im->rules.count = kept;
}

static void convert(void *arg)
{
    struct import_job *i = arg;

    i->import.arena = &i->arena;
    if (i->known && i->format == IMPORT_CODEX)
        i->status = import_codex(&i->import, i->text, i->err);
    else
        convert_document(i);
    if (i->status == STATUS_OK)
        check_rules(i);
}

/* ---- writing ---- */

static void tell_rules(struct report *r, const struct import_job *i, enum behavior effect)
{
    bool any = false;

    json_key(&r->json, behavior_name(effect));
    json_begin_array(&r->json);
    for (size_t n = 0; n < i->import.rules.count; n++) {
        const struct import_rule *rule = &i->import.rules.items[n];
        if (rule->effect != effect)
            continue;
        if (!any)
            buf_format(&r->text, "%s:\n", behavior_name(effect));
        any = true;
        json_text(&r->json, rule->text);
        buf_text(&r->text, rule->reason.len ? "  - rule: " : "  - ");
        json_string(&r->text, rule->text);
        if (rule->reason.len) {
            buf_text(&r->text, "\n    reason: ");
            json_string(&r->text, rule->reason);
        }
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
}

static void tell_notes(struct report *r, const struct import_job *i)
{
    json_key(&r->json, "notes");
    json_begin_array(&r->json);
    for (size_t n = 0; n < i->import.notes.count; n++) {
        const struct import_note *note = &i->import.notes.items[n];
        r->warnings += note->lost ? 1 : 0;
        buf_format(&r->text, "# %s", note->lost ? "not converted: " : "note: ");
        if (note->line)
            buf_format(&r->text, "line %u: ", note->line);
        report_show(r, note->text);
        buf_byte(&r->text, '\n');
        json_begin_object(&r->json);
        report_number(r, "line", note->line);
        report_member(r, "text", note->text);
        json_key(&r->json, "lost");
        json_bool(&r->json, note->lost);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

static void tell(struct report *r, const void *about)
{
    const struct import_job *i = about;

    buf_text(&r->text, "# Imported from ");
    report_show(r, str_from(i->path));
    buf_byte(&r->text, '\n');
    json_begin_object(&r->json);
    report_member(r, "file", str_from(i->path));
    tell_notes(r, i);
    tell_rules(r, i, BEHAVIOR_DENY);
    tell_rules(r, i, BEHAVIOR_ASK);
    tell_rules(r, i, BEHAVIOR_ALLOW);
    json_end_object(&r->json);
}

static warder_status make_report(struct import_job *i, warder_report **out, warder_error *err)
{
    if (!arena_try(&i->arena, convert, i))
        i->status = fail(i->err, STATUS_NOMEM, "out of memory");
    return i->status == STATUS_OK ? report_make(tell, i, out, err) : error_out(err, i->err);
}

warder_status warder_import(const char *home, const char *what, warder_report **out,
                            warder_error *err)
{
    struct file_text text = {0};
    struct error inner = {0};
    warder_status status;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!what)
        return give_usage(err, "import what?");
    struct import_job *i = calloc(1, sizeof(*i));
    if (!i)
        return give_no_memory(err);
    arena_init(&i->arena, IMPORT_MEMORY_MAX);
    i->err = &inner;
    if (find_file(i, home, what) != STATUS_OK ||
        file_read(i->path, FILE_PERSON, NULL, &text, &inner) != STATUS_OK ||
        (!text.found && fail(&inner, STATUS_IO, "there is no file %s", i->path))) {
        status = error_out(err, &inner);
    } else {
        i->text = (struct str){text.text, text.len};
        status = make_report(i, out, err);
    }
    free(text.text);
    arena_release(&i->arena);
    free(i);
    return status;
}
