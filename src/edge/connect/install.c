/* install.c - writes a registration into the client's own file: planned first, shown, and then done
 * as it was shown. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "connect/backup.h"
#include "connect/change.h"
#include "document/document.h"
#include "engine/engine.h"
#include "facts/sensitive_paths.h"
#include "report/diff.h"

#define BACKUPS_A_SECOND 100

/* ---- planning ---- */

struct install_plan {
    warder_change *change;
    struct error *err;
    enum status status;
};

static enum status plan_removal(warder_change *c, struct error *err)
{
    struct str before;
    enum status status = register_remove(&c->arena, &c->place.registrar, c->old, &c->new, err);

    if (status == STATUS_OK && !c->new.s && backup_was_empty(&c->arena, &c->place, &before))
        c->new = before;
    return status;
}

/* What is written there is gone with the next start of the machine. */
static void note_temporary(warder_change *c)
{
    const char *own = c->place.registrar.row->note, *slash = strrchr(c->place.path, '/');
    struct str directory = str_slice(str_from(c->place.path), 0, (size_t)(slash - c->place.path));
    char *found = realpath(str_copy(&c->arena, directory).s, NULL);

    c->note = own;
    if (found && path_is_temporary(str_from(found)) && !path_is_temporary(directory))
        c->note = str_format(&c->arena, "%.*s leads to %s, a place for temporary files%s%s",
                             STR_ARG(directory), found, own ? ". " : "", own ? own : "")
                      .s;
    free(found);
}

/* A second [features] table, say: the client would read nothing of such a file, or not start. */
static enum status check_block(warder_change *c, struct error *err)
{
    struct error why = {0};
    struct value document;

    if (!c->place.registrar.row->block || !c->new.s ||
        document_read(&c->arena, SYNTAX_TOML, c->new, &document, &why) == STATUS_OK)
        return STATUS_OK;
    return fail(err, STATUS_SYNTAX, "what Warder needs does not fit into %.150s, line %u: %.150s",
                c->place.path, why.line, why.message);
}

static void plan(void *arg)
{
    struct install_plan *p = arg;
    warder_change *c = p->change;

    c->new = c->old;
    if (c->remove && c->found)
        p->status = plan_removal(c, p->err);
    else if (!c->remove)
        p->status = register_add(&c->arena, &c->place.registrar, c->old, &c->new, p->err);
    if (p->status == STATUS_OK && !c->remove)
        p->status = check_block(c, p->err);
    if (p->status == STATUS_OK)
        c->diff = diff_lines(&c->arena, c->old, c->new);
    note_temporary(c);
}

static const char *scope_words[] = {[SCOPE_USER] = "in the user's settings",
                                    [SCOPE_PROJECT] = "in a project",
                                    [SCOPE_MANAGED] = "for the whole machine"};

warder_change *change_new(void)
{
    warder_change *c = calloc(1, sizeof(*c));

    if (c)
        arena_init(&c->arena, CHANGE_MEMORY_MAX);
    return c;
}

enum status change_read(warder_change *c, struct error *err)
{
    struct edit_target target = place_target(&c->place);
    struct file_text text = {0};
    struct stat st;
    enum status status = file_read(c->place.path, target.guard, target.inside, &text, err);

    if (status != STATUS_OK)
        return status;
    c->found = text.found;
    c->mode = text.found && stat(c->place.path, &st) == 0 ? st.st_mode & 07777 : 0;
    c->text = text.text;
    c->old = (struct str){text.text, text.len};
    return STATUS_OK;
}

static enum status read_old(warder_change *c, struct error *err)
{
    if (!c->place.path[0])
        return fail(err, STATUS_USAGE, "%s cannot be registered %s",
                    c->place.registrar.client->title, scope_words[c->place.scope]);
    if (c->place.rival[0] && !c->remove && access(c->place.rival, F_OK) == 0)
        return fail(err, STATUS_USAGE,
                    "%s ignores %s while %s exists: move its hooks, or register there by hand",
                    c->place.registrar.client->title, c->place.path, c->place.rival);
    return change_read(c, err);
}

static warder_status make_plan(warder_change *c, struct error *err, warder_error *out)
{
    struct install_plan p = {.change = c, .err = err};

    if (c->remove && !c->place.path[0])
        return WARDER_OK; /* there is no such place, and so nothing in it */
    p.status = read_old(c, err);
    if (p.status == STATUS_OK && !arena_try(&c->arena, plan, &p))
        return give_no_memory(out);
    if (p.status != STATUS_OK && err->line) {
        struct error placed;
        fail_at(&placed, p.status, err->line, err->column, "%.100s: %.100s", c->place.path,
                err->message);
        return error_out(out, &placed);
    }
    return p.status == STATUS_OK ? WARDER_OK : error_out(out, err);
}

static enum status find_place(const warder_installation *where, struct place *out,
                              struct error *err)
{
    const struct client *client;
    enum status status = place_client(where->client, &client, err);

    if (status != STATUS_OK)
        return status;
    if (where->scope > WARDER_SCOPE_MANAGED)
        return fail(err, STATUS_USAGE, "unknown scope");
    status = place_find(client, (enum scope)where->scope, where, out, err);
    if (status == STATUS_OK && !where->remove && !where->program && !out->other[0])
        return fail(err, STATUS_USAGE,
                    "no " REGISTER_HOOK " is beside %s, and nothing else may be registered: a "
                    "project's environment could keep a program that needs libraries from starting",
                    out->program);
    return status;
}

