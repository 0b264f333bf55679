#include "support/policy_tree.h"
#include "programs/programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <ftw.h>

void tree_make(struct tree *t)
{
    const char *tmp = getenv("TMPDIR");

    snprintf(t->root, sizeof(t->root), "%s/warder-policy-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(t->root))
        fail_msg("cannot make %s", t->root);
    snprintf(t->home, sizeof(t->home), "%s/home", t->root);
    snprintf(t->project, sizeof(t->project), "%s/project", t->root);
    snprintf(t->state, sizeof(t->state), "%s/state", t->root);
    assert_int_equal(mkdir(t->home, 0755), 0);
    assert_int_equal(mkdir(t->project, 0755), 0);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void tree_remove(struct tree *t)
{
    nftw(t->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *tree_path(const struct tree *t, const char *path)
{
    static char paths[4][TREE_PATH_MAX];
    static unsigned next;
    char *out = paths[next++ % 4];

    snprintf(out, TREE_PATH_MAX, "%s/%s", t->root, path);
    return out;
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

void tree_write_bytes(const struct tree *t, const char *path, const char *text, size_t len,
                      mode_t mode)
{
    char whole[TREE_PATH_MAX];

    snprintf(whole, sizeof(whole), "%s/%s", t->root, path);
    make_parents(whole);
    FILE *f = fopen(whole, "wb");
    if (!f || fwrite(text, 1, len, f) != len)
        fail_msg("cannot write %s", whole);
    fclose(f);
    assert_int_equal(chmod(whole, mode ? mode : 0644), 0);
}

void tree_write(const struct tree *t, const char *path, const char *text, mode_t mode)
{
    tree_write_bytes(t, path, text, strlen(text), mode);
}

void tree_link(const struct tree *t, const char *path, const char *target)
{
    char whole[TREE_PATH_MAX];

    snprintf(whole, sizeof(whole), "%s/%s", t->root, path);
    make_parents(whole);
    unlink(whole);
    assert_int_equal(symlink(target[0] == '@' ? tree_path(t, target + 2) : target, whole), 0);
}

struct policy_request tree_request(const struct tree *t)
{
    static const enum source order[SOURCE_COUNT] = {SOURCE_MANAGED, SOURCE_CLI,     SOURCE_SESSION,
                                                    SOURCE_COMMAND, SOURCE_RUNTIME, SOURCE_LOCAL,
                                                    SOURCE_PROJECT, SOURCE_USER,    SOURCE_BUILTIN};

    return (struct policy_request){.order = order,
                                   .home = str_from(t->home),
                                   .project = str_from(t->project),
                                   .state_dir = str_from(t->state),
                                   .root = str_from(t->root)};
}

struct dump {
    const struct tree *tree;
    char *out;
    size_t len, room;
};

__attribute__((format(printf, 2, 3))) static void line(struct dump *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(d->out + d->len, d->room - d->len, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < d->room - d->len);
    d->len += (size_t)n;
}

/* The path with the tree replaced by "@". */
static const char *place(const struct dump *d, struct str path)
{
    static char shown[4][TREE_PATH_MAX];
    static unsigned next;
    char *out = shown[next++ % 4];
    size_t len = strlen(d->tree->root);

    if (path.len >= len && memcmp(path.s, d->tree->root, len) == 0)
        snprintf(out, TREE_PATH_MAX, "@%.*s", (int)(path.len - len), path.s + len);
    else
        snprintf(out, TREE_PATH_MAX, "%.*s", STR_ARG(path));
    return out;
}

static void dump_rule(struct dump *d, const struct rule *r)
{
    const struct rule_more *more = rule_more(r);
    const struct rule_about *about = rule_about(r);

    line(d, "%s %s %.*s", behavior_name(r->effect), source_name(r->source), STR_ARG(r->text));
    for (size_t i = 0; i < more->flags.count; i++)
        line(d, " flag=%.*s", STR_ARG(more->flags.items[i]));
    for (size_t i = 0; i < more->paths.count; i++)
        line(d, " path=%.*s", STR_ARG(more->paths.items[i].text));
    if (more->regex.len)
        line(d, " regex=%.*s%s", STR_ARG(more->regex), more->regex_code ? "" : "(not compiled)");
    if (about->reason.len)
        line(d, " reason=%.*s", STR_ARG(about->reason));
    if (about->comment.len)
        line(d, " comment=%.*s", STR_ARG(about->comment));
    if (about->id.len)
        line(d, " id=%.*s", STR_ARG(about->id));
    line(d, "\n");
}

static void dump_hook(struct dump *d, const struct hook *h)
{
    line(d, "hook %s %s matcher=%.*s command=%.*s",
         h->event == HOOK_PRE_TOOL_USE ? "PreToolUse" : "PermissionRequest", source_name(h->source),
         STR_ARG(h->matcher), STR_ARG(h->command));
    for (size_t i = 0; i < h->args.count; i++)
        line(d, " arg=%.*s", STR_ARG(h->args.items[i]));
    line(d, " timeout=%u%s%s%s\n", h->timeout_seconds, h->regex ? " regex" : "",
         h->observes ? " observes" : "", h->conditional ? " conditional" : "");
}

static void dump_settings(struct dump *d, const struct rulebook *b)
{
    if (b->mode.given)
        line(d, "mode %s %s\n", mode_name(b->mode.mode), source_name(b->mode.source));
    if (b->profile.len)
        line(d, "profile %.*s\n", STR_ARG(b->profile));
    if (b->bypass_disabled)
        line(d, "no bypass\n");
    if (b->auto_disabled)
        line(d, "no auto\n");
    if (b->managed_rules_only)
        line(d, "managed only\n");
    if (b->client_hooks_off)
        line(d, "no client hooks\n");
    if (b->runners_off)
        line(d, "no runners\n");
    if (b->clearances_off)
        line(d, "no clearances\n");
    if (b->scripts_off)
        line(d, "no scripts\n");
    for (size_t i = 0; i < b->directories.count; i++)
        line(d, "directory %s %s\n", source_name(b->directories.items[i].source),
             place(d, b->directories.items[i].path));
    for (size_t i = 0; i < b->disabled.count; i++)
        line(d, "disabled %s %.*s\n", source_name(b->disabled.items[i].source),
             STR_ARG(b->disabled.items[i].name));
    for (size_t i = 0; i < b->allowed.count; i++)
        line(d, "allowed %s %.*s\n", source_name(b->allowed.items[i].source),
             STR_ARG(b->allowed.items[i].name));
    if (b->record_days)
        line(d, "record days %u\n", b->record_days);
    if (b->record_sync)
        line(d, "record sync %s\n", b->record_sync == RECORD_SYNC_ALWAYS ? "always" : "crash");
    if (b->service)
        line(d, "service %s\n",
             b->service == SERVICE_REQUIRED ? "required"
             : b->service == SERVICE_OFF    ? "off"
                                            : "auto");
    for (size_t i = 0; i < b->read_only_servers.count; i++)
        line(d, "server %.*s\n", STR_ARG(b->read_only_servers.items[i]));
}

static void dump_program(struct dump *d, const struct program_row *row)
{
    static const char *const whose[] = {"shipped", "project", "user", "managed"};

    line(d, "program %s %s [%s] [%s] %s%s\n", whose[row->strength], row->name, row->options,
         row->operands, row->transparent ? "transparent " : "",
         row->effects & EFFECT_SEND ? "send" : "");
}

void tree_dump(const struct tree *t, const struct rulebook *b, char *out, size_t room)
{
    struct dump d = {.tree = t, .out = out, .room = room};

    out[0] = '\0';
    for (size_t i = 0; i < b->rules.count; i++)
        dump_rule(&d, &b->rules.items[i]);
    dump_settings(&d, b);
    for (size_t i = 0; b->programs && i < b->programs->count; i++)
        dump_program(&d, &b->programs->items[i]);
    for (size_t i = 0; i < b->hooks.count; i++)
        dump_hook(&d, &b->hooks.items[i]);
    for (size_t i = 0; i < b->problems.count; i++) {
        const struct problem *p = &b->problems.items[i];
        line(&d, "%s %s", p->fatal ? "fatal" : "warning", place(&d, p->file));
        if (p->line)
            line(&d, ":%u:%u", p->line, p->column);
        line(&d, "\n");
    }
}
