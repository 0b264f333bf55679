/* trust_show.c - what is trusted, and why a project is not. */
#include "engine/report.h"
#include "machine/statedir.h"
#include "policy/project.h"
#include "policy/trust.h"

/* ---- what is trusted ---- */

static void list_entry(struct report *r, const struct trust_entry *e)
{
    json_begin_object(&r->json);
    report_member(r, "project", e->project);
    report_member(r, "repository", e->common);
    report_member(r, "digest", e->digest);
    json_end_object(&r->json);
    report_show(r, e->project);
    if (e->common.len) {
        buf_text(&r->text, "  and the work trees of ");
        report_show(r, e->common);
    }
    buf_byte(&r->text, '\n');
}

static void list_trusted(struct report *r, const void *about)
{
    const struct trust_store *store = about;

    json_begin_object(&r->json);
    json_key(&r->json, "trusted");
    json_begin_array(&r->json);
    for (size_t i = 0; i < store->count; i++)
        list_entry(r, &store->items[i]);
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_status warder_trust_list(const char *home, warder_report **out, warder_error *err)
{
    char state[STATEDIR_MAX];
    struct trust_store store = {0};
    struct error inner = {0};
    warder_status status;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (statedir_find(home, state, &inner) == STATUS_OK &&
        trust_load(state, &store, &inner) == STATUS_OK)
        status = report_make(list_trusted, &store, out, err);
    else
        status = error_out(err, &inner);
    trust_release(&store);
    return status;
}

/* ---- why a project is not trusted ---- */

struct trust_reason {
    const struct trust_entry *other; /* the same content in another place; NULL: none */
    bool known;                      /* other content was trusted in this place */
};

static void say_reason(struct report *r, const void *about)
{
    const struct trust_reason *why = about;

    if (why->other)
        buf_format(&r->text,
                   "the same policy files are trusted in %.*s, and trust counts there and in the "
                   "work trees of that repository",
                   STR_ARG(why->other->project));
    else if (why->known)
        buf_text(&r->text, "its policy files are not those that were trusted");
    json_begin_object(&r->json);
    report_member(r, "why", buf_str(&r->text));
    report_member(r, "elsewhere", why->other ? why->other->project : (struct str){0});
    json_end_object(&r->json);
}

static void find_reason(const struct trust_store *store, const struct project_files *files,
                        const struct trust_place *at, struct trust_reason *out)
{
    if (trust_has(store, files->digest, at))
        return;
    out->other = trust_elsewhere(store, files->digest, at);
    for (size_t i = 0; files->count && i < store->count; i++)
        out->known |= trust_is_at(&store->items[i], at);
}

warder_status warder_trust_reason(const char *home, const char *directory, warder_report **out,
                                  warder_error *err)
{
    char state[STATEDIR_MAX];
    struct trust_place at;
    struct error inner = {0};
    struct project_files files = {0};
    struct trust_store store = {0};
    struct trust_reason why = {0};

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    enum status status = statedir_find(home, state, &inner);
    if (status == STATUS_OK)
        status = trust_locate(directory ? directory : ".", &at, &inner);
    if (status == STATUS_OK)
        status = project_read(at.project, &files, &inner);
    if (status == STATUS_OK && (status = trust_load(state, &store, &inner)) == STATUS_OK)
        find_reason(&store, &files, &at, &why);
    warder_status end =
        status == STATUS_OK ? report_make(say_reason, &why, out, err) : error_out(err, &inner);
    trust_release(&store);
    project_release(&files);
    return end;
}