const char *warder_client_name(size_t number)
{
    for (const struct client *c = clients; c->name; c++)
        if (number-- == 0)
            return c->name;
    return NULL;
}

const char *warder_client_title(const char *client)
{
    const struct client *c = client ? client_find(str_from(client)) : NULL;

    return c ? c->title : NULL;
}

warder_status warder_client_found(const warder_installation *where, int *out, warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    const struct client *client;
    struct place place;
    char seen[2 * PATH_MAX];
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: out");
    *out = 0;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(err, INSTALLATION_TOO_NEW);
    if (place_client(given.client, &client, &inner) != STATUS_OK ||
        place_find(client, SCOPE_USER, &given, &place, &inner) != STATUS_OK)
        return error_out(err, &inner);
    place_agent(&place, seen, sizeof(seen));
    *out = seen[0] != '\0';
    return WARDER_OK;
}

warder_status warder_install_plan(const warder_installation *where, warder_change **out,
                                  warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    struct error inner = {0};
    warder_status status;

    if (!out)
        return give_usage(err, "missing argument: change");
    *out = NULL;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(err, INSTALLATION_TOO_NEW);
    warder_change *c = change_new();
    if (!c)
        return give_no_memory(err);
    c->remove = given.remove != 0;
    if (find_place(&given, &c->place, &inner) != STATUS_OK)
        status = error_out(err, &inner);
    else
        status = make_plan(c, &inner, err);
    if (status != WARDER_OK) {
        warder_change_free(c);
        return status;
    }
    *out = c;
    return WARDER_OK;
}

const char *warder_change_file(const warder_change *change)
{
    return change ? change->place.path : "";
}

const char *warder_change_diff(const warder_change *change)
{
    return change && change->diff.len ? change->diff.s : "";
}

const char *warder_change_note(const warder_change *change)
{
    return change ? change->note : NULL;
}

const char *warder_change_backup(const warder_change *change)
{
    return change && change->backup[0] ? change->backup : NULL;
}

/* ---- doing ---- */

static enum status make_parents(const char *path, struct error *err)
{
    char part[2 * PATH_MAX];

    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
        if (mkdir(part, 0755) < 0 && errno != EEXIST)
            return fail(err, STATUS_IO, "cannot make %s: %s", part, strerror(errno));
    }
    return STATUS_OK;
}

/* Beside the file, with a name that tells when; two in one second get a number. */
static int open_backup(warder_change *c)
{
    time_t now = time(NULL);
    struct tm utc;
    char when[32] = "unknown";
    int fd = -1;

    if (gmtime_r(&now, &utc))
        (void)strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &utc);
    for (unsigned i = 0; fd < 0 && i < BACKUPS_A_SECOND; i++) {
        char number[16] = "";
        if (i)
            snprintf(number, sizeof(number), "-%u", i);
        snprintf(c->backup, sizeof(c->backup), "%s.warder-%s%s.bak", c->place.path, when, number);
        fd = open(c->backup, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, c->mode & 0700);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static enum status back_up(warder_change *c, struct error *err)
{
    if (!c->found || !c->place.registrar.row) /* our own policy: the diff says it all */
        return STATUS_OK;
    AUTO_CLOSE int fd = open_backup(c);
    if (fd < 0 || write(fd, c->old.s, c->old.len) != (ssize_t)c->old.len || fsync(fd) != 0)
        return fail(err, STATUS_IO, "cannot write %.150s: %s", c->backup, strerror(errno));
    return STATUS_OK;
}

static enum status write_new(warder_change *c, struct error *err)
{
    struct edit_target target = place_target(&c->place);
    enum status status;

    if ((status = back_up(c, err)) != STATUS_OK)
        return status;
    if (!c->new.s) {
        if (unlink(c->place.path) < 0)
            return fail(err, STATUS_IO, "cannot remove %s: %s", c->place.path, strerror(errno));
        return STATUS_OK;
    }
    if ((status = make_parents(c->place.path, err)) != STATUS_OK ||
        (status = edit_replace(&target, c->found ? c->old : (struct str){0}, c->new, err)) !=
            STATUS_OK)
        return status;
    if (c->place.registrar.row && c->place.registrar.row->executable &&
        chmod(c->place.path, 0755) < 0)
        return fail(err, STATUS_IO, "cannot make %s executable: %s", c->place.path,
                    strerror(errno));
    return STATUS_OK;
}

static void drop_copies(void *arg)
{
    warder_change *c = arg;

    backup_drop_registered(&c->arena, &c->place);
}

warder_status warder_change_apply(warder_change *change, warder_error *err)
{
    struct error inner = {0};

    if (!change)
        return give_usage(err, "missing argument: change");
    if (change->diff.len && write_new(change, &inner) != STATUS_OK)
        return error_out(err, &inner);
    if (change->remove && change->place.registrar.row &&
        arena_try(&change->arena, drop_copies, change) && access(change->backup, F_OK) != 0)
        change->backup[0] = '\0';
    return WARDER_OK;
}

void warder_change_free(warder_change *change)
{
    if (!change)
        return;
    free(change->text);
    arena_release(&change->arena);
    free(change);
}
